"""How one text becomes tokens, merge by merge: the trace behind *Try a word*."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.reference import join
from bpe_core.text.alphabet import symbols_of
from bpe_core.tokenizer.tokenizer import Tokenizer


class Applied(NamedTuple):
    """One merge that was applied: its `step` in training (0: the symbols before any), and the word after it."""

    step: int
    left: bytes
    right: bytes
    tokens: tuple[bytes, ...]


def trace(tokenizer: Tokenizer, word: str) -> list[Applied]:
    """The merges that turn one pretoken into tokens, in the order in which they apply.

    Textbook steps: of all pairs in the word the one learnt first is joined, everywhere, until none is known.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer()
    >>> [(step, tokens) for step, _, _, tokens in trace(tok, "hugs")]
    [(0, (b'h', b'u', b'g', b's')), (1, (b'h', b'ug', b's')), (2, (b'hug', b's'))]
    """
    tokens = symbols_of(word, tokenizer.alphabet, tokenizer.word_marker)
    applied = [Applied(0, b"", b"", tokens)]
    for step, left, right in _learnt_pairs(tokenizer, tokens):
        joined = join(applied[-1].tokens, (left, right))
        if joined != applied[-1].tokens:
            applied.append(Applied(step, left, right, joined))
    return applied


def _learnt_pairs(tokenizer: Tokenizer, symbols: tuple[bytes, ...]) -> list[tuple[int, bytes, bytes]]:
    """The merges whose token stands in the word, in the order learnt; no other can apply."""
    word, known = b"".join(symbols), tokenizer.tokens
    return [
        (rank, known[left], known[right])
        for rank, (left, right, new) in enumerate(tokenizer.merges, 1)
        if known[new] in word
    ]
