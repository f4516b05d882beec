"""The vocabulary in a GGUF's header: its tokens, what llama.cpp takes each of them for, and its special ids.

What a key means, and what holds where it is absent, is read as `llama_vocab::impl::load` in llama.cpp's
`src/llama-vocab.cpp` reads it (https://github.com/ggml-org/llama.cpp, commit 00ad355e). A vocabulary of SentencePiece's
kind is written as SentencePiece's own file: llama.cpp joins pieces and adds up their scores as SentencePiece does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import pack
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_core.files.format import FormatError
from bpe_core.files.gguf_header import Value, metadata
from bpe_core.files.reading import MAX_ID, check_number_of_specials
from bpe_core.tokenizer.encoding import Around

V = TypeVar("V", int, bool, str)

UNDEFINED, NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(7)
PREFIX = "tokenizer."
_KINDS: dict[type, str] = {str: "a text", int: "a whole number", bool: "yes or no"}
# Names that end an answer or fill in the middle of a text: control tokens, whatever the file calls them.
_ENDS = (
    "<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> <|eom_id|> "
    "<EOT> _<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <turn|> <|tool_response> "
    "<｜end▁of▁sentence｜> [e~["
)
_FILLS = {
    (
        "fim_pre",
        "prefix",
    ): "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> <|prefix|>",
    (
        "fim_suf",
        "suffix",
    ): "<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> <|suffix|>",
    (
        "fim_mid",
        "middle",
    ): "<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> <|middle|>",
    ("fim_pad",): "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]",
    ("fim_rep",): "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>",
    ("fim_sep",): "<|file_sep|>",
}
_ALWAYS_FOUND = {"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}  # gpt-oss's
_ROLES = {role: role for role in ("bos", "eos", "cls", "mask")} | {  # role → its name in a GGUF
    "unk": "unknown", "sep": "seperator", "pad": "padding",
}  # fmt: skip
_LEFT = ("jina-v2-de", "jina-v2-es", "jina-v2-code")  # splits whose <mask> takes the white space before it
_LEFT_OF = ("nomic-bert-moe", "jina-bert-v3")  # and architectures
_NOT_RIGHT = frozenset({"<unk>", "<s>", "<|endoftext|>"})


@dataclass(frozen=True)
class GgufVocabulary:
    """The `values` of a header, by key, and what they mean to llama.cpp."""

    values: Mapping[str, Value]

    def get(self, key: str, default: V) -> V:
        """Return the value of a key under `tokenizer.ggml.`, or `default`, whose type the value has to have."""
        return self._typed(f"tokenizer.ggml.{key}", default)

    def _typed(self, key: str, default: V) -> V:
        value = self.values.get(key, default)
        if type(value) is not type(default):
            raise FormatError(f"{key} of the GGUF has to be {_KINDS[type(default)]}, and is {type(value).__name__}")
        return value

    def texts(self, key: str) -> list[str]:
        """Return the texts of a key under `tokenizer.ggml.`; `FormatError` if it has none."""
        value = self.values.get(f"tokenizer.ggml.{key}")
        if value is None:
            raise FormatError(f"the GGUF has no tokenizer.ggml.{key}: it is no model, or not its first part")
        if not isinstance(value, list):
            raise FormatError(f"tokenizer.ggml.{key} of the GGUF has to be a list of texts")
        return value

    def numbers(self, key: str, letters: str) -> NDArray[np.generic] | None:
        """Return the numbers of a key, one for each token, if there is one; `letters`: the types that they may have."""
        value = self.values.get(f"tokenizer.ggml.{key}")
        if value is not None and not (isinstance(value, np.ndarray) and value.dtype.char in letters):
            raise FormatError(f"tokenizer.ggml.{key} of the GGUF has values of a wrong type")
        if value is not None and len(value) < len(self.tokens):
            raise FormatError(f"tokenizer.ggml.{key} of the GGUF has fewer values than there are tokens")
        return value

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens as the file writes them, in the order of their ids."""
        found = [token or f"[EMPTY_{i}]" for i, token in enumerate(self.texts("tokens"))]
        if not 0 < len(found) <= MAX_ID:
            raise FormatError(f"the GGUF has {len(found):,} tokens; from 1 to {MAX_ID:,} can be read")
        (twice, times), *_ = Counter(found).most_common(1)
        if times > 1:
            raise FormatError(f"the GGUF has the token {twice!r:.60} twice")
        return found

    @cached_property
    def ids(self) -> dict[str, int]:
        """Token → id."""
        return {token: i for i, token in enumerate(self.tokens)}

    @cached_property
    def scores(self) -> list[float]:
        """A score for each token."""
        given = self.numbers("scores", "fi")
        return [0.0] * len(self.tokens) if given is None else given.astype(np.float32).tolist()

    @cached_property
    def types(self) -> list[int]:
        """`NORMAL` or another number for each token, as llama.cpp takes the token."""
        given = self.numbers("token_type", "i")
        found = [NORMAL] * len(self.tokens) if given is None else given[: len(self.tokens)].tolist()
        found = [kind if NORMAL <= kind <= BYTE else UNDEFINED for kind in found]
        for name in self._control_names():
            found[self.ids[name]] = CONTROL
        for name in _ALWAYS_FOUND & self.ids.keys():
            found[self.ids[name]] = USER_DEFINED
        if "<|end|>" in self.ids and any(pair <= self.ids.keys() for pair in _CALLING):
            found[self.ids["<|end|>"]] = USER_DEFINED
        if {"<|tool_response>", "</s>"} <= self.ids.keys():
            found[self.ids["</s>"]] = NORMAL
        check_number_of_specials(sum(kind in (UNKNOWN, CONTROL, USER_DEFINED) for kind in found))
        return found

    def _control_names(self) -> set[str]:
        keys = self.values.keys()
        named = [
            names for kinds, names in _FILLS.items() if not any(f"tokenizer.ggml.{k}_token_id" in keys for k in kinds)
        ]
        return {*" ".join([_ENDS, *named]).split()} & self.ids.keys()

    def of_types(self, *types: int) -> dict[str, int]:
        """Return the tokens of some types, token → id."""
        return {token: i for i, token in enumerate(self.tokens) if self.types[i] in types}

    def special(self, name: str, default: int | None) -> int | None:
        """Return a special id such as "bos"; None if there is none. An id of no token is ignored."""
        size = len(self.tokens)
        found = self.get(f"{name}_token_id", -1)
        if 0 <= found < size:
            return found
        return default if default is not None and default < size else None

    @property
    def roles(self) -> dict[str, str]:
        """The name of the special token for each role that the GGUF has: see `Tokenizer`."""
        ids = {f"{role}_token": self.special(name, None) for role, name in _ROLES.items()}
        return {role: self.tokens[i] for role, i in ids.items() if i is not None}

    def needed(self, name: str, default: int | None) -> int:
        """Return a special id as `special` does; `FormatError` if there is none."""
        found = self.special(name, default)
        if found is None:
            raise FormatError(f"the GGUF does not say which token is its special token {name!r}")
        return found

    def around(self, bos: int | None, eos: int, add_bos: bool, add_eos: bool, always_bos: bool = False) -> Around:
        """Return the ids around a text. `bos`, `eos`, `add_…`: what holds where the file says nothing.

        `always_bos`: whether BOS comes whatever the file says, as llama.cpp does for Gemma 4.
        """
        before = (self.needed("bos", bos),) if always_bos or self.get("add_bos_token", add_bos) else ()
        return Around(before, (self.needed("eos", eos),) if self.get("add_eos_token", add_eos) else ())

    @cached_property
    def strips(self) -> dict[str, str]:
        """Name → "lstrip" or "rstrip": the tokens that take the white space before or after them."""
        name = self._typed("general.name", "").lower()
        if any(each in self.get("pre", "") for each in _LEFT) or any(
            each in self._typed("general.architecture", "") for each in _LEFT_OF
        ):
            return {"<mask>": "lstrip"}
        if "phi-3" in name or "phi3" in name:
            found = self.of_types(UNKNOWN, CONTROL, USER_DEFINED).keys() | {"</s>"}
            return dict.fromkeys(found - _NOT_RIGHT, "rstrip")
        return {"[MASK]": "lstrip"} if "modern-bert" in name else {}

    @property
    def templates(self) -> dict[str, str]:
        """The chat templates by name. One that has no name of its own is called "default"."""
        first = self._typed("tokenizer.chat_template", "")
        others = {key: self._typed(key, "") for key in self.values if key.startswith("tokenizer.chat_template.")}
        named = {key.removeprefix("tokenizer.chat_template."): text for key, text in others.items()}
        return {name: text for name, text in {"default": first, **named}.items() if text}


_CALLING = (
    {"<|return|>", "<|call|>"},
    {"<|return|>", "<|calls|>"},
    {"<|call|>", "<|flush|>"},
    {"<|calls|>", "<|flush|>"},
)


def read_vocabulary(content: bytes) -> GgufVocabulary:
    """Return the vocabulary in a GGUF. What can be wrong with it is said when it is asked for.

    >>> read_vocabulary(b"GGUF\\3\\0\\0\\0" + bytes(16)).tokens
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the GGUF has no tokenizer.ggml.tokens: it is no model, or not its first part
    """
    wanted = ("general.name", "general.architecture")
    return GgufVocabulary(metadata(content, lambda key: key.startswith(PREFIX) or key in wanted)[0])


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
