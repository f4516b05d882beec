"""Two trainings on one text in words: what each did, what it keeps apart, and what they come to."""

from __future__ import annotations

from html import escape

from bpe_core.side_by_side import SideBySide
from pages.parts import sentences
from pages.parts.links import LARGEST
from pages.parts.sentences import counted, percent, times
from pages.parts.sides import WORDS, Side, Sides, unwanted
from pages.parts.token_chips import chip
from pages.parts.token_text import token_text


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
    return f"{said} that the other side does not have or cuts otherwise, of {words:,}. {tokens}"


def blocked_sentence(side: Side, other: Side, step: int) -> str:
    """What this side's cut keeps apart, and what that comes to; a sentence of HTML."""
    name = f"<strong>{escape(side.title)}</strong>"
    found = side.run.blocked_pairs(side.at(step), 1)
    if not found:
        dropped = "drops what stands between its pretokens, so no two of them touch" if side.loses else "cuts nowhere"
        return f"{name} {dropped}: no pair is blocked."
    left, right, count = found[0]
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


def conclusion(sides: Sides, both: SideBySide, held_name: str) -> str:
    """Both whole trainings in one sentence of HTML; every figure from the record."""
    if not both.steps:
        return "The text is too short: neither side has a pair to join."
    if both.same_cut and len({(side.run.merges, int(side.held.tokens[-1]), side.held.unknown) for side in sides}) == 1:
        return "Both cut this text alike and learn the same merges: there is no difference to see."
    cost = _cost(sides, held_name)
    return f"{cost}; {_spent(sides)}."


def _cost(sides: Sides, held_name: str) -> str:
    one, other = (int(side.held.tokens[-1]) for side in sides)
    first, second = (f"<strong>{escape(side.title)}</strong>" for side in sides)
    text = f"the held-out text ({escape(held_name)})"
    if one == other:
        said = f"Both need {counted(one, 'token')} for {text}"
    else:
        share = abs(other - one) / max(one, 1)
        more = "more" if other > one else "fewer"
        said = f"{first} needs {counted(one, 'token')} for {text}, {second} {other:,}, {percent(share)} {more}"
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


def _spent(sides: Sides) -> str:
    """How many merges went into mixtures."""
    mixed = [list(filter(unwanted, side.made(LARGEST))) for side in sides]
    if not any(mixed):
        return "neither learnt a token that mixes letters, digits, signs or words"
    order = (0, 1) if len(mixed[0]) >= len(mixed[1]) else (1, 0)
    most, least = (sides[i] for i in order)
    many, few = (mixed[i] for i in order)
    samples = " ".join(chip(token, 0, most.glyph) for token in sorted(many, key=_telling)[:3])
    spent = f"{len(many):,} of <strong>{escape(most.title)}</strong>’s {most.run.steps:,} merges made "
    spent += "a token that mixes" if len(many) == 1 else "tokens that mix"
    name = f"<strong>{escape(least.title)}</strong>’s"
    against = f"{len(few):,} of {name} {least.run.steps:,}" if few else f"none of {name}"
    return f"{spent} letters, digits, signs or words, such as {samples}, and {against} did"


def _telling(token: bytes) -> bool:
    """False, which sorts first, for a mixture with a word in it."""
    return sum(char.isalpha() for char in token_text(token)) < 3
