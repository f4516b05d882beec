"""The parts that a text goes through, and how a part shows a text: with glyphs and marks, under a name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, repeat
from operator import itemgetter

from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import encode_text

NAMES = ("Normalization", "Pretokenization", "Model", "Post-processing", "Ids", "Decoding")
BEFORE = "Chat template"  # the part with the number 0, which is no part of a tokenizer
MOST_CHARACTERS = 10_000  # the most characters of a text that the page works on
SHOWN = 400  # the most characters, pretokens or tokens of a text on the screen
_HEADING = Markup('<h2 class="pipeline-part"><b>{}</b> {}</h2>')
_LINE = Markup('<span class="line">{}{}</span>')
_MORE = Markup(' <span class="note">… the first {:,} of {:,} characters</span>')
_ROW = Markup("<dt>{}</dt><dd>{}</dd>")
_ROWS = Markup('<dl class="facts">{}</dl>')


def heading(number: int) -> Markup:
    """Return the heading of a part.

    >>> heading(3)
    Markup('<h2 class="pipeline-part"><b>3</b> Model</h2>')
    """
    return _HEADING.format(number, NAMES[number - 1] if number else BEFORE)


def marked(text: str, marks: Iterable[str] = repeat("")) -> Markup:
    """Return the beginning of a text as HTML.

    `marks`: one entry for each character: HTML with `{}` where the character goes, or "" for no mark. A marked
    character is drawn alone, so that an accent stands on a dotted circle and not on the letter before the accent.

    >>> marked("a\\n", ["", Markup("<del>{}</del>")])
    Markup('<span class="line">a<del><span class="mark">⏎</span><br></del></span>')
    """
    drawn = []
    for mark, run in groupby(zip(text[:SHOWN], marks, strict=False), itemgetter(1)):
        characters = "".join(char for char, _ in run)
        drawn.append(mark.format(_written(characters)) if mark else _written(characters.splitlines(keepends=True)))
    more = _MORE.format(SHOWN, len(text)) if len(text) > SHOWN else ""
    return _LINE.format(html.joined(drawn), more)


def _written(parts: Iterable[str]) -> Markup:
    """Return parts of a text in a row, each drawn alone."""
    return html.joined(html.inner(encode_text(part)) + html.line_break(encode_text(part)) for part in parts)


def named_rows(rows: Iterable[tuple[str, Markup]]) -> Markup:
    """Return a list of drawings with their names.

    >>> named_rows([("Text", Markup("<b>a</b>"))])
    Markup('<dl class="facts"><dt>Text</dt><dd><b>a</b></dd></dl>')
    """
    return _ROWS.format(html.joined(_ROW.format(*row) for row in rows))
