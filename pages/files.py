"""Files: how many tokens files have, and what the same data or another vocabulary would cost."""

import streamlit as st

from pages.parts.files.files_view import VIEWS, draw
from pages.parts.page import frame
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokenizer_row import opened_beside, view_and_tokenizer
from pages.parts.state import address_bar, state
from pages.parts.state.files_state import Files


def files_page() -> None:
    """Draw the page: the tokenizer, and the open view."""
    frame.draw_head(Files, VIEWS)
    view, chosen = view_and_tokenizer(Files, VIEWS, opened_beside)
    remarks = st.container()
    assumptions_shown(chosen)

    @st.fragment
    def shown() -> None:
        """Draw everything that a change in the view changes."""
        with remarks:
            frame.remarks(state.read(Files))
        draw(view, chosen)
        address_bar.publish(Files)

    shown()


files_page()
