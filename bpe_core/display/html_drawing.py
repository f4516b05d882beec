"""A drawing as an HTML page of its own, in the reader's light or dark colours, without a script."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from bpe_core.display.drawing import Chip, Drawing, Row
from bpe_core.display.html import chip, joined
from bpe_core.display.style import alone

_PAGE = Markup(
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">\n'
    "<title>{0}</title></head>\n<body>\n{1}\n</body></html>\n"
)
_NODE = Markup('<li>{}<span class="step">{}</span>{}</li>')


def html_page(drawing: Drawing) -> str:
    """The drawing as a page.

    >>> from bpe_core.display.drawing import chips
    >>> html_page(Drawing("one", (chips([b"<b>"]),))).splitlines()[2]
    '<title>one</title></head>'
    """
    rows = joined(
        Markup('<div class="tokens">{}</div>').format(joined(_row(row, drawing.glyph))) for row in drawing.rows
    )
    return str(_PAGE.format(drawing.title, alone(rows, drawing.title)))


def _row(row: Row, glyph: str) -> Iterator[Markup]:
    for item in row:
        if isinstance(item, str):
            yield Markup(" {} ").format(item)
        elif item.halves:
            yield Markup('<div class="grove"><ul class="tree">{}</ul></div>').format(_node(item, glyph))
        else:
            yield _drawn(item, glyph, item.below)


def _drawn(item: Chip, glyph: str, under: str = "") -> Markup:
    return chip(item.token, item.shade, glyph, mark="new" if item.new else "", under=under)


def _node(item: Chip, glyph: str) -> Markup:
    halves = joined(_node(half, glyph) for half in item.halves)
    return _NODE.format(_drawn(item, glyph), item.below, Markup("<ul>{}</ul>").format(halves) if halves else "")
