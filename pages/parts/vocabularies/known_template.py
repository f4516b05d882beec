"""The chat template of a vocabulary's model: from an opened file, published, or on the Hub."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import NamedTuple

import streamlit as st

from bpe_core import HubError
from bpe_core.chat.given_template import FILES, template_of
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, fitting
from bpe_core.files import hub
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.vocabularies.page_vocabulary import RETRY_SECONDS, PageVocabulary


class Fetched(NamedTuple):
    """A model's chat template, or None and why; the reason is "" if the model has none.

    `until`: when, on the clock `monotonic`, the model is to be asked for again.
    """

    template: ChatTemplate | None
    why_none: str = ""
    until: float = inf


# What was fetched of each model on the Hub whose template was asked for, by the name of the model's vocabulary.
_FETCHED: state.SessionSlot[dict[str, Fetched]] = state.SessionSlot("fetched chat templates", {})


def known_template(chosen: PageVocabulary) -> ChatTemplate | None:
    """Return the template of a vocabulary's model; None if it is not known."""
    if chosen.chat_template is not None:
        return chosen.chat_template
    if key := fitting(chosen.name):
        return CHAT_TEMPLATES[key].template
    return fetched(chosen.name).template if chosen.name.startswith(hub.PREFIX) else None


def fetched(name: str) -> Fetched:
    """Return the chat template of a model on the Hub. Fetch it once; after an error of the Hub, again in a minute."""
    known = _FETCHED.get()
    if name in known and monotonic() < known[name].until:
        return known[name]
    with st.spinner("Fetching the chat template …"):
        try:
            found = Fetched(
                template_of(hub.fetch_files(name.removeprefix(hub.PREFIX), FILES, private=LIMITS.private_models == 1))
            )
        except ChatError as error:
            found = Fetched(None, str(error))
        except HubError as error:
            found = Fetched(None, str(error), monotonic() + RETRY_SECONDS)
    others = {each: value for each, value in known.items() if each != name}
    _FETCHED.put(dict([*others.items(), (name, found)][-LIMITS.opened_tokenizers :]))
    return found
