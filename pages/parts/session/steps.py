"""The step that a page shows: set from outside its film, and limited to the steps of the training."""

from __future__ import annotations

from pages.parts.session import state
from pages.parts.session.links import LARGEST, PARAMS


def go(page: str, step: int) -> None:
    """Set the step of the page's film."""
    state.put(page, "step", step)
    state.remember(state.key(page, "step version"), version(page) + 1)


def version(page: str) -> int:
    """Return how often the page's step was set from outside its film. The film adopts each such step once."""
    return state.recall(state.key(page, "step version"), 0)


def start_over(page: str, shown: object) -> None:
    """Go to the first step if the page shows another text or other settings than before.

    `shown`: a key of the training. On the first call the step stays: it may come from a link.
    """
    before = state.recall(state.key(page, "shown"))
    if before is not None and before != shown:
        known = state.remarks(page)
        for name in PARAMS[page].keys() & {"step", "round"}:
            state.put(page, name, PARAMS[page][name].default)
        if known:
            state.remember("published", state.link(page))  # the remarks about these settings stay
    state.remember(state.key(page, "shown"), shown)


def end_there(page: str) -> None:
    """Go to the last step of the next training, instead of its first."""
    state.remember(state.key(page, "shown"), None)
    go(page, LARGEST)


def fit(page: str, last: int, name: str = "step") -> None:
    """Set the step to the last one if it is beyond it, and add a remark."""
    step = state.get(page, name)
    if last < step:
        known = state.remarks(page)
        state.put(page, name, last)
        if step < LARGEST:
            there = f"the last one is {last:,}" if last else f"this run has no {name}s"
            known.append(f"There is no {name} {step:,}: {there}.")
        if known:
            state.remember("published", state.link(page))
