"""Reading SentencePiece's `.model`: the library `sentencepiece` opens it, and we read its vocabulary.

The file lists no merges, only pieces with scores. A BPE model always joins the two neighbours that make the piece with
the best score. So every pair of pieces that makes a piece is a merge, and all merges that make one piece have the same
rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpe_core.extras import needed
from bpe_core.files.format import Format
from bpe_core.files.libraries import SentencePiece
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.reading import all_merges, by_id
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import BYTE

_SPACE = "▁"
_NORMAL, _UNKNOWN, _CONTROL, _USER, _BYTE = 1, 2, 3, 4, 6
_MODELS = {1: "Unigram", 2: "BPE", 3: "WordLevel", 4: "WordLevel"}
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
    return len(head) == 4 and head[0] == head[2] == ord("\n") and head[3] + 2 <= head[1]


def read_sentencepiece(content: bytes) -> LibraryTokenizer:
    """Return the tokenizer in a SentencePiece model; `FormatError` if the library cannot open it."""
    library = SentencePiece(content)
    model = _parsed(content)
    kind = _MODELS.get(model.trainer_spec.model_type, "Unigram")
    pieces = list(model.pieces)
    byte_ids = [i for i, piece in enumerate(pieces) if piece.type == _BYTE]
    ordinary = {piece.piece: i for i, piece in enumerate(pieces) if piece.type in (_NORMAL, _USER)}
    return LibraryTokenizer(
        tokens=by_id((_bytes_of(piece), i) for i, piece in enumerate(pieces)),
        merges=_merges(pieces) if kind == "BPE" else (),
        pretokenizer=_PRETOKENIZER,
        alphabet="characters",
        special_tokens={piece.piece: i for i, piece in enumerate(pieces) if piece.type in (_CONTROL, _UNKNOWN)},
        symbols=_symbols(ordinary) if kind == "BPE" else {},
        byte_ids=tuple(byte_ids) if kind == "BPE" and len(byte_ids) == 256 else (),
        shared_ranks=True,
        model=kind,
        library=library,
        scores={i: piece.score for i, piece in enumerate(pieces)} if kind == "Unigram" else {},
        kinds=dict.fromkeys(byte_ids, BYTE),
        merges_alone=kind == "BPE",
        unknown_id=next((i for i, piece in enumerate(pieces) if piece.type == _UNKNOWN), None),
        finds_names=False,
        content=content,
    )


def _symbols(ordinary: Mapping[str, int]) -> dict[bytes, int]:
    """Return the ids of the pieces of one character, by its bytes."""
    return {encode_text(text.replace(_SPACE, " ")): i for text, i in ordinary.items() if len(text) == 1}


def _parsed(content: bytes) -> Any:
    with needed("files", "opening a SentencePiece model"):  # which is read with `protobuf`
        from sentencepiece.sentencepiece_model_pb2 import ModelProto  # type: ignore[attr-defined]  # made when imported
    return ModelProto.FromString(content)


def _bytes_of(piece: Any) -> bytes:
    if piece.type == _BYTE:  # <0x41>
        return bytes([int(piece.piece[3:5], 16)])
    return encode_text(piece.piece.replace(_SPACE, " "))


def _merges(pieces: list[Any]) -> tuple[tuple[int, int, int], ...]:
    """Return the merges (left id, right id, new id), in the order of their pieces' scores, the best first."""
    ids = {piece.piece: i for i, piece in enumerate(pieces) if piece.type == _NORMAL}
    return all_merges(dict(sorted(ids.items(), key=lambda row: -pieces[row[1]].score)))


SENTENCEPIECE = Format(
    "SentencePiece model",
    "sentencepiece",
    "sentencepiece.SentencePieceProcessor(model_file='tokenizer.model')",
    files=("tokenizer.model",),
    ends=(".model",),
    kinds=({"sentencepiece"},),
    read=lambda contents, _parts, _pretokenizer: read_sentencepiece(contents["sentencepiece"]),
)
