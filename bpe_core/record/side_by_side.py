"""Two runs on one corpus side by side: which words have different tokens after the same number of steps.

The runs may have different alphabets and pretokens. So their words are compared byte by byte. Each byte has the step
that removed the boundary before that byte. " the" in the left run and "the" in the right run:

    byte     t   h   e
    left     0   2   1       step that removed the boundary before the byte; 0 where the word begins
    right    0   1   2

After step 1 the boundaries with a larger step are left: t|he in the left run, th|e in the right run. The word differs.

Where the runs split the text into different words, the words are compared by their position in the text: see
`SideBySide.segments`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.record.record import Record
from bpe_core.text.aligned_splits import AlignedSegment, PlacedWords, segments
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.arrays import Indexes, Mask, Offsets, Steps, indexes_of, starts_of
from bpe_core.text.normalizers import normalize, normalized
from bpe_core.text.pretoken_arrays import pretoken_spans
from bpe_core.text.special_tokens import segments as special_segments

ALIGNED = 1_000_000  # characters of a text whose words are aligned by position


class SharedWords(NamedTuple):
    """The bytes of the words that both runs have, one word after the other.

    `begins`: where each word begins. `left`, `right`: for each byte, the step at which the left or right run removed
    the boundary before the byte; 0 where a word begins, and inside a character that is one symbol.
    """

    begins: Offsets
    left: Steps
    right: Steps


class SegmentWords(NamedTuple):
    """The words of both sides in a segment of the text; the white space around each word is left out."""

    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Two runs on one corpus. The shorter run stays at its last step while the longer run goes on.

    Of a run of several stages, give the record of one stage: another stage has other words.
    Words are compared without the white space around them and without their markers: "the" and " the" are one word.

    >>> from bpe_core import Settings, train
    >>> text = "my dog. your dog."
    >>> both = SideBySide(*(train(text, Settings(key, vocab_size=259)) for key in ("whitespace", "gpt2")))
    >>> [[run.pretokens[row] for row in rows] for run, rows in zip((both.left, both.right), both.differing(0))]
    [['dog.'], [' dog', '.']]
    """

    left: Record
    right: Record

    @property
    def unit(self) -> str:
        """The word for a segment: "line" if one of the runs splits the text into lines, else "word"."""
        units = {run.settings.splitter.unit for run in (self.left, self.right)}
        return "line" if "line" in units else "word"

    @property
    def steps(self) -> int:
        """How many steps the longer run has."""
        return max(self.left.steps, self.right.steps)

    @cached_property
    def _shared(self) -> tuple[Offsets, Offsets]:
        """The row numbers of the words that both runs have: in the left run and in the right run."""
        rows: dict[str, list[int]] = {}
        for i, word in enumerate(self.right.pretokens):
            rows.setdefault(bare(word), []).append(i)
        pairs = [(i, j) for i, word in enumerate(self.left.pretokens) for j in rows.get(bare(word), ())]
        shared = np.array(pairs, np.int64).reshape(-1, 2)
        return shared[:, 0], shared[:, 1]

    @cached_property
    def _by_byte(self) -> SharedWords:
        (begins, left), (_, right) = map(_lifetimes, (self.left, self.right), self._shared)
        return SharedWords(begins, left, right)

    def differing(self, step: int) -> tuple[Indexes, Indexes]:
        """Return which words differ after `step` merges: their row numbers in the left run and in the right run.

        A word differs if the other run does not have it, or has it with other boundaries.
        """
        sides = []
        begins, left, right = self._by_byte
        alike = _alike(left > min(step, self.left.steps), right > min(step, self.right.steps), begins)
        for run, rows in zip((self.left, self.right), self._shared, strict=True):
            differs = np.ones(len(run.pretokens), bool)
            differs[rows[alike]] = False
            sides.append(np.flatnonzero(differs))
        return sides[0], sides[1]

    @cached_property
    def segments(self) -> Counter[AlignedSegment]:
        """The segments of the text, counted. A segment ends where both runs begin or end a word.

            left:   my   dog.          your    dog.
            right:  my   ·dog   .     ·your   ·dog   .

        Of a text with more than `ALIGNED` characters only the beginning is counted. Raises `ValueError` for runs
        without their text.

        >>> from bpe_core import Settings, train
        >>> text = "my dog. your dog."
        >>> both = SideBySide(*(train(text, Settings(cut, vocab_size=259)) for cut in ("whitespace", "gpt2")))
        >>> [(*segment, count) for segment, count in both.segments.items()]
        [((0,), (0,), 1), ((1,), (1, 2), 2), ((2,), (3,), 1)]
        """
        one, other = self.left.settings, self.right.settings
        alike = (one.normalizers, one.special_tokens) == (other.normalizers, other.special_tokens)
        left, right = (_placed_words(run, traced=not alike) for run in (self.left, self.right))
        return segments(left, right, self.is_cut)

    @property
    def is_cut(self) -> bool:
        """Whether `segments` has only the beginning of the text."""
        return sum(map(len, self.left.texts or ())) > ALIGNED

    @cached_property
    def differences(self) -> Counter[SegmentWords]:
        """The segments in which the runs have different words, counted. White space around words is ignored.

        >>> from bpe_core import Settings, train
        >>> text = "my dog. your dog."
        >>> SideBySide(*(train(text, Settings(cut, vocab_size=259)) for cut in ("whitespace", "gpt2"))).differences
        Counter({SegmentWords(left=('dog.',), right=('dog', '.')): 2})
        """
        found: Counter[SegmentWords] = Counter()
        for segment, count in self.segments.items():
            found[self.words[segment]] += count
        return Counter({words: count for words, count in found.items() if words.left != words.right})

    @cached_property
    def words(self) -> dict[AlignedSegment, SegmentWords]:
        """The words of each segment, without white space around them and without words of white space."""
        left, right = ([word.strip() for word in run.pretokens] for run in (self.left, self.right))

        def bare_words(words: list[str], rows: tuple[int, ...]) -> tuple[str, ...]:
            return tuple([words[row] for row in rows if words[row]])

        return {
            segment: SegmentWords(bare_words(left, segment.left), bare_words(right, segment.right))
            for segment in self.segments
        }

    @cached_property
    def always_alike(self) -> set[tuple[int, int]]:
        """The words that both runs split alike at every step: (row number in the left run, in the right run)."""
        begins, left, right = self._by_byte
        columns = (*self._shared, _alike(left, right, begins))
        return {(i, j) for i, j, alike in zip(*(column.tolist() for column in columns), strict=True) if alike}


def _alike(left: Steps | Mask, right: Steps | Mask, begins: Offsets) -> Mask:
    """Return for each word whether all of its bytes have the same value in both runs; `begins`: where words begin."""
    if not len(begins):
        return np.zeros(0, bool)
    differs: Mask = np.logical_or.reduceat(np.append(left != right, False), begins)
    return ~differs


def _placed_words(record: Record, traced: bool) -> PlacedWords:
    """Return the words of a run in its text, or in the beginning of a long text.

    `traced`: whether the offsets count in the text before normalization, and not in the normalized text.
    """
    if record.texts is None:
        raise ValueError("the words' places need the text: train on it in memory with `train`, not on counts or files")
    row = {word: i for i, word in enumerate(record.pretokens)}
    words: list[tuple[int, int, int]] = []
    at = 0  # where a part begins
    for text in record.texts:
        for part, _, special in special_segments(text, record.settings.special_tokens):
            made = normalize(part[: max(ALIGNED - at, 0)], record.settings.normalizers) if traced else None
            whole = made.text if made else normalized(part, record.settings.normalizers)
            for start, end in () if special else pretoken_spans(whole, record.settings.splitter, ALIGNED - at):
                number = row.get(whole[start:end])
                if number is not None:  # else the end of a long text was cut off, inside this word
                    start, end = made.span(start, end) if made else (start, end)
                    words.append((at + start, at + end, number))
            at += len(part if traced else whole)
        at += 1  # no word goes on from one text to the next
    return PlacedWords(*np.array(words, np.int64).reshape(-1, 3).T)


def bare(word: str) -> str:
    """Strip the white space around a word; a word of nothing but white space stays as it is.

    >>> bare(" the"), bare("\\n\\n")
    ('the', '\\n\\n')
    """
    return word.strip() or word


def _lifetimes(record: Record, rows: Offsets) -> tuple[Offsets, Steps]:
    """Return where each bare word begins, and for each byte the step that removed the boundary before it.

    A bare word has neither its marker nor the white space around it.

    The words "dog" and " thé" in an alphabet of characters, after a word marker ▸:

        symbols       ▸  d  o  g   ▸  ␠  t  h  é
        sizes         1  1  1  1   1  1  1  1  2      in bytes
        offsets       0  1  2  3   4  5  6  7  8
        merged_at     ∞  ∞  1  2   ∞  ∞  5  3  7
        by_byte       ∞  ∞  1  2   ∞  ∞  5  3  7  0   0 inside a character
        left_out      1            2                  bytes of the marker and of white space
        removed          0  1  2         0  3  7  0   0 also where a word begins
        begins           0               3
    """
    lengths = record.flat.ends[rows] - record.flat.starts[rows]
    positions = indexes_of(record.flat.starts[rows], lengths)  # where all symbols are in the flat corpus
    sizes = np.array([len(token) for token in record.flat.tokens], np.int64)[record.flat.symbols[positions]]  # in bytes
    offsets = starts_of(sizes)
    by_byte = np.zeros(int(sizes.sum()), record.lifetimes.merged_at.dtype)
    by_byte[offsets] = record.lifetimes.merged_at[positions]

    # leave out the marker of each word and the white space around it
    marked = len(MARKER) if record.settings.word_marker == "start" else 0
    left_out = np.array([marked + _bytes_before(record.pretokens[row]) for row in rows.tolist()], np.int64)
    bare_sizes = np.array([len(encode_text(bare(record.pretokens[row]))) for row in rows.tolist()], np.int64)
    begins = starts_of(bare_sizes)
    words = offsets[starts_of(lengths)] if len(rows) else offsets
    removed = by_byte[indexes_of(words + left_out, bare_sizes)]
    removed[begins] = 0
    return begins, removed


def _bytes_before(word: str) -> int:
    """Count the bytes of the white space before a bare word."""
    return len(encode_text(word)) - len(encode_text(word.lstrip())) if word.strip() else 0
