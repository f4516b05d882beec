"""The stages that a text goes through, and how much of a text the page shows."""

from __future__ import annotations

from markupsafe import Markup

NAMES = ("Normalization", "Pretokenization", "Model", "Post-processing", "Ids", "Decoding")
MOST_CHARACTERS = 10_000  # of a text that the page works on
SHOWN = 400  # characters, pretokens or tokens of a text on the screen
_HEADING = Markup('<h2 class="stage"><b>{}</b> {}</h2>')


def heading(number: int) -> Markup:
    """Return the heading of a stage.

    >>> heading(3)
    Markup('<h2 class="stage"><b>3</b> Model</h2>')
    """
    return _HEADING.format(number, NAMES[number - 1])
