"""`split`: the pretokens of a text, and why each was cut."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bpe_core.cli.command import Command
from bpe_core.cli.inputs import add_one_text, one_text, tokenizer_of
from bpe_core.cli.outputs import write_text
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.alternatives import alternatives
from bpe_core.tokenizer.cuts import cuts


def _add_split(parser: ArgumentParser) -> None:
    add_one_text(parser)
    about = "with the alternative of the pattern that found each, and what it matches"
    parser.add_argument("--why", action="store_true", help=about)


def _split(given: Namespace) -> None:
    tokenizer = tokenizer_of(given)
    pretokens = cuts(tokenizer, one_text(given), given.specials)
    rows = {name: words or pattern for name, pattern, words in alternatives(tokenizer.pretokenizer)}
    written = [f"‘{token_text(encode_text(pretoken.text))}’" for pretoken in pretokens]
    width = max(map(len, written), default=0)
    for text, pretoken in zip(written, pretokens, strict=True):
        about = rows.get(pretoken.rule)
        why = f"  {pretoken.rule}{f': {about}' if about else ''}" if pretoken.rule else ""
        write_text(f"{text:{width}}{why}\n" if given.why and why else f"{text}\n")


SPLIT = Command(
    _split,
    _add_split,
    "the pretokens of a text: no merge crosses their ends",
    ('{} split gpt-4o --text "Don\'t go" --why', "{} split tokenizer.json book.txt"),
)
