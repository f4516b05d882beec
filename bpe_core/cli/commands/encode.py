"""`encode`, `decode`, `show` and `split`: text to ids and back, its tokens in colour, and its pretokens."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from bpe_core.chat.templates import fitting
from bpe_core.chat.written_chats import chat_in
from bpe_core.cli.command import COMPARISON, Command, DifferentError, Form, InputError
from bpe_core.cli.forms import text_of, write_json, write_text
from bpe_core.cli.inputs import (
    Refusals,
    add_one_text,
    add_texts,
    add_tokenizer,
    one_text,
    read_data,
    texts_with_names,
    tokenizer_of,
    whole,
)
from bpe_core.corpus.text_files import Text
from bpe_core.counting.row_cutter import count_and_losses, pieces_lost
from bpe_core.pictures.paper.terminal import barred, coloured, has_colours, readable
from bpe_core.pictures.shared.token_text import glyph_in, token_text
from bpe_core.published import named
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, lost_pieces
from bpe_core.text.pattern_parts import alternatives
from bpe_core.tokenizer.drift import Drift, reason, summary
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.why_cut import cuts
from bpe_core.tokenizer.written_ids import read_batch


class _Asked(NamedTuple):
    """A text that is to be encoded; only the form knows what of its tokens is needed.

    `around`: whether what the tokenizer's file puts around a text is added.
    """

    tokenizer: Tokenizer
    text: Text
    specials: bool | None
    around: bool
    name: str
    refusals: Refusals


def _encode(given: Namespace) -> Iterator[_Asked]:
    tokenizer, refusals = tokenizer_of(given), Refusals(given.files)
    for name, text in texts_with_names(given):
        yield _Asked(tokenizer, text, given.specials, given.add_special_tokens, name, refusals)
    refusals.end()


def _write_ids(asked: _Asked) -> None:
    with asked.refusals(asked.name):
        text = whole(asked.text)
        print(*asked.tokenizer.ids(text, specials=asked.specials, add_special_tokens=asked.around))
        _say_lost(asked, pieces_lost(text, asked.tokenizer, asked.specials))


def _write_count(asked: _Asked) -> None:
    with asked.refusals(asked.name):
        more = len(asked.tokenizer.around.put([])) if asked.around else 0
        tokens, lost = count_and_losses(asked.text, asked.tokenizer, asked.specials)
        print(tokens + more)
        _say_lost(asked, lost)


def _write_ways(asked: _Asked) -> None:
    with asked.refusals(asked.name):
        print(asked.tokenizer.ways(whole(asked.text)))


def _write_json(asked: _Asked) -> None:
    with asked.refusals(asked.name):
        found = asked.tokenizer.encode(whole(asked.text), specials=asked.specials, add_special_tokens=asked.around)
        tokens, raw = [*map(text_of, found.tokens)], [token.hex() for token in found.tokens]
        write_json({"ids": found.ids, "tokens": tokens, "spans": found.spans, "bytes": raw})
        _say_lost(asked, found.pieces_lost if asked.tokenizer.vocabulary.loses_text else 0)


def _say_lost(asked: _Asked, lost: int) -> None:
    """Say on standard error how many pieces of a text are lost, if some are."""
    if lost:
        name = "" if asked.name in ("", "-") else f"{readable(asked.name.encode(errors='surrogateescape'))}: "
        print(f"{name}{lost_pieces(lost)}", file=sys.stderr)


def _add_decode(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument(
        "ids",
        nargs="*",
        default=[],
        metavar="ID",
        help="ids, or what --json wrote of them; a list of lists becomes a line each; read from standard input if none "
        "is given",
    )
    about = "print instead where the tokenizer writes other ids for the same text, and why"
    parser.add_argument("--check", action="store_true", help=about)
    equal, other = "they are the ids that the tokenizer writes", "they are not"
    parser.epilog = f"With --check, {COMPARISON.format(equal, other)}"


def _decode(given: Namespace) -> None:
    batch = read_batch(" ".join(given.ids) or read_data("-"))
    tokenizer = tokenizer_of(given)
    if given.check and len(batch) > 1:
        raise InputError(f"there are {len(batch):,} lists of ids, and --check takes one")
    if given.check:
        _check(tokenizer.drift(batch[0]))
        return
    if len(batch) > 1:
        write_text("".join(f"{text}\n" for text in tokenizer.decode_batch(batch)))
        return
    write_text(tokenizer.decode(batch[0]))
    if sys.stdout.isatty():
        print()


def _check(drift: Drift) -> None:
    """Print a line for each region in which the ids differ; raise `DifferentError` if there is one."""
    glyph = glyph_in(drift.tokenizer.vocabulary)

    def written(ids: tuple[int, ...]) -> str:
        tokens = "|".join(token_text(drift.tokenizer.vocabulary.drawn_bytes(i), glyph) for i in ids)
        return f"{' '.join(map(str, ids))} ({tokens})"

    for region in drift.regions:
        why = "".join(
            part if isinstance(part, str) else f"‘{token_text(part, glyph)}’" for part in reason(drift, region)
        )
        given, own = drift.given[slice(*region.given)], drift.own[slice(*region.own)]
        write_text(f"{written(given)}, not {written(own)}: {why}\n")
    if drift.regions:
        raise DifferentError(summary(drift))
    print(summary(drift))


def _show(given: Namespace) -> None:
    tokenizer = tokenizer_of(given)
    glyph = glyph_in(tokenizer.vocabulary)
    draw = coloured if has_colours(sys.stdout) else barred
    refusals = Refusals(given.files)
    for name, text in texts_with_names(given):
        with refusals(name):
            written = whole(text)
            found = tokenizer.encode(written, specials=given.specials, add_special_tokens=given.add_special_tokens)
            _show_text(found, draw, glyph)
            if chat := chat_in(written):
                said = f"this is a chat of {counted(len(chat.messages), 'turn')}; what a model is given of it: "
                said += f"mergescope chat {quote(given.tokenizer)} {quote(name) if name.strip('-') else 'FILE'}"
                row = named(given.tokenizer)
                said += " --template FILE" if row and not fitting(row.name) else ""
                print(readable(said.encode(errors="surrogateescape")), file=sys.stderr)
    refusals.end()


def _show_text(encoding: Encoding, draw: Callable[[Sequence[bytes], str], str], glyph: str) -> None:
    name_of = encoding.walk.vocabulary.lost_name.encode()
    rows = zip(encoding.ids, encoding.drawn, encoding.lost, strict=True)
    shown = draw([name_of if is_lost and i >= 0 else token for i, token, is_lost in rows], glyph)
    write_text(shown if shown.endswith("\n") else shown + "\n")
    sizes = (
        counted(len(encoding.ids), "token"),
        counted(len(encoding.text), "character"),
        lost_pieces(encoding.pieces_lost),
    )
    print(*filter(None, sizes), sep=", ", file=sys.stderr)


ENCODE = Command(
    _encode,
    add_texts,
    "text to ids, a line a file",
    ('{} encode gpt-4o --text "Hello there"', 'echo "Hello there" | {} encode tokenizer.json --count'),
    {
        "text": Form(_write_ids),
        "count": Form(_write_count, "print how many ids there are instead"),
        "ways": Form(_write_ways, "print instead in how many ways the text could be written in tokens"),
        "json": Form(
            _write_json, "print JSON instead, a line a file: the ids, tokens, character spans and bytes in hex"
        ),
    },
)
DECODE = Command(
    _decode,
    _add_decode,
    "ids to text",
    (
        "{} decode tokenizer.json 72 101 108 108 111",
        "{} encode gpt-4o book.txt --json | {} decode gpt-4o",
        "{} decode qwen --check 64 53122 316",
    ),
    compares=lambda given: bool(given.check),
)
SHOW = Command(
    _show,
    add_texts,
    "the tokens of a text, in colour (NO_COLOR turns it off)",
    (
        'echo "Hello there" | {} show hub:openai-community/gpt2',
        "FORCE_COLOR=1 {} show tokenizer.json book.txt | less -R",
    ),
)


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
