"""Between the session and the view of a text's tokens: what was chosen in the view, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bpe_core.live.request import Request, read_request
from bpe_core.live.text_data import SECTIONS, Options, State
from bpe_core.live.text_token import TextToken, most_interesting
from bpe_core.live.token_facts import biography
from bpe_core.tokenizer.walk import Walk
from pages.parts.session import state, your_text
from pages.parts.session.page_states import WithTokens
from pages.parts.session.values import LARGEST, rows
from pages.parts.session.vocabularies import Vocabulary

S = TypeVar("S", bound=WithTokens)
OPTIONS = ("ids", "marks", "window", "price")


def key(page: type[WithTokens]) -> str:
    """Return the session key of the view."""
    return f"{page.PAGE}.shown"


def receive(now: S, chosen: Vocabulary) -> S:
    """Save the page's state with what was chosen in the view since the last call, and return it.

    A step and a token count only for the text and the vocabulary that the view showed then.
    """
    request, now = _request(now), _started_over(now, (your_text.shown(now), chosen.name))
    if request.number == now.request:
        return state.save(now)
    new: dict[str, Any] = {"request": request.number}
    here = request.chosen(_version(now, chosen))
    if (step := _number(here.get("step"))) is not None:
        # the last step is written as LARGEST, the default, so that it means the last step of any vocabulary
        new["step"] = LARGEST if step >= chosen.steps else step
    if (at := _number(here.get("at"))) is not None:
        new["token"] = at
    options = request.choice.get("options")
    for name in OPTIONS:
        if isinstance(options, Mapping) and name in options:
            new[name] = _checked(type(now), name, options[name])
    return state.save(replace(now, **new))


def _request(now: WithTokens) -> Request:
    return read_request(state.recall(key(type(now))))


def _number(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _started_over(now: S, subject: tuple[str, str]) -> S:
    """Return the state without step and token if the text or the vocabulary changed.

    The first call leaves both: they may come from a link.
    """
    if now.subject is None or now.subject == subject:
        return replace(now, subject=subject)
    first = {name: rows(type(now))[name].default for name in ("step", "token")}
    return replace(now, subject=subject, changes=now.changes + 1, **first)


def _checked(page: type[WithTokens], name: str, value: Any) -> Any:
    """Return an option as a value of the page, or its default if it cannot be read."""
    row = rows(page)[name]
    try:
        return row.read({True: "yes", False: "no"}.get(value, str(value)))
    except ValueError:
        return row.default


def _version(now: WithTokens, chosen: Vocabulary) -> str:
    """Return another version for every text and vocabulary, also for two vocabularies of one name."""
    return f"{now.changes} {chosen.name} {id(chosen.tokenizer)}"


def step_of(now: WithTokens, chosen: Vocabulary) -> int:
    """Return the step that the page shows, at most the last step of the vocabulary."""
    return min(now.step, chosen.steps)


def chosen_token(now: WithTokens, chosen: Vocabulary, walk: Walk) -> TextToken | None:
    """Return the chosen token at the step that the page shows; None for an empty text."""
    at = now.token if 0 <= now.token < len(walk) else most_interesting(walk, chosen.steps)
    return None if at < 0 else TextToken(chosen.tokenizer, walk, at, step_of(now, chosen), chosen.run)


def view_facts(now: WithTokens, chosen: Vocabulary, walk: Walk, shows: Sequence[str] = SECTIONS) -> State:
    """Return what the view shows of the page's state."""
    found = chosen_token(now, chosen, walk) if "panel" in shows else None  # only the panel is about a token
    options: Options = {"ids": now.ids, "marks": now.marks == "yes", "window": now.window, "price": now.price}
    return {
        "version": _version(now, chosen),
        "answered": _request(now).number,
        "title": chosen.title,
        "step": step_of(now, chosen),
        "at": -1 if found is None else found.at,
        "facts": None if found is None else biography(found),
        "shows": shows,
        "options": options,
    }
