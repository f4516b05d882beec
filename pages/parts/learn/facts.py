"""What a lesson finds out about a text: right and wrong answers, values, and the names of the sentences that apply.

The sentences themselves are in the text of the lesson, `lesson_text.LessonText`. `FilledSection` has the facts in the
words of that text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from pages.parts.learn import wording
from pages.parts.learn.lesson_text import LessonText, LessonTextError, SentenceWithHoles
from pages.parts.learn.questions import NUMBER, Paper, Question, question, wrong_answer
from pages.parts.ui import elements


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


class FilledSection:
    """The sentences of one section of a lesson's text, with facts for their holes.

    `section`: the name of a question, or "" for the sentences before all questions. `holes`: the facts that all
    sentences may use.
    """

    def __init__(self, text: LessonText, section: str = "", holes: Mapping[str, Fact] | None = None) -> None:
        """Take the sentences of a section."""
        self.text = text
        self.section = section
        self.holes = holes or {}

    def html(self, kind: str, sentence: Phrase) -> Markup:
        """Return a sentence as HTML, with its holes filled."""
        return self._filled(self.text.find(self.section, kind, sentence.name), sentence)

    def plain(self, kind: str, sentence: Phrase) -> str:
        """Return a sentence as plain text, which is escaped where it is shown."""
        found = self.text.find(self.section, kind, sentence.name)
        return found.text.format(**{hole: str(fact) for hole, fact in self._facts(found, sentence).items()})

    def _filled(self, template: SentenceWithHoles, sentence: Phrase) -> Markup:
        return Markup(template.text).format(**self._facts(template, sentence))

    def _facts(self, template: SentenceWithHoles, sentence: Phrase) -> dict[str, str]:
        """Return what fills the holes of a sentence; raise `LessonTextError` if a fact is missing, or not used."""
        if unused := sentence.facts.keys() - set(template.holes):
            raise template.error(f"no hole for {', '.join(sorted(unused))}")
        facts = {**self.holes, **sentence.facts}
        if missing := set(template.holes) - facts.keys():
            raise template.error(f"nothing for the hole {', '.join(sorted(missing))}")
        return {hole: self._shown(facts[hole]) for hole in template.holes}

    def _shown(self, fact: Fact) -> str:
        """Return what fills a hole: `Markup` for all but texts and numbers."""
        if isinstance(fact, Phrase):
            return self.html("part", fact)
        if isinstance(fact, Table):
            heads = self.html("table", Phrase()).split(" | ")
            rows = (
                [self.html("part", cell) if isinstance(cell, Phrase) else cell for cell in row] for row in fact.rows
            )
            return wording.html_table(heads, rows)
        if isinstance(fact, bytes):
            return wording.tok(fact)
        if isinstance(fact, tuple | list):
            tokens = [each for each in fact if isinstance(each, bytes)]
            parts = [self.html("part", each) for each in fact if isinstance(each, Phrase)]
            return wording.row(tokens) if tokens else wording.listed(parts)
        return f"{fact:,}" if isinstance(fact, int) else fact

    def answer(self, answer: Answer) -> str | int:
        """Return an answer; an answer in words is plain text."""
        return self.plain("answer", answer) if isinstance(answer, Phrase) else answer

    def steps(self, facts: Facts) -> list[Markup]:
        """Return the way to the right answer."""
        if not facts.steps:
            return [self._filled(template, Phrase()) for _, template in self.text.several(self.section, "step")]
        return [self.html("step", step) if isinstance(step, Phrase) else step for step in facts.steps]

    def above(self, kind: str = "above", note: str = "note") -> Markup:
        """Return the lines above a question: sentences and notes as paragraphs, and drawings as they are."""
        return Markup().join(
            self._paragraph(template, is_note=found == note)
            for found, template in self.text.several(self.section, kind, note)
        )

    def _paragraph(self, template: SentenceWithHoles, is_note: bool) -> Markup:
        """Return a line as a paragraph, or as it is: if it is a hole, filled with a drawing or with nothing."""
        line = self._filled(template, Phrase())
        if template.is_hole and not isinstance(self.holes[template.holes[0]], Phrase):
            return line
        return elements.note(line) if is_note else elements.sentence(line)

    def paper(self, facts: Facts) -> Paper | None:
        """Return what a worksheet prints instead; None if it leaves the question out."""
        if not facts.on_sheet:
            return None
        asks = self.text.several(self.section, "paper ask")
        ask = Markup().join(self._filled(template, Phrase()) for _, template in asks)
        return Paper(ask, self.above("paper above", "paper note"), facts.offers)

    def check_used(self) -> None:
        """Raise `LessonTextError` if a fact for all sentences has no hole in any."""
        holes = {hole for *_, template in self.text.sentences(self.section, "") for hole in template.holes}
        if unused := self.holes.keys() - holes:
            raise LessonTextError(f"{self.text.file}: [{self.section}] has no hole for {', '.join(sorted(unused))}")


def question_of(text: LessonText, name: str, facts: Facts) -> Question:
    """Return the question with a name: the sentences of a lesson's text, with their holes filled."""
    words = FilledSection(text, name, facts.holes)
    words.check_used()
    return question(
        words.html("ask", Phrase()),
        words.answer(facts.right),
        words.html("right", facts.why),
        *(
            wrong_answer(words.answer(wrong.answer), words.html("wrong", wrong), wrong.near)
            for wrong in facts.wrong
            if wrong
        ),
        look=words.above(),
        typed=facts.typed,
        steps=words.steps(facts),
        paper=words.paper(facts),
        of=facts.of,
    )
