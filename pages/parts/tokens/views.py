"""The views of Tokens: a text's tokens, its tokens in several models, why they are as they are, and its ids."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core.pictures.saved.saved_page import view as saved_view
from bpe_core.pictures.shared.drawing import Drawing, text_drawing, token_drawing
from pages.parts.page import your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.ids_view import ids_view
from pages.parts.tokens.letters_view import letters_view
from pages.parts.tokens.models_view import comparison, models_view
from pages.parts.tokens.prompt_view import prompt_view
from pages.parts.tokens.split_view import split_view
from pages.parts.tokens.tokens_view import ShownText, chosen_token, tokens
from pages.parts.tokens.why_view import why_view
from pages.parts.ui import downloads, elements
from pages.parts.ui.controls import PageView


def below_tokens(shown: ShownText) -> None:
    """Draw what typing does not redraw: facts about the tokenizer, and the menu of files.

    A file has the text as of the click.
    """
    st.html(elements.more("About the tokenizer", shown.chosen.about))
    menu = st.popover("Save as a page, HTML, LaTeX", type="tertiary", key="tokens.paper", on_change="rerun")
    if menu.open:
        with menu, problems_shown():
            text_files(shown)


def text_files(shown: ShownText) -> None:
    """Draw a button for a saved page of the text, and buttons for two pictures as HTML and LaTeX.

    One picture shows the text's tokens, the other the chosen token's tree. The view itself has the buttons for SVG
    and PNG.
    """
    text, specials, chosen, _ = shown
    tokenizer, glyph = chosen.tokenizer, chosen.glyph
    encoding = tokenizer.encode(text, specials=specials)
    token = chosen_token(state.read(Tokens), chosen, encoding.walk)
    if token is None:
        return
    name = f"{downloads.file_name(your_text.corpus(state.read(Tokens)).name)}-{len(encoding.ids)}-tokens"
    downloads.saved_pages(name, {"Save as a page": lambda: saved_view(encoding, chosen.title, glyph)})
    table = token.table
    token_id = int(table.ids[token.number])

    def tokens_of_text() -> Drawing:
        found, name = [*map(table.drawn, range(len(table)))], token.walk.vocabulary.lost_name
        return text_drawing(token.walk.text, found, table.ids.tolist(), glyph, table.lost.tolist(), name)

    def tree() -> Drawing:
        return token_drawing(tokenizer, token_id, glyph)

    drawings: dict[str, Callable[[], Drawing]] = {"tokens": tokens_of_text}
    if token_id >= 0:
        drawings["tree"] = tree
    for name, make in drawings.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note(f"{name.capitalize()}:"), width="content")
            downloads.pictures(name, make, ("html", "tex"))


VIEWS = {
    "tokens": PageView("Tokens", tokens, below_tokens),
    "side-by-side": PageView(
        "Models", models_view, above=comparison, question="Who needs fewer tokens for the same text?"
    ),
    "why": PageView("Overview", why_view, tab="Why", question="Why are these the tokens?"),
    "letters": PageView("Letters", letters_view, tab="Why", question="In which tokens are the letters of a word?"),
    "prompt": PageView("End of a prompt", prompt_view, tab="Why", question="Does the end of a prompt cut a token?"),
    "split": PageView("Split", split_view, tab="Why", question="Why is the text cut there?"),
    "ids": PageView("Ids", ids_view, question="What do these ids say, and would the tokenizer write them?"),
}


def has_own_text(now: Tokens) -> bool:
    """Return whether the open view has a text of its own, so that the page needs no box with your text."""
    return now.view == "letters" or (now.view == "side-by-side" and now.compared == "languages")
