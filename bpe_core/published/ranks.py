"""Vocabularies in tiktoken's form: tokens with their ranks, and no merges. The merges are worked out here.

tiktoken joins whichever neighbours make the token of the lowest rank. So a token's two halves are what is left of its
bytes when only lower ranks may join.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from queue import Empty, Queue
from threading import Thread
from typing import Any

from bpe_core.pretokenizers import PRETOKENIZERS
from bpe_core.published.errors import PublishedError
from bpe_core.tokenizer import Tokenizer

FETCH_SECONDS = 30.0


def tokenizer_of_ranks(ranks: Mapping[bytes, int], pretokenizer: str, special_tokens: Mapping[str, int]) -> Tokenizer:
    """A tokenizer with the ids of `ranks`. A token that no merge makes stays in the table and is never used.

    >>> ranks = {b"a": 0, b"b": 1, b"ab": 2, b"abab": 3}
    >>> tokenizer_of_ranks(ranks, "none", {}).merges
    ((0, 1, 2), (2, 2, 3))
    """
    tokens = [b""] * (max(ranks.values(), default=-1) + 1)
    for token, rank in ranks.items():
        tokens[rank] = token
    merges = []
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        halves = _halves(token, rank, ranks) if len(token) > 1 else []
        if len(halves) == 2:
            merges.append((ranks[halves[0]], ranks[halves[1]], rank))
    return Tokenizer(tuple(tokens), tuple(merges), PRETOKENIZERS[pretokenizer], special_tokens=dict(special_tokens))


def _halves(token: bytes, rank: int, ranks: Mapping[bytes, int]) -> list[bytes]:
    """The pieces of `token` when only ranks below its own may join."""
    pieces = [token[i : i + 1] for i in range(len(token))]  # [b't', b'h', b'e']
    while len(pieces) > 2:
        found = [ranks.get(left + right, rank) for left, right in pairwise(pieces)]
        lowest = min(found)
        if lowest == rank:
            break
        i = found.index(lowest)
        pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
    return pieces


def fetch(name: str, pretokenizer: str) -> Tokenizer:
    """The tokenizer that tiktoken calls `name`; raises `PublishedError` where it is missing or cannot fetch it."""
    try:
        import tiktoken
    except ImportError:
        raise PublishedError(f"{name} needs tiktoken: install it with `pip install tiktoken`.") from None
    encoding = _within(FETCH_SECONDS, tiktoken.get_encoding, name)
    return tokenizer_of_ranks(encoding._mergeable_ranks, pretokenizer, encoding._special_tokens)


def _within(seconds: float, get: Any, name: str) -> Any:
    """`get(name)`, which sets itself no time limit, in a thread that is left behind when it takes too long."""
    answer: Queue[Any] = Queue()

    def ask() -> None:
        try:
            answer.put(get(name))
        except Exception as error:  # whatever it is, it is raised or told below
            answer.put(error)

    Thread(target=ask, daemon=True).start()
    try:
        got = answer.get(timeout=seconds)
    except Empty:
        raise PublishedError(f"{name} could not be fetched within {seconds:g} seconds; try again later.") from None
    if isinstance(got, OSError):
        raise PublishedError(f"{name} could not be fetched: there is no way to OpenAI's server from here.") from got
    if isinstance(got, Exception):
        raise PublishedError(f"{name} could not be loaded by tiktoken: {got}".splitlines()[0][:300]) from got
    return got
