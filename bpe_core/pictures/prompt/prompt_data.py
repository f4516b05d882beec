"""Data for the view of a prompt's end: the text around the end, the tokens of prompt and whole text, a sentence."""

from __future__ import annotations

from typing import NotRequired, TypedDict

import numpy as np

from bpe_core.pictures.shared.colours import HUES
from bpe_core.pictures.shared.json_form import Json, Sentence, as_json
from bpe_core.pictures.shared.request import Version
from bpe_core.pictures.shared.style import TOKEN_STYLE
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.pictures.shared.view import View, source
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.prompt_end import PromptEnd
from bpe_core.tokenizer.walk import TokenTable

PROMPT_END = View(
    "prompt/prompt.js",
    source("prompt/prompt.html"),
    TOKEN_STYLE + source("shared/controls.css", "shared/rows.css", "shared/slider.css", "prompt/prompt.css"),
)
AROUND = 300  # characters of the text before and after the end that the view shows
BEFORE, AFTER = 24, 12  # a row's tokens before the first difference, and its tokens after the end of the prompt
LISTED = 20  # of the tokens that begin with the prompt's part of the token that its end cuts
SAME, OTHER, LATER = 0, 1, 2  # where a token is: in both rows, in one row, after the prompt's end


class PromptState(TypedDict):
    """The state of the view.

    `version`: changes when the source sets the prompt's end. `answered`: as in `request`. `chosen`: the end that was
    chosen, in characters, or -1 for the end that is found. `cut`: whether that is an end that cuts a token. `given`:
    the text as it was typed. `asks`: whom the view asks about another text or end; without it the view asks the source.
    """

    version: Version
    answered: int
    chosen: int
    cut: bool
    given: str
    asks: NotRequired[Json]


def prompt_data(found: PromptEnd, glyph: str, state: PromptState) -> Json:
    """Return the data of the view of a prompt's end; `glyph`: the text drawn for the word marker.

    >>> from bpe_core import load
    >>> from bpe_core.tokenizer.prompt_end import prompt_end
    >>> state: PromptState = {"version": 1, "answered": 0, "chosen": 5, "cut": False, "given": "http://a"}
    >>> data = prompt_data(prompt_end(load("gpt2"), "http://a", 5), "", state)
    >>> [[bytes.fromhex(token) for token, *_ in row["tokens"]] for row in data["rows"]]
    [[b'http', b':'], [b'http', b'://', b'a']]
    """
    return {**end_data(found), "glyph": glyph, "marks": MARKS, "hues": HUES, **state}


def end_data(found: PromptEnd) -> Json:
    """Return what follows from a text, its vocabulary and the prompt's end. Offsets are in characters.

    `end`: where the prompt ends. `text`: the part of the text around the end, which begins at `first`. `length`: of the
    whole text. `rows`: the tokens of the prompt, and of the whole text. `sentence`: how they differ. `differs`: whether
    the prompt has a token of its own. `listed`: the first tokens that begin with what the end cuts off, as (bytes in
    hex, id, whether the whole text has it here), of `count`.
    """
    text, end = found.whole.text, len(found.prompt.text)
    first = max(0, end - AROUND)
    tokens = found.whole.walk.vocabulary.drawn_bytes
    across = None if found.across is None else found.tables[0].ids[found.across]
    return {
        "end": end,
        "length": len(text),
        "first": first,
        "text": text[first : end + AROUND],
        "rows": [_row(found, found.tables[1]), _row(found, found.tables[0])],
        "sentence": as_json([*tokens_here(found), *_tokens_lost(found)]),
        "listed": [(tokens(i).hex(), i, bool(i == across)) for i in found.others[:LISTED].tolist()],
        "count": len(found.others),
        "differs": found.differs,
    }


def _row(found: PromptEnd, table: TokenTable) -> Json:
    """Return a row's tokens around the prompt's end: (bytes in hex, id, kind, whether it is unknown text)."""
    whole, _ = found.tables
    start = max(0, found.same - BEFORE)
    later = _first_later(found) if table is whole else len(table)
    shown = range(start, min(later + AFTER, len(table), start + BEFORE + 4 * AFTER))
    kinds = [SAME if n < found.same else OTHER if n < later else LATER for n in shown]
    return {
        "count": len(table),
        "before": start,
        "tokens": [
            (table.drawn(n).hex(), int(table.ids[n]), kind, bool(table.lost[n]))
            for n, kind in zip(shown, kinds, strict=True)
        ],
        "after": len(table) - shown.stop,
        "lost_name": table.walk.vocabulary.lost_name,
    }


def _first_later(found: PromptEnd) -> int:
    """Return the index of the whole text's first token that begins at or after the end of the prompt."""
    whole, _ = found.tables
    if found.across is not None:
        return found.across + 1
    return len(whole) if found.at is None else int(np.searchsorted(whole.starts, found.at))


def tokens_here(found: PromptEnd) -> Sentence:
    """Return how the tokens of the prompt differ from the tokens of the whole text."""
    whole, prompt = found.tables
    size = len(prompt)
    if not found.prompt.text:
        return ["The prompt is empty: move its end into the text."]
    if len(found.prompt.text) == len(found.whole.text):
        if found.cut_off:
            return ["Your text ends with a space, which is the token ", found.cut_off, ". "]
        return ["The prompt is the whole text: move its end to where a model should go on."]
    if not found.differs:
        return [f"Nothing is cut: the prompt’s {counted(size, 'token')} also begin the whole text."]
    if found.across is None:
        return ["The text is split in another way when more follows, so the last tokens of the prompt differ."]
    token = whole.drawn(found.across)
    if not found.cut_off:
        return ["The end cuts ", token, ", which the vocabulary cannot write."]
    return ["The end cuts ", token, ", a token of the whole text: the prompt has only ", found.cut_off, " of it. "]


def _tokens_lost(found: PromptEnd) -> Sentence:
    """Return how many tokens of the vocabulary begin with the prompt's part of the token that its end cuts."""
    if not found.cut_off:
        return []
    known = len(found.whole.walk.vocabulary.in_byte_order[1])
    number = len(found.others)
    if not number:
        return ["No token begins so and goes on."]
    begin = counted(number, "begins with ", "begin with ")
    lost = "goes on: to use it" if number == 1 else "go on: to use one of them"
    part = found.cut_off
    return [f"Of {known:,} tokens {begin}", part, f" and {lost} now, a model has to write ", part, " a second time."]
