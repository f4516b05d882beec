"""Whether a text whose ids differ shows the difference of one part, and not that of another.

part                        the text shows it if
special and added tokens    it contains a name that differs, and the rest of it has the same ids on both sides
split                       its pretokens have other ends
normalization               its tokens have other bytes, and none of it is lost
vocabulary                  it has a token that one side lacks, or that has another id there
merges, scores              its pretokens are the same, and have other tokens, or are lost on one side only
model                       the same, if its tables are equal; else it is lost on one side only
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from bpe_core.files.format import FormatError
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import differences
from bpe_core.text.rules import PatternError
from bpe_core.text.special_tokens import segments
from bpe_core.tokenizer.encoding import Encoding


@dataclass(eq=False)
class Proofs:
    """What texts show of the differences between two tokenizers."""

    one: Composition
    other: Composition

    def shows(self, part: str, text: str, specials: bool) -> bool:
        """Return whether a text shows the difference of a part. `text`: one whose ids differ."""
        try:
            return _SHOWS[part](self, text, specials) if part in _SHOWS else False
        except (FormatError, PatternError, ValueError):  # a side refuses the text, so that only its ids are known
            return False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The special and added tokens that differ."""
        lacking, added, changed = differences(self.one.names, self.other.names)
        return tuple(sorted((*lacking, *added, *changed), key=len, reverse=True))

    @cached_property
    def tokens(self) -> frozenset[bytes]:
        """The tokens that one side lacks, or that have other ids."""
        return frozenset().union(*differences(self.one.ids, self.other.ids))

    def encodings(self, text: str, specials: bool) -> tuple[Encoding, Encoding]:
        """Return the tokens of a text on both sides."""
        one, other = (side.tokenizer.encode(text, specials=specials) for side in (self.one, self.other))
        return one, other


def _names(proofs: Proofs, text: str, specials: bool) -> bool:
    names = tuple(name for name in proofs.names if name in text)
    if not (names and specials):
        return False
    rest = [piece for piece, _, name in segments(text, names) if not name]
    sides = [side.tokenizer.ids_batch(rest, specials=specials) for side in (proofs.one, proofs.other)]
    return [*map(list, sides[0])] == [*map(list, sides[1])]


def _split(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = ([each.text for each in side.pretokens] for side in proofs.encodings(text, specials))
    return one != other and "".join(one) == "".join(other)


def _normalization(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = proofs.encodings(text, specials)
    return not any((*one.lost, *other.lost)) and b"".join(one.tokens) != b"".join(other.tokens)


def _vocabulary(proofs: Proofs, text: str, specials: bool) -> bool:
    sides = zip((proofs.one, proofs.other), proofs.encodings(text, specials), strict=True)
    return any(side.bytes_of.get(i) in proofs.tokens for side, encoding in sides for i in encoding.ids)


def _merging(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = proofs.encodings(text, specials)
    if [each.text for each in one.pretokens] != [each.text for each in other.pretokens]:
        return False
    return any(one.lost) != any(other.lost) or one.tokens != other.tokens


def _model(proofs: Proofs, text: str, specials: bool) -> bool:
    """Of models whose tables differ too, only a text that is lost on one side shows the options."""
    one, other = proofs.encodings(text, specials)
    has_other_tables = proofs.one.merges != proofs.other.merges or bool(proofs.tokens)
    return any(one.lost) != any(other.lost) or (not has_other_tables and _merging(proofs, text, specials))


_SHOWS: dict[str, Callable[[Proofs, str, bool], bool]] = {
    "special and added tokens": _names,
    "split": _split,
    "normalization": _normalization,
    "vocabulary": _vocabulary,
    "merges": _merging,
    "scores": _merging,
    "model": _model,
}
