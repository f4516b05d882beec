"""The style sheet of the app. Only tokens have colours. Its rules are in `style/*.css`; what follows from Python is here.

The variables of the sheet (colours, sizes, spaces) and the style of tokens are the engine's (`bpe_core.pictures`).
"""

from __future__ import annotations

import re
from pathlib import Path

from bpe_core import PRETOKENIZERS
from bpe_core.pictures.shared.style import TOKEN_STYLE, VARIABLES, without_comments
from bpe_core.text.custom_patterns import custom
from pages.parts.ui.terms import TERMS, id_of

# The colours of charts. Charts are SVG within the page, so that its variables reach them.
CHART_ACCENT, CHART_TIE, CHART_BAR = "var(--accent)", "var(--tie)", "var(--bar)"
SIDE_COLOURS = {"left": CHART_BAR, "right": CHART_ACCENT}  # of the sides of Compare, in bars and in charts
FILE_BAR, MOST_BARS = 25, 30  # the pixels of a bar in a chart of files, and the most bars that such a chart has
OWN_TOOLS = "tokenizers.table"  # the keys of tables that have a download and a search of their own begin so
_LIT = "{ border-color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }"


def class_of(key: str) -> str:
    """Return the CSS class that Streamlit gives to a widget with a key.

    >>> class_of("tokenizers.table gpt2")
    'st-key-tokenizers-table-gpt2'
    """
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key)


def _definitions() -> str:
    """Return a rule for each term: its definition shows while the pointer or the focus is on one of its links."""
    return "".join(
        f".term[aria-describedby={id}]:is(:hover, :focus-visible) ~ #{id} {{ display: block; }}\n"
        for id in map(id_of, TERMS)
    )


def _rules() -> str:
    """Return a rule for each rule of a pretokenizer: pointing at its name marks its pretokens."""
    names = dict.fromkeys(name for splitter in (*PRETOKENIZERS.values(), custom(".")) for name, _ in splitter.rules)
    return "".join(
        f'.sides section:has([data-rule="{name}"]:is(:hover, :focus)) .token[title="rule: {name}"] {_LIT}\n'
        for name in names
    )


def _cuts() -> str:
    """Return a rule for each piece of a text and the alternative of its pattern: pointing at one marks both."""
    return "".join(
        f'.cuts:has([data-cut="{n}"]:is(:hover, :focus)) :is(li[data-cut="{n}"], [data-cut="{n}"] > .token) {_LIT}\n'
        for n in range(1, 25)
    )


def _bars() -> str:
    """Return a rule for each number of bars in a chart of files: what stands below keeps its place as the chart comes."""
    return "".join(f".st-key-file-bars-{n} {{ min-height: {FILE_BAR * n}px; }}\n" for n in range(1, MOST_BARS + 1))


_SHEETS = Path(__file__).with_name("style")
_FILES = ("elements", "frame", "pages", "learn")
STYLE = "\n".join(
    [
        f":root {{ {VARIABLES} }}",
        TOKEN_STYLE,
        *(without_comments((_SHEETS / f"{name}.css").read_text(encoding="utf-8")) for name in _FILES),
        _definitions(),
        _rules(),
        _cuts(),
        _bars(),
    ]
)
