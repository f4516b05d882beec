"""The widgets of a chat's turns and of its switches. Also the text that a template renders from the chat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import streamlit as st

from bpe_core.chat.model_input import with_own_tokens
from bpe_core.chat.rendering import Rendered, render_chat
from bpe_core.chat.templates import CONFIG, ChatError, ChatTemplate, Turn, UnknownTokenError, read_turns, write_turns
from bpe_core.chat.written_chats import read_chat
from pages.parts.chat import chat_inputs, chat_tokens, shown_turns
from pages.parts.chat.shown_turns import turns_shown, with_conversation
from pages.parts.state import chat_values, state
from pages.parts.state.chat_state import Chat
from pages.parts.state.values import PartlyReadError
from pages.parts.ui import controls, elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

TURN = 88  # pixels of a turn's box: three whole lines, and below them the count of characters
FEW, TALL = 4, 620  # rows of turns that are drawn whole; pixels of the box in which more rows scroll
AT_ONCE = 20  # turns that are drawn at once
MOST_CALLS, MOST_SHOWN = 5, 200  # calls of a turn that are named, and characters of their arguments
AS_JSON = 'JSON: a whole request with its messages and tools, or turns such as [{"role": "user", "content": "Hi"}]'


def rendered(template: ChatTemplate, chosen: PageVocabulary) -> tuple[Rendered, ChatTemplate]:
    """Return the text that a chat template renders from the page's chat, and the template as it was used.

    The returned template names the tokenizer's own special tokens (see `with_own_tokens`). Raise `ChatError` if the
    template cannot render the chat.
    """
    now = shown_turns.read()
    template = with_own_tokens(template, chosen.tokenizer)
    asked = (template.source, tuple(template.special_tokens.items()), *given(now))
    chat = chat_inputs.chat()
    try:
        return state.latest("a rendered chat", asked, lambda: render_chat(template, chat)), template
    except UnknownTokenError as error:
        title = chosen.title.split(" (")[0]
        raise ChatError(chat_tokens.NEEDED.format(error.name, title, CONFIG)) from None


def given(now: Chat) -> tuple[object, ...]:
    """Return all that a template renders, for what is cached."""
    return now.turns, now.answer, now.tools, now.documents, now.variables


def switch(name: str, label: str, help: str, disabled: bool = False) -> None:
    """Draw a switch for a value that is true or false. If the switch is disabled, it looks off; the value stays."""
    if disabled:
        st.toggle(label, key=f"chat.{name} disabled", help=help, disabled=True)
    else:
        st.toggle(label, help=help, **state.widget(Chat, name))


def answer_switch(template: ChatTemplate | None) -> None:
    """Draw the switch that ends the chat with the beginning of an answer. `template`: None if it cannot be used."""
    ignored = template is not None and "add_generation_prompt" not in template.source
    label = "Begin the answer: this template ignores it" if ignored else "Begin the answer"
    switch("answer", label, "End with what makes the model answer (add_generation_prompt)", disabled=ignored)


def turns_box(template: ChatTemplate | None = None) -> None:
    """Draw boxes for all that is given, then a chat's turns, and a button to add a turn.

    `template`: what asks for other inputs; None if it cannot be used.
    """
    turns = turns_shown()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chat-inputs"):
        with controls.menu("Paste a conversation", **state.widget(Chat, "pasting_turns")):
            _paste_box()
        chat_inputs.input_boxes(template)
    shown = _part(len(turns))
    tall: int | Literal["content"] = TALL if len(shown) > FEW else "content"
    with st.container(height=tall, border=False, key="chat-turns"):
        for number in shown:
            _turn(turns, number, turns[number])
    if len(turns) < chat_values.MOST_TURNS:
        role = "assistant" if turns and turns[-1].role == "user" else "user"
        controls.button("Add a turn", Chat, _with_another, role, key="chat.add turn")
    else:
        st.html(elements.note(f"{chat_values.MOST_TURNS} turns at most."), width="content")


def _part(size: int) -> range:
    """Draw the choice of a part of many turns, at first the last part; return the indices of its turns."""
    parts = max(1, -(-size // AT_ONCE))
    number = parts
    if parts > 1:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            key = f"chat.turns part of {parts}"
            number = int(st.number_input(f"Turns, part of {parts}", 1, parts, parts, key=key, width=140))
            end = min(number * AT_ONCE, size)
            st.html(elements.note(f"Turns {(number - 1) * AT_ONCE + 1} to {end} of {size}. All are rendered."))
    return range((number - 1) * AT_ONCE, min(number * AT_ONCE, size))


def _paste_box() -> None:
    """Draw a box for a chat's turns as JSON, and a button that shows them. If the JSON cannot be read, draw why."""
    key = "chat.pasted turns"
    _, why = _pasted(st.text_area(AS_JSON, key=key, height=200))
    if why:
        st.html(elements.problem(f"{why[0].upper()}{why[1:]}."))
    # The text is read at the click, since only the click sends the characters that were typed last.
    controls.button("Show these turns", Chat, _with_pasted, key, key="chat.show pasted")


def _pasted(text: object) -> tuple[str, str]:
    """Return the chat turns in a pasted text, as JSON, and why they cannot all be read. Either may be ""."""
    if not isinstance(text, str) or not text:
        return "", ""
    try:
        return chat_values.read(write_turns(read_turns(text))), ""
    except PartlyReadError as error:
        return str(error.value), str(error)
    except ValueError as error:
        return "", str(error).removesuffix(".")


def _with_pasted(now: Chat, key: str) -> Chat:
    """Return the state with the chat turns that were pasted. If they cannot be read, leave the chat as it is.

    `key`: the session key of the box with the pasted text.
    """
    pasted = state.sent(key)
    turns, _ = _pasted(pasted)
    if not turns or not isinstance(pasted, str):
        return now
    tools = chat_values.write_tools(read_chat(pasted))
    now = with_conversation(now)
    kept = "" if _is_request(pasted) or now.tools == chat_values.EXAMPLE_TOOLS else now.tools
    return _with_turns(replace(now, tools=tools or kept), read_turns(turns))


def _is_request(pasted: str) -> bool:
    """Return whether a text is one object. It says all that a model is given, also that there are no tools.

    >>> _is_request('{"messages": []}'), _is_request('[["user", "Hi"]]'), _is_request('{"role": "user"}\\n{}')
    (True, False, False)
    """
    try:
        return isinstance(json.loads(pasted), dict)
    except ValueError:
        return False


def _turn(turns: Sequence[Turn], number: int, turn: Turn) -> None:
    """Draw the role and the content of a chat's turn, and a button that removes the turn."""
    now = shown_turns.read()
    of = f"{now.chat_changes} {hash(now.begun_with)}"
    role, content = (f"chat.turn {of} {number} {name}" for name in ("role", "content"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        roles = list(dict.fromkeys((*chat_values.ROLES, turn.role)))
        st.selectbox(
            f"Role of turn {number + 1}", roles, index=roles.index(turn.role), key=role, width=130,
            label_visibility="collapsed", on_change=_changed, args=(number, role, content),
        )  # fmt: skip
        controls.button(
            "Remove", Chat, _without, number, key=f"chat.remove {number}", type="tertiary",
            help=f"Remove turn {number + 1}",
        )  # fmt: skip
    st.text_area(
        f"Turn {number + 1}", turn.content, key=content, height=TURN, label_visibility="collapsed",
        max_chars=chat_values.MOST_CONTENT, on_change=_changed, args=(number, role, content),
    )  # fmt: skip
    if turn.thinking and turn.thinking not in turn.content:
        more = " …" if len(turn.thinking) > MOST_SHOWN else ""
        st.html(elements.note(f"Thinks: {turn.thinking[:MOST_SHOWN]}{more}"))
    if calls := called(turn):
        st.html(elements.note(f"Calls {calls}."))


def called(turn: Turn) -> str:
    """Return what a turn calls, in words; "" if it calls nothing.

    >>> called(Turn("assistant", "", {"tool_calls": [{"function": {"name": "add", "arguments": {"a": 1}}}]}))
    'add {"a": 1}'
    """
    rows = [(each["name"], json.dumps(each.get("arguments"), ensure_ascii=False)) for each in turn.calls]
    return ", ".join(f"{name} {arguments[:MOST_SHOWN]}" for name, arguments in rows[:MOST_CALLS])


def _changed(number: int, role: str, content: str) -> None:
    """Save a chat's turn with its widgets' values. Check their types, since a forged message may have set any value."""
    turns = list(turns_shown())
    if number < len(turns):
        chosen, typed = state.sent(role), state.sent(content)
        turns[number] = turns[number].with_content(
            chosen if chosen in chat_values.ROLES else turns[number].role,
            typed[: chat_values.MOST_CONTENT] if isinstance(typed, str) else "",
        )
        state.change(Chat, lambda _: replace(shown_turns.read(), turns=write_turns(turns)))


def _with_another(now: Chat, role: str) -> Chat:
    """Return the state with one more turn, which is empty."""
    return _with_turns(now, (*turns_shown(), Turn(role, "")))


def _without(now: Chat, number: int) -> Chat:
    """Return the state without a turn of the chat."""
    turns = turns_shown()
    return _with_turns(now, (*turns[:number], *turns[number + 1 :]))


def _with_turns(now: Chat, turns: Sequence[Turn]) -> Chat:
    """Return the state with other chat turns. The widgets get new keys, so that none shows a former turn's text."""
    now = with_conversation(now)
    return replace(now, turns=write_turns(turns), chat_changes=now.chat_changes + 1, pasting_turns=False)
