"""The terms of the field, each with its definition, and how a sentence explains them where they are first met."""

from __future__ import annotations

import re
from html import escape

TERMS = {
    "token": "A piece of text that a language model reads as one unit: a word, a part of one, or a single byte.",
    "vocabulary": "All tokens that a tokenizer knows, each with a number, its id.",
    "merge": "One step of training: the most frequent pair of neighbours is joined, everywhere, into a new token.",
    "pretokenization": "Splitting the text, before training and before encoding, into pretokens: words and the like. "
    "No merge crosses the end of a pretoken.",
    "corpus": "The text that a tokenizer is trained on.",
    "held-out text": "A text that was not trained on. It shows what a vocabulary is worth on something new.",
    "byte-pair encoding": "Start with single symbols; again and again, join the most frequent pair of neighbours.",
    "id": "The number by which a model knows a token.",
}
_MARKED = re.compile(r"\[([^\]]+)\](?:\(([^)]+)\))?")


def explained(text: str) -> str:
    """A sentence as HTML, in which `[term]`, or `[its form here](term)`, is explained to whoever points at it.

    >>> print(explained("A [merge] <joins>.")[:86])
    A <span class="term" tabindex="0" aria-describedby="term-merge">merge</span> &lt;joins
    """
    met = [found[2] or found[1] for found in _MARKED.finditer(text)]
    shown = _MARKED.sub(lambda found: _term(found[1], found[2] or found[1]), escape(text, quote=False))
    return shown + "".join(_definition(key) for key in met)


def _term(shown: str, key: str) -> str:
    return f'<span class="term" tabindex="0" aria-describedby="{id_of(key)}">{shown}</span>'


def _definition(key: str) -> str:
    return f'<span class="definition" role="tooltip" id="{id_of(key)}">{escape(TERMS[key])}</span>'


def id_of(key: str) -> str:
    """The HTML id of a definition."""
    return f"term-{key.replace(' ', '-')}"
