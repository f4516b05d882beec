"""Playground: any text through any vocabulary, live."""

import streamlit as st

from bpe_core import PatternError
from bpe_core.tokenizer.boundaries import Boundaries
from pages.parts.live_text.payload import payload
from pages.parts.live_text.view import token_view
from pages.parts.playground import aligned_tokens, biography_html, exchange, id_lists
from pages.parts.session import inputs, links, state, your_text
from pages.parts.views import sentences, tables, token_chips
from pages.parts.widgets import frame, text_box, tokenizer_choice

PAGE = "playground"
DECODED = 20_000  # characters; of a longer text the way back is not tried at every key


def draw() -> None:
    """Everything that follows the text."""
    exchange.take_over(PAGE, chosen)
    text_box.text_box(PAGE)
    text, specials = your_text.shown(PAGE)[: links.TEXT_CHARACTERS], state.get(PAGE, "specials") == "yes"
    try:
        found = chosen.finder.find(text, specials)
    except PatternError as error:
        st.error(sentences.problem(error))
        return
    facts = exchange.view_facts(PAGE, chosen)
    token_view(state.key(PAGE, "view"), payload(found.text, chosen.tokenizer, found, chosen.shown_glyph, facts))
    lossless = sentences.round_trip(chosen.tokenizer.encode(text, specials)) if 0 < len(text) <= DECODED else ""
    changed = sentences.normalization(text, found.text)
    for line in filter(
        None,
        (chosen.about, changed, lossless, *sentences.beside_text(text, links.TEXT_CHARACTERS)),
    ):
        st.html(token_chips.note(line))
    draw_biography(found.text, found)
    if against:
        draw_comparison(text, specials, facts["step"])
    state.publish(PAGE)


def draw_biography(text: str, found: Boundaries) -> None:
    """The life of the token that was clicked."""
    clicked = exchange.selected(PAGE)
    if clicked is None:
        return
    place = biography_html.find(text, chosen, found, clicked)
    st.html(token_chips.heading("Biography"))
    if place is None:
        st.html(token_chips.note("The token that was clicked is gone from the text: click another one."))
    elif clicked["id"] < 0:
        st.html(token_chips.note("The alphabet does not have this character, so it has no token and no biography."))
    else:
        left, right = st.columns([2, 3], gap="large")
        left.html(biography_html.tree(chosen, clicked["id"]))
        right.html(biography_html.facts(chosen, clicked["id"]) + biography_html.neighbours(place))
        with st.expander("The merges as a table"):
            rows = biography_html.merge_rows(chosen, clicked["id"])
            st.dataframe(tables.derivation(rows, chosen.shown_glyph), hide_index=True)


def draw_comparison(text: str, specials: bool, step: int) -> None:
    """Both cuts of the text, aligned."""
    st.html(token_chips.heading("Compared"))
    made = aligned_tokens.compare(text, specials, (chosen, step), (against, against.step))
    if made is None:
        st.html(
            token_chips.note("The two tokenizers normalize this text in different ways: no text is common to both.")
        )
        return
    st.html(aligned_tokens.difference(made))
    only = st.toggle("Only where they differ", key=f"{PAGE}.only")
    st.html(aligned_tokens.aligned(made, only))
    st.html(token_chips.note(aligned_tokens.window(made, only)))


@st.fragment
def draw_ids() -> None:
    """Ids in, text out."""
    pasted = st.text_area("Ids", key=f"{PAGE}.pasted", height=80, placeholder="[15496, 995]")
    try:
        ids = id_lists.read_ids(pasted)
        tokens = id_lists.tokens_of(chosen.tokenizer, ids)
    except ValueError as error:
        st.error(str(error))
        return
    if ids:
        st.html(token_chips.text_tokens(tokens, ids, chosen.shown_glyph))
        text = chosen.tokenizer.decode(ids)
        st.button("Put this text into the editor", on_click=your_text.put_in, args=(PAGE, text), key=f"{PAGE}.put")


frame.page("pages/playground.py")
frame.remarks(PAGE)
tokenizer_choice.tokenizers(PAGE)
chosen, against = tokenizer_choice.chosen_vocabulary(PAGE, "tokenizer"), None
if state.get(PAGE, "against") != "none":
    against = tokenizer_choice.chosen_vocabulary(PAGE, "against")
if chosen is None:
    chosen = inputs.stand_in()
st.fragment(draw)()
with st.expander("From ids to text"):
    draw_ids()
state.publish(PAGE)
