"""The chat template of a vocabulary's model: from an opened file, published, or on the Hub."""

from __future__ import annotations

import streamlit as st

from bpe_core import HubError
from bpe_core.chat.given_template import FILES, template_of
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, fitting
from bpe_core.files import hub
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

Fetched = tuple[ChatTemplate | None, str]  # a template and ""; or None and why, which is "" if the model has none
# What was fetched of each model on the Hub whose template was asked for, by the name of the model's vocabulary.
FETCHED: state.SessionSlot[dict[str, Fetched]] = state.SessionSlot("fetched chat templates", {})


def known_template(chosen: PageVocabulary) -> ChatTemplate | None:
    """Return the template of a vocabulary's model; None if it is not known."""
    if chosen.chat_template is not None:
        return chosen.chat_template
    if key := fitting(chosen.name):
        return CHAT_TEMPLATES[key].template
    return fetched(chosen.name)[0] if chosen.name.startswith(hub.PREFIX) else None


def fetched(name: str) -> Fetched:
    """Return the chat template of a model on the Hub. Fetch it only once."""
    known = FETCHED.get()
    if name not in known:
        with st.spinner("Fetching the chat template …"):
            try:
                files = hub.fetch_files(name.removeprefix(hub.PREFIX), FILES, private=LIMITS.private_models == 1)
                found: Fetched = template_of(files), ""
            except (HubError, ChatError) as error:
                found = None, str(error)
        known = {**known, name: found}
        FETCHED.put(dict(list(known.items())[-LIMITS.opened_tokenizers :]))
    return known[name]
