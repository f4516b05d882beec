"""A corpus of texts and files, in batches. Files are never whole in memory; long texts are split between pretokens.

    texts      a long one,  many, short, ones
    chunks     [a lo][ng one,]                               a long text or a file is split
    batches    [a lo]  [ng one, | many]  [short | ones]      a batch is counted at once

Not here: how a batch is counted, and by whom (see `counting` and `workers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import regex

from bpe_core.corpus.text_files import Text, TextFile
from bpe_core.settings import Settings
from bpe_core.text.normalizers import BETWEEN_LETTERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import segments

CHUNK = 1 << 20  # characters that are counted at once


class Splitting(Protocol):
    """How a text is split: the `Settings` of a training, or what is known of a tokenizer."""

    @property
    def splitter(self) -> Pretokenizer:
        """The pretokenizer."""

    @property
    def normalizers(self) -> tuple[str, ...]:
        """The keys of the normalizers."""

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The names that are tokens wherever they stand in a text."""


def last_boundary(text: str, settings: Splitting) -> int:
    """Return the last offset at which a text can be split without changing its pretokens; 0 if there is none.

    The offset is the end of a special token, or a boundary of the pretokenizer; normalizers do not change that
    boundary. The offset stays right whatever text follows.

    >>> last_boundary("one two thr", Settings("gpt2")), last_boundary("one two thr", Settings("none"))
    (7, 0)
    """
    specials, boundary = settings.special_tokens, settings.splitter.boundary
    if settings.normalizers and boundary:
        boundary = BETWEEN_LETTERS if regex.compile(boundary).match("a b", 1) else ""
    end = len(text) - max(map(len, specials), default=0)  # after this, a special token may be incomplete
    begun = 0
    for segment, start, special in segments(text, specials):
        if special and start < end:
            begun = start + len(segment)
    found = regex.compile(f"(?r){boundary}").search(text, begun, max(begun, end)) if boundary else None
    return found.start() if found else begun


def chunks(text: Text, settings: Settings, size: int | None = None) -> Iterator[tuple[str, int]]:
    """Yield (chunk, its share of the text's size) for the chunks of a text. A chunk has about `size` characters.

    The share is in characters, or in bytes for a file. Together the chunks have the same pretokens as the text. A chunk
    goes on until there is a boundary to split at. With the pretokenizer "none", and with users' patterns, the whole
    text is one chunk.

    >>> list(chunks("one two three four", Settings("gpt2"), 8))
    [('one two', 8), (' three', 8), (' four', 2)]
    """
    size = size or CHUNK
    read: list[str] = []
    length, share, wanted = 0, 0, size
    for block, measure in _blocks(text, size):
        read.append(block)
        length, share = length + len(block), share + measure
        if length < wanted:
            continue
        whole = "".join(read)
        end = last_boundary(whole, settings)
        wanted = 2 * length  # if there is no boundary, searching again after each block would be quadratic
        if end:
            yield whole[:end], share
            share, wanted = 0, size
        read, length = [whole[end:]], len(whole) - end
    if length:
        yield "".join(read), share


def batches(texts: Iterable[Text], settings: Settings) -> Iterator[tuple[list[str], int]]:
    """Yield each batch of texts, and the share of these texts in the corpus's size.

    The texts of a batch have about `CHUNK` characters together. A text of `CHUNK` characters or more comes in chunks.

    >>> list(batches(["one two", "three"], Settings("gpt2")))
    [(['one two', 'three'], 12)]
    """
    batch: list[str] = []
    share, size = 0, 0
    for text in texts:
        if isinstance(text, str) and size + (length := len(text)) < CHUNK:  # the usual case: very many short texts
            batch.append(text)
            share += length
            size += length + 1  # an empty text takes memory too
            continue
        for part, measure in chunks(text, settings):  # a short text is one chunk
            batch.append(part)
            share += measure
            size += len(part) + 1
            if size >= CHUNK:
                yield batch, share
                batch, share, size = [], 0, 0
    if batch:
        yield batch, share


def _blocks(text: Text, size: int) -> Iterator[tuple[str, int]]:
    if isinstance(text, TextFile):
        yield from text.blocks()
    else:
        yield from ((text[i : i + size], min(size, len(text) - i)) for i in range(0, len(text), size))
