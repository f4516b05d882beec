"""The view of a prompt's end: the tokens of the text up to a movable handle, beside the tokens of the whole text."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.pictures.prompt.prompt_data import PromptState, prompt_data
from bpe_core.pictures.shared.request import read_request
from bpe_core.tokenizer.prompt_end import TRIED, PromptEnd, after_last_space, last_cut
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.tokens_view import ShownText, asks
from pages.parts.ui import elements
from pages.parts.ui.live_view import prompt_end_view
from pages.parts.ui.terms import lesson_about

KEY = "tokens.prompt"  # the view's key, under which the session has the view's last request


def prompt_view(shown: ShownText) -> None:
    """Draw the prompt's tokens, the whole text's tokens, and the tokens that begin with what the prompt cuts off."""
    text, _, chosen, _ = shown
    version = f"{len(text)} {hash(text)} {chosen.name} {id(chosen.tokenizer)}"
    now = _received(state.read(Tokens), version)
    with problems_shown():
        found = prompt_end_of(now, shown)
        data: PromptState = {
            "version": version,
            "answered": read_request(state.sent(KEY)).number,
            "chosen": now.end,
            "cut": now.cut,
            "given": text,
        }
        if to := asks("prompt", chosen):
            data["asks"] = to
        prompt_end_view(KEY, prompt_data(found, chosen.glyph, data))
        if now.end < 0 and now.cut and text and not found.differs:
            st.html(elements.note(f"No end among this text's last {TRIED} tokens cuts a token: try a longer text."))
        st.html(lesson_about("A lesson: the space at the end", "prompts"))


def prompt_end_of(now: Tokens, shown: ShownText) -> PromptEnd:
    """Return the page's text, and its prompt up to the end that the state says."""
    text, specials, chosen, _ = shown
    of = (text, specials, id(chosen.tokenizer))
    whole = state.latest("whole text", of, lambda: chosen.tokenizer.encode(text, specials=specials))
    if now.end < 0 and now.cut:
        end = state.latest("last cut", of, lambda: last_cut(whole, chosen.tokenizer, specials))
    else:
        end = after_last_space(text) if now.end < 0 else min(now.end, len(text))
    return PromptEnd(whole, chosen.tokenizer.encode(text[:end], specials=specials))


def _received(now: Tokens, version: str) -> Tokens:
    """Save the prompt's end if the visitor has moved it; return the state."""
    end = read_request(state.sent(KEY)).chosen(version).get("end")
    if type(end) is not int or end < 0:
        return now
    return state.save(replace(now, end=end, cut=False))
