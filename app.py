"""The start page, with the tokens of your text and links to the other pages. Also the app's server.

`streamlit run app.py` imports this file once, as the module "app", which has the server. Streamlit runs the file again
for every visit of the start page.
"""

import streamlit as st

from pages.parts.page import chosen_vocabulary, editor, frame, text_box, your_text
from pages.parts.page.tokens_view import TOKENS_FRAGMENT, TokensRequest, tokens
from pages.parts.playground.opening_case import with_case
from pages.parts.server import served, server
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.page_states import Start
from pages.parts.state.playground_state import Playground
from pages.parts.state.tokenizer_keys import FAVOURITE
from pages.parts.ui import elements, film, live_view

SECTIONS = ("numbers", "merging")  # the sections of the view of tokens that this page shows
# Questions that the Playground answers, each with the values with which the Playground opens to answer it.
QUESTIONS = {
    "Why can’t it count the r’s in strawberry?": {"view": "letters", "word": "strawberry", "letter": "r"},
    "Does Hindi cost more than English?": {"view": "side-by-side", "compared": "languages"},
    "What does a space at the end of a prompt do?": {"view": "prompt"},
    "What does a model see of a chat?": {"view": "chat"},
}
CARDS = (("playground", "train", "compare"), ("learn", "pipeline", "algorithms"))  # keys of pages, row by row


def start_page() -> None:
    """Draw the page: the text, the text's tokens, questions, and links to the other pages."""
    frame.draw_head(Start)
    remarks = st.container()
    box = text_box.live_text_box(Start, TOKENS_FRAGMENT)

    @st.fragment(key=TOKENS_FRAGMENT)
    def shown() -> None:
        """Draw what a key press in the text box changes: sentences on problems, a part of the box, and the tokens."""
        now = state.read(Start)
        with remarks:
            frame.remarks(now)
        chosen, why = chosen_vocabulary.vocabulary_or_stand_in(FAVOURITE)
        tokens(TokensRequest(Start, your_text.shown(now)[: LIMITS.shown_characters], True, chosen), SECTIONS)
        if why:
            st.html(elements.problem(why))
        box()
        state.publish(Start)

    shown()
    questions()
    cards()


def questions() -> None:
    """Draw a button for each question. The button opens the Playground at the view that answers the question."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for question, values in QUESTIONS.items():
            if st.button(question):
                state.put(Playground, **values)
                if values.keys() == {"view"}:
                    state.change(Playground, with_case)
                st.switch_page(frame.PAGES[Playground.PAGE].path)


def cards() -> None:
    """Draw a link to each of the other pages."""
    for names in CARDS:
        for column, row in zip(st.columns(len(names)), [frame.PAGES[name] for name in names], strict=True):
            title = row.card_title or row.title
            with column, st.container(border=True, height="stretch", key=f"card-{title}"):
                st.page_link(row.path, label=f"**{title}**")
                st.html(elements.note(row.card))


if __name__ == "app":
    server.start(slow=[film.VEGA])
    scripts = (editor.SCRIPT, *film.SCRIPTS, *live_view.SCRIPTS)
    app = st.App(__file__, routes=[served.route(scripts)], middleware=server.MIDDLEWARE)
else:
    start_page()
