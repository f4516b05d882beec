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
from pages.parts.tokens.tokens import Asked, tokens
from pages.parts.views import elements
from pages.parts.widgets import controls, downloads
from pages.parts.widgets.controls import View
from pages.parts.widgets.tokenizer_choice import explained


def below_tokens(asked: Asked) -> None:
    """What no key changes: the text as it was when the menu was opened, and the way back from ids."""
    menu = st.popover("For a paper: HTML, LaTeX", type="tertiary", key=f"{asked.page}.paper", on_change="rerun")
    if menu.open:
        with menu, explained():
            for_a_paper(asked)
    with st.expander("From ids to text"), explained():
        from_ids(asked.page, asked.chosen)


def for_a_paper(asked: Asked) -> None:
    """The tokens as they are shown, and the tree of the chosen one; as SVG and PNG the view itself has them."""
    page, text, specials, chosen = asked
    tokenizer, glyph = chosen.tokenizer, chosen.glyph
    place = exchange.place(page, chosen, tokenizer.encode(text, specials).walk)
    if place is None:
        return
    table = place.table

    def text() -> Drawing:
        return text_drawing(place.walk.text, [*map(table.token, range(len(table)))], table.ids.tolist(), glyph)

    def tree() -> Drawing:
        return token_drawing(tokenizer, place.token_id(place.number), glyph)

    drawn: dict[str, Callable[[], Drawing]] = {"tokens": text}
    if place.token_id(place.number) >= 0:
        drawn["tree"] = tree
    for name, make in drawn.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note(f"{name.capitalize()}:"), width="content")
            downloads.pictures(name, make, ("html", "tex"))


def from_ids(page: str, chosen: Vocabulary) -> None:
    """Ids in, text out."""
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
    "side-by-side": View("Side by side", lambda asked: side_by_side_view(*asked)),
    "vocabulary": View("Vocabulary", lambda asked: explorer_view(asked.page, asked.chosen)),
}
