"""Two trainings on one text in words: what each did, what it keeps apart, and what they come to."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from bpe_core import PairCount
from bpe_core.display.html import chip
from bpe_core.record.side_by_side import SideBySide
from bpe_core.settings import CUSTOM
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
    if all(side.run.settings.word_marker == "none" for side in sides):
        said += " Unlike on the Train page, no _ marks the end of a word (see More settings)."
    if length > SAMPLE:
        said += f" These are the first {SAMPLE:,} characters; the figures count all."
    return said


def blocked_sentence(side: Side, other: Side, step: int, pairs: list[PairCount]) -> Markup:
    """What this side's split keeps apart, its most frequent `pairs`, and what that comes to; a sentence of HTML."""
    name = _name(side)
    if not pairs:
        several = int(side.run.pretoken_counts.sum()) > 1
        why = (
            "throws away what stands between its pretokens, so that no two touch"
            if several
            else "does not split this text"
        )
        return name + f" {why}: no pair is blocked."
    left, right, count = pairs[0]
    said = Markup("{} never joins {} and {}, though the two meet {}").format(
        name, chip(left, 0, side.glyph), chip(right, 0, side.glyph), times(count)
    )
    counts = side.run.pair_counts(side.at(step), 1)
    if not counts:
        said += "; no pair is left that it can join"
    elif count > counts[0].count:
        said += f"; the best pair that it can join is seen {times(counts[0].count)}"
    learnt = other.step_of(left + right, step)
    if learnt:
        said += f"; {other.title} learnt the token at step {learnt:,}"
    return said + "."


def point(sides: Sides, both: SideBySide, sample: Differences, tried: str) -> tuple[Markup, Markup]:
    """What the comparison comes to, in two sentences of HTML: how the two split, and what the held-out text costs.

    `sample`: how the two split the text, or its beginning; `tried`: the name of the text that both were tried on.
    """
    return _splits(sides, both, sample), _cost(sides, tried)


def _splits(sides: Sides, both: SideBySide, sample: Differences) -> Markup:
    """The most frequent difference of the two splits, words before punctuation; else what becomes of the spaces."""
    left, right = map(_name, sides)
    if sample:
        difference = max(sample, key=lambda found: (any(map(str.isalpha, "".join(sum(found, ())))), sample[found]))
        ways = [_way(words, side.glyph) for words, side in zip(difference, sides, strict=True)]
        more = f" {counted(len(sample) - 1, 'more difference')} like it." if len(sample) > 1 else ""
        return Markup("{} {}; {} {}.{}").format(left, ways[0], right, ways[1], more)
    if sides[0].kept != sides[1].kept:
        keeps, drops = (right, left) if sides[0].kept < sides[1].kept else (left, right)
        said = "Both find the same words; {} keeps the spaces with them, {} throws spaces away."
        return Markup(said).format(keeps, drops)
    return Markup("Both split this text in the same way{}.").format(_learnt(sides, both))


def _way(words: tuple[str, ...], glyph: str) -> Markup:
    """What a side makes of a segment of the text that the other splits differently."""
    if not words:
        return Markup("throws it away")
    shown = Markup(" ").join(chip(encode_text(word[:LONG_WORD]), 0, glyph) for word in words[:MOST_WORDS])
    shown += " …" if len(words) > MOST_WORDS or len(words[0]) > LONG_WORD else ""
    return Markup("keeps {} together" if len(words) == 1 else "splits it into {}").format(shown)


def _learnt(sides: Sides, both: SideBySide) -> str:
    """Whether two that split alike learn alike."""
    merges = [[merge.token for merge in side.run.merges] for side in sides]
    if merges[0] == merges[1]:
        return " and learn the same merges" if both.steps else "; it is too short to learn from"
    step = next((k for k, (a, b) in enumerate(zip(*merges, strict=False), 1) if a != b), min(map(len, merges)) + 1)
    return f", but from step {step:,} on they learn different merges"


def _cost(sides: Sides, tried: str) -> Markup:
    """What a side does not keep of the text that both were tried on; then its tokens, for each character it keeps."""
    left, right = map(_name, sides)
    kept = [side.held.kept for side in sides]
    each = [side.held.tokens[-1] / max(side.held.kept, 1) for side in sides]
    if not all(kept):
        said = Markup("there is nothing to count")
    elif abs(share := each[1] / each[0] - 1) < SAME:
        said = Markup("both need the same number of tokens")
    else:
        amount = f"{percent(abs(share))} {'more' if share > 0 else 'fewer'} tokens"
        said = Markup("{} needs {} than {}").format(right, amount, left)
    if all(kept) and kept[0] != kept[1]:
        said = "counting only the characters that each keeps, " + said
    left_out = beside(sides)
    on = Markup("On {}, ").format(tried)
    return on + (f"{left_out}. " + said[0].upper() + said[1:] if left_out else said) + "."


def beside(sides: Sides) -> str:
    """What the numbers of tokens leave out: what is thrown away, and what is unknown."""
    lost = [_lost(side) for side in sides if side.held.lost]
    new = [
        f"{side.title} does not know {counted(side.held.unknown, 'character')} of it"
        for side in sides
        if side.held.unknown
    ]
    return "; ".join(lost + new)


def _lost(side: Side) -> str:
    """How much of the held-out text a side throws away, and what follows from it."""
    held, settings = side.held, side.run.settings
    what = "" if settings.pretokenizer == CUSTOM else ", the white space"
    after = "cannot give the text back" if settings.word_marker == "none" else "puts one space between words instead"
    return f"{side.title} throws {held.lost:,} of {held.kept + held.lost:,} characters away{what}, and {after}"


def _name(side: Side) -> Markup:
    return Markup("<strong>{}</strong>").format(side.title)
