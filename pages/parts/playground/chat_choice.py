"""The choice of a chat template: the model's own, one that comes with the project, or one that the visitor pastes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from bpe_core import HubError
from bpe_core.chat.templates import (
    CHAT_TEMPLATES,
    CONFIG,
    FILES,
    ChatError,
    ChatTemplate,
    fitting,
    read_template,
    short,
    template_of,
)
from bpe_core.files import hub
from bpe_core.published import PUBLISHED
from pages.parts.session import state
from pages.parts.session.budget import BUDGET
from pages.parts.session.chats import FITTING, OWN_TEMPLATE
from pages.parts.session.page_states import Playground
from pages.parts.session.values import rows
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements
from pages.parts.widgets import controls

_OTHERS = {**{key: row.title for key, row in CHAT_TEMPLATES.items()}, OWN_TEMPLATE: "Another: paste or open it …"}
STAND_IN, SHOWS_ONE = "chatml", "qwen"  # a template for vocabularies without one; a vocabulary that it is made for
FETCHED = "fetched chat templates"  # the session key of the templates of models on the Hub, by the vocabulary's name
FILE = "playground.chat file"  # the key of the box for a template's file
NOT_PUBLISHED = (
    "OpenAI does not publish in full how it writes a chat for this model. ChatML, which it once described, stands in: "
    "its control tokens are many tokens of plain text here, since the published vocabulary does not have them."
)


class Choice(NamedTuple):
    """A chat template, its title, sentences about where it is from, and why it is not the model's own; "" if it is."""

    template: ChatTemplate
    title: str
    about: str
    stands_in: str = ""


def template_choice(chosen: Vocabulary) -> Choice:
    """Draw the choice of a template; return the chosen one. Raises `ChatError` if it cannot be used."""
    now, fits = state.read(Playground), _models_own(chosen)
    options = {FITTING: f"{fits.title}, which {'stands in' if fits.stands_in else 'fits'}", **_OTHERS}
    if now.chat_template not in options:
        controls.no_such_choice(now, "chat_template")
    controls.pick(Playground, "chat_template", options, width=260)
    if now.chat_template == OWN_TEMPLATE:
        _own_box()
        own = read_template(state.read(Playground).own_template)
        names = {} if fits.stands_in else fits.template.special_tokens  # if its own config does not say them
        return Choice(ChatTemplate(own.source, {**names, **own.special_tokens}), "", "")
    return fits if now.chat_template == FITTING else _shipped(now.chat_template)


def _shipped(key: str) -> Choice:
    row = CHAT_TEMPLATES[key]
    return Choice(row.template, row.title, f"{row.title}: {row.origin}. {row.remark}".strip())


def _models_own(chosen: Vocabulary) -> Choice:
    """Return the template of a vocabulary's model, or ChatML if it is not known."""
    if key := fitting(chosen.name):
        return _shipped(key)
    if chosen.name.startswith(hub.PREFIX):
        found = _fetched(chosen.name)
        if found is not None:
            return Choice(found, "Its own", f"The template is from {chosen.title} on the Hugging Face Hub.")
    why = f"No chat template of {chosen.title} is known here, so ChatML stands in. The model's {CONFIG} has its own."
    if chosen.name in PUBLISHED and "OpenAI" in PUBLISHED[chosen.name].about:
        why = NOT_PUBLISHED
    return Choice(CHAT_TEMPLATES[STAND_IN].template, "ChatML", "", why)


def _fetched(name: str) -> ChatTemplate | None:
    """Return the template of a model on the Hub; None if none can be fetched or read. It is fetched once."""
    known: Mapping[str, ChatTemplate | None] = state.recall(FETCHED, {})
    if name not in known:
        with st.spinner("Fetching the chat template …"):
            try:
                files = hub.fetch_files(name.removeprefix(hub.PREFIX), FILES, private=BUDGET.private_models == 1)
                found = template_of(files)
            except (HubError, ChatError):
                found = None
        known = {**known, name: found}
        state.remember(FETCHED, dict(list(known.items())[-BUDGET.opened_tokenizers :]))
    return known[name]


def _own_box() -> None:
    """Draw the boxes for a template of the visitor's: for its text, and for a file with it."""
    with st.popover("Template", width=230):
        st.text_area(
            f"Jinja, or a whole {CONFIG}", key=state.key(Playground, "own_template"), height=200, on_change=_shorten
        )
        st.file_uploader(f"{CONFIG} or chat_template.jinja", key=FILE, max_upload_size=5, on_change=_open_file)


def _shorten() -> None:
    """Drop from a pasted config what no template needs."""
    _set_own(state.read(Playground).own_template)


def _open_file() -> None:
    file = state.recall(FILE)
    if isinstance(file, UploadedFile):
        _set_own(file.getvalue().decode("utf-8-sig", "replace"))


def _set_own(text: str) -> None:
    try:
        text = short(text)
    except ChatError:
        text = text[: rows(Playground)["own_template"].most]  # the view says what is wrong with it
    state.put(Playground, own_template=text)


def problem(error: ChatError) -> None:
    """Draw why a template or turns cannot be used."""
    st.html(elements.problem(str(error)))
