"""A GGUF of SentencePiece's kind: its vocabulary as SentencePiece's own file, and the special tokens in a text.

llama.cpp joins pieces and adds up their scores as SentencePiece does. Before that it searches the text for the names of
special tokens, the longest name first. Each part between two names is then a text of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from struct import pack
from typing import NamedTuple

import numpy as np

from bpe_core.files.libraries import Library, LibraryTokens
from bpe_core.files.library_losses import Seen

UNIGRAM, BPE = 1, 2
_ASCII_SPACE = " \t\n\v\f\r"


class Normalizing(NamedTuple):
    """What SentencePiece does to a text first: the fields of its `NormalizerSpec`."""

    charsmap: bytes
    add_dummy_prefix: bool
    remove_extra_whitespaces: bool


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def sentencepiece_file(
    pieces: Sequence[tuple[str, float, int]], model: int, unknown: int, normalizing: Normalizing
) -> bytes:
    """Return a SentencePiece model: a message of sentencepiece_model.proto; `pieces`: text, score and type of each.

    `model`: `UNIGRAM` or `BPE`. `unknown`: the id of the unknown piece.

    >>> sentencepiece_file([("<unk>", 0.0, 2)], BPE, 0, Normalizing(b"", True, False))[:9]
    b'\\n\\x0e\\n\\x05<unk>'
    """
    rows = [
        _bytes(1, _bytes(1, text.encode()) + b"\x15" + pack("<f", score) + _number(3, kind))
        for text, score, kind in pieces
    ]
    # No piece is padding, begins or ends a text: what goes around a text is not SentencePiece's part here.
    absent = b"".join(_varint(field << 3) + b"\xff" * 9 + b"\x01" for field in (41, 42, 43))
    trainer = _number(3, model) + _number(35, model == BPE) + _number(40, unknown) + absent
    trainer += _bytes(45, pieces[unknown][0].encode())
    before = _bytes(1, b"llama.cpp") + _bytes(2, normalizing.charsmap)
    before += (
        _number(3, normalizing.add_dummy_prefix) + _number(4, normalizing.remove_extra_whitespaces) + _number(5, 1)
    )
    return b"".join(rows) + _bytes(2, trainer) + _bytes(3, before)


class Partitioned:
    """A library that is only given what is between the special tokens of a text. It is a `Library` itself."""

    def __init__(
        self, library: Library, always: Mapping[str, int], specials: Mapping[str, int], strips: Mapping[str, str]
    ) -> None:
        """Store the library, and the special tokens: those that are always found, and those found on demand.

        `strips`: name → "rstrip" or "lstrip", for tokens that take the white space after or before them.
        """
        self._library, self._strips = library, strips
        self._ids = {False: _longest_first(always), True: _longest_first({**always, **specials})}

    def _parts(self, text: str, specials: bool) -> Iterator[tuple[int, int, int | None]]:
        """Yield start, end and id of the special tokens, and of what is between them, where the id is None."""
        parts: list[tuple[int, int, int | None]] = [(0, len(text), None)]
        for name, token_id in self._ids[specials].items():
            if name in text:
                parts = [new for part in parts for new in self._cut(text, part, name, token_id)]
        return iter(parts)

    def _cut(
        self, text: str, part: tuple[int, int, int | None], name: str, token_id: int
    ) -> Iterator[tuple[int, int, int | None]]:
        start, end, known = part
        while known is None and (at := text.find(name, start, end)) >= 0:
            before, after = at, at + len(name)
            if self._strips.get(name) == "lstrip":
                before = start + len(text[start:at].rstrip(_ASCII_SPACE))
            if self._strips.get(name) == "rstrip":
                after = end - len(text[after:end].lstrip(_ASCII_SPACE))
            if before > start:
                yield start, before, None
            yield at, at + len(name), token_id
            start = after
        if end > start:
            yield start, end, known

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text."""
        found = [LibraryTokens.of(text, [], [], [])]
        for word, (start, end, token_id) in enumerate(self._parts(text, specials)):
            if token_id is None:
                ids, starts, ends, _, fallen, pretokens = self._library.encode(text[start:end], specials)
                words, at = np.full(len(ids), word), np.int32(start)
                pretokens = pretokens + np.array([start, start, 0])
                found.append(
                    LibraryTokens(ids, starts + at, ends + at, words, fallen + len(text[:start].encode()), pretokens)
                )
            else:
                found.append(LibraryTokens.of(text, [token_id], [(start, end)], [word]))
        return LibraryTokens(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, special tokens recognised."""
        return [self.encode(text, True).ids.tolist() for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens included."""
        return self._library.decode(ids)

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the parts of a text after its normalization, and those of them that are in pretokens."""
        found: tuple[list[Seen], list[Seen]] = ([], [])
        for start, end, token_id in self._parts(text, specials):
            part = text[start:end]
            name = [Seen(part, (0, len(part)))]
            both = (name, name) if token_id is not None else self._library.before_model(part, specials)
            for all_of, some in zip(found, both, strict=True):
                all_of += [Seen(seen, (a + start, b + start)) for seen, (a, b) in some]
        return found


def _longest_first(names: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(names.items(), key=lambda row: -len(row[0].encode())))


def overlapping(names: Iterable[str]) -> bool:
    """Return whether a name can begin within another one and end after it, so that it matters which is found first.

    >>> overlapping(["<|a|>", "<|b|>"]), overlapping(["<|a|>", "|><|b|>"])
    (False, True)
    """
    beginnings = {name[:size] for name in names for size in range(1, len(name))}
    return any(name[-size:] in beginnings for name in names for size in range(1, len(name)))
