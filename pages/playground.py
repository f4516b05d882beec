"""Playground: a text and its tokens."""

import streamlit as st

from bpe_core import PatternError, SettingsError
from pages.parts import controls, frame, sentences, state, token_chips
from pages.parts.corpora import CorpusError

PAGE = "playground"

frame.page("pages/playground.py")
state.open_page(PAGE)
frame.remarks(PAGE)
controls.tokenizer(PAGE)
try:
    tokenizer, glyph, about = state.tokenizer(PAGE)
except CorpusError as error:
    st.error(f"The Train page has no corpus yet. {error}")
except (SettingsError, PatternError) as error:
    st.error(sentences.problem(error))
else:
    st.html(token_chips.note(about))
    text = st.text_area("Text", key=state.key(PAGE, "text"), height=140)
    encoding = tokenizer.encode(text)
    st.html(token_chips.figures(sentences.figures(encoding)))
    ids = st.segmented_control("Ids under the tokens", ["yes", "no"], key=state.key(PAGE, "ids"), required=True)
    if text:
        st.html(token_chips.text_tokens(encoding.tokens, encoding.ids, glyph, ids == "yes"))
        st.html(token_chips.note(sentences.round_trip(encoding)))
    else:
        st.html(token_chips.note("Type or paste a text above to see its tokens."))
state.publish(PAGE)
