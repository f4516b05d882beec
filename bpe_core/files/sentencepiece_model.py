"""Reading SentencePiece's `.model`: the library `sentencepiece` opens it, and we read its vocabulary.

The file lists no merges, only pieces with scores. A BPE model always joins the two neighbours that make the piece with
the best score. So every pair of pieces that makes a piece is a merge, and all merges that make one piece have the same
rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from struct import unpack
from typing import NamedTuple

from bpe_core.files.beside import Beside, NamedToken
from bpe_core.files.format import Format, FormatError
from bpe_core.files.libraries import SentencePiece
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.partitioned import Partitioned
from bpe_core.files.reading import all_merges, by_id
from bpe_core.files.tokenizer_classes import GENERIC
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.assumptions import model_of_class
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.tokenizer import ADDED, BYTE

_SPACE = "▁"
# Joined to a model: fields of Protocol Buffers that come again take the place of those before. Field 3 is the
# normalizer's, and in it field 3 is `add_dummy_prefix`.
_NO_PREFIX = bytes([3 << 3 | 2, 2, 3 << 3, 0])
_NORMAL, _UNKNOWN, _CONTROL, _USER, _BYTE = 1, 2, 3, 4, 6
_MODELS = {1: ModelKind.UNIGRAM, 2: ModelKind.BPE, 3: ModelKind.WORD_LEVEL, 4: ModelKind.WORD_LEVEL}
_AS_THE_MODEL = ("LlamaTokenizer", "CodeLlamaTokenizer", "GemmaTokenizer")  # classes whose ids are the model's own
_PRETOKENIZER = Pretokenizer(
    "SentencePiece",
    "The file's own pretokenizer, in the library sentencepiece.",
    (("text", r"[\s\S]+"),),
    lossless=True,
)


def is_sentencepiece(content: bytes) -> bool:
    """Return whether a file begins like a SentencePiece model: with a piece that has a text.

    >>> is_sentencepiece(b"\\n\\x0e\\n\\x05<unk>\\x15"), is_sentencepiece(b"text")
    (True, False)
    """
    head = content[:4]  # the tag of a piece and its length, the tag of its text and its length
    if len(head) < 4 or not head[0] == head[2] == ord("\n") or head[3] + 2 > head[1]:
        return False
    after = content[4 + head[3] : 5 + head[3]]  # the tag of its score or of its type, or of the next piece
    return after in (b"\x15", b"\x18", b"\n")


def read_sentencepiece(content: bytes) -> LibraryTokenizer:
    """Return the tokenizer in a SentencePiece model; `FormatError` if the library cannot open it."""
    library = SentencePiece(content)
    kind, pieces = _parsed(content)
    byte_ids = [i for i, piece in enumerate(pieces) if piece.type == _BYTE]
    ordinary = {piece.piece: i for i, piece in enumerate(pieces) if piece.type in (_NORMAL, _USER)}
    return LibraryTokenizer(
        tokens=by_id([*map(_bytes_of, pieces)], range(len(pieces))),
        merges=_merges(pieces) if kind.has_merges else (),
        pretokenizer=_PRETOKENIZER,
        alphabet="characters",
        special_tokens={piece.piece: i for i, piece in enumerate(pieces) if piece.type in (_CONTROL, _UNKNOWN)},
        symbols=_symbols(ordinary) if kind.has_merges else {},
        byte_ids=tuple(byte_ids) if kind.has_merges and len(byte_ids) == 256 else (),
        shared_ranks=True,
        model=kind,
        library=library,
        scores={i: piece.score for i, piece in enumerate(pieces)} if kind is ModelKind.UNIGRAM else {},
        kinds=dict.fromkeys(byte_ids, BYTE),
        merges_alone=kind.has_merges,
        unknown_id=next((i for i, piece in enumerate(pieces) if piece.type == _UNKNOWN), None),
        finds_names=False,
        content=content,
        decodes_alike=True,
        rewrites=_has_denormalizer(content),
    )


def with_special_tokens(tokenizer: LibraryTokenizer, beside: Beside) -> LibraryTokenizer:
    """Return a SentencePiece tokenizer with the tokens that the files beside it name; these split a text first.

    As SentencePiece and llama.cpp do, a text gets a space before it, and so does what comes after a special token,
    unless the config says `"legacy": false`. `"add_prefix_space": false` turns both off.
    """
    if not (beside.names_tokens or beside.switches):
        return tokenizer
    pieces = {piece.piece: i for i, piece in enumerate(_parsed(tokenizer.content)[1])}
    rows = beside.token_parts(pieces)
    always = {row["content"]: row["id"] for row in rows if not row["special"]}
    named = {row["content"]: row["id"] for row in rows}
    specials = {**{name: i for name, i in tokenizer.special_tokens.items() if i not in named.values()}, **named}
    strips = {row["content"]: " ".join(rule for rule in ("lstrip", "rstrip") if row[rule]) for row in rows}
    library, later = tokenizer.library, None
    if not beside.switches.get("legacy", True) or not beside.switches.get("add_prefix_space", True):
        later = SentencePiece(tokenizer.content + _NO_PREFIX)
    if later and not beside.switches.get("add_prefix_space", True):
        library = later
    spaces = tuple(f"{name}: false" for name in ("add_prefix_space", "legacy") if not beside.switches.get(name, True))
    on_demand = {name: i for name, i in specials.items() if name not in always}
    fields = trainer_fields(tokenizer.content)
    roles = {f"{role}_token": NamedToken(str(fields[f"{role}_piece"])) for role in ("bos", "eos")}
    return replace(
        tokenizer,
        library=Partitioned(library, always, on_demand, strips, later, named=True, spaces=spaces[:1]),
        special_tokens=specials,
        kinds={**tokenizer.kinds, **dict.fromkeys(always.values(), ADDED)},
        around=Around(*map(tuple, beside.around(("", ""), specials, roles))),
        finds_names=True,
        decodes_alike=False,
    )


def _read(content: bytes, beside: Beside) -> LibraryTokenizer:
    found, said = with_special_tokens(read_sentencepiece(content), beside), beside.tokenizer_class
    if not said or said.startswith(GENERIC) or said.removesuffix("Fast") in _AS_THE_MODEL:
        return found
    return replace(found, assumptions=(*found.assumptions, model_of_class(said)))


def _symbols(ordinary: Mapping[str, int]) -> dict[bytes, int]:
    """Return the ids of the pieces that have one character, by the character's bytes."""
    return {encode_text(text.replace(_SPACE, " ")): i for text, i in ordinary.items() if len(text) == 1}


class Piece(NamedTuple):
    """A token as the file has it. `type`: `_NORMAL`, `_UNKNOWN`, `_CONTROL`, `_USER`, `_BYTE` or another number."""

    piece: str
    score: float
    type: int


def _parsed(content: bytes) -> tuple[ModelKind, list[Piece]]:
    """Return the kind of the model, and its pieces in the order of their ids.

    The file is a message of Protocol Buffers, `ModelProto` in sentencepiece's sentencepiece_model.proto. The library's
    own Python module for the message needs one major version of `protobuf`, which may not be the installed version.
    """
    pieces, model = [], 1
    for number, value in _fields(content):
        if number == 1:
            row = dict(_fields(_bytes(value)))
            text, score = _bytes(row.get(1, b"")).decode(), unpack("<f", _bytes(row.get(2, b"\0\0\0\0")))[0]
            pieces.append(Piece(text, score, int(row.get(3, _NORMAL))))
        elif number == 2:  # trainer_spec
            model = int(dict(_fields(_bytes(value))).get(3, model))
    return _MODELS.get(model, ModelKind.UNIGRAM), pieces


def pieces_of(content: bytes) -> list[Piece]:
    """Return the tokens of a SentencePiece model as the file has them, in the order of their ids."""
    return _parsed(content)[1]


def trainer_fields(content: bytes) -> dict[str, bool | str]:
    """Return the fields of a SentencePiece model's `TrainerSpec` that its library looks at when it encodes, by name.

    The kind of the model is another one; what a training was like has no effect on ids.
    """
    specs = [value for number, value in _fields(content) if number == 2]
    found = dict(_fields(_bytes(specs[-1]))) if specs else {}
    switches = {"treat_whitespace_as_suffix": 24, "byte_fallback": 35}
    names = {
        "unk_piece": (45, "<unk>"),
        "bos_piece": (46, "<s>"),
        "eos_piece": (47, "</s>"),
        "pad_piece": (48, "<pad>"),
    }
    values: dict[str, bool | str] = {name: bool(found.get(number, 0)) for name, number in switches.items()}
    pieces = {
        name: _bytes(found[number]).decode("utf-8", "replace") if number in found else usual
        for name, (number, usual) in names.items()
    }
    return values | pieces


def normalizer_fields(content: bytes) -> dict[str, bytes | bool]:
    """Return what a SentencePiece model does to a text first: the fields of its `NormalizerSpec`, by name."""
    specs = [value for number, value in _fields(content) if number == 3]
    found = dict(_fields(_bytes(specs[-1]))) if specs else {}
    switches = {"add_dummy_prefix": 3, "remove_extra_whitespaces": 4, "escape_whitespaces": 5}
    values: dict[str, bytes | bool] = {name: bool(found.get(number, 1)) for name, number in switches.items()}
    return {"precompiled_charsmap": _bytes(found.get(2, b"")), **values}


def _has_denormalizer(content: bytes) -> bool:
    """Return whether a SentencePiece model changes a text after decoding, as its `denormalizer_spec` says."""
    specs = [value for number, value in _fields(content) if number == 5]
    return any(dict(_fields(_bytes(spec))).get(2) for spec in specs)


def _fields(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Yield the number and the value of each field of a message. A value of fixed size is yielded as bytes.

    >>> list(_fields(bytes([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69])))
    [(1, 150), (2, b'hi')]
    """
    start = 0
    while start < len(message):
        key, start = _number(message, start)
        if key & 7 == 0:
            value, start = _number(message, start)
            yield key >> 3, value
        else:
            size, start = _number(message, start) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], start)
            yield key >> 3, message[start : start + size]
            start += size


def _number(message: bytes, start: int) -> tuple[int, int]:
    """Read a number, seven bits in each byte, the lowest bits first. Return the number and the offset of its end."""
    number = message[start]
    start += 1
    shift = 7
    while number >> shift:  # the highest bit of the last byte is on: another byte follows
        number += (message[start] - 1) << shift  # the 1 is the last byte's highest bit, which is no part of the number
        start += 1
        shift += 7
    return number, start


def _bytes(value: bytes | int) -> bytes:
    if isinstance(value, int):
        raise FormatError("the file is damaged: it has a number where a text belongs")
    return value


def _bytes_of(piece: Piece) -> bytes:
    if piece.type == _BYTE:  # <0x41>
        return bytes([int(piece.piece[3:5], 16)])
    return encode_text(piece.piece.replace(_SPACE, " "))


def _merges(pieces: list[Piece]) -> tuple[tuple[int, int, int], ...]:
    """Return the merges (left id, right id, new id), in the order of their pieces' scores, the best first."""
    ids = {piece.piece: i for i, piece in enumerate(pieces) if piece.type == _NORMAL}
    return all_merges(dict(sorted(ids.items(), key=lambda row: -pieces[row[1]].score)))


SENTENCEPIECE = Format(
    "SentencePiece model",
    "sentencepiece",
    files=("tokenizer.model",),
    ends=(".model",),
    kinds=({"sentencepiece"},),
    read=lambda contents, _parts, beside: _read(contents["sentencepiece"], beside),
    other_names=(("spiece.model",), ("sentencepiece.bpe.model",), ("sentencepiece.model",), ("spm.model",)),
)
