"""What the live view is told of a text: the arrays of its walk, packed for the way to the browser. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from bpe_core import UNKNOWN
from bpe_core.display.colours import HUES
from bpe_core.display.token_text import MARKS
from bpe_core.text.alphabet import MARKER
from bpe_core.text.arrays import distinct
from bpe_core.tokenizer.walk import Walk
from pages.parts.views.sentences import FIGURES

Packed = dict[str, Any]


def packed(values: np.ndarray) -> Packed:
    """Numbers from 0 as base64 of little-endian integers, with as many bits as the largest needs; as floats from 2**31.

    >>> packed(np.array([1, 258]))
    {'bits': 16, 'base64': 'AQACAQ=='}
    """
    most = int(values.max(initial=0))
    bits = 8 if most < 1 << 8 else 16 if most < 1 << 16 else 32 if most < 1 << 31 else 64
    kind = "f" if bits == 64 else "u"
    return {"bits": bits, "base64": b64encode(values.astype(f"<{kind}{bits // 8}").tobytes()).decode("ascii")}


def arrays(walk: Walk) -> dict[str, Any]:
    """The arrays of a walk.

    `symbols`: which row of `alphabet` each symbol is. A row has the symbol's id, its bytes in hex, and how many bytes
    of the text it covers, where it follows on the symbol before. `moved`: the others, as (symbol, start, end) in bytes.
    `steps_here` and `made_here`: the steps of the merges that change this text, and the ids that they make.
    `fallen`: for each symbol, which of these merges removed the boundary before it; their number where none did:

        steps_here   3 7        step 3 makes "ab", step 7 "abc"
        symbols      a b c d
        fallen       2 0 1 2    2: the boundary stands
    """
    tok = walk.vocabulary
    different, symbols = distinct(walk.ids - UNKNOWN)
    alphabet = [_row(walk, token_id) for token_id in (different + UNKNOWN).tolist()]
    sizes = np.array([size for _, _, size in alphabet], np.int32)[symbols]
    moved = (walk.starts != np.append(0, walk.ends[:-1])[: len(walk)]) | (walk.ends - walk.starts != sizes)
    steps, fallen = distinct(np.minimum(walk.merged_at, len(tok.merges) + 1))
    steps = steps[:-1]  # but that of the boundaries that stand: there is one before every text
    at, special = np.flatnonzero(moved), set(tok.special_tokens.values())
    return {
        "symbols": packed(symbols),
        "alphabet": alphabet,
        "moved": packed(np.column_stack((at, walk.starts[at], walk.ends[at]))),
        "fallen": packed(fallen),
        "steps_here": packed(steps),
        "made_here": packed(tok.made_ids[steps - 1]),
        "special_ids": [token_id for token_id, _, _ in alphabet if token_id in special],
    }


def _row(walk: Walk, token_id: int) -> tuple[int, str, int]:
    tok = walk.vocabulary
    raw = b"" if token_id == UNKNOWN else tok.token_bytes(token_id)
    marks = tok.word_marker != "none" and raw == MARKER
    return token_id, raw.hex(), 0 if marks else len(raw)


def payload(walk: Walk, glyph: str, about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything the view needs. `about`, from the page:

    `version` and `key` of the text and the vocabulary, its `title`, the `step`, the symbol `at` of the chosen token and
    what is told of it (`facts`), which parts the view `shows`, and its `options`.
    """
    text = walk.text
    return {
        "text": text,
        **arrays(walk),
        "steps": len(walk.vocabulary.merges),
        "glyph": glyph,
        "marks": MARKS,
        "hues": HUES,
        "figures": FIGURES,
        "counts": {"characters": len(text), "bytes": len(walk.raw), "words": len(text.split())},
        **about,
    }
