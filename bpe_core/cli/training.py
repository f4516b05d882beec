"""The options of a training, one for each setting, and the training that they ask for."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bpe_core.cli.command import InputError
from bpe_core.cli.inputs import add_quiet, open_tokenizer, text_file
from bpe_core.corpus.counting import Progress
from bpe_core.files.format import KnownSplitError
from bpe_core.kinds import OneOf, Several, Text, Tokens, WholeNumber
from bpe_core.pictures.paper.terminal import progress_bar
from bpe_core.published import named
from bpe_core.record.run import Run
from bpe_core.record.run_training import train
from bpe_core.settings import CUSTOM, GIVEN, SETTINGS, STARTS, Settings
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_WORKERS = 64
OF_THE_TEXT = ("pattern", "normalizers", "alphabet", "word_marker")  # settings that a start decides
Read = TypeVar("Read")
_START = (
    "start from the tokens of a tokenizer that has merges; they keep their ids and are part of --vocab-size: "
    f"{', '.join(key for key in STARTS if key not in ('none', GIVEN))}, or a file or a model on the Hugging Face Hub"
)


def number_of(kind: WholeNumber) -> Callable[[str], int]:
    """Return the function that reads an option's number."""

    def number(text: str) -> int:
        try:
            return kind.read(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not {kind.takes}") from None

    return number


# The arguments of `add_argument` for an option, by the kind of the option's setting. A `PairsAtSteps` setting has no
# option.
_BY_KIND: dict[type, Callable[[Any], dict[str, Any]]] = {
    OneOf: lambda kind: {"choices": [key for key in kind.table if key != CUSTOM]},  # --pattern chooses "custom"
    WholeNumber: lambda kind: {"type": number_of(kind)},
    Text: lambda _: {},
    Several: lambda kind: {"action": "append", "choices": list(kind.one.table), "metavar": "KEY"},
    Tokens: lambda _: {"action": "append", "metavar": "TOKEN"},
}


def add_setting(parser: ArgumentParser, name: str, default: object = None, required: bool = False) -> None:
    """Add the option of a setting. `default`: the command's own default, if it is not the default of `Settings`.

    An option that is not given has no value in the result, so that `Settings` uses its default.
    """
    row = SETTINGS[name]
    options, usual = _BY_KIND[type(row.kind)](row.kind), default or getattr(Settings(), name)
    about = row.about[0].lower() + row.about[1:].removesuffix(".")
    if isinstance(row.kind, Several):
        about += f"; {row.kind.one.takes}"
    if "action" in options:
        about += "; repeat it for several"
    elif usual != "" and not required:
        about += f" (default {usual})"
    parser.add_argument(
        f"--{name.replace('_', '-')}",
        default=SUPPRESS if default is None else default,
        required=required,
        help=about.replace("%", "%%"),
        **options,
    )


def setting_and_value(text: str) -> tuple[str, Any]:
    """Read a setting and its value.

    >>> setting_and_value("vocab-size=300")
    ('vocab_size', 300)
    """
    option, _, value = text.partition("=")
    name = option.replace("-", "_")
    row = SETTINGS.get(name)
    if row is None or type(row.kind) not in _BY_KIND:
        raise ArgumentTypeError(f"{text!r} is not a setting and its value, such as pretokenizer=gpt2")
    try:
        return name, row.read(value)
    except ValueError:
        raise ArgumentTypeError(f"{value!r} is not {row.kind.takes}") from None


def add_training(parser: ArgumentParser, size: int | None, sources: bool = True) -> None:
    """Add the arguments of a training. `size`: the default size of the vocabulary; None if it must be given.

    `sources`: whether the texts can be sources with names, by `--source`.
    """
    if sources:
        parser.add_argument(
            "--source",
            action="append",
            type=source_and_file,
            default=[],
            metavar="NAME=FILE",
            help="a file of a source, such as en=english.txt, in place of FILE; repeat it for several",
        )
    parser.add_argument(
        "files",
        nargs="*" if sources else "+",
        metavar="FILE",
        help="texts in UTF-8, or in UTF-16 or UTF-32 with a byte order mark; - is standard input. They may be larger "
        "than memory, but not with --pattern or --pretokenizer none",
    )
    for name, row in SETTINGS.items():
        if name == "vocab_size":
            add_setting(parser, name, size, required=size is None)
        elif name == "start":
            parser.add_argument("--start", default="none", metavar="TOKENIZER", help=_START)
            add_quiet(parser)
        elif type(row.kind) in _BY_KIND:
            add_setting(parser, name)
    _add_counting(parser)


def _add_counting(parser: ArgumentParser) -> None:
    """Add the options for counting words with threads or a cluster."""
    parser.add_argument("--workers", type=_workers, default=1, help="threads that count; for large files (default 1)")
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="count on the Dask cluster at tcp://HOST:PORT; needs the extra dask",
    )


def _workers(text: str) -> int:
    workers = number_of(WholeNumber(1))(text)
    if workers > MOST_WORKERS:
        raise ArgumentTypeError(f"{text} threads are too many; up to {MOST_WORKERS} can count")
    return workers


def source_and_file(text: str) -> tuple[str, str]:
    """Read the name of a source and the name of its file.

    >>> source_and_file("en=books/english.txt")
    ('en', 'books/english.txt')
    """
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise ArgumentTypeError(f"{text!r} is not a source and its file, such as en=english.txt")
    return name, file


def files_of(given: Namespace) -> list[str]:
    """Return the names of all files that a training reads; `InputError` if there are none, or of both kinds."""
    named: list[str] = [file for _, file in vars(given).get("source", ())]
    if bool(named) == bool(given.files):
        raise InputError("give either files to train on, - for standard input, or sources with --source NAME=FILE")
    return named or list(given.files)


def by_source(given: Namespace, read: Callable[[str], Read]) -> list[Read] | dict[str, list[Read]]:
    """Return what `read` makes of the files: a list, or a list for each source."""
    if not vars(given).get("source"):
        return [*map(read, given.files)]
    found: dict[str, list[Read]] = {}
    for name, file in given.source:
        found.setdefault(name, []).append(read(file))
    return found


def settings_of(given: Namespace, **fixed: Any) -> Settings:
    """Return the settings that the options ask for. If there is an option `--pattern`, the pretokenizer is "custom".

    `fixed`: the values of settings that come from no option.
    """
    values = {name: vars(given)[name] for name in SETTINGS if name in given and name != "start"}
    if "pattern" in given and "pretokenizer" in given:
        raise InputError("--pattern and --pretokenizer both say how to split: give one of them")
    ignored = [name for name in OF_THE_TEXT if name in given]
    if ignored and vars(given).get("start", "none") != "none":
        option = ignored[0].replace("_", "-")
        raise InputError(f"--{option} has no effect with --start: a text is split as the tokenizer splits it")
    row = named(given.start) if "start" in given else None
    if row and row.name in STARTS:
        values["start"] = row.name
    return Settings(**(values | ({"pretokenizer": CUSTOM} if "pattern" in given else {}) | fixed))


def start_of(given: Namespace, settings: Settings) -> Tokenizer | None:
    """Return the tokenizer to start from; None if there is none, or if `settings.start` already names it.

    If its files do not say how text is split, the option that chooses the split of the training chooses its split too.
    """
    if settings.start != "none" or given.start == "none":
        return None
    chosen = settings.pattern or vars(given).get("pretokenizer")
    try:
        return open_tokenizer(given.start, chosen, given.quiet)
    except KnownSplitError:  # the training splits as its start does
        return open_tokenizer(given.start, None, given.quiet)


def run_of_files(given: Namespace, settings: Settings, start: Tokenizer | None) -> Run:
    """Train on the given files, with a progress bar in a terminal. Say so if they have no words.

    `start`: what `start_of` returns.
    """
    with progress_bar(sys.stderr) as progress:
        run = train_on_files(given, settings, progress, start)
    report_no_words(run)
    return run


def report_no_words(run: Run) -> None:
    """Say on standard error if a training had no words, as of an empty standard input."""
    if not len(run.pretoken_counts):
        print("the texts have no words, so nothing was learnt", file=sys.stderr)


def train_on_files(given: Namespace, settings: Settings, progress: Progress, start: Tokenizer | None) -> Run:
    """Train on the given files. `progress`, `start`: as for `train`."""
    for name in files_of(given):
        if name not in ("", "-"):
            Path(name).stat()  # raises for a missing file, before a long training
    return train(by_source(given, text_file), settings, progress, given.workers, given.dask, start)
