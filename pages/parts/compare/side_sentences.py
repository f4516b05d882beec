"""Two trainings on one text in words: what each did, what it keeps apart, and what they come to."""

from __future__ import annotations

from html import escape

from bpe_core import PairCount
from bpe_core.display.html import chip
from bpe_core.record.side_by_side import SideBySide
from pages.parts.compare.sides import WORDS, Side, Sides, unwanted
from pages.parts.session.links import LARGEST
from pages.parts.views import sentences
from pages.parts.views.sentences import counted, percent, times


def cut_window(sides: Sides, shown: int, length: int) -> str:
    """What the two cuts show."""
    said = "Beside each pretoken stands the rule that made it."
    if any(side.loses and side.kept < length for side in sides):
        said += " A dashed frame holds what the cut loses."
    if shown < length:
        said += f" These are the first {shown:,} characters; the figures count all."
    return said


def sentence(side: Side, step: int) -> str:
    """What this step did on one side, or that the side has ended before it."""
    if step <= side.run.steps:
        return sentences.step(side.run, step, side.glyph)
    ended = f" It ended after step {side.run.steps:,}." if side.run.steps else ""
    return f'<p class="sentence">{sentences.stopped(side.run)}{ended}</p>'


def words_window(side: Side, step: int, differing: int) -> str:
    """How many words the two cut differently."""
    words = len(side.run.pretokens)
    tokens = f"{counted(int(side.run.corpus_tokens[side.at(step)]), 'token')} in the corpus."
    if not differing:
        return f"No word differs from the other side’s at this step. {tokens}"
    said = f"Showing {WORDS} of {differing:,} words" if differing > WORDS else counted(differing, "word")
    return f"{said} of {words:,} that the other side does not have or cuts otherwise, spaces aside. {tokens}"


def blocked_sentence(side: Side, other: Side, step: int, pairs: list[PairCount]) -> str:
    """What this side's cut keeps apart, its most frequent `pairs`, and what that comes to; a sentence of HTML."""
    name = f"<strong>{escape(side.title)}</strong>"
    if not pairs:
        several = int(side.run.pretoken_counts.sum()) > 1
        why = "drops what stands between its pretokens, so that no two touch" if several else "does not cut this text"
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


def conclusion(sides: Sides, both: SideBySide, tried: str) -> str:
    """Both whole trainings in one sentence of HTML, every figure from the record; `tried`: what was encoded by both."""
    if not both.steps:
        return "The text is too short: neither side has a pair to join."
    cost = _cost(sides, tried)
    if both.same_cut and sides[0].run.merges == sides[1].run.merges:
        begun = "Both cut this text alike and learn the same merges"
        same = all(len({measure(side) for side in sides}) == 1 for measure in _MEASURES)
        return f"{begun}: there is no difference to see." if same else f"{begun}; {cost}."
    return f"{_spent(sides)}; {cost}."


_MEASURES = (
    lambda side: side.run.base,
    lambda side: side.run.settings.word_marker,
    lambda side: int(side.held.tokens[-1]),
    lambda side: side.held.unknown,
)


def _cost(sides: Sides, tried: str) -> str:
    one, other = (int(side.held.tokens[-1]) for side in sides)
    first, second = (f"<strong>{escape(side.title)}</strong>" for side in sides)
    if one == other:
        said = f"for {escape(tried)} both need {counted(one, 'token')}"
    else:
        said = f"for {escape(tried)} {first} needs {counted(one, 'token')} and {second} {other:,}"
        if one and other:
            said += f", {percent(abs(other - one) / one)} {'more' if other > one else 'fewer'}"
    left_out = beside(sides)
    return f"{said} ({escape(left_out)})" if left_out else said


def beside(sides: Sides) -> str:
    """What the numbers of tokens leave out: what is lost, and what is unknown."""
    lost = [f"{side.title} drops {counted(side.held.lost, 'character')} of it" for side in sides if side.held.lost]
    new = [
        f"{side.title} does not know {counted(side.held.unknown, 'character')} of it"
        for side in sides
        if side.held.unknown
    ]
    return ", ".join(lost + new)


MIX = "letters, digits, signs or words (contractions aside)"


def _spent(sides: Sides) -> str:
    """How many merges went into mixtures."""
    mixed = [list(filter(unwanted, side.made(LARGEST))) for side in sides]
    if not any(mixed):
        return f"Neither learnt a token that mixes {MIX}"
    order = (0, 1) if len(mixed[0]) >= len(mixed[1]) else (1, 0)
    most, least = (sides[i] for i in order)
    many, few = (mixed[i] for i in order)
    samples = " ".join(chip(token, 0, most.glyph) for token in sorted(many, key=_telling)[:3])
    mixes = f"the token {samples}, which mixes" if len(many) == 1 else f"tokens such as {samples} that mix"
    spent = f"{len(many):,} of the {most.run.steps:,} merges of <strong>{escape(most.title)}</strong> made"
    against = f"{len(few):,} of the {least.run.steps:,}" if few else "none"
    return f"{spent} {mixes} {MIX}, {against} of <strong>{escape(least.title)}</strong> did"


def _telling(token: bytes) -> bool:
    """False, which sorts first, for a mixture with a word in it."""
    return sum(char.isalpha() for char in token[:60].decode("utf-8", "ignore")) < 3
