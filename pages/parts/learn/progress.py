"""The open lesson and the answers to its questions, in the page's values."""

from __future__ import annotations

from pages.parts.learn import answers
from pages.parts.learn.answers import Tries
from pages.parts.learn.lessons import Lesson, lesson
from pages.parts.learn.mixed import Mixed
from pages.parts.session import state
from pages.parts.session.corpora import CorpusError
from pages.parts.session.links import MIXED


def lesson_of(page: str) -> Lesson:
    """Return the open lesson; raises `CorpusError` if the text for it is only white space."""
    key, text = state.get(page, "lesson"), state.get(page, "text")
    if key == MIXED:
        return Mixed(state.get(page, "seed"))
    if text and not text.strip():
        raise CorpusError("The text is only white space: add a few words to ask about.")
    return lesson(key, text)


def tries(page: str, made: Lesson) -> list[Tries]:
    """Return the tries at each question."""
    return answers.read(made.questions, state.get(page, "answers"))


def answer(page: str, made: Lesson, number: int, entry: str) -> None:
    """Add a try, an answer or `SHOWN`, unless the question is settled."""
    rows, asked = tries(page, made), made.questions
    if answers.settled(asked[number], rows[number]):
        return
    rows[number] = (*rows[number], entry)
    state.put(page, "answers", answers.write(asked, rows))
    if all(map(answers.settled, asked, rows)):
        done = state.get(page, "done")
        state.put(page, "done", list(dict.fromkeys([*done, state.get(page, "lesson")])))
    _remember(page)


def _lesson_key(page: str) -> tuple[str, ...]:
    return tuple(str(state.get(page, name)) for name in ("lesson", "text", "seed"))


def _remember(page: str) -> None:
    former = state.recall(f"{page}.former answers", {})
    state.remember(f"{page}.former answers", former | {_lesson_key(page): state.get(page, "answers")})


def opened(page: str) -> None:
    """Set the answers to those that were given before to the lesson and text that were just chosen, if any."""
    state.put(page, "answers", state.recall(f"{page}.former answers", {}).get(_lesson_key(page), ""))


def again(page: str) -> None:
    """Forget the answers to the open lesson."""
    state.put(page, "answers", "")
    _remember(page)
    state.remember(f"{page}.round", state.recall(f"{page}.round", 0) + 1)  # new widgets, without the answers
