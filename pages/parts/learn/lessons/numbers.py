"""The lesson about numbers: why a language model does not see place value."""

from __future__ import annotations

import re
from functools import cached_property

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.display.in_words import counted
from pages.parts.learn import wording
from pages.parts.learn.instruments import Merging, Pretokens
from pages.parts.learn.lessons.lesson import Lesson, comparison, published
from pages.parts.learn.questions import NUMBER, Omission, Question, lure, question
from pages.parts.learn.texts import CL100K, CL100K_KEY, GPT2, GPT2_KEY, LONG_NUMBER, NUMBERS
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Compare

_NUMBER = re.compile(r"\d\d+", re.ASCII)
LURES, SUMMANDS, LONGEST = 3, 2, 9  # LONGEST: digits of a number
CORPUS, SIZE = "numbers-dates", 400


class Numbers(Lesson):
    """The lesson "Digits by habit"."""

    name = "Numbers"
    title = "Digits by habit"
    can = "say why a language model does not see place value"
    opening = "Numbers are text like any other: whatever was frequent has become a token."
    own = NUMBERS
    about = ("which_year", "a_sum")
    others = ("numbers-dates",)

    @cached_property
    def numbers(self) -> list[str]:
        """The different numbers of the text with several digits."""
        found = dict.fromkeys(number for number in _NUMBER.findall(self.text) if len(number) <= LONGEST)
        return [number for number in found if str(int(number)) == number]

    def which_year(self) -> Question:
        """Ask which number is split. Lures: numbers of the same length that are one token."""
        tokens = {number: published().encode(number).tokens for number in self.numbers}
        by_length: dict[int, list[str]] = {}
        for number in self.numbers:
            by_length.setdefault(len(number), []).append(number)
        for alike in by_length.values():
            split = [number for number in alike if len(tokens[number]) > 1]
            whole = [number for number in alike if len(tokens[number]) == 1][:LURES]
            if split and whole:
                return self._which(split[0], whole, tokens[split[0]])
        raise Omission(f"no two of its numbers are equally long, one split by {GPT2} and the other whole")

    def _which(self, split: str, whole: list[str], tokens: tuple[bytes, ...]) -> Question:
        return question(
            f"Which of these numbers does {GPT2} split?",
            split,
            f"{wording.row(tokens)}: no merge was learnt that joins it whole.",
            *(lure(number, f"{wording.tok(number.encode())}: a merge made it whole.") for number in whole),
        )

    @cached_property
    def _sum(self) -> str:
        short = sorted(self.numbers[-SUMMANDS:], key=int) if self.is_own else self.numbers[:SUMMANDS]
        if len(short) < SUMMANDS:
            raise Omission(f"it has fewer than {counted(SUMMANDS, 'number')} of several digits")
        return f"{' + '.join(short)} = {sum(map(int, short))}"

    def a_sum(self) -> Question:
        """Ask how many tokens a sum is. Lures: whole numbers, single digits, its characters."""
        text = self._sum
        tokens = published().encode(text).tokens
        digits = sum(char.isdigit() for char in text)
        signs = len(text.split()) - SUMMANDS - 1
        return question(
            f"How many tokens is {wording.text(text)}?",
            len(tokens),
            f"{wording.row(tokens)}: where a number is split has nothing to do with its value.",
            lure(len(text.split()), "Only if every number stayed whole."),
            lure(digits + signs, "Only if every digit stood alone."),
            lure(
                len(text), "Those are its characters; a space belongs to what comes after it, and merges joined digits."
            ),
            typed=NUMBER,
        )

    def reveal(self) -> tuple[Merging | Pretokens, ...]:
        """Return a long number's tokens in the published vocabulary, and its pretokens in another split."""
        return (Merging(LONG_NUMBER), Pretokens(LONG_NUMBER, ((CL100K, CL100K_KEY),)))

    def take_away(self) -> str:
        """Return that frequency splits numbers, with a long number in two vocabularies."""
        split = wording.row([pretoken.text.encode() for pretoken in PRETOKENIZERS[CL100K_KEY].split(LONG_NUMBER)])
        tokens = wording.row(published().encode(LONG_NUMBER).tokens)
        return (
            f"Frequency splits numbers, not place value: {GPT2} has {tokens}. {CL100K} at least "
            f"splits off three digits at a time, {split}, but from the left."
        )

    def go_on(self) -> Compare:
        """Return the way to both splits on the Compare page."""
        left = Settings(GPT2_KEY, vocab_size=SIZE)
        text = example(CORPUS).text if self.is_own else self.text
        return comparison(text, left, Settings(CL100K_KEY, vocab_size=SIZE))
