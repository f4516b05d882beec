"""The stages that a text goes through, by their numbers and names, and how much of a text this page shows."""

from __future__ import annotations

from markupsafe import Markup

NAMES = ("Normalization", "Pretokenization", "Model", "Post-processing", "Ids", "Decoding")
MOST_CHARACTERS = 10_000  # of a text; this page looks closely
SHOWN = 400  # characters, pretokens or tokens of a text on the screen; every figure counts all
_HEADING = Markup('<h2 class="stage"><b>{}</b> {}</h2>')


def heading(number: int) -> Markup:
    """The heading of a stage.

    >>> heading(3)
    Markup('<h2 class="stage"><b>3</b> Model</h2>')
    """
    return _HEADING.format(number, NAMES[number - 1])
