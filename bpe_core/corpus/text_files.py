"""A corpus in pieces: texts, and files that are never in memory whole, taken apart where the cut falls anyway.

Not here: how a piece is counted, and by whom (see `counting`).
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import regex

from bpe_core.settings import Settings
from bpe_core.text.normalizers import SAFE_PLACES
from bpe_core.text.special_tokens import segments

BLOCK = 1 << 18  # bytes read at once; much less than a piece, or memory is scattered
PIECE = 1 << 20  # characters counted at once


class TextError(ValueError):
    """A file that is not text; the message says where."""


@dataclass(frozen=True)
class TextFile:
    """A text in a file, UTF-8, read in blocks while it is counted. `stream`: where it is open already.

    A byte order mark at its start is text like the rest, as it is for other libraries.

    >>> from io import BytesIO
    >>> from bpe_core import train
    >>> train(TextFile("two words", BytesIO(b"low lower")), Settings("whitespace", vocab_size=257)).merges[0].token
    b'lo'
    """

    path: str | os.PathLike
    stream: BinaryIO | None = None

    @property
    def size(self) -> int:
        """Its bytes; 0 where that is not known beforehand."""
        return 0 if self.stream else Path(self.path).stat().st_size

    def blocks(self) -> Iterator[tuple[str, int]]:
        """Its text, block by block, each with the bytes that it had; raises `TextError` and `OSError`."""
        if self.stream:
            yield from self._decoded(self.stream)
        else:
            with open(self.path, "rb") as file:
                yield from self._decoded(file)

    def _decoded(self, file: BinaryIO) -> Iterator[tuple[str, int]]:
        decoder = codecs.getincrementaldecoder("utf-8")()
        done = 0
        while True:
            block = file.read(BLOCK)
            pending = len(decoder.getstate()[0])
            try:
                yield decoder.decode(block, final=not block), len(block)
            except UnicodeDecodeError as error:
                place = done - pending + error.start
                raise TextError(f"{self.path}: this is not text in UTF-8 (byte {place:,})") from None
            if not block:
                return
            done += len(block)


Text = str | TextFile


def last_cut(text: str, settings: Settings) -> int:
    """The last place at which a text that goes on can be taken apart, so that both parts are cut as they were; 0: none.

    That is behind a special token, or where the pretokenizer cuts whatever stands around it; with normalizers, where it
    does so after them too.

    >>> last_cut("one two thr", Settings("gpt2")), last_cut("one two thr", Settings("none"))
    (7, 0)
    """
    specials, places = settings.special_tokens, settings.splitter.boundary
    if settings.normalizers:
        places = SAFE_PLACES if regex.match(places or "$", "a b", pos=1) else ""
    end = len(text) - max(map(len, specials), default=0)  # what begins later may be a special token or not
    begun = 0
    for piece, start, special in segments(text, specials):
        if special and start < end:
            begun = start + len(piece)
    found = regex.compile(f"(?r){places}").search(text, begun, max(begun, end)) if places else None
    return found.start() if found else begun


def pieces(text: Text, settings: Settings, size: int | None = None) -> Iterator[tuple[str, int]]:
    """A text in pieces of about `size` characters, each with its share of the text's size (characters, or bytes).

    Cut one by one, they give the pretokens of the whole. Where there is no place to take the text apart, a piece goes
    on until there is one: with the pretokenizer "none", and with patterns that are not ours, it is the whole text.

    >>> list(pieces("one two three four", Settings("gpt2"), 8))
    [('one two', 8), (' three', 8), (' four', 2)]
    """
    size = size or PIECE
    held, length, share, wanted = [], 0, 0, size
    for block, measure in _blocks(text, size):
        held.append(block)
        length, share = length + len(block), share + measure
        if length < wanted:
            continue
        whole = "".join(held)
        cut = last_cut(whole, settings)
        wanted = 2 * length  # where there is no place to cut, looking for one each time would be quadratic
        if cut:
            yield whole[:cut], share
            share, wanted = 0, size
        held, length = [whole[cut:]], len(whole) - cut
    if length:
        yield "".join(held), share


def _blocks(text: Text, size: int) -> Iterator[tuple[str, int]]:
    if isinstance(text, TextFile):
        yield from text.blocks()
    else:
        yield from ((text[i : i + size], min(size, len(text) - i)) for i in range(0, len(text), size))
