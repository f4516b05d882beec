"""The frame of every page: the style sheet, the navigation, Share, a headline and a sentence, remarks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st
from markupsafe import Markup

from pages.parts.session import state, training_link, your_text
from pages.parts.views import elements
from pages.parts.views.terms import explained
from pages.parts.views.theme import STYLE
from pages.parts.widgets.share import share


class Page(NamedTuple):
    """A page: its name in the session, its title in the navigation, its headline and one sentence about it.

    A `[term]` in the sentence gets its definition (see `terms.explained`).
    """

    name: str
    title: str
    headline: str
    sentence: str


PAGES = {
    "app.py": Page(
        "start",
        "Mergescope",
        "Language models read tokens, not letters",
        "A [token] is a piece of text that [byte-pair encoding] joined from smaller ones, step by step: press Play.",
    ),
    "pages/playground.py": Page(
        "playground",
        "Playground",
        "See your text as tokens",
        "A model reads [tokens](token), and you pay for each of them: see yours, and count them.",
    ),
    "pages/train.py": Page(
        "train",
        "Train",
        "Build a vocabulary, merge by merge",
        "A [vocabulary] is learnt from a text: each [merge] joins the most frequent pair of neighbours into a new "
        "[token].",
    ),
    "pages/compare.py": Page(
        "compare",
        "Compare",
        "One text, split in two ways",
        "Before training, a text is split into words: its [pretokenization]. Here two splits each learn their own "
        "[tokens](token) from your text.",
    ),
    "pages/pipeline.py": Page(
        "pipeline",
        "Pipeline",
        "From characters to ids and back",
        "A tokenizer turns a text into [ids](id) in stages, and the ids back into text: see what each stage changes.",
    ),
    "pages/algorithms.py": Page(
        "algorithms",
        "Algorithms",
        "Byte-pair encoding and its rivals",
        "WordPiece and Unigram choose their [tokens](token) by other rules: see what each makes of the same text.",
    ),
    "pages/learn.py": Page(
        "learn",
        "Learn",
        "Ten lessons that ask before they tell",
        "Guess what happens next; then see it happen, in the tools of the other pages.",
    ),
}
ICON = Path(__file__).parent / "icon.svg"
ABOUT = "Mergescope shows byte-pair encoding at work, step by step. Everything on the screen can be checked there."
_HEAD = Markup('<h1 class="headline">{}</h1><p class="about">{}</p>')
SCRIPT = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")


def page(path: str) -> None:
    """Open the page at `path`, a key of `PAGES`: set its values, read what was typed, and draw its head."""
    row = PAGES[path]
    st.set_page_config(
        page_title=row.title if path == "app.py" else f"{row.title} · Mergescope",
        page_icon=str(ICON),
        layout="wide",
        menu_items={"About": ABOUT},  # Streamlit shows its menu, with the themes, only if it has an entry
    )
    st.html(f"<style>{STYLE}</style>")
    state.open_page(row.name)
    your_text.receive(row.name)
    training_link.follow(row.name)
    _navigation(path)
    st.html(_HEAD.format(row.headline, explained(row.sentence)))


def _navigation(path: str) -> None:
    if st.context.is_embedded:  # the page that embeds this one has a navigation
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="navigation"):
        for target, row in PAGES.items():
            st.page_link(target, label=f"**{row.title}**" if target == path else row.title)
        st.html(f"<span></span><script>{SCRIPT}</script>", width="stretch", unsafe_allow_javascript=True)
        with st.container(width="content"):
            share(PAGES[path].name)


def remarks(page: str) -> None:
    """Draw the remarks about what the page could not do."""
    sentences = state.remarks(page)
    if sentences:
        with st.container(key="remarks-late" if state.text_missing(page) else None):
            for remark in sentences:
                st.html(elements.problem(remark))
