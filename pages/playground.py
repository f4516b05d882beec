"""Playground: any text through any vocabulary, live."""

import streamlit as st

from bpe_core import FormatError, PatternError
from bpe_core.display import html
from pages.parts.live_text.payload import payload
from pages.parts.live_text.view import token_view
from pages.parts.playground import aligned_tokens, exchange, id_lists
from pages.parts.session import inputs, links, state, your_text
from pages.parts.views import elements, sentences
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
    except (FormatError, PatternError) as error:
        st.error(sentences.problem(error))
        return
    facts = exchange.view_facts(PAGE, chosen, found)
    token_view(state.key(PAGE, "view"), payload(found.text, chosen.tokenizer, found, chosen.shown_glyph, facts))
    lossless = sentences.round_trip(chosen.tokenizer.encode(text, specials)) if 0 < len(text) <= DECODED else ""
    changed = sentences.normalization(text, found.text)
    for line in filter(
        None,
        (chosen.about, changed, lossless, *sentences.beside_text(text, links.TEXT_CHARACTERS)),
    ):
        st.html(elements.note(line))
    if against:
        draw_comparison(text, specials, facts["step"])
    state.publish(PAGE)


def draw_comparison(text: str, specials: bool, step: int) -> None:
    """Both cuts of the text, aligned."""
    st.html(elements.heading("Compared"))
    made = aligned_tokens.compare(text, specials, (chosen, step), (against, against.steps))
    if made is None:
        st.html(elements.note("The two tokenizers normalize this text in different ways: no text is common to both."))
        return
    st.html(aligned_tokens.difference(made))
    only = st.toggle("Only where they differ", key=f"{PAGE}.only")
    st.html(aligned_tokens.aligned(made, only))
    st.html(elements.note(aligned_tokens.window(made, only)))


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
        st.html(html.text_tokens(tokens, ids, chosen.shown_glyph))
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
