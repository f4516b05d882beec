"""The forms that a chat's turns and a pasted template have in a page's state and in its link."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from bpe_core.chat.given_json import as_served
from bpe_core.chat.templates import ChatError, Turn, read_turns, turns_of, write_turns
from bpe_core.chat.written_chats import WrittenChat, chat_in
from bpe_core.text.alphabet import without_surrogates
from pages.parts.state.values import PartlyReadError

FITTING, OWN_TEMPLATE = "fitting", "own"  # the keys of chat templates besides those of `CHAT_TEMPLATES`
ROLES = ("system", "user", "assistant", "tool")
MOST_TURNS = 100  # turns on the page
MOST_CONTENT, MOST_ROLE = 200_000, 40  # characters of a turn's content, and of its role
MOST_TOGETHER = 1_000_000  # characters of all contents, as many as a template may write
MOST_TEMPLATE = 2_000_000  # characters of a pasted template, which may be a whole config
FIRST_KEY = "first"  # stands in a link for the turns of the first example
FIRST = write_turns([Turn("system", "Answer in one sentence."), Turn("user", "How many r are in strawberry?")])


def _thought(thinking: str, said: str) -> Turn:
    return Turn("assistant", said, {"role": "assistant", "content": said, "reasoning_content": thinking})


def _tool(name: str, about: str, **inputs: str) -> dict[str, object]:
    takes = {key: {"type": "string", "description": meaning} for key, meaning in inputs.items()}
    given = {"name": name, "description": about, "parameters": {"type": "object", "properties": takes}}
    return {"type": "function", "function": given}


# An example of two versions of a prompt: one word in the middle is another.
PROMPTS = (
    "You are a translator. Translate the user's text into English. Keep names and numbers as they are.",
    "You are a translator. Translate the user's text into German. Keep names and numbers as they are.",
)
# An example for the views of requests and of tools: a conversation of three requests, and two tools.
EXAMPLE_TURNS = write_turns([
    Turn("user", "Can I take a night train from Vienna to Hamburg on Friday?"),
    _thought("A night train that leaves on Friday.", "Yes: it leaves at 20:10 and arrives at 8:45."),
    Turn("user", "What does a bed cost?"),
    _thought("A bed, not a seat.", "A bed in a cabin for two costs 119 euros."),
    Turn("user", "And on Sunday?"),
])  # fmt: skip
EXAMPLE_TOOLS = json.dumps(
    [
        _tool(
            "find_trains", "Find trains between two stations.", start="first station", end="last station", day="date"
        ),
        _tool("price_of", "Return the price of a place in a train.", train="number of the train"),
    ],
    indent=1,
)


def read(given: str) -> str:
    """Return a chat's turns in a link, as JSON. Raise `ValueError` if the turns cannot be read.

    If there are too many turns, raise `PartlyReadError`: its `value` is the first `MOST_TURNS` turns.

    >>> read('[["user","Hi"]]'), read(FIRST_KEY) == FIRST, read("")
    ('[["user","Hi"]]', True, '')
    """
    if given in ("", FIRST_KEY):
        return FIRST if given else ""
    try:
        turns = read_turns(given)
    except ChatError:
        raise ValueError("it is not a list of turns") from None
    return _kept(turns)


def _kept(turns: Sequence[Turn]) -> str:
    """Return turns as JSON. Raise `ValueError` as `read` does."""
    if any(len(turn.role) > MOST_ROLE for turn in turns):
        raise ValueError("a role in it is too long")
    if any(len(turn.content) > MOST_CONTENT for turn in turns):
        raise ValueError(f"a turn in it is longer than {MOST_CONTENT:,} characters")
    if sum(len(turn.content) for turn in turns[:MOST_TURNS]) > MOST_TOGETHER:
        raise ValueError(f"its turns have more than {MOST_TOGETHER:,} characters together")
    kept = without_surrogates(write_turns(turns[:MOST_TURNS]), "\ufffd")
    if len(turns) > MOST_TURNS:
        raise PartlyReadError(f"of its {len(turns)} turns the first {MOST_TURNS} are shown", kept)
    return kept


class ChatInText(NamedTuple):
    """A chat that a text is.

    `turns`, `tools`: as JSON. `size`: how many turns it has; `turns` has the first `MOST_TURNS`. `chats`: how many
    chats the text has; this is the first.
    """

    turns: str
    tools: str
    size: int
    chats: int


def in_text(text: str) -> ChatInText | None:
    """Return the chat that a text is; None for any other text, and for a chat that is too long for the page.

    >>> in_text('[{"role": "user", "content": "Hi"}]').turns, in_text("Hi")
    ('[["user","Hi"]]', None)
    """
    found = chat_in(text)
    if found is None:
        return None
    try:
        turns = _kept(turns_of(as_served(found.messages[:MOST_TURNS])))
    except ValueError:
        return None
    return ChatInText(turns, write_tools(found), len(found.messages), found.chats)


def write_tools(found: WrittenChat) -> str:
    """Return the tools of a chat as JSON; "" if it has none."""
    return without_surrogates(json.dumps(found.tools, ensure_ascii=False, indent=1), "\ufffd") if found.tools else ""


def write(turns: str) -> str:
    """Return a chat's turns for a link: `FIRST_KEY` if they are the first example's."""
    return FIRST_KEY if turns == FIRST else turns


def read_template(given: str) -> str:
    """Return a pasted chat template. Raise `ValueError` if it is too long. Other mistakes show when it is rendered."""
    if len(given) > MOST_TEMPLATE:
        raise ValueError(f"it is longer than {MOST_TEMPLATE:,} characters")
    return given
