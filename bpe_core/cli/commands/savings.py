"""`savings`: what tokens of one's own would save."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from bpe_core.cli.command import Command
from bpe_core.cli.forms import LISTING, Listing
from bpe_core.cli.inputs import add_tokenizer, read_text, tokenizer_of
from bpe_core.cli.training import number_of
from bpe_core.kinds import WholeNumber
from bpe_core.pictures.paper.terminal import progress_bar
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.text.in_words import percent


def _add_savings(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="texts; - is standard input")
    most = "learn up to this many new tokens (default 100)"
    parser.add_argument("--most", type=number_of(WholeNumber(1)), default=100, metavar="TOKENS", help=most)


def _savings(given: Namespace) -> Iterator[Listing]:
    tokenizer = tokenizer_of(given)
    with progress_bar(sys.stderr) as progress:
        found = tokenizer.savings((*map(read_text, given.files),), given.most, progress)
    learnt = () if found.why_none else found.new  # of tokens that were tried on nothing there is no figure
    rows: list[Sequence[object]] = [
        [number, token, int(found.saved[number - 1]), int(found.tokens[number])]
        for number, token in enumerate(learnt, 1)
    ]
    yield Listing(["new", "token", "saved", "tokens"], rows, {0, 2, 3}, glyph_in(tokenizer.vocabulary))
    shares = f"{percent(found.share(len(found.new)))} of {int(found.tokens[0]):,} tokens"
    saved = f"saved: {shares}, in the fifth of the text from which none was learnt"
    print(found.why_none or saved, file=sys.stderr)


SAVINGS = Command(
    _savings,
    _add_savings,
    "what tokens of your own would save: learnt from four fifths of the texts, counted on the rest",
    ("{} savings gpt-4o book.txt --most 500",),
    LISTING,
)
