"""An HTML page that needs no server: it is saved to a file, or shown in a notebook. `saved_page` makes such pages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from markupsafe import Markup

from bpe_core import arguments
from bpe_core.pictures.shared.style import notebook_themes
from bpe_core.writing import write_files

_FRAME = Markup("""<div class="mergescope-page">
<style>.mergescope-page iframe {{ border: 0; color-scheme: light; }} {style}</style>
<iframe srcdoc="{html}" title="{title}" width="100%" height="{height}" \
sandbox="allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"></iframe>
<script>{script}</script></div>""")
# A frame may not read the theme of the notebook around it, so this script in the notebook sends the theme to the frame.
_TELL_THEME = dedent("""
    {
      const tell = () => {
        for (const frame of document.querySelectorAll(".mergescope-page iframe")) {
          frame.contentWindow?.postMessage(getComputedStyle(frame).colorScheme, "*");
        }
      };
      for (const around of [document.documentElement, document.body]) {
        new MutationObserver(tell).observe(around, { attributes: true });
      }
      for (const frame of document.querySelectorAll(".mergescope-page iframe")) frame.addEventListener("load", tell);
      tell();
    }
""")


@dataclass(frozen=True, repr=False)
class SavedPage:
    """A saved page. `height`: pixels of its frame in a notebook. `remark`: says which steps the page leaves out.

    >>> SavedPage("Two & three", "<p>2 &lt; 3</p>", 100)
    <Page: Two & three; save it, or show it in a notebook>
    """

    title: str
    html: str
    height: int
    remark: str = ""

    def __repr__(self) -> str:
        """Return the title of the page, and what can be done with the page."""
        return f"<Page: {self.title}; save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return in_notebook(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, whole or not at all, and return the file's path; a file that is there is replaced.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     SavedPage("Two & three", "<p>2 &lt; 3</p>", 100).save(Path(folder) / "page.html").name
        'page.html'
        """
        path = arguments.file_to_write(path)
        write_files({path: self.html.encode()})
        return path


def in_notebook(page: SavedPage) -> str:
    """Return a page as an HTML frame with the notebook's theme.

    The frame sends no request, and reads nothing outside itself.

    >>> in_notebook(SavedPage("Two & three", "<p>2 &lt; 3</p>", 100)).partition("<iframe")[2][:55]
    ' srcdoc="&lt;p&gt;2 &amp;lt; 3&lt;/p&gt;" title="Two &a'
    """
    style, script = Markup(notebook_themes(".mergescope-page iframe")), Markup(_TELL_THEME)
    return str(_FRAME.format(style=style, html=page.html, title=page.title, height=page.height, script=script))
