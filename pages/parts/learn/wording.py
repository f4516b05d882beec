"""How lessons show tokens, words and counts within a sentence: escaped HTML from values, as plain strings.

Sentences are put together from these by f-strings, so no part of them is escaped twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from bpe_core import Run
from bpe_core.display import html
from bpe_core.display.token_text import token_text
from bpe_core.text.alphabet import encode_text
from pages.parts.learn.questions import BAR
from pages.parts.views import elements
from pages.parts.views.sentences import counted

MOST_PARTS, MOST_WORDS = 4, 24  # words that make up a count; words to look at
EXCERPT = 240  # characters


def tok(token: bytes, glyph: str = "_") -> str:
    """A token as a chip."""
    return str(html.chip(token, glyph=glyph))


def row(tokens: Sequence[bytes], glyph: str = "_") -> str:
    """Tokens side by side."""
    return str(Markup('<span class="pair">{}</span>').format(html.row(list(tokens), glyph)))


def text(shown: str) -> str:
    """A text under study, not split."""
    return str(html.chip(encode_text(shown), mark="plain"))


def sentence(said: str) -> str:
    """A sentence of its own; `said`: HTML in which every text is escaped."""
    return str(elements.sentence(Markup(said)))


def pair_label(left: bytes, right: bytes, glyph: str = "_") -> str:
    """A pair as an option.

    >>> pair_label(b"u", b"g"), pair_label(b"t", b"\\xff")
    ('u + g', 't + _')
    """
    return f"{token_text(left, glyph)} + {token_text(right, glyph)}"


def split_label(tokens: Iterable[bytes], glyph: str = "_") -> str:
    """A split as an option.

    >>> split_label([b"l", b"ighthouse"])
    'l|ighthouse'
    """
    return BAR.join(token_text(token, glyph) for token in tokens)


def corpus(run: Run, step: int, glyph: str = "_") -> str:
    """The words of a corpus after a step, each with its count; of many, the most frequent."""
    words = run.words(step)
    few = len(words) <= MOST_WORDS
    rows = words if few else sorted(words, key=lambda word: -word[1])[:MOST_WORDS]
    said = "" if few else f"The {MOST_WORDS} most frequent of {len(words):,} words; every count covers all of them."
    name = f"words after {counted(step, 'merge')}: {split_label(rows[0][0], glyph) if rows else 'none'} …"
    return f"{html.words(rows, [False] * len(rows), glyph, name=name)}{elements.note(said) if said else ''}"


def excerpt(whole: str) -> str:
    """The beginning of a text, as far as its last whole word."""
    begun = whole if len(whole) <= EXCERPT else (whole[:EXCERPT].rpartition(" ")[0] or whole[:EXCERPT]) + " …"
    return str(Markup('<p class="line">{}</p>').format(begun))


def sum_of(run: Run, step: int, left: bytes, right: bytes, glyph: str = "_") -> str:
    """What a pair's count is made of: "10 in hug, 5 in pug and 5 in hugs"."""
    parts = run.contributions(step, left, right)
    named = [f"{part.count:,} in {row(part.tokens, glyph)}" for part in parts[:MOST_PARTS]]
    if rest := parts[MOST_PARTS:]:
        named.append(f"{sum(part.count for part in rest):,} in {counted(len(rest), 'more word').replace(',', '')}")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def visible(shown: str) -> str:
    """A text as an option: its spaces stay, what cannot be seen gets a mark.

    >>> visible("two words\\t")
    'two words→'
    """
    return " ".join(token_text(encode_text(word)) for word in shown.split(" "))


def learnt(run: Run, glyph: str = "_") -> str:
    """The tokens that a training made, in order."""
    tokens = " ".join(tok(merge.token, glyph) for merge in run.merges)
    return sentence(f"Learnt, in this order: {tokens}")
