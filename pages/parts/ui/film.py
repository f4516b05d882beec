"""The film on a page: what the visitor chose in it, and how it is drawn.

A film asks and draws; the page decides what a choice means:

    chosen = film.asked(now, sides)          the step, the search, another pair, … that the visitor chose, checked
    now = film.with_choice(now, chosen)      the page's state with the step and the search; the page does the rest
    film.draw(now, chosen, shown)            the film; it asks for the words and the frames that it lacks by itself
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

import streamlit as st

from bpe_core.pictures.film.film_answer import Film, FilmLayout, Position, ShownSide, film_answer, position
from bpe_core.pictures.film.film_script import FILM, Charts, film_script
from bpe_core.pictures.film.film_side import FilmSide, RunSide
from bpe_core.pictures.shared.request import Request, read_request
from bpe_core.settings import CUSTOM
from pages.parts.server.served import Script
from pages.parts.state import address_bar, state
from pages.parts.state.page_states import WithFilm
from pages.parts.state.values import LARGEST, changed
from pages.parts.ui import film_charts, live_view
from pages.parts.ui.live_view import LiveView

S = TypeVar("S", bound=WithFilm)
FILM_FRAGMENT = "the film"  # the key of the fragment
ABOVE, BELOW = "above-film", "below-film"  # the keys of the containers above and below the film
PLAIN = FilmLayout()


class Typing(NamedTuple):
    """How a film follows the typing in the page's text box.

    `given`: the text in the box; if that is empty, the `example`. `train`: see `Film`.
    """

    given: str
    example: str
    train: Callable[[str], Sequence[ShownSide]]


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
    now: WithFilm,
    chosen: Position,
    shown: Sequence[ShownSide],
    layout: FilmLayout = PLAIN,
    name: str = "step",
    of: tuple[object, ...] = (),
    typing: Typing | None = None,
) -> None:
    """Draw the film of a page. `chosen`: see `asked`. `shown`: what each side shows. `name`: as for `asked`.

    `of`: differs if the same sides show other words, or if another training would follow from a typed text. `typing`:
    None for a film that does not follow the typing.
    """
    key = _key(now, name)
    send(key, read_request(state.sent(key)), shown, chosen, now.version, layout._replace(step_name=name), of, typing)


def _key(now: WithFilm, name: str) -> str:
    return f"{now.PAGE}.film" if name == "step" else f"{now.PAGE}.film of {name}s"


def fragment(page: type[WithFilm], picture: Callable[[], None], below: Callable[[], None] = lambda: None) -> None:
    """Run two functions in one fragment, which runs again when the film tells the page its step.

    `picture`: the function that draws the film. `below`: the function that draws the views below the film.
    """

    @st.fragment(key=FILM_FRAGMENT)
    def draw_all() -> None:
        picture()
        with st.container(key=BELOW):
            below()
        address_bar.publish(page)

    draw_all()


def send(
    key: str,
    request: Request,
    sides: Sequence[ShownSide],
    now: Position,
    version: int,
    layout: FilmLayout,
    of: tuple[object, ...] = (),
    typing: Typing | None = None,
) -> None:
    """Send a film of one or two sides to its component, at a position.

    Two sides share one step bar, and their rows are aligned.

    `request`: the film's last request. `version`: a number that rises whenever the caller sets the step. The film
    adopts such a step once; after that the film decides, and reports its step. `layout`: a layout without the script of
    Vega; this function adds the script. `of`, `typing`: as for `draw`.
    """
    layout = layout._replace(vega=VEGA.address if {"pairs", "timeline"} & set(layout.sections) else "")
    whole = Film(sides, typing.train if typing else None)
    ours = all(not isinstance(each.side, RunSide) or each.side.record.settings.pretokenizer != CUSTOM for each in sides)
    asks = live_view.asks(key, whole, (*((each.side.digest, *each[2:]) for each in sides), *of), ours)
    data = {**film_answer(request, whole, now, version, layout), "asks": asks}
    if typing:
        data |= {"given": typing.given, "asks": {**asks, "example": typing.example}}
    _FILM.show(key, data)


def go(now: S, step: int) -> S:
    """Return the state with another step. The state's version rises, so the film adopts the step once."""
    return replace(now, step=step, version=now.version + 1)


def start_over(now: S, shown: Hashable) -> S:
    """Go to the first step if the page shows another training than before. Return the state.

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
    """Set a step beyond the last one to the last one, and say so on the page. Return the state.

    `name`: the name of the value that has the step.
    """
    step: int = getattr(now, name)
    if step <= last:
        return now
    there = f"the last one is {last:,}" if last else f"this run has no {name}s"
    # Without its text, the link's step is not the step of what is shown: the remark about the text says enough.
    why = f"There is no {name} {step:,}: {there}." if step < LARGEST and not address_bar.text_missing(now) else ""
    return state.remark(now, why, {name: last})
