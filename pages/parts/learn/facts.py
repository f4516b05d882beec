"""What a lesson finds out about a text: right and wrong answers, values, and the names of the sentences that apply.

The sentences themselves are in the text of the lesson, `lesson_text.LessonText`. `facts_in_words` puts both together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from pages.parts.learn.questions import NUMBER


class Phrase:
    """A sentence of a lesson's text, or a part of one: its name, and facts for its holes.

    `name`: "" for a sentence that has none in the text, since it is the only one of its kind.
    """

    def __init__(self, name: str = "", /, **facts: Fact) -> None:
        """Name a sentence. A hole for which `facts` has no value is filled from the facts of the question."""
        self.name = name
        self.facts: Mapping[str, Fact] = facts


@dataclass(frozen=True)
class Table:
    """A table, whose heads are in the lesson's text: "table", with bars between them.

    `rows`: the cells. A number gets commas between its thousands, and a text is escaped unless it is `Markup`.
    """

    rows: Iterable[Sequence[str | int | Phrase]]


# What fills a hole: a text, which is escaped unless it is `Markup`; a number, which gets commas between its thousands;
# a token or several, drawn as chips; a sentence that the lesson's text calls a "part", or several, with "and".
Fact: TypeAlias = str | int | bytes | tuple[bytes, ...] | list[bytes] | Phrase | list[Phrase] | Table
Answer: TypeAlias = str | int | Phrase  # a sentence that the lesson's text calls an "answer"


class WrongAnswer(Phrase):
    """A wrong answer, and the sentence that says why it is wrong. `near`: see `questions.AnswerOption`."""

    def __init__(self, answer: Answer, name: str, /, *, near: bool = False, **facts: Fact) -> None:
        """Name the sentence about `answer`, with facts for its holes."""
        super().__init__(name, **facts)
        self.answer = answer
        self.near = near


class NoPoint(Exception):  # noqa: N818 (not an error: the lesson goes on without the question)
    """A question has no point on the text. `sentence`: why, as the end of a sentence."""

    def __init__(self, name: str = "", /, **facts: Fact) -> None:
        """Name the sentence, with facts for its holes."""
        super().__init__(name)
        self.sentence = Phrase(name, **facts)


class Facts:
    """The facts of a question.

    `right`: the right answer. `wrong`: the wrong answers; None for one without a point on the text. `why`: the
    sentence about the right answer, if it has a name. `steps`: the way to the right answer; if it is empty, the steps
    without a name. `typed`: see `questions.Question`; a number can always be typed. `of`: see `questions.question`.
    `on_sheet`: whether a worksheet has the question. `offers`: whether a worksheet offers the answers. `holes`: facts
    for the holes of all sentences of the question.
    """

    def __init__(
        self,
        right: Answer,
        /,
        *wrong: WrongAnswer | None,
        why: Phrase | None = None,
        steps: Sequence[Phrase | Markup] = (),
        typed: str = "",
        of: int = 0,
        on_sheet: bool = True,
        offers: bool = True,
        **holes: Fact,
    ) -> None:
        """Gather the facts."""
        self.right, self.wrong, self.why, self.steps = right, wrong, why or Phrase(), steps
        self.typed = NUMBER if isinstance(right, int) else typed
        self.of, self.on_sheet, self.offers = of, on_sheet, offers
        self.holes: Mapping[str, Fact] = holes
