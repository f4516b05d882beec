"""The messages between the session and the view of a text's tokens: clicks and moves, and what the view shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core.live.text_data import SECTIONS, State
from bpe_core.live.text_token import TextToken, most_interesting
from bpe_core.live.token_facts import biography
from bpe_core.tokenizer.walk import Walk
from pages.parts.live_text.sent import part
from pages.parts.session import state, your_text
from pages.parts.session.links import LARGEST, PARAMS
from pages.parts.session.vocabularies import Vocabulary

OPTIONS = ("ids", "marks", "window", "price")


@dataclass(frozen=True)
class Message:
    """A message of the view; a field is None if the view sent nothing readable for it.

    `step`: the step, and the value of `of` that the view had then (see `view_facts`). `selected`: the first symbol of
    the chosen token, with the version of its text and the key of its vocabulary. `options`: values by name.
    """

    step: tuple[int, int] | None = None
    selected: tuple[int, int, str] | None = None
    options: Mapping[str, Any] | None = None


def read(sent: Any) -> Message:
    """Return the message in a value that a browser has sent, which may be anything.

    >>> read({"step": {"step": 7, "of": 1}, "selected": {"at": "7"}, "options": {"ids": "no", "text": "other"}})
    Message(step=(7, 1), selected=None, options={'ids': 'no'})
    """
    step = selected = None
    match part(sent, "step"):
        case {"step": int(number), "of": int(of)} if number >= 0:
            step = number, of
    match part(sent, "selected"):
        case {"at": int(at), "version": int(version), "key": str(key)} if at >= 0:
            selected = at, version, key
    given = part(sent, "options")
    return Message(step, selected, {name: given[name] for name in OPTIONS if name in given} or None)


def receive(page: str, chosen: Vocabulary) -> None:
    """Set the page's values to what was clicked and moved in the view since the last call."""
    sent = read(state.recall(state.key(page, "shown"), {}))
    if _start_over(page, (your_text.shown(page), chosen.name)):
        state.remember(state.key(page, "of"), _of(page) + 1)
    if _news(page, "step", sent.step) and sent.step[1] == _of(page):
        # the last step is written as LARGEST, the default, so that it means the last step of any vocabulary
        state.put(page, "step", LARGEST if sent.step[0] >= chosen.steps else sent.step[0])
    if _news(page, "selected", sent.selected) and sent.selected[1:] == (your_text.version(page), _key(chosen)):
        state.put(page, "token", sent.selected[0])
    if _news(page, "options", sent.options):
        for name, value in sent.options.items():
            state.put(page, name, _checked(page, name, value))


def _start_over(page: str, of: tuple) -> bool:
    """Reset step and token if the text or the vocabulary changed; return whether it did.

    The first call changes nothing: the values may come from a link.
    """
    seen = state.key(page, "shown of")
    other = state.recall(seen, of) != of
    if other:
        for name in ("step", "token"):
            state.put(page, name, PARAMS[page][name].default)
    state.remember(seen, of)
    return other


def _of(page: str) -> int:
    """Return a number that rises with every new text or vocabulary: a step with a lower number is ignored."""
    return state.recall(state.key(page, "of"), 0)


def _checked(page: str, name: str, value: Any) -> Any:
    """Return an option as a value of the page, or its default if it cannot be read."""
    try:
        return PARAMS[page][name].read({True: "yes", False: "no"}.get(value, str(value)))
    except ValueError:
        return PARAMS[page][name].default


def _key(chosen: Vocabulary) -> str:
    """Return a key that differs for any two vocabularies, even if their names are equal."""
    return f"{chosen.name} {id(chosen.tokenizer)}"


def _news(page: str, name: str, value: Any) -> bool:
    """Remember the value that the view sent; return whether it is a new one."""
    seen = state.key(page, f"{name} seen")
    if value is None or state.recall(seen) == value:
        return False
    state.remember(seen, value)
    return True


def step_of(page: str, chosen: Vocabulary) -> int:
    """Return the step that the page shows, at most the last step of the vocabulary."""
    return min(state.get(page, "step"), chosen.steps)


def chosen_token(page: str, chosen: Vocabulary, walk: Walk) -> TextToken | None:
    """Return the chosen token at the step that the page shows; None for an empty text."""
    step, at = step_of(page, chosen), state.get(page, "token")
    if not 0 <= at < len(walk):
        at = most_interesting(walk, chosen.steps)
    return None if at < 0 else TextToken(chosen.tokenizer, walk, at, step, chosen.run)


def view_facts(page: str, chosen: Vocabulary, walk: Walk, shows: Sequence[str] = SECTIONS) -> State:
    """Return the page's state for the view. A new `key` or `version` resets the view, a new `of` only its slider."""
    found = chosen_token(page, chosen, walk) if "panel" in shows else None  # only the panel is about a token
    options = {name: state.get(page, name) for name in OPTIONS}
    return {
        "version": your_text.version(page),
        "key": _key(chosen),
        "title": chosen.title,
        "step": step_of(page, chosen),
        "of": _of(page),
        "at": -1 if found is None else found.at,
        "facts": None if found is None else biography(found),
        "shows": shows,
        "options": options | {"marks": options["marks"] == "yes"},
    }
