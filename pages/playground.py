"""Playground: any text through any tokenizer, live."""

import streamlit as st

from pages.parts.playground.tokenizer_row import tokenizer_row
from pages.parts.playground.views import VIEWS
from pages.parts.session import state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.tokens.tokens import SHOWN, Request
from pages.parts.widgets import controls, frame, text_box

PAGE = "playground"


@st.fragment
def draw() -> None:
    """Draw the choice of a tokenizer, and the open view."""
    state.keep(PAGE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{PAGE}-tokenizer"):
        chosen = tokenizer_row(PAGE)
        view = controls.open_view(PAGE, VIEWS)

    def request() -> Request:
        specials = state.get(PAGE, "specials") == "yes"
        return Request(PAGE, your_text.shown(PAGE)[: BUDGET.shown_characters], specials, chosen)

    @st.fragment(key=SHOWN)
    def shown() -> None:
        """Draw what every key changes."""
        with remarks:
            frame.remarks(PAGE)
        box()
        view.draw(request())
        state.publish(PAGE)

    shown()
    view.below(request())


frame.page("pages/playground.py")
remarks = st.container()
box = text_box.live_text_box(PAGE, SHOWN, height=66)
draw()
