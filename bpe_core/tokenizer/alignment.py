"""Two tokenizers on one text: the tokens of both laid over the same bytes, block by block.

A block runs from one byte at which both have a boundary to the next such byte. Where it is a single token for both, the
two agree; the ids play no part.

    bytes    0   1   2   3   4   5   6
    left     |-------|-------|-------|
    right    |---|-----------|-------|
    blocks   |--- differs ---|-------|      edges 0, 4, 6
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.tokenizer.token_table import TokenTable


@dataclass(frozen=True, eq=False)
class Alignment:
    """The blocks of two tokenizers' tokens, in the order of the text.

    Block `k` covers the bytes from `edges[k]` to `edges[k + 1]`. It holds the tokens from `left[k]` to `left[k + 1]` of
    the one tokenizer and from `right[k]` to `right[k + 1]` of the other. `differs[k]`: whether they differ there.
    """

    edges: np.ndarray
    left: np.ndarray
    right: np.ndarray
    differs: np.ndarray


def align(size: int, left: TokenTable, right: TokenTable) -> Alignment:
    """Align two tables of the tokens of one text of `size` bytes.

    >>> def tokens(*edges):
    ...     edges = np.array(edges)
    ...     return TokenTable(edges[:-1], edges[1:], edges[1:], edges[1:])
    >>> found = align(6, tokens(0, 2, 4, 6), tokens(0, 1, 4, 6))
    >>> found.edges.tolist(), found.differs.tolist()
    ([0, 4, 6], [True, False])
    """
    common = np.intersect1d(_boundaries(left), _boundaries(right))
    edges = np.union1d(common, [0, size]).astype(np.int64) if size else np.zeros(1, np.int64)
    bounds = [np.append(np.searchsorted(table.starts, edges[:-1]), len(table)) for table in (left, right)]
    return Alignment(edges, *bounds, ~_agree(left, right, *bounds))


def _boundaries(table: TokenTable) -> np.ndarray:
    return np.union1d(table.starts, table.ends)


def _agree(left: TokenTable, right: TokenTable, of_left: np.ndarray, of_right: np.ndarray) -> np.ndarray:
    """Whether each block holds one token on both sides, over the same bytes, or none on both."""
    counts = np.diff(of_left), np.diff(of_right)
    agree = (counts[0] == counts[1]) & (counts[0] <= 1)
    one = np.flatnonzero(agree & (counts[0] == 1))
    a, b = of_left[one], of_right[one]
    agree[one] = (left.starts[a] == right.starts[b]) & (left.ends[a] == right.ends[b])
    return agree
