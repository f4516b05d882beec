"""Chat: what a model is given of a conversation, and what a server keeps of it."""

import streamlit as st

from pages.parts.chat import chat_views
from pages.parts.page import frame
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokenizer_row import view_and_tokenizer
from pages.parts.state import address_bar, state
from pages.parts.state.chat_state import Chat


def chat_page() -> None:
    """Draw the page: the tokenizer, the turns, and the open view."""
    frame.draw_head(Chat, chat_views.VIEWS)
    view, chosen = view_and_tokenizer(Chat, chat_views.VIEWS)
    remarks = st.container()
    assumptions_shown(chosen)

    @st.fragment
    def shown() -> None:
        """Draw everything that a change of the conversation changes."""
        with remarks:
            frame.remarks(state.read(Chat))
        chat_views.draw(view, chosen)
        address_bar.publish(Chat)

    shown()


chat_page()
