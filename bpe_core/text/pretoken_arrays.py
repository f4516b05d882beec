"""The pretokens of a long text as a column of byte strings, which counts and numbers them without an object for each.

    text       t o   b e ,   t o   b e
    offsets    0   2     5 6     9     12      one more than there are pretokens: [to][ be][,][ to][ be]

A text is split chunk by chunk. Chunks are small enough to stay in the processor's cache: of 1 MB, they take one and a
half to three times as long. And they are as large as that allows, because threads wait for each other after every call
on an array: two of them take 0.9 of the time of one with chunks of 64 kB, and 0.7 with 256 kB.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import regex

from bpe_core.text.alphabet import encode_text
from bpe_core.text.byte_strings import ByteStrings, byte_strings, from_offsets, joined
from bpe_core.text.character_classes import Chunk
from bpe_core.text.class_rules import SPACE
from bpe_core.text.rules import Pretokenizer

CHUNK = 1 << 18  # characters
SHORT = 4096  # characters; up to here arrays cost more than they save


def chunks(text: str, boundary: str, size: int | None = None) -> Iterator[str]:
    """The text in parts of at least `size` characters, split where `boundary` matches (see `Pretokenizer`).

    >>> list(chunks("one two  three four", r"(?<=\\S)(?=\\s)", 2))
    ['one', ' two', '  three', ' four']
    """
    pattern, start = regex.compile(boundary), 0
    while start < len(text):
        found = pattern.search(text, start + (size or CHUNK)) if boundary else None
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end


def _split_by_classes(text: str, pretokenizer: Pretokenizer) -> ByteStrings:
    chunk = Chunk(text)
    starts = pretokenizer.starts(chunk)
    offsets = chunk.byte_offsets(np.append(starts, len(text)))
    pretokens = from_offsets(chunk.raw, offsets)
    return pretokens if pretokenizer.lossless else pretokens.filter(chunk.classes[starts] < SPACE)


def pretoken_arrays(text: str, pretokenizer: Pretokenizer) -> ByteStrings:
    """Return the pretokens of a text in order, as UTF-8; lone surrogates as `encode_text` writes them.

    >>> from bpe_core import PRETOKENIZERS
    >>> pretoken_arrays("to be, to be", PRETOKENIZERS["gpt2"]).to_list()
    [b'to', b' be', b',', b' to', b' be']
    """
    if pretokenizer.classes:
        return joined(_split_by_classes(chunk, pretokenizer) for chunk in chunks(text, pretokenizer.boundary))
    return byte_strings([encode_text(word) for word in pretokenizer.strings(text)])
