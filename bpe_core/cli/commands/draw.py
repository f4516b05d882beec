"""`draw`: tokens, a token's tree or a step as a picture."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from dataclasses import fields
from pathlib import Path
from typing import Any

from bpe_core.cli.command import Command, InputError
from bpe_core.cli.forms import add_force, check_out
from bpe_core.cli.inputs import (
    add_one_text,
    add_tokenizer,
    is_number,
    one_text,
    one_text_name,
    read_id,
    text_name,
    tokenizer_name,
    tokenizer_of,
)
from bpe_core.cli.training import add_training, number_of, run_of_files, settings_of, start_of
from bpe_core.kinds import WholeNumber
from bpe_core.pictures.paper.pictures import PICTURES, picture
from bpe_core.pictures.shared.drawing import Appearance, Drawing, encoding_drawing, step_drawing, token_drawing
from bpe_core.pictures.shared.token_text import glyph_in, glyph_of
from bpe_core.text.in_words import counted, listed
from bpe_core.writing import write_files


def _add_tokens(parser: ArgumentParser) -> None:
    add_one_text(parser)
    parser.add_argument("--no-ids", action="store_true", help="without the ids under the tokens")
    parser.add_argument(
        "--title", action="store_true", help="with the file, the number of tokens and the tokenizer above"
    )


def _draw_tokens(given: Namespace) -> None:
    _check_picture(given, [given.file or "-", given.tokenizer])
    tokenizer = tokenizer_of(given)
    encoding = tokenizer.encode(one_text(given), specials=given.specials)
    name = one_text_name(given)
    sizes = f"{counted(len(encoding), 'token')}, {tokenizer_name(given)}"
    heading = f"{name}: {sizes}" if name else sizes
    _write_picture(encoding_drawing(encoding, not given.no_ids, heading if given.title else ""), given)


def _add_token(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("id", metavar="TOKEN", help="the token's id, or its text, as ' dog'; a number is an id")


def _draw_token(given: Namespace) -> None:
    _check_picture(given, [given.tokenizer])
    tokenizer = tokenizer_of(given)
    chosen = read_id(given.id) if is_number(given.id) else tokenizer.token_to_id(given.id)
    if chosen is None:
        raise InputError(f"{given.id[:40]!r} is neither an id nor a token of {given.tokenizer}")
    _write_picture(token_drawing(tokenizer, chosen, glyph_in(tokenizer.vocabulary)), given)


def _add_step(parser: ArgumentParser) -> None:
    add_training(parser, 300, sources=False)
    parser.add_argument("--step", type=int, metavar="STEP", help="which step, from 0 on (default: the last)")


def _draw_step(given: Namespace) -> None:
    settings = settings_of(given)
    _check_picture(given, given.files)
    run = run_of_files(given, settings, start_of(given, settings))
    step = run.steps if given.step is None else given.step
    drawing = step_drawing(run, step, glyph_of(settings.word_marker, run.tokens), text_name(given.files))
    _write_picture(drawing, given)


DRAWN = {
    "tokens": Command(_draw_tokens, _add_tokens, "the tokens of a text with their ids"),
    "token": Command(_draw_token, _add_token, "the tree of merges that made a token"),
    "step": Command(_draw_step, _add_step, "a step of a training: its corpus, pairs and last merges"),
}


def _add_draw(parser: ArgumentParser) -> None:
    inner = parser.add_subparsers(dest="drawn", required=True, metavar="WHAT")
    for name, drawn in DRAWN.items():
        about = drawn.about
        one = inner.add_parser(name, help=about, description=about, formatter_class=RawDescriptionHelpFormatter)
        drawn.add_arguments(one)
        one.add_argument(
            "--out",
            type=_picture_to_write,
            required=True,
            metavar="PATH",
            help=f"the file to write; its end says what it becomes: {', '.join(PICTURES)}",
        )
        add_force(one)
        _add_appearance(one)


def _draw(given: Namespace) -> None:
    DRAWN[given.drawn].run(given)


def _add_appearance(parser: ArgumentParser) -> None:
    """Add the options of `Appearance`. An option that is not given has no value in the result."""
    usual = Appearance()
    numbers = {
        "width": (WholeNumber(200, 5000), f"pixels of a line (default {usual.width})"),
        "scale": (WholeNumber(1, 10), f"pixels of the file for one of --width (default {usual.scale})"),
    }
    flags = {
        "dark": "dark colours",
        "transparent": "without a background",
        "fragment": "without a preamble, for \\input in a paper",
    }
    for name, (kind, about) in numbers.items():
        options: dict[str, Any] = {"type": number_of(kind), "metavar": "PIXELS"}
        parser.add_argument(f"--{name}", default=SUPPRESS, help=f"{_takers(name)}: {about}", **options)
    for name, about in flags.items():
        help = f"{_takers(name)}: {about}"
        parser.add_argument(f"--{name}", action="store_true", default=SUPPRESS, help=help)


def _takers(option: str) -> str:
    """Return the kinds of picture that take an option."""
    return listed([kind.title for kind in PICTURES.values() if option in kind.options])


def _appearance(given: Namespace) -> Appearance:
    """Return how the picture is to look; `InputError` for an option that the file's kind of picture does not take."""
    chosen = {field.name: getattr(given, field.name) for field in fields(Appearance) if field.name in given}
    kind = PICTURES[_picture_kind(given.out)]
    for name in chosen:
        if name not in kind.options:
            raise InputError(f"--{name} is for {_takers(name)}, not for {given.out}")
    return Appearance(**chosen)


def _check_picture(given: Namespace, read: list[str]) -> None:
    """Raise the errors that writing the picture would raise. `read`: the files that the command reads."""
    _appearance(given)
    check_out(given.out, [Path(given.out)], read, given.force)


def _write_picture(drawing: Drawing, given: Namespace) -> None:
    write_files({Path(given.out): picture(drawing, _picture_kind(given.out), _appearance(given))})
    print(f"{given.out}: {drawing.title}", file=sys.stderr)


def _picture_to_write(text: str) -> str:
    if not _picture_kind(text):
        raise ArgumentTypeError(f"{text!r} has to end in {listed([f'.{kind}' for kind in PICTURES], 'or')}")
    return text


def _picture_kind(out: str) -> str:
    """Return the kind of picture that a file's name ends in; "" if the name ends in no such kind.

    >>> _picture_kind("tokens.SVG"), _picture_kind("tokens.gif")
    ('svg', '')
    """
    kind = Path(out).suffix[1:].lower()
    return kind if kind in PICTURES else ""


DRAW = Command(
    _draw,
    _add_draw,
    "tokens, a token's tree or a step as a picture: SVG, PNG, HTML or LaTeX",
    (
        'echo "Hello there" | {} draw tokens tokenizer.json --out tokens.svg',
        '{} draw tokens gpt-4o --text "Hello there" --no-ids --out tokens.svg',
        '{} draw tokens gpt-4o --text "Hello there" --title --dark --scale 3 --out tokens.png',
        "{} draw token tokenizer.json 300 --out tree.tex",
        "{} draw step book.txt --vocab-size 300 --step 12 --out step.png",
    ),
)
