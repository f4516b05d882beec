"""The sentences about two trainings on one text: how each splits it, what it cannot merge, and what it costs."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from bpe_core import PairCount
from bpe_core.display.html import chip
from bpe_core.display.in_words import counted, times
from bpe_core.record.side_by_side import SideBySide
from bpe_core.settings import CUSTOM
from bpe_core.text.alphabet import encode_text
from bpe_core.text.split_difference import SplitDifference
from pages.parts.compare.sides import SAMPLE, Side, Sides
from pages.parts.views.sentences import percent

Differences = Counter[SplitDifference]
LONG_WORD, MOST_WORDS = 40, 6  # in a sentence: characters of a word, words of a difference
SAME = 0.0005  # numbers of tokens are called the same if their ratio is closer to 1 than this


def split_window(sides: Sides, length: int) -> str:
    """Return how to read the two splits of a text of `length` characters."""
    note = "The small word in each pretoken names the rule that made it."
    if any(side.loses and side.characters < length for side in sides):
        note += " A dashed frame holds what is thrown away."
    if all(side.run.settings.word_marker == "none" for side in sides):
        note += " Unlike on the Train page, no _ marks the end of a word (see More settings)."
    if length > SAMPLE:
        note += f" These are the first {SAMPLE:,} characters; the figures count all."
    return note


def blocked_sentence(side: Side, other: Side, step: int, pairs: list[PairCount]) -> Markup:
    """Return a sentence in HTML about the first of `pairs`, the most frequent pairs that a side cannot merge."""
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
    sentence = Markup("{} never joins {} and {}, though the two meet {}").format(
        name, chip(left, 0, side.glyph), chip(right, 0, side.glyph), times(count)
    )
    counts = side.run.pair_counts(side.at(step), 1)
    if not counts:
        sentence += "; no pair is left that it can join"
    elif count > counts[0].count:
        sentence += f"; the best pair that it can join is seen {times(counts[0].count)}"
    learnt = other.step_of(left + right, step)
    if learnt:
        sentence += f"; {other.title} learnt the token at step {learnt:,}"
    return sentence + "."


def result(sides: Sides, both: SideBySide, sample: Differences, tried: str) -> tuple[Markup, Markup]:
    """Return two sentences in HTML, the result of the comparison: how the sides split, what the held-out text costs.

    `sample`: how often each difference of the splits occurs in the text or its beginning. `tried`: the name of the
    held-out text.
    """
    return _splits(sides, both, sample), _cost(sides, tried)


def _splits(sides: Sides, both: SideBySide, sample: Differences) -> Markup:
    """Return the most frequent difference of the splits; if there is none, what each side does with spaces.

    A difference with letters goes before all others.
    """
    left, right = map(_name, sides)
    if sample:
        difference = max(sample, key=lambda found: (any(map(str.isalpha, "".join(sum(found, ())))), sample[found]))
        ways = [_way(words, side.glyph) for words, side in zip(difference, sides, strict=True)]
        more = f" {counted(len(sample) - 1, 'more difference')} like it." if len(sample) > 1 else ""
        return Markup("{} {}; {} {}.{}").format(left, ways[0], right, ways[1], more)
    if sides[0].characters != sides[1].characters:
        keeps, drops = (right, left) if sides[0].characters < sides[1].characters else (left, right)
        sentence = "Both find the same words; {} keeps the spaces with them, {} throws spaces away."
        return Markup(sentence).format(keeps, drops)
    return Markup("Both split this text in the same way{}.").format(_learnt(sides, both))


def _way(words: tuple[str, ...], glyph: str) -> Markup:
    """Return how a side splits a segment of the text; `words`: the side's pretokens of it."""
    if not words:
        return Markup("throws it away")
    shown = Markup(" ").join(chip(encode_text(word[:LONG_WORD]), 0, glyph) for word in words[:MOST_WORDS])
    shown += " …" if len(words) > MOST_WORDS or len(words[0]) > LONG_WORD else ""
    return Markup("keeps {} together" if len(words) == 1 else "splits it into {}").format(shown)


def _learnt(sides: Sides, both: SideBySide) -> str:
    """Return, in words, whether two sides with the same split also learn the same merges."""
    merges = [[merge.token for merge in side.run.merges] for side in sides]
    if merges[0] == merges[1]:
        return " and learn the same merges" if both.steps else "; it is too short to learn from"
    step = next((k for k, (a, b) in enumerate(zip(*merges, strict=False), 1) if a != b), min(map(len, merges)) + 1)
    return f", but from step {step:,} on they learn different merges"


def _cost(sides: Sides, tried: str) -> Markup:
    """Return which side needs fewer tokens of the held-out text for each character that its split keeps.

    The sentence begins with what the numbers of tokens leave out.
    """
    left, right = map(_name, sides)
    characters = [side.cost.kept for side in sides]
    each = [side.cost.tokens[-1] / max(side.cost.kept, 1) for side in sides]
    if not all(characters):
        sentence = Markup("there is nothing to count")
    elif abs(share := each[1] / each[0] - 1) < SAME:
        sentence = Markup("both need the same number of tokens")
    else:
        amount = f"{percent(abs(share))} {'more' if share > 0 else 'fewer'} tokens"
        sentence = Markup("{} needs {} than {}").format(right, amount, left)
    if all(characters) and characters[0] != characters[1]:
        sentence = "counting only the characters that each keeps, " + sentence
    left_out = uncounted(sides)
    on = Markup("On {}, ").format(tried)
    return on + (f"{left_out}. " + sentence[0].upper() + sentence[1:] if left_out else sentence) + "."


def uncounted(sides: Sides) -> str:
    """Return what the numbers of tokens leave out: the characters that a side throws away or does not know."""
    lost = [_lost(side) for side in sides if side.cost.lost]
    new = [
        f"{side.title} does not know {counted(side.cost.unknown, 'character')} of it"
        for side in sides
        if side.cost.unknown
    ]
    return "; ".join(lost + new)


def _lost(side: Side) -> str:
    """Return how much of the held-out text a side throws away, and how that changes the decoded text."""
    cost, settings = side.cost, side.run.settings
    what = "" if settings.pretokenizer == CUSTOM else ", the white space"
    after = "cannot give the text back" if settings.word_marker == "none" else "puts one space between words instead"
    return f"{side.title} throws {cost.lost:,} of {cost.kept + cost.lost:,} characters away{what}, and {after}"


def _name(side: Side) -> Markup:
    return Markup("<strong>{}</strong>").format(side.title)
