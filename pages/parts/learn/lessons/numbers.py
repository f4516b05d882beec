"""The lesson about numbers: why a language model does not see place value."""

from __future__ import annotations

import re
from functools import cached_property

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, comparison, published
from pages.parts.learn.questions import SPLIT
from pages.parts.learn.reveal_drawings import Merging, Pretokens, RevealDrawing
from pages.parts.learn.texts import CL100K, CL100K_KEY, GPT2_KEY, GPT2_YEAR, LONG_NUMBER, NUMBERS
from pages.parts.state.compare_state import Compare
from pages.parts.texts.corpora import example

_NUMBER = re.compile(r"\d\d+", re.ASCII)
MOST_WRONG, SUMMANDS, LONGEST = 3, 2, 9  # LONGEST: digits of a number
NEAR_YEARS = 100  # a number up to 100 years after the vocabulary's year is taken for a year
CORPUS, SIZE = "numbers-dates", 400


class Numbers(Lesson):
    """The lesson "Digits by habit"."""

    sentences = lesson_text(__file__)
    own = NUMBERS
    fixed = ("which_year", "threes")  # the other example has the same years
    others = ("numbers-dates",)

    @cached_property
    def numbers(self) -> list[str]:
        """The different numbers of several digits in the text."""
        return numbers_of(self.text)

    def which_year(self) -> Facts:
        """Find a number that is split, and numbers of the same length that are one token."""
        tokens = {number: published().encode(number, specials=True).tokens for number in self.numbers}
        by_length: dict[int, list[str]] = {}
        for number in self.numbers:
            by_length.setdefault(len(number), []).append(number)
        for alike in by_length.values():
            split = [number for number in alike if len(tokens[number]) > 1]
            whole = [number for number in alike if len(tokens[number]) == 1][:MOST_WRONG]
            if split and whole:
                return self._which(split[0], whole, tokens[split[0]])
        raise NoPoint()

    def _which(self, split: str, whole: list[str], tokens: tuple[bytes, ...]) -> Facts:
        numbers = sorted([split, *whole])
        merges = {number: word_merges.inside(published(), number) for number in numbers}
        last = sorted(numbers, key=lambda number: number == split)
        return Facts(
            split,
            *(WrongAnswer(number, "whole", number=number.encode()) for number in whole),
            steps=[_becomes(number, merges[number]) for number in last],
            merges=wording.merges_inside(merges.items()),
            tokens=tokens,
            reason=_why_split(split),
        )

    @cached_property
    def _sum(self) -> str:
        short = sorted(self.numbers[-SUMMANDS:], key=int) if self.is_own else self.numbers[:SUMMANDS]
        if len(short) < SUMMANDS:
            raise NoPoint(numbers=counted(SUMMANDS, "number"))
        return f"{' + '.join(short)} = {sum(map(int, short))}"

    def a_sum(self) -> Facts:
        """Count the tokens of a sum."""
        text = self._sum
        tokens = published().encode(text, specials=True).tokens
        pieces = word_merges.pieces(published(), text)
        return Facts(
            len(tokens),
            WrongAnswer(len(text.split()), "whole"),
            WrongAnswer(sum(map(str.isdigit, text)) + len(text.split()) - SUMMANDS - 1, "digits"),
            WrongAnswer(len(text), "characters"),
            steps=[
                *(_becomes(piece, merges) for piece, merges in pieces),
                Phrase("together", count=counted(len(tokens), "token")),
            ],
            sum=wording.text(text),
            pieces=wording.merges_inside(pieces),
            tokens=tokens,
        )

    def threes(self) -> Facts:
        """Split a number into three digits at a time."""
        split = [piece.text.encode() for piece in PRETOKENIZERS[CL100K_KEY].split(LONG_NUMBER)]
        tokens = published().encode(LONG_NUMBER, specials=True).tokens
        size, rest = len(split[0]), len(LONG_NUMBER) % len(split[0])
        threes = [LONG_NUMBER[:rest], *(LONG_NUMBER[at : at + size] for at in range(rest, len(LONG_NUMBER), size))]
        by_value = [part.encode() for part in threes if part]
        return Facts(
            wording.split_label(split),
            WrongAnswer(wording.split_label(by_value), "value"),
            WrongAnswer(wording.split_label(tokens), "frequency"),
            steps=[
                *(Phrase("next", digits=counted(len(part), "digit"), piece=part) for part in split),
                Phrase("together"),
            ],
            typed=SPLIT,
            digits=counted(size, "digit"),
            number=wording.text(LONG_NUMBER),
            split=split,
        )

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the sum's tokens as the published vocabulary grows, and the sum's pieces of three digits."""
        try:
            shown = self._sum
        except NoPoint:
            shown = LONG_NUMBER
        return (Merging(shown), Pretokens(shown, ((CL100K, CL100K_KEY),)))

    def taken(self) -> Phrase:
        """Return how two vocabularies split a long number."""
        split = [pretoken.text.encode() for pretoken in PRETOKENIZERS[CL100K_KEY].split(LONG_NUMBER)]
        return Phrase(tokens=published().encode(LONG_NUMBER, specials=True).tokens, split=split)

    def go_on(self) -> Compare:
        """Return a state of Compare with both splits."""
        left = Settings(GPT2_KEY, vocab_size=SIZE)
        text = example(CORPUS).text if self.is_own else self.text
        return comparison(text, left, Settings(CL100K_KEY, vocab_size=SIZE))


def numbers_of(text: str) -> list[str]:
    """Return the different numbers of several digits in a text, in the order of the text.

    >>> numbers_of("12 and 345, 12 or 007")
    ['12', '345']
    """
    found = dict.fromkeys(number for number in _NUMBER.findall(text) if len(number) <= LONGEST)
    return [number for number in found if str(int(number)) == number]


def _why_split(number: str) -> Phrase:
    """Return why no merge makes a number one token."""
    if len(number) == len(str(GPT2_YEAR)) and GPT2_YEAR < int(number) < GPT2_YEAR + NEAR_YEARS:
        return Phrase("future", year=str(GPT2_YEAR))
    return Phrase("rare")


def _becomes(piece: str, merges: list[word_merges.MergeStep]) -> Phrase:
    """Return the bytes of a piece, and its tokens after its last merge."""
    symbols = word_merges.single_bytes(piece)
    states = word_merges.states(symbols, merges)
    return Phrase("becomes", symbols=symbols, tokens=states[-1].tokens if states else symbols)
