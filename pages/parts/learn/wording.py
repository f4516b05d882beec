"""Tokens, words and counts in the sentences of lessons: functions from values to escaped HTML.

They return plain strings, since f-strings put them together: no part of a sentence is escaped twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from bpe_core import Run
from bpe_core.display import html
from bpe_core.display.in_words import counted
from bpe_core.display.token_text import token_text
from bpe_core.record.run import Record
from bpe_core.text.alphabet import encode_text
from pages.parts.learn.questions import BAR
from pages.parts.views import elements

MOST_PARTS, MOST_WORDS = 4, 24  # words in the sum of a count; words of a corpus
EXCERPT = 240  # characters


def tok(token: bytes, glyph: str = "_") -> str:
    """Return a token as a chip."""
    return str(html.chip(token, glyph=glyph))


def row(tokens: Sequence[bytes], glyph: str = "_") -> str:
    """Return tokens as chips in a row."""
    return str(Markup('<span class="pair">{}</span>').format(html.row(list(tokens), glyph)))


def text(shown: str) -> str:
    """Return a text as one chip, which is not split into tokens."""
    return str(html.chip(encode_text(shown), mark="plain"))


def sentence(content: str) -> str:
    """Return a sentence as a paragraph; `content`: HTML in which every text is escaped."""
    return str(elements.sentence(Markup(content)))


def pair_label(left: bytes, right: bytes, glyph: str = "_") -> str:
    """Return the label of a pair, for an option.

    >>> pair_label(b"u", b"g"), pair_label(b"t", b"\\xff")
    ('u + g', 't + _')
    """
    return f"{token_text(left, glyph)} + {token_text(right, glyph)}"


def split_label(tokens: Iterable[bytes], glyph: str = "_") -> str:
    """Return the label of a split, for an option.

    >>> split_label([b"l", b"ighthouse"])
    'l|ighthouse'
    """
    return BAR.join(token_text(token, glyph) for token in tokens)


def corpus(run: Record, step: int, glyph: str = "_") -> str:
    """Return the words of a corpus after a step, with their counts; at most the `MOST_WORDS` most frequent ones."""
    words = run.words(step)
    few = len(words) <= MOST_WORDS
    rows = words if few else sorted(words, key=lambda word: -word[1])[:MOST_WORDS]
    note = "" if few else f"The {MOST_WORDS} most frequent of {len(words):,} words; every count covers all of them."
    name = f"words after {counted(step, 'merge')}: {split_label(rows[0][0], glyph) if rows else 'none'} …"
    return f"{html.words(rows, [False] * len(rows), glyph, name=name)}{elements.note(note) if note else ''}"


def excerpt(whole: str) -> str:
    """Return the beginning of a text, up to the end of a word."""
    begun = whole if len(whole) <= EXCERPT else (whole[:EXCERPT].rpartition(" ")[0] or whole[:EXCERPT]) + " …"
    return str(Markup('<p class="line">{}</p>').format(begun))


def sum_of(run: Run, step: int, left: bytes, right: bytes, glyph: str = "_") -> str:
    """Return the summands of a pair's count, as in "10 in hug, 5 in pug and 5 in hugs"."""
    parts = run.contributions(step, left, right)
    named = [f"{part.count:,} in {row(part.tokens, glyph)}" for part in parts[:MOST_PARTS]]
    if rest := parts[MOST_PARTS:]:
        named.append(f"{sum(part.count for part in rest):,} in {counted(len(rest), 'more word').replace(',', '')}")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def visible(shown: str) -> str:
    """Return a text as a label: its spaces stay, and other invisible characters become glyphs.

    >>> visible("two words\\t")
    'two words→'
    """
    return " ".join(token_text(encode_text(word)) for word in shown.split(" "))


def learnt(run: Run, glyph: str = "_") -> str:
    """Return a sentence with the tokens that a training made, in their order."""
    tokens = " ".join(tok(merge.token, glyph) for merge in run.merges)
    return sentence(f"Learnt, in this order: {tokens}")
