"""A question with its right answer and the wrong answers that tempt, and the verdict on a learner's answer.

An option's `label` is the text that a learner chooses or types. `ask`, `look`, `why` and `steps` are HTML in which
every text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

NUMBER, SPLIT = "number", "split"  # how an answer can be typed
BAR = "|"  # between the tokens of a typed split
RIGHT, NEARLY, WRONG = "right", "nearly", "wrong"
NO_LURE = "every answer that could be offered would be right"


class Omission(Exception):  # noqa: N818 (not an error: the lesson goes on without the question)
    """A question is left out, since it has no point on the text; the message says why, as the end of a sentence."""


@dataclass(frozen=True)
class AnswerOption:
    """An answer, and why it is right or wrong.

    `near`: whether the answer ties with the right answer. If so, it counts as right.
    """

    label: str
    why: Markup
    near: bool = False


@dataclass(frozen=True)
class Paper:
    """What a worksheet prints instead of a question's `ask` and `look`. If a field is "", the question's is printed.

    `offers`: whether the worksheet offers the answers to choose from. If not, it has a line to write an answer on.
    """

    ask: str = ""
    look: str = ""
    offers: bool = True


SAME = Paper()


@dataclass(frozen=True)
class Question:
    """A question, its right answer and its wrong answers. `look`: what is drawn above the question's words.

    `typed`: `NUMBER` or `SPLIT` if the answer can be typed, "" if it can only be chosen. `steps`: the way to the right
    answer, step by step. `paper`: the question on a worksheet, which must not give away the answers to earlier
    questions; None if the worksheet leaves the question out.
    """

    ask: Markup
    right: AnswerOption
    wrong_answers: tuple[AnswerOption, ...]
    look: Markup
    typed: str
    steps: tuple[Markup, ...] = ()
    paper: Paper | None = SAME

    @cached_property
    def options(self) -> tuple[AnswerOption, ...]:
        """All answers, sorted, so that the order does not give the right answer away."""
        return tuple(sorted((self.right, *self.wrong_answers), key=lambda option: _in_order(option.label)))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options."""
        return tuple(option.label for option in self.options)


def _in_order(label: str) -> tuple[bool, int, str]:
    """Return a sort key: numbers come first, by size."""
    digits = label.replace(",", "")
    is_number = digits.isascii() and digits.isdigit()
    return not is_number, int(digits) if is_number else 0, label


def question(
    ask: str,
    right: object,
    why: str,
    *wrong_answers: AnswerOption | None,
    look: str = "",
    typed: str = "",
    steps: Iterable[str] = (),
    paper: Paper | None = SAME,
    of: int = 0,
) -> Question:
    """Return a question; raise `Omission` if none of its answers is wrong.

    A wrong answer is left out if it is right on this text, or repeats another wrong answer. `of`: if the right answer
    counts a part, the size of the whole; else 0. The size of the rest is then left out of the wrong answers: to choose
    between a part and its rest is a coin toss.

    >>> others = wrong_answer(3, "No."), wrong_answer(10, "Too many."), wrong_answer(10, "Again.")
    >>> asked = question("How many?", 3, "Three.", *others)
    >>> asked.labels
    ('3', '10')
    """
    answer = shown(right)
    different: dict[str, AnswerOption] = {}
    rest = shown(of - right) if isinstance(right, int) and 0 < right < of else answer
    for option in filter(None, wrong_answers):
        if option.label not in (answer, rest):
            different.setdefault(option.label, option)
    if all(option.near for option in different.values()):
        raise Omission(NO_LURE)
    way = tuple(map(Markup, steps))
    found = AnswerOption(answer, Markup(why))
    return Question(Markup(ask), found, tuple(different.values()), Markup(look), typed, way, paper)


def wrong_answer(value: object, why: str, near: bool = False) -> AnswerOption:
    """Return a wrong answer, and why it is wrong."""
    return AnswerOption(shown(value), Markup(why), near)


def shown(value: object) -> str:
    """Return a number with commas between its thousands, and any other value as a text.

    >>> shown(1060), shown("u + g")
    ('1,060', 'u + g')
    """
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Verdict:
    """The kind of an answer (`RIGHT`, `NEARLY` or `WRONG`) and why it is of that kind, as HTML."""

    kind: str
    why: Markup

    @property
    def counts(self) -> bool:
        """Whether the answer counts as right."""
        return self.kind != WRONG


def judge(asked: Question, answer: str) -> Verdict:
    """Return the verdict on an answer, chosen or typed.

    >>> asked = question("How many?", 1060, "No pair is left.", wrong_answer(5000, "Too many."), typed=NUMBER)
    >>> judge(asked, "1060").kind, judge(asked, "5000").why
    ('right', Markup('Too many.'))
    >>> judge(asked, "7")
    Verdict(kind='wrong', why=Markup('The right number is larger.'))
    """
    answer = as_label(asked, answer)
    if answer == asked.right.label:
        return Verdict(RIGHT, asked.right.why)
    for option in asked.wrong_answers:
        if option.label == answer:
            return Verdict(NEARLY if option.near else WRONG, option.why)
    return Verdict(WRONG, Markup(_hint(asked, answer)))


def _hint(asked: Question, answer: str) -> str:
    """Return a hint for a typed answer that is none of the question's options."""
    given, right = (_in_order(label) for label in (answer, asked.right.label))
    if given[0] or right[0]:  # not both are numbers
        return "The answer is another one."
    return "The right number is larger." if given < right else "The right number is smaller."


def as_label(asked: Question, answer: str) -> str:
    """Return a typed answer written as the label of an option: a number gets commas."""
    if asked.typed == NUMBER and answer.isascii() and answer.isdigit():
        return shown(int(answer[:12]))
    return answer


def unusable(asked: Question, typed: str) -> str:
    """Return why a typed split is not a split of the word; "" for a split of the word.

    >>> other = wrong_answer("light|house", "No.")
    >>> unusable(question("Split", "l|ighthouse", "So.", other, typed=SPLIT), "light|huose")
    'Without its bars that must be lighthouse.'
    """
    word = asked.right.label.replace(BAR, "")
    return "" if typed.replace(BAR, "") == word else f"Without its bars that must be {word}."


def plain_text(html: str) -> str:
    """Return the text that HTML shows, for a screen reader's label.

    >>> plain_text("Is <b>a</b> &lt; b?")
    'Is a < b?'
    """
    return Markup(re.sub(r"<[^>]*>", "", html)).unescape()
