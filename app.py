"""The start page: the tokens of the visitor's text at once, and the doors to the pages. And the server of all pages.

`streamlit run app.py` imports this file once, as "app", for its server, and runs it for every visit of the start page.
"""

import streamlit as st

from pages.parts.session import inputs, server, state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.tokenizer_keys import FAVOURITE
from pages.parts.tokens.tokens import SHOWN, Request, tokens
from pages.parts.views import elements
from pages.parts.widgets import frame, text_box

PAGE = "start"
JEWEL = ("numbers", "merging")  # the parts of the view of tokens on this page
DOORS = (
    (
        (
            "pages/playground.py",
            "See tokens",
            "Any text through GPT-4o's, GPT-2's and others' tokenizers, or your own.",
        ),
        ("pages/train.py", "Train step by step", "Build a vocabulary from a text, merge by merge, and step back."),
        ("pages/compare.py", "Compare", "Split a text in two ways, and see what each can learn."),
    ),
    (
        ("pages/learn.py", "Learn", "Ten short lessons that ask before they tell."),
        ("pages/pipeline.py", "Pipeline", "One text through every stage, from characters to ids and back."),
        ("pages/algorithms.py", "Algorithms", "Byte-pair encoding beside WordPiece and Unigram."),
    ),
)


@st.fragment(key=SHOWN)
def draw() -> None:
    """Draw what every key changes: the remarks and the text's tokens, which melt from bytes into words."""
    with remarks:
        frame.remarks(PAGE)
    box()
    text = your_text.shown(PAGE)[: BUDGET.shown_characters]
    chosen, why = inputs.vocabulary_or_stand_in(FAVOURITE)
    tokens(Request(PAGE, text, True, chosen), JEWEL)
    if why:
        st.html(elements.problem(why))
    state.publish(PAGE)


def doors() -> None:
    """Draw the links to the pages, the three uses first."""
    for row in DOORS:
        for column, (path, name, about) in zip(st.columns(len(row)), row, strict=True):
            with column, st.container(border=True, height="stretch", key=f"door-{name}"):
                st.page_link(path, label=f"**{name}**")
                st.html(elements.note(about))


if __name__ == "app":
    server.start()
    app = st.App(__file__, routes=server.routes())
else:
    frame.page("app.py")
    remarks = st.container()
    box = text_box.live_text_box(PAGE, SHOWN, height=84)
    draw()
    doors()
