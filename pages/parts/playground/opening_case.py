"""What a view of the Playground opens on: a case that has something to see, unless the visitor or a link chose one.

A link has only what differs from the defaults, so a link to a view shows the defaults. A case is for those who open the
view on the page, or by a question on the start page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from bpe_core.chat.templates import Turn, read_turns, write_turns
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.letters import letters
from bpe_core.tokenizer.written_ids import ids_alone
from pages.parts.chats.chat_template import SHOWS_ONE
from pages.parts.playground.tokenizer_row import SAME
from pages.parts.state.chat_values import EXAMPLE_TOOLS, EXAMPLE_TURNS, FIRST, FITTING, MOST_CONTENT
from pages.parts.state.links import OWN
from pages.parts.state.playground_state import Playground
from pages.parts.state.tokenizer_keys import FAVOURITE
from pages.parts.state.values import changed

WITH_EXAMPLE = ("requests", "tools")  # what a chat shows of an example
MOST_WORD, SEARCHED = 40, 100_000  # characters of a word in the view of letters, and of the text that has the word
WHY_ANOTHER = (
    f"OpenAI has not published {PUBLISHED[FAVOURITE].title.split(' (')[0]}’s chat template: this opens with "
    f"{PUBLISHED[SHOWS_ONE].title.split(' (')[0]}."
)


def with_case(now: Playground) -> Playground:
    """Return the state with a case for the view that was just opened.

    A value that an earlier case set counts as not chosen: the next case may change it.
    """
    if now.view == "chat":
        now = with_conversation(now)
    first, set_before = Playground(), dict(now.cases)
    case: dict[str, str] = {}
    if now.view == "letters" and _is_free(now, "word"):
        case["word"] = word = longest_word(_own_text(now)) or first.word
        if _is_free(now, "letter"):
            case["letter"] = first.letter if first.letter in word else most_frequent_letter(word)
    if now.view == "vocabulary" and _is_free(now, "order") and "order" not in set_before:
        case["order"] = "length"
    if now.view == "prompt" and now.end < 0:
        now = replace(now, cut=True)
    if now.view == SAME and now.other == now.tokenizer:
        case["other"] = FAVOURITE if now.tokenizer != FAVOURITE else first.other
    if now.view == "chat" and _is_free(now, "tokenizer") and not now.by_hand:
        case["tokenizer"] = SHOWS_ONE  # the template of its model is published
    elif set_before.get("tokenizer") == now.tokenizer and not now.by_hand:
        case["tokenizer"] = FAVOURITE  # for the other views
    return _with(now, case)


def with_conversation(now: Playground) -> Playground:
    """Return the state with the turns and the tools of an example, if what the chat shows needs them; else without.

    Turns that the visitor or a link chose stay. A chat begins with your text, unless that is a list of ids.
    """
    if not _is_free(now, "turns"):
        return now
    text = _own_text(now)
    case = {"turns": FIRST, "tools": ""}
    if now.chat_shows in WITH_EXAMPLE:
        case = {"turns": EXAMPLE_TURNS, "tools": EXAMPLE_TOOLS}
    elif text.strip() and ids_alone(text) is None:
        case["turns"] = write_turns([read_turns(FIRST)[0], Turn("user", text[:MOST_CONTENT])])
    case = {name: value for name, value in case.items() if _is_free(now, name) and value != getattr(now, name)}
    return _with(replace(now, chat_changes=now.chat_changes + bool(case)), case)


def _with(now: Playground, case: Mapping[str, str]) -> Playground:
    """Return the state with the values of a case, and note that nobody chose them."""
    return changed(now, {**case, "cases": tuple({**dict(now.cases), **case}.items())})


def _is_free(now: Playground, name: str) -> bool:
    """Return whether a value is the default, or was set by a case."""
    return getattr(now, name) in (getattr(Playground(), name), dict(now.cases).get(name, ""))


def _own_text(now: Playground) -> str:
    return now.text if now.corpus == OWN else ""


def why_another_tokenizer(now: Playground) -> str:
    """Return why a chat opened with another tokenizer than the page's; "" if it did not, or if one was chosen since."""
    is_ours = now.tokenizer == dict(now.cases).get("tokenizer") == SHOWS_ONE
    return WHY_ANOTHER if is_ours and not now.by_hand and now.chat_template == FITTING else ""


def most_frequent_letter(word: str) -> str:
    """Return the letter that a word has most often; the first of several.

    >>> most_frequent_letter("sentence")
    'e'
    """
    return max(found := letters(word), key=found.count)


def longest_word(text: str) -> str:
    """Return the longest word of a text that the line for a word can hold; "" if there is none.

    >>> longest_word("She isn't here, unfortunately.")
    'unfortunately'
    """
    words = re.findall(r"[^\W\d_]+", text[:SEARCHED])
    return max((word for word in words if len(word) <= MOST_WORD), key=len, default="")
