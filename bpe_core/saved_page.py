"""An HTML page that needs no server: it is saved to a file, or shown in a notebook. `live.page` makes such pages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

_FRAME = Markup(
    '<iframe srcdoc="{}" title="{}" width="100%" height="{}" sandbox="allow-scripts allow-downloads" '
    'style="border: 0"></iframe>'
)


@dataclass(frozen=True, repr=False)
class Page:
    """An HTML page. `height`: of its frame in a notebook, in pixels.

    >>> Page("Two & three", "<p>2 &lt; 3</p>", 100)._repr_html_()[:55]
    '<iframe srcdoc="&lt;p&gt;2 &amp;lt; 3&lt;/p&gt;" title='
    """

    title: str
    html: str
    height: int

    def __repr__(self) -> str:
        """Return its title and its size."""
        return f"<Page: {self.title}, {len(self.html.encode()) / 1000:,.0f} kB; save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the page in a frame, which sends no request and reads nothing outside."""
        return str(_FRAME.format(self.html, self.title, self.height))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, and return its path."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path
