"""Playground: any text through any tokenizer, live."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.page import frame, text_box, your_text
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokens_view import TOKENS_FRAGMENT, TokensRequest
from pages.parts.playground.opening_case import with_case
from pages.parts.playground.tokenizer_row import tokenizer_row
from pages.parts.playground.views import VIEWS, has_own_text, question
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.playground_state import Playground
from pages.parts.ui import controls, elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary


def playground_page() -> None:
    """Draw the page: the text, the tokenizer, and the open view."""
    now = frame.draw_head(Playground, question)
    remarks = st.container()
    box = _nothing if has_own_text(now) else text_box.live_text_box(Playground, TOKENS_FRAGMENT)
    tokenizer_and_view(remarks, box)


@st.fragment
def tokenizer_and_view(remarks: DeltaGenerator, box: Callable[[], None]) -> None:
    """Draw the choice of a tokenizer, and the open view.

    `box`: a function that draws the part of the text box that a key press changes.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="playground-tokenizer"):
        chosen, problem = tokenizer_row()
        view = controls.open_view(Playground, VIEWS, whole=True, then=with_case)
    if problem:
        st.html(elements.problem(problem))
    assumed = st.container()
    beside = view.above()
    with assumed:
        assumptions_shown(chosen, *beside)

    @st.fragment(key=TOKENS_FRAGMENT)
    def shown() -> None:
        """Draw everything that a key press in the text box changes."""
        with remarks:
            frame.remarks(state.read(Playground))
        view.draw(request(chosen, beside))
        box()
        state.publish(Playground)

    shown()
    view.below(request(chosen))


def _nothing() -> None:
    """Draw no text box, in a view with texts of its own."""


def request(chosen: PageVocabulary, beside: Sequence[PageVocabulary] = ()) -> TokensRequest:
    """Return a request to draw the page's text in a vocabulary's tokens. `beside`: vocabularies to compare with."""
    now = state.read(Playground)
    return TokensRequest(Playground, your_text.shown(now)[: LIMITS.shown_characters], now.specials, chosen, beside)


playground_page()
