"""A text as it would be typed, its unseen characters as glyphs, and marks on some of its characters. Values in."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, repeat
from operator import itemgetter

from markupsafe import Markup

from bpe_core.display import html
from bpe_core.text.alphabet import encode_text
from pages.parts.pipeline.stages import SHOWN

_LINE = Markup('<span class="line">{}{}</span>')
_MORE = Markup(' <span class="note">… the first {:,} of {:,} characters</span>')
_ROW = Markup("<dt>{}</dt><dd>{}</dd>")
_ROWS = Markup('<dl class="facts">{}</dl>')


def marked(text: str, marks: Iterable[str] = repeat("")) -> Markup:
    """The beginning of a text. `marks`: for each character the element to put it in, or "" for none.

    A marked character stands by itself, so that an accent is drawn on a dotted circle.

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
    """Parts of a text one behind the other, each drawn by itself."""
    return html.joined(html.inner(encode_text(part)) + html.line_break(encode_text(part)) for part in parts)


def named_rows(rows: Iterable[tuple[str, Markup]]) -> Markup:
    """What is drawn, each under its name.

    >>> named_rows([("Text", Markup("<b>a</b>"))])
    Markup('<dl class="facts"><dt>Text</dt><dd><b>a</b></dd></dl>')
    """
    return _ROWS.format(html.joined(_ROW.format(*row) for row in rows))
