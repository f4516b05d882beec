"""A file format: its name, the library that loads its files, and the functions that read and write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bpe_core.files.beside import Beside
from bpe_core.settings import SettingsError
from bpe_core.tokenizer.tokenizer import Tokenizer

Parts = Mapping[str, Any]  # a JSON file, parsed


class FormatError(ValueError):
    """A file that cannot be read, or a tokenizer that a format cannot store. The message says which part and why."""


class MergesError(FormatError, SettingsError):
    """A tokenizer without merges, or with rules that only its file's library has, where merges are worked with.

    So no training starts from it, and it is neither trimmed nor extended nor written in another format.
    """


class KnownSplitError(FormatError):
    """A pretokenizer that was chosen for files that say themselves how text is split."""


class RefusedTextError(FormatError):
    """A text that a tokenizer's library refuses. The message names what the model does not know."""


@dataclass(frozen=True)
class Format:
    """A file format: a row of `opening.ALL_FORMATS`. A format can be read, written or both.

    - `title`: the format's name on the screen.
    - `library`: the Python package that reads the format. `loaded_by`: of a format that is written, the lines of code
      that load a file with this package, as they are pasted: imports first, and the tokenizer is `mine`.
    - `files`: the default names of the format's files. `ends`: the endings of the files' names.
    - `also`: other names of the format, which `save` takes.
    - `other_names`: other names under which the files that a tokenizer needs are published.
    - `kinds`: the sets of files that a tokenizer may consist of. Each file is given by the `part` that it is as
      `recognition.recognised` finds it.
    - `read(contents, parts, beside)`: returns the tokenizer; None if the format is only written. `contents`: the
      content of each part. `parts`: the parsed JSON file, or nothing if there is none. `beside`: what the files
      beside them say, and the pretokenizer that the caller chose.
    - `write(tokenizer)`: returns the contents in the order of `files`; None if the format is only read.
    - `beside(name)`: returns the names of the other files if the first file is called `name`.
    - `adds(tokenizer)`: returns the tokens that the files have besides the tokenizer's own.

    All functions may raise `FormatError`.
    """

    title: str
    library: str
    files: tuple[str, ...]
    ends: tuple[str, ...]
    loaded_by: str = ""
    kinds: tuple[set[str], ...] = ()
    read: Callable[[Mapping[str, bytes], Parts, Beside], Tokenizer] | None = None
    write: Callable[[Tokenizer], tuple[bytes, ...]] | None = None
    beside: Callable[[str], tuple[str, ...]] = lambda _name: ()
    adds: Callable[[Tokenizer], tuple[str, ...]] = lambda _tokenizer: ()
    also: tuple[str, ...] = ()
    other_names: tuple[tuple[str, ...], ...] = ()

    @property
    def own_names(self) -> tuple[tuple[str, ...], ...]:
        """The names under which the files that a tokenizer needs are found, the usual names first."""
        return (self.files[: min(map(len, self.kinds))], *self.other_names)


def only_plain_bytes(tokenizer: Tokenizer, format_name: str) -> None:
    """Raise `FormatError` unless the tokenizer starts from all 256 bytes, and is plain otherwise.

    A plain tokenizer has no word marker, normalizers or added tokens, and looks up no whole words.
    """
    if tokenizer.whole_words:
        raise FormatError(f"{format_name} cannot say that whole words are looked up first; choose tokenizer.json")
    if tokenizer.vocabulary.added:
        name = next(name for name, i in tokenizer.special_tokens.items() if i in tokenizer.vocabulary.added)
        raise FormatError(f"{format_name} cannot say that {name!r:.60} is always a token; choose tokenizer.json")
    if tokenizer.normalizers:
        raise FormatError(f"{format_name} cannot say that the text is normalized; choose tokenizer.json")
    if tokenizer.alphabet != "bytes":
        raise FormatError(f"{format_name} starts from the 256 bytes, and this vocabulary from characters")
    if tokenizer.word_marker != "none":
        raise FormatError(f"{format_name} has no word marker; train with the word marker “none”")
    if len(base_bytes(tokenizer)) < 256:
        raise FormatError(f"{format_name} needs all 256 bytes, and this vocabulary lacks some")


def base_bytes(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Return the ids of the tokens that are a single byte.

    >>> from bpe_core import Settings, train
    >>> base_bytes(train("ab", Settings()).tokenizer())[b"a"]
    97
    """
    return {token: i for i, token in enumerate(tokenizer.tokens) if len(token) == 1}


def in_unicode(text: str, what: str) -> str:
    """Return `text`; raise `FormatError` if it has a lone surrogate, which no file can contain."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError(f"{what} {text!r} has half a character (a lone surrogate), which no file can hold") from None
    return text
