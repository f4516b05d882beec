"""What goes between the Playground and its live view, where text is typed and tokens are clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.parts.session import state, your_text
from pages.parts.session.links import LARGEST, PARAMS
from pages.parts.session.vocabularies import Vocabulary


def take_over(page: str, chosen: Vocabulary) -> None:
    """Make what was clicked and moved in the live view since the last time the page's own."""
    sent = state.recall(state.key(page, "view"), {})
    if _news(page, sent, "step"):
        # the last step is the first value of this setting, whatever the vocabulary
        last = sent["step"] == chosen.steps and chosen.step == chosen.steps
        state.put(page, "step", LARGEST if last else int(sent["step"]))
    if _news(page, sent, "options"):
        state.put(page, "ids", PARAMS[page]["ids"].read(sent["options"]["ids"]))
        state.put(page, "marks", "yes" if sent["options"]["marks"] else "no")
    if _news(page, sent, "selected"):
        state.put(page, "selected", dict(sent["selected"]))


def _news(page: str, sent: Mapping[str, Any], name: str) -> bool:
    """Whether the view sent a value that it had not sent before."""
    value, seen = sent.get(name), state.key(page, f"{name} seen")
    if value is None or state.recall(seen) == value:
        return False
    state.remember(seen, value)
    return True


def selected(page: str) -> dict[str, int] | None:
    """The token that was clicked: its id, the symbol where it begins, and the step that was shown; None: none."""
    return state.recall(state.key(page, "selected"))


def view_facts(page: str, chosen: Vocabulary) -> dict[str, Any]:
    """What the live view is told of the page's state. A new `key` or `version` sets its slider."""
    step = chosen.step if state.get(page, "step") == LARGEST else min(state.get(page, "step"), chosen.steps)
    return {
        "version": your_text.version(page),
        "key": f"{chosen.name} {id(chosen.finder)}",
        "title": chosen.title,
        "step": step,
        "options": {"ids": state.get(page, "ids"), "marks": state.get(page, "marks") == "yes"},
    }
