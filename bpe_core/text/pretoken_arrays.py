"""The pretokens of a long text, or of many texts, as Arrow arrays: counted and numbered without an object for each.

    text       t o   b e ,   t o   b e
    offsets    0   2     5 6     9     12      one more than there are pretokens: [to][ be][,][ to][ be]

Texts are split chunk by chunk, many short ones in one chunk: an array costs as much for a line as for a page. Chunks
are small enough to stay in the processor's cache: of 1 MB, they take one and a half to three times as long. And they
are as large as that allows, because threads wait for each other after every call on an array: two of them take 0.9 of
the time of one with chunks of 64 kB, and 0.7 with 256 kB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import regex

from bpe_core.text.alphabet import encode_text
from bpe_core.text.character_classes import Chunk
from bpe_core.text.class_rules import BORDER, SPACE
from bpe_core.text.rules import Pretokenizer

CHUNK = 1 << 18  # characters
SHORT = 4096  # characters; up to here arrays cost more than they save


def chunks(whole: Chunk, boundary: str, size: int | None = None) -> Iterator[Chunk]:
    """Split a chunk into some of at least `size` characters, at borders and where `boundary` matches a text.

    >>> from bpe_core import PRETOKENIZERS
    >>> boundary = PRETOKENIZERS["gpt2"].boundary
    >>> [chunk.text for chunk in chunks(Chunk.of(["one two  three four", "five"]), boundary, 2)]
    ['one', ' two', '  three', ' four', '\\nfive']
    """
    pattern, start = regex.compile(boundary), 0
    while start < len(whole.text):
        least = start + (size or CHUNK)
        border = whole.end_from(least)
        found = pattern.search(whole.text, least, border) if boundary else None
        end = found.start() if found else border
        yield whole.part(start, end)
        start = end


def _array(raw: bytes, offsets: np.ndarray) -> pa.Array:
    buffers = [None, pa.py_buffer(offsets.astype(np.int64)), pa.py_buffer(raw)]
    return pa.Array.from_buffers(pa.large_binary(), len(offsets) - 1, buffers)


def _split_by_classes(chunk: Chunk, pretokenizer: Pretokenizer) -> pa.Array:
    starts = pretokenizer.starts(chunk)
    array = _array(chunk.raw, chunk.byte_offsets(np.append(starts, len(chunk.text))))
    if pretokenizer.lossless and not len(chunk.borders):
        return array
    return array.filter(pa.array(chunk.classes[starts] < (BORDER if pretokenizer.lossless else SPACE)))


def pretoken_arrays(texts: Sequence[str], pretokenizer: Pretokenizer) -> pa.ChunkedArray:
    """Return the pretokens of texts in order, as UTF-8; lone surrogates as `encode_text` writes them.

    >>> from bpe_core import PRETOKENIZERS
    >>> pretoken_arrays(["to be", " or"], PRETOKENIZERS["gpt2"]).to_pylist()
    [b'to', b' be', b' or']
    """
    if pretokenizer.classes:
        arrays = [_split_by_classes(chunk, pretokenizer) for chunk in chunks(Chunk.of(texts), pretokenizer.boundary)]
    else:
        words = [encode_text(word) for text in texts for word in pretokenizer.strings(text)]
        arrays = [pa.array(words, pa.large_binary())]
    return pa.chunked_array(arrays, pa.large_binary())


def strings_of(words: pa.Array) -> list[str]:
    """The texts of an array.

    >>> strings_of(pa.array([b"to", b" be"], pa.large_binary()))
    ['to', ' be']
    """
    return [word.decode("utf-8", "surrogatepass") for word in words.to_pylist()]
