"""The lesson about bytes: what a text costs in tokens."""

from __future__ import annotations

from functools import cache, cached_property
from textwrap import shorten

from bpe_core import Settings, Tokenizer
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, on_tokens, published, simple_run
from pages.parts.learn.reveal_drawings import TextInTokens
from pages.parts.learn.texts import GPT2, GPT2_KEY, PARROT, SAME_IN_LANGUAGES
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.corpora import example

FEWEST_LINES, MOST_LINES, WIDTH = 3, 6, 60
SIZE = 1000
LANGUAGES = "many-languages"


class Bytes(Lesson):
    """The lesson "Below the character"."""

    sentences = lesson_text(__file__)
    own = "\n".join((PARROT, *SAME_IN_LANGUAGES))
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

    def _compared(self) -> str | Phrase:
        """Return a note on which lines of the text are compared; "" if all lines are compared."""
        whole = [line.strip() for line in self.text.splitlines() if line.strip()]
        if self.is_own or set(self.lines) == set(whole):
            return ""
        return Phrase("part of the lines", lines=counted(len(self.lines), "line"), all=len(whole), width=WIDTH)

    @cached_property
    def of_languages(self) -> Tokenizer:
        """A tokenizer that was trained on many languages."""
        return _of_languages()

    def _cost(self, text: str) -> int:
        return len(published().encode(text, specials=False).ids)

    def _cost_there(self, text: str) -> int:
        return len(self.of_languages.encode(text, specials=True).ids)

    def character(self) -> Facts:
        """Count the tokens of a character of several bytes."""
        several = [char for char in dict.fromkeys(self.text) if not char.isascii() and not char.isspace()]
        if not several:
            raise NoPoint()
        # Prefer a character that is not the parrot of the lesson's own text, then a character of several tokens.
        char = max(several, key=lambda char: (self.is_own or char != PARROT, self._cost(char) > 1))
        tokens, symbols = published().encode(char, specials=False).tokens, word_merges.single_bytes(char)
        merges = word_merges.inside(published(), char)
        return Facts(
            len(tokens),
            WrongAnswer(1, "one"),
            WrongAnswer(len(symbols), "bytes"),
            WrongAnswer(Phrase("unknown"), "unknown"),
            steps=wording.way(symbols, merges),
            character=wording.text(char),
            symbols=symbols,
            merges=Phrase("merges" if merges else "no merges"),
            list=wording.merge_list(merges) if merges else "",
            tokens=tokens,
            bytes=counted(len(symbols), "byte"),
            done=counted(len(symbols) - len(tokens), "merge"),
        )

    def dearest(self) -> Facts:
        """Find the line that costs most tokens."""
        if len(self.lines) < FEWEST_LINES:
            raise NoPoint("few lines", fewest=counted(FEWEST_LINES, "line"))
        costs = {line: self._cost(line) for line in self.lines}
        right = max(costs, key=costs.__getitem__)
        dear = max(costs, key=lambda line: costs[line] / len(line))

        def wrong(line: str) -> WrongAnswer:
            if costs[line] == costs[right]:
                return WrongAnswer(_label(line), "tie", near=True, tokens=_tokens(costs[line]))
            return WrongAnswer(_label(line), "dear" if line == dear else "cheaper", tokens=_tokens(costs[line]))

        return Facts(
            _label(right),
            *(wrong(line) for line in costs if line != right),
            steps=[Phrase("line", **_merged(line, cost)) for line, cost in costs.items()],
            intro=Phrase("own" if self.is_own else "others"),
            lines=Table([(wording.text(line), _size(line), _size(line) - cost) for line, cost in costs.items()]),
            compared=self._compared(),
            tokens=_tokens(costs[right]),
            characters=counted(len(right), "character"),
            bytes=counted(_size(right), "byte"),
        )

    def other_corpus(self) -> Facts:
        """Find the line that saves most tokens with another training corpus."""
        if len(self.lines) < FEWEST_LINES:
            raise NoPoint("few lines", fewest=counted(FEWEST_LINES, "line"))
        costs = {line: (self._cost(line), self._cost_there(line)) for line in self.lines}
        fewer = {line: here - there for line, (here, there) in costs.items()}
        right = max(fewer, key=fewer.__getitem__)
        if fewer[right] <= 0:
            raise NoPoint("no fewer")

        def wrong(line: str, here: int, there: int) -> WrongAnswer:
            if here <= there:
                return WrongAnswer(_label(line), "no fewer", here=here, there=there)
            near = fewer[line] == fewer[right]
            return WrongAnswer(_label(line), "fewer", near=near, here=here, there=there, fewer=here - there)

        rows = [(wording.text(line), here, _size(line), _size(line) - there) for line, (here, there) in costs.items()]
        corpus, words = example(LANGUAGES), [word for line in self.lines for word in line.split()]
        return Facts(
            _label(right),
            *(wrong(line, *both) for line, both in costs.items() if line != right),
            steps=[Phrase("line", here=here, **_merged(line, there)) for line, (here, there) in costs.items()],
            size=SIZE,
            corpus=corpus.name,
            known=sum(word.strip(".,!?。।") in corpus.text for word in words),
            words=len(words),
            to_open=wording.text_to_open(f"“{corpus.name}”", corpus.text),
            lines=Table(rows),
            compared=self._compared(),
            here=costs[right][0],
            there=costs[right][1],
            fewer=fewer[right],
        )

    def reveal(self) -> tuple[TextInTokens, ...]:
        """Return the tokens of the lines with both vocabularies."""
        both = ((GPT2, published()), (f"“{example(LANGUAGES).name}”", self.of_languages))
        return (TextInTokens(tuple(self.lines or [PARROT]), both),)

    def taken(self) -> Phrase:
        """Return what a text's price depends on."""
        costs = {line: self._cost_there(line) for line in self.lines or [PARROT]}
        least, most = min(costs, key=costs.__getitem__), max(costs, key=costs.__getitem__)
        if costs[least] == costs[most]:
            return Phrase()
        return Phrase(
            "both",
            most=wording.text(most),
            tokens=_tokens(costs[most]),
            bytes=_size(most),
            least=wording.text(least),
            least_tokens=costs[least],
            least_bytes=_size(least),
        )

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the lines, and both vocabularies side by side."""
        return on_tokens("\n".join(self.lines or [PARROT]), against=(LANGUAGES,), view="side-by-side")


def _size(line: str) -> int:
    return len(encode_text(line))


def _tokens(cost: int) -> str:
    return counted(cost, "token")


def _merged(line: str, cost: int) -> dict[str, str]:
    """Return the facts of a line that begins as its bytes, and becomes `cost` tokens."""
    size = _size(line)
    merges = counted(size - cost, "merge")
    return {"line": wording.text(line), "bytes": f"{size:,}", "merges": merges, "tokens": _tokens(cost)}


def _label(line: str) -> str:
    return wording.visible(line)


@cache
def _of_languages() -> Tokenizer:
    return simple_run(example(LANGUAGES).text, Settings(GPT2_KEY, vocab_size=SIZE)).tokenizer()
