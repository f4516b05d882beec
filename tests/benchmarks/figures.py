"""A row of a measurement, what is said of its goal, and how rows are timed."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

# What is measured, its figure (None: a library that is not installed), its unit, its goal.
Row = tuple[str, float | None, str, float | None]

BUSY = 0.05  # the share of the processor's time from which on others disturb a measurement
ENOUGH = 12.0  # seconds after which a task is not repeated


def verdict(figure: float | None, unit: str, goal: float | None, others: float | None) -> str:
    """Return whether a figure reaches its goal: ratios to peers (unit x) at least, all others at most.

    `others`: the share of the processor's time that went to others; None if the system does not tell it. Nothing is
    said of a goal where it is not known, or too much.

    >>> verdict(1.4, "x", 1.2, 0.01), verdict(9.0, "ms", 5.0, 0.01), verdict(1.4, "x", 1.2, 0.3)
    ('goal ≥ 1.2: reached', 'goal ≤ 5: NOT REACHED', 'goal ≥ 1.2: busy machine')
    """
    if figure is None or goal is None:
        return ""
    if others is None:
        said = "not known whether the machine is busy"
    elif others > BUSY:
        said = "busy machine"
    else:
        said = "reached" if (figure >= goal if unit == "x" else figure <= goal) else "NOT REACHED"
    return f"goal {'≥' if unit == 'x' else '≤'} {goal:g}: {said}"


def seconds(
    work: Callable[[object], object],
    prepare: Callable[[], object] = lambda: None,
    enough: float = ENOUGH,
) -> float:
    """Return the processor seconds that some work takes, its preparation apart.

    It is the best of three times, or of fewer if these took long together.
    """
    taken: list[float] = []
    while len(taken) < 3 and sum(taken) < enough:
        prepared = prepare()
        taken.append(once(lambda prepared=prepared: work(prepared)))
    return min(taken)


def once(work: Callable[[], object]) -> float:
    """Return the processor seconds that some work takes once."""
    start = process_time()
    work()
    return process_time() - start


def late(times: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[int(0.95 * len(times))]
