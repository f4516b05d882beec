"""Two runs on one corpus side by side: which words have different tokens after the same number of steps.

The runs may have different alphabets and pretokens. So their words are compared byte by byte. Each byte has the step
that removed the boundary before it. " the" in the left run and "the" in the right run:

    byte     t   h   e
    left     0   2   1       step that removed the boundary before the byte; 0 where the word begins
    right    0   1   2

After step 1 the boundaries with a larger step are left: t|he in the left run, th|e in the right run. The word differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from bpe_core.record.run import Run
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.arrays import Indexes, Mask, Offsets, Steps, indexes_of, starts_of

NEAR = 200  # words before and after the same place, among which the parts of a word are searched


class SharedWords(NamedTuple):
    """The bytes of the words that both runs have, one word after the other.

    `begins`: where each word begins. `left`, `right`: for each byte the step at which that run removed the boundary
    before it; 0 where a word begins, and inside a character that is one symbol.
    """

    begins: Offsets
    left: Steps
    right: Steps


class WordRow(NamedTuple):
    """A word: its row number in the left run and in the right run, None where a run does not have it.

    `alike`: whether both runs have it and split it in the same way at every step.
    """

    left: int | None
    right: int | None
    alike: bool


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Two runs. A step after the end of the shorter run is its last step.

    Words are compared without the white space around them and without their markers: "the" and " the" are one word.

    >>> from bpe_core import Settings, train
    >>> text = "my dog. your dog."
    >>> both = SideBySide(*(train(text, Settings(key, vocab_size=259)) for key in ("whitespace", "gpt2")))
    >>> [[run.pretokens[row] for row in rows] for run, rows in zip((both.left, both.right), both.differing(0))]
    [['dog.'], [' dog', '.']]
    """

    left: Run
    right: Run

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
        """Return the row numbers, in the left run and in the right run, of the words that differ after `step` merges.

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
    def rows(self) -> list[WordRow]:
        """All words of both runs in reading order. A word that both runs have is one row.

            left:   my   dog.          your
            right:  my   ·dog   .     ·your

        >>> from bpe_core import Settings, train
        >>> text = "my dog. your dog."
        >>> both = SideBySide(*(train(text, Settings(cut, vocab_size=259)) for cut in ("whitespace", "gpt2")))
        >>> [(row.left, row.right) for row in both.rows]
        [(0, 0), (1, 1), (None, 2), (2, 3)]
        """
        partner: dict[int, tuple[int, bool]] = {}
        taken: set[int] = set()
        for i, j, alike in zip(*(column.tolist() for column in (*self._shared, self._always_alike)), strict=True):
            if i not in partner and j not in taken:
                partner[i] = j, alike
                taken.add(j)
        made: list[WordRow] = []
        alone: list[int] = []  # words of the left run since the last shared one
        done = 0  # words of the right run that have their row
        for i in range(len(self.left.pretokens)):
            if i not in partner:
                alone.append(i)
                continue
            j, alike = partner[i]
            made += _paired((self.left, self.right), alone, [row for row in range(done, j) if row not in taken])
            made.append(WordRow(i, j, alike))
            alone, done = [], max(done, j + 1)
        rest = [row for row in range(done, len(self.right.pretokens)) if row not in taken]
        return made + _paired((self.left, self.right), alone, rest)

    @cached_property
    def _always_alike(self) -> Mask:
        """For each shared word whether both runs split it in the same way at every step."""
        begins, left, right = self._by_byte
        return _alike(left, right, begins)


def _alike(left: Steps | Mask, right: Steps | Mask, begins: Offsets) -> Mask:
    """Return for each word whether all of its bytes have the same value in both runs; `begins`: where words begin."""
    if not len(begins):
        return np.zeros(0, bool)
    differs: Mask = np.logical_or.reduceat(np.append(left != right, False), begins)
    return ~differs


def _paired(runs: tuple[Run, Run], left: list[int], right: list[int]) -> list[WordRow]:
    """Return rows for words that one run lacks: a word, with words of the other run that contain it or are in it.

    Both runs have the same text, so only words at about the same place are searched.
    """
    words = [[bare(run.pretokens[row]) for row in rows] for run, rows in zip(runs, (left, right), strict=True)]
    other = dict(zip(right, words[1], strict=True))
    made: list[WordRow] = []
    for number, (i, word) in enumerate(zip(left, words[0], strict=True)):
        at = number * len(right) // len(left)
        near = [j for j in right[max(at - NEAR, 0) : at + NEAR] if j in other]
        found = [j for j in near if other[j] in word or word in other[j]]
        made += [WordRow(one, j, False) for one, j in zip_longest([i], found)]
        for j in found:
            del other[j]
    return made + [WordRow(None, j, False) for j in other]


def bare(word: str) -> str:
    """Strip the white space around a word; a word of nothing but white space stays as it is.

    >>> bare(" the"), bare("\\n\\n")
    ('the', '\\n\\n')
    """
    return word.strip() or word


def _lifetimes(run: Run, rows: Offsets) -> tuple[Offsets, Steps]:
    """Return where each bare word begins, and for each byte the step that removed the boundary before it.

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
    lengths = run.flat.ends[rows] - run.flat.starts[rows]
    positions = indexes_of(run.flat.starts[rows], lengths)  # of all symbols, in the flat corpus
    sizes = np.array([len(token) for token in run.flat.tokens], np.int64)[run.flat.symbols[positions]]  # in bytes
    offsets = starts_of(sizes)
    by_byte = np.zeros(int(sizes.sum()), run.film.merged_at.dtype)
    by_byte[offsets] = run.film.merged_at[positions]

    # leave out the marker of each word and the white space around it
    marked = len(MARKER) if run.settings.word_marker == "start" else 0
    left_out = np.array([marked + _bytes_before(run.pretokens[row]) for row in rows.tolist()], np.int64)
    bare_sizes = np.array([len(encode_text(bare(run.pretokens[row]))) for row in rows.tolist()], np.int64)
    begins = starts_of(bare_sizes)
    words = offsets[starts_of(lengths)] if len(rows) else offsets
    removed = by_byte[indexes_of(words + left_out, bare_sizes)]
    removed[begins] = 0
    return begins, removed


def _bytes_before(word: str) -> int:
    """Count the bytes of the white space before a bare word."""
    return len(encode_text(word)) - len(encode_text(word.lstrip())) if word.strip() else 0
