"""The Playground's views: the tokens of your text, several tokenizers side by side, a whole vocabulary."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core.display import html
from bpe_core.display.drawing import Drawing, text_drawing, token_drawing
from pages.parts.playground import id_lists
from pages.parts.playground.explorer_view import explorer_view
from pages.parts.playground.many_tokenizers_view import side_by_side_view
from pages.parts.session import your_text
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.tokens import exchange
from pages.parts.tokens.tokens import Request, tokens
from pages.parts.views import elements
from pages.parts.widgets import controls, downloads
from pages.parts.widgets.controls import View
from pages.parts.widgets.tokenizer_choice import explained


def below_tokens(request: Request) -> None:
    """Draw what a key does not change: the text as it was when the menu was opened, and the box for ids."""
    menu = st.popover("For a paper: HTML, LaTeX", type="tertiary", key=f"{request.page}.paper", on_change="rerun")
    if menu.open:
        with menu, explained():
            for_a_paper(request)
    with st.expander("From ids to text"), explained():
        from_ids(request.page, request.chosen)


def for_a_paper(request: Request) -> None:
    """Draw buttons for the tokens of the text and for the tree of the chosen token, as HTML and LaTeX.

    The view itself has buttons for SVG and PNG.
    """
    page, text, specials, chosen = request
    tokenizer, glyph = chosen.tokenizer, chosen.glyph
    token = exchange.chosen_token(page, chosen, tokenizer.encode(text, specials).walk)
    if token is None:
        return
    table, token_id = token.table, token.id_of(token.number)

    def tokens_of_text() -> Drawing:
        return text_drawing(token.walk.text, [*map(table.token, range(len(table)))], table.ids.tolist(), glyph)

    def tree() -> Drawing:
        return token_drawing(tokenizer, token_id, glyph)

    drawings: dict[str, Callable[[], Drawing]] = {"tokens": tokens_of_text}
    if token_id >= 0:
        drawings["tree"] = tree
    for name, make in drawings.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note(f"{name.capitalize()}:"), width="content")
            downloads.pictures(name, make, ("html", "tex"))


def from_ids(page: str, chosen: Vocabulary) -> None:
    """Draw a box for ids, and the text that they decode to."""
    pasted = st.text_area("Ids", key=f"{page}.pasted", height=80, placeholder="[15496, 995]")
    try:
        ids = id_lists.read_ids(pasted)
        found = id_lists.tokens_of(chosen.tokenizer, ids)
    except ValueError as error:
        st.html(elements.problem(str(error)))
        return
    if ids:
        st.html(html.text_tokens(found, ids, chosen.glyph))
        text = chosen.tokenizer.decode(ids)
        controls.button("Put this text into the box", your_text.put_in, page, text, key=f"{page}.put")


VIEWS = {
    "tokens": View("Tokens", tokens, below_tokens),
    "side-by-side": View("Side by side", lambda request: side_by_side_view(*request)),
    "vocabulary": View("Vocabulary", lambda request: explorer_view(request.page, request.chosen)),
}
