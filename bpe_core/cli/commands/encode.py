"""`encode`, `decode` and `show`: text to ids and back, and its tokens in colour."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from bpe_core.cli.command import Command
from bpe_core.cli.inputs import add_texts, add_tokenizer, read_id, read_text, tokenizer_of
from bpe_core.cli.outputs import write_text
from bpe_core.pictures.paper.terminal import barred, coloured, has_colours
from bpe_core.pictures.shared.in_words import lost_pieces
from bpe_core.pictures.shared.token_text import glyph_in


def _add_encode(parser: ArgumentParser) -> None:
    add_texts(parser)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--count", action="store_true", help="print how many ids there are instead")
    kinds.add_argument(
        "--json",
        action="store_true",
        help="print JSON instead, a line a file: the ids, tokens, character spans and bytes in hex",
    )


def _encode(given: Namespace) -> None:
    tokenizer = tokenizer_of(given)
    for name in given.files:
        text = read_text(name)
        if given.count:
            print(tokenizer.count(text, given.specials))
        elif given.json:
            found = tokenizer.encode(text, given.specials)
            tokens = [token.decode("utf-8", "replace") for token in found.tokens]
            row = {"ids": found.ids, "tokens": tokens, "spans": found.spans}
            raw = [token.hex() for token in found.tokens]  # in `tokens`, a part of a character is U+FFFD
            print(json.dumps({**row, "bytes": raw}, ensure_ascii=False))
        else:
            print(*tokenizer.ids(text, given.specials))


def _add_decode(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("ids", nargs="*", metavar="ID", help="ids; read from standard input if none is given")


def _decode(given: Namespace) -> None:
    ids = [read_id(word) for word in given.ids or read_text("-").split()]
    write_text(tokenizer_of(given).decode(ids))
    if sys.stdout.isatty():
        print()


def _show(given: Namespace) -> None:
    tokenizer = tokenizer_of(given)
    glyph = glyph_in(tokenizer.vocabulary)
    draw = coloured if has_colours(sys.stdout) else barred
    for name in given.files:
        encoding = tokenizer.encode(read_text(name), given.specials)
        name_of = tokenizer.vocabulary.lost_name.encode()
        rows = zip(encoding.ids, encoding.drawn, encoding.lost, strict=True)
        shown = draw([name_of if is_lost and i >= 0 else token for i, token, is_lost in rows], glyph)
        write_text(shown if shown.endswith("\n") else shown + "\n")
        sizes = (f"{len(encoding.ids):,} tokens", f"{len(encoding.text):,} characters", lost_pieces(sum(encoding.lost)))
        print(*filter(None, sizes), sep=", ", file=sys.stderr)


ENCODE = Command(
    _encode,
    _add_encode,
    "text to ids, a line a file",
    ('echo "Hello there" | {} encode tokenizer.json', 'echo "Hello there" | {} encode gpt-4o --count'),
)
DECODE = Command(_decode, _add_decode, "ids to text", ("{} decode tokenizer.json 72 101 108 108 111",))
SHOW = Command(
    _show,
    add_texts,
    "the tokens of a text, in colour (NO_COLOR turns it off)",
    (
        'echo "Hello there" | {} show hub:openai-community/gpt2',
        "FORCE_COLOR=1 {} show tokenizer.json book.txt | less -R",
    ),
)
