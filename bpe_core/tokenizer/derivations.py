"""Which merge made each token, and so at which steps the boundaries inside it fell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.training.lifetimes import NEVER


class Derivations:
    """The derivations of all tokens, from merges (left id, right id, new id), the first learnt first."""

    def __init__(self, merges: Sequence[tuple[int, int, int]]) -> None:
        """Look the merges up by what they make."""
        made = np.fromiter((new for _, _, new in merges), np.int64, len(merges))
        self._merges = merges
        self._steps = np.zeros(made.max(initial=-1) + 1, np.int32)  # token → the step that made it; 0: none did
        last_first = made[::-1]  # so that the first merge to a token overwrites the others
        self._steps[last_first] = np.arange(len(made), 0, -1)
        self._inside: dict[int, tuple[int, ...]] = {}

    def made(self, token_id: int) -> tuple[int, int, int] | None:
        """(left id, right id, step) of a token; of several merges to it the first counts. None where none made it.

        >>> Derivations([(1, 2, 3), (0, 3, 4)]).made(4)
        (0, 3, 2)
        """
        step = int(self._steps[token_id]) if 0 <= token_id < len(self._steps) else 0
        return (*self._merges[step - 1][:2], step) if step else None

    def inside(self, token_id: int) -> tuple[int, ...]:
        """The steps at which the boundaries inside a token fell, from left to right; none is later than its own.

        Some vocabularies list a token before its halves. A half's boundaries then count as fallen with the whole.

        >>> Derivations([(1, 2, 3), (0, 3, 4)]).inside(4)
        (2, 1)
        """
        steps: list[int] = []
        # What is still to be written, the leftmost at the end: (token, 0, latest) for what is inside a token, or
        # (0, step, latest) for a boundary. Nothing may be later than `latest`.
        rest = [(token_id, 0, NEVER)]
        while rest:
            part, boundary, latest = rest.pop()
            if boundary:
                steps.append(min(boundary, latest))
            elif part in self._inside:
                steps += [min(step, latest) for step in self._inside[part]]
            elif halves := self.made(part):
                left, right, made_at = halves
                latest = min(latest, made_at)
                rest += [(right, 0, latest), (0, made_at, latest), (left, 0, latest)]
        self._inside[token_id] = tuple(steps)
        return self._inside[token_id]
