"""The corpus while it is being merged: one flat array of symbols that finds a pair and joins it.

A token's id stands at its first and at its last place, so the neighbours of any boundary are the two cells beside it:

    # h u g s | p u g        the words "hugs" and "pug"; | is a separator
    # h T T s | p T T        after u + g -> T
    # U . U s | p T T        after h + T -> U; the cell inside is dead

A pair is born with all its occurrences, at the step that makes the younger of its two tokens. So its occurrences are
found beside that token's places, and nothing is kept per pair. Occurrences are named by the boundary that the pair
stands across: the first place of its right token.

Everything exists twice, in plain Python for few places and in numpy for many: numpy's calls cost more than a short
loop. Most merges have few.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.text.alphabet import FlatCorpus

NEVER = int(np.iinfo(np.int32).max)
DEAD = -2
FEW = 48

Places = list[int] | np.ndarray  # ascending; a list where there are few


def _few_as_list(places: np.ndarray) -> Places:
    return places if len(places) > FEW else places.tolist()


class Symbols:
    """The symbols of a corpus, word by word, and the step at which each boundary fell (`merged_at`)."""

    def __init__(self, flat: FlatCorpus, word_counts: Sequence[int]) -> None:
        """Lay out the symbols of `flat`; `word_counts` weighs each word."""
        self.base = len(flat.tokens)
        self.cells = flat.symbols.copy()
        self.merged_at = np.full(len(self.cells), NEVER, np.int32)
        self.weights = np.zeros(len(self.cells), np.int64)
        lengths = np.diff(np.append(flat.starts, len(self.cells)))
        self.weights[1:] = np.repeat(np.asarray(word_counts, np.int64), lengths)
        self.size = [1] * self.base
        self.places: dict[int, Places] = {}  # of each token made by a merge, at its birth
        self.base_pairs: dict[tuple[int, int], Places] = {}
        # single cells are read and written through these
        self._cell, self._weight, self._fallen = map(memoryview, (self.cells, self.weights, self.merged_at))

    def first_pairs(self) -> list[tuple[int, int]]:
        """Find all pairs of base symbols and where they occur."""
        cells = self.cells.astype(np.int64)
        sites = np.flatnonzero((cells[1:] >= 0) & (cells[:-1] >= 0)) + 1
        keys = cells[sites - 1] * self.base + cells[sites]
        order = np.argsort(keys, kind="stable")
        sites, keys = sites[order], keys[order]
        heads = np.flatnonzero(np.diff(keys, prepend=-1))
        for key, start, end in zip(keys[heads].tolist(), heads, np.append(heads, len(keys))[1:], strict=True):
            self.base_pairs[divmod(key, self.base)] = _few_as_list(sites[start:end])
        return list(self.base_pairs)

    def find(self, left: int, right: int) -> Places:
        """Where `left` stands before `right` now."""
        younger = max(left, right)
        if younger < self.base:
            places = self.base_pairs.get((left, right), [])
            if isinstance(places, list):
                cell = self._cell
                return [j for j in places if cell[j] == right and cell[j - 1] == left]
            alive = places[(self.cells[places] == right) & (self.cells[places - 1] == left)]
            self.base_pairs[left, right] = _few_as_list(alive)
            return alive
        places = self.places[younger]
        step = self.size[left] if left == younger else 0
        if isinstance(places, list):
            cell = self._cell
            if step:
                return [i + step for i in places if cell[i] == left and cell[i + step] == right]
            return [j for j in places if cell[j] == right and cell[j - 1] == left]
        places = places[self.cells[places] == younger]
        self.places[younger] = _few_as_list(places)
        if step:
            sites = places + step
            return sites[self.cells[sites] == right]
        return places[self.cells[places - 1] == left]

    def count(self, sites: Places) -> int:
        """How often a pair at these sites occurs in the corpus."""
        if isinstance(sites, list):
            weight = self._weight
            return sum([weight[j] for j in sites])
        return int(self.weights[sites].sum())

    def merge(self, left: int, right: int, sites: Places, step: int) -> Places:
        """Join `left` and `right` at `sites` into a new token; where sites overlap, the leftmost first.

        Returns the places of the new token, whose id is `len(self.size) - 1`.
        """
        if left == right:
            sites = self._without_overlaps(sites, self.size[left])
        if not isinstance(sites, list) and len(sites) <= FEW:
            sites = sites.tolist()
        before, behind = self.size[left], self.size[right] - 1
        new = len(self.size)
        self.size.append(before + behind + 1)
        if isinstance(sites, list):
            cell, fallen = self._cell, self._fallen
            for j in sites:
                fallen[j] = step
                cell[j - 1] = cell[j] = DEAD
                cell[j - before] = cell[j + behind] = new
            self.places[new] = [j - before for j in sites]
        else:
            self.merged_at[sites] = step
            self.cells[sites - 1] = self.cells[sites] = DEAD
            starts = sites - before
            self.cells[starts] = self.cells[sites + behind] = new
            self.places[new] = starts
        return self.places[new]

    def apart(self, left: int, right: int, sites: Places) -> np.ndarray:
        """The sites at which `merge` joins the pair: all, or where they overlap the leftmost first."""
        return np.asarray(self._without_overlaps(sites, self.size[left]) if left == right else sites, np.int64)

    def _without_overlaps(self, sites: Places, size: int) -> Places:
        """Of sites that follow each other at the distance `size`, every second one."""
        array = np.asarray(sites, np.int64)
        opens_row = np.diff(array, prepend=-size - 1) != size
        rank = np.arange(len(array))
        in_row = rank - np.maximum.accumulate(np.where(opens_row, rank, 0))
        return _few_as_list(array[in_row % 2 == 0])

    def born(self, token: int, places: Places) -> list[tuple[int, int, int, int]]:
        """The pairs that a new token forms with its neighbours: (left, right, count, first site).

        `places` are the token's; "first" means first in their order.
        """
        size = self.size[token]
        if isinstance(places, list):
            cell = self._cell
            before = [(cell[i - 1], i) for i in places]
            behind = [(cell[i + size], i + size) for i in places]
            pairs = [(x, token, *rest) for x, *rest in self._tally_few(before)]
            return pairs + [(token, y, *rest) for y, *rest in self._tally_few(behind) if y != token]
        pairs = [(x, token, *rest) for x, *rest in self._tally(self.cells[places - 1], places)]
        behind = places + size
        return pairs + [(token, y, *rest) for y, *rest in self._tally(self.cells[behind], behind) if y != token]

    def _tally_few(self, neighbours: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
        count: dict[int, int] = {}
        first: dict[int, int] = {}
        weight = self._weight
        for neighbour, site in neighbours:
            if neighbour in count:
                count[neighbour] += weight[site]
            elif neighbour >= 0:
                count[neighbour] = weight[site]
                first[neighbour] = site
        return [(neighbour, count[neighbour], site) for neighbour, site in first.items()]

    def _tally(self, neighbours: np.ndarray, sites: np.ndarray) -> list[tuple[int, int, int]]:
        inside = neighbours >= 0
        neighbours, sites = neighbours[inside], sites[inside]
        if not len(sites):
            return []
        order = np.argsort(neighbours, kind="stable")
        grouped = neighbours[order]
        heads = np.flatnonzero(np.diff(grouped, prepend=-1))
        counts = np.add.reduceat(self.weights[sites[order]], heads)
        return list(zip(grouped[heads].tolist(), counts.tolist(), sites[order[heads]].tolist(), strict=True))
