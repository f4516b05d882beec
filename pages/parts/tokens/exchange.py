"""Between the session and the view of a text's tokens: what was chosen in the view, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.live.request import Request, read_request
from bpe_core.live.text_data import SECTIONS, State
from bpe_core.live.text_token import TextToken, most_interesting
from bpe_core.live.token_facts import biography
from bpe_core.tokenizer.walk import Walk
from pages.parts.session import state, your_text
from pages.parts.session.links import LARGEST, PARAMS
from pages.parts.session.vocabularies import Vocabulary

OPTIONS = ("ids", "marks", "window", "price")


def receive(page: str, chosen: Vocabulary) -> None:
    """Set the page's values to what was chosen in the view since the last call.

    A step and a token count only for the text and the vocabulary that the view showed then.
    """
    request = _request(page)
    if _start_over(page, (your_text.shown(page), chosen.name)):
        state.remember(state.key(page, "of"), _of(page) + 1)
    if not _is_new(page, request.number):
        return
    here = request.chosen(_version(page, chosen))
    if (step := _number(here.get("step"))) is not None:
        # the last step is written as LARGEST, the default, so that it means the last step of any vocabulary
        state.put(page, "step", LARGEST if step >= chosen.steps else step)
    if (at := _number(here.get("at"))) is not None:
        state.put(page, "token", at)
    options = request.choice.get("options")
    for name in OPTIONS:
        if isinstance(options, Mapping) and name in options:
            state.put(page, name, _checked(page, name, options[name]))


def _request(page: str) -> Request:
    return read_request(state.recall(state.key(page, "shown")))


def _is_new(page: str, number: int) -> bool:
    """Remember the number of the view's last request; return whether it is a new one."""
    seen = state.key(page, "request seen")
    known = state.recall(seen, 0)
    state.remember(seen, number)
    return number != known


def _number(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


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
    """Return a number that rises with every new text or name of a vocabulary."""
    return state.recall(state.key(page, "of"), 0)


def _checked(page: str, name: str, value: Any) -> Any:
    """Return an option as a value of the page, or its default if it cannot be read."""
    try:
        return PARAMS[page][name].read({True: "yes", False: "no"}.get(value, str(value)))
    except ValueError:
        return PARAMS[page][name].default


def _version(page: str, chosen: Vocabulary) -> str:
    """Return another version for every text and vocabulary, also for two vocabularies of one name."""
    return f"{_of(page)} {chosen.name} {id(chosen.tokenizer)}"


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
    """Return the page's state for the view."""
    found = chosen_token(page, chosen, walk) if "panel" in shows else None  # only the panel is about a token
    options = {name: state.get(page, name) for name in OPTIONS}
    return {
        "version": _version(page, chosen),
        "answered": _request(page).number,
        "title": chosen.title,
        "step": step_of(page, chosen),
        "at": -1 if found is None else found.at,
        "facts": None if found is None else biography(found),
        "shows": shows,
        "options": options | {"marks": options["marks"] == "yes"},
    }
