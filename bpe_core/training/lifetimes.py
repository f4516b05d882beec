"""The lifetimes of a training: its merges, and the step that removed each boundary between two symbols.

Merges only remove boundaries. So one number for each boundary, the step that removed it, gives the corpus at any step,
forwards or backwards. The words "hugs" and "pug" after u + g (step 1) and h + ug (step 2):

    position           0    1    2    3    4    5    6    7    8    9
    symbols            |    h    u    g    s    |    p    u    g    |       | is a separator
    merged_at          ∞    ∞    2    1    ∞    ∞    ∞    ∞    1    ∞       of the boundary before the symbol; ∞: NEVER

    boundaries with merged_at > 0     h u g s    p u g       step 0
    boundaries with merged_at > 1     h ug s     p ug        step 1
    boundaries with merged_at > 2     hug s      p ug        step 2
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from bpe_core.text.arrays import Counts, Indexes, Integers, Steps

NEVER = int(np.iinfo(np.int32).max)  # `merged_at` of a boundary that no merge removed: later than any step
StopReason = Literal["target reached", "no pairs left", "below min_count", "tokens too long"]
STOP_REASONS: tuple[StopReason, ...] = get_args(StopReason)


def tokens_after(merged_at: Steps, step: int) -> tuple[Indexes, Steps]:
    """Return the index of each token's first symbol, and the step that made the token (0 for a base symbol).

    A token begins at every boundary that is left after `step` merges. The last step that removed a boundary inside a
    token made it:

        merged_at     ∞  ∞  2  1  ∞         | h u g s
        after 1       ^  ^  ^     ^         | h ug s
        firsts        0  1  2     4
        made          0  0  1     0

    >>> [column.tolist() for column in tokens_after(np.array([NEVER, NEVER, 2, 1, NEVER], np.int32), 1)]
    [[0, 1, 2, 4], [0, 0, 1, 0]]
    """
    is_left = merged_at > step
    firsts = np.flatnonzero(is_left)
    if not len(firsts):
        return firsts, np.zeros(0, np.int32)
    made: Steps = np.maximum.reduceat(np.where(is_left, 0, merged_at), firsts)
    return firsts, made


@dataclass(frozen=True)
class Lifetimes:
    """The merges of a training, and the step that removed each boundary of its flat corpus.

    `left`, `right` and `counts` have one entry for each merge: the two ids of its pair, and how often the pair
    occurred. `merged_at[i]`: the step, from 1, that removed the boundary before position `i`, or `NEVER`.
    `stop_reason`: why training ended, one of `STOP_REASONS`. `moved_words[: moved_until[k]]`: the row numbers of the
    words that steps 1 to `k` moved to the end of the corpus, in the order of the moves. Only the tie rule
    "corpus-order" moves words.
    """

    left: Integers
    right: Integers
    counts: Counts
    merged_at: Steps
    stop_reason: StopReason
    moved_words: Indexes
    moved_until: Indexes

    def pair(self, step: int) -> tuple[int, int]:
        """Return the ids of the pair that a step, from 1, joined."""
        return int(self.left[step - 1]), int(self.right[step - 1])
