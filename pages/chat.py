"""Chat: what a model is given of a conversation, and what a server keeps of it."""

import streamlit as st

from pages.parts.chat import chat_views
from pages.parts.page import frame
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokenizer_row import tokenizer_row
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.ui import controls


def chat_page() -> None:
    """Draw the page: the tokenizer, the turns, and the open view."""
    frame.draw_head(Chat, chat_views.question)
    view = controls.open_view(Chat, chat_views.VIEWS, whole=True)
    remarks = st.container()
    chosen = tokenizer_row(Chat)
    assumptions_shown(chosen)

    @st.fragment
    def shown() -> None:
        """Draw everything that a change of the conversation changes."""
        with remarks:
            frame.remarks(state.read(Chat))
        chat_views.draw(view, chosen)
        state.publish(Chat)

    shown()


chat_page()
