"""A small tokenizer, and every way to write a short text in its tokens."""

from functools import cache

from hypothesis import strategies as st

from bpe_core import Settings, Tokenizer, train

SHORT = st.text("ab '.c", max_size=8)


@cache
def small(split: str) -> Tokenizer:
    return train("ab abc 'ab a.b. cab.ab " * 3, Settings(split, vocab_size=280)).tokenizer()


def all_ways(tok: Tokenizer, raw: bytes) -> list[tuple[int, ...]]:
    """Every sequence of ids with these bytes, by trying every token at every place."""
    if not raw:
        return [()]
    firsts = [(i, token) for i, token in enumerate(tok.tokens) if token and raw.startswith(token)]
    return [(i, *rest) for i, token in firsts for rest in all_ways(tok, raw[len(token) :])]
