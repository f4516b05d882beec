"""The choice of a chat template. It is the model's own, comes with the project, or is pasted by the visitor."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from bpe_core.chat.given_template import text_in
from bpe_core.chat.templates import (
    CHAT_TEMPLATES,
    CONFIG,
    TOOL_USE,
    ChatError,
    ChatTemplate,
    fitting,
    read_template,
    short,
)
from bpe_core.files import hub
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import without_surrogates
from pages.parts.chat import shown_turns
from pages.parts.chat.chat_tokens import Marks
from pages.parts.server.inside_streamlit import UploadedFile
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.state.chat_values import FITTING, MOST_TEMPLATE, OWN_TEMPLATE
from pages.parts.state.tokenizer_keys import SHOWS_ONE
from pages.parts.ui import controls, elements
from pages.parts.vocabularies.known_template import fetched
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

_OTHERS = {**{key: row.title for key, row in CHAT_TEMPLATES.items()}, OWN_TEMPLATE: "The pasted one"}
NAMED = "named-"  # and a number: the value of one of the templates of a model that has several
OWN = "The model's own"  # the title of a template from a model's files
# The key of the template for vocabularies without a template.
STAND_IN = "chatml"
OF_OPENAI = ("o200k_base", "cl100k_base")  # the vocabularies of those OpenAI models that were trained on chats
NOT_PUBLISHED = (
    "OpenAI has not published {}'s template. This is ChatML, which OpenAI described for GPT-3.5 in 2023: the API's own "
    "count differs."
)
NOT_KNOWN = (
    "No chat template of {} is known here. This is ChatML, which other models use: if the model has a template, it is "
    "in its {}."
)
NOT_USED = "{}'s chat template cannot be used. {} This is ChatML, which other models use."


class Choice(NamedTuple):
    """The chat template to render with.

    `title`: the menu's title for the model's own template. `about`: sentences on where the template is from.
    `why_another`: why the template stands in for the model's own; "" if it is no stand-in. `marks`: see
    `chat_tokens.remarks`. `used`: which of a model's several templates it is, in a sentence; "" if there is one only.
    """

    template: ChatTemplate
    title: str
    about: str
    why_another: str = ""
    marks: Marks = "control"
    used: str = ""


def template_choice(chosen: PageVocabulary) -> Choice:
    """Draw the choice of a template, and return the chosen template. Raise `ChatError` if it cannot be used."""
    now, fits = shown_turns.read(), _models_own(chosen)
    by_name = {f"{NAMED}{at}": name for at, name in enumerate(fits.template.named, 1)}
    options = {FITTING: fits.title, **{key: f"The model's own: {name}" for key, name in by_name.items()}, **_OTHERS}
    if now.chat_template not in options:
        controls.no_such_choice(state.read(Chat), "chat_template")
    controls.pick(Chat, "chat_template", options, width=260)
    _own_box()
    if now.chat_template == OWN_TEMPLATE:
        own = read_template(now.own_template)
        # The special tokens of the model's template are used if the pasted text names none.
        names = {} if fits.why_another else fits.template.special_tokens
        pasted = replace(own, special_tokens={**names, **own.special_tokens})
        return _for_tools(Choice(pasted, "", "", marks="perhaps"), now)
    if now.chat_template in by_name:
        return fits._replace(template=fits.template.called(by_name[now.chat_template]))
    return _for_tools(fits if now.chat_template == FITTING else _shipped(now.chat_template), now)


def _for_tools(choice: Choice, now: Chat) -> Choice:
    """Return the choice with one template. If the model has several, `about` says which of them is used, and why."""
    template = choice.template.for_tools(bool(now.tools.strip()))
    if not template.named:
        return choice
    names = ", ".join(f"{name:.40}" for name in template.named)
    why = "since tools are given" if template.name == TOOL_USE else "as for any chat that has no template of its own"
    used = f"Of the model's chat templates ({names}) {template.name:.40} is used, {why}."
    return choice._replace(template=template, used=used)


def _shipped(key: str) -> Choice:
    row = CHAT_TEMPLATES[key]
    title = f"The model's own: {row.title.partition(' (')[0]}"
    return Choice(row.template, title, f"{row.title}: {row.origin}. {row.remark}".strip())


def _models_own(chosen: PageVocabulary) -> Choice:
    """Return the template of a vocabulary's model. If that template is not known, return ChatML."""
    if chosen.chat_template is not None:
        return Choice(
            chosen.chat_template, OWN, "The template is from the files of the opened tokenizer.", marks="text"
        )
    if key := fitting(chosen.name):
        return _shipped(key)
    why_none = chosen.why_no_template
    if chosen.name.startswith(hub.PREFIX):
        found, why_none, _ = fetched(chosen.name)
        if found is not None:
            about = f"The template is from {chosen.title} on the Hugging Face Hub."
            return Choice(found, OWN, about, marks="text")
    title = chosen.title.split(" (")[0]
    why = (NOT_PUBLISHED if chosen.name in OF_OPENAI else NOT_KNOWN).format(title, CONFIG)
    if why_none:
        why = NOT_USED.format(title, why_none)
    return Choice(CHAT_TEMPLATES[STAND_IN].template, "Not known: ChatML instead", "", why)


def _own_box() -> None:
    """Draw two boxes for the visitor's own template: a box for the template's text, and a box for a file."""
    file = "chat.chat file"
    with controls.menu("Paste a template", **state.widget(Chat, "pasting_template")):
        st.text_area(
            f"Jinja, or a whole {CONFIG}", height=200, **state.widget(Chat, "own_template", _with_typed),
        )  # fmt: skip
        controls.button("Show the chat with it", Chat, _with_own, key="chat.show own template")
        st.file_uploader(
            f"{CONFIG} or chat_template.jinja", key=file, max_upload_size=5, on_change=lambda: _open_file(file)
        )


def _open_file(key: str) -> None:
    file = state.sent(key)
    if isinstance(file, UploadedFile):
        try:
            text = text_in({file.name: file.getvalue()}, file.name)
        except ChatError as error:
            state.remark(state.read(Chat), str(error))
            return
        state.change(Chat, _with_own, _short(text))


def _short(text: str) -> str:
    """Return a pasted chat template. If the pasted text is a whole config, return only what a template needs."""
    try:
        return without_surrogates(short(text), "\ufffd")
    except ChatError:
        return text[:MOST_TEMPLATE]  # the view says what is wrong with the text


def _with_typed(now: Chat) -> Chat:
    """Return the state after a chat template was typed or pasted into the box."""
    return _with_own(now, _short(now.own_template))


def _with_own(now: Chat, text: str | None = None) -> Chat:
    """Return the state with the pasted chat template chosen, or the model's own if no text was pasted; close the menu.

    `text`: the pasted template; None for the template in the box.
    """
    text = now.own_template if text is None else text
    key = OWN_TEMPLATE if text.strip() else FITTING
    return replace(now, own_template=text, chat_template=key, pasting_template=False)


def explain_another(choice: Choice) -> None:
    """Draw why a stand-in replaces the model's template, if one does, and a button to a model with a published one."""
    if choice.why_another:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(elements.note(choice.why_another))
            label = f"{PUBLISHED[SHOWS_ONE].title}'s template is published: see it exactly"
            controls.button(label, Chat, _with_published, key="chat.see one")


def _with_published(now: Chat) -> Chat:
    return replace(now, tokenizer=SHOWS_ONE, chat_template=FITTING)
