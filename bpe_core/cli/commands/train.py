"""`train` and `steps`: train on files, and write the tokenizer or print its merges."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from bpe_core.cli.command import Command
from bpe_core.cli.forms import LISTING, REPORT, Listing, Said, add_out, check_not_read, check_out
from bpe_core.cli.training import add_training, files_of, run_of_files, settings_of, start_of
from bpe_core.files import dumps, format_for, paths_of
from bpe_core.pictures.paper.terminal import aligned_columns, readable
from bpe_core.pictures.shared.token_text import glyph_of
from bpe_core.record.ledger import Source
from bpe_core.record.run_training import train
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, listed


def _add_train(parser: ArgumentParser) -> None:
    add_training(parser, None)
    add_out(parser)


def _train(given: Namespace) -> Iterator[Said]:
    """Train on files and write the tokenizer. If it cannot be written, raise an error before training."""
    settings, out = settings_of(given), Path(given.out)
    read = files_of(given)
    check_not_read([out], read)
    format_name = format_for(out, given.format)
    start = start_of(given, settings)
    dumps(train("", settings, start=start).tokenizer(), format_name)
    check_out(given.out, paths_of(out, format_name), read, given.force)
    run = run_of_files(given, settings, start)
    tokenizer = run.tokenizer()
    names = [*map(str, tokenizer.save(out, format_name))]
    figures = {"files": names, "tokens": len(tokenizer), "merges": run.steps, "ended_because": run.stop_reason}
    said = f"{listed(names)}: {counted(len(tokenizer), 'token')}, {counted(run.steps, 'merge')}, {run.stop_reason}"
    if given.source:
        sources = run.sources(run.steps)
        said += f"\n{_table_of(sources)}{_worst(sources)}"
        figures["sources"] = [each._asdict() | {"bytes_per_token": each.bytes_per_token} for each in sources]
    yield Said(said, figures)


def _table_of(sources: list[Source]) -> str:
    head = ["source", "bytes", "tokens", "bytes per token", "characters per token", "tokens it made"]
    rows = [
        (
            readable(encode_text(each.name)),
            each.bytes,
            each.tokens,
            _rounded(each.bytes_per_token),
            _rounded(each.characters_per_token),
            each.made,
        )
        for each in sources
    ]
    return aligned_columns(head, rows, {1, 2, 3, 4, 5})


def _rounded(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"


def _worst(sources: list[Source]) -> str:
    """Return the sentence about the sources that are served worst; "" for fewer than two sources with text."""
    served = [each for each in sources if each.tokens]
    if len(served) < 2:
        return ""
    by_bytes = min(served, key=lambda each: each.bytes / each.tokens)
    by_characters = min(served, key=lambda each: each.characters / each.tokens)
    return (
        f"\nserved worst: {readable(encode_text(by_bytes.name))}, with {_rounded(by_bytes.bytes_per_token)} bytes per "
        f"token; {readable(encode_text(by_characters.name))}, with {_rounded(by_characters.characters_per_token)} "
        "characters per token"
    )


def _add_steps(parser: ArgumentParser) -> None:
    add_training(parser, 300)


def _steps(given: Namespace) -> Iterator[Listing]:
    settings = settings_of(given)
    run = run_of_files(given, settings, start_of(given, settings))
    head = ["step", "left", "right", "token", "count", "tied"]
    rows: list[list[object]] = [[step, *merge] for step, merge in enumerate(run.merges, 1)]
    if given.source:
        head += [f"in {source.name}" for source in run.sources(0)]
        rows = [[*row, *run.merge_sources(step).values()] for step, row in enumerate(rows, 1)]
    yield Listing(head, rows, {0, *range(4, len(head))}, glyph_of(settings.word_marker, run.tokens))


TRAIN = Command(
    _train,
    _add_train,
    "train a vocabulary on texts and write it to a file",
    (
        "{} train book.txt --vocab-size 2000 --out tokenizer.json",
        "{} train --source en=english.txt --source hi=hindi.txt --vocab-size 4000 --out both.json",
        "zcat *.txt.gz | {} train - --vocab-size 5000 --workers 2 --out mine.tiktoken",
        "{} train notes.txt --start gpt2 --vocab-size 51257 --out grown.json",
        "{} train book.txt --vocab-size 10000 --then-across-words-from 5000 --out across.json",
    ),
    REPORT,
)
STEPS = Command(
    _steps,
    _add_steps,
    "the merges of a training, as a table, CSV or JSON",
    (
        "{} steps book.txt --vocab-size 300 --csv > merges.csv",
        "{} steps --source en=english.txt --source hi=hindi.txt --csv > merges.csv",
    ),
    LISTING,
)
