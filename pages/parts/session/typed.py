"""Live text areas. Each text that the server sets gets a new version, so that a late message cannot undo it."""

from __future__ import annotations

from bpe_core.display.token_text import paired
from pages.parts.live_text.editor import latest
from pages.parts.session import state


def follow(box: str, held: str) -> str:
    """Return the text that is now in the area with the key `box`. `held`: the page's text before this run."""
    number = version(box, held)
    text = paired(latest(state.recall(box, {}), held, number))
    state.remember(f"{box} typed", (number, text))
    return text


def version(box: str, held: str) -> int:
    """Return the version of the page's text `held`: it rises with every text that was not typed into the area."""
    number, text = state.recall(f"{box} typed", (0, None))
    return number if text == held else number + 1


def box_of(page: str, name: str) -> str:
    """Return the key of the area for a text that is one of the page's values."""
    return f"{state.key(page, name)} box"


def text_of(page: str, name: str) -> str:
    """Return the page's value `name`, a text, after setting it to what was typed since the last run."""
    held = state.get(page, name)
    text = follow(box_of(page, name), held)
    if text != held:
        state.put(page, name, text)
    return text
