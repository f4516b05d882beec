"""The terms of the field, with their meanings and lessons. Also the HTML of sentences that explain their terms."""

from __future__ import annotations

import re
from typing import NamedTuple

from markupsafe import Markup, escape


class Term(NamedTuple):
    """The meaning of a term, and the key of the lesson about it."""

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
    "pretoken": Term("A piece of the text as the split makes it, such as a word. No merge crosses its end.", "cuts"),
    "corpus": Term("The text that a tokenizer is trained on.", "pairs"),
    "held-out text": Term(
        "A text that was not trained on. It shows what a vocabulary is worth on something new.", "size"
    ),
    "byte-pair encoding": Term(
        "Start with single symbols; again and again, join the most frequent pair of neighbours.", "pairs"
    ),
    "id": Term("The number by which a model knows a token.", "spaces"),
    "alphabet": Term("The symbols that a training starts from: the characters of the text, or all bytes.", "pairs"),
    "byte": Term("A number from 0 to 255. A computer stores a character as one to four of them.", "bytes"),
}
LEADS = "Follow it to the lesson about it, in a new tab."
_MARKED = re.compile(r"\[([^\]]+)\](?:\(([^)]+)\))?")


def with_terms(text: str) -> Markup:
    """Return a sentence as HTML. In it, `[term]` and `[another form](term)` become links with definitions.

    A definition shows while the pointer or the focus is on its link.

    >>> print(with_terms("A [merge] <joins>.")[:114])
    A <a class="term" href="learn?lesson=pairs" target="_blank" aria-describedby="term-merge">merge</a> &lt;joins&gt;.
    """
    met = [found[2] or found[1] for found in _MARKED.finditer(text)]
    shown = _MARKED.sub(lambda found: _term(found[1], found[2] or found[1]), escape(text))
    return Markup(shown) + Markup().join(map(_definition, met))


def without_terms(text: str) -> str:
    """Return a sentence without the marks of its terms.

    >>> without_terms("A [merge] of [tokens](token).")
    'A merge of tokens.'
    """
    return _MARKED.sub(r"\1", text)


def lesson_about(question: str, lesson: str) -> Markup:
    """Return a line with a link to a lesson. The lesson opens in a new tab. `lesson`: the key of the lesson."""
    return Markup('<p class="note"><a href="learn?lesson={}" target="_blank">{}</a></p>').format(lesson, question)


# The lesson opens in a new tab, since following a link in this tab would start a new session.
_TERM = Markup('<a class="term" href="learn?lesson={}" target="_blank" aria-describedby="{}">{}</a>')
_DEFINITION = Markup('<span class="definition" role="tooltip" id="{}">{} {}</span>')


def _term(shown: str, key: str) -> Markup:
    return _TERM.format(TERMS[key].lesson, id_of(key), Markup(shown))  # `with_terms` has escaped it


def _definition(key: str) -> Markup:
    return _DEFINITION.format(id_of(key), TERMS[key].meaning, LEADS)


def id_of(key: str) -> str:
    """Return the HTML id of the definition of a term."""
    return f"term-{key.replace(' ', '-')}"
