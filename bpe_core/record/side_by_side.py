"""Two runs on one corpus beside each other: which words have different tokens after the same number of steps.

The runs may have different alphabets and pretokens. So the words that both have are laid out byte after byte, and for
each byte both runs say when the boundary before it fell. " the" on the left and "the" on the right:

    byte     t   h   e
    left     0   2   1       step that removed the boundary before the byte; 0 where the word begins
    right    0   1   2

After step 1 the boundaries with a larger step stand: t|he on the left, th|e on the right, so the word differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from bpe_core.record.run import Run
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.arrays import indexes_of, starts_of

NEAR = 200  # words before and behind among which a word's parts are looked for


class SharedWords(NamedTuple):
    """The words that both runs have, laid out byte after byte.

    `begins`: where each word begins. `left`, `right`: for each byte the step at which that run removed the boundary
    before it; 0 where a word begins, and inside a character that is one symbol.
    """

    begins: np.ndarray
    left: np.ndarray
    right: np.ndarray


class WordRow(NamedTuple):
    """A word of both runs: its row numbers there, None where a run does not have it.

    `alike`: whether both have it and split it in the same way at every step.
    """

    left: int | None
    right: int | None
    alike: bool


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Two recorded runs. A step beyond the end of the shorter one means its end.

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
    def _shared(self) -> tuple[np.ndarray, np.ndarray]:
        """Row numbers of the words that both have, each pair of them: in the left run, in the right one."""
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

    def differing(self, step: int) -> tuple[np.ndarray, np.ndarray]:
        """Row numbers, in the left run and in the right, of the words that differ after `step` merges.

        These are the words that the other run lacks, or has with boundaries elsewhere.
        """
        sides = []
        begins, *removed = self._by_byte
        one, other = (at > min(step, run.steps) for at, run in zip(removed, (self.left, self.right), strict=True))
        alike = _alike(one, other, begins)
        for run, rows in zip((self.left, self.right), self._shared, strict=True):
            differs = np.ones(len(run.pretokens), bool)
            differs[rows[alike]] = False
            sides.append(np.flatnonzero(differs))
        return sides[0], sides[1]

    @cached_property
    def rows(self) -> list[WordRow]:
        """All words, those of both runs in one row, the others where they are first seen between those.

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
        behind = 0  # words of the right run up to here have their row
        for i in range(len(self.left.pretokens)):
            if i not in partner:
                alone.append(i)
                continue
            j, alike = partner[i]
            made += _beside((self.left, self.right), alone, [row for row in range(behind, j) if row not in taken])
            made.append(WordRow(i, j, alike))
            alone, behind = [], max(behind, j + 1)
        rest = [row for row in range(behind, len(self.right.pretokens)) if row not in taken]
        return made + _beside((self.left, self.right), alone, rest)

    @cached_property
    def _always_alike(self) -> np.ndarray:
        """For each shared word whether both runs split it in the same way at every step."""
        begins, left, right = self._by_byte
        return _alike(left, right, begins)


def _alike(one: np.ndarray, other: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """For each word whether all of its bytes have the same value on both sides; `begins`: where each word begins."""
    differs = np.append(one != other, False)
    return ~np.logical_or.reduceat(differs, begins) if len(begins) else np.zeros(0, bool)


def _beside(runs: tuple[Run, Run], left: list[int], right: list[int]) -> list[WordRow]:
    """Words that only one run has: each beside those of the other that it holds or that hold it, the others alone.

    Of many words only those about as far on in the other run are looked at: to hold one of these is likely.
    """
    words = [[bare(run.pretokens[row]) for row in rows] for run, rows in zip(runs, (left, right), strict=True)]
    other, made = dict(zip(right, words[1], strict=True)), []
    for number, (i, word) in enumerate(zip(left, words[0], strict=True)):
        at = number * len(right) // len(left)
        near = [j for j in right[max(at - NEAR, 0) : at + NEAR] if j in other]
        held = [j for j in near if other[j] in word or word in other[j]]
        made += [WordRow(one, j, False) for one, j in zip_longest([i], held)]
        for j in held:
            del other[j]
    return made + [WordRow(None, j, False) for j in other]


def bare(word: str) -> str:
    """A word without the white space around it; white space itself stays.

    >>> bare(" the"), bare("\\n\\n")
    ('the', '\\n\\n')
    """
    return word.strip() or word


def _lifetimes(run: Run, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(where each word begins, for each byte the step that removed the boundary before it), for these bare words.

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

    # of every word leave out the marker and the white space around it
    marked = len(MARKER) if run.settings.word_marker == "start" else 0
    left_out = np.array([marked + _bytes_before(run.pretokens[row]) for row in rows.tolist()], np.int64)
    kept = np.array([len(encode_text(bare(run.pretokens[row]))) for row in rows.tolist()], np.int64)
    begins = starts_of(kept)
    words = offsets[starts_of(lengths)] if len(rows) else offsets
    removed = by_byte[indexes_of(words + left_out, kept)]
    removed[begins] = 0
    return begins, removed


def _bytes_before(word: str) -> int:
    """How many bytes the white space before a bare word has."""
    return len(encode_text(word)) - len(encode_text(word.lstrip())) if word.strip() else 0
