"""Reading the parts of a file, within limits and with errors that name the part. Nothing in a file is executed."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, repeat
from typing import Any, TypeVar

from bpe_core.files.format import FormatError
from bpe_core.text.custom_patterns import with_pattern
from bpe_core.text.rules import PatternError, Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

T = TypeVar("T")

MAX_BYTES = 64 << 20  # in all files of a tokenizer; the largest published tokenizer has 33 MB
MAX_ID = 1 << 21
MAX_TOKEN = 1 << 14  # bytes of a token
MAX_MERGES = 1 << 21
MAX_LINES = 1 << 20
MAX_VALUES = 1 << 22  # in a JSON file; the largest published one has about two million
MAX_SPECIALS = 10_000  # special tokens; a published tokenizer has 6,400 at most
MAX_SPECIAL = 512  # characters of a special token
MAX_IN_SPECIALS = 1 << 17  # characters of all special tokens
MAX_PATTERN = 10_000  # characters


def text_of(content: bytes) -> str:
    """Return a file as text.

    >>> text_of(b"hug\\xff")
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the file is not text in UTF-8: byte 3 is 0xff
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"the file is not text in UTF-8: byte {error.start} is {content[error.start]:#04x}") from None


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a file; the last line may be empty. They end with LF, CRLF, or in a file without LF with CR.

    >>> lines_of(b"hug\\r\\npug\\n")
    ['hug', 'pug', '']
    """
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    if content.count(b"\n") > MAX_LINES:
        raise FormatError(f"files of more than {MAX_LINES:,} lines are not read")
    return text_of(content).replace("\r\n", "\n").split("\n")


def json_of(content: bytes) -> Any:
    """Return the value in a JSON file.

    Raises `FormatError` if a vocabulary in it has a token twice: then it is not certain which id the token has. Files
    of other formats are refused for this as well.

    >>> json_of(b'{"a": 1}')
    {'a': 1}
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise FormatError(f"JSON of more than {MAX_VALUES:,} values is not read")
    try:
        return json.loads(text_of(content), object_pairs_hook=_object)
    except FormatError:
        raise
    except ValueError as error:  # also raised for a number of thousands of digits
        raise FormatError(f"the file is not whole JSON: {error}") from None
    except RecursionError:
        raise FormatError("the file is not a tokenizer: its JSON is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if type(value) is int is type(seen.get(key)):
                ids = f"{seen[key]} and {value}"
                raise FormatError(
                    f"the vocabulary has the token {key!r:.60} twice, with the ids {ids}: one cannot use it with both"
                )
            seen[key] = value
    return found


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector: scanning a million new lists takes as long as reading them, and frees nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def kind_of(value: object, kind: type[T], what: str) -> T:
    """Return `value`; raise `FormatError` unless it is of this kind. `what`: the name of the value in the error.

    >>> kind_of([], dict, "the config")
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the config has to be an object, and is list
    """
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names: dict[type, str] = {
            dict: "an object", list: "a list", str: "text", int: "a whole number", bool: "true or false"
        }  # fmt: skip
        raise FormatError(f"{what} has to be {names[kind]}, and is {type(value).__name__}")
    return value


def id_of(value: object, what: str) -> int:
    """Return `value`; raise `FormatError` unless it can be an id. `what`: the token's name in the error.

    >>> id_of(-1, "hug")
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the id of hug is -1; ids from 0 to 2097151 can be read
    """
    number = kind_of(value, int, f"the id of {what}")
    if not 0 <= number < MAX_ID:
        raise FormatError(f"the id of {what} is {number!s:.40}; ids from 0 to {MAX_ID - 1} can be read")
    return number


def whole_number(text: str, what: str) -> int:
    """Return the number in a text of digits. `what`: the name of the number in the error.

    >>> whole_number("-1", "the rank")
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the rank has to be a whole number, and is '-1'
    """
    if text.isascii() and text.isdigit() and len(text) >= 10:
        raise FormatError(f"{what} is {text[:40]}, which is too large")
    if not (text.isascii() and text.isdigit()):
        raise FormatError(f"{what} has to be a whole number, and is {text[:40]!r}")
    return int(text)


def by_id(tokens: Sequence[bytes], ids: Iterable[int]) -> tuple[bytes, ...]:
    """Return the tokens in the order of their ids, with b"" for an id without a token. `ids`: the id of each.

    >>> by_id([b"hug", b"g"], [2, 0])
    (b'g', b'', b'hug')
    """
    ids = list(ids)
    size = id_of(max(ids), "the last token") + 1 if ids else 0
    placed = dict(zip(ids, tokens, strict=True))
    if len(placed) < len(ids) or max(map(len, tokens), default=0) > MAX_TOKEN:
        _check_tokens(tokens, ids)
    return tuple(tokens) if ids == [*range(size)] else tuple(map(placed.get, range(size), repeat(b"")))


def _check_tokens(tokens: Iterable[bytes], ids: Iterable[int]) -> None:
    """Raise `FormatError` for an id that two tokens have, and for a token that is too long."""
    placed: dict[int, bytes] = {}
    for token, i in zip(tokens, ids, strict=True):
        if placed.get(i):
            raise FormatError(f"id {i} is given twice, to {placed[i]!r:.60} and to {token!r:.60}")
        if len(token) > MAX_TOKEN:
            raise FormatError(f"token {i} has {len(token)} bytes; tokens of up to {MAX_TOKEN} can be read")
        placed[i] = token


def pretokenizer_of(pattern: str, translated: Callable[[str], str] = str, whose: str = " of the file") -> Pretokenizer:
    """Return the pretokenizer with the pattern of a file: see `with_pattern`.

    `translated`: the function that translates the pattern for Python, such as `from_rust` for a library in Rust.
    `whose`: what an error says of the pattern; "" for a pattern that the caller gave.

    >>> pretokenizer_of(r"\\S+").title
    'Whitespace'
    """
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"the pattern{whose} has {len(pattern):,} characters; {MAX_PATTERN:,} can be read")
    try:
        return with_pattern(pattern, translated)
    except PatternError as error:
        raise FormatError(f"the pattern {pattern[:60]!r}{whose} cannot be used: {error}") from None


def all_merges(ids: Mapping[str, int]) -> tuple[tuple[int, int, int], ...]:
    """Return a merge (left id, right id, new id) for each pair of tokens that together spell a token.

    For files that rank their tokens and list no merges. `ids`: text of a token → id, in the order of the ranks.
    Raises `FormatError` if there are too many merges.

    >>> all_merges({"a": 7, "b": 8, "ab": 9, "aab": 5})
    ((7, 8, 9), (7, 9, 5))
    """
    merges = (
        (ids[token[:k]], ids[token[k:]], new)
        for token, new in ids.items()
        for k in range(1, len(token))
        if token[:k] in ids and token[k:] in ids
    )
    found = tuple(islice(merges, MAX_MERGES + 1))
    if len(found) > MAX_MERGES:
        raise FormatError(f"the tokens have more than {MAX_MERGES:,} merges, which cannot be read")
    return found


def checked(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer that was read; raise `FormatError` if its parts contradict each other."""
    tokens = tokenizer.tokens
    wrong = next((merge for merge in tokenizer.merges if tokens[merge[0]] + tokens[merge[1]] != tokens[merge[2]]), None)
    if wrong:
        left, right, new = (tokens[i] for i in wrong)
        raise FormatError(f"the merge of {left!r:.60} and {right!r:.60} does not make {new!r:.60}: not supported")
    _check_size(tokenizer.special_tokens)
    _check_ids(tokenizer.special_tokens, tokens)
    return tokenizer


def _check_ids(names: Mapping[str, int], tokens: Sequence[bytes]) -> None:
    """Raise `FormatError` if a special token has an empty name, or the id of another token."""
    named: dict[int, str] = {}
    for name, i in names.items():
        if not name:
            raise FormatError(f"the special token with id {i} has an empty name")
        if i in named:
            raise FormatError(f"the special tokens {named[i]!r:.60} and {name!r:.60} have one id: {i}")
        if i < len(tokens) and tokens[i]:
            raise FormatError(f"the special token {name!r:.60} has id {i}, which is the id of {tokens[i]!r:.60}")
        named[i] = name


def check_number_of_specials(number: int) -> None:
    """Raise `FormatError` if a file has more special tokens than can be read."""
    if number > MAX_SPECIALS:
        raise FormatError(f"the file has {number:,} special tokens; {MAX_SPECIALS:,} can be read")


def _check_size(names: Mapping[str, int]) -> None:
    """Raise `FormatError` if the special tokens are so many or so long that finding them would take long."""
    check_number_of_specials(len(names))
    longest = max(map(len, names), default=0)
    if longest > MAX_SPECIAL:
        raise FormatError(f"a special token has {longest:,} characters; {MAX_SPECIAL:,} can be read")
    if sum(map(len, names)) > MAX_IN_SPECIALS:
        raise FormatError(f"the special tokens have more than {MAX_IN_SPECIALS:,} characters together")
