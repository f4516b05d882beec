"""Playground: any text through any tokenizer, live."""

import streamlit as st

from pages.parts.playground.tokenizer_row import tokenizer_row
from pages.parts.playground.views import SHOWN, VIEWS, Asked
from pages.parts.session import state, training_link, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.widgets import controls, frame, text_box

PAGE = "playground"


@st.fragment
def draw() -> None:
    """The tokenizer, and the view that is open; while one types, only the view is drawn again."""
    state.keep(PAGE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{PAGE}-tokenizer"):
        chosen = tokenizer_row(PAGE)
        view = controls.open_view(PAGE, VIEWS)

    @st.fragment(key=SHOWN)
    def shown() -> None:
        if training_link.follow(PAGE):
            st.rerun()  # the text that it waited for is there
        specials = state.get(PAGE, "specials") == "yes"
        view.draw(Asked(PAGE, your_text.shown(PAGE)[: BUDGET.shown_characters], specials, chosen))
        state.publish(PAGE)

    shown()


frame.page("pages/playground.py")
frame.remarks(PAGE)
text_box.text_box(PAGE, height=66, shows=SHOWN)
draw()
