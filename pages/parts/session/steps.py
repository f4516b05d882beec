"""The step of a page's film: set from outside the film, and limited to the steps of the training."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pages.parts.session import state
from pages.parts.session.page_states import Algorithms, WithFilm
from pages.parts.session.values import LARGEST

S = TypeVar("S", bound=WithFilm)


def go(now: S, step: int) -> S:
    """Return the state at a step. The film adopts the step once, since the version rises."""
    return replace(now, step=step, version=now.version + 1)


def start_over(now: S, shown: Any) -> S:
    """Go to the first step if the page shows another training than before; return the state.

    `shown`: a key of the training. On the first call the step stays: it may come from a link.
    """
    if now.shown is None or now.shown == shown:
        return state.save(replace(now, shown=shown))
    first: dict[str, Any] = {"step": 0, "round": 0} if isinstance(now, Algorithms) else {"step": 0}
    return state.remark(now, shown=shown, **first)


def end_there(now: S) -> S:
    """Return the state at the last step of the next training, instead of its first."""
    return go(replace(now, shown=None), LARGEST)


def fit(now: S, last: int, name: str = "step") -> S:
    """Set the step to the last one if it is beyond it, and add a remark; return the state."""
    step = getattr(now, name)
    if step <= last:
        return now
    there = f"the last one is {last:,}" if last else f"this run has no {name}s"
    why = f"There is no {name} {step:,}: {there}." if step < LARGEST else ""
    return state.remark(now, why, **{name: last})
