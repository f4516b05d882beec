"""Two trainings on one text in words: what each did, what it keeps apart, and what they come to."""

from __future__ import annotations

from collections import Counter

from markupsafe import escape

from bpe_core import PairCount
from bpe_core.display.html import chip
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.alphabet import encode_text
from bpe_core.text.split_difference import SplitDifference
from pages.parts.compare.sides import SAMPLE, Side, Sides
from pages.parts.views.sentences import counted, percent, times

Differences = Counter[SplitDifference]
LONG_WORD, MOST_WORDS = 40, 6  # characters of a word, words of a difference, within a sentence
SAME = 0.0005  # shares of tokens closer than this are called the same


def split_window(sides: Sides, length: int) -> str:
    """What the two splits show of a text of `length` characters."""
    said = "The small word in each pretoken names the rule that made it."
    if any(side.loses and side.kept < length for side in sides):
        said += " A dashed frame holds what is thrown away."
    if length > SAMPLE:
        said += f" These are the first {SAMPLE:,} characters; the figures count all."
    return said


def blocked_sentence(side: Side, other: Side, step: int, pairs: list[PairCount]) -> str:
    """What this side's split keeps apart, its most frequent `pairs`, and what that comes to; a sentence of HTML."""
    name = _name(side)
    if not pairs:
        several = int(side.run.pretoken_counts.sum()) > 1
        why = (
            "throws away what stands between its pretokens, so that no two touch"
            if several
            else "does not split this text"
        )
        return f"{name} {why}: no pair is blocked."
    left, right, count = pairs[0]
    pair = f"{chip(left, 0, side.glyph)} {chip(right, 0, side.glyph)}"
    said = f"{name} keeps {pair} apart, which stand together {times(count)}"
    counts = side.run.pair_counts(side.at(step), 1)
    if not counts:
        said += "; no other pair is left"
    elif count > counts[0].count:
        said += f", more often than any pair that it may join ({counts[0].count:,})"
    learnt = other.step_of(left + right, step)
    if learnt:
        said += f"; {escape(other.title)} learnt the token at step {learnt:,}"
    return f"{said}."


def point(sides: Sides, both: SideBySide, sample: Differences, tried: str) -> tuple[str, str]:
    """What the comparison comes to in two sentences of HTML: how the two split the text, and what a new text costs.

    `sample`: how the two split the text, or its beginning; `tried`: the name of the text that both were tried on.
    """
    return _splits(sides, both, sample), _cost(sides, tried)


def _splits(sides: Sides, both: SideBySide, sample: Differences) -> str:
    """The most frequent difference of the two splits, words before signs; else what becomes of the spaces."""
    left, right = map(_name, sides)
    if sample:
        difference = max(sample, key=lambda found: (any(map(str.isalpha, "".join(sum(found, ())))), sample[found]))
        ways = [_way(words, side.glyph) for words, side in zip(difference, sides, strict=True)]
        one, other = (f"{name} {way}" for name, way in zip((left, right), ways, strict=True))
        more = len(sample) - 1
        return f"{one}; {other}." + (f" {counted(more, 'more difference')} like it." if more else "")
    if sides[0].kept != sides[1].kept:
        keeps, drops = (right, left) if sides[0].kept < sides[1].kept else (left, right)
        return f"Both find the same words; {keeps} keeps the spaces with them, {drops} throws spaces away."
    return f"Both split this text in the same way{_learnt(sides, both)}."


def _way(words: tuple[str, ...], glyph: str) -> str:
    """What a side makes of a stretch of text that the other splits differently."""
    if not words:
        return "throws it away"
    shown = " ".join(chip(encode_text(word[:LONG_WORD]), 0, glyph) for word in words[:MOST_WORDS])
    more = " …" if len(words) > MOST_WORDS or len(words[0]) > LONG_WORD else ""
    return f"keeps {shown}{more} together" if len(words) == 1 else f"splits it into {shown}{more}"


def _learnt(sides: Sides, both: SideBySide) -> str:
    """Whether two that split alike learn alike."""
    merges = [[merge.token for merge in side.run.merges] for side in sides]
    if merges[0] == merges[1]:
        return " and learn the same merges" if both.steps else "; it is too short to learn from"
    step = next((k for k, (a, b) in enumerate(zip(*merges, strict=False), 1) if a != b), min(map(len, merges)) + 1)
    return f", but from step {step:,} on they learn different merges"


def _cost(sides: Sides, tried: str) -> str:
    """What the text that both were tried on costs, for each character that a side keeps; and what it does not keep."""
    left, right = map(_name, sides)
    each = [side.held.tokens[-1] / max(side.held.kept, 1) for side in sides]
    if not all(side.held.kept for side in sides):
        said = f"On {escape(tried)} there is nothing to count"
    elif abs(share := each[1] / each[0] - 1) < SAME:
        said = f"On {escape(tried)}, for each character that is kept, both need as many tokens"
    else:
        amount = f"{percent(abs(share))} {'more' if share > 0 else 'fewer'} tokens"
        said = f"On {escape(tried)}, for each character that is kept, {right} needs {amount} than {left}"
    left_out = beside(sides)
    return f"{said}; {escape(left_out)}." if left_out else f"{said}."


def beside(sides: Sides) -> str:
    """What the numbers of tokens leave out: what is thrown away, and what is unknown."""
    lost = [
        f"{side.title} throws {side.held.lost:,} of its {side.held.kept + side.held.lost:,} characters away"
        for side in sides
        if side.held.lost
    ]
    new = [
        f"{side.title} does not know {counted(side.held.unknown, 'character')} of it"
        for side in sides
        if side.held.unknown
    ]
    return ", ".join(lost + new)


def _name(side: Side) -> str:
    return f"<strong>{escape(side.title)}</strong>"
