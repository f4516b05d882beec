"""The lesson about bytes: what a text costs in tokens."""

from __future__ import annotations

from functools import cache, cached_property
from textwrap import shorten

from bpe_core import Settings, Tokenizer
from bpe_core.pictures.shared.in_words import counted
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import MOST_LISTED, Lesson, playground, published, simple_run
from pages.parts.learn.questions import NUMBER, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import TextInTokens
from pages.parts.learn.texts import GPT2, GPT2_KEY, PARROT, SAME_IN_LANGUAGES
from pages.parts.playground.playground_state import Playground
from pages.parts.texts.corpora import example

FEWEST_LINES, MOST_LINES, WIDTH = 3, 6, 60
SIZE = 1000
LANGUAGES = "many-languages"


class Bytes(Lesson):
    """The lesson "Below the character"."""

    name = "Bytes"
    title = "Below the character"
    can = "explain what a text costs, whatever its script"
    opening = (
        f"A computer stores a character as one or several [bytes](byte). The bytes are the [alphabet] of {GPT2}, so it "
        "can write every text: at first each byte is a token, and every merge makes one token fewer."
    )
    own = "\n".join((PARROT, *SAME_IN_LANGUAGES))
    about = ("character", "dearest", "other_corpus")
    fixed = ("dearest", "other_corpus")  # other examples have no lines that say the same
    others = ("keepers-dog", "accents", "many-languages")

    @cached_property
    def _lines(self) -> list[str]:
        """The different lines of the text, each cut to `WIDTH` characters."""
        if self.is_own:
            return list(SAME_IN_LANGUAGES)
        lines = (shorten(line, WIDTH, placeholder="") or line.strip()[:WIDTH] for line in self.text.splitlines())
        return list(dict.fromkeys(line for line in lines if len(line) > 1))

    @cached_property
    def lines(self) -> list[str]:
        """The lines to compare. Only the lesson's own text has lines less than half as long as the longest line."""
        longest = max(map(len, self._lines), default=0)
        return [line for line in self._lines if 2 * len(line) >= longest or self.is_own][:MOST_LINES]

    def _about_lines(self) -> str:
        """Return a note on which lines of the text are compared; "" if all lines are compared."""
        whole = [line.strip() for line in self.text.splitlines() if line.strip()]
        if self.is_own or set(self.lines) == set(whole):
            return ""
        return wording.note(
            f"Compared are {counted(len(self.lines), 'line')} of the text’s {len(whole):,}, of similar length, each up "
            f"to its first {WIDTH} characters."
        )

    @cached_property
    def of_languages(self) -> Tokenizer:
        """A tokenizer that was trained on many languages."""
        return _of_languages()

    def _cost(self, text: str) -> int:
        return len(published().encode(text, specials=False).ids)

    def _cost_there(self, text: str) -> int:
        return len(self.of_languages.encode(text, specials=True).ids)

    def character(self) -> Question:
        """Ask how many tokens a character of several bytes is. Wrong answers: one, one for each byte, "unknown"."""
        several = [char for char in dict.fromkeys(self.text) if not char.isascii() and not char.isspace()]
        if not several:
            raise Omission("each of its characters is a single byte")
        # Prefer a character that is not the parrot of the lesson's own text, then a character of several tokens.
        char = max(several, key=lambda char: (self.is_own or char != PARROT, self._cost(char) > 1))
        tokens, symbols = published().encode(char, specials=False).tokens, word_merges.single_bytes(char)
        merges, size = word_merges.inside(published(), char), len(symbols)
        done = counted(size - len(tokens), "merge")
        return question(
            f"How many tokens is {wording.text(char)} to {GPT2}?",
            len(tokens),
            f"{wording.row(tokens)}: {counted(size, 'byte')}, {done}.",
            wrong_answer(
                1,
                f"It is one character, but {counted(size, 'byte')}, and there are not merges enough to make it whole.",
            ),
            wrong_answer(size, f"So many are its bytes, but {done} can be applied."),
            wrong_answer("unknown", "Every text has bytes, and every byte is in the alphabet: nothing is unknown."),
            look=wording.sentence(f"The bytes of {wording.text(char)}: {wording.row(symbols)}") + _inside(merges),
            typed=NUMBER,
            steps=wording.way(symbols, merges),
        )

    def dearest(self) -> Question:
        """Ask which line costs most tokens.

        Wrong answers: other lines, among them the line with the most tokens per character.
        """
        if len(self.lines) < FEWEST_LINES:
            raise Omission(f"it has fewer than {counted(FEWEST_LINES, 'line')} to compare")
        costs = {line: self._cost(line) for line in self.lines}
        right = max(costs, key=costs.__getitem__)
        dear = max(costs, key=lambda line: costs[line] / len(line))
        same = "These lines say the same. " if self.is_own else ""
        rows = [(wording.text(line), _size(line), _size(line) - cost) for line, cost in costs.items()]
        return question(
            f"Which of these lines costs most tokens in {GPT2}?",
            _label(right),
            f"{counted(costs[right], 'token')} for {counted(len(right), 'character')}, "
            f"{counted(_size(right), 'byte')}.",
            *(
                wrong_answer(
                    _label(line),
                    f"{counted(cost, 'token')}"
                    + (
                        ": the most for each character, but not in total."
                        if line == dear and cost < costs[right]
                        else "."
                    )
                    + (" The line costs as much as the dearest." if cost == costs[right] else ""),
                    near=cost == costs[right],
                )
                for line, cost in costs.items()
                if line != right
            ),
            look=wording.sentence(f"{same}Each begins as its bytes, and every merge of {GPT2} makes one token fewer:")
            + wording.html_table(("line", "bytes", f"merges by {GPT2}"), rows)
            + self._about_lines(),
            steps=[
                f"{wording.text(line)}: {_size(line):,} bytes less {counted(_size(line) - cost, 'merge')}, so "
                f"{counted(cost, 'token')}."
                for line, cost in costs.items()
            ],
        )

    def other_corpus(self) -> Question:
        """Ask which line saves most tokens with another training corpus. Wrong answers: the other lines."""
        if len(self.lines) < FEWEST_LINES:
            raise Omission(f"it has fewer than {counted(FEWEST_LINES, 'line')} to compare")
        here = {line: self._cost(line) for line in self.lines}
        there = {line: self._cost_there(line) for line in self.lines}
        fewer = {line: here[line] - there[line] for line in self.lines}
        right = max(fewer, key=fewer.__getitem__)
        if fewer[right] <= 0:
            raise Omission("its lines cost no less in a vocabulary of many languages")
        corpus = example(LANGUAGES)
        rows = [(wording.text(line), here[line], _size(line), _size(line) - there[line]) for line in self.lines]
        words = [word for line in self.lines for word in line.split()]
        known = sum(word.strip(".,!?。।") in corpus.text for word in words)
        return question(
            f"Which line saves most tokens there, compared with {GPT2}?",
            _label(right),
            f"{here[right]:,} tokens to {GPT2}, {there[right]:,} here: {fewer[right]:,} fewer.",
            *(
                wrong_answer(_label(line), _change(here[line], there[line]), near=fewer[line] == fewer[right])
                for line in here
                if line != right
            ),
            look=wording.sentence(
                f"A vocabulary of {SIZE:,} was learnt from “{corpus.name}”, a text about a cat and tea in several "
                f"languages. In fairness, {known:,} of the {len(words):,} words of these lines are in that text."
            )
            + wording.text_to_open(f"“{corpus.name}”", corpus.text)
            + wording.html_table(("line", f"tokens to {GPT2}", "bytes", "merges by the new vocabulary"), rows)
            + self._about_lines(),
            steps=[
                f"{wording.text(line)}: {_size(line):,} bytes less {counted(_size(line) - there[line], 'merge')}, so "
                f"{counted(there[line], 'token')}; to {GPT2} it is {here[line]:,}."
                for line in self.lines
            ],
        )

    def reveal(self) -> tuple[TextInTokens, ...]:
        """Return the tokens of the lines with both vocabularies."""
        both = ((GPT2, published()), (f"“{example(LANGUAGES).name}”", self.of_languages))
        return (TextInTokens(tuple(self.lines or [PARROT]), both),)

    def take_away(self) -> str:
        """Return what a text's price depends on."""
        lines = self.lines or [PARROT]
        costs = {line: self._cost_there(line) for line in lines}
        least, most = min(lines, key=costs.__getitem__), max(lines, key=costs.__getitem__)
        first = "The bytes are the price at first, and the merges that a language got lower it."
        if costs[least] == costs[most]:
            return first
        return (
            f"{first} Both count: in the vocabulary of many languages, {wording.text(most)} is still "
            f"{counted(costs[most], 'token')} ({_size(most):,} bytes), {wording.text(least)} {costs[least]:,} "
            f"({_size(least):,} bytes)."
        )

    def go_on(self) -> Playground:
        """Return a state of the Playground with the lines, and both vocabularies side by side."""
        return playground("\n".join(self.lines or [PARROT]), against=(LANGUAGES,), view="side-by-side")


def _size(line: str) -> int:
    return len(encode_text(line))


def _change(here: int, there: int) -> str:
    if here > there:
        return f"{here:,} tokens to {GPT2}, {there:,} here: {here - there:,} fewer."
    return f"{here:,} tokens to {GPT2}, {there:,} here: no fewer."


def _inside(merges: list[word_merges.MergeStep]) -> str:
    """Return the list of the merges inside a character; raise `Omission` if the list is too long."""
    if not merges:
        return wording.sentence(f"{GPT2} has no merge of any two of them.")
    if len(merges) > MOST_LISTED:
        raise Omission("its first character of several bytes has too many merges to list")
    name = f"The merges of {GPT2} inside it, each with the step that learnt it, the oldest first:"
    return wording.merge_list(merges, name=name)


def _label(line: str) -> str:
    return wording.visible(line)


@cache
def _of_languages() -> Tokenizer:
    return simple_run(example(LANGUAGES).text, Settings(GPT2_KEY, vocab_size=SIZE)).tokenizer()
