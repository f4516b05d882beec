"""Which lesson is open and what was answered: read from the page's values, and kept there."""

from __future__ import annotations

from pages.parts.learn import answers
from pages.parts.learn.answers import Tries
from pages.parts.learn.lessons import Lesson, lesson
from pages.parts.learn.mixed import Mixed
from pages.parts.session import state
from pages.parts.session.corpora import CorpusError
from pages.parts.session.links import MIXED


def lesson_of(page: str) -> Lesson:
    """The open lesson; raises `CorpusError` for a text of one's own that no lesson can be about."""
    key, text = state.get(page, "lesson"), state.get(page, "text")
    if key == MIXED:
        return Mixed(state.get(page, "seed"))
    if text and not text.strip():
        raise CorpusError("The text is only white space: add a few words to ask about.")
    return lesson(key, text)


def tries(page: str, made: Lesson) -> list[Tries]:
    """What was answered so far, question by question."""
    return answers.read(made.questions, state.get(page, "answers"))


def answer(page: str, made: Lesson, number: int, entry: str) -> None:
    """Take an answer, or `SHOWN`; once a question is settled, nothing more of it counts."""
    rows, asked = tries(page, made), made.questions
    if answers.settled(asked[number], rows[number]):
        return
    rows[number] = (*rows[number], entry)
    state.put(page, "answers", answers.write(asked, rows))
    if all(map(answers.settled, asked, rows)):
        done = state.get(page, "done")
        state.put(page, "done", list(dict.fromkeys([*done, state.get(page, "lesson")])))
    _keep(page)


def _kept_as(page: str) -> tuple[str, ...]:
    return tuple(str(state.get(page, name)) for name in ("lesson", "text", "seed"))


def _keep(page: str) -> None:
    kept = state.recall(f"{page}.kept", {})
    state.remember(f"{page}.kept", kept | {_kept_as(page): state.get(page, "answers")})


def opened(page: str) -> None:
    """Another lesson or another text was chosen: its answers are those given before, if any."""
    state.put(page, "answers", state.recall(f"{page}.kept", {}).get(_kept_as(page), ""))


def again(page: str) -> None:
    """Forget what was answered in this lesson."""
    state.put(page, "answers", "")
    _keep(page)
    state.remember(f"{page}.round", state.recall(f"{page}.round", 0) + 1)  # so that the widgets forget, too
