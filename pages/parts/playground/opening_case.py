"""What a view of the Playground opens on: a case that has something to see, unless the visitor or a link chose one.

A link has only what differs from the defaults, so a link to a view shows the defaults. A case is for those who open the
view on the page, or by a question on the start page.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bpe_core.chat.templates import Turn, read_turns, write_turns
from bpe_core.published import PUBLISHED
from pages.parts.chats.chat_template import SHOWS_ONE
from pages.parts.chats.chat_values import FIRST, FITTING, MOST_CONTENT
from pages.parts.playground.playground_state import Playground
from pages.parts.playground.tokenizer_row import SAME
from pages.parts.state.links import OWN
from pages.parts.state.values import changed
from pages.parts.vocabularies.tokenizer_keys import FAVOURITE

MOST_WORD, SEARCHED = 40, 100_000  # characters of a word in the view of letters, and of the text that has the word
WHY_ANOTHER = (
    f"OpenAI has not published {PUBLISHED[FAVOURITE].title.split(' (')[0]}’s chat template, so this opens with "
    f"{PUBLISHED[SHOWS_ONE].title.split(' (')[0]} and its template."
)


def with_case(now: Playground) -> Playground:
    """Return the state with a case for the view that was just opened.

    A value that an earlier case set counts as not chosen: the next case may change it.
    """
    first, set_before = Playground(), dict(now.cases)

    def is_free(name: str) -> bool:
        return getattr(now, name) in (getattr(first, name), set_before.get(name, ""))

    text = now.text if now.corpus == OWN else ""
    case: dict[str, str] = {}
    if now.view == "letters" and is_free("word"):
        case["word"] = longest_word(text) or first.word
    if now.view == "vocabulary" and is_free("order") and "order" not in set_before:
        case["order"] = "length"
    if now.view == "prompt" and now.end < 0:
        now = replace(now, cut=True)
    if now.view == SAME and now.other == now.tokenizer:
        case["other"] = FAVOURITE if now.tokenizer != FAVOURITE else first.other
    if now.view == "chat" and is_free("turns") and text.strip():
        case["turns"] = write_turns([read_turns(FIRST)[0], Turn("user", text[:MOST_CONTENT])])
        now = replace(now, chat_changes=now.chat_changes + 1)
    if now.view == "chat" and is_free("tokenizer") and not now.by_hand:
        case["tokenizer"] = SHOWS_ONE  # the template of its model is published
    elif set_before.get("tokenizer") == now.tokenizer and not now.by_hand:
        case["tokenizer"] = FAVOURITE  # for the other views
    return changed(now, case | {"cases": tuple((set_before | case).items())})


def why_another_tokenizer(now: Playground) -> str:
    """Return why a chat opened with another tokenizer than the page's; "" if it did not, or if one was chosen since."""
    is_ours = now.tokenizer == dict(now.cases).get("tokenizer") == SHOWS_ONE
    return WHY_ANOTHER if is_ours and not now.by_hand and now.chat_template == FITTING else ""


def longest_word(text: str) -> str:
    """Return the longest word of a text that the line for a word can hold; "" if there is none.

    >>> longest_word("She isn't here, unfortunately.")
    'unfortunately'
    """
    words = re.findall(r"[^\W\d_]+", text[:SEARCHED])
    return max((word for word in words if len(word) <= MOST_WORD), key=len, default="")
