"""`compare`: figures of one text under two pretokenizers, or under two tokenizers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence

from bpe_core.cli.command import Command, InputError
from bpe_core.cli.inputs import add_specials, open_tokenizer, read_text
from bpe_core.cli.outputs import write_text
from bpe_core.cli.training import add_setting, settings_of
from bpe_core.pictures.paper.terminal import aligned_columns, progress_bar, readable
from bpe_core.pictures.shared.in_words import counted
from bpe_core.record.run_training import train
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.comparison import compare
from bpe_core.tokenizer.cost_curve import Cost

PAIR = ("whitespace", "gpt2")  # the pretokenizers that are compared if none are given
FIRST_DIFFERENCES = 10  # so many differences are listed
_FIGURES = (
    "pretokens",
    "different pretokens",
    "merges",
    "tokens",
    "characters each",
    "thrown away",
    "ended because",
)


def _add_compare(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a text in UTF-8; - is standard input")
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
    add_specials(parser)


def _compare(given: Namespace) -> None:
    text = read_text(given.file)
    if given.tokenizers:
        if given.pretokenizers:
            raise InputError("--pretokenizers trains on the text, and --tokenizers does not: choose one of them")
        _compare_tokenizers(text, given.tokenizers, given.specials)
        return
    if given.specials is not None:
        raise InputError("--specials and --no-specials are for --tokenizers: pretokenizers know no special tokens")
    keys = given.pretokenizers or PAIR
    head, columns = ["", *keys], [_figures(text, key, given) for key in keys]
    write_text(aligned_columns(head, zip(_FIGURES, *columns, strict=True), {1, 2}) + "\n")


def _figures(text: str, key: str, given: Namespace) -> list[object]:
    """Train on the text with a pretokenizer, and return a figure for each of `_FIGURES`."""
    with progress_bar(sys.stderr) as progress:
        run = train((text,), settings_of(given, pretokenizer=key), progress)
    counts = run.pretoken_counts
    kept = sum(len(word) * count for word, count in zip(run.pretokens, counts.tolist(), strict=True))
    cost = Cost(int(run.corpus_tokens[-1]), kept, len(text) - kept)
    dropped = counted(cost.dropped, "character")
    return [int(counts.sum()), len(counts), run.steps, cost.tokens, f"{cost.each:.2f}", dropped, run.stop_reason]


def _compare_tokenizers(text: str, names: Sequence[str], specials: bool | None) -> None:
    """Print how many tokens two tokenizers make of a text, and the first spans in which their tokens differ."""
    one, other = map(open_tokenizer, names)
    found = compare(one, other, text, specials)
    sides = (found.one, found.other)
    rows: list[Sequence[object]] = [
        ["tokens", *map(len, sides)],
        ["characters a token", *(f"{len(text) / max(len(side), 1):.2f}" for side in sides)],
        ["spans that differ", *[len(found.differences)] * 2],
    ]
    write_text(aligned_columns(["", *names], rows, {1, 2}) + "\n")
    if found.differences:
        spans = [[span.start, *map(_quoted, span[2:])] for span in found.differences[:FIRST_DIFFERENCES]]
        write_text("\n" + aligned_columns(["at character", *names], spans, {0}) + "\n")


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
)
