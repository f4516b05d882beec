"""A live view: its elements, its style sheet and its script. Each picture's folder defines the picture's view.

A view's script exports `default(component)`, which a source calls with every new value of the view's data:

    component.data              the view's data, as `film_answer` and `text_data` describe it
    component.parentElement     the shadow root that has the view's elements and style sheet
    component.send(request)     sends the reader's choice, and names the data that the view lacks; see `request`

The source is Streamlit (`pages/parts/ui/loader.js`), or an HTML page without a server (`saved/page.js`). The source
calls the script and answers the script's requests. `shared/channel.js` draws how requests and answers belong together.

The page around a view defines colours and fonts: `style.VARIABLES`, and Streamlit's `--st-font`,
`--st-background-color`, `--st-text-color`, `--st-primary-color` and `--st-base-radius`.
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.pictures.shared.drawing import MOST_BYTES, MOST_ROWS, MOST_TOKENS
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.layout import SIZES
from bpe_core.pictures.shared.script import script

_MOST = {"most_tokens": MOST_TOKENS, "most_rows": MOST_ROWS, "most_bytes": MOST_BYTES}
PICTURE: Json = {**SIZES._asdict(), **_MOST}  # sizes and limits, for pictures of tokens that are made in the browser


class View(NamedTuple):
    """A live view. `entry`: the web module to begin with. `html` and `css`: the content of the view's shadow root."""

    entry: str
    html: str
    css: str = ""

    def script(self) -> str:
        """Return one script with the entry and all modules that the entry imports."""
        return script(self.entry, {"PICTURE": PICTURE})
