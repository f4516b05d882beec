"""The live views: for each its elements, its style sheet and its script.

A view's script exports `default(component)`, which a source calls with every new value of the view's data:

    component.data              the view's data, as `film_view` and `text_data` describe it
    component.parentElement     the shadow root that has the view's elements and style sheet
    component.send(request)     sends the reader's choice, and what the view needs to show it; see `request`

A source calls it and answers its requests: Streamlit (`pages/parts/ui/loader.js`), or an HTML page without a
server (`saved/page.js`). `shared/channel.js` draws how requests and answers belong together.

The page around it defines colours and fonts: `style.VARIABLES`, and Streamlit's `--st-font`, `--st-background-color`,
`--st-text-color`, `--st-primary-color` and `--st-base-radius`.
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.pictures.shared.drawing import MOST_BYTES, MOST_ROWS, MOST_TOKENS
from bpe_core.pictures.shared.layout import SIZES
from bpe_core.pictures.shared.script import script, source
from bpe_core.pictures.shared.style import TOKEN_STYLE, shade_rules
from bpe_core.pictures.shared.wire import Json

_MOST = {"most_tokens": MOST_TOKENS, "most_rows": MOST_ROWS, "most_bytes": MOST_BYTES}
PICTURE: Json = {**SIZES._asdict(), **_MOST}  # the sizes of the pictures of tokens that a view makes by itself


class Charts(NamedTuple):
    """The charts of a film, which the caller brings.

    `pairs`: the Vega specification of the pairs' chart. `along`: the charts along the slider, by their names in
    `film_data.ALONG`; see `ChartAlong` in `film/timeline.js`. `vega`: Vega's own script, for a page without a server;
    it has to set `vegaEmbed`.
    """

    pairs: Json
    along: Json
    vega: str = ""


class View(NamedTuple):
    """A live view. `entry`: its web module; `html` and `css`: the content of its shadow root."""

    entry: str
    html: str
    css: str = ""

    def script(self) -> str:
        """Return the script of the view, with all modules that it imports."""
        return script(self.entry, {"PICTURE": PICTURE})


# The film's elements and style sheet are in its script, so that they do not travel with every answer.
FILM = View("film/film.js", '<div class="film" style="min-height: 26rem"></div>')
TOKENS = View(
    "tokens/token_view.js",
    source("tokens/token_view.html").replace("PANEL", source("tokens/panel.html")),
    TOKEN_STYLE
    + shade_rules("fill")
    + source("shared/controls.css", "tokens/panel.css", "shared/step_bar.css", "tokens/token_view.css"),
)
TOKEN_LIFE = View(
    "tokens/life.js",
    source("tokens/panel.html") + '<p id="status" role="status"></p>',
    TOKEN_STYLE + shade_rules("fill") + source("shared/controls.css", "tokens/panel.css"),
)
TOKEN_ROWS = View(
    "rows/rows.js", source("rows/rows.html"), TOKEN_STYLE + source("shared/controls.css", "rows/rows.css")
)
PROMPT_END = View(
    "prompt/prompt.js",
    source("prompt/prompt.html"),
    TOKEN_STYLE + source("shared/controls.css", "rows/rows.css", "prompt/prompt.css"),
)
EDITOR = View(
    "editor/editor.js",
    '<label for="editor"></label>\n<textarea id="editor" spellcheck="false" autocapitalize="off" '
    'autocomplete="off"></textarea>',
    source("editor/editor.css"),
)


def film_script(charts: Charts | None = None, entry: str = FILM.entry) -> str:
    """Return the script of the film, with its elements, its style sheet and its charts.

    A film without Vega needs no chart: it lists the pairs. `entry`: the web module to begin with, which imports the
    film.
    """
    constants = {
        "STYLE": TOKEN_STYLE + source("shared/step_bar.css", "film/film.css"),
        "SKELETON": source("film/film.html"),
        "PAIR_CHART": charts.pairs if charts else {},
        "CHARTS_ALONG": charts.along if charts else {},
    }
    return script(entry, constants)
