"""The component itself. The package's docstring says how it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bpe_core.live.film_view import Layout, Position, Stage, film_view
from bpe_core.live.request import Request
from bpe_core.live.view import FILM, film_script
from pages.parts.film.vega import VEGA
from pages.parts.live_text.live_view import LiveView
from pages.parts.live_text.served import address
from pages.parts.views import film_charts


def film(
    key: str,
    request: Request,
    stages: Sequence[Stage],
    now: Position,
    version: int,
    layout: Layout,
    on_request: Callable[[], None] | None = None,
) -> None:
    """Show a film of one or two stages at a position; its requests arrive in the session under `key`.

    `request`: the last one. `version`: a number that rises with every step that the caller sets. `layout`: without
    Vega, which is added here. `on_request` is called before the run in which a request has arrived.
    """

    def sent(content: str, name: str) -> str:
        return address(content.encode(), "application/json", f"{key} {name}")

    layout = layout._replace(vega=VEGA.address if {"pairs", "timeline"} & set(layout.sections) else "")
    _FILM.show(key, film_view(request, stages, now, version, layout, sent), on_request)


def _script() -> str:
    return film_script(film_charts.pairs(), film_charts.along())


_FILM = LiveView("film", FILM, _script)
SCRIPT = _FILM.script
