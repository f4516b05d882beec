"""The settings of a training as a visitor chose them, unchecked, and the settings that follow from them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from bpe_core import Settings
from bpe_core.published import PUBLISHED
from bpe_core.settings import SETTINGS
from pages.parts.state import tokenizer_keys, values

DEFAULT_PATTERN = r"\w+|[^\w\s]+"


def by_published_start(start: str) -> dict[str, object]:
    """Return the settings, by name, that starting from a published tokenizer prescribes, in place of the visitor's.

    `start`: a key of `STARTS`.

    >>> by_published_start("qwen")["pretokenizer"], by_published_start("none")
    ('qwen', {})
    """
    row = PUBLISHED.get(start)
    own = {"alphabet": "bytes", "word_marker": "none"}
    return {} if row is None else {"pretokenizer": row.pretokenizer, "normalizers": row.normalizers, **own}


@dataclass(frozen=True)
class ChosenSettings(Settings):
    """The settings as a visitor chose them. Nothing is checked before `checked` is called.

    A page's state that inherits this class has all settings as values. A field of its own with a setting's name gives
    the page another default.

    >>> ChosenSettings(vocab_size=3).checked()
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size 3 is below the 256 base symbols
    To grow a tokenizer of fewer tokens, say Settings(start='given') and train(start=…).
    """

    pattern: str = DEFAULT_PATTERN
    start: str = values.setting("start", "none", tokenizer_keys.start)  # type: ignore[assignment]  # may be opened

    def __post_init__(self) -> None:
        """Check nothing: a visitor may choose settings that no training can use."""

    def checked(self) -> Settings:
        """Return the settings to train with; raise `SettingsError` or `PatternError` if no training can use them."""
        chosen: dict[str, Any] = {name: getattr(self, name) for name in SETTINGS} | by_published_start(self.start)
        return Settings(**(chosen if chosen["pretokenizer"] == "custom" else chosen | {"pattern": ""}))


@dataclass(frozen=True)
class GrownSettings(Settings):
    """The settings of a training that starts from a tokenizer that the visitor opened.

    `opened`: the tokenizer's key in the session. `title`: the tokenizer's title. `content`: a key of the contents of
    the tokenizer's files, so that settings with two different files of the same name are not equal.
    """

    opened: str = ""
    title: str = ""
    content: Hashable = None

    @property
    def starts_from(self) -> str:
        """What training starts from, in a few words."""
        return f"the tokens of {self.title}"


def chosen_as(settings: Settings) -> dict[str, object]:
    """Return the values, by name, that a page has when these settings are chosen on it."""
    chosen = {name: getattr(settings, name) for name in SETTINGS}
    start = {"start": settings.opened} if isinstance(settings, GrownSettings) else {}
    return chosen | start | {"pattern": settings.pattern or DEFAULT_PATTERN}
