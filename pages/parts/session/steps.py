"""The step that a page shows: set from outside its film, and kept within the training."""

from __future__ import annotations

from pages.parts.session import state
from pages.parts.session.links import LARGEST, PARAMS


def go(page: str, step: int) -> None:
    """Set the step of the page's film."""
    state.put(page, "step", step)
    state.remember(state.key(page, "step version"), version(page) + 1)


def version(page: str) -> int:
    """Counts how often the page's step was set from outside its film, which takes over each of these once."""
    return state.recall(state.key(page, "step version"), 0)


def start_over(page: str, shown: object) -> None:
    """Go to the first step where the page shows another text or other settings than before; a link's step is kept."""
    before = state.recall(state.key(page, "shown"))
    if before is not None and before != shown:
        known = state.remarks(page)
        for name in PARAMS[page].keys() & {"step", "round"}:
            state.put(page, name, PARAMS[page][name].default)
        if known:
            state.remember("published", state.link(page))  # what was said of these settings stays
    state.remember(state.key(page, "shown"), shown)


def end_there(page: str) -> None:
    """Go to the last step of the training that comes next, instead of its first."""
    state.remember(state.key(page, "shown"), None)
    go(page, LARGEST)


def fit(page: str, last: int, name: str = "step") -> None:
    """Keep the step within the run, and say so where it was beyond."""
    step = state.get(page, name)
    if last < step:
        known = state.remarks(page)
        state.put(page, name, last)
        if step < LARGEST:
            there = f"the last one is {last:,}" if last else f"this run has no {name}s"
            known.append(f"There is no {name} {step:,}: {there}.")
        if known:
            state.remember("published", state.link(page))
