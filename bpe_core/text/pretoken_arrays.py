"""The pretokens of a long text, or of many texts, as a column of byte strings: counted and numbered in arrays.

    text       t o   b e ,   t o   b e
    offsets    0   2     5 6     9     12      one more than there are pretokens: [to][ be][,][ to][ be]

Texts are split chunk by chunk. Many short texts share a chunk, since a call on an array takes as long for one line as
for a hundred. A chunk of 256 kB fits into the processor's cache: chunks of 1 MB take one and a half to three times as
long. Smaller chunks would slow threads down, since threads wait for each other after every call. With chunks of 64 kB,
two threads take 0.9 of the time of one thread; with chunks of 256 kB, they take 0.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import numpy as np
import regex

from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Indexes, Mask
from bpe_core.text.byte_strings import ByteStrings, byte_strings, from_offsets, joined
from bpe_core.text.class_rules import BORDER, SPACE, Chunk
from bpe_core.text.rules import Pretokenizer

CHUNK = 1 << 18  # characters
SHORT = 4096  # characters; up to here arrays cost more than they save


def chunks(whole: Chunk, boundary: str, size: int | None = None) -> Iterator[Chunk]:
    """Split a chunk at borders, and where `boundary` matches in a text, into chunks of at least `size` characters.

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


def _split_by_classes(chunk: Chunk, pretokenizer: Pretokenizer) -> ByteStrings:
    """Return the pretokens of a chunk. Borders between texts, and white space that is dropped, are left out."""
    starts = pretokenizer.starts(chunk)
    pretokens = from_offsets(chunk.raw, chunk.byte_offsets(np.append(starts, len(chunk.text))))
    if pretokenizer.lossless and not len(chunk.borders):
        return pretokens
    return pretokens.filter(_is_kept(chunk, starts, pretokenizer))


def _is_kept(chunk: Chunk, starts: Indexes, pretokenizer: Pretokenizer) -> Mask:
    """Return for each pretoken of a chunk whether it is kept: neither a border nor white space that is dropped."""
    kept: Mask = chunk.classes[starts] < (BORDER if pretokenizer.lossless else SPACE)
    return kept


def pretoken_spans(text: str, pretokenizer: Pretokenizer, most: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end), in characters, for each pretoken that starts before `most`.

    In a longer text the last pretoken may be cut at `most`. Where digits are grouped from the right, the whole last
    number may then be split in another way.

    >>> from bpe_core import PRETOKENIZERS
    >>> list(pretoken_spans("a  dog. ", PRETOKENIZERS["whitespace"], 99))
    [(0, 1), (3, 7)]
    """
    if not pretokenizer.classes:
        found = ((pretoken.start, pretoken.end) for pretoken in pretokenizer.pretokens(text))
        yield from takewhile(lambda span: span[0] < most, found)
        return
    chunk = Chunk(text[: max(most, 0)])
    starts = pretokenizer.starts(chunk)
    ends = np.append(starts, len(chunk.text))[1:]
    kept = _is_kept(chunk, starts, pretokenizer)
    yield from zip(starts[kept].tolist(), ends[kept].tolist(), strict=True)


def pretoken_arrays(texts: Sequence[str], pretokenizer: Pretokenizer) -> ByteStrings:
    """Return the pretokens of texts in order, as UTF-8. Lone surrogates are written as by `encode_text`.

    >>> from bpe_core import PRETOKENIZERS
    >>> pretoken_arrays(["to be", " or"], PRETOKENIZERS["gpt2"]).to_list()
    [b'to', b' be', b' or']
    """
    if pretokenizer.classes:
        parts = chunks(Chunk.of(texts), pretokenizer.boundary)
        return joined(_split_by_classes(chunk, pretokenizer) for chunk in parts)
    return byte_strings([encode_text(word) for text in texts for word in pretokenizer.strings(text)])
