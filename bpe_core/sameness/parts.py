"""The parts of two tokenizers, side by side: in which they differ, and how."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import TypeVar

from bpe_core.sameness.composition import Composition, Name, Pair, Rules
from bpe_core.tokenizer.model_kinds import ModelKind

K = TypeVar("K")
Cell = bytes | str | int | float | None
Row = tuple[tuple[bytes, ...] | str, Cell, Cell]
ROWS = 20  # the most differences of a part that are listed


class PartState(StrEnum):
    """How a part of two tokenizers compares.

    `OTHERWISE`: the two files write the part in different ways, so that only texts can show a difference.
    """

    EQUAL = "equal"
    DIFFERENT = "different"
    OTHERWISE = "written otherwise"


@dataclass(frozen=True)
class TokenizerPart:
    """A part of two tokenizers. `about`: what differs, without an end; "" if the part is equal.

    `rows`: the first differences: what (the bytes of tokens, or a text), and its value on either side; None where a
    side lacks it. `text`: the shortest text found whose ids differ because of this part, see `Proofs`; None if there
    is none.
    """

    name: str
    state: PartState
    about: str = ""
    rows: tuple[Row, ...] = ()
    text: str | None = None


def compared(one: Composition, other: Composition) -> tuple[TokenizerPart, ...]:
    """Return the parts of two tokenizers: see `PARTS`."""
    return tuple(compare(one, other) for compare in PARTS.values())


def _part(name: str, rows: Iterable[Row], about: str = "", otherwise: bool = False) -> TokenizerPart:
    listed = tuple(rows)
    if not (listed or about):
        return TokenizerPart(name, PartState.EQUAL)
    return TokenizerPart(name, PartState.OTHERWISE if otherwise else PartState.DIFFERENT, about, listed[:ROWS])


def _model(one: Composition, other: Composition) -> TokenizerPart:
    return _part("model", _line_rows(one.model, other.model), "other options" if one.model != other.model else "")


def _line_rows(one: Sequence[str], other: Sequence[str]) -> Iterator[Row]:
    """Yield the lines in which two lists differ, side by side."""
    if one != other:
        yield from (("", left, right) for left, right in zip_longest(one, other) if left != right)


def _vocabulary(one: Composition, other: Composition) -> TokenizerPart:
    lacking, added, changed = differences(one.ids, other.ids)
    rows: list[Row] = [((name,), one.ids[name], other.ids[name]) for name in changed[:ROWS]]
    rows += [((name,), one.ids[name], None) for name in lacking[:ROWS]]
    rows += [((name,), None, other.ids[name]) for name in added[:ROWS]]
    named = [("with other ids", changed), ("only of the first", lacking), ("only of the second", added)]
    otherwise = [] if rows else _written_otherwise(one, other)
    rows += [(name, left, right) for name, left, right in otherwise[:ROWS]]
    return _part("vocabulary", _mixed(rows), _counts(*named, ("written otherwise", otherwise)))


def _written_otherwise(one: Composition, other: Composition) -> list[tuple[str, Cell, Cell]]:
    """Return the tokens that stand otherwise in two files of one format: with another kind, or under another name."""
    if one.format != other.format or not one.format:
        return []
    first, second = ({name: _in_file(side, name) for name in _names_in_file(side)} for side in (one, other))
    lacking, added, changed = differences(first, second)
    return [(name, first.get(name), second.get(name)) for name in (*changed, *lacking, *added)]


def _names_in_file(side: Composition) -> Iterable[str]:
    return side.pieces if side.format == "SentencePiece" else side.written


_TYPES = {1: "normal", 2: "unknown", 3: "control", 4: "user-defined", 5: "unused", 6: "byte"}  # of SentencePiece


def _in_file(side: Composition, name: str) -> str:
    """Return how a token stands in its file."""
    if side.format == "SentencePiece":
        return ", ".join(f"id {i}, {_TYPES.get(kind, kind)}" for i, _, kind in side.pieces[name])
    return ", ".join(f"id {i}" for i in side.written[name])


def _mixed(rows: list[Row]) -> list[Row]:
    """Return the first rows, with some of each kind: other values, only of one side, only of the other."""
    kinds: dict[tuple[bool, bool], list[Row]] = {}
    for row in rows:
        kinds.setdefault((row[1] is None, row[2] is None), []).append(row)
    most = ROWS // max(len(kinds), 1)
    return [row for kind in kinds.values() for row in kind[:most]]


def differences(one: Mapping[K, object], other: Mapping[K, object]) -> tuple[list[K], list[K], list[K]]:
    """Return the keys that only one side has, those that only the other has, and those whose values differ.

    >>> differences({"a": 1, "b": 2}, {"b": 3, "c": 4})
    (['a'], ['c'], ['b'])
    """
    lacking = [key for key in one if key not in other]
    added = [key for key in other if key not in one]
    changed = [key for key, value in one.items() if key in other and other[key] != value]
    return lacking, added, changed


def _counts(*found: tuple[str, Sequence[object]]) -> str:
    """Return counts in words.

    >>> _counts(("with other ids", [1, 2]), ("only of the first", []))
    '2 with other ids'
    """
    return ", ".join(f"{len(rows):,} {what}" for what, rows in found if rows)


def moved(one: Mapping[Pair, int], other: Mapping[Pair, int]) -> list[Pair]:
    """Return the fewest pairs without which the pairs of both sides are in the same order.

    >>> moved({(b"a", b"b"): 0, (b"b", b"c"): 1, (b"c", b"d"): 2}, {(b"b", b"c"): 0, (b"c", b"d"): 1, (b"a", b"b"): 2})
    [(b'a', b'b')]
    """
    common = sorted((rank, other[pair], pair) for pair, rank in one.items() if pair in other)
    stays = _longest_ascending([rank for _, rank, _ in common])
    return [pair for place, (_, _, pair) in enumerate(common) if place not in stays]


def _longest_ascending(ranks: Sequence[int]) -> set[int]:
    """Return the indexes of a longest part in which no rank is smaller than the one before.

    >>> sorted(_longest_ascending([0, 3, 1, 2, 2]))
    [0, 2, 3, 4]
    """
    ends: list[int] = []  # the smallest rank at which a part of each length ends
    places: list[int] = []  # the index of that rank
    before: list[int] = []  # for each index, the index before it in its part, or -1
    for index, rank in enumerate(ranks):
        size = bisect_right(ends, rank)
        before.append(places[size - 1] if size else -1)
        ends[size : size + 1] = [rank]
        places[size : size + 1] = [index]
    found, index = set(), places[-1] if places else -1
    while index >= 0:
        found.add(index)
        index = before[index]
    return found


def _merges(one: Composition, other: Composition) -> TokenizerPart:
    if ModelKind.BPE not in (one.tokenizer.model, other.tokenizer.model):
        return TokenizerPart("merges", PartState.EQUAL)
    if one.ranks_tokens != other.ranks_tokens:
        return _part("merges", (), "one file lists merges, the other ranks tokens", otherwise=True)
    lacking, added, _ = differences(one.merges, other.merges)
    other_rank = moved(one.merges, other.merges)
    rows: list[Row] = [(pair, one.merges[pair], other.merges[pair]) for pair in other_rank[:ROWS]]
    rows += [(pair, one.merges[pair], None) for pair in lacking[:ROWS]]
    rows += [(pair, None, other.merges[pair]) for pair in added[:ROWS]]
    about = _counts(
        ("in another place of the order", other_rank), ("only of the first", lacking), ("only of the second", added)
    )
    return _part("merges", _mixed(rows), about)


def _scores(one: Composition, other: Composition) -> TokenizerPart:
    rows: list[Row]
    if one.format == other.format == "SentencePiece":  # of BPE too, whose scores are the order of the merges
        pieces = [
            {name: ", ".join(str(score) for _, score, _ in found) for name, found in side.pieces.items()}
            for side in (one, other)
        ]
        names = differences(*pieces)[2]
        rows = [(name, pieces[0][name], pieces[1][name]) for name in names[:ROWS]]
        return _part("scores", rows, _counts(("other scores", names)))
    lists = [{name: side.tokenizer.scores.get(i) for name, i in side.ids.items()} for side in (one, other)]
    changed = differences(*lists)[2]
    rows = [((name,), lists[0][name], lists[1][name]) for name in changed[:ROWS]]
    return _part("scores", rows, _counts(("other scores", changed)))


def _rules(name: str, one: Rules, other: Rules) -> TokenizerPart:
    if one == other:
        return TokenizerPart(name, PartState.EQUAL)
    otherwise = one.written != other.written
    about = "in another notation" if otherwise else "other rules"
    return _part(name, _line_rows(one.rules, other.rules), about, otherwise)


def _split(one: Composition, other: Composition) -> TokenizerPart:
    found, sides = _rules("split", one.split, other.split), (one.split_in_file, other.split_in_file)
    if found.state is PartState.EQUAL and one.format == other.format == "tokenizer.json" and sides[0] != sides[1]:
        return _part("split", _line_rows(*sides), "the same split, made of other parts", otherwise=True)
    return found


def _names(one: Composition, other: Composition) -> TokenizerPart:
    sides = [_comparable(side.names, beside.names) for side, beside in ((one, other), (other, one))]
    lacking, added, changed = differences(*sides)
    rows: list[Row] = [(name, str(one.names[name]), str(other.names[name])) for name in changed[:ROWS]]
    rows += [(name, str(one.names[name]), None) for name in lacking[:ROWS]]
    rows += [(name, None, str(other.names[name])) for name in added[:ROWS]]
    about = _counts(("other", changed), ("only of the first", lacking), ("only of the second", added))
    return _part("special and added tokens", _mixed(rows), about)


def _comparable(names: Mapping[str, Name], beside: Mapping[str, Name]) -> dict[str, Name]:
    """Return the names without their flags where the other side's format has none."""
    return {
        key: name._replace(flags=None) if key in beside and beside[key].flags is None else name
        for key, name in names.items()
    }


def _around(one: Composition, other: Composition) -> TokenizerPart:
    sides = one.tokenizer.around, other.tokenizer.around
    rows: list[Row] = [("", one.around, other.around)] if sides != tuple(sides[:1] * 2) else []
    return _part("around a text", rows, "with add_special_tokens every text differs" if rows else "")


def _template(one: Composition, other: Composition) -> TokenizerPart:
    if one.template == other.template:
        return TokenizerPart("chat template", PartState.EQUAL)
    if not (one.template and other.template):
        here = "second" if not one.template else "first"
        return _part("chat template", (), f"only the {here} has one, or one that is known here")
    start = _first_difference(one.template, other.template)
    rows: list[Row] = [("", one.template[start : start + 80], other.template[start : start + 80])]
    return _part("chat template", rows, f"they differ from character {start:,} on")


def _first_difference(one: str, other: str) -> int:
    """Return the first index at which two texts differ.

    >>> _first_difference("abc", "abd"), _first_difference("ab", "abc")
    (2, 2)
    """
    return bisect_left(range(min(len(one), len(other))), True, key=lambda at: one[: at + 1] != other[: at + 1])


PARTS: dict[str, Callable[[Composition, Composition], TokenizerPart]] = {
    "model": _model,
    "vocabulary": _vocabulary,
    "merges": _merges,
    "scores": _scores,
    "normalization": lambda one, other: _rules("normalization", one.normalization, other.normalization),
    "split": _split,
    "special and added tokens": _names,
    "around a text": _around,
    "chat template": _template,
}
"""The parts that are compared, by name."""
