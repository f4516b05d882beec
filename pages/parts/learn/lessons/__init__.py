"""The lessons, in their order."""

from __future__ import annotations

from functools import lru_cache

from pages.parts.learn.lessons.bytes import Bytes
from pages.parts.learn.lessons.columns import DigitColumns
from pages.parts.learn.lessons.cuts import Cuts
from pages.parts.learn.lessons.cutters import Cutters
from pages.parts.learn.lessons.drift import OtherIds
from pages.parts.learn.lessons.evidence import Evidence
from pages.parts.learn.lessons.further import Further
from pages.parts.learn.lessons.lesson import Lesson
from pages.parts.learn.lessons.letters import Letters
from pages.parts.learn.lessons.numbers import Numbers
from pages.parts.learn.lessons.pairs import Pairs
from pages.parts.learn.lessons.prompts import Prompts
from pages.parts.learn.lessons.requests import SentAgain
from pages.parts.learn.lessons.rivals import Rivals
from pages.parts.learn.lessons.size import Size
from pages.parts.learn.lessons.spaces import Spaces
from pages.parts.learn.lessons.ties import Ties
from pages.parts.learn.lessons.unseen import NewWords
from pages.parts.learn.lessons.unused import UnusedTokens

__all__ = ["GROUPS", "LESSONS", "Lesson", "lesson"]

LESSONS: dict[str, type[Lesson]] = {
    "pairs": Pairs,
    "ties": Ties,
    "unseen": NewWords,
    "cuts": Cuts,
    "bytes": Bytes,
    "spaces": Spaces,
    "numbers": Numbers,
    "size": Size,
    "unused": UnusedTokens,
    "rivals": Rivals,
    "columns": DigitColumns,
    "letters": Letters,
    "prompts": Prompts,
    "drift": OtherIds,
    "requests": SentAgain,
    "cutters": Cutters,
    "evidence": Evidence,
    "further": Further,
}
GROUPS: dict[str, tuple[str, ...]] = {  # the title of a group → its lessons
    "Merges": ("pairs", "ties", "unseen", "size", "unused"),
    "Bytes and spaces": ("cuts", "bytes", "spaces"),
    "Numbers and letters": ("numbers", "columns", "letters"),
    "Prompts and chats": ("prompts", "drift", "requests"),
    "Rivals": ("rivals", "cutters", "evidence", "further"),
}
CACHED = 64


@lru_cache(maxsize=CACHED)
def lesson(key: str, text: str = "") -> Lesson:
    """Return the lesson of a key, on `text` or on its own text. All visitors share a lesson, since it never changes."""
    return LESSONS[key](text)
