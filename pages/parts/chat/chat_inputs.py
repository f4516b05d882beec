"""The boxes for what a template is given beside turns: tools, documents, and its own variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from bpe_core.chat import rendering
from bpe_core.chat.given_json import MOST_CHARACTERS, name_of, read_documents, read_tools
from bpe_core.chat.given_template import text_in
from bpe_core.chat.rendering import Variable, variables_of
from bpe_core.chat.templates import ChatError, ChatTemplate, read_turns
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.in_words import counted
from pages.parts.chat import shown_turns
from pages.parts.chat.shown_turns import with_conversation
from pages.parts.server.inside_streamlit import UploadedFile
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.state.values import changed
from pages.parts.ui import controls, elements

TOOLS_HELP = "Tools as JSON: OpenAI's form, a whole request, or what an MCP server answers to tools/list"
DOCUMENTS_HELP = 'Documents as JSON: [{"title": "…", "text": "…"}]'
MOST_NAMED, MOST_VALUE = 6, 2_000  # tools that are named; characters of a variable's value
MOST_VARIABLES = 40  # fields for a template's variables
MOST_IN_BOX = 200_000  # characters of JSON in a box; more of it is not sent to the browser
NO_LINK = "Tools and documents are in no link and in no log."


def chat() -> rendering.Chat:
    """Return the page's chat. Raise `ChatError` if a part of it cannot be used."""
    now = shown_turns.read()
    given = (now.turns, now.answer, now.tools, now.documents, now.variables)
    return state.latest("a chat", given, lambda: _chat(now))


def _chat(now: Chat) -> rendering.Chat:
    tools = read_tools(now.tools) if now.tools.strip() else ()
    documents = read_documents(now.documents) if now.documents.strip() else ()
    return rendering.chat_of(read_turns(now.turns), now.answer, tools, documents, dict(now.variables))


def input_boxes(template: ChatTemplate | None) -> None:
    """Draw the menus for tools and for what else the template takes. `template`: None if it cannot be used."""
    now = shown_turns.read()
    tools, wrong = _read(read_tools, now.tools)
    label = f"Tools: {len(tools):,}" if tools else "Tools: see why they fail" if wrong else "Tools"
    with controls.menu(label):
        _json_box("tools", TOOLS_HELP, wrong)
        if tools:
            named = ", ".join(name_of(tool) for tool in tools[:MOST_NAMED]) + (" …" if len(tools) > MOST_NAMED else "")
            st.html(elements.note(f"{counted(len(tools), 'tool')}: {named}"))
        st.html(elements.note(NO_LINK))
    if template is None:
        return
    try:
        found = state.latest("a template's variables", (template.source,), lambda: variables_of(template))
    except ChatError:
        return  # the view says what is wrong with the template
    takes_documents = "documents" in template.source or now.documents.strip()
    if found or takes_documents:
        with controls.menu("More inputs"):
            for variable in found[:MOST_VARIABLES]:
                _field(variable)
            if takes_documents:
                _json_box("documents", DOCUMENTS_HELP, _read(read_documents, now.documents)[1])


def _read(read: Callable[[str], tuple[Any, ...]], text: str) -> tuple[tuple[Any, ...], str]:
    """Return what is in a JSON text, and what is wrong with the text; "" for nothing."""
    try:
        return (read(text) if text.strip() else ()), ""
    except ChatError as error:
        return (), str(error)


def _json_box(name: str, label: str, wrong: str) -> None:
    """Draw a box for JSON, and a box for a file of it.

    `name`: the field of the state. `wrong`: what is wrong with its text; "" for nothing.
    """
    now = shown_turns.read()
    text = getattr(now, name)
    box, file = (f"chat.{name} {kind} {now.chat_changes}" for kind in ("box", "file"))
    if len(text) <= MOST_IN_BOX:
        st.text_area(label, text, key=box, height=200, on_change=_typed, args=(name, box))
    else:
        st.html(elements.note(f"{len(text):,} characters of JSON."))
    if wrong:
        st.html(elements.problem(wrong))
    st.file_uploader("Or a file", "json", key=file, max_upload_size=10, on_change=_opened, args=(name, file))
    if text.strip():
        controls.button("Remove", Chat, _with, name, "", key=f"chat.remove {name}")


def _typed(name: str, key: str) -> None:
    typed = state.sent(key)
    cleaned = {name: _cleaned(typed) if isinstance(typed, str) else ""}
    state.change(Chat, lambda now: changed(with_conversation(now), cleaned))


def _opened(name: str, key: str) -> None:
    file = state.sent(key)
    if isinstance(file, UploadedFile):
        try:
            text = text_in({file.name: file.getvalue()}, file.name)
        except ChatError as error:
            state.remark(state.read(Chat), str(error))
            return
        state.change(Chat, _with, name, _cleaned(text))


def _cleaned(text: str) -> str:
    """Return a text without lone surrogates. One that is too long stays too long, so that a sentence says so."""
    return without_surrogates(text[: MOST_CHARACTERS + 1], "\ufffd")


def _with(now: Chat, name: str, text: str) -> Chat:
    """Return the state with another text of JSON. The boxes get new keys."""
    values: Mapping[str, Any] = {name: text, "chat_changes": now.chat_changes + 1}
    return replace(with_conversation(now), **values)


def _field(variable: Variable) -> None:
    """Draw a field for a variable of the template. What is not typed is not given, as for most callers."""
    key, now = f"chat.variable {variable.name}", dict(state.read(Chat).variables)
    given, name = now.get(variable.name), variable.name[:60]
    default = f"not given: the template takes {variable.default!r:.40}" if variable.default is not None else "not given"
    if variable.is_switch:
        options = ["not given", "true", "false"]
        shown = "not given" if given is None else str(given).lower()
        st.selectbox(
            f"`{name}`", options, index=options.index(shown) if shown in options else 0, key=key, help=default,
            on_change=_set, args=(variable.name, key),
        )  # fmt: skip
    else:
        st.text_input(
            f"`{name}`", "" if given is None else str(given), key=key, placeholder=default, max_chars=MOST_VALUE,
            on_change=_set, args=(variable.name, key),
        )  # fmt: skip


def _set(name: str, key: str) -> None:
    """Save a variable of the template."""
    typed, values = state.sent(key), dict(state.read(Chat).variables)
    values.pop(name, None)
    if isinstance(typed, str) and typed not in ("", "not given"):
        values[name] = {"true": True, "false": False}.get(typed, typed[:MOST_VALUE])
    state.put(Chat, variables=tuple(values.items()))
