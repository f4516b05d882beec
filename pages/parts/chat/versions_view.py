"""The view of two versions of a prompt: what a server can keep of the second, and what was removed and added."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.comparison import Versions, versions
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.ui import elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST = 100_000  # characters of a version
AROUND, CHANGES, IN_CHANGE = 6, 40, 60  # tokens before a change; changes, and tokens of a change, on the screen
EMPTY = "Paste two versions of a prompt: how much of the second a server can keep, and which tokens were changed."
_CHANGE = Markup("<li>{} {}</li>")
_LIST = Markup('<ol class="regions">{}</ol>')
_PART = Markup("<b>{}</b> {} ")
_TOKENS = Markup('<span class="tokens">{}</span>')


def versions_view(chosen: PageVocabulary) -> None:
    """Draw two boxes, and how their texts differ in tokens."""
    for column, (name, label) in zip(
        st.columns(2), (("prompt_before", "The prompt before"), ("prompt_after", "The prompt now")), strict=True
    ):
        with column:
            key = f"chat.{name}"
            st.text_area(label, getattr(state.read(Chat), name), key=key, height=150, max_chars=MOST,
                         on_change=_typed, args=(name, key))  # fmt: skip
    now = state.read(Chat)
    if not now.prompt_before or not now.prompt_after:
        st.html(elements.note(EMPTY))
        return
    asked = (now.prompt_before, now.prompt_after, chosen.name, id(chosen.tokenizer))
    found = state.latest("versions", asked, lambda: versions(chosen.tokenizer, now.prompt_before, now.prompt_after))
    st.html(elements.finding(sentence(found)))
    if found.changes:
        st.html(_LIST.format(html.joined(_change(found, n, chosen) for n in range(min(len(found.changes), CHANGES)))))
    if len(found.changes) > CHANGES:
        st.html(elements.note(f"And {counted(len(found.changes) - CHANGES, 'change')} more."))


def sentence(found: Versions) -> str:
    """Return how two versions differ, in a sentence."""
    if not found.changes:
        return f"Both versions have the same {counted(len(found.after), 'token')}."
    return (
        f"Of {counted(len(found.after), 'token')} the first {found.prefix:,} can be kept; "
        f"{found.removed:,} {'was' if found.removed == 1 else 'were'} removed and {found.added:,} added."
    )


def _typed(name: str, key: str) -> None:
    typed = state.sent(key)
    state.put(Chat, **{name: without_surrogates(typed[:MOST], "\ufffd") if isinstance(typed, str) else ""})


def _change(found: Versions, number: int, chosen: PageVocabulary) -> Markup:
    removed, added = found.changes[number]
    before = found.after[max(added[0] - AROUND, 0) : added[0]]
    parts = [
        _PART.format(name, _tokens(chosen, ids[:IN_CHANGE]))
        for name, ids in (("removed", found.before[slice(*removed)]), ("added", found.after[slice(*added)]))
        if ids
    ]
    return _CHANGE.format(_tokens(chosen, before, mark="dim"), html.joined(parts))


def _tokens(chosen: PageVocabulary, ids: Sequence[int], mark: str = "") -> Markup:
    return _TOKENS.format(html.joined(html.chip(_drawn(chosen, i), glyph=chosen.glyph, mark=mark) for i in ids))


def _drawn(chosen: PageVocabulary, token_id: int) -> bytes:
    return chosen.tokenizer.vocabulary.drawn_bytes(token_id)
