"""Whether what a film shows is what the engine says: read off the screen by film.js, checked here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from bpe_core import Run
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.record.frames import PAIRS
from bpe_core.text.alphabet import encode_text

SCRIPT = Path(__file__).with_name("film.js").read_text(encoding="utf-8")


def shown_in(run: Run) -> Callable[[bytes], str]:
    """Return how a film writes a token. UTF-8 never has the marker's byte, so its sign may always be given."""
    return partial(token_text, glyph="Ġ" if any("_" in word for word in run.pretokens) else "_")


def check_frames(page: Page, run: Run, steps: list[int]) -> None:
    """Go to these steps of the film on a page, and check what it shows."""
    for step, shown in zip(steps, page.evaluate("steps => film.readAll(steps)", steps), strict=True):
        check(run, step, shown)


def sentence(run: Run, step: int) -> str:
    if not step:
        return "Before any merge: every word is split into single symbols."
    merge, shown_as = run.merges[step - 1], shown_in(run)
    left, right, made = (shown_as(token) for token in merge[:3])
    parts = run.contributions(step - 1, merge.left, merge.right)
    named = [f"{part.count:,} in {shown_as(encode_text(run.pretokens[part.row]))}" for part in parts[:3]]
    rest = len(parts) - 3
    said = ", ".join(named)
    if rest > 0:
        others = sum(part.count for part in parts[3:])
        said += f" and {f'{others:,} ' * (others != rest)}in {rest:,} more word{'s' * (rest > 1)}"
    times = "once" if merge.count == 1 else f"{merge.count:,} times"
    return f"Step {step:,} joined {left} + {right} → {made}, seen {times}: {said}."


def same(shown: str, text: str) -> bool:
    """Whether a token is shown as it is; a long one by its beginning."""
    return text.startswith(shown[:-1]) if shown.endswith("…") else shown == text


def check(run: Run, step: int, shown: dict[str, Any]) -> None:
    shown_as = shown_in(run)
    assert shown["sentence"].startswith(sentence(run, step))
    assert len(shown["words"]) >= min(5, len(run.pretokens))
    for row, count, tokens, new in shown["words"]:
        expected, times = run.words(step, [row])[0]
        assert (count, tokens) == (f"{times:,} ×", [shown_as(token) for token in expected])
        assert bool(new) == (row in run.changed(step))
    labels, names = shown["bars"] or ([], [])  # no chart where no pair is left
    pairs = run.pair_counts(step, PAIRS)
    best = run.merges[step].count if step < run.steps else -1
    assert len(names) == len(labels) == len(pairs)
    for name, label, (left, right, count) in zip(names, labels, pairs, strict=True):
        assert all(map(same, name.split("  "), map(shown_as, (left, right))))
        assert label.split()[0] == f"{count:,}"
        assert label.endswith(("next", "tied")) == (count == best)
    assert shown["current"] == (f"{step:,}" if step else "")
    assert shown["merges"]
    for number, tokens, tie, count in shown["merges"]:
        merge = run.merges[int(number.replace(",", "")) - 1]
        assert all(map(same, tokens, map(shown_as, merge[:3])))
        assert (tie, count) == ("tie" if merge.tied > 1 else "", f"{merge.count:,}")
