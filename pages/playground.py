"""Playground: any text through any tokenizer, live."""

import streamlit as st

import pages.parts.together  # noqa: F401
from pages.parts.playground.tokenizer_row import tokenizer_row
from pages.parts.playground.views import VIEWS
from pages.parts.session import state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.tokens.tokens import SHOWN, Asked
from pages.parts.widgets import controls, frame, text_box

PAGE = "playground"


@st.fragment
def draw() -> None:
    """The tokenizer, and the view that is open."""
    state.keep(PAGE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{PAGE}-tokenizer"):
        chosen = tokenizer_row(PAGE)
        view = controls.open_view(PAGE, VIEWS)

    def asked() -> Asked:
        specials = state.get(PAGE, "specials") == "yes"
        return Asked(PAGE, your_text.shown(PAGE)[: BUDGET.shown_characters], specials, chosen)

    @st.fragment(key=SHOWN)
    def shown() -> None:
        """All that is drawn again at every key."""
        with remarks:
            frame.remarks(PAGE)
        box()
        view.draw(asked())
        state.publish(PAGE)

    shown()
    view.below(asked())


frame.page("pages/playground.py")
remarks = st.container()
box = text_box.live_text_box(PAGE, SHOWN, height=66)
draw()
