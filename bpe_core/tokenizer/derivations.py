"""How merges make each token: the step of each boundary inside it, and its last merge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from bpe_core.reference import encode
from bpe_core.text.arrays import Steps
from bpe_core.tokenizer.base_symbols import BaseSymbols
from bpe_core.tokenizer.merging import IdMerge, Ranks
from bpe_core.training.lifetimes import NEVER

LONGEST_TOKEN = 512  # bytes; `DerivationsByRank`, whose time is quadratic, does not look into a longer token


class Derivation(NamedTuple):
    """How merges make a token: the steps of the boundaries inside it, and its last merge (left id, right id, step).

    A base symbol has no boundary and no merge.
    """

    inside: tuple[int, ...] = ()
    last: tuple[int, int, int] | None = None


class Derivations(Protocol):
    """How merges make each token, found in one of two ways.

    `DerivationsByList` takes the first merge that makes the token, for vocabularies whose tokens are made of two
    earlier tokens. `DerivationsByRank` merges the token's own symbols alone, for vocabularies that list merges in
    another order, list several merges to one token, or list none. In either case, a half of a token may be listed after
    the token. The boundaries inside that half then count as fallen at the token's own step.
    """

    def made(self, token_id: int) -> Derivation | None:
        """Return how a token is made; None where merges do not make it of its own symbols."""


class DerivationsByList:
    """The derivations of tokens, each made by the first merge to the token.

    >>> DerivationsByList([(1, 2, 3), (0, 3, 4)]).made(4)
    Derivation(inside=(2, 1), last=(0, 3, 2))
    """

    def __init__(self, merges: Sequence[IdMerge]) -> None:
        """Store the step of each token that a merge makes."""
        made = np.fromiter((new for _, _, new in merges), np.int64, len(merges))
        self._merges = merges
        self._steps: Steps = np.zeros(made.max(initial=-1) + 1, np.int32)  # token → the step that made it, or 0
        last_first = made[::-1]  # so that the first merge to a token overwrites the others
        self._steps[last_first] = np.arange(len(made), 0, -1)
        self._inside: dict[int, tuple[int, ...]] = {}

    def made(self, token_id: int) -> Derivation:
        """Return how a token is made. A token that no merge makes has no boundary inside."""
        return Derivation(self._boundaries(token_id), self._last(token_id))

    def _last(self, token_id: int) -> tuple[int, int, int] | None:
        step = int(self._steps[token_id]) if 0 <= token_id < len(self._steps) else 0
        return (*self._merges[step - 1][:2], step) if step else None

    def _boundaries(self, token_id: int) -> tuple[int, ...]:
        if token_id in self._inside:
            return self._inside[token_id]
        steps: list[int] = []
        # What is still to be done, the leftmost last: (token, 0, latest) for the inside of a token, or
        # (0, step, latest) for a boundary. No step may be later than `latest`.
        rest = [(token_id, 0, NEVER)]
        while rest:
            part, boundary, latest = rest.pop()
            if boundary:
                steps.append(min(boundary, latest))
            elif part in self._inside:
                inside = self._inside[part]
                steps += inside if self._steps[part] <= latest else [min(step, latest) for step in inside]
            elif halves := self._last(part):
                left, right, made_at = halves
                if left == right:  # aaaa is aa twice, and aa is a twice: look into one half of each
                    self._boundaries(left)
                latest = min(latest, made_at)
                rest += [(right, 0, latest), (0, made_at, latest), (left, 0, latest)]
        self._inside[token_id] = tuple(steps)
        return self._inside[token_id]


class DerivationsByRank:
    """The derivations of tokens by merging each token's own symbols, the lowest rank first.

    >>> symbols = BaseSymbols((b"a", b"b", b"c", b"bc", b"abc", b"cb"), {b"a": 0, b"b": 1, b"c": 2})
    >>> found = DerivationsByRank(symbols, {(1, 2): (0, 3), (0, 3): (1, 4)})
    >>> found.made(4), found.made(5)
    (Derivation(inside=(2, 1), last=(0, 3, 2)), None)
    """

    def __init__(self, symbols: BaseSymbols, ranks: Ranks) -> None:
        """Store the symbols and the ranks. `made` merges a token when it is first asked for it."""
        self._symbols, self._ranks = symbols, ranks
        self._made: dict[int, Derivation | None] = {}

    def made(self, token_id: int) -> Derivation | None:
        """Return how a token is made; None where its symbols become other tokens."""
        if token_id not in self._made:
            self._made[token_id] = self._joined(token_id)
        return self._made[token_id]

    def _joined(self, token_id: int) -> Derivation | None:
        if token_id in self._symbols.bytes_written:
            return Derivation()
        known = 0 <= token_id < len(self._symbols.tokens)
        if not known or not 0 < len(self._symbols.tokens[token_id]) <= LONGEST_TOKEN:
            return None
        parts = joined_alone(self._symbols.ids_inside(token_id), self._ranks)
        return parts[0][1] if len(parts) == 1 and parts[0][0] == token_id else None


def joined_alone(ids: Iterable[int], ranks: Ranks) -> list[tuple[int, Derivation]]:
    """Merge symbols, the lowest rank first; return the tokens that they become, and how each was made.

    >>> joined_alone([0, 1, 2], {(1, 2): (0, 3), (0, 3): (1, 4)})
    [(4, Derivation(inside=(2, 1), last=(0, 3, 2)))]
    """
    symbols = tuple(ids)
    parts = [(i, Derivation()) for i in symbols]
    for rank, at, after in encode(symbols, ranks):
        (left, before), (right, behind) = parts[at : at + 2]
        step = rank + 1
        inside = (*(min(s, step) for s in before.inside), step, *(min(s, step) for s in behind.inside))
        parts[at : at + 2] = [(after[at], Derivation(inside, (left, right, step)))]
    return parts
