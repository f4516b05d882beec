"""The kinds of files that a drawing can become, for the command line and the pages' menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bpe_core.display.drawing import Drawing
from bpe_core.display.html import html_page
from bpe_core.display.latex import latex
from bpe_core.display.svg import png, svg


class Picture(NamedTuple):
    """A kind of file: its title, its media type, and the function that makes its contents of a drawing."""

    title: str
    media_type: str
    make: Callable[[Drawing], str | bytes]


PICTURES = {
    "svg": Picture("SVG", "image/svg+xml", svg),
    "png": Picture("PNG", "image/png", png),
    "html": Picture("HTML", "text/html", html_page),
    "tex": Picture("LaTeX", "application/x-tex", latex),
}


def picture(drawing: Drawing, kind: str) -> bytes:
    """Return the contents of a file; `kind`: a key of `PICTURES`.

    >>> from bpe_core.display.drawing import chips
    >>> picture(Drawing("one", (chips([b"a"]),)), "png")[:4]
    b'\\x89PNG'
    """
    made = PICTURES[kind].make(drawing)
    return made if isinstance(made, bytes) else made.encode()
