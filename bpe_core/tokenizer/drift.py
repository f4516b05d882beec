"""Drift: ids whose text gets other ids when it is encoded again.

A model may write a text in other tokens than its tokenizer does. Such ids decode to the text, but the text does not
encode to them. The two lists of ids are laid over the same bytes, and cut wherever both have a boundary. With Qwen's
vocabulary:

    text        a Pantom
    given      |a| Pant|om|          ids 64 53122 316
    own        |a| P|antom|          ids 64 393 30002
    region        |-------|          ids 1 and 2 of both lists

Encoding splits the text first, and then merges within pretokens, in the order of training. A region has the first of
these reasons that applies:

    BYTES       the given ids have other bytes than the ids that the tokenizer writes: bytes that are no text, or text
                that the tokenizer changes
    SPECIAL     encoding reads the name of a special token, which the given ids spell
    SPLIT       a given token lies across a boundary between pretokens
    MERGE       encoding does a merge across a boundary that the given ids keep; the earliest is named
    MODEL       no merge decides: the model has none, or merges never make the given token of its own bytes
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from bpe_core import shortcuts
from bpe_core.text.arrays import Mask, Offsets
from bpe_core.text.beginnings import shared_beginning
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.checks import whole_numbers
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.vocabulary import Vocabulary

BYTES, SPECIAL, SPLIT, MERGE, MODEL = "bytes", "special", "split", "merge", "model"
_PIECES = "bpe_core: pieces that are no UTF-8"  # the name under which Python knows `_surrogate`
_NO_BYTES = 0xDC00  # the surrogate for a piece of no bytes; the surrogates after it are for pieces of 1, 2 and 3 bytes
_REPLACED = 3  # bytes of U+FFFD, which each piece becomes


class Region(NamedTuple):
    """A part of the text in which two lists of ids differ.

    `given`, `own`: the part's ids in both lists, as (start, end). `why`: a reason from the table of the module. `step`:
    the step of the merge, if the reason is MERGE. `at`: the index of an own id, if the reason is SPECIAL or SPLIT: of
    the special token, or of the token that begins at the boundary.
    """

    given: tuple[int, int]
    own: tuple[int, int]
    why: str
    step: int | None = None
    at: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """A list of ids beside the ids that the same text gets; made by `Tokenizer.drift`.

    `given`: the list of ids. `encoding`: the tokens of the ids' text.
    """

    tokenizer: Tokenizer
    given: tuple[int, ...]
    encoding: Encoding

    def __repr__(self) -> str:
        """Return how many regions differ."""
        count = len(self.regions)
        differ = "no region differs" if not count else "1 region differs" if count == 1 else f"{count:,} regions differ"
        return f"<Drift of {len(self.given):,} ids: {differ}>"

    _repr_html_ = shortcuts.in_notebook

    @property
    def text(self) -> str:
        """The text of the given ids."""
        return self.encoding.text

    @property
    def own(self) -> tuple[int, ...]:
        """The ids that the tokenizer writes for the text."""
        return self.encoding.ids

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The parts of the text in which the two lists differ, from the first to the last."""
        return tuple(self._differing()) if self.given != self.own else ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why each region differs, as a sentence.

        >>> from bpe_core import load
        >>> load("qwen").drift([64, 53122, 316]).reasons
        ("merge 29,747 makes 'antom', across a boundary that these ids keep",)
        """
        rows = (reason(self, region) for region in self.regions)
        return tuple("".join(part if isinstance(part, str) else repr(_drawn(part)) for part in row) for row in rows)

    def _differing(self) -> Iterator[Region]:
        given, own = _ends(self.tokenizer, self.given), _ends(self.tokenizer, self.own)
        raw, written = (b"".join(map(self.tokenizer.token_bytes, ids)) for ids in (self.given, self.own))
        pieces: set[int] = set()
        shared = np.intersect1d(given, own)
        if raw != written:
            if raw.decode("utf-8", "replace").encode() != written:
                yield self._between_the_same()
                return
            given, is_whole, pieces = _in_text(raw, given)
            shared = np.intersect1d(given[is_whole], own)
        cuts, own_cuts = ([0, *(np.searchsorted(ends, shared) + 1).tolist()] for ends in (given, own))
        for span, own_span, (start, end) in zip(
            pairwise(cuts), pairwise(own_cuts), pairwise([0, *shared.tolist()]), strict=True
        ):
            if self.given[slice(*span)] != self.own[slice(*own_span)]:
                if not pieces.isdisjoint(range(start, end)):
                    yield Region(span, own_span, BYTES)
                else:
                    kept = {at - start for at in given[slice(*span)].tolist()}
                    yield self._explained(Region(span, own_span, MODEL), kept)

    def _explained(self, region: Region, kept: set[int]) -> Region:
        """Return a region with its reason. `kept`: where its given ids end, in bytes from the region's beginning."""
        first, end = region.own
        for at in range(first, end):
            if self.own[at] in self.tokenizer.vocabulary.special_names:
                return region._replace(why=SPECIAL, at=at)
        for at in range(first + 1, end):
            if at in self._begin_pretokens:
                return region._replace(why=SPLIT, at=at)
        steps, start = [], 0
        for token_id in self.own[first:end]:
            steps += [step for at, step in _merged_inside(self.tokenizer.vocabulary, token_id) if start + at in kept]
            start += len(self.tokenizer.token_bytes(token_id))
        return region._replace(why=MERGE, step=min(steps)) if steps else region

    @cached_property
    def _begin_pretokens(self) -> frozenset[int]:
        """The indexes of the own ids that begin a pretoken, but the first."""
        return frozenset(accumulate(map(len, self.encoding.words)))

    def _between_the_same(self) -> Region:
        """Return the region between the ids that begin both lists and the ids that end both lists."""
        most = min(len(self.given), len(self.own))
        before = shared_beginning(self.given, self.own)
        after = min(shared_beginning(self.given[::-1], self.own[::-1]), most - before)
        return Region((before, len(self.given) - after), (before, len(self.own) - after), BYTES)


def drift(tokenizer: Tokenizer, ids: Iterable[int]) -> Drift:
    """Return a list of ids beside the ids that the same text gets; see `Tokenizer.drift`."""
    given = tuple(whole_numbers(ids, tokenizer.vocab_size - 1))
    return Drift(tokenizer, given, tokenizer.encode(tokenizer.decode(given), specials=True))


def _drawn(token: bytes) -> str:
    return token.decode("utf-8", "replace")


def lacking(tokenizer: Tokenizer, ids: Iterable[int]) -> list[int]:
    """Return the different ids that a vocabulary does not have, in order of first sight.

    >>> from bpe_core import load
    >>> lacking(load("gpt2"), [15496, 60000, -100, 60000])
    [60000, -100]
    """
    return [token_id for token_id in dict.fromkeys(ids) if tokenizer.id_to_token(token_id) is None]


def _ends(tokenizer: Tokenizer, ids: Iterable[int]) -> Offsets:
    """Return the end of each id in the bytes of all."""
    size = lru_cache(maxsize=None)(lambda token_id: len(tokenizer.token_bytes(token_id)))
    return np.cumsum(np.fromiter(map(size, ids), np.int64))


def _merged_inside(vocabulary: Vocabulary, token_id: int) -> Iterable[tuple[int, int]]:
    """Return (offset in bytes, step that removed it) for each boundary inside a token."""
    made = vocabulary.made(token_id)
    if token_id in vocabulary.special_names or not made or not made.inside:
        return ()
    sizes = np.maximum(vocabulary.base.sizes_and_ids(token_id)[0], 1)  # a word marker is a byte of its token
    return zip(np.cumsum(sizes).tolist(), made.inside, strict=False)


def _surrogate(error: UnicodeError) -> tuple[str, int]:
    """Return a lone surrogate, which UTF-8 never has, for a piece that is no UTF-8. It tells the size of the piece."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return chr(_NO_BYTES + error.end - error.start), error.end


codecs.register_error(_PIECES, _surrogate)


def _in_text(raw: bytes, ends: Offsets) -> tuple[Offsets, Mask, set[int]]:
    r"""Convert offsets in bytes to offsets in their text, in which U+FFFD is for each piece that is no UTF-8.

        raw     61 F0 9F 62          "a", half a bird, "b": F0 9F is a piece
        text    61 EF BF BD 62       U+FFFD is three bytes
        ends    1 2 3 4              become 1, 3, 4 and 5; the second is inside the piece

    Return the offsets, whether each is outside of the pieces, and where the pieces begin in the text.

    >>> ends, is_whole, pieces = _in_text(b"a\xf0\x9fb", np.array([1, 2, 3, 4]))
    >>> ends.tolist(), is_whole.tolist(), pieces
    ([1, 3, 4, 5], [True, False, True, True], {1})
    """
    codes = np.frombuffer(raw.decode("utf-8", _PIECES).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    is_piece = (codes > _NO_BYTES) & (codes <= _NO_BYTES + _REPLACED)
    sizes = np.where(is_piece, codes - _NO_BYTES, 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF))
    size_in_text = np.where(is_piece, _REPLACED, sizes)
    ends_here, ends_there = np.cumsum(sizes), np.cumsum(size_in_text)
    character = np.searchsorted(ends_here, ends)  # the character or piece in which each offset is, or at whose end
    left = ends_here[character] - ends
    is_whole = (left == 0) | ~is_piece[character]
    return ends_there[character] - left, is_whole, set((ends_there - size_in_text)[is_piece].tolist())


def summary(drift: Drift, name: str = "the tokenizer") -> str:
    """Return whether a list of ids is what the tokenizer writes. `name`: what to call the tokenizer.

    >>> from bpe_core import load
    >>> summary(load("qwen").drift([64, 53122, 316])), summary(load("qwen").drift([64]))
    ('These 3 ids are not what the tokenizer writes: 1 region differs.', 'This id is what the tokenizer writes.')
    """
    count, regions = len(drift.given), len(drift.regions)
    if not count:
        return "There are no ids."
    ids = "This id is" if count == 1 else f"These {count:,} ids are"
    if not regions:
        return f"{ids} what {name} writes."
    return f"{ids} not what {name} writes: {counted(regions, 'region differs', 'regions differ')}."


def reason(drift: Drift, region: Region) -> list[str | bytes]:
    """Return why a region differs, as a sentence with tokens in it.

    >>> from bpe_core import load
    >>> found = load("qwen").drift([64, 53122, 316])
    >>> reason(found, found.regions[0])
    ['merge 29,747 makes ', b'antom', ', across a boundary that these ids keep']
    """
    vocabulary = drift.tokenizer.vocabulary
    ids, keep, go, spell = "these ids", "keep", "go", "spell"
    if len(drift.given) == 1:
        ids, keep, go, spell = "this id", "keeps", "goes", "spells"
    if region.why == MERGE and region.step:
        token = vocabulary.drawn_bytes(vocabulary.merges[region.step - 1][2])
        return [f"merge {region.step:,} makes ", token, f", across a boundary that {ids} {keep}"]
    if region.why == SPLIT and region.at:
        return [
            "the text is split before ",
            vocabulary.drawn_bytes(drift.own[region.at]),
            f", and {ids} {go} across",
        ]
    if region.why == SPECIAL and region.at is not None:
        return [f"{ids} {spell} the special token ", vocabulary.token_bytes(drift.own[region.at])]
    if region.why == BYTES:
        try:
            b"".join(map(vocabulary.token_bytes, drift.given[slice(*region.given)])).decode()
        except UnicodeDecodeError:
            return ["a part of a character is no text: decoding writes � for it"]
        return [f"the tokenizer writes other bytes for the text of {ids}"]
    if not drift.tokenizer.model.has_merges:
        return [f"{drift.tokenizer.model} takes other tokens for these bytes"]
    return ["the merges make other tokens of these bytes"]
