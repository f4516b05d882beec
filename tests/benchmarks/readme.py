"""The README's table "Beside the others", from the figures of `engine` in one run."""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks.engine import BOOK, LARGE, MANY, Row
from tests.benchmarks.peers import ENCODERS, TRAINERS

PEERS = list(dict.fromkeys([*TRAINERS, *ENCODERS]))


def table(rows: Sequence[Row]) -> str:
    """In Markdown; a column for each peer that was there, with how many times as long it takes."""
    figures = {what: figure for what, figure, _, _ in rows if figure is not None}
    peers = [peer for peer in PEERS if any(what.endswith((f": {peer} / ours", f"ours / {peer}")) for what in figures)]
    lines = [["", "Mergescope", *peers], ["---"] * (len(peers) + 2)]
    for what in (BOOK, LARGE, MANY):
        own = (name for name in figures if name.startswith(f"train, {what}, ") and name.endswith(": ours"))
        beside = [figures.get(f"train, {what}: {peer} / ours") for peer in peers]
        lines += [[f"train, {what}", f"1 ({figures[name]:.2g} s)", *map(_times, beside)] for name in own]
    for what in (BOOK, LARGE, MANY):
        for sight in ("first sight", "seen before"):
            ours = figures.get(f"encode, {what}, {sight}: ours")
            beside = [figures.get(f"encode, {what}, {sight}: ours / {peer}") for peer in peers]
            if ours:
                lines.append([f"encode, {what}, {sight}", f"1 ({ours:.2g} MB/s)", *map(_times, beside)])
    for what, unit in (("200 words at a random step, median", "ms"), ("encode 1 MB that nothing splits", "s")):
        if what in figures:
            lines.append([what, f"{figures[what]:.2g} {unit}", *[""] * len(peers)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2g}"
