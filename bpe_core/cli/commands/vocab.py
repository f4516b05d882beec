"""`convert`, `trim` and `vocab`: a tokenizer in another format, with fewer tokens, or as a list of its tokens."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from bpe_core.cli.command import Command, InputError
from bpe_core.cli.forms import LISTING, REPORT, Listing, Said, add_out, check_apart, check_not_read, check_out, csv_of
from bpe_core.cli.inputs import add_tokenizer, read_text, tokenizer_of
from bpe_core.files import format_for, paths_of
from bpe_core.pictures.paper.terminal import readable
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import listed
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.trimming import Trimmed, trim
from bpe_core.writing import write_files


def _add_convert(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    add_out(parser)


def _convert(given: Namespace) -> Iterator[Said]:
    out = Path(given.out)
    format_name = format_for(out, given.format)
    check_out(given.out, paths_of(out, format_name), [given.tokenizer], given.force)
    tokenizer = tokenizer_of(given)
    names = [*map(str, tokenizer.save(out, format_name))]
    size = len(tokenizer)
    yield Said(f"{listed(names)}: {size:,} tokens", {"files": names, "tokens": size})


def _add_trim(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="texts; - is standard input")
    add_out(parser)
    parser.add_argument("--ids", metavar="PATH", help="a file for the ids before and after, as CSV")


def _trim(given: Namespace) -> Iterator[Said]:
    out = Path(given.out)
    read = [given.tokenizer, *given.files]
    check_not_read([out], read)
    format_name = format_for(out, given.format)
    check_out(given.out, paths_of(out, format_name), read, given.force)
    if given.ids:
        check_out(given.ids, [Path(given.ids)], read, given.force)
        check_apart([*paths_of(out, format_name), Path(given.ids)])
    tokenizer = tokenizer_of(given)
    trimmed = _trimmed(tokenizer, given.files)
    names = [*map(str, trimmed.tokenizer.save(out, format_name))]
    if given.ids:
        write_files({Path(given.ids): csv_of([["before", "after"], *trimmed.ids.items()]).encode()})
    before, after = len(tokenizer), len(trimmed.tokenizer)
    yield Said(
        f"{listed(names)}: {before:,} tokens became {after:,}",
        {"files": [*names, *filter(None, [given.ids])], "tokens_before": before, "tokens": after},
    )


def _trimmed(tokenizer: Tokenizer, files: Sequence[str]) -> Trimmed:
    """Return the trimmed tokenizer. A text that is refused is named: without it, tokens that it uses would be lost."""
    name = ""

    def texts() -> Iterator[str]:
        nonlocal name
        for name in files:
            yield read_text(name)

    try:
        return trim(tokenizer, texts())
    except PatternError as error:
        file = readable(name.encode(errors="surrogateescape"))
        raise InputError(f"{file}: {error}; nothing is trimmed without this text") from None


def _add_vocab(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("--search", default="", metavar="TEXT", help="only the tokens that contain this text")


def _vocab(given: Namespace) -> Iterator[Listing]:
    tokenizer, sought = tokenizer_of(given), encode_text(given.search)
    special = {i: encode_text(name) for name, i in tokenizer.special_tokens.items()}
    rows: list[Sequence[object]] = []
    for token_id, token in sorted([*((i, t) for i, t in enumerate(tokenizer.tokens) if t), *special.items()]):
        if sought in token and (token_id not in special or token == special[token_id]):
            made = None if token_id in special else tokenizer.origin(token_id)
            rows.append([token_id, token, len(token), made[2] if made else None])
    yield Listing(["id", "token", "bytes", "step"], rows, {0, 2, 3}, glyph_in(tokenizer.vocabulary))


CONVERT = Command(
    _convert,
    _add_convert,
    "write a tokenizer in another format",
    ("{} convert tokenizer.json --out mine.tiktoken",),
    REPORT,
)
TRIM = Command(
    _trim,
    _add_trim,
    "keep the tokens that texts use, and what they are made of",
    ("{} trim gpt-4o book.txt --out small.json --ids ids.csv",),
    REPORT,
)
VOCAB = Command(
    _vocab,
    _add_vocab,
    "the tokens of a tokenizer, as a table, CSV or JSON",
    ('{} vocab gpt2 --search " dog"',),
    LISTING,
)
