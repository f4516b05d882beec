"""What goes between the session and the view of a text's tokens: what is clicked and moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core.tokenizer.walk import Walk
from pages.parts.live_text.sent import part
from pages.parts.session import state, your_text
from pages.parts.session.links import LARGEST, PARAMS
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.tokens.biography_facts import biography
from pages.parts.tokens.place import Place, most_interesting

ALL = ("numbers", "costs", "merging", "panel", "tools")  # the parts of the view
OPTIONS = ("ids", "marks", "window", "price")


@dataclass(frozen=True)
class Sent:
    """What the view has sent, None where there is nothing that can be read.

    `step`: the step, and the number of what it is of. `selected`: the first symbol of the chosen token, the version of
    the text and the key of the vocabulary that it is of. `options`: those of `OPTIONS`.
    """

    step: tuple[int, int] | None = None
    selected: tuple[int, int, str] | None = None
    options: Mapping[str, Any] | None = None


def read(sent: Any) -> Sent:
    """What comes from a browser, distrusted.

    >>> read({"step": {"step": 7, "of": 1}, "selected": {"at": "7"}, "options": {"ids": "no", "text": "other"}})
    Sent(step=(7, 1), selected=None, options={'ids': 'no'})
    """
    step = selected = None
    match part(sent, "step"):
        case {"step": int(number), "of": int(of)} if number >= 0:
            step = number, of
    match part(sent, "selected"):
        case {"at": int(at), "version": int(version), "key": str(key)} if at >= 0:
            selected = at, version, key
    given = part(sent, "options")
    return Sent(step, selected, {name: given[name] for name in OPTIONS if name in given} or None)


def take_over(page: str, chosen: Vocabulary) -> None:
    """Make what was clicked and moved in the view since the last time the page's own."""
    sent = read(state.recall(state.key(page, "shown"), {}))
    if _start_over(page, (your_text.shown(page), chosen.name)):
        state.remember(state.key(page, "of"), _of(page) + 1)
    if _news(page, "step", sent.step) and sent.step[1] == _of(page):
        # the last step is the first value of this setting, whatever the vocabulary
        state.put(page, "step", LARGEST if sent.step[0] >= chosen.steps else sent.step[0])
    if _news(page, "selected", sent.selected) and sent.selected[1:] == (your_text.version(page), _key(chosen)):
        state.put(page, "token", sent.selected[0])
    if _news(page, "options", sent.options):
        for name, value in sent.options.items():
            state.put(page, name, _checked(page, name, value))


def _start_over(page: str, of: tuple) -> bool:
    """Choose step and token anew for another text or vocabulary, and say so; at first a link's values are kept."""
    seen = state.key(page, "shown of")
    other = state.recall(seen, of) != of
    if other:
        for name in ("step", "token"):
            state.put(page, name, PARAMS[page][name].default)
    state.remember(seen, of)
    return other


def _of(page: str) -> int:
    """A number for the text and the vocabulary that a step is of: a step of an older view is ignored."""
    return state.recall(state.key(page, "of"), 0)


def _checked(page: str, name: str, value: Any) -> Any:
    """An option as the page keeps it; what it is at first where it cannot be read."""
    try:
        return PARAMS[page][name].read({True: "yes", False: "no"}.get(value, str(value)))
    except ValueError:
        return PARAMS[page][name].default


def _key(chosen: Vocabulary) -> str:
    """What tells a vocabulary from another one, also of the same name."""
    return f"{chosen.name} {id(chosen.tokenizer)}"


def _news(page: str, name: str, value: Any) -> bool:
    """Whether the view sent a value that it had not sent before."""
    seen = state.key(page, f"{name} seen")
    if value is None or state.recall(seen) == value:
        return False
    state.remember(seen, value)
    return True


def step_of(page: str, chosen: Vocabulary) -> int:
    """The step that is shown: the last one unless the slider stands elsewhere."""
    return min(state.get(page, "step"), chosen.steps)


def place(page: str, chosen: Vocabulary, walk: Walk) -> Place | None:
    """The token that is chosen, at the step that is shown; None in an empty text."""
    step, at = step_of(page, chosen), state.get(page, "token")
    if not 0 <= at < len(walk):
        at = most_interesting(walk, chosen.steps)
    return None if at < 0 else Place(chosen, walk, at, step)


def view_facts(page: str, chosen: Vocabulary, walk: Walk, shows: Sequence[str] = ALL) -> dict[str, Any]:
    """What the view is told of the page's state. A new `key` or `version` sets all of it, a new `of` the slider."""
    found = place(page, chosen, walk) if "panel" in shows else None  # else nothing is told of a token
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
