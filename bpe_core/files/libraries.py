"""The libraries that open their own files: Hugging Face's `tokenizers`, and `sentencepiece`.

Ids, offsets and decoding come from the library, which is imported only when one of its files is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bpe_core.extras import needed, too_new
from bpe_core.files.format import FormatError, Parts, RefusedTextError
from bpe_core.files.library_losses import Seen
from bpe_core.files.placed_tokens import Place, seen_by, with_bytes_alone
from bpe_core.files.reading import json_of
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.arrays import ShortOffsets
from bpe_core.tokenizer.encoding import FIRST_TEXT, NOTHING, SECOND_TEXT, Around, TwoTexts

_ASKED = {"a": 2**32 - 2, "b": 2**32 - 1}  # two texts of one token, with ids that no file has


class LibraryTokens(NamedTuple):
    """The tokens that a library finds in a text: arrays with an entry for each token.

    `starts`, `ends`: character offsets. `words`: the index of the token's pretoken, or -1. `fallen`: the start and the
    end, in bytes, of each part of the text that the model dropped. `pretokens`: the start, the end and the number of
    tokens of each pretoken, if the tokens themselves do not show it; else empty.
    """

    ids: NDArray[np.int64]
    starts: ShortOffsets
    ends: ShortOffsets
    words: NDArray[np.int64]
    fallen: NDArray[np.int64] = np.zeros((0, 2), np.int64)
    pretokens: NDArray[np.int64] = np.zeros((0, 3), np.int64)

    @classmethod
    def of(
        cls,
        text: str,
        ids: list[int],
        spans: list[tuple[int, int]],
        words: list[int | None],
        fallen: Sequence[tuple[int, int]] = (),
        pretokens: Sequence[tuple[int, int, int]] = (),
    ) -> LibraryTokens:
        """Make the arrays from the lists that libraries return for a text.

        Offsets beyond the text become its end: `tokenizers` returns such offsets if a file has both byte fallback and
        an end-of-word suffix.

        >>> found = LibraryTokens.of("hug", [7], [(0, 7)], [None])
        >>> found.ends.tolist(), found.words.tolist()
        ([3], [-1])
        """
        offsets = np.fromiter(chain.from_iterable(spans), np.int32, 2 * len(spans))
        starts, ends = np.minimum(offsets, len(text)).reshape(-1, 2).T
        numbers = [-1 if word is None else word for word in words]
        own = (np.array(ids, np.int64), starts, ends, np.array(numbers, np.int64))
        return cls(*own, np.array(fallen, np.int64).reshape(-1, 2), np.array(pretokens, np.int64).reshape(-1, 3))


class Library(Protocol):
    """A file that its library has opened."""

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text, which must have no lone surrogate."""

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, special tokens recognised. No text may have a lone surrogate."""

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids that the vocabulary has."""

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the parts of a text after its normalization, and the parts that are in pretokens."""


@dataclass(frozen=True)
class AbsentLibrary:
    """Takes the place of a library that is not here. Each method raises `error`, which says where the library is."""

    error: Exception = field(default_factory=lambda: LookupError("the library is in another process"))

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Raise the error."""
        raise self.error

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Raise the error."""
        raise self.error

    def decode(self, ids: Sequence[int]) -> str:
        """Raise the error."""
        raise self.error

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Raise the error."""
        raise self.error


@dataclass(frozen=True)
class NotInstalled(AbsentLibrary):
    """Takes the place of `tokenizers` where that is not installed, until its file is a tokenizer of ours.

    `parts`: the parsed file. Raises `error` if only the library knows the ids of the file.
    """

    parts: Parts = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the added tokens have the ids that the library gives them: those after the model's, in order."""
        vocab = self.parts["model"]["vocab"]
        beyond = [row["id"] for row in self.parts.get("added_tokens") or [] if row["content"] not in vocab]
        if beyond != [*range(len(vocab), len(vocab) + len(beyond))]:
            raise self.error

    def around(self) -> tuple[Around, TwoTexts]:
        """Return what is around a text where the file adds nothing to it; see `HuggingFace.around`."""
        part = self.parts.get("post_processor")
        if part and part.get("type") != "ByteLevel":
            raise self.error
        return NOTHING, ()

    def id_of(self, token: str) -> int | None:
        """Return the id of an added token."""
        return self._ids.get(token)

    @cached_property
    def _ids(self) -> dict[str, int]:
        added = {row["content"]: row["id"] for row in self.parts.get("added_tokens") or []}
        vocab: dict[str, int] = self.parts["model"]["vocab"]
        return added | vocab


def sendable(text: str) -> str:
    """Return `text` as libraries can take it: lone surrogates become U+FFFD.

    >>> sendable("a\\ud800") == "a\\ufffd"
    True
    """
    return without_surrogates(text, "\ufffd")


@contextmanager
def their_errors(name: str) -> Iterator[None]:
    """Turn every error of a library, even a panic of its Rust code, into a `FormatError` of one sentence."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        message = " ".join(str(error).split())[:200] or type(error).__name__
        raise FormatError(f"the library {name}, for which this file is made, cannot use it: {message}") from None


def hugging_face_library(what: str) -> Any:
    """Return the module `tokenizers`, which `what` needs; `FormatError` where its version is too new."""
    with needed("files", what):
        import tokenizers
    if sentence := too_new(what, "tokenizers", tokenizers.__version__):
        raise FormatError(sentence)
    return tokenizers


_PARTS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pre_tokenizers",
    "model": "models",
    "post_processor": "processors",
    "decoder": "decoders",
}


def _unknown_part(library: Any, content: bytes) -> str:
    """Return a sentence about the first part of a `tokenizer.json` that its library does not know; "" if there is none.

    `library`: the module `tokenizers`, which says itself no more than that the part fits none it knows.
    """
    parts = json_of(content)
    version = parts.get("version", "1.0")
    found = [f"version {version!r:.40}"] if isinstance(version, str) and version != "1.0" else []
    for name, module in _PARTS.items():
        known = dir(getattr(library, module))
        kinds = [each["type"] for each in all_parts(parts.get(name)) if isinstance(each.get("type"), str)]
        found += [f"the {name} {kind!r:.40}" for kind in kinds if kind not in known]
    if not found:
        return ""
    return (
        f"the library tokenizers, for which this file is made, cannot use it: {library.__version__} does not know "
        f"{found[0]}; if a newer one wrote the file, update tokenizers, or save the file with an older one"
    )


def all_parts(part: object) -> Iterator[dict[str, Any]]:
    """Yield a part of a file, and the parts in it."""
    if isinstance(part, dict):
        yield part
        for inner in ("normalizers", "pretokenizers", "processors", "decoders"):
            for each in part[inner] if isinstance(part.get(inner), list) else ():
                yield from all_parts(each)


def _has_no_token(unknown: str) -> str:
    """Return the sentence for a text that is refused.

    >>> _has_no_token("é")
    "the library tokenizers refuses this text: the model has no token for 'é' (U+00E9), and no unknown token"
    """
    point = f" (U+{ord(unknown):04X})" if len(unknown) == 1 else ""
    why = f"the model has no token for {unknown!r:.60}{point}, and no unknown token"
    return f"the library tokenizers refuses this text: {why}"


class HuggingFace:
    """A `tokenizer.json` that `tokenizers` has opened."""

    def __init__(self, content: bytes, place: Callable[[Callable[[], Any]], Place | None] = lambda copy: None) -> None:
        """Open the file; `FormatError` where the library cannot.

        `place`: given a function that opens the file once more, returns what mends the library's offsets, if they need
        it.
        """
        library = hugging_face_library("opening this file")
        self._content = content
        try:
            with their_errors("tokenizers"):
                self._theirs: Any = library.Tokenizer.from_buffer(content)
        except FormatError as error:
            raise FormatError(_unknown_part(library, content) or str(error)) from None
        with their_errors("tokenizers"):
            self._place = place(lambda: library.Tokenizer.from_buffer(content))
            self._theirs.no_truncation()
            self._theirs.no_padding()
            if getattr(self._theirs.model, "dropout", None) is not None:
                self._theirs.model.dropout = None  # dropout is for training: encoding would be random

    def around(self) -> tuple[Around, TwoTexts]:
        """Return what the file's own post-processor puts around one text, and around two texts; it is asked with both.

        >>> part = '"post_processor": {"type": "BertProcessing", "cls": ["<s>", 7], "sep": ["</s>", 8]}'
        >>> HuggingFace(b'{"model": {"type": "BPE", "vocab": {}, "merges": []}, %b}' % part.encode()).around()
        (Around(before=(7,), after=(8,)), ((7, 0), (-1, 0), (8, 0), (-2, 1), (8, 1)))
        """
        processor = self._theirs.post_processor
        if processor is None:
            return NOTHING, ()
        library = hugging_face_library("reading a post-processor")
        with their_errors("tokenizers"):
            asked = library.Tokenizer(library.models.WordLevel(_ASKED, unk_token=next(iter(_ASKED))))
            plain = asked.encode(*_ASKED)
            asked.post_processor = processor
            one = asked.encode(next(iter(_ASKED)))
        first, second = _ASKED.values()
        if one.ids.count(first) != 1:
            raise FormatError("the post-processor of the file has the text more than once, which is not read")
        at = one.ids.index(first)
        around = Around(tuple(one.ids[:at]), tuple(one.ids[at + 1 :]))
        try:
            with their_errors("tokenizers"):
                two = asked.encode(*_ASKED)
        except FormatError:  # the library has no answer for two texts where one template follows another
            return around, ()
        if around == NOTHING and (two.ids, two.type_ids) == (plain.ids, plain.type_ids):
            return around, ()
        places = {first: FIRST_TEXT, second: SECOND_TEXT}
        return around, tuple((places.get(i, i), type_id) for i, type_id in zip(two.ids, two.type_ids, strict=True))

    def id_of(self, token: str) -> int | None:
        """Return the id of a token or an added token; None if there is no such token."""
        found: int | None = self._theirs.token_to_id(token)
        return found

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text, without the template's special tokens around it."""
        self._theirs.encode_special_tokens = not specials
        with self._refusal([text]):
            done = self._theirs.encode(text, add_special_tokens=False)
        with their_errors("tokenizers"):
            placed = self._place and self._place(text, done, specials)
            if placed:
                return LibraryTokens.of(text, done.ids, placed.spans, done.word_ids, placed.fallen, placed.pretokens)
            return LibraryTokens.of(text, done.ids, done.offsets, done.word_ids)

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, special tokens recognised."""
        self._theirs.encode_special_tokens = False
        with self._refusal(texts):
            return [done.ids for done in self._theirs.encode_batch_fast(texts, add_special_tokens=False)]

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the characters of a text after its normalization, and the characters that are in pretokens."""
        with their_errors("tokenizers"):
            for reader in self._readers:
                reader.encode_special_tokens = not specials
            whole, split = (seen_by(reader.encode(text, add_special_tokens=False), text) for reader in self._readers)
        return whole, split

    @cached_property
    def _readers(self) -> tuple[Any, Any]:
        """The file with a model of bytes alone: without its pretokenizer, and with it."""
        whole, split = (with_bytes_alone(type(self._theirs).from_buffer(self._content)) for _ in range(2))
        whole.pre_tokenizer = None
        return whole, split

    @contextmanager
    def _refusal(self, texts: Sequence[str]) -> Iterator[None]:
        """Turn an error of encoding into a `RefusedTextError` that names what the model does not know."""
        try:
            with their_errors("tokenizers"):
                yield
        except FormatError as error:
            text = next(filter(self._refuses, texts), "")
            unknown = self._unknown_in(text)
            why = str(error) if unknown is None else _has_no_token(unknown)
            raise RefusedTextError(why) from None

    def _refuses(self, text: str) -> bool:
        try:
            with their_errors("tokenizers"):
                self._theirs.encode(text, add_special_tokens=False)
        except FormatError:
            return True
        return False

    def _unknown_in(self, text: str) -> str | None:
        """Return the first word that is refused, or of a Unigram model its first unknown character; None for none."""
        word = next(filter(self._refuses, text.split()), None)
        if word is None or type(self._theirs.model).__name__ != "Unigram":
            return word
        return next(filter(self._refuses, word), word)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens included."""
        with their_errors("tokenizers"):
            text: str = self._theirs.decode(ids, skip_special_tokens=False)
        return text


class SentencePiece:
    """A SentencePiece `.model` that `sentencepiece` has opened."""

    def __init__(self, content: bytes) -> None:
        """Open the file; `FormatError` where the library cannot."""
        with needed("files", "opening a SentencePiece model"):
            from sentencepiece import SentencePieceProcessor
        with their_errors("sentencepiece"):
            self._theirs: Any = SentencePieceProcessor()
            self._theirs.LoadFromSerializedProto(content)

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text. Control tokens are never found in a text, with `specials` on or off."""
        with their_errors("sentencepiece"):
            found = self._theirs.encode(text, return_type="offset_mapping")
            return LibraryTokens.of(text, found["ids"], found["offsets"], [0] * len(found["ids"]))

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts."""
        with their_errors("sentencepiece"):
            ids: list[list[int]] = self._theirs.encode(list(texts))
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, without control tokens."""
        with their_errors("sentencepiece"):
            text: str = self._theirs.decode(list(ids))
        return text

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the characters of a text after its normalization, twice: all are in pretokens."""
        with their_errors("sentencepiece"):
            written, starts = self._theirs.Normalize(text, with_offsets=True)
        ends = [*starts[1:], len(text)]
        for at in range(len(starts) - 2, -1, -1):  # characters that come from the same one share its end
            if starts[at] == starts[at + 1]:
                ends[at] = ends[at + 1]
        found = [Seen(*row) for row in zip(written, zip(starts, ends, strict=True), strict=False)]
        return found, found
