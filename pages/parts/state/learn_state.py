"""The values of Learn, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.kinds import names
from pages.parts.state import values
from pages.parts.state.page_states import PageState
from pages.parts.state.values import value

LESSON_CHARACTERS = 5000  # the most characters of a text that a lesson asks about
ANSWERS_CHARACTERS = 1500  # the most characters of the answers to a lesson
MOST_SEED = 9999  # the largest seed that draws the questions of Mixed five


@dataclass(frozen=True)
class Learn(PageState):
    """The state of Learn. `answers`: see `learn.progress`. `done`: the lessons whose questions are all answered.

    `former`: the answers to lessons that were open before, as pairs ((lesson, text, seed), answers). `pasted`: how many
    characters your text had, if the lesson took only the text's beginning; else 0. `types`: whether answers are typed.
    `round`: how often a lesson was started again. `focus`: the id of the element that gets the focus; "" for none.
    `moves`: how often the focus was moved.
    """

    PAGE = "learn"
    lesson: str = value("pairs", "lesson", values.key)
    text: str = values.text(LESSON_CHARACTERS, "your text")
    seed: int = values.number(1, 1, MOST_SEED, "number that draws the questions")
    answers: str = value("", "answers", values.spelt("0123456789abcdef=s-.", ANSWERS_CHARACTERS))
    done: tuple[str, ...] = values.keys((), "done", names)
    former: tuple[tuple[tuple[str, str, int], str], ...] = values.unlinked(())
    pasted: int = values.unlinked(0)
    types: bool = values.unlinked(False)
    round: int = values.unlinked(0)
    focus: str = values.unlinked("")
    moves: int = values.unlinked(0)
