"""The conversation that Chat shows: the visitor's or, until there is one, an example that suits the view."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.chat.templates import Turn, read_turns, write_turns
from bpe_core.tokenizer.written_ids import ids_at_a_glance
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.state.chat_values import EXAMPLE_TOOLS, EXAMPLE_TURNS, FIRST, MOST_CONTENT, in_text
from pages.parts.state.links import OWN

WITH_EXAMPLE = ("requests", "tools")  # the views whose example has several requests, and tools


def with_conversation(now: Chat) -> Chat:
    """Return the state with turns. If it has none, they are those of your text, if that is a chat as programs write it.

    Of any other text, they are an example's, with your text as the user's turn. A text that is a list of ids is no
    turn. `begun_with` has these turns, also when the visitor goes on from them.
    """
    if now.turns:
        return now
    text = now.text if now.corpus == OWN else ""
    if chat := state.latest("the chat in your text", (text,), lambda: in_text(text)):
        return replace(now, turns=chat.turns, begun_with=chat.turns, tools=now.tools or chat.tools)
    if now.view in WITH_EXAMPLE:
        return replace(now, turns=EXAMPLE_TURNS, begun_with=EXAMPLE_TURNS, tools=now.tools or EXAMPLE_TOOLS)
    turns = FIRST
    if text.strip() and ids_at_a_glance(text) is None:
        turns = write_turns([read_turns(FIRST)[0], Turn("user", text[:MOST_CONTENT])])
    return replace(now, turns=turns, begun_with=turns)


def read() -> Chat:
    """Return the page's state with the conversation that it shows."""
    return with_conversation(state.read(Chat))


def turns_shown() -> tuple[Turn, ...]:
    """Return the turns that the page shows."""
    return read_turns(read().turns)
