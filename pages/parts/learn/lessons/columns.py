"""The lesson about columns: which splits of digits keep to place value, as a written sum does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.pictures.shared.in_words import counted
from pages.parts.compare.compare_state import Compare
from pages.parts.learn import wording
from pages.parts.learn.lessons.lesson import Lesson, comparison, published
from pages.parts.learn.lessons.numbers import CORPUS, SIZE, numbers_of
from pages.parts.learn.questions import NUMBER, SPLIT, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import InColumns, Pretokens, RevealDrawing
from pages.parts.learn.texts import CL100K, CL100K_KEY, GPT2, GPT2_KEY, RIGHT, RIGHT_KEY, SINGLE, SINGLE_KEY, SUM
from pages.parts.texts.corpora import example

GROUP = 3  # digits from one separator of a written number to the next


class DigitColumns(Lesson):
    """The lesson "Digits from the right"."""

    name = "Columns"
    title = "Digits from the right"
    can = "say which splits of digits keep to place value"
    opening = (
        "Whoever adds by hand writes ones under ones, thousands under thousands, in columns. A language model gets "
        "[tokens](token): all digits of a token together are one number, its [id], and there are no columns. "
        f"{GPT2} leaves the split of digits to its merges; many vocabularies after it decide it before, by "
        "[pretokenization]."
    )
    own = SUM
    about = ("from_right", "in_columns", "worth")
    others = ("numbers-dates",)

    @cached_property
    def summands(self) -> tuple[int, int]:
        """Two numbers of the text: a large number, then the smallest number.

        The large number is the largest number that is split differently from the left and from the right. If all
        numbers are split alike from both ends, the large number is the largest number.
        """
        *larger, smallest = sorted(set(map(int, numbers_of(self.text))), reverse=True) or [0]
        if not larger:
            raise Omission("it has fewer than two numbers of several digits")
        return next((number for number in larger if _from_left(number) != _from_right(number)), larger[0]), smallest

    @property
    def sum(self) -> int:
        """The sum of the two numbers."""
        return sum(self.summands)

    def from_right(self) -> Question:
        """Ask how a number is split from the right. Wrong answers: the split from the left, the split by frequency."""
        number = self.sum
        right = _from_right(number)
        rest, *threes = right if len(right[0]) < GROUP else (b"", *right)
        return question(
            f"A split takes {counted(GROUP, 'digit')} at a time from the right end of a number; the digits that are "
            f"left over stand first. How does it split {wording.text(str(number))}?",
            wording.split_label(right),
            f"{wording.row(right)}: as a person reads it, {number:,}.",
            wrong_answer(
                wording.split_label(_from_left(number)),
                f"That is from the left, as {CL100K} splits it: the digits that are left over stand last.",
            ),
            wrong_answer(
                wording.split_label(_by_gpt2(number)),
                f"That is {GPT2}, which joins the digits that it often saw together.",
            ),
            typed=SPLIT,
            steps=[
                *(f"From the right: {wording.tok(part)}." for part in reversed(threes)),
                f"Left over, so it stands first: {wording.tok(rest)}." if rest else "Nothing is left over.",
            ],
        )

    def in_columns(self) -> Question:
        """Ask which split keeps to the columns of two numbers.

        Wrong answers: the splits that do not keep to columns.
        """
        larger, smaller = self.summands
        ways = {
            GPT2: (f"{GPT2} goes by frequency", [_by_gpt2(number) for number in self.summands]),
            CL100K: (f"{CL100K} counts from the left", [_from_left(number) for number in self.summands]),
        }
        from_right = [_from_right(number) for number in self.summands]
        return question(
            "Every third place ends a group: the ones, the thousands, and so on. In which row of the table does every "
            "token end where a group ends, in both numbers?",
            RIGHT,
            f"{wording.row(from_right[0])} and {wording.row(from_right[-1])}: a token of ones is only ever added to a "
            "token of ones, and one of thousands to one of thousands.",
            *(
                wrong_answer(name, f"{why}: {wording.tok(crossing)} ends inside a group.")
                for name, (why, split) in ways.items()
                if (crossing := next(filter(None, map(_crossing, split)), None))
            ),
            look=wording.sentence(
                f"{wording.text(str(larger))} + {wording.text(str(smaller))}, a number on each line, in three splits:"
            )
            + wording.columns({**{name: split for name, (_, split) in ways.items()}, RIGHT: from_right}, GROUP),
            steps=(
                "Go through the tokens of each row: the right edge of each must be at the right edge of a group.",
                f"In the row “{RIGHT}” every token is: {wording.row(from_right[0])} and {wording.row(from_right[-1])}.",
            ),
        )

    def worth(self) -> Question:
        """Ask what a piece stands for in a number split from the left.

        Wrong answers: the piece alone, and as thousands.
        """
        number = self.summands[0]
        split = _from_left(number)
        if split == _from_right(number):
            raise Omission("all its numbers are split alike from the left and from the right")
        *before, piece, last = split
        if piece in before:
            raise Omission("the same digits are twice in its number, so one could not say which are meant")
        value = int(piece) * 10 ** len(last)
        shown, zeros = wording.tok(piece), wording.listed([f"{int(piece):,}", f"{10 ** len(last):,}"], "·")
        return question(
            f"{CL100K} splits {wording.text(str(number))} into {wording.row(split)}. Which number does {shown} stand "
            "for in it?",
            value,
            f"{counted(len(last), 'digit')} after it: {zeros}. In a longer number the same token stands for another.",
            wrong_answer(int(piece), f"Only at the end of a number. After it there is still {wording.tok(last)}."),
            wrong_answer(
                int(piece) * 10**GROUP,
                f"Only if a whole group came after it, as from the right: {wording.row(_from_right(number))}.",
            ),
            typed=NUMBER,
            steps=(
                f"After {shown} there is {wording.tok(last)}: {counted(len(last), 'place')}.",
                f"So it stands for {zeros}, which is {value:,}.",
            ),
        )

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the sum in columns under four splits, and the text's pieces from the left and from the right."""
        shown = self.text if len(self.text) <= wording.EXCERPT else self.text[: wording.EXCERPT]
        pieces = Pretokens(shown, ((CL100K, CL100K_KEY), (PRETOKENIZERS[RIGHT_KEY].title, RIGHT_KEY)))
        try:
            lines = (*self.summands, self.sum)
        except Omission:
            return (pieces,)
        rows = {
            GPT2: [_by_gpt2(number) for number in lines],
            CL100K: [_from_left(number) for number in lines],
            RIGHT: [_from_right(number) for number in lines],
            SINGLE: [_split(number, SINGLE_KEY) for number in lines],
        }
        return (InColumns(wording.columns(rows, GROUP)), pieces)

    def take_away(self) -> str:
        """Return that a split from the right keeps place value."""
        return (
            "Split from the right, a token of digits has the same place in every number: ones, thousands, millions. "
            "Single digits keep their place too, but each is a token."
        )

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
