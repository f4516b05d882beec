"""The film as a live view: its elements, its style sheet, its script, and the charts that a caller brings."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.style import TOKEN_STYLE
from bpe_core.pictures.shared.view import View, script, source


class Charts(NamedTuple):
    """The charts of a film, which the caller brings.

    `pairs`: the Vega specification of the pairs' chart. `along`: the charts along the slider, by their names in
    `film_side.ALONG`; see `ChartAlong` in `film/timeline.js`. `vega`: Vega's own script, for a page without a server.
    Vega's script has to set `vegaEmbed`.
    """

    pairs: Json
    along: Json
    vega: str = ""


# The elements and the style sheet are in the script, so that they do not travel with every answer.
SKELETON = source("film/film.html")
STYLE = TOKEN_STYLE + source("shared/slider.css", "shared/step_bar.css", "film/film.css")
FILM = View("film/film.js", '<div class="film" style="min-height: 26rem"></div>')


def film_script(charts: Charts | None = None, entry: str = FILM.entry) -> str:
    """Return the script of the film, with its elements, its style sheet and its charts.

    `charts`: the charts that Vega draws; None for a film that lists the pairs instead. `entry`: the web module to begin
    with. That module has to import the film.
    """
    return script(entry, film_constants(charts))


def film_constants(charts: Charts | None = None) -> Json:
    """Return the values that Python gives to the film's web modules, by name. `charts`: as for `film_script`."""
    return {
        "STYLE": STYLE,
        "SKELETON": SKELETON,
        "PAIR_CHART": charts.pairs if charts else {},
        "CHARTS_ALONG": charts.along if charts else {},
    }
