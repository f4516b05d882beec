"""The frame of every page: the navigation, Share, the headline with a sentence, and remarks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import streamlit as st
from markupsafe import Markup

from pages.parts.page import last_training, your_text
from pages.parts.server import page_scripts
from pages.parts.state import address_bar, state
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.state.chat_state import Chat
from pages.parts.state.compare_state import Compare
from pages.parts.state.files_state import Files
from pages.parts.state.learn_state import Learn
from pages.parts.state.page_states import PageState, WithText
from pages.parts.state.pipeline_state import Pipeline
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.ui import elements
from pages.parts.ui.controls import PageView
from pages.parts.ui.terms import with_terms

S = TypeVar("S", bound=PageState)


class Page(NamedTuple):
    """A page: its state, its file, its title in the navigation, its headline, and one sentence about the page.

    A `[term]` in the sentence becomes a link with a definition (see `terms.with_terms`). `under`: the name of the page
    under whose title in the navigation this one is; "" for a page with a title of its own there.
    """

    state: type[PageState]
    path: str
    title: str
    headline: str
    sentence: str
    under: str = ""


_ROWS = (
    Page(
        Tokens,
        "app.py",
        "Tokens",
        "See your text as tokens",
        "A model reads [tokens](token), and you pay for each. [Byte-pair encoding](byte-pair encoding) makes them.",
    ),
    Page(
        Train,
        "pages/train.py",
        "Train",
        "Build a vocabulary, merge by merge",
        "Each [merge] joins the most frequent pair of neighbours into a new [token].",
    ),
    Page(
        Compare,
        "pages/compare.py",
        "Two splits",
        "One text, split in two ways",
        "How a text is split into pieces ([pretokenization]) decides which [tokens](token) can be learnt.",
    ),
    Page(
        Algorithms,
        "pages/algorithms.py",
        "Algorithms",
        "Byte-pair encoding and its rivals",
        "WordPiece and Unigram choose [tokens](token) by other rules.",
        under=Compare.PAGE,
    ),
    Page(Chat, "pages/chat.py", "Chat", "See a chat as the model does", "A template writes the turns as one text."),
    Page(Files, "pages/files.py", "Files", "Count the tokens of your files", "Of files, tables, folders and archives."),
    Page(
        Tokenizers,
        "pages/tokenizers.py",
        "Tokenizers",
        "Look into a tokenizer",
        "A [vocabulary] has a number for each of its [tokens](token).",
    ),
    Page(
        Pipeline,
        "pages/pipeline.py",
        "Inside",
        "From characters to ids and back",
        "See what each part changes on the way to [ids](id).",
        under=Tokenizers.PAGE,
    ),
    Page(
        Learn,
        "pages/learn.py",
        "Learn",
        "Lessons that ask before they tell",
        "Work out what happens next, then see it.",
    ),
)
PAGES: dict[str, Page] = {row.state.PAGE: row for row in _ROWS}  # in the order of the navigation
_FOLDER = Path(__file__).parent
ICON = _FOLDER / "icon.svg"
ABOUT = "Mergescope shows byte-pair encoding at work, step by step. Every page shows how its figures come about."
_HEAD = Markup('<div class="head"><h1 class="headline">{}</h1>{}</div>')
_SENTENCE = Markup('<p class="about">{}</p>')
PATIENCE = 10.0  # seconds for which a page waits for what the browser's tab has of it
LOOK = 0.02  # seconds between two looks whether the tab has answered
_share_button = st.components.v2.component(
    "share",
    html='<button type="button">Share</button>'
    '<div class="message"><input aria-label="Link" readonly hidden><span role="status"></span></div>',
    css=(_FOLDER / "share.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "share.js").read_text(encoding="utf-8"),
)


def draw_head(opened: type[S], views: Mapping[str, PageView] = MappingProxyType({})) -> S:
    """Open a page: set the page's values, read typed text, and draw the page's head. Return the page's state.

    `views`: the page's views. If the open one has a question, that replaces the page's sentence.
    """
    row = PAGES[opened.PAGE]
    st.set_page_config(
        page_title="Mergescope" if opened is Tokens else f"{row.title} · Mergescope",
        page_icon=str(ICON),
        layout="wide",
        menu_items={"About": ABOUT},  # without an entry, Streamlit would not show its menu, which has the themes
    )
    before = state.session().open_page
    if before and issubclass(before, WithText) and before is not opened:
        state.save(
            your_text.receive(state.read(before))
        )  # the last text that was typed on the page that was open before
    copy = address_bar.tab_copy(_from_tab(opened)) if address_bar.in_tab(opened) else address_bar.NO_COPY
    _navigation(row, asks=copy is None)
    if copy is None:
        _await_tab()
    now = address_bar.open_page(opened, copy or address_bar.NO_COPY)
    if isinstance(now, WithText):
        now, _ = last_training.follow(state.save(your_text.receive(now)))
    _siblings(row)
    opened_view = views.get(getattr(now, "view", ""))
    asked = opened_view.question if opened_view else ""
    about = elements.question(asked) if asked else _SENTENCE.format(with_terms(row.sentence))
    st.html(_HEAD.format(row.headline, about))
    return now


def _navigation(opened: Page, asks: bool) -> None:
    """Draw the links to the pages, and Share. `asks`: whether the page waits for what the browser's tab has of it."""
    if st.context.is_embedded:  # the page that embeds this one has a navigation
        with st.container(key="unseen"):
            _share(opened.state, asks)
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="navigation"):
        for row in PAGES.values():
            if not row.under:
                is_open = row.state.PAGE in (opened.state.PAGE, opened.under)
                st.page_link(row.path, label=f"**{row.title}**" if is_open else row.title)
        page_scripts.run(page_scripts.PAGE)
        with st.container(width="content"):
            _share(opened.state, asks)


def _siblings(opened: Page) -> None:
    """Draw links to the pages under the same title in the navigation, if there are several."""
    main = opened.under or opened.state.PAGE
    rows = [row for row in PAGES.values() if main in (row.state.PAGE, row.under)]
    if len(rows) > 1:
        with st.container(horizontal=True, gap="small", key="siblings"):
            for row in rows:
                st.page_link(row.path, label=f"**{row.title}**" if row is opened else row.title)


def _share(page: type[PageState], asks: bool) -> None:
    """Draw the Share button, which copies the link that `address_bar.publish` draws. `asks`: see `_navigation`."""
    data = {"page": page.PAGE, "asked": state.session().began if asks else 0, "text": page_scripts.TAB_COPY}
    _share_button(key=_share_key(page), data=data, on_tab_change=_nothing, width="content", height="content")


def _share_key(page: type[PageState]) -> str:
    return f"{page.PAGE}.share"


def _nothing() -> None:
    """Do nothing with the tab's answer: Streamlit drops an answer for which there is no callback."""


def _from_tab(page: type[PageState]) -> object:
    """Return the tab's answer for a page; None if it has given none."""
    sent = state.sent(_share_key(page))
    return sent.get("tab") if isinstance(sent, Mapping) else None


def _await_tab() -> None:
    """Wait until the tab's answer ends this run: a run that it ends leaves the page in the browser as it is."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        sleep(LOOK)
        state.end_if_overtaken()


def address(page: str) -> str:
    """Return the address of a page, seen from another page.

    >>> address("train"), address("tokens")
    ('train', '.')
    """
    return "." if PAGES[page].path == "app.py" else Path(PAGES[page].path).stem


def remarks(now: PageState) -> None:
    """Draw the page's remarks: sentences about what the page could not do."""
    sentences = state.remarks(now)
    with st.empty():  # a fragment may draw outside of it only where it always draws
        if sentences:
            st.html(Markup().join(map(elements.problem, sentences)))
