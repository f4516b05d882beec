"""What each command of `python -m bpe_core` does; `__main__` reads the command line and calls these."""

from __future__ import annotations

import csv
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from bpe_core.alphabet import encode_text
from bpe_core.counting import count_pretokens
from bpe_core.files import FORMATS, FormatError, dumps, load
from bpe_core.run import Run, train
from bpe_core.settings import Settings
from bpe_core.terminal import ProgressBar, barred, coloured, has_colours, readable, table
from bpe_core.tokenizer import Tokenizer

_FORMAT_OF = {".tiktoken": ".tiktoken", ".model": "minbpe", "vocab.json": "vocab.json + merges.txt"}
_COMPARED = ("different pretokens", "pretokens", "characters dropped", "merges", "tokens in the end")
_COMPARED += ("characters a token", "ended because")


class InputError(ValueError):
    """An input that cannot be used; the message says which and why."""


def read_text(name: str) -> str:
    """A file as text, or standard input for `-`."""
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: this is not text in UTF-8 (byte {error.start})") from None


def settings_of(given: Namespace) -> Settings:
    """The settings that the options stand for."""
    return Settings(
        pretokenizer="custom" if given.pattern else given.pretokenizer,
        pattern=given.pattern or "",
        alphabet=given.alphabet,
        word_marker=given.word_marker,
        tie_rule=given.tie_rule,
        vocab_size=given.vocab_size,
        min_count=given.min_count,
        special_tokens=tuple(given.special),
    )


def _trained(given: Namespace, settings: Settings) -> Run:
    bar = ProgressBar(sys.stderr)
    try:
        return train([read_text(name) for name in given.files], settings, bar, given.workers)
    finally:
        bar.end()


def _write_text(text: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(encode_text(text))


def train_command(given: Namespace) -> None:
    """Train on files and write the tokenizer; what cannot be written is found out before training."""
    settings, out = settings_of(given), Path(given.out)
    by_name = (key for end, key in _FORMAT_OF.items() if out.name.endswith(end))
    format_name = given.format or next(by_name, "tokenizer.json")
    dumps(train("", settings).tokenizer(), format_name)
    FORMATS[format_name].beside(out.name)
    if not out.parent.is_dir():
        raise InputError(f"{out.parent}: there is no such folder to write to")
    run = _trained(given, settings)
    written = run.tokenizer().save(out, format_name)
    names = " and ".join(map(str, written))
    print(f"{run.steps:,} merges, {run.tokenizer().vocab_size:,} tokens, {run.stop_reason}: {names}", file=sys.stderr)


def _opened(given: Namespace) -> Tokenizer:
    try:
        return load(given.tokenizer, given.pretokenizer)
    except FormatError as error:
        raise FormatError(f"{given.tokenizer}: {error}") from None


def encode_command(given: Namespace) -> None:
    """The ids of each file, a line a file."""
    tokenizer = _opened(given)
    for name in given.files:
        print(*tokenizer.ids(read_text(name), specials=not given.no_specials))


def decode_command(given: Namespace) -> None:
    """The text of ids, exactly, as given or from standard input."""
    words = given.ids or sys.stdin.read().split()
    wrong = next((word for word in words if not word.lstrip("-").isdecimal()), None)
    if wrong is not None:
        raise InputError(f"{wrong[:40]!r} is not an id; ids are whole numbers with spaces between them")
    _write_text(_opened(given).decode(map(int, words)))
    if sys.stdout.isatty():
        print()


def show_command(given: Namespace) -> None:
    """The tokens of each file, in colour where the terminal has colours."""
    tokenizer = _opened(given)
    draw = coloured if has_colours(sys.stdout) else barred
    for name in given.files:
        encoding = tokenizer.encode(read_text(name), specials=not given.no_specials)
        _write_text(draw(encoding.tokens) + "\n")
        print(f"{len(encoding.ids):,} tokens, {len(encoding.text):,} characters", file=sys.stderr)


def steps_command(given: Namespace) -> None:
    """The merges of a training, as a table or as CSV."""
    run = _trained(given, settings_of(given))
    head = ["step", "left", "right", "token", "count", "tied"]
    quote = "{}" if given.csv else "‘{}’"
    rows = [
        [step, *(quote.format(readable(token)) for token in merge[:3]), merge.count, merge.tied]
        for step, merge in enumerate(run.merges, 1)
    ]
    if given.csv:
        _write_csv([head, *rows])
    else:
        _write_text(table(head, rows, left=0) + "\n")


def _write_csv(rows: Iterable[list]) -> None:
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    csv.writer(sys.stdout).writerows(rows)


def compare_command(given: Namespace) -> None:
    """What two cuts make of one file."""
    text = read_text(given.file)
    rows = [_compared(text, key, given) for key in given.pretokenizers]
    head = ["", *given.pretokenizers]
    lines = ([name, *column] for name, *column in zip(_COMPARED, *rows, strict=True))
    _write_text(table(head, lines) + "\n")


def _compared(text: str, key: str, given: Namespace) -> list[object]:
    settings = Settings(key, vocab_size=given.vocab_size, tie_rule=given.tie_rule)
    run = train(text, settings)
    tokens = int(run.corpus_tokens[-1])
    counts = count_pretokens(text, settings)
    kept = sum(len(word) * count for word, count in counts.items())
    a_token = f"{kept / tokens:.2f}" if tokens else "0"
    dropped = len(text) - kept
    return [len(counts), sum(counts.values()), dropped, run.steps, tokens, a_token, run.stop_reason]
