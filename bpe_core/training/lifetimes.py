"""The film: what a training leaves behind. For every boundary between two symbols, the step that removed it.

Merges only ever remove boundaries. So one number for each boundary, its lifetime, is enough to show the corpus at any
step, forwards or backwards, like a film. The words "hugs" and "pug" after u + g (step 1) and h + ug (step 2):

    position           0    1    2    3    4    5    6    7    8    9
    the symbols        |    h    u    g    s    |    p    u    g    |       | is a separator
    merged_at          ∞    ∞    2    1    ∞    ∞    ∞    ∞    1    ∞       of the boundary before the symbol; ∞: NEVER

    boundaries with merged_at > 0     h u g s    p u g       step 0
    boundaries with merged_at > 1     h ug s     p ug        step 1
    boundaries with merged_at > 2     hug s      p ug        step 2
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEVER = int(np.iinfo(np.int32).max)  # the step of a boundary that no merge removed: later than any step
STOP_REASONS = ("target reached", "no pairs left", "below min_count", "tokens too long")


def tokens_after(merged_at: np.ndarray, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The tokens after `step` merges: (the first symbol of each, the step that made it; 0 for a base symbol).

    A token begins at every boundary that stands. It was made by the last step that removed a boundary inside it:

        merged_at     ∞  ∞  2  1  ∞         | h u g s
        after 1       ^  ^  ^     ^         | h ug s
        firsts        0  1  2     4
        made          0  0  1     0

    >>> [column.tolist() for column in tokens_after(np.array([NEVER, NEVER, 2, 1, NEVER]), 1)]
    [[0, 1, 2, 4], [0, 0, 1, 0]]
    """
    stands = merged_at > step
    firsts = np.flatnonzero(stands)
    made = np.maximum.reduceat(np.where(stands, 0, merged_at), firsts) if len(firsts) else firsts
    return firsts, made


@dataclass(frozen=True)
class Film:
    """The merges, and the step at which each boundary of the flat corpus fell.

    `left`, `right`, `counts`: one entry a merge: the ids of its two halves, and how often the pair occurred.
    `merged_at[i]`: the step, from 1, that removed the boundary before position `i`, or `NEVER`. `stop_reason`: why
    training ended, one of `STOP_REASONS`. `moved_words[moved_until[k - 1] : moved_until[k]]`: the rows of the words
    that step `k` moved to the end of the corpus; only one tie rule does so.
    """

    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray
    merged_at: np.ndarray
    stop_reason: str
    moved_words: np.ndarray
    moved_until: np.ndarray
