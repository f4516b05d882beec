"""Which merge made each token, and so at which steps the boundaries inside it fell."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.training.film import NEVER


class Derivations:
    """The derivations of all tokens, from merges (left id, right id, new id), the first learnt first.

    `made`: token → (left id, right id, step). Of several merges to one token the first counts.
    """

    def __init__(self, merges: Sequence[tuple[int, int, int]]) -> None:
        """Turn the merges around; nothing is worked out yet."""
        last_first = reversed([*enumerate(merges, 1)])
        self.made = {new: (left, right, step) for step, (left, right, new) in last_first}
        self._inside: dict[int, tuple[int, ...]] = {}

    def inside(self, token_id: int) -> tuple[int, ...]:
        """The steps at which the boundaries inside a token fell, from left to right; none is later than its own.

        In a vocabulary whose merges are not in the order in which they were learnt, a half may come later than the
        whole; its boundaries then count as fallen with the whole.

        >>> Derivations([(1, 2, 3), (0, 3, 4)]).inside(4)
        (2, 1)
        """
        steps: list[int] = []
        rest = [(token_id, 0, NEVER)]  # (a token, 0, the last step) or (0, a step, the last step)
        while rest:
            part, step, last = rest.pop()
            if step:
                steps.append(min(step, last))
            elif part in self._inside:
                steps += [min(step, last) for step in self._inside[part]]
            elif part in self.made:
                left, right, step = self.made[part]
                last = min(last, step)
                rest += [(right, 0, last), (0, step, last), (left, 0, last)]
        self._inside[token_id] = tuple(steps)
        return self._inside[token_id]
