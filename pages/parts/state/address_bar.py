"""The address bar of the browser: a page is opened from its address, and writes its address and its link.

When a page is opened for the first time, its values come from the address, and each is checked; from then on they are
in the session. The address has only the values that nobody typed (see `links`). The browser's tab keeps the page's
link, and is asked for it where the address is not all of it:

    open_page    address ╴╴╴╴╴╴╴╴╴╴╴╴╴╴╴╴╴╴┬→ the values of the page
                 the tab's copy of the link ┘
    publish      the values of the page ╴╴╴┬→ link, drawn in the page: Share copies it, the tab keeps it
                                           └→ address
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import time
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.shared.token_text import paired
from bpe_core.text.in_words import listed
from pages.parts.server import page_scripts
from pages.parts.server.addresses import MOST_PATH, NO_PAGE
from pages.parts.server.inside_streamlit import get_script_run_ctx
from pages.parts.state import links
from pages.parts.state.links import IN_TAB, OWN
from pages.parts.state.page_states import PageState, Shared, WithText, shared_names
from pages.parts.state.state import put, read, remarks, session
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.values import PartlyReadError, changed, rows

S = TypeVar("S", bound=PageState)
TEXT_TOO_LONG = "The link's text was too long for a link: paste it, or open its file."
TEXT_IN_TAB = "The text stayed in the tab where it was typed; Share makes a link that has it."
_LINK = Markup('<span hidden data-page="{}" data-link="{}" data-left-out="{}" data-at="{}"></span>')


class TabCopy(NamedTuple):
    """What the browser's tab has of a page: the page's link, and your text where that is newer or not in the link."""

    link: str = ""
    text: str = ""


def tab_copy(answer: object) -> TabCopy | None:
    """Return what the browser's tab has of a page; None if it has not answered this session. `answer`: its message."""
    if not isinstance(answer, Mapping) or answer.get("asked") != session().began:
        return None
    link, text = (str(answer.get(name) or "") for name in TabCopy._fields)
    return TabCopy(link if link.isascii() else "", paired(text))


def in_tab(page: type[PageState]) -> list[str]:
    """Return the names, as in the link, of the values that the page's address leaves to the browser's tab.

    A page that was opened before needs none of them, and a text that another page has set needs no other one.
    """
    here, given = session(), st.query_params.to_dict()
    if page in here.opened:
        return []
    names = given.get(IN_TAB, "").split()
    if issubclass(page, WithText) and not given.get("text"):
        with suppress(ValueError):
            names += ["text"] if rows(page)["corpus"].read(given.get("corpus", "")) == OWN else []
    known, named = shared_names(page) if _has_shared() else (), links.named(page)
    return [name for name in dict.fromkeys(names) if name in named and named[name][1].private and name not in known]


def _has_shared() -> bool:
    """Return whether a page that was open before has set values that all pages share."""
    return bool(session().opened) and session().shared != Shared()


NO_COPY = TabCopy()


def open_page(page: type[S], copy: TabCopy = NO_COPY) -> S:
    """Open a page and return its state. `copy`: what the browser's tab has of the page.

    When the page is opened for the first time, that is the state in the link. Later it is the state in which the page
    was left. A page that is not the session's first has a link if the browser's buttons led there: after a reload the
    session is new, and the browser's history is not.
    """
    here = session()
    if here.open_page is not page:
        here.remarks = []  # they are about the page before
    if page not in here.opened:
        if sentences := list(_read_link(page, copy)):  # a newer run may end this one here, and reads the link itself
            here.remarks, here.published = sentences, None
        here.opened.add(page)
    if here.open_page is not page:
        here.arrived = True
        here.results = {}  # frees the runs and texts that nothing else needs
    here.open_page = page
    if (view := led_to(page, "view")) is not None:
        put(page, view=view)
    return read(page)


def led_to(page: type[PageState], linked: str) -> object:
    """Return the value in the address to which one of the browser's buttons led; None if none led here.

    `linked`: the value's name in a link. Within a page the buttons lead from view to view, and from lesson to lesson:
    see history.js.
    """
    context, named = get_script_run_ctx(), links.named(page)
    if context is None or not context.is_history_navigation or linked not in named:
        return None
    row, written = named[linked][1], st.query_params.get(linked)
    with suppress(ValueError):
        return row.default if written is None else row.read(written)
    return None


def _read_link(page: type[PageState], copy: TabCopy) -> Iterator[str]:
    """Set the page's values from its address. Yield a sentence for each value that cannot be used.

    What the address leaves to the browser's tab comes from `copy`, and nothing else does. A text or a chat that another
    page has already set stays: the values that pages share are not read from the link.
    """
    address, wanted, from_tab = st.query_params.to_dict(), in_tab(page), dict(parse_qsl(copy.link))
    address.pop(IN_TAB, None)
    address |= {name: from_tab[name] for name in wanted if name in from_tab}
    given = {links.current_name(page, name): (name, value) for name, value in address.items()}
    named = links.named(page)
    not_in_link = {name: row.default for linked, (name, row) in named.items() if linked not in given}
    here = session()
    here.fitted[page.PAGE] = None, not_in_link
    values: dict[str, object] = {}
    for linked, (written, value) in given.items():
        if page is Tokens and linked == NO_PAGE:
            yield f"There is no page “{value[:MOST_PATH]}” here."
            continue
        if linked not in named:
            yield f"The link's “{written[:40]}” is not known here and was left out."
            continue
        name, row = named[linked]
        try:
            values[name] = row.read(value)
        except PartlyReadError as error:
            values[name] = error.value
            yield f"The link's “{row.title}” ({written[:40]}=) was shortened: {error}."
        except ValueError as error:
            yield f"The link's “{row.title}” ({written[:40]}=) was left out: {error}."
    missing = [name for name in wanted if name not in given]
    if issubclass(page, WithText):
        if copy.text and "text" in wanted:
            values["text"] = copy.text
        if values.get("text"):
            values["corpus"] = OWN
        elif "text" in wanted:
            yield TEXT_TOO_LONG if values.pop("corpus", "") == OWN else TEXT_IN_TAB
        missing = [name for name in missing if name != "text"]
    if missing:
        they, them = ("they were", "them") if len(missing) > 1 else ("it was", "it")
        titles = listed([f"“{named[name][1].title}”" for name in missing])
        yield f"{titles} stayed in the tab where {they} set; Share makes a link that has {them}."
    if _has_shared():
        values = {name: value for name, value in values.items() if name not in shared_names(page)}
    here.store(changed(read(page), values), values)


def text_missing(now: PageState) -> bool:
    """Return whether the page was opened without its text: the steps and tokens of its link are of another one."""
    return not {TEXT_TOO_LONG, TEXT_IN_TAB}.isdisjoint(remarks(now))


def publish(page: type[PageState]) -> None:
    """Write the page's address into the URL, and its link into the page. There Share finds it, and the tab keeps it.

    The link is drawn where this is called, since a fragment may draw elsewhere only what it drew in the last run of the
    whole page. So a page may have several links; the newest counts.
    """
    here, now = session(), read(page)
    link = links.written(now)
    address, before = links.address(page, link), here.published
    # `query_params` may be old: the browser may have sent them before the last published address arrived there.
    if address != st.query_params.to_dict() or (before is not None and links.address(page, before) != address):
        st.query_params.from_dict(address)
    written, at = urlencode(link, errors="replace"), round(time() * 1000)
    page_scripts.run(page_scripts.KEEP_LINK, _LINK.format(page.PAGE, written, links.left_out(now), at))
    here.published, here.arrived = link, False
