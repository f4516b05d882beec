"""Live text areas. Each text that the server sets gets a new version, so that a late answer cannot undo it."""

from __future__ import annotations

from bpe_core.display.token_text import paired
from pages.parts.live_text.editor import latest
from pages.parts.session import state


def follow(box: str, held: str) -> str:
    """The text in the area with the key `box` now; `held`: the text that the page has for it so far."""
    number = version(box, held)
    text = paired(latest(state.recall(box, {}), held, number))
    state.remember(f"{box} typed", (number, text))
    return text


def version(box: str, held: str) -> int:
    """A number for the text that the page has: another one for every text that was not typed there."""
    number, text = state.recall(f"{box} typed", (0, None))
    return number if text == held else number + 1


def box_of(page: str, name: str) -> str:
    """The key of the area for a text that is one of the page's values."""
    return f"{state.key(page, name)} box"


def text_of(page: str, name: str) -> str:
    """That text, with what was typed since the last run taken over."""
    held = state.get(page, name)
    text = follow(box_of(page, name), held)
    if text != held:
        state.put(page, name, text)
    return text
