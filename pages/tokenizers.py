"""Tokenizers: a vocabulary token by token, and whether two tokenizers are the same."""

import streamlit as st

from pages.parts.page import frame
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokenizer_row import opened_as_own, view_and_tokenizer
from pages.parts.state import address_bar, state
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.tokenizers.sameness_view import opened_to_compare
from pages.parts.tokenizers.tokenizers_views import VIEWS


def tokenizers_page() -> None:
    """Draw the page: the tokenizer, and the open view."""
    now = frame.draw_head(Tokenizers, VIEWS)
    opened = opened_to_compare if now.view == "same" else opened_as_own
    view, chosen = view_and_tokenizer(Tokenizers, VIEWS, opened)
    remarks = st.container()
    assumptions_shown(chosen)

    @st.fragment
    def shown() -> None:
        """Draw everything that a change in the view changes."""
        with remarks:
            frame.remarks(state.read(Tokenizers))
        view.draw(chosen)
        address_bar.publish(Tokenizers)

    shown()


tokenizers_page()
