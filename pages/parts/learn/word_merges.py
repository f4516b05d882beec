"""Merging by hand: the merges that a word allows, and the word after each merge.

A learner who has the list of merges can work out the tokens of a word: apply the oldest merge that fits, again and
again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from bpe_core import Run, Tokenizer
from bpe_core.reference import encode
from bpe_core.text.alphabet import encode_text


class MergeStep(NamedTuple):
    """A merge of a vocabulary: the step that learnt it, and its halves."""

    step: int
    left: bytes
    right: bytes


class WordState(NamedTuple):
    """The symbols of a word after a merge."""

    merge: MergeStep
    tokens: tuple[bytes, ...]


def merge_steps(run: Run) -> list[MergeStep]:
    """Return all merges of a training, in their order."""
    return [MergeStep(step, merge.left, merge.right) for step, merge in enumerate(run.merges, 1)]


@lru_cache(maxsize=4)
def _by_token(tokenizer: Tokenizer) -> dict[bytes, list[MergeStep]]:
    """Return the merges of a tokenizer by the bytes of the token that a merge makes."""
    found: dict[bytes, list[MergeStep]] = {}
    for step, (left, right, _) in enumerate(tokenizer.merges, 1):
        merge = MergeStep(step, tokenizer.tokens[left], tokenizer.tokens[right])
        found.setdefault(merge.left + merge.right, []).append(merge)
    return found


def inside(tokenizer: Tokenizer, word: str) -> list[MergeStep]:
    """Return the merges whose token is a part of a word, the oldest first. No other merge can apply to the word.

    >>> from bpe_core import Settings, train
    >>> inside(train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer(), "bugs")
    [MergeStep(step=1, left=b'u', right=b'g')]
    """
    raw, table = encode_text(word), _by_token(tokenizer)
    parts = {raw[a:b] for a in range(len(raw)) for b in range(a + 2, len(raw) + 1)}
    return sorted(merge for part in parts for merge in table.get(part, ()))


def pieces(tokenizer: Tokenizer, text: str) -> list[tuple[str, list[MergeStep]]]:
    """Return the pretokens of a text, each with the merges inside it."""
    return [(piece.text, inside(tokenizer, piece.text)) for piece in tokenizer.pretokenizer.split(text)]


def states(symbols: Sequence[bytes], merges: Iterable[MergeStep]) -> list[WordState]:
    """Apply to a word, again and again, the oldest merge that fits; return the word's state after each merge.

    >>> [state.tokens for state in states((b"h", b"u", b"g"), [MergeStep(1, b"u", b"g"), MergeStep(2, b"h", b"ug")])]
    [(b'h', b'ug'), (b'hug',)]
    """
    ordered = sorted(merges)
    ranks: dict[tuple[bytes, bytes], tuple[int, bytes]] = {}
    for rank, merge in enumerate(ordered):
        ranks.setdefault((merge.left, merge.right), (rank, merge.left + merge.right))
    found = list[WordState]()
    for rank, _, tokens in encode(symbols, ranks):
        if found and found[-1].merge is ordered[rank]:  # the same merge at the next occurrence
            found.pop()
        found.append(WordState(ordered[rank], tokens))
    return found


def single_bytes(text: str) -> tuple[bytes, ...]:
    """Return the bytes of a text, one by one.

    >>> single_bytes("é")
    (b'\\xc3', b'\\xa9')
    """
    return tuple(bytes([byte]) for byte in encode_text(text))
