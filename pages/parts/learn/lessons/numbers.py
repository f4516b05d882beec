"""The lesson about numbers: why a language model does not see place value."""

from __future__ import annotations

import re
from functools import cached_property

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.pictures.shared.in_words import counted
from pages.parts.compare.compare_state import Compare
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import Lesson, comparison, published
from pages.parts.learn.questions import NUMBER, SPLIT, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Merging, Pretokens, RevealDrawing
from pages.parts.learn.texts import CL100K, CL100K_KEY, GPT2, GPT2_KEY, GPT2_YEAR, LONG_NUMBER, NUMBERS
from pages.parts.texts.corpora import example

_NUMBER = re.compile(r"\d\d+", re.ASCII)
MOST_WRONG, SUMMANDS, LONGEST = 3, 2, 9  # LONGEST: digits of a number
NEAR_YEARS = 100  # a number up to so many years after the vocabulary's year is taken for a year
CORPUS, SIZE = "numbers-dates", 400


class Numbers(Lesson):
    """The lesson "Digits by habit"."""

    name = "Numbers"
    title = "Digits by habit"
    can = "say why a language model does not see place value"
    opening = (
        f"To {GPT2}, numbers are text like any other: digits that were often seen together have become a [token], by "
        "[merges](merge) that apply the oldest first."
    )
    own = NUMBERS
    about = ("which_year", "a_sum", "threes")
    fixed = ("which_year", "threes")  # the other example has the same years
    others = ("numbers-dates",)

    @cached_property
    def numbers(self) -> list[str]:
        """The different numbers of several digits in the text."""
        return numbers_of(self.text)

    def which_year(self) -> Question:
        """Ask which number is split. Wrong answers: numbers of the same length that are one token."""
        tokens = {number: published().encode(number, specials=True).tokens for number in self.numbers}
        by_length: dict[int, list[str]] = {}
        for number in self.numbers:
            by_length.setdefault(len(number), []).append(number)
        for alike in by_length.values():
            split = [number for number in alike if len(tokens[number]) > 1]
            whole = [number for number in alike if len(tokens[number]) == 1][:MOST_WRONG]
            if split and whole:
                return self._which(split[0], whole, tokens[split[0]])
        raise Omission(f"no two of its numbers are equally long, one split by {GPT2} and the other whole")

    def _which(self, split: str, whole: list[str], tokens: tuple[bytes, ...]) -> Question:
        numbers = sorted([split, *whole])
        merges = {number: word_merges.inside(published(), number) for number in numbers}
        return question(
            f"Which of these numbers does {GPT2} split?",
            split,
            f"{wording.row(tokens)}: no merge of the list makes it whole. {self._why_split(split)}",
            *(wrong_answer(number, f"{wording.tok(number.encode())}: its merges make it whole.") for number in whole),
            look=wording.merges_inside(merges.items()),
            steps=[
                f"{wording.row(word_merges.single_bytes(number))} becomes {wording.row(_last(number, merges[number]))}."
                for number in sorted(numbers, key=lambda number: number == split)
            ],
        )

    def _why_split(self, number: str) -> str:
        """Return why no merge makes a number one token."""
        if len(number) == len(str(GPT2_YEAR)) and GPT2_YEAR < int(number) < GPT2_YEAR + NEAR_YEARS:
            return f"{GPT2} is of {GPT2_YEAR}: as a year, this number was still to come, so texts seldom had it."
        return f"It was not frequent enough in the text that {GPT2}'s merges were learnt from."

    @cached_property
    def _sum(self) -> str:
        short = sorted(self.numbers[-SUMMANDS:], key=int) if self.is_own else self.numbers[:SUMMANDS]
        if len(short) < SUMMANDS:
            raise Omission(f"it has fewer than {counted(SUMMANDS, 'number')} of several digits")
        return f"{' + '.join(short)} = {sum(map(int, short))}"

    def a_sum(self) -> Question:
        """Ask how many tokens a sum is. Wrong answers: whole numbers, single digits, its characters."""
        text = self._sum
        tokens = published().encode(text, specials=True).tokens
        digits = sum(char.isdigit() for char in text)
        signs = len(text.split()) - SUMMANDS - 1
        pieces = word_merges.pieces(published(), text)
        return question(
            f"How many tokens is {wording.text(text)} to {GPT2}?",
            len(tokens),
            f"{wording.row(tokens)}: where a number is split has nothing to do with its value.",
            wrong_answer(len(text.split()), "Only if every number stayed whole."),
            wrong_answer(digits + signs, "Only if every digit stood alone."),
            wrong_answer(
                len(text), "Those are its characters; a space belongs to what comes after it, and merges joined digits."
            ),
            look=wording.merges_inside(pieces),
            typed=NUMBER,
            steps=[
                *(
                    f"{wording.row(word_merges.single_bytes(piece))} becomes {wording.row(_last(piece, merges))}."
                    for piece, merges in pieces
                ),
                f"Together {counted(len(tokens), 'token')}.",
            ],
        )

    def threes(self) -> Question:
        """Ask how a split into three digits at a time splits a number.

        Wrong answers: its splits by place and by frequency.
        """
        split = [piece.text.encode() for piece in PRETOKENIZERS[CL100K_KEY].split(LONG_NUMBER)]
        tokens = published().encode(LONG_NUMBER, specials=True).tokens
        size, rest = len(split[0]), len(LONG_NUMBER) % len(split[0])
        threes = [LONG_NUMBER[:rest], *(LONG_NUMBER[at : at + size] for at in range(rest, len(LONG_NUMBER), size))]
        by_value = [part.encode() for part in threes if part]
        return question(
            f"{CL100K} splits a number into pieces of at most {counted(size, 'digit')}, taken from its beginning. How "
            f"does it split {wording.text(LONG_NUMBER)}?",
            wording.split_label(split),
            f"{wording.row(split)}: from the left, so the pieces are not the thousands.",
            wrong_answer(
                wording.split_label(by_value),
                "That is how a number is read, from the right. From the left, the short piece comes last.",
            ),
            wrong_answer(wording.split_label(tokens), f"That is {GPT2}, which goes by frequency alone."),
            typed=SPLIT,
            steps=[
                *(f"The next {counted(len(part), 'digit')}: {wording.tok(part)}." for part in split),
                f"Together {wording.row(split)}.",
            ],
        )

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the sum's tokens as the published vocabulary grows, and the sum's pieces of three digits."""
        try:
            shown = self._sum
        except Omission:
            shown = LONG_NUMBER
        return (Merging(shown), Pretokens(shown, ((CL100K, CL100K_KEY),)))

    def take_away(self) -> str:
        """Return that frequency splits numbers, and how two vocabularies split a long number."""
        split = wording.row([pretoken.text.encode() for pretoken in PRETOKENIZERS[CL100K_KEY].split(LONG_NUMBER)])
        tokens = wording.row(published().encode(LONG_NUMBER, specials=True).tokens)
        return (
            f"Frequency splits numbers, not place value: {GPT2} has {tokens}. {CL100K} at least "
            f"takes three digits at a time, {split}, but from the left."
        )

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


def _last(piece: str, merges: list[word_merges.MergeStep]) -> tuple[bytes, ...]:
    """Return the tokens of a piece after its last merge."""
    symbols = word_merges.single_bytes(piece)
    states = word_merges.states(symbols, merges)
    return states[-1].tokens if states else symbols
