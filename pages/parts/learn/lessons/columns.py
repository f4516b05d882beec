"""The lesson about columns: which splits of digits keep to place value, as a written sum does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.text.in_words import counted
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, comparison, published
from pages.parts.learn.lessons.numbers import CORPUS, SIZE, numbers_of
from pages.parts.learn.questions import SPLIT
from pages.parts.learn.reveal_drawings import InColumns, Pretokens, RevealDrawing
from pages.parts.learn.texts import CL100K, CL100K_KEY, GPT2, GPT2_KEY, RIGHT, RIGHT_KEY, SINGLE, SINGLE_KEY, SUM
from pages.parts.state.compare_state import Compare
from pages.parts.texts.corpora import example

GROUP = 3  # digits from one separator of a written number to the next
WRONG_WAYS = {GPT2: "frequency", CL100K: "left"}  # splits that do not keep to columns → the sentences about them


class DigitColumns(Lesson):
    """The lesson "Digits from the right"."""

    sentences = lesson_text(__file__)
    own = SUM
    others = ("numbers-dates",)

    @cached_property
    def summands(self) -> tuple[int, int]:
        """Two numbers of the text: a large number, then the smallest number.

        The large number is the largest number that is split differently from the left and from the right. If all
        numbers are split alike from both ends, the large number is the largest number.
        """
        *larger, smallest = sorted(set(map(int, numbers_of(self.text))), reverse=True) or [0]
        if not larger:
            raise NoPoint("numbers")
        return next((number for number in larger if _from_left(number) != _from_right(number)), larger[0]), smallest

    @property
    def sum(self) -> int:
        """The sum of the two numbers."""
        return sum(self.summands)

    def from_right(self) -> Facts:
        """Split a number from the right."""
        right = _from_right(self.sum)
        rest, *threes = right if len(right[0]) < GROUP else (b"", *right)
        return Facts(
            wording.split_label(right),
            WrongAnswer(wording.split_label(_from_left(self.sum)), "left"),
            WrongAnswer(wording.split_label(_by_gpt2(self.sum)), "frequency"),
            steps=[
                *(Phrase("piece", piece=part) for part in reversed(threes)),
                Phrase("rest", rest=rest) if rest else Phrase("nothing"),
            ],
            typed=SPLIT,
            digits=counted(GROUP, "digit"),
            number=wording.text(str(self.sum)),
            right=right,
            sum=self.sum,
        )

    def in_columns(self) -> Facts:
        """Find the split that keeps to the columns of two numbers."""
        larger, smaller = self.summands
        ways = {
            name: [split(number) for number in self.summands]
            for name, split in ((GPT2, _by_gpt2), (CL100K, _from_left), (RIGHT, _from_right))
        }
        wrong = ((name, why, filter(None, map(_crossing, ways[name]))) for name, why in WRONG_WAYS.items())
        return Facts(
            RIGHT,
            *(WrongAnswer(name, why, token=token) for name, why, found in wrong for token in islice(found, 1)),
            larger=wording.text(str(larger)),
            smaller=wording.text(str(smaller)),
            columns=wording.columns(ways, GROUP),
            first=ways[RIGHT][0],
            second=ways[RIGHT][-1],
            row=RIGHT,
        )

    def worth(self) -> Facts:
        """Find what a piece stands for in a number that is split from the left."""
        number = self.summands[0]
        split = _from_left(number)
        if split == _from_right(number):
            raise NoPoint("alike")
        *before, piece, last = split
        if piece in before:
            raise NoPoint("twice")
        value = int(piece) * 10 ** len(last)
        return Facts(
            value,
            WrongAnswer(int(piece), "alone"),
            WrongAnswer(int(piece) * 10**GROUP, "thousands", from_right=_from_right(number)),
            number=wording.text(str(number)),
            split=split,
            piece=piece,
            last=last,
            digits=counted(len(last), "digit"),
            places=counted(len(last), "place"),
            zeros=f"{int(piece):,} · {10 ** len(last):,}",
            value=value,
        )

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the sum in columns under four splits, and the text's pieces from the left and from the right."""
        shown = self.text if len(self.text) <= wording.EXCERPT else self.text[: wording.EXCERPT]
        pieces = Pretokens(shown, ((CL100K, CL100K_KEY), (PRETOKENIZERS[RIGHT_KEY].title, RIGHT_KEY)))
        try:
            lines = (*self.summands, self.sum)
        except NoPoint:
            return (pieces,)
        rows = {
            GPT2: [_by_gpt2(number) for number in lines],
            CL100K: [_from_left(number) for number in lines],
            RIGHT: [_from_right(number) for number in lines],
            SINGLE: [_split(number, SINGLE_KEY) for number in lines],
        }
        return (InColumns(wording.columns(rows, GROUP)), pieces)

    def go_on(self) -> Compare:
        """Return a state of Compare with two splits that differ only in how they split digits."""
        text = example(CORPUS).text if self.is_own else self.text
        return comparison(text, Settings(GPT2_KEY, vocab_size=SIZE), Settings(RIGHT_KEY, vocab_size=SIZE))


def _split(number: int, key: str) -> tuple[bytes, ...]:
    return tuple(piece.encode() for piece in PRETOKENIZERS[key].strings(str(number)))


def _from_left(number: int) -> tuple[bytes, ...]:
    return _split(number, CL100K_KEY)


def _from_right(number: int) -> tuple[bytes, ...]:
    return _split(number, RIGHT_KEY)


def _by_gpt2(number: int) -> tuple[bytes, ...]:
    return published().encode(str(number), specials=True).tokens


def _crossing(split: Sequence[bytes]) -> bytes | None:
    """Return the first token that ends inside a group of digits; None if no token does."""
    left = sum(map(len, split))
    for token in split:
        left -= len(token)
        if left % GROUP:
            return token
    return None
