"""What a step did, as pieces of a sentence: a text, [token id], [token id, "new"] or {"word": text}."""

from __future__ import annotations

from typing import Any

from bpe_core import Run
from bpe_core.display.token_text import token_text
from bpe_core.record.frames import Frame
from bpe_core.text.alphabet import encode_text
from pages.parts.views.sentences import counted, stopped, times

Piece = str | list[Any] | dict[str, str]
NAMED = 3  # words that a sentence names
LONG_WORD = 30  # characters of a word in it


def said(run: Run, frame: Frame) -> list[Piece]:
    """What the step joined, and where the count comes from."""
    step = frame.step
    if not step:
        return ["Before any merge: every word is split into single symbols."]
    film = run.film
    left, right, count = int(film.left[step - 1]), int(film.right[step - 1]), int(film.counts[step - 1])
    made = run.base + step - 1
    head = [f"Step {step:,} joined ", [left], " + ", [right], " → ", [made, "new"], f", seen {times(count)}: "]
    yours = [" You chose this pair."] if step in run.settings.forced else []
    return [*head, *words(run, frame.parts, count, frame.changed, NAMED), ".", *yours]


def words(run: Run, parts: tuple[tuple[int, int], ...], count: int, holding: int, named: int) -> list[Piece]:
    """Which words a count is made of: "6 in newest, 3 in widest". `holding`: how many words there are in all."""
    pieces: list[Piece] = []
    for row, part in parts[:named]:
        text = run.pretokens[row]
        shown = token_text(encode_text(text[:LONG_WORD])) + "…" * (len(text) > LONG_WORD)
        pieces += [", " if pieces else "", f"{part:,} in ", {"word": shown}]
    rest = holding - len(parts[:named])
    if rest:
        left = count - sum(part for _, part in parts[:named])
        once = "" if left == rest else f"{left:,} "  # "and in 1 more word", where it is once in each
        pieces.append(f" and {once}in {counted(rest, 'more word')}")
    return [piece for piece in pieces if piece]


def tie(run: Run, frame: Frame) -> list[Piece]:
    """Which other pairs were as frequent as the one that the step joined, and what chose between them."""
    step = frame.step
    tied = int(run.ties[step - 1]) if step and step not in run.settings.forced else 1
    if tied < 2:
        return []
    merged = int(run.film.left[step - 1]), int(run.film.right[step - 1])
    others = [pair for pair in frame.tied if pair != merged][:2]
    pieces: list[Piece] = [" Tied with "]
    for i, (left, right) in enumerate(others):
        pieces += [", " if i else "", [left], " + ", [right]]
    rest = tied - 1 - len(others)
    if rest:
        pieces.append(f" and {rest:,} more" if others else f"{rest:,} other pairs")
    rule = run.settings.tie_rule.replace("-", " ")
    return [piece for piece in pieces if piece] + [f"; the rule “{rule}” took this one."]


def ahead(run: Run, step: int) -> list[Piece]:
    """What the next step joins, or why there is none."""
    if step == run.steps:
        return [stopped(run)]
    left, right = int(run.film.left[step]), int(run.film.right[step])
    return ["Next: ", [left], " + ", [right], f", seen {times(int(run.film.counts[step]))}."]
