"""The turns of a chat, as a page's state and link have them."""

from __future__ import annotations

from bpe_core.chat.templates import ChatError, Turn, read_turns, write_turns

FITTING, OWN_TEMPLATE = "fitting", "own"  # the keys of chat templates besides those of `CHAT_TEMPLATES`
MOST_TURNS = 30  # turns on the page
FIRST = write_turns([Turn("system", "Answer in one sentence."), Turn("user", "How many r are in strawberry?")])


def read(given: str) -> str:
    """Return turns as a link has them; raise `ValueError` if they cannot be read.

    >>> read('[["user","Hi"]]')
    '[["user","Hi"]]'
    """
    try:
        turns = read_turns(given)
    except ChatError:
        raise ValueError("it is not a list of turns") from None
    if len(turns) > MOST_TURNS:
        raise ValueError(f"it has more than {MOST_TURNS} turns")
    return write_turns(turns)
