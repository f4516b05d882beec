"""What the live view is told about a text: its boundaries at every step, and what it takes to draw them. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from bpe_core import UNKNOWN, Tokenizer
from bpe_core.display.colours import HUES
from bpe_core.display.token_text import MARKS
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.tokenizer.boundaries import Boundaries
from bpe_core.training.lifetimes import NEVER
from pages.parts.views.sentences import FIGURES

NARROW = 0xFFFF  # fewer steps than this go into 16 bits, where this number stands for "never"


def _base64(array: np.ndarray) -> str:
    return b64encode(array.tobytes()).decode("ascii")


def merged_at(found: Boundaries, steps: int) -> str:
    """The steps of all boundaries as base64 of little-endian integers: 16 bits where they suffice, else 32."""
    if steps >= NARROW:
        return _base64(found.merged_at.astype("<i4"))
    return _base64(np.minimum(found.merged_at, NARROW).astype("<u2"))


def stretches(text: str, found: Boundaries) -> str:
    """The stretches as base64 of 32-bit integers: start, end, symbols, special; offsets in UTF-16 units."""
    rows = np.array(found.stretches, "<i4").reshape(-1, 4)
    if text and not text.isascii():
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        units = np.append(0, np.cumsum(1 + (points > 0xFFFF)))
        rows[:, :2] = units[rows[:, :2]]
    return _base64(rows)


def tokenizer_facts(tokenizer: Tokenizer, text: str, found: Boundaries) -> dict[str, Any]:
    """How ids follow from symbols and steps.

    `first_id`: the id of step 1 where all others follow it; else `made_ids` has those of the steps in the text.
    """
    made, base = tokenizer.made_ids, tokenizer.base_ids
    regular = bool((np.diff(made) == 1).all())
    here = [] if regular else np.unique(found.merged_at[found.merged_at != NEVER]).tolist()
    if tokenizer.alphabet == "bytes":
        ids: Any = [base.get(bytes([value]), UNKNOWN) for value in range(256)]
    else:
        ids = {char: base.get(encode_text(char), UNKNOWN) for char in set(text)}
    return {
        "alphabet": tokenizer.alphabet,
        "marker": tokenizer.word_marker,
        "marker_id": base.get(MARKER, UNKNOWN),
        "base": ids,
        "byte_ids": list(tokenizer.byte_ids),  # of a character that is none of the base
        "space_id": base.get(b" ", UNKNOWN),
        "first_id": int(made[0]) if regular and len(made) else 0 if regular else None,
        "made_ids": {step: int(made[step - 1]) for step in here},
    }


def payload(text: str, tokenizer: Tokenizer, found: Boundaries, glyph: str, about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything the view needs. `about`, from the page:

    `version` and `key` of the text and the vocabulary, its `title`, the `step`, the symbol `at` of the chosen token and
    what is told of it (`facts`), which parts the view `shows`, and its `options`.
    """
    steps = len(tokenizer.merges)
    return {
        "text": text,
        "merged_at": merged_at(found, steps),
        "stretches": stretches(text, found),
        "steps": steps,
        "tokenizer": tokenizer_facts(tokenizer, text, found),
        "special_ids": list(tokenizer.special_tokens.values()),
        "glyph": glyph,
        "marks": MARKS,
        "hues": HUES,
        "figures": FIGURES,
        "counts": {"characters": len(text), "bytes": len(encode_text(text)), "words": len(text.split())},
        **about,
    }
