"""The values of Chat, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from pages.parts.state import chat_values, values
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import WithText, WithViewsOfTokenizer, corpus_value, tokenizer_value
from pages.parts.state.tokenizer_keys import SHOWS_ONE
from pages.parts.state.values import LARGEST, value


@dataclass(frozen=True)
class Chat(WithViewsOfTokenizer, WithText):
    """The state of Chat, which begins with a tokenizer whose chat template is published.

    `turns`: the turns as JSON; "" until there are some (see `shown_turns`). `chat_template`: a key of
    `CHAT_TEMPLATES`, `FITTING` or `OWN_TEMPLATE`. `own_template`: a pasted template. `answer`: whether the beginning of
    an answer ends the chat. `bos`: whether the tokenizer adds its special tokens. `chat_request`: the number of the
    request that is shown. `new_price`, `kept_price`: the typed prices of tokens that a server computes, and of tokens
    that it keeps.

    No link has the values that follow these. `tools`, `documents`: JSON. `variables`: what else the template is given,
    by name. `chat_changes`: how often turns were added, removed or pasted. `pasting_template`, `pasting_turns`: whether
    the menu with the box to paste into is open. `lit_tool`: the number of the tool whose tokens are lit; -1 for the
    largest. `generated`: ids as typed, by the index of the answer. `prompt_before`, `prompt_after`: two versions of a
    prompt. `begun_with`: the example, or the chat in your text, that the turns began with.
    """

    PAGE = "chat"
    NEEDS_WORD = False
    corpus: str = corpus_value("keepers-dog")
    tokenizer: str = tokenizer_value(SHOWS_ONE)
    view: str = value("tokens", "View", values.key)
    turns: str = value("", "your chat", chat_values.read, chat_values.write, most=LINK_LENGTH, private=True)
    chat_template: str = value(chat_values.FITTING, "Chat template", values.key)
    own_template: str = value("", "your chat template", chat_values.read_template, most=LINK_LENGTH, private=True)
    answer: bool = values.yes_or_no(True, "Begin the answer")
    bos: bool = values.yes_or_no(False, "Add special tokens")
    chat_request: int = values.number(0, 0, LARGEST, "request")
    kept_price: str = value("", "price of a million kept tokens", values.amount)
    new_price: str = value("", "price of a million new tokens", values.amount)
    tools: str = values.unlinked("")
    documents: str = values.unlinked("")
    variables: tuple[tuple[str, str | bool], ...] = values.unlinked(())
    chat_changes: int = values.unlinked(0)
    pasting_template: bool = values.unlinked(False)
    pasting_turns: bool = values.unlinked(False)
    lit_tool: int = values.unlinked(-1)
    generated: tuple[tuple[int, str], ...] = values.unlinked(())
    prompt_before: str = values.unlinked(chat_values.PROMPTS[0])
    prompt_after: str = values.unlinked(chat_values.PROMPTS[1])
    begun_with: str = values.unlinked("")
