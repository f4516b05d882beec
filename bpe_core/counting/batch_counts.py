"""Counting the tokens of a batch of texts under one tokenizer, and saying why a text has no count.

A text without a place to cut is counted word by word, in little memory. A tokenizer may refuse a text, a pattern may
take too long on it, and one of its words may be too long to merge: then only this text has no count.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bpe_core import files
from bpe_core.corpus.counting import WordCounts
from bpe_core.corpus.text_batches import CHUNK
from bpe_core.counting.row_cutter import pieces_lost
from bpe_core.counting.table_records import LONGEST
from bpe_core.files.format import RefusedTextError
from bpe_core.text.normalizers import normalized
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.tokenizer import Tokenizer

TokenizerOrPath = Tokenizer | str | os.PathLike[str]
LONGEST_WORD = 1 << 22  # characters of a pretoken; merging a longer one would take more than 300 MB
WORDS_AT_ONCE = 1 << 14  # where a text has no place to cut
TOO_LONG = f"without a place to cut it within {LONGEST >> 20} MB"

Batch = tuple[int, list[str]]  # the index of a tokenizer, and texts


@lru_cache(maxsize=8)
def _loaded(name: str | Path) -> Tokenizer:
    return files.opened(name)


def opened(given: TokenizerOrPath) -> Tokenizer:
    """Return a tokenizer, or load it; it is kept for the next batch."""
    return given if isinstance(given, Tokenizer) else _loaded(given if isinstance(given, str) else Path(given))


class BatchCounts(NamedTuple):
    """The counts of a batch. `tokens`: how many a text has, or why it has none. `lost`: how many pieces it loses."""

    tokens: list[int | str]
    lost: list[int]


def count_batch(batch: Batch, tokenizers: Sequence[TokenizerOrPath]) -> BatchCounts:
    """Count the tokens of each text of a batch, and its pieces that are lost."""
    number, texts = batch
    tokenizer = opened(tokenizers[number])
    tokens = _tokens_of_each(texts, tokenizer)
    if not tokenizer.vocabulary.loses_text:
        return BatchCounts(tokens, [0] * len(texts))
    rows = zip(texts, tokens, strict=True)
    return BatchCounts(tokens, [0 if isinstance(n, str) else pieces_lost(text, tokenizer, False) for text, n in rows])


def _tokens_of_each(texts: Sequence[str], tokenizer: Tokenizer) -> list[int | str]:
    """Return how many tokens each text has, or why it cannot be counted."""
    if not tokenizer.needs_library and all(len(text) <= 2 * CHUNK for text in texts):
        with suppress(PatternError):  # the pattern takes too long on one of them
            return [*tokenizer.pipeline.counts_of_each(texts, specials=False)]
    return [_count_alone(text, tokenizer) for text in texts]


def _count_alone(text: str, tokenizer: Tokenizer) -> int | str:
    """Return how many tokens a text has, or why the tokenizer refuses it."""
    try:
        if tokenizer.needs_library or len(text) <= 2 * CHUNK:
            return len(tokenizer.ids(text, specials=False))
        return _count_long(text, tokenizer)
    except (RefusedTextError, PatternError) as error:
        return str(error)


def _count_long(text: str, tokenizer: Tokenizer) -> int | str:
    """Return how many tokens a long text has in which there is no place to cut: word by word, in little memory.

    If one of its pretokens is longer than `LONGEST_WORD`, return why it is not counted.
    """
    if not tokenizer.model.has_merges or tokenizer.vocabulary.names_in_text(False):
        return len(tokenizer.ids(text, specials=False))
    splitter, encoder, total = tokenizer.pretokenizer, tokenizer.pipeline.encoder, 0
    words = (pretoken.text for pretoken in splitter.pretokens(normalized(text, tokenizer.normalizers)))
    while some := Counter(islice(words, WORDS_AT_ONCE)):
        if any(len(word) > LONGEST_WORD for word in some):
            return TOO_LONG
        different = WordCounts.of(some)
        total += int(encoder.rows(different.words).lengths @ different.counts)
    return total
