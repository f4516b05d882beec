"""The terms of the field: what each means, which lesson teaches it, and how a sentence explains it where first met."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple


class Term(NamedTuple):
    """What a term means, and the key of the lesson about it."""

    meaning: str
    lesson: str


TERMS = {
    "token": Term(
        "A piece of text that a language model reads as one unit: a word, a part of one, or a single byte.", "bytes"
    ),
    "vocabulary": Term("All tokens that a tokenizer knows, each with a number, its id.", "size"),
    "merge": Term(
        "One step of training: the most frequent pair of neighbours is joined, everywhere, into a new token.", "pairs"
    ),
    "pretokenization": Term(
        "Splitting the text, before training and before encoding, into pretokens: words and the like. "
        "No merge crosses the end of a pretoken.",
        "cuts",
    ),
    "corpus": Term("The text that a tokenizer is trained on.", "pairs"),
    "held-out text": Term(
        "A text that was not trained on. It shows what a vocabulary is worth on something new.", "size"
    ),
    "byte-pair encoding": Term(
        "Start with single symbols; again and again, join the most frequent pair of neighbours.", "pairs"
    ),
    "id": Term("The number by which a model knows a token.", "spaces"),
}
LEADS = "Follow it to the lesson about it, in a new tab."
_MARKED = re.compile(r"\[([^\]]+)\](?:\(([^)]+)\))?")


def explained(text: str) -> str:
    """A sentence as HTML, in which `[term]`, or `[its form here](term)`, is explained to whoever points at it.

    >>> print(explained("A [merge] <joins>.")[:114])
    A <a class="term" href="learn?lesson=pairs" target="_blank" aria-describedby="term-merge">merge</a> &lt;joins&gt;.
    """
    met = [found[2] or found[1] for found in _MARKED.finditer(text)]
    shown = _MARKED.sub(lambda found: _term(found[1], found[2] or found[1]), escape(text, quote=False))
    return shown + "".join(_definition(key) for key in met)


def _term(shown: str, key: str) -> str:
    lesson = f"learn?lesson={TERMS[key].lesson}"  # a tab of its own: in this one, opening a page by link starts anew
    return f'<a class="term" href="{lesson}" target="_blank" aria-describedby="{id_of(key)}">{shown}</a>'


def _definition(key: str) -> str:
    return f'<span class="definition" role="tooltip" id="{id_of(key)}">{escape(TERMS[key].meaning)} {LEADS}</span>'


def id_of(key: str) -> str:
    """The HTML id of a definition."""
    return f"term-{key.replace(' ', '-')}"
