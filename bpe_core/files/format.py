"""What a file format is: a name, the library that loads it, and how a tokenizer becomes its files and comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer


class FormatError(ValueError):
    """A tokenizer that a format cannot carry, or a file that cannot be read; the message says which part and why."""


Parts = Mapping[str, Any]  # a JSON file, parsed


def is_not_whole(parts: Parts | None) -> bool:
    """Whether the JSON that is beside another file is not a tokenizer by itself."""
    return parts is None or not isinstance(parts.get("model"), dict)


@dataclass(frozen=True)
class Format:
    """One way to keep a tokenizer in files: a row of `formats.READABLE`, with all that is known of it.

    `loaded_by`: how another library reads the files, in Python: an expression, or statements that make `mine`.
    `files`: the default file names. `ends`: how the names end. `kinds`: the sets of files that it comes in, as
    `opening.kind_of_file` names them. `fits(parts)`: whether the JSON among them, if there is some, is of this format.
    `read(contents, parts, pretokenizer)` gives the tokenizer, of contents by kind. `write(tokenizer)` gives the
    contents in the order of `files`; None for a format that is only read. `beside(name)` gives the names of the other
    files from the name of the first. All raise `FormatError`.
    """

    title: str
    library: str
    loaded_by: str
    files: tuple[str, ...]
    ends: tuple[str, ...]
    kinds: tuple[set[str], ...]
    read: Callable[[Mapping[str, bytes], Parts | None, Pretokenizer | None], Tokenizer]
    write: Callable[[Tokenizer], tuple[bytes, ...]] | None = None
    beside: Callable[[str], tuple[str, ...]] = lambda _name: ()
    fits: Callable[[Parts | None], bool] = is_not_whole


def only_our_own(tokenizer: Tokenizer, format_name: str) -> None:
    """Raise `FormatError` for a tokenizer that does what only its own file's format can say."""
    if tokenizer.whole_words:
        raise FormatError(
            f"this vocabulary came from a file that looks whole words up, which is not written to {format_name}"
        )


def only_plain_bytes(tokenizer: Tokenizer, format_name: str) -> None:
    """Raise `FormatError` unless the tokenizer works on the 256 bytes, without marker or normalizers."""
    only_our_own(tokenizer, format_name)
    if tokenizer.normalizers:
        raise FormatError(f"{format_name} cannot say that the text is normalized; choose tokenizer.json")
    if tokenizer.alphabet != "bytes":
        raise FormatError(f"{format_name} starts from the 256 bytes, and this vocabulary from characters")
    if tokenizer.word_marker != "none":
        raise FormatError(f"{format_name} has no word marker; train with the word marker “none”")
    if len(base_bytes(tokenizer)) < 256:
        raise FormatError(f"{format_name} needs all 256 bytes, and this vocabulary lacks some")


def base_bytes(tokenizer: Tokenizer) -> dict[bytes, int]:
    """The single bytes of a vocabulary, with their ids.

    >>> from bpe_core import Settings, train
    >>> base_bytes(train("ab", Settings()).tokenizer())[b"a"]
    97
    """
    return {token: i for i, token in enumerate(tokenizer.tokens) if len(token) == 1}


def in_unicode(text: str, what: str) -> str:
    """`text`, or a `FormatError` where it has a lone surrogate, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError(f"{what} {text!r} has half a character (a lone surrogate), which no file can hold") from None
    return text
