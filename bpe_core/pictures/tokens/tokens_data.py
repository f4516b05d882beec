"""The tokens of a text as a live view, and the data of the view.

The data are arrays (see `Walk`), from which the browser computes the text's tokens after any number of merges. A second
view has a token without a text: the tree of its merges, and the facts about it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np

from bpe_core.pictures.shared.colours import HUES
from bpe_core.pictures.shared.json_form import Json, packed
from bpe_core.pictures.shared.request import Version
from bpe_core.pictures.shared.style import TOKEN_STYLE, shade_rules
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.pictures.shared.view import View, source
from bpe_core.text.alphabet import MARKER
from bpe_core.text.arrays import distinct
from bpe_core.text.words import PER_WORD
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.letters import continued
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_symbols import WordSymbols, counts, word_symbols

TOKENS = View(
    "tokens/token_view.js",
    source("tokens/token_view.html").replace("PANEL", source("tokens/panel.html")),
    TOKEN_STYLE
    + shade_rules("fill")
    + source(
        "shared/controls.css", "tokens/panel.css", "shared/slider.css", "shared/step_bar.css", "tokens/token_view.css"
    ),
)
TOKEN_BIOGRAPHY = View(
    "tokens/biography.js",
    source("tokens/panel.html"),
    TOKEN_STYLE + shade_rules("fill") + source("shared/controls.css", "tokens/panel.css"),
)


SECTIONS = tuple(re.findall(r'data-section="(\w+)"', TOKENS.html))
FIGURES = {
    "tokens": "How many tokens the text becomes.",
    "characters": "Unicode code points; an emoji may have several.",
    "bytes": "The length of the text in UTF-8.",
    "bytes per token": "Bytes divided by tokens: the higher, the fewer tokens. The bytes of lost pieces do not count.",
    "tokens per word": PER_WORD,
    "pieces lost": "Pieces of the text the vocabulary cannot write. Each counts as a token, and as no bytes or word.",
}


# What a reader chooses in the view, by name: the values of the controls in `token_view.html` whose `data-option` has
# the name. An option that is not given is as the markup has it.
Options = Mapping[str, str | bool]


class TokensState(TypedDict):
    """What the view of a text's tokens shows.

    `version`: changes with the text and the vocabulary; the view then adopts the step and the token. `answered`: the
    number of the last request. `title`: the name of the vocabulary. `step`: how many merges apply. `at`: the first
    symbol of the chosen token, -1 for none. `facts`: the biography of the chosen token (see `token_facts.biography`);
    None if no biography is computed. `shows`: some of `SECTIONS`. `options`: the view adopts them once, when the view
    is new. `no_merges`: for a tokenizer without merges, the sentence in `ModelKind`. `is_example`: whether the text
    stands in for a text that is not typed yet: it is drawn pale, and nothing of it is counted. `plays`:
    whether the text plays once by itself, in a tab where nothing has played yet.
    """

    version: Version
    answered: int
    title: str
    step: int
    at: int
    facts: Json | None
    shows: Sequence[str]
    options: Options
    no_merges: NotRequired[str]
    is_example: NotRequired[bool]
    plays: NotRequired[bool]
    given: NotRequired[str]
    remarks: NotRequired[str]
    asks: NotRequired[Json]


def text_data(walk: Walk, glyph: str, state: TokensState) -> Json:
    """Return the data of the view of a text's tokens; `glyph`: the text drawn for the word marker.

    >>> from bpe_core import Settings, train
    >>> walk = train("hug hug", Settings(vocab_size=258)).tokenizer().encode("hug").walk
    >>> state: TokensState = {"version": 1, "answered": 0, "title": "hug", "step": 2, "at": 0, "facts": None,
    ...                 "shows": SECTIONS, "options": {"ids": "no"}, "no_merges": ""}
    >>> text_data(walk, "", state)["counts"]
    {'characters': 3, 'bytes': 3, 'words': 1, 'bytes_written': 3, 'words_to_divide': 1}
    """
    return {**text_arrays(walk), "glyph": glyph, "marks": MARKS, "hues": HUES, "figures": FIGURES, **state}


def text_arrays(walk: Walk) -> Json:
    """Return what follows from a text and its vocabulary: the text, its arrays (see `arrays`) and its counts.

    `steps`: how many merges the vocabulary has.
    """
    steps = len(walk.vocabulary.merges)
    words = word_symbols(walk)
    return {"text": walk.text, **arrays(walk, words), "steps": steps, "counts": counts(walk, words)}


def arrays(walk: Walk, words: WordSymbols) -> dict[str, Any]:
    """Return a text as arrays from which the browser computes the tokens after any number of merges (see `Walk`).

    `symbols`: for each symbol its row in `alphabet`. A row has the id of the symbol, the bytes of the symbol in hex,
    and how many bytes of the text the symbol covers, from the end of the symbol before. In WordPiece the bytes of a
    symbol that continues a word begin with the marker. `moved`: the symbols that cover other bytes than their row says,
    as (symbol, start, end) in bytes.
    `steps_here` and `made_here`: the steps of the merges that change this text, and the ids that those merges make.
    `fallen`: for each symbol, the index in `steps_here` of the merge that removes the boundary before it; if no merge
    does, the length of `steps_here`. `within_words`: for each of these indexes, how many of its boundaries are inside
    words (see `WordSymbols.boundaries`). `lost`: the symbols whose text the vocabulary cannot write. `gone`: start and
    end, in bytes, of each part of the text that the model dropped.
    `continued`: for each character that continues a letter (see `letters`), the index of its first byte in the text.

        steps_here   3 7        step 3 makes "ab", step 7 "abc"
        symbols      a b c d
        fallen       2 0 1 2    2: no merge removes the boundary
    """
    tok = walk.vocabulary
    different, symbols = distinct(walk.ids - UNKNOWN)
    alphabet = [_row(walk, token_id) for token_id in (different + UNKNOWN).tolist()]
    sizes = np.array([size for _, _, size in alphabet], np.int32)[symbols]
    moved = (walk.starts != np.append(0, walk.ends[:-1])[: len(walk)]) | (walk.ends - walk.starts != sizes)
    steps, fallen = distinct(np.minimum(walk.merged_at, len(tok.merges) + 1))
    steps = steps[:-1]  # the last stands for the boundaries that no merge removes, such as the one before the text
    inside = words.boundaries(len(walk))
    at, special = np.flatnonzero(moved), set(tok.special_tokens.values())
    return {
        "symbols": packed(symbols),
        "alphabet": alphabet,
        "moved": packed(np.column_stack((at, walk.starts[at], walk.ends[at]))),
        "fallen": packed(fallen),
        "steps_here": packed(steps),
        "made_here": packed(tok.made_ids[steps - 1]),
        "within_words": packed(np.bincount(fallen[inside], minlength=len(steps) + 1)),
        "lost": packed(np.flatnonzero(walk.lost)),
        "gone": packed(walk.fallen),
        "continued": packed(np.searchsorted(walk.characters_before, np.array(continued(walk.text), int), "right") - 1),
        "lost_name": tok.lost_name,
        "special_ids": [token_id for token_id, _, _ in alphabet if token_id in special],
    }


def _row(walk: Walk, token_id: int) -> tuple[int, str, int]:
    tok = walk.vocabulary
    raw = b"" if token_id == UNKNOWN else tok.token_bytes(token_id)
    marks = tok.word_marker != "none" and raw == MARKER
    return token_id, (MARKER + raw if token_id in tok.within else raw).hex(), 0 if marks else len(raw)
