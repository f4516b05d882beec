"""The values of the Playground, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from pages.parts.state import values
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
from pages.parts.vocabularies import tokenizer_keys

CHAT_SHOWS = ("tokens", "tools", "requests", "learnt", "segments", "versions")


@dataclass(frozen=True)
class Playground(WithChat, WithVocabulary, WithOpening, WithView, WithTokens):
    """The state of the Playground.

    The fields from `sought` to `order` belong to the view of the vocabulary. `script`: the name of a script, "" for
    all scripts. `sentences`: a sentence in several languages, a line for each language. `word`: the word in the view of
    letters. `end`: the prompt's length in characters, in the view of a prompt's end; -1 ends the prompt after the
    text's last space or, with `cut`, at the last place where the end cuts a token. `end_request`: the number of the
    last request from the view of a prompt's end. `bos`: whether the tokenizer adds its special tokens to a chat.
    `opening`: whether the menu with the box that opens a tokenizer is open. `by_hand`: whether the visitor chose the
    tokenizer. `limit`, `column`: in the view of files, the most tokens that a row should have, and the column of tables
    that counts. `folder`, `row`: the folder that is entered there, and the row whose text is shown; "" and -1 for none.
    `cases`: values that `opening_case` set, by field name. `reading`: whether a
    text that is a list of ids is read as "ids" or as "text". `other`: the tokenizer that is compared with the page's in
    the view "same".

    `chat_shows`: what the view of a chat shows. `chat_request`: the number of the request that is shown. `kept_price`,
    `new_price`: the typed prices of a million tokens that a server keeps, and that it computes. `lit_tool`: the number
    of the tool whose tokens are lit; -1 for the largest. `generated`: for some answers, by the index of the turn, the
    ids that a model generated, as typed. `prompt_before`, `prompt_after`: two versions of a prompt.
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
    compared: str = values.one_of("text", ("text", "languages", "scorecard"), "What is compared")
    sentences: str = values.text(LINK_LENGTH, "your list of sentences", default=SENTENCES)
    sought: str = values.text(100, "Search")
    among: str = value("text", "Search in", values.key)
    kind: str = value("all", "Show", values.key)
    script: str = values.text(40, "Script")
    order: str = value("id", "Sort", values.key)
    word: str = values.text(40, "word", default="strawberry")
    end: int = values.number(-1, -1, LARGEST, "end of the prompt")
    cut: bool = values.yes_or_no(False, "End inside a token")
    end_request: int = values.unlinked(0)
    bos: bool = values.yes_or_no(False, "Add special tokens")
    by_hand: bool = values.unlinked(False, stays=False)
    cases: tuple[tuple[str, str], ...] = values.unlinked((), stays=False)
    limit: int = values.number(8192, 1, values.LARGEST, "limit of tokens")
    column: str = values.text(100, "column")
    folder: str = values.unlinked("")
    row: int = values.unlinked(-1)
    chat_shows: str = values.one_of("tokens", CHAT_SHOWS, "Of the chat")
    chat_request: int = values.number(0, 0, LARGEST, "request")
    kept_price: str = value("", "price of a million kept tokens", values.amount)
    new_price: str = value("", "price of a million new tokens", values.amount)
    lit_tool: int = values.unlinked(-1)
    generated: tuple[tuple[int, str], ...] = values.unlinked(())
    prompt_before: str = values.unlinked("")
    prompt_after: str = values.unlinked("")
    other: str = value(tokenizer_keys.BESIDE[0], "other tokenizer", tokenizer_keys.tokenizer)
    reading: str = values.one_of("ids", ("ids", "text"), "A list of ids")
