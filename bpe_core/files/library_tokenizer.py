"""A tokenizer whose ids, offsets and decoding come from its own library; the steps inside its tokens come from us.

A library returns the tokens of a text, and not the merges that made them. But in byte-pair encoding the merges inside a
token do not depend on the text: joining a token's own symbols by rank shows at which step each boundary fell.
So the app can show the tokens at every step, and explain each of them. Tokens that no merges make stay whole: all
tokens of WordPiece, Unigram and word lists, added tokens, and words that are looked up before merging.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, partial
from itertools import chain, compress, groupby
from typing import Any, overload

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_core import shortcuts
from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.files.format import Parts, RefusedTextError
from bpe_core.files.libraries import Library, LibraryTokens, hugging_face_library, sendable, their_errors
from bpe_core.files.library_losses import losses, may_be_lost
from bpe_core.files.library_walk import library_walk
from bpe_core.files.placed_tokens import BYTE_NAMES
from bpe_core.models.wordpiece_tokenizer import WordPieceTokenizer
from bpe_core.text.alphabet import encode_text, from_letters
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.checks import Specials
from bpe_core.tokenizer.encoding import FALLEN, NOT_KNOWN, SPECIAL_RULE, Encoding, Loss
from bpe_core.tokenizer.merging import IdMerge
from bpe_core.tokenizer.streaming import Windows
from bpe_core.tokenizer.tokenizer import BYTE, TO_ENCODE, Tokenizer
from bpe_core.tokenizer.walk import Walk


@dataclass(frozen=True, repr=False)
class LibraryTokenizer(Tokenizer):
    """A tokenizer of a file that a library reads.

    `library`: the opened file. `content`: the file itself, which saving writes again. `parts`: what the JSON of a file
    says, without its tokens and merges. `endings`: see `BaseSymbols`.
    `by_rank`: see `Vocabulary`; a file may list its merges in any order. `merges_alone`: whether merging a token's own
    bytes alone decides whether a text can have that token. `finds_names`: whether the library can find special tokens
    in a text. `decodes_alike`: whether a token has the same text after every other token. `rewrites`: whether decoding
    may change text of earlier ids when more ids come. `replaced`: a text that decoding replaces, also across tokens.
    `joins_bytes`: whether decoding joins the bytes of all tokens. `longest_word`: how many characters a word may have;
    a longer one is unknown. `needs_library`: whether ids come from a library.
    """

    library: Library = field(kw_only=True, compare=False)
    endings: Mapping[int, int] = field(default_factory=dict)
    by_rank: bool = True
    merges_alone: bool = False
    finds_names: bool = True
    content: bytes = b""
    parts: Parts = field(default_factory=dict, compare=False)
    decodes_alike: bool = False
    rewrites: bool = False
    replaced: str = ""
    joins_bytes: bool = False
    longest_word: int | None = None

    needs_library = True
    __hash__ = Tokenizer.__hash__

    def without_library(self) -> Tokenizer:
        """Return a tokenizer that has the same vocabulary and needs no library.

        It is for trying other normalizers and pretokenizers. A Unigram model or a word list becomes a `Tokenizer`
        without merges, which encodes no text.
        """
        ours = WordPieceTokenizer if self.model.takes_longest else Tokenizer
        return ours(**{part.name: getattr(self, part.name) for part in fields(Tokenizer)})

    plain = shortcuts.plain_tokenizer

    def found(self, text: str, specials: bool = True) -> LibraryTokens:
        """Return the tokens that the library finds in a text."""
        return self.library.encode(sendable(text), specials)

    def ids(self, text: OneText, *, specials: Specials = None, add_special_tokens: bool = False) -> list[int]:
        """Return the library's ids of a text."""
        text = text if isinstance(text, str) else whole_text(text, TO_ENCODE)
        ids: list[int] = self.found(text, self._recognised(text, specials)).ids.tolist()
        return self._added(add_special_tokens).put(ids)

    def _ids_of_each(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        recognised = [self._recognised(text, specials) for text in texts]
        if specials:
            with suppress(RefusedTextError):  # which text is refused is found below
                return self.library.ids_of_each([*map(sendable, texts)])
        return [self._ids_at(number, texts, so) for number, so in enumerate(recognised)]

    def _ids_at(self, number: int, texts: Sequence[str], recognised: bool) -> list[int]:
        """Return the ids of one of several texts; an error names its place among them."""
        try:
            ids: list[int] = self.found(texts[number], recognised).ids.tolist()
        except RefusedTextError as error:
            raise RefusedTextError(f"texts[{number}]: {error}") from None
        return ids

    def encode(
        self, text: OneText, *, specials: Specials = None, longest: bool = False, add_special_tokens: bool = False
    ) -> LibraryEncoding:
        """Return the tokens that the library finds in `text`. `longest` has no effect."""
        text = whole_text(text, TO_ENCODE)
        return LibraryEncoding(self, text, self._recognised(text, specials), around=self._added(add_special_tokens))

    @cached_property
    def _special_names(self) -> tuple[str, ...]:
        """The names of the special tokens that the library finds in a text only if the caller says so."""
        return super()._special_names if self.finds_names else ()

    def decode(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> str:
        """Return the library's text of ids. Raises `ValueError` for an id that the vocabulary does not have."""
        numbers = self._numbers(ids, skip_special_tokens)
        for token_id in set(numbers):
            self.token_bytes(token_id)  # an unknown id raises
        return self.library.decode(numbers) if numbers else ""  # some decoders of `tokenizers` panic without ids

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of the library's text; a part of a character is its bytes.

        Raises `ValueError` if the decoder of the file changes bytes in a way that is not known.
        """
        numbers = self._numbers(ids, skip_special_tokens)
        joined = b"".join(map(self._decoded_bytes, numbers))
        if self.joins_bytes:
            return joined
        text = self.decode(numbers)
        if "\ufffd" not in text:
            return encode_text(text)
        if joined.decode(errors="replace") == text:
            return joined
        return self._with_bytes(numbers)

    @property
    def decodes_as_ours(self) -> bool:
        """Whether decoding joins the bytes of all tokens, and the names of special tokens stay as they are."""
        names = self.vocabulary.special_names
        return self.joins_bytes and all(self._decoded_bytes(i) == self.token_bytes(i) for i in names)

    def _decoded_bytes(self, token_id: int) -> bytes:
        """Return the bytes that decoding has of a token; letters stand for bytes in the name of an added token too."""
        raw = self.token_bytes(token_id)
        if token_id in self._byte_of:
            return self._byte_of[token_id]
        if self.kinds.get(token_id) == BYTE:  # the decoder writes its name
            return self.vocabulary.spelling(token_id)
        if self.alphabet == "bytes" and token_id in self.vocabulary.special_names:
            return from_letters([raw.decode()])[0] or raw
        return raw

    def _with_bytes(self, numbers: Sequence[int]) -> bytes:
        """Return the bytes of ids among which are bytes of a character.

        The library writes U+FFFD for bytes in a row that are no text. So each such row is decoded as one byte that the
        text does not have, and is put back for it.

            ids        a | F0 | 9F | b        F0 and 9F are no character
            decoded    a | 01 | b
            bytes      61 F0 9F 62
        """
        rows = [[*row] for _, row in groupby(numbers, self._single.__contains__)]
        is_part = [row[0] in self._single and not _is_text(self._bytes_of_row(row)) for row in rows]
        if not any(is_part):
            return encode_text(self.decode(numbers))
        rest = self.decode([i for row, part in zip(rows, is_part, strict=True) if not part for i in row])
        ascii_bytes = sorted((raw, i) for i, raw in self._byte_of.items() if raw.isascii() and raw.strip())
        free, its_id = next(((raw, i) for raw, i in ascii_bytes if raw.decode() not in rest), (b"", -1))
        ids = [i for row, part in zip(rows, is_part, strict=True) for i in ([its_id] if part else row)]
        between = encode_text(self.decode(ids)).split(free) if free else []
        if len(between) != sum(is_part) + 1:
            raise ValueError("the bytes of these ids are not known, since the file's decoder changes them: use decode")
        parts = (self._bytes_of_row(row) for row in compress(rows, is_part))
        return b"".join(chain.from_iterable(zip(between, chain(parts, [b""]), strict=True)))

    def _bytes_of_row(self, row: Iterable[int]) -> bytes:
        return b"".join(self._byte_of[i] for i in row)

    def _texts(self, ids: Iterator[int]) -> Iterator[str]:
        if self.rewrites:
            return iter([self.decode(ids)])
        return self._windows.texts(ids)

    @cached_property
    def _byte_of(self) -> dict[int, bytes]:
        """The tokens that decoding turns into a byte of a character, by id."""
        found = {i: self.token_bytes(i) for i, kind in self.kinds.items() if kind == BYTE}
        if not found and not self._has_byte_names():
            return {}
        names = self.vocabulary.ids_of_names
        found |= {names[name.encode()]: bytes([byte]) for name, byte in BYTE_NAMES.items() if name.encode() in names}
        # some decoders write the names of bytes
        return {} if found and "<0x" in self.library.decode([min(found)]) else found

    def _has_byte_names(self) -> bool:
        """Return whether a token is called like a byte, such as `<0x41>`. All names together take longer to make."""
        no_token = {name.encode() for name in BYTE_NAMES}.isdisjoint(self.tokens)
        return not (no_token and BYTE_NAMES.keys().isdisjoint(self.special_tokens))

    @cached_property
    def _single(self) -> frozenset[int]:
        return frozenset(self._byte_of)

    @cached_property
    def _windows(self) -> Windows:
        beginnings = tuple(self.replaced[:end] for end in range(1, len(self.replaced)))
        return Windows(self.library.decode, self._decoded_bytes, self._single, self.decodes_alike, beginnings)

    def with_special_tokens(self, *names: str) -> Tokenizer:
        """Raise `ValueError`: the library that opened the file would not know the new tokens."""
        raise ValueError(
            "a library opened this file, and gets no special tokens here: add them with that library "
            "(add_special_tokens), save the file and load it"
        )


class LibraryEncoding(Encoding):
    """A text and its tokens, as the library finds them. All offsets are in the text as it was typed."""

    tokenizer: LibraryTokenizer

    @cached_property
    def _found(self) -> LibraryTokens:
        return self.tokenizer.found(self.text, self.specials)

    @cached_property
    def walk(self) -> Walk:
        """The four arrays (see `walk`) of the tokens that the library has found."""
        return library_walk(self.tokenizer.vocabulary, sendable(self.text), self._found)

    @cached_property
    def _own_ids(self) -> tuple[int, ...]:
        return tuple(self._found.ids.tolist())

    @property
    def _own_spans(self) -> Iterable[tuple[int, int]]:
        """The library's offsets of every token of the text."""
        return zip(self._found.starts.tolist(), self._found.ends.tolist(), strict=True)

    @cached_property
    def decoded(self) -> str:
        """The text that the ids give back."""
        return self.tokenizer.decode(self._own_ids)

    @cached_property
    def _words(self) -> list[tuple[Pretoken, tuple[int, ...]]]:
        """The pretokens, each with its ids."""
        if len(self._found.pretokens):
            return [*self._known_words()]
        rows = zip(self._own_ids, self._own_spans, self._found.words.tolist(), strict=True)
        words = []
        for (_, rule), group in groupby(rows, lambda row: (row[2], self._rule(row[:1], *row[1]))):
            ids, spans, _ = zip(*group, strict=True)
            start, end = min(start for start, _ in spans), max(end for _, end in spans)
            words.append((Pretoken(self.text[start:end], start, end, rule), ids))
        return words

    def _known_words(self) -> Iterator[tuple[Pretoken, tuple[int, ...]]]:
        """Yield the pretokens that the library itself has said, also those of which nothing is left."""
        at = 0
        for start, end, count in self._found.pretokens.tolist():
            ids = self._own_ids[at : at + count]
            at += count
            yield Pretoken(self.text[start:end], start, end, self._rule(ids, start, end)), ids

    def _rule(self, ids: Sequence[int], start: int, end: int) -> str:
        """Return the rule of a pretoken: `SPECIAL_RULE` for a special token that was typed, else ""."""
        names = self.tokenizer.special_tokens
        found = self._special_ids.intersection(ids)
        stands_for_text = found == {self.tokenizer.unknown_id} and self.text[start:end].strip() not in names
        return SPECIAL_RULE if found and not stands_for_text else ""

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.tokenizer.special_tokens.values())

    @cached_property
    def pretokens(self) -> tuple[Pretoken, ...]:
        """The pretokens that the library splits the text into."""
        return tuple(pretoken for pretoken, _ in self._words)

    @cached_property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The ids that each pretoken became."""
        return tuple(ids for _, ids in self._words)

    @cached_property
    def library_remark(self) -> str:
        """A sentence on characters that are newer than the library's Unicode; "" for none. Other libraries have none.

        SentencePiece has no classes of characters in its splits.
        """
        return newer_characters(sendable(self.text)) if self.tokenizer.content.startswith(b"{") else ""

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """The spans that the ids do not give back, each with the reason: see `library_losses`."""
        whole = FALLEN if self.tokenizer.unknown_id is None else NOT_KNOWN
        lost = {at for start, end in self.fallen for at in range(start, end)}
        reasons = dict.fromkeys(lost, whole)
        reasons |= {at: why for start, end, why in self._unknown() for at in range(start, end)}
        if self.decoded == self.text and not reasons:
            return ()
        text = sendable(self.text)
        normalized, split = self.tokenizer.library.before_model(text, self.specials)
        return losses(text, self.decoded, reasons, may_be_lost(text, normalized, split))


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


class LaterMerges(Sequence[IdMerge]):
    """Merges that `make` computes at first use, as rows of an array: left id, right id, new id.

    Only their number, `size`, is known from the beginning.

    >>> merges = LaterMerges(2, lambda: np.array([[0, 1, 3], [3, 2, 4]]))
    >>> len(merges), merges[0], merges == ((0, 1, 3), (3, 2, 4))
    (2, (0, 1, 3), True)
    """

    def __init__(self, size: int, make: Callable[[], NDArray[np.int64]]) -> None:
        """Store how many merges there are, and the function that makes them."""
        self._size, self._make = size, make

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The merges as rows of an array."""
        rows, self._make = self._make(), _elsewhere  # `make` goes, and frees the data that it holds
        return rows

    @cached_property
    def _tuples(self) -> tuple[IdMerge, ...]:
        return tuple(zip(*(column.tolist() for column in self.rows.T), strict=True))

    def __len__(self) -> int:
        """Return how many merges there are."""
        return self._size

    @overload
    def __getitem__(self, number: int) -> IdMerge: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[IdMerge, ...]: ...
    def __getitem__(self, number: int | slice) -> IdMerge | tuple[IdMerge, ...]:
        """Return a merge by its number, or the merges of a slice."""
        return self._tuples[number]

    def __iter__(self) -> Iterator[IdMerge]:
        """Yield the merges, the first learnt first."""
        return iter(self._tuples)

    def __eq__(self, other: object) -> bool:
        """Return whether two sequences have the same merges."""
        return isinstance(other, Sequence) and len(self) == len(other) and self._tuples == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # how Python says that a class has no hash

    def __reduce__(self) -> tuple[type[LaterMerges], tuple[int, Callable[[], NDArray[np.int64]]]]:
        """Pickle only the number of merges. The receiver asks the sender's process for the rows."""
        return LaterMerges, (self._size, _elsewhere)


class OwnMerges(LaterMerges):
    """Later merges of a tokenizer of our own, which is pickled with them."""

    def __reduce__(self) -> tuple[type[LaterMerges], tuple[int, Callable[[], NDArray[np.int64]]]]:
        """Pickle the rows, too."""
        return OwnMerges, (len(self), partial(np.asarray, self.rows))


def _elsewhere() -> NDArray[np.int64]:
    raise LookupError("these merges are in another process")


_KNOWN_HERE = regex.compile(r"[^\p{Cn}\p{ASCII}]")  # the module `regex` has one of the newest versions of Unicode


@cache
def _splitter() -> tuple[Any, str]:
    library = hugging_face_library("asking for the Unicode of tokenizers")
    return library.pre_tokenizers.Split(library.Regex(r"\p{Cn}"), "removed"), str(library.__version__)


def newer_characters(text: str) -> str:
    """Return a sentence on the characters of a text that are newer than the Unicode of `tokenizers`; "" for none.

    >>> newer_characters("a né 🦜")
    ''
    """
    found = "".join(dict.fromkeys(_KNOWN_HERE.findall(text)))
    if not found:
        return ""
    splitter, version = _splitter()
    with their_errors("tokenizers"):
        known = {char for piece, _ in splitter.pre_tokenize_str(found) for char in piece}
    newer = [char for char in found if char not in known]
    if not newer:
        return ""
    more = f" and {len(newer) - 1:,} more" if len(newer) > 1 else ""
    return (
        f"The text has a character newer than the Unicode of tokenizers {version}, U+{ord(newer[0]):04X}{more}: "
        "another version of this library may split it otherwise."
    )
