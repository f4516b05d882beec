"""What a tokenizer is made of, written in one way for all formats, so that two tokenizers can be laid side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from bpe_core.files.format import FormatError
from bpe_core.files.hugging_face_parts import normalizer_part, pretokenizer_part
from bpe_core.files.libraries import all_parts
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.partitioned import Partitioned
from bpe_core.files.sentencepiece_model import is_sentencepiece, normalizer_fields, pieces_of, trainer_fields
from bpe_core.text.normalizers import NORMALIZERS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import Tokenizer

FLAGS = ("lstrip", "rstrip", "single_word", "normalized")  # the rules of an added token
_NO_OPTIONS = ("type", "vocab", "merges", "dropout")  # of a model in a tokenizer.json; dropout is for training
_EMPTY_IS_NONE = ("continuing_subword_prefix", "end_of_word_suffix")
_ABOUT_UNKNOWN = ("unk_token", "unk_id", "byte_fallback", "fuse_unk")  # no effect where all 256 bytes have a token
_INNER = ("normalizers", "pretokenizers")
_LONG = 200  # characters; a longer value is written as its hash

Pair = tuple[bytes, bytes]


class Name(NamedTuple):
    """A special or added token. `flags`: those of `FLAGS` that are on; None if the format has no flags."""

    id: int
    special: bool
    flags: tuple[str, ...] | None = ()

    def __str__(self) -> str:
        """Return the token's id and what holds for it.

        >>> str(Name(7, True, ("lstrip",))), str(Name(8, False))
        ('id 7, special, lstrip', 'id 8, added')
        """
        return ", ".join((f"id {self.id}", "special" if self.special else "added", *(self.flags or ())))


class Rules(NamedTuple):
    """Rules in the order in which they apply. `written`: their notation; only rules in one notation compare."""

    written: str
    rules: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Composition:
    """The parts of a tokenizer. `template`: its chat template; "" if there is none, or none is known."""

    tokenizer: Tokenizer
    template: str = ""

    @cached_property
    def _file(self) -> Mapping[str, Any]:
        """The `tokenizer.json`, without its large tables; {} if the tokenizer is of another format."""
        content = self.tokenizer.content
        found = json.loads(content) if content.startswith(b"{") else {}
        if "model" in found:
            found["model"] = {key: value for key, value in found["model"].items() if key not in _NO_OPTIONS}
        return found

    def literals(self, stage: str) -> frozenset[str]:
        """Return the texts that a stage of the file looks for as they stand, such as "normalizer"."""
        patterns = [part.get("pattern") for part in all_parts(self._file.get(stage))]
        texts = [pattern.get("String") for pattern in patterns if isinstance(pattern, dict)]
        return frozenset(text for text in texts if isinstance(text, str) and text)

    @property
    def format(self) -> str:
        """Which format the file has whose library encodes: "tokenizer.json", "SentencePiece"; "" for any other."""
        if is_sentencepiece(self.tokenizer.content):
            return "SentencePiece"
        return "tokenizer.json" if self.tokenizer.content.startswith(b"{") else ""

    @cached_property
    def pieces(self) -> dict[str, tuple[tuple[int, float, int], ...]]:
        """The tokens as a SentencePiece model writes them: piece → its (id, score, type), which may be several."""
        found: dict[str, tuple[tuple[int, float, int], ...]] = {}
        for i, (piece, score, kind) in enumerate(pieces_of(self.tokenizer.content)):
            found[piece] = (*found.get(piece, ()), (i, score, kind))
        return found

    @cached_property
    def written(self) -> dict[str, tuple[int, ...]]:
        """The tokens as the model of a `tokenizer.json` writes them: name → its ids, which may be several."""
        vocabulary = json.loads(self.tokenizer.content)["model"]["vocab"]
        found: dict[str, tuple[int, ...]] = {}
        if isinstance(vocabulary, dict):
            return {name: (i,) for name, i in vocabulary.items()}
        for i, (name, _) in enumerate(vocabulary):  # of Unigram, pieces with scores
            found[name] = (*found.get(name, ()), i)
        return found

    @cached_property
    def model(self) -> tuple[str, ...]:
        """The kind of the model, and its options."""
        tok = self.tokenizer
        found: dict[str, Any] = dict(self._file.get("model") or _options(tok))
        if self.format == "SentencePiece":
            found |= trainer_fields(tok.content)
        found = {key: value for key, value in found.items() if not (value == "" and key in _EMPTY_IS_NONE)}
        with_parts = any(map(found.get, _EMPTY_IS_NONE))  # then a byte's token may lack the one with its suffix
        if tok.alphabet == "bytes" and not tok.vocabulary.loses_text and not with_parts:
            found = {key: value for key, value in found.items() if key not in _ABOUT_UNKNOWN}
        said = (f"{key}: {value}" for key, value in sorted(found.items()) if value is not None and value is not False)
        return (str(tok.model), *said)

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """The ids of the tokens by name, without special and added tokens."""
        apart = set(self.tokenizer.special_tokens.values())
        return {name: i for name, i in self.tokenizer.get_vocab().items() if i not in apart}

    @cached_property
    def bytes_of(self) -> dict[int, bytes]:
        """The tokens' names by id. Two tokens may have one name, where a file writes the same bytes in two ways."""
        named = {i: name for name, i in self.tokenizer.get_vocab().items()}
        return dict(enumerate(self.tokenizer.tokens)) | named

    @property
    def ranks_tokens(self) -> bool:
        """Whether the file ranks tokens: then all merges that make one token have one rank."""
        return self.tokenizer.shared_ranks

    @cached_property
    def merges(self) -> dict[Pair, int]:
        """The merges as pairs of tokens, with their ranks. If a pair stands twice, `tokenizers` takes the last rank."""
        names = self.bytes_of
        found: dict[Pair, int] = {}
        ranks: dict[int, int] = {}
        for number, (left, right, new) in enumerate(self.tokenizer.merges):
            pair = names[left], names[right]
            if pair not in found or self.format == "tokenizer.json":
                found[pair] = ranks.setdefault(new, len(ranks)) if self.ranks_tokens else number
        return found

    @cached_property
    def names(self) -> dict[str, Name]:
        """The special and added tokens."""
        tok = self.tokenizer
        rows = {row["content"]: row for row in self._file.get("added_tokens") or []}
        found = {
            name: Name(tok.special_tokens.get(name, row["id"]), bool(row.get("special")), tuple(filter(row.get, FLAGS)))
            for name, row in rows.items()
        }
        flags = None if tok.needs_library else ()
        others = {name: i for name, i in tok.special_tokens.items() if name not in found}
        return found | {name: Name(i, i not in tok.vocabulary.added, flags) for name, i in others.items()}

    @cached_property
    def normalization(self) -> Rules:
        """What is done to a text before it is split."""
        tok = self.tokenizer
        if self._file:
            return Rules("parts", tuple(_flat(self._file.get("normalizer"))))
        if is_sentencepiece(tok.content):
            fields = (f"{key}: {_short(value)}" for key, value in normalizer_fields(tok.content).items())
            library = tok.library if isinstance(tok, LibraryTokenizer) else None
            spaces = library.spaces if isinstance(library, Partitioned) else ()
            return Rules("SentencePiece", (*fields, *spaces))
        if tok.needs_library:
            return Rules("llama.cpp", ("as llama.cpp reads SentencePiece's kinds",))
        rules = [_flat_normalizer(key) for key in tok.normalizers]
        return Rules("parts", (*rules, *(["a space before the text"] if tok.prefix_space else [])))

    @cached_property
    def split(self) -> Rules:
        """How a text becomes pretokens."""
        tok = self.tokenizer
        if tok.pretokenizer in PRETOKENIZERS.values():
            try:
                return Rules("parts", tuple(_flat(pretokenizer_part(tok.pretokenizer, tok.alphabet))))
            except FormatError:  # Hugging Face has no such part
                return Rules("parts", (tok.pretokenizer.title,))
        if self._file:
            return Rules("parts", tuple(_flat(self._file.get("pre_tokenizer"))))
        title = tok.pretokenizer.title
        return Rules(title, (title,)) if tok.needs_library else Rules("parts", (tok.pretokenizer.pattern,))

    @cached_property
    def split_in_file(self) -> tuple[str, ...]:
        """The split as a `tokenizer.json` has it; `split` has a known one in one form however it is written."""
        return tuple(_flat(self._file.get("pre_tokenizer")))

    @cached_property
    def around(self) -> str:
        """What is put before and after a text for the model, such as `[CLS] text [SEP]`."""
        return written_around(self.tokenizer.around, self.tokenizer)


def written_around(around: Around, tokenizer: Tokenizer) -> str:
    """Return the names of the special tokens around a text.

    >>> from bpe_core import load
    >>> written_around(load("bert").around, load("bert"))
    '[CLS] text [SEP]'
    """
    before, after = (
        [tokenizer.token_bytes(i).decode("utf-8", "replace") for i in ids] for ids in (around.before, around.after)
    )
    return " ".join([*before, "text", *after])


def _options(tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the options of a tokenizer that is not from a `tokenizer.json`, under their names there."""
    unknown = tokenizer.unknown_id
    return {
        "unk_token": None if unknown is None else tokenizer.token_bytes(unknown).decode("utf-8", "replace"),
        "byte_fallback": bool(tokenizer.byte_ids),
        "ignore_merges": tokenizer.whole_words,
        **(
            {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
            if tokenizer.model.takes_longest
            else {}
        ),
        **({"word marker": tokenizer.word_marker} if tokenizer.word_marker != "none" else {}),
    }


def _flat_normalizer(key: str) -> str:
    try:
        return "; ".join(_flat(normalizer_part((key,))))
    except FormatError:
        return NORMALIZERS[key].title


def _flat(part: object) -> Iterator[str]:
    """Yield the rules in a part of a `tokenizer.json`, each in one line. A rule about offsets alone is left out.

    >>> list(_flat({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Prepend", "prepend": "▁"}]}))
    ['NFC', 'Prepend, prepend: "▁"']
    """
    if not isinstance(part, Mapping):
        return
    inner: Sequence[object] | None = next((part[key] for key in _INNER if key in part), None)
    for each in inner or ():
        yield from _flat(each)
    if inner is None:
        fields = ((key, value) for key, value in sorted(part.items()) if key not in ("type", "trim_offsets"))
        yield ", ".join([str(part.get("type")), *(f"{key}: {_short(value)}" for key, value in fields)])


def _short(value: object) -> str:
    """Return a value as JSON. A long value, such as a normalizer's table, becomes its length and its hash."""
    found = value.hex() if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    if len(found) <= _LONG or not found.isascii() or " " in found:
        return found
    return f"{len(found):,} characters, sha256 {sha256(found.encode()).hexdigest()[:16]}"
