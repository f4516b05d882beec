"""A GGUF of SentencePiece's kind: its vocabulary as SentencePiece's own file.

llama.cpp joins pieces and adds up their scores as SentencePiece does.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import NamedTuple

UNIGRAM, BPE = 1, 2


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
