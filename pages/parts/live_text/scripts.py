"""The scripts of the components in one place: each file is an idea, and a component is made of several."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
# how tokens are written, cut at a step, and drawn where they are seen
TOKENS = ("text.js", "chips.js", "cut.js", "panes.js")
# one token: its tree, pictures of it, and what is told of it
BIOGRAPHY = ("tree.js", "pictures.js", "panel.js")


def source(*names: str) -> str:
    """The files of this folder one after the other, as one script or style sheet.

    >>> source("text.js", "cut.js").count("function cutAt")
    1
    """
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)
