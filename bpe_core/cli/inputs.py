"""What commands read: texts, and the tokenizer of the command line.

Each function is beside the function that adds its arguments.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bpe_core.cli.command import InputError
from bpe_core.corpus.text_files import Text, TextError, TextFile
from bpe_core.files import READABLE, FormatError, load
from bpe_core.files.format import KnownSplitError, RefusedTextError
from bpe_core.files.opening import chosen_of
from bpe_core.pictures.paper.terminal import readable
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import encode_text
from bpe_core.text.encodings import without_mark
from bpe_core.text.in_words import counted
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.assumptions import SPLIT_IS_ASSUMED
from bpe_core.tokenizer.tokenizer import Tokenizer

Opened = Callable[[str, str | None], Tokenizer]
TOKENIZER = (
    f"{', '.join(PUBLISHED)}, or a model that uses one of these, such as gpt-4o; or a file: {', '.join(READABLE)}; or "
    "a model on the Hugging Face Hub, as hub:openai-community/gpt2"
)
_SPECIALS = (
    "whether the name of a special token in the text is that token, or text like any other; a text with such a name is "
    "refused if neither is said"
)


def text_file(name: str) -> TextFile:
    """Return a file, or standard input for `-`; `InputError` for a name that is empty, as an unset variable's is."""
    if not name:
        raise InputError("the name of a file is empty; - is standard input")
    return TextFile("standard input", sys.stdin.buffer) if name == "-" else TextFile(name)


def text_name(names: Sequence[str]) -> str:
    """Return what titles call the texts of the command line; "" for standard input.

    >>> text_name(["books/play.txt"]), text_name(["a.txt", "b.txt", "-"]), text_name(["-"])
    ('play.txt', 'a.txt and 2 more texts', '')
    """
    files, more = [Path(name).name for name in names if name != "-"], len(names) - 1
    return files[0] + (f" and {counted(more, 'more text')}" if more else "") if files else ""


def read_text(name: str) -> str:
    """Read a file as text, or standard input for `-`."""
    return whole(text_file(name))


def read_data(name: str) -> str:
    """Read a file in a format, such as JSON or ids, as text. A byte order mark is no part of the format."""
    return without_mark(read_text(name))


def add_file(parser: ArgumentParser, about: str) -> None:
    """Add the argument for one file, which is standard input by default. `about`: its help."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=about)


def add_tokenizer(parser: ArgumentParser) -> None:
    """Add the arguments of `tokenizer_of`."""
    parser.add_argument("tokenizer", help=TOKENIZER)
    add_split(parser)


def add_split(parser: ArgumentParser) -> None:
    """Add the options for files that do not say how text is split."""
    parser.add_argument(
        "--pretokenizer",
        type=_pretokenizer,
        metavar="KEY",
        help="how text is split if the files do not say it, as vocab.json + merges.txt and a .tiktoken file do not: "
        f"{', '.join(PRETOKENIZERS)}, or a pattern",
    )
    add_quiet(parser)


def add_quiet(parser: ArgumentParser) -> None:
    """Add the option `--quiet`."""
    parser.add_argument("--quiet", action="store_true", help="do not say what is assumed because no file says it")


def _pretokenizer(text: str) -> str:
    try:
        chosen_of(text)
    except FormatError as error:
        raise ArgumentTypeError(str(error)) from None
    return text


def tokenizer_name(given: Namespace) -> str:
    """Return what titles call the tokenizer of the command line."""
    name: str = given.tokenizer
    return Path(name).name if Path(name).exists() else name.removeprefix("hub:")


def tokenizer_of(given: Namespace) -> Tokenizer:
    """Open the tokenizer of the command line."""
    return open_tokenizer(given.tokenizer, given.pretokenizer, given.quiet)


def open_tokenizer(name: str, pretokenizer: str | None = None, quiet: bool = False, opened: Opened = load) -> Tokenizer:
    """Open a published vocabulary, a file, or a model on the Hub. An error begins with `name`.

    Say on standard error what is assumed about the tokenizer, unless `quiet` is on. `opened`: the function that opens a
    name, with a pretokenizer.
    """
    try:
        found = opened(name, pretokenizer)
    except FormatError as error:
        raise type(error)(f"{name}: {error}" if name else str(error)) from None
    for sentence in () if quiet else found.assumptions:
        choice = " --pretokenizer chooses another one." if SPLIT_IS_ASSUMED in sentence else ""
        print(f"{name}: {readable(encode_text(sentence))}{choice}", file=sys.stderr)
    return found


def open_tokenizers(names: Sequence[str], given: Namespace, opened: Opened = load) -> list[Tokenizer]:
    """Open several tokenizers with the options of `add_split`: see `open_tokenizer`.

    `--pretokenizer` is for those whose files do not say how text is split. If all say it, it is an error.
    """
    found, known = [], []
    for name in names:
        try:
            found.append(open_tokenizer(name, given.pretokenizer, given.quiet, opened))
        except KnownSplitError as error:
            known.append(error)
            found.append(open_tokenizer(name, None, given.quiet, opened))
    if len(known) == len(names):
        raise known[0]
    return found


def add_specials(parser: ArgumentParser) -> None:
    """Add the options `--specials` and `--no-specials`."""
    parser.add_argument("--specials", action=BooleanOptionalAction, default=None, help=_SPECIALS)


def add_texts(parser: ArgumentParser) -> None:
    """Add the arguments for a tokenizer and for the texts that the tokenizer encodes."""
    add_tokenizer(parser)
    about = "texts; standard input if none is given"
    parser.add_argument("files", nargs="*", default=[], metavar="FILE", help=about)
    _add_text(parser, "files")
    add_specials(parser)
    about = "add what the tokenizer's file puts around a text, such as [CLS] and [SEP], as its library does by default"
    parser.add_argument("--add-special-tokens", action="store_true", help=about)


def add_one_text(parser: ArgumentParser) -> None:
    """Add the arguments for a tokenizer and for the one text that it encodes; `one_text` reads that text."""
    add_tokenizer(parser)
    parser.add_argument("file", nargs="?", metavar="FILE", help="a text; standard input if none is given")
    _add_text(parser, "a file")
    add_specials(parser)


def _add_text(parser: ArgumentParser, instead_of: str) -> None:
    parser.add_argument("--text", type=_typed_text, help=f"the text itself, instead of {instead_of}")


def _typed_text(text: str) -> str:
    """Return a text of the command line. Raise `ArgumentTypeError` for bytes that are not UTF-8."""
    try:
        return text.encode(errors="surrogateescape").decode()  # also where Python took the arguments for ASCII
    except UnicodeError as error:
        place = getattr(error, "start", 0) + 1
        raise ArgumentTypeError(f"this is not text in UTF-8 (byte {place})") from None


def texts_with_names(given: Namespace) -> Iterator[tuple[str, Text]]:
    """Yield the texts of the command line, each with its name; "" for `--text`. `whole` reads one."""
    if given.text is not None:
        _check_alone(given.files)
        yield "", given.text
    else:
        yield from ((name, text_file(name)) for name in given.files or ["-"])


def whole(text: Text) -> str:
    """Return a text as a whole, read if it is in a file."""
    return text if isinstance(text, str) else "".join(block for block, _ in text.blocks())


def _check_alone(files: Sequence[str]) -> None:
    """Raise `InputError` if a file is named beside `--text`."""
    if files:
        raise InputError(f"--text gives the text, and {files[0][:40]} is another one: give one of them")


class Refusals:
    """Texts that a tokenizer refuses, or that cannot be read: each is named, and the others are answered.

    `with refusals(name): …` answers one text. `end` raises `InputError` if there is one.
    """

    def __init__(self, files: Sequence[str] = ()) -> None:
        """Begin without a refused text. `files`: the names on the command line; the only one may raise its error."""
        self._count = 0
        self._unread = (OSError, TextError) if len(files) > 1 else ()

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Name the text on standard error if it is refused."""
        try:
            yield
        except (RefusedTextError, PatternError, *self._unread) as error:
            if name in ("", "-"):
                raise
            self._add(name, error)

    def _add(self, name: str, error: Exception) -> None:
        """Name a text on standard error, and why it is not answered."""
        self._count += 1
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).removeprefix(f"{name}: ")
        print(f"{readable(name.encode(errors='surrogateescape'))}: {why}", file=sys.stderr)

    def end(self) -> None:
        """Raise `InputError` if a text was refused."""
        if self._count:
            raise InputError(f"{counted(self._count, 'text')} could not be encoded")


def one_text_name(given: Namespace) -> str:
    """Return what titles call the text of `one_text`; "" for standard input and `--text`."""
    return text_name([given.file or "-"]) if given.text is None else ""


def one_text(given: Namespace) -> str:
    """Return the text of the command line. The newline at the end of standard input is a part of it, as for `wc`."""
    if given.text is not None:
        _check_alone([] if given.file is None else [given.file])
        return str(given.text)
    return read_text("-" if given.file is None else given.file)


def read_id(word: str) -> int:
    """Read an id from the command line."""
    if not is_number(word):
        raise InputError(f"{word[:40]!r} is not an id; ids are whole numbers with spaces between them")
    return int(word)


def is_number(word: str) -> bool:
    """Return whether a word is a whole number that an id could be."""
    number = word.removeprefix("-")
    return number.isascii() and number.isdigit() and len(number) < 10
