"""The kinds of files that a drawing can become, for the command line and the pages' menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bpe_core import arguments
from bpe_core.pictures.paper.html import html_page
from bpe_core.pictures.paper.latex import latex
from bpe_core.pictures.paper.svg import png, svg
from bpe_core.pictures.shared.drawing import Appearance, Drawing, encoding_drawing, step_drawing
from bpe_core.pictures.shared.token_text import glyph_of
from bpe_core.record.run import Run
from bpe_core.tokenizer.encoding import Encoding


class Picture(NamedTuple):
    """A kind of file: its title, its media type, and the function that turns a drawing into the file's contents.

    `options`: the fields of `Appearance` that change the contents.
    """

    title: str
    media_type: str
    make: Callable[[Drawing, Appearance], str | bytes]
    options: tuple[str, ...] = ()


_PLAIN = Appearance()


def _html(drawing: Drawing, _: Appearance = _PLAIN) -> str:
    return html_page(drawing)


PICTURES = {
    "svg": Picture("SVG", "image/svg+xml", svg, ("width", "dark", "transparent")),
    "png": Picture("PNG", "image/png", png, ("width", "dark", "transparent", "scale")),
    "html": Picture("HTML", "text/html", _html),
    "tex": Picture("LaTeX", "application/x-tex", latex, ("fragment",)),
}


def text_picture(encoding: Encoding, kind: str) -> str:
    """Return a picture of a text's tokens, as the contents of a file; `kind`: "svg", "html" or "tex".

    >>> from bpe_core import load
    >>> "<title>Hello: 1 token</title>" in text_picture(load("gpt2").encode("Hello"), "svg")
    True
    """
    return picture(encoding_drawing(encoding), kind).decode()


def step_picture(run: Run, step: int, kind: str) -> str:
    """Return a picture of a training's step, as the contents of a file; `kind` as for `text_picture`.

    Raises `ValueError` for a step that the run does not have.
    """
    return picture(step_drawing(run, step, glyph_of(run.word_marker, run.tokens)), kind).decode()


def picture(drawing: Drawing, kind: str, appearance: Appearance = _PLAIN) -> bytes:
    """Return the contents of a file that shows a drawing; `kind`: a key of `PICTURES`.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> picture(Drawing("one", (chips([b"a"]),)), "png")[:4]
    b'\\x89PNG'
    """
    arguments.of_kind(drawing, Drawing, "a drawing is what encoding_drawing(encoding) returns")
    arguments.of_kind(appearance, Appearance, "an appearance is an Appearance, such as Appearance(width=600)")
    if not isinstance(kind, str) or kind not in PICTURES:
        raise ValueError(f"a picture is one of {', '.join(PICTURES)}, and this is {kind!r:.60}")
    made = PICTURES[kind].make(drawing, appearance)
    return made if isinstance(made, bytes) else made.encode()
