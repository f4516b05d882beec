"""Two tokenizers on one text: both cuts laid over the same bytes, block by block.

A block runs from one place where both cut to the next. Where it holds one and the same stretch for both, they agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.tokenizer.token_table import TokenTable


@dataclass(frozen=True, eq=False)
class Alignment:
    """The blocks of two cuts, in the order of the text.

    Block `k` covers the bytes `edges[k]` to `edges[k + 1]`; it holds the tokens `left[k]` to `left[k + 1]` of the one
    cut and `right[k]` to `right[k + 1]` of the other. `differs[k]`: whether the two cuts differ there.
    """

    edges: np.ndarray
    left: np.ndarray
    right: np.ndarray
    differs: np.ndarray


def align(size: int, left: TokenTable, right: TokenTable) -> Alignment:
    """Align two tables of the tokens of one text of `size` bytes.

    >>> def cut(*edges):
    ...     edges = np.array(edges)
    ...     return TokenTable(edges[:-1], edges[1:], edges[1:], edges[1:])
    >>> found = align(6, cut(0, 2, 4, 6), cut(0, 1, 4, 6))
    >>> found.edges.tolist(), found.differs.tolist()
    ([0, 4, 6], [True, False])
    """
    common = np.intersect1d(_cuts(left), _cuts(right))
    edges = np.union1d(common, [0, size]).astype(np.int64) if size else np.zeros(1, np.int64)
    bounds = [np.append(np.searchsorted(table.starts, edges[:-1]), len(table)) for table in (left, right)]
    return Alignment(edges, *bounds, ~_agree(left, right, *bounds))


def _cuts(table: TokenTable) -> np.ndarray:
    return np.union1d(table.starts, table.ends)


def _agree(left: TokenTable, right: TokenTable, of_left: np.ndarray, of_right: np.ndarray) -> np.ndarray:
    """Whether each block holds the same one token in both cuts, or none in both."""
    counts = np.diff(of_left), np.diff(of_right)
    agree = (counts[0] == counts[1]) & (counts[0] <= 1)
    one = np.flatnonzero(agree & (counts[0] == 1))
    a, b = of_left[one], of_right[one]
    agree[one] = (left.starts[a] == right.starts[b]) & (left.ends[a] == right.ends[b])
    return agree
