"""What a caller may give as a text or as a corpus: texts, paths and files. A file is read in blocks."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import BinaryIO

from bpe_core.arguments import file_at, may_be_path
from bpe_core.text.encodings import BINARY, HEAD, NO_TEXT, encoding_of, kind_of_data, lacks_mark

BLOCK = 1 << 18  # bytes read at once; larger blocks, close to `text_batches.CHUNK`, would fragment the memory


class TextError(ValueError):
    """A file that is not text; the message says where."""


@dataclass(frozen=True)
class TextFile:
    """A text in a file, which is read in blocks while counting. `stream`: the file, if it is open already.

    The file is in UTF-8, or in the encoding that its byte order mark says; see `encodings`. In UTF-8 a mark counts as
    text, as in other libraries.

    >>> from io import BytesIO
    >>> from bpe_core import Settings, train
    >>> train(TextFile("two words", BytesIO(b"low lower")), Settings("whitespace", vocab_size=257)).merges[0].token
    b'lo'
    """

    path: str | os.PathLike[str]
    stream: BinaryIO | None = None

    @property
    def size(self) -> int:
        """The size in bytes; 0 for a stream, whose size is not known before its end."""
        return 0 if self.stream else file_at(self.path).stat().st_size

    def blocks(self) -> Iterator[tuple[str, int]]:
        """Yield the text block by block: (text, its size in bytes). Raises `TextError` and `OSError`."""
        if self.stream:
            yield from self._decoded(self.stream)
        else:
            with file_at(self.path).open("rb") as file:
                yield from self._decoded(file)

    def _decoded(self, file: BinaryIO) -> Iterator[tuple[str, int]]:
        blocks = blocks_of(file)
        start = first_bytes(blocks)
        encoding = encoding_of(start)
        if unmarked := lacks_mark(start):
            raise TextError(f"{self.path}: this is text in {unmarked} without a byte order mark: save it as UTF-8")
        decoder = codecs.getincrementaldecoder(encoding.codec)()
        done = 0
        mark = len(encoding.mark)
        begun = (start[at : at + BLOCK] for at in range(mark, len(start), BLOCK))
        for block in chain(begun, blocks, [b""]):
            at = max(done, mark)
            pending = len(decoder.getstate()[0])
            try:
                yield decoder.decode(block, final=not block), at + len(block) - done
            except UnicodeDecodeError as error:
                at += error.start - pending
                kind = kind_of_data(start)
                why = f"this is not text in {encoding.name} (byte {at:,})" if kind in ("", BINARY) else NO_TEXT[kind]
                raise TextError(f"{self.path}: {why}") from None
            done = at + len(block)


def blocks_of(file: BinaryIO) -> Iterator[bytes]:
    """Return the blocks of a file, each of `BLOCK` bytes at most. After the last block nothing is read any more."""
    return iter(partial(file.read, BLOCK), b"")


def first_bytes(blocks: Iterator[bytes]) -> bytes:
    """Take blocks until they show in which encoding they are: a pipe may give a byte at a time."""
    start = b""
    while len(start) < HEAD and (block := next(blocks, b"")):
        start += block
    return start


Text = str | TextFile
OneText = str | os.PathLike[str]  # what a caller gives where one text is wanted
Texts = Text | os.PathLike[str] | Iterable[Text | os.PathLike[str]]  # and where several may be given
# A text without white space and with such an ending is taken for the name of a file, even if no such file exists.
ENDINGS = (".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".html", ".xml", ".tex", ".py", ".log", ".gz")


def corpus(given: object) -> Text | Iterable[Text]:
    """Return the corpus that a caller gave: one text or several. A path becomes a `TextFile`.

    Raises `TypeError` for anything else. Raises `TextError` for one text, or for the first of a list, that is the name
    of a file or looks like one. The texts in a tuple are not checked, so a program gives a user's text in a tuple.

    >>> from pathlib import Path
    >>> corpus(Path("story.txt"))
    TextFile(path=PosixPath('story.txt'), stream=None)
    >>> corpus(b"low")
    Traceback (most recent call last):
        ...
    TypeError: a text is a str or a Path, and this is bytes
    """
    if isinstance(given, Mapping):
        raise TypeError("a corpus is a text or several; for counted words there is train_counts")
    if isinstance(given, (set, frozenset)):
        raise TypeError("texts have an order, by which ties are decided, and a set has none: give a list")
    if isinstance(given, (list, tuple)):
        if given and isinstance(given, list) and isinstance(given[0], str):
            _check_no_name(given[0])
        return given if set(map(type, given)) <= {str} else [_text(each) for each in given]
    if isinstance(given, (str, TextFile, os.PathLike, bytes)) or not isinstance(given, Iterable):
        if isinstance(given, str):
            _check_no_name(given)
        return _text(given)
    return map(_text, given)


def _text(given: object, what: str = "a text") -> Text:
    if isinstance(given, (str, TextFile)):
        return given
    if isinstance(given, os.PathLike):
        return TextFile(given)
    raise TypeError(f"{what} is a str or a Path, and this is {type(given).__name__}")


def whole_text(given: object, what: str = "a text") -> str:
    """Return one text that a caller gave, read if it is the Path of a file; `TypeError` for anything else.

    >>> whole_text("low")
    'low'
    """
    found = given if isinstance(given, str) else _text(given, what)
    return found if isinstance(found, str) else "".join(block for block, _ in found.blocks())


def whole_texts(texts: Text | Iterable[Text]) -> Iterator[str]:
    """Yield the texts of a `corpus`; those of files are read.

    >>> [*whole_texts(corpus("low"))], [*whole_texts(corpus(("low", "lower")))]
    (['low'], ['low', 'lower'])
    """
    return map(whole_text, [texts] if isinstance(texts, Text) else texts)


def _check_no_name(text: str) -> None:
    """Raise `TextError` if a text is the name of a file, or looks like one: the caller may mean the file."""
    if not may_be_path(text) or not ("." in text or "/" in text):
        return
    if os.path.isfile(text):  # False where a name is too long for the system; `Path.is_file` raises there
        raise TextError(f"{text!r} is the name of a file; for the file, give Path({text!r})")
    if text.lower().endswith(ENDINGS) and not any(map(str.isspace, text)):
        raise TextError(
            f"{text!r} looks like the name of a file, and there is no such file; for these "
            f"{len(text)} characters, give a tuple, ({text!r},)"
        )
