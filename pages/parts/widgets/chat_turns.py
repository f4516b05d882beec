"""The widgets of a chat: its turns and its switches; and the text that a template makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from bpe_core.chat.model_input import bos_of, with_bos
from bpe_core.chat.rendering import Rendered, render
from bpe_core.chat.templates import ChatTemplate, Turn, read_turns, write_turns
from bpe_core.tokenizer.tokenizer import Tokenizer
from pages.parts.session import chats, state
from pages.parts.session.page_states import WithChat
from pages.parts.widgets import controls

C = TypeVar("C", bound=WithChat)


def turns_of(page: type[WithChat]) -> tuple[Turn, ...]:
    """Return the turns of a page's chat."""
    return read_turns(state.read(page).turns)


def rendered(page: type[WithChat], template: ChatTemplate, tokenizer: Tokenizer) -> tuple[Rendered, ChatTemplate]:
    """Return the page's chat as a template renders it, and the template with the tokenizer's BOS; raise `ChatError`."""
    now = state.read(page)
    template = with_bos(template, bos_of(template, tokenizer))
    asked = (template.source, tuple(template.special_tokens.items()), now.turns, now.answer)
    turns, begins = read_turns(now.turns), now.answer == "yes"
    return state.latest("a rendered chat", asked, lambda: render(template, turns, begins)), template


def switch(page: type[WithChat], name: str, label: str, help: str, disabled: bool = False) -> None:
    """Draw a switch for a value that is "yes" or "no"."""
    key = f"{page.PAGE}.switch {name}"

    def switched() -> None:
        state.put(page, **{name: "yes" if state.recall(key) else "no"})

    on = getattr(state.read(page), name) == "yes"
    st.toggle(label, value=on, key=key, help=help, disabled=disabled, on_change=switched)


def answer_switch(page: type[WithChat]) -> None:
    """Draw the switch for the beginning of an answer."""
    switch(page, "answer", "Begin the answer", "End with what makes the model answer (add_generation_prompt)")


def turns_box(page: type[WithChat]) -> None:
    """Draw a row for each turn, and a button for another."""
    turns = turns_of(page)
    for number, turn in enumerate(turns):
        _turn(page, turns, number, turn)
    if len(turns) < chats.MOST_TURNS:
        role = "assistant" if turns and turns[-1].role == "user" else "user"
        controls.button("Add a turn", page, _with_turns, (*turns, Turn(role, "")), key=f"{page.PAGE}.add turn")


def _turn(page: type[WithChat], turns: Sequence[Turn], number: int, turn: Turn) -> None:
    """Draw a turn's role, content and a button that removes it."""
    changes = state.read(page).chat_changes
    role, content = (f"{page.PAGE}.turn {changes} {number} {name}" for name in ("role", "content"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        roles = list(dict.fromkeys((*chats.ROLES, turn.role)))
        st.selectbox(
            f"Role of turn {number + 1}", roles, index=roles.index(turn.role), key=role, width=130,
            label_visibility="collapsed", on_change=_changed, args=(page, number, role, content),
        )  # fmt: skip
        rest = (*turns[:number], *turns[number + 1 :])
        controls.button(
            "Remove", page, _with_turns, rest, key=f"{page.PAGE}.remove {number}", type="tertiary",
            help=f"Remove turn {number + 1}",
        )  # fmt: skip
    st.text_area(
        f"Turn {number + 1}", turn.content, key=content, height=68, label_visibility="collapsed",
        max_chars=chats.MOST_CONTENT, on_change=_changed, args=(page, number, role, content),
    )  # fmt: skip


def _changed(page: type[WithChat], number: int, role: str, content: str) -> None:
    """Take a turn from its widgets, whose values a forged message may have set."""
    turns = list(turns_of(page))
    if number < len(turns):
        chosen, typed = state.recall(role), state.recall(content)
        turns[number] = Turn(
            chosen if chosen in chats.ROLES else turns[number].role,
            typed[: chats.MOST_CONTENT] if isinstance(typed, str) else "",
        )
        state.put(page, turns=write_turns(turns))


def _with_turns(now: C, turns: Sequence[Turn]) -> C:
    """Return the state with other turns, whose rows are new."""
    return replace(now, turns=write_turns(turns), chat_changes=now.chat_changes + 1)
