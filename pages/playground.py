"""Playground: any text through any vocabulary, live."""

import streamlit as st

from bpe_core import PatternError, SettingsError
from bpe_core.published import PublishedError
from pages.parts import controls, frame, sentences, state, token_chips
from pages.parts.corpora import CorpusError
from pages.parts.token_view import token_view
from pages.parts.token_view.payload import payload

PAGE = "playground"


def draw() -> None:
    """Everything that follows the text."""
    state.take_over(PAGE, chosen)
    text, specials = state.get(PAGE, "text"), state.get(PAGE, "specials") == "yes"
    found = chosen.finder.find(text, specials)
    facts = state.view_facts(PAGE, chosen)
    token_view(state.key(PAGE, "view"), payload(text, chosen.tokenizer, found, chosen.glyph, facts))
    st.html(token_chips.note(chosen.about))
    state.publish(PAGE)


frame.page("pages/playground.py")
state.open_page(PAGE)
frame.remarks()
controls.tokenizers(PAGE)
try:
    chosen = state.vocabulary(PAGE)
except PublishedError as error:
    st.error(str(error))
except CorpusError as error:
    st.error(f"The Train page has no corpus yet. {error}")
except (SettingsError, PatternError) as error:
    st.error(sentences.problem(error))
else:
    st.fragment(draw)()
state.publish(PAGE)
