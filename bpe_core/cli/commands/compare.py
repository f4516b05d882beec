"""`compare`: figures of one text under two pretokenizers, or under two tokenizers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bpe_core.cli.command import COMPARISON, Command, DifferentError, InputError
from bpe_core.cli.forms import FIGURES, Said, for_json
from bpe_core.cli.inputs import add_specials, add_split, open_tokenizers, read_text
from bpe_core.cli.training import add_setting, settings_of
from bpe_core.pictures.paper.terminal import aligned_columns, progress_bar, readable
from bpe_core.record.run_training import train
from bpe_core.text.in_words import counted
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.comparison import compare
from bpe_core.tokenizer.cost_curve import Cost
from bpe_core.tokenizer.tokenizer import Tokenizer

PAIR = ("whitespace", "gpt2")  # the pretokenizers that are compared if none are given
FIRST_DIFFERENCES = 10  # the most differences that are listed


class _Figures(NamedTuple):
    """The figures of a training; their names in the table are these, with spaces."""

    pretokens: int
    different_pretokens: int
    merges: int
    tokens: int
    characters_each: float
    thrown_away: int
    ended_because: str


def _add_compare(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a text; - is standard input")
    parser.add_argument(
        "--pretokenizers",
        nargs=2,
        choices=PRETOKENIZERS,
        metavar="KEY",
        help=f"two of {', '.join(PRETOKENIZERS)} (default {' '.join(PAIR)})",
    )
    parser.add_argument(
        "--tokenizers", nargs=2, metavar="TOKENIZER", help="compare two tokenizers instead, as gpt2 and gpt-4o"
    )
    for name in ("vocab_size", "tie_rule"):
        add_setting(parser, name)
    add_split(parser)
    add_specials(parser)
    parser.epilog = COMPARISON.format("the text has the same tokens or the same figures", "it has others")


def _compare(given: Namespace) -> Iterator[Said]:
    text = read_text(given.file)
    if given.tokenizers:
        if given.pretokenizers:
            raise InputError("--pretokenizers trains on the text, and --tokenizers does not: choose one of them")
        opened = open_tokenizers(given.tokenizers, given)
        yield from _of_tokenizers(text, given.tokenizers, opened, given.specials)
        return
    if given.pretokenizer:
        raise InputError("--pretokenizer is for --tokenizers: --pretokenizers names the two that are compared")
    if given.specials is not None:
        raise InputError("--specials and --no-specials are for --tokenizers: pretokenizers know no special tokens")
    keys = given.pretokenizers or PAIR
    sides = [_figures(text, key, given) for key in keys]
    names = [name.replace("_", " ") for name in _Figures._fields]
    table = aligned_columns(["", *keys], zip(names, *map(_column, sides), strict=True), {1, 2})
    yield Said(table + "\n", [{"pretokenizer": key, **side._asdict()} for key, side in zip(keys, sides, strict=True)])
    if sides[0] != sides[1]:
        raise DifferentError


def _figures(text: str, key: str, given: Namespace) -> _Figures:
    """Train on the text with a pretokenizer, and return the figures."""
    with progress_bar(sys.stderr) as progress:
        run = train((text,), settings_of(given, pretokenizer=key), progress)
    counts = run.pretoken_counts
    kept = sum(len(word) * count for word, count in zip(run.pretokens, counts.tolist(), strict=True))
    cost = Cost(int(run.corpus_tokens[-1]), kept, len(text) - kept)
    return _Figures(int(counts.sum()), len(counts), run.steps, cost.tokens, cost.each, cost.dropped, run.stop_reason)


def _column(side: _Figures) -> list[object]:
    """Return the figures of one side for the table."""
    *counts, each, dropped, why = side
    return [*counts, f"{each:.2f}", counted(dropped, "character"), why]


def _of_tokenizers(
    text: str, names: Sequence[str], opened: Sequence[Tokenizer], specials: bool | None
) -> Iterator[Said]:
    """Yield how many tokens two tokenizers make of a text, and the spans in which their tokens differ.

    As text the first spans are written, as figures all. Raises `DifferentError` at the end if there is one.
    """
    one, other = opened
    found = compare(one, other, text, specials=specials)
    sides = (found.one, found.other)
    rows: list[Sequence[object]] = [
        ["tokens", *map(len, sides)],
        ["characters a token", *(f"{len(text) / max(len(side), 1):.2f}" for side in sides)],
        ["spans that differ", *[len(found.differences)] * 2],
    ]
    tables = aligned_columns(["", *names], rows, {1, 2}) + "\n"
    if found.differences:
        spans = [[span.start, *map(_quoted, span[2:])] for span in found.differences[:FIRST_DIFFERENCES]]
        tables += "\n" + aligned_columns(["at character", *names], spans, {0}) + "\n"
    figures = {
        "tokenizers": [{"tokenizer": name, "tokens": len(side)} for name, side in zip(names, sides, strict=True)],
        "characters": len(text),
        "differences": [for_json(span._asdict()) for span in found.differences],
    }
    yield Said(tables, figures)
    if found.differences:
        raise DifferentError


def _quoted(tokens: Iterable[bytes]) -> str:
    return " ".join(f"‘{readable(token, '_')}’" for token in tokens)


COMPARE = Command(
    _compare,
    _add_compare,
    "what two pretokenizers, or two tokenizers, make of a text",
    (
        "{} compare book.txt --pretokenizers whitespace gpt2",
        "{} compare book.txt --tokenizers gpt2 gpt-4o",
    ),
    FIGURES,
    compares=lambda given: True,
)
