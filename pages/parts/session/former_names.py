"""Former names of values in links: they are read, and never written."""

from __future__ import annotations

from pages.parts.session.links import PARAMS, SIDES

FORMER = {
    "marker": "word_marker",
    "ties": "tie_rule",
    "vocabulary": "vocab_size",
    "least": "min_count",
    "specials": "special_tokens",
    "chosen": "forced",
}
FORMER |= {f"{side}-{old}": f"{side}_{new}" for side in SIDES for old, new in FORMER.items()}
FORMER |= {f"{side}-{same}": f"{side}_{same}" for side in SIDES for same in ("pattern", "normalizers", "alphabet")}
FORMER |= {side: f"{side}_pretokenizer" for side in SIDES} | {"held-text": "held_text"}


def current_name(page: str, given: str) -> str:
    """Return today's name of a value that a link of the page has under the name `given`.

    >>> current_name("train", "ties"), current_name("compare", "left-marker"), current_name("playground", "specials")
    ('tie_rule', 'left_word_marker', 'specials')
    """
    return given if given in PARAMS[page] else FORMER.get(given, given)
