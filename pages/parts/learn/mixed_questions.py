"""Mixed five: questions of different lessons, not on the lessons' own texts. Equal seeds draw equal questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from hashlib import sha256

from markupsafe import Markup, escape

from pages.parts.learn import wording
from pages.parts.learn.lessons import LESSONS, Lesson, lesson
from pages.parts.learn.questions import SAME, Question
from pages.parts.learn.reveal_drawings import RevealDrawing
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.corpora import example
from pages.parts.ui import elements

MIXED = "mixed"  # the key of Mixed five
ASKED = 5


class MixedFive(Lesson):
    """Five questions that a seed draws."""

    name = title = "Mixed five"
    can = "use all of this on another text"
    opening = "Questions of different lessons, on other texts."
    own = ""
    about = ()

    def __init__(self, seed: int) -> None:
        """Draw the questions of `seed`."""
        super().__init__()
        self.seed = seed
        self._drawn = tuple(_draw(seed))

    @cached_property
    def asked(self) -> dict[str, Question]:
        """The questions by lesson key. Above each question is a line about the lesson and the text that it is from."""
        drawn = dict(self._drawn)
        return dict(zip(drawn, wording.with_signs(drawn.values()), strict=True))

    @property
    def from_lessons(self) -> tuple[str, ...]:
        """The key of each question's lesson."""
        return tuple(key for key, _ in self._drawn)

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return no drawings: each question's own lesson has drawings."""
        return ()

    def take_away(self) -> Markup:
        """Return the titles of the questions' lessons."""
        titles = ", ".join(f"“{LESSONS[key].title}”" for key in self.from_lessons)
        return escape(f"These were questions of {titles}. Another number draws others.")

    def go_on(self) -> Tokens:
        """Return the state in which Tokens begins."""
        return Tokens()


NAMES = {
    **{key: made.name for key, made in LESSONS.items()},
    MIXED: MixedFive.name,
}  # the names of the lessons and of Mixed five, by key


def _shuffled(seed: int | str, keys: Iterable[str]) -> list[str]:
    """Return keys in an order that depends only on the seed, in every version of Python."""
    return sorted(keys, key=lambda key: sha256(f"{seed} {key}".encode()).digest())


def _draw(seed: int) -> Iterator[tuple[str, Question]]:
    """Yield questions of different lessons, each with the key of its lesson.

    A lesson without other texts is not drawn. So a new lesson without other texts leaves the questions of
    every seed as they are.
    """
    drawn_from = [key for key, made in LESSONS.items() if made.others]
    for key in _shuffled(seed, drawn_from)[:ASKED]:
        found = next(
            filter(None, (_question(seed, key, text) for text in _shuffled(f"{seed} {key}", LESSONS[key].others))), None
        )
        if found:
            yield key, found


def _question(seed: int, key: str, name: str) -> Question | None:
    """Return a question of a lesson on an example; None if the example is the lesson's text or allows no question."""
    text = example(name).text
    if text == LESSONS[key].own:
        return None
    made = lesson(key, text)
    names = [asked for asked in made.without_notes if asked not in made.fixed]
    if not names:
        return None
    chosen = made.without_notes[names[int(_shuffled(seed, map(str, range(len(names))))[0])]]
    title = f"“{example(name).name}”"
    origin = elements.note(f"From “{made.title}”, on {title}. {made.part_note}")
    return replace(chosen, look=origin + chosen.look + wording.text_to_open(title, text), paper=SAME)
