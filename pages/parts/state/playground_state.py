"""The values of the Playground, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from pages.parts.state import tokenizer_keys, values
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import (
    WithChat,
    WithOpening,
    WithTokens,
    WithView,
    WithVocabulary,
    corpus_value,
    training_value,
)
from pages.parts.state.values import LARGEST, value
from pages.parts.texts.examples import SENTENCES

CHAT_SHOWS = ("tokens", "tools", "requests", "learnt", "segments", "versions")


@dataclass(frozen=True)
class Playground(WithChat, WithVocabulary, WithOpening, WithView, WithTokens):
    """The state of the Playground: the values of all its views, and then those of single views.

    New values come last, so that a long link leaves out the same texts as before.
    """

    PAGE = "playground"
    corpus: str = corpus_value("keepers-dog")
    tokenizer: str = value(tokenizer_keys.FAVOURITE, "Tokenizer", tokenizer_keys.tokenizer)
    against: tuple[str, ...] = values.keys(
        tuple(tokenizer_keys.BESIDE),
        "tokenizers side by side",
        tokenizer_keys.tokenizers,
        tokenizer_keys.without_files,
        lambda chosen: tokenizer_keys.tokenizers(" ".join(chosen)),
    )
    training: str = training_value()
    specials: bool = values.yes_or_no(True, "Special tokens")
    view: str = value("tokens", "View", values.key)
    # Side by side. `sentences`: a sentence in several languages, a line for each language.
    compared: str = values.one_of("text", ("text", "languages", "scorecard"), "What is compared")
    sentences: str = values.text(LINK_LENGTH, "your list of sentences", default=SENTENCES)
    # Vocabulary. `script`: the name of a script; "" for all scripts.
    sought: str = values.text(100, "Search")
    among: str = value("text", "Search in", values.key)
    kind: str = value("all", "Show", values.key)
    script: str = values.text(40, "Script")
    order: str = value("id", "Sort", values.key)
    # Letters.
    word: str = values.text(40, "word", default="strawberry")
    # End of a prompt. `end`: the prompt's length in characters; -1: up to the text's last space or, with `cut`, up to
    # the last place where the end cuts a token.
    end: int = values.number(-1, -1, LARGEST, "end of the prompt")
    cut: bool = values.yes_or_no(False, "End inside a token")
    end_request: int = values.unlinked(0)  # the number of the last request from the view
    # Chat: whether the tokenizer adds its special tokens. The view's other values are below.
    bos: bool = values.yes_or_no(False, "Add special tokens")
    # All views: whether the visitor chose the tokenizer, and the values that `opening_case` set, as (field, value).
    by_hand: bool = values.unlinked(False, stays=False)
    cases: tuple[tuple[str, str], ...] = values.unlinked((), stays=False)
    # Files. `limit`: the most tokens that a row should have. `column`: the column of tables that counts.
    limit: int = values.number(8192, 1, values.LARGEST, "limit of tokens")
    column: str = values.text(100, "column")
    folder: str = values.unlinked("")  # the folder that is entered; "" for none
    row: int = values.unlinked(-1)  # the row whose text is shown; -1 for none
    # Chat. The prices, as typed, are those of tokens that a server keeps and of tokens that it computes.
    chat_shows: str = values.one_of("tokens", CHAT_SHOWS, "Of the chat")
    chat_request: int = values.number(0, 0, LARGEST, "request")  # the number of the request that is shown
    kept_price: str = value("", "price of a million kept tokens", values.amount)
    new_price: str = value("", "price of a million new tokens", values.amount)
    lit_tool: int = values.unlinked(-1)  # the number of the tool whose tokens are lit; -1 for the largest
    generated: tuple[tuple[int, str], ...] = values.unlinked(())  # (index of an answer, its ids as typed)
    prompt_before: str = values.unlinked("")  # two versions of a prompt
    prompt_after: str = values.unlinked("")
    # Same? The tokenizer that is compared with the page's.
    other: str = value(tokenizer_keys.BESIDE[0], "other tokenizer", tokenizer_keys.tokenizer)
    # Tokens. Whether a text that is a list of ids is read as "ids" or as "text".
    reading: str = values.one_of("ids", ("ids", "text"), "A list of ids")
