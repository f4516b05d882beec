"""Tokens: any text in the tokens of any tokenizer, live. Also the app's server.

`streamlit run app.py` imports this file once, as the module "app", which has the server. Streamlit runs the file again
for every run of the page.
"""

from collections.abc import Sequence

import streamlit as st

from pages.parts.page import editor, frame, text_box, your_text
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.page.tokenizer_row import opened_as_own, opened_beside, view_and_tokenizer
from pages.parts.server import resource_route, served, server
from pages.parts.server.limits import LIMITS
from pages.parts.state import address_bar, state
from pages.parts.state.chat_state import Chat
from pages.parts.state.page_states import PageState
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.tokens_view import TOKENS_FRAGMENT, ShownText
from pages.parts.tokens.views import VIEWS, has_own_text
from pages.parts.ui import film, live_view
from pages.parts.ui.theme import STYLE
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

# Questions, each with the page that answers it and the values with which that page opens.
QUESTIONS: dict[str, tuple[type[PageState], dict[str, str]]] = {
    "Why can’t it count the r’s in strawberry?": (Tokens, {"view": "letters", "word": "strawberry", "letter": "r"}),
    "Does Hindi cost more than English?": (Tokens, {"view": "side-by-side", "compared": "languages"}),
    "What does a space at the end of a prompt do?": (Tokens, {"view": "prompt"}),
    "What does a model see of a chat?": (Chat, {"view": "tokens"}),
}
SPECIALS = "Whether the name of a special token in the text, such as <|endoftext|>, becomes that token."


def tokens_page() -> None:
    """Draw the page: the text, the tokenizer, and the open view."""
    now = frame.draw_head(Tokens, VIEWS)
    opened = opened_beside if now.view == "side-by-side" else opened_as_own
    view, chosen = view_and_tokenizer(Tokens, VIEWS, opened)
    remarks = st.container()
    has_box = not has_own_text(state.read(Tokens))
    with st.container(key="text-and-view" if has_box else None):
        left, right, below = st.container(key="text"), st.container(key="view"), st.container(key="questions")
    with left:
        box = text_box.live_text_box(Tokens) if has_box else None
        beside = view.above()
        assumptions_shown(chosen, *beside)

    @st.fragment(key=TOKENS_FRAGMENT)
    def shown() -> None:
        """Draw what changes once the page has heard of another text."""
        with remarks:
            frame.remarks(state.read(Tokens))
        view.draw(shown_text(chosen, beside))
        if box:
            box()
        address_bar.publish(Tokens)

    with right:
        shown()
        view.below(shown_text(chosen))
    with below:
        if has_box:
            st.toggle("Special tokens", help=SPECIALS, **state.widget(Tokens, "specials"))
        if view is VIEWS["tokens"]:
            questions()


def shown_text(chosen: PageVocabulary, beside: Sequence[PageVocabulary] = ()) -> ShownText:
    """Return what the open view draws: the page's text in a vocabulary. `beside`: vocabularies to compare with."""
    now = state.read(Tokens)
    return ShownText(your_text.shown(now)[: LIMITS.shown_characters], now.specials, chosen, beside)


def questions() -> None:
    """Draw a button for each question. The button opens the view that answers the question."""
    for asked, (page, values) in QUESTIONS.items():
        if st.button(asked, type="tertiary"):
            state.put(page, **values)
            if page is Tokens:
                st.rerun()
            st.switch_page(frame.PAGES[page.PAGE].path)


if __name__ == "app":
    server.start(slow=[film.VEGA])
    scripts = (editor.SCRIPT, *film.SCRIPTS, *live_view.SCRIPTS)
    routes = [served.route(scripts), resource_route.route()]
    app = st.App(__file__, routes=routes, middleware=server.middleware(STYLE))
else:
    tokens_page()
