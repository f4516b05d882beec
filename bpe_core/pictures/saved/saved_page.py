"""An HTML page that needs no server: it is saved to a file, or shown in a notebook. `live.page` makes such pages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, repr=False)
class Page:
    """An HTML page. `height`: of its frame in a notebook, in pixels. `remark`: what it leaves out.

    >>> Page("Two & three", "<p>2 &lt; 3</p>", 100)
    <Page: Two & three; save it, or show it in a notebook>
    """

    title: str
    html: str
    height: int
    remark: str = ""

    def __repr__(self) -> str:
        """Return its title, and what can be done with it."""
        return f"<Page: {self.title}; save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from bpe_core.pictures.saved import page as pages

        return pages.in_notebook(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, and return its path."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path
