"""What the command `draw` does: it writes the tokens of a text, a token's tree or a step of a training as a picture."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from bpe_core.cli.commands import check_out, opened, read_text, settings_of, token_id, trained
from bpe_core.display.drawing import Drawing, step_drawing, text_drawing, token_drawing
from bpe_core.display.pictures import PICTURES, picture
from bpe_core.display.token_text import glyph_of
from bpe_core.files.writing import write_files


def _write(drawing: Drawing, out: str) -> None:
    write_files({Path(out): picture(drawing, kind_of(out))})
    print(f"{out}: {drawing.title}", file=sys.stderr)


def kind_of(out: str) -> str:
    """Return the kind of picture that a file's name asks for; "" if there is no such kind.

    >>> kind_of("tokens.SVG"), kind_of("tokens.gif")
    ('svg', '')
    """
    kind = Path(out).suffix[1:].lower()
    return kind if kind in PICTURES else ""


def draw_tokens_command(given: Namespace) -> None:
    """Draw the tokens of a text with their ids."""
    check_out(given.out, [Path(given.out)], [given.file, given.tokenizer])
    tokenizer = opened(given)
    encoding = tokenizer.encode(read_text(given.file), specials=not given.no_specials)
    glyph = glyph_of(tokenizer.word_marker)
    _write(text_drawing(encoding.text, encoding.tokens, encoding.ids, glyph), given.out)


def draw_token_command(given: Namespace) -> None:
    """Draw the tree of merges that made a token."""
    check_out(given.out, [Path(given.out)], [given.tokenizer])
    tokenizer = opened(given)
    _write(token_drawing(tokenizer, token_id(given.id), glyph_of(tokenizer.word_marker)), given.out)


def draw_step_command(given: Namespace) -> None:
    """Draw what a step joined, and the words that it changed."""
    settings = settings_of(given)
    check_out(given.out, [Path(given.out)], given.files)
    run = trained(given, settings)
    step = run.steps if given.step is None else given.step
    _write(step_drawing(run, step, glyph_of(settings.word_marker)), given.out)
