"""The film on a page: what the visitor chose in it, and how it is drawn.

A film asks and draws; the page decides what a choice means:

    chosen = film.asked(now, sides)          the step, the search, another pair, … that the visitor chose, checked
    now = film.with_choice(now, chosen)      the page's state with the step and the search; the page does the rest
    film.draw(now, chosen, shown)            the film, with the words that the page shows at that step
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from bpe_core.pictures.film.film_answer import FilmLayout, Position, ShownSide, film_answer, position
from bpe_core.pictures.film.film_script import FILM, Charts, film_script
from bpe_core.pictures.film.film_side import FilmSide
from bpe_core.pictures.shared.request import Request, read_request
from pages.parts.server.picture_first import picture_first
from pages.parts.server.served import Script, address
from pages.parts.state import state
from pages.parts.state.page_states import WithFilm
from pages.parts.state.values import LARGEST, changed
from pages.parts.ui import film_charts
from pages.parts.ui.live_view import LiveView

S = TypeVar("S", bound=WithFilm)
PICTURE, BELOW = "film", "below the film"  # the keys of the two fragments
SHORT = 10_000  # characters; a text up to this length travels with every answer of a film
PLAIN = FilmLayout()


VEGA = Script("vega", film_charts.vega_script, film_charts.VEGA_VERSION)
_FILM = LiveView("film", FILM, lambda: film_script(film_charts.charts()))
SCRIPTS = (VEGA, _FILM.script)


def charts_of_a_page() -> Charts:
    """Return the charts for the film of a saved page. They contain the script of Vega."""
    return film_charts.charts(VEGA.content.decode())


def asked(now: WithFilm, sides: Sequence[FilmSide], name: str = "step") -> Position:
    """Return what the visitor chose in the film since the page last set the step, or else what the page shows.

    `name`: the name of the value that has the step.
    """
    shown = Position(getattr(now, name), find=getattr(now, "words", ""), sort=getattr(now, "sort", None) or "")
    return position(read_request(state.sent(_key(now, name))), sides, shown, now.version)


def with_choice(now: S, chosen: Position, name: str = "step") -> S:
    """Save and return the state with what the visitor chose in the film: the step, the search, the order of words."""
    values = {name: chosen.step, "words": chosen.find, "sort": chosen.sort or None}
    new = {key: value for key, value in values.items() if getattr(now, key, value) != value}
    after = state.save(changed(now, new)) if new else now
    if after != now and state.session().remarks:
        st.rerun()  # the whole page, since the first change drops the page's remarks
    return after


def draw(
    now: WithFilm, chosen: Position, shown: Sequence[ShownSide], layout: FilmLayout = PLAIN, name: str = "step"
) -> None:
    """Draw the film of a page. `chosen`: see `asked`. `shown`: what each side shows. `name`: as for `asked`."""
    sides, key = [each.side for each in shown], _key(now, name)
    listen = partial(_listen, type(now), sides, name)
    send(key, read_request(state.sent(key)), shown, chosen, now.version, layout._replace(step_name=name), listen)


def _key(now: WithFilm, name: str) -> str:
    return f"{now.PAGE}.film" if name == "step" else f"{now.PAGE}.film of {name}s"


def _listen(page: type[WithFilm], sides: Sequence[FilmSide], name: str) -> None:
    """When the visitor chose another step or search, run what is below the film again, and not only the film."""
    now = state.read(page)
    chosen = asked(now, sides, name)
    if (chosen.step, chosen.find, chosen.sort) != (
        getattr(now, name), getattr(now, "words", ""), getattr(now, "sort", None) or "",
    ):  # fmt: skip
        with suppress(StreamlitAPIException):  # the page may have no film any more
            st.rerun([PICTURE, BELOW])


def fragments(page: type[WithFilm], picture: Callable[[], None], below: Callable[[], None] = lambda: None) -> None:
    """Run two functions, each as a fragment. When the step changes, run them again.

    `picture`: the function that draws the film. `below`: the function that draws the views below the film.
    """

    @st.fragment(key=PICTURE)
    def draw_picture() -> None:
        picture()

    @st.fragment(key=BELOW)
    def draw_below() -> None:
        below()
        state.publish(page)

    draw_picture()
    picture_first()
    draw_below()


def send(
    key: str,
    request: Request,
    sides: Sequence[ShownSide],
    now: Position,
    version: int,
    layout: FilmLayout,
    on_request: Callable[[], None] | None = None,
) -> None:
    """Send a film of one or two sides to its component, at a position.

    Two sides share one step bar, and their rows are aligned.

    `request`: the film's last request. `version`: a number that rises whenever the caller sets the step. The film
    adopts such a step once; after that the film decides, and reports its step. `layout`: a layout without the script of
    Vega; this function adds the script. `on_request`: see `LiveView.show`.
    """

    def publish(content: str, name: str) -> str:
        """Return short content as it is, which spares the browser a request; for long content, return an address."""
        return content if len(content) <= SHORT else address(content.encode(), "application/json", f"{key} {name}")

    layout = layout._replace(vega=VEGA.address if {"pairs", "timeline"} & set(layout.sections) else "")
    _FILM.show(key, film_answer(request, sides, now, version, layout, publish), on_request)


def go(now: S, step: int) -> S:
    """Return the state with another step. The state's version rises, so the film adopts the step once."""
    return replace(now, step=step, version=now.version + 1)


def start_over(now: S, shown: Hashable) -> S:
    """If the page shows another training than before, go to the first step. Return the state.

    `shown`: a key of the training. On the first call the step stays, since it may be from a link.
    """
    if now.shown == shown:
        return now
    if now.shown is None:
        return state.save(replace(now, shown=shown))
    first: dict[str, object] = {name: 0 for name in ("step", "round") if hasattr(now, name)}
    return state.remark(now, values={"shown": shown, "version": now.version + 1, **first})


def to_the_end(now: S) -> S:
    """Return a changed state: with it, the next training opens at its last step instead of its first step."""
    return go(replace(now, shown=None), LARGEST)


def fit(now: S, last: int, name: str = "step") -> S:
    """If the step is beyond the last one, set it to the last one and say so on the page. Return the state.

    `name`: the name of the value that has the step.
    """
    step: int = getattr(now, name)
    if step <= last:
        return now
    there = f"the last one is {last:,}" if last else f"this run has no {name}s"
    # Without its text, the link's step is not the step of what is shown: the remark about the text says enough.
    why = f"There is no {name} {step:,}: {there}." if step < LARGEST and not state.text_missing(now) else ""
    return state.remark(now, why, {name: last})
