"""The sentences about two trainings on one text: how each splits the text, and which pairs it cannot merge."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from bpe_core import PairCount
from bpe_core.pictures.paper.html import chip, held
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.record.side_by_side import ALIGNED, SegmentWords, SideBySide
from bpe_core.text.alphabet import encode_text
from bpe_core.text.beginnings import shared_beginning
from bpe_core.text.in_words import counted, times
from pages.parts.compare.sides import SAMPLE, ComparedRun, Sides, distinct

LONG_WORD, MOST_WORDS = 40, 6  # the most characters of a word, and the most words of a side, in a sentence


def split_window(sides: Sides, length: int, drawn: Sequence[str]) -> str:
    """Return what the drawing of both sides' splits shows, or "".

    `length`: how many characters the text has. `drawn`: the text of each side, after its normalizers.
    """
    notes = []
    if any(side.loses and side.characters < length for side in sides):
        notes.append("Dashed: thrown away.")
    if any("\t" in text[:SAMPLE] for text in drawn):
        notes.append(MARKS["\t"] + " is a tab.")
    if length > SAMPLE:
        notes.append(f"These are the first {SAMPLE:,} of {length:,} characters; the figures count all {length:,}.")
    return " ".join(notes)


def about_rules(sides: Sides) -> str:
    """Return how to use the list of a split's rules."""
    note = "Point at a rule, or tap it, to mark its pretokens."
    if all(side.stage.settings.word_marker == "none" for side in sides):
        note += " No _ marks the end of a word here (see More settings)."
    return note


def made(side: ComparedRun, step: int, spaces: bool) -> str:
    """Return how many tokens the merges of a side have made, and how many are within words or differ; "" if all.

    `spaces`: see `sides.vocabularies`.
    """
    tokens = side.made(step)
    sentence, texts = f"{side.title} has made {counted(len(tokens), 'token')}", len(distinct(tokens, spaces))
    if texts == len(tokens) and not side.made_before:
        return ""
    if side.made_before:
        sentence += f", {len(side.made_before):,} of them within words"
    return f"{sentence}." if texts == len(tokens) else f"{sentence}, {texts:,} of them different but for their spaces."


def blocked_sentence(side: ComparedRun, other: ComparedRun, step: int, pairs: list[PairCount]) -> Markup:
    """Return, in HTML, a sentence about the first of `pairs`.

    `pairs`: the pairs that `side` cannot merge, the most frequent first.
    """
    name = _name(side)
    if not pairs:
        several = int(side.stage.pretoken_counts.sum()) > 1
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
    counts = side.stage.pair_counts(side.at(step), 1)
    if not counts:
        sentence += "; no pair is left that it can join"
    elif count > counts[0].count:
        sentence += f"; the best pair that it can join is seen {times(counts[0].count)}"
    learnt = other.step_of(left + right, step)
    if learnt:
        sentence += f"; {other.title} learnt the token at step {learnt:,}"
    return sentence + "."


def splits(sides: Sides, both: SideBySide) -> Markup:
    """Return, in HTML, the most frequent difference between the splits, and how many differences the text has.

    A difference that has letters goes before all others. If the splits do not differ, return what each side does with
    spaces.
    """
    left, right = map(_name, sides)
    if found := both.differences:
        first = max(found, key=lambda words: (any(map(str.isalpha, "".join(words.left + words.right))), found[words]))
        return _ways(first, sides) + _how_many(both)
    if not both.segments:
        return Markup("This text is too long to say where the splits differ.")
    if sides[0].characters != sides[1].characters:
        keeps, drops = (right, left) if sides[0].characters < sides[1].characters else (left, right)
        sentence = "Both find the same words; {} keeps the spaces with them, {} throws spaces away."
        return Markup(sentence).format(keeps, drops)
    return Markup("Both split this text in the same way{}.").format(_learnt(sides, both))


def _how_many(both: SideBySide) -> str:
    """Return a sentence on how many differences there are; "" if there is only one difference."""
    if len(both.differences) == 1:
        return ""
    where = f"In its first {ALIGNED:,} characters" if both.is_cut else "In all"
    number = counted(len(both.differences), both.unit)
    total = both.differences.total()
    often = f", {total:,} times" if total > len(both.differences) else ""
    return f" {where}, {number} {'are' if len(both.differences) > 1 else 'is'} split differently{often}."


def _ways(words: SegmentWords, sides: Sides) -> Markup:
    """Return, in HTML, how the sides split a segment of the text. A side that keeps the segment together is first."""
    ways = sorted(zip(words, sides, strict=True), key=lambda way: (len(way[0]) != 1, not way[0]))
    (some, one), (others, other) = ways
    whole = len(some) == 1
    first = "keeps {} together" if whole else "makes {}"
    second = "cuts it into {}" if whole and len(others) > 1 else "keeps {} together" if whole else "makes {}"
    if not others:
        second = "throws it away" if whole else "throws them away"
    stop = "." if second.endswith("}") else ""  # the words are the end of the sentence
    shown = _shown(some, one), _shown(others, other, stop)
    return Markup(f"{{}} {first}; {{}} {second}{'' if stop else '.'}").format(
        _name(one), shown[0], _name(other), shown[1]
    )


def _shown(words: tuple[str, ...], side: ComparedRun, stop: str = "") -> Markup:
    """Return the words of a side as chips, at most `MOST_WORDS` of them, and the stop after them."""
    *shown, last = (chip(encode_text(word[:LONG_WORD]), 0, side.glyph) for word in words[:MOST_WORDS] or ("",))
    cut = len(words) > MOST_WORDS or any(len(word) > LONG_WORD for word in words[:1])
    return Markup(" ").join([*shown, last + f" …{stop}" if cut else held(last, stop) if stop else last])


def _learnt(sides: Sides, both: SideBySide) -> str:
    """Return, in words, whether two sides with the same split also learn the same merges."""
    merges = [[merge.token for merge in side.stage.merges] for side in sides]
    if merges[0] == merges[1]:
        return " and learn the same merges" if both.steps else "; it is too short to learn from"
    if not all(merges):
        idle, other = sides if not merges[0] else sides[::-1]
        return f", but {idle.title} learns no merge, and {other.title} learns {both.steps:,}"
    step = shared_beginning(*merges) + 1
    return f", but from step {step:,} on they learn different merges"


def _name(side: ComparedRun) -> Markup:
    return Markup("<strong>{}</strong>").format(side.title)
