"""Published vocabularies that tiktoken fetches: tokens with their ranks, and no merges."""

from __future__ import annotations

from queue import Empty, Queue
from threading import Thread
from typing import Any

from bpe_core.files.tiktoken_ranks import tokenizer_of_ranks
from bpe_core.published.errors import PublishedError
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

FETCH_SECONDS = 30.0


def fetch(name: str, pretokenizer: str) -> Tokenizer:
    """The tokenizer that tiktoken calls `name`; raises `PublishedError` where it is missing or cannot fetch it."""
    try:
        import tiktoken
    except ImportError:
        raise PublishedError(f"{name} needs tiktoken: install it with `pip install tiktoken`.") from None
    encoding = _within(FETCH_SECONDS, tiktoken.get_encoding, name)
    order = sorted(encoding._mergeable_ranks.items(), key=lambda row: row[1])
    return tokenizer_of_ranks(order, PRETOKENIZERS[pretokenizer], encoding._special_tokens)


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
