"""The lesson about bytes: what a text costs in tokens."""

from __future__ import annotations

from functools import cached_property
from textwrap import shorten

from bpe_core import Settings, Tokenizer
from bpe_core.display.in_words import counted
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import wording
from pages.parts.learn.instruments import Tokens
from pages.parts.learn.lessons.lesson import Lesson, playground, published, trained
from pages.parts.learn.questions import NUMBER, Omission, Question, lure, question
from pages.parts.learn.texts import DEAR_LANGUAGE, GPT2, GPT2_KEY, PARROT, SAME_IN_LANGUAGES
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Playground

FEWEST_LINES, MOST_LINES, WIDTH = 3, 6, 60
SIZE = 1000
LANGUAGES = "many-languages"


class Bytes(Lesson):
    """The lesson "Below the character"."""

    name = "Bytes"
    title = "Below the character"
    can = "explain what a text costs, whatever its script"
    opening = f"The alphabet of {GPT2} is the bytes, so it can write every text. What differs is the price in tokens."
    own = "\n".join((PARROT, *SAME_IN_LANGUAGES))
    about = ("character", "dearest", "other_corpus")
    others = ("many-languages", "numbers-dates")

    @cached_property
    def lines(self) -> list[str]:
        """The lines to compare."""
        if self.is_own:
            return list(SAME_IN_LANGUAGES)
        lines = (shorten(line, WIDTH, placeholder="") or line.strip()[:WIDTH] for line in self.text.splitlines())
        different = list(dict.fromkeys(line for line in lines if len(line) > 1))
        longest = max(map(len, different), default=0)
        return [line for line in different if 2 * len(line) >= longest][:MOST_LINES]

    @cached_property
    def of_languages(self) -> Tokenizer:
        """A tokenizer that was trained on many languages."""
        return _of_languages()

    def _cost(self, text: str) -> int:
        return len(published().encode(text, specials=False).ids)

    def character(self) -> Question:
        """Ask how many tokens a character of several bytes is. Lures: one, one for each byte, "unknown"."""
        several = [char for char in dict.fromkeys(self.text) if not char.isascii() and not char.isspace()]
        chosen = [char for char in several if self._cost(char) > 1] or several
        if not chosen:
            raise Omission("each of its characters is a single byte")
        char = chosen[0]
        tokens, size = published().encode(char, specials=False).tokens, len(encode_text(char))
        joined = [token for token in tokens if len(token) > 1]
        named = wording.row(joined[:1]) if joined else "nothing"
        merges = size - len(tokens)
        return question(
            f"How many tokens is {wording.text(char)} to {GPT2}?",
            len(tokens),
            f"{wording.row(tokens)}: {counted(size, 'byte')}, {counted(merges, 'merge')}.",
            lure(
                1, f"It is one character, but {counted(size, 'byte')}, and only {counted(merges, 'merge')} joined them."
            ),
            lure(size, f"So many are its bytes, but {named} was joined."),
            lure("unknown", "Every text has bytes, and every byte is in the alphabet: nothing is unknown."),
            typed=NUMBER,
        )

    def dearest(self) -> Question:
        """Ask which line costs most tokens. Lures: the other lines; one of them costs most for each character."""
        if len(self.lines) < FEWEST_LINES:
            raise Omission(f"it has fewer than {counted(FEWEST_LINES, 'line')} to compare")
        costs = {line: self._cost(line) for line in self.lines}
        right = max(costs, key=costs.__getitem__)
        dear = max(costs, key=lambda line: costs[line] / len(line))
        return question(
            f"Which of these costs most tokens in {GPT2}?",
            _label(right),
            f"{counted(costs[right], 'token')} for {counted(len(right), 'character')}, "
            f"{counted(len(encode_text(right)), 'byte')}.",
            *(
                lure(
                    _label(line),
                    f"{counted(cost, 'token')}"
                    + (": the most for each character, but not in total." if line == dear else "."),
                    near=cost == costs[right],
                )
                for line, cost in costs.items()
                if line != right
            ),
        )

    def other_corpus(self) -> Question:
        """Ask for the cost of a line in a vocabulary of many languages. Lures: its cost before, its bytes."""
        line = DEAR_LANGUAGE if self.is_own else self._most_changed()
        here, there = self._cost(line), len(self.of_languages.encode(line).ids)
        return question(
            f"{wording.text(line)} is {counted(here, 'token')} to {GPT2}. How many is it to a vocabulary of {SIZE:,} "
            f"that was learnt from “{example(LANGUAGES).name}”?",
            there,
            f"{wording.row(self.of_languages.encode(line).tokens)}. The price depends on what was learnt from.",
            lure(here, f"That is {GPT2}'s price, learnt mostly from English and a vocabulary many times as large."),
            lure(len(encode_text(line)), "Those are its bytes: the price before any merge."),
            typed=NUMBER,
        )

    def _most_changed(self) -> str:
        lines = [line for line in self.lines if len(self.of_languages.encode(line).ids) != self._cost(line)]
        if not lines:
            raise Omission("its lines cost as much in a vocabulary of many languages")
        return max(lines, key=lambda line: self._cost(line) - len(self.of_languages.encode(line).ids))

    def reveal(self) -> tuple[Tokens, ...]:
        """Return the tokens of the lines with both vocabularies."""
        both = ((GPT2, published()), (f"“{example(LANGUAGES).name}”", self.of_languages))
        return (Tokens(tuple(self.lines or [PARROT]), both),)

    def take_away(self) -> str:
        """Return what a text's price depends on."""
        return "The text that was learnt from sets the price, not the language."

    def go_on(self) -> Playground:
        """Return the way to the Playground, with the lines and both vocabularies side by side."""
        return playground("\n".join(self.lines or [PARROT]), against=(LANGUAGES,), view="side-by-side")


def _label(line: str) -> str:
    return wording.visible(line)


def _of_languages() -> Tokenizer:
    return trained(example(LANGUAGES).text, Settings(GPT2_KEY, vocab_size=SIZE)).tokenizer()
