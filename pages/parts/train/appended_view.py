"""The usual way to add tokens to a vocabulary: append the tokens of another, and see which of them no text reaches."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from markupsafe import Markup

from bpe_core import Run, train
from bpe_core.pictures.paper import html
from bpe_core.settings import BYTE_SYMBOLS
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.trimming import append, unreached
from pages.parts.server.limits import LIMITS
from pages.parts.ui import elements

SHOWN = 40  # the most tokens of a list on the screen
_TOKENS = Markup('<div class="tokens">{}</div>')


class Appended(NamedTuple):
    """The result of appending a vocabulary to a start (the vocabulary that a training starts from).

    `new`: the tokens that the start lacked. `lost`: the new tokens that no text reaches. `merges`: the number of
    merges of the appended vocabulary. `tokens`: three numbers, the text's tokens with the start, with the start and the
    appended tokens, and with the start and the tokens that the training made.
    """

    new: tuple[bytes, ...]
    lost: tuple[bytes, ...]
    merges: int
    tokens: tuple[int, int, int]


def appended(run: Run) -> Appended:
    """Train another vocabulary, with as many merges as `run` made; append its new tokens to those `run` began with.

    Raise `ValueError` for a run without texts or without a start.

    >>> from bpe_core import Settings
    >>> run = train("The parrots’ parrots squawk", Settings(vocab_size=50_260, start="gpt2"))
    >>> appended(run).lost
    ()
    """
    if run.start is None or run.texts is None:
        raise ValueError("only a run on a text that starts from tokens has what appending would give instead")
    settings = run.stages[0].settings
    size = BYTE_SYMBOLS + run.steps + len(settings.special_tokens)
    apart = train(run.texts, replace(settings, vocab_size=size, forced={}, min_count=1)).tokenizer()
    both = append(run.start, apart)
    lost = unreached(both, run.base)
    start, appended, grown = (
        sum(tokenizer.count(text, specials=False) for text in run.texts)
        for tokenizer in (run.start, both, run.tokenizer())
    )
    new = both.tokens[run.base :]
    return Appended(new, tuple(both.tokens[i] for i in lost), len(apart.merges), (start, appended, grown))


def draw(run: Run, step: int, glyph: str) -> None:
    """Draw a button that appends another vocabulary to the training's start and, after a click, what this gives."""
    start = run.settings.starts_from
    st.html(elements.note("The usual way trains another vocabulary on the text, apart, and appends its new tokens."))
    if run.texts and sum(map(len, run.texts)) > LIMITS.training_characters // 10:
        st.html(
            elements.note("This text is too long to train it once more here; in Python: bpe_core.tokenizer.trimming.")
        )
    elif st.button("Append instead"):
        found = appended(run)
        new, lost, cost = sentences(found, run.steps, start)
        for sentence, tokens in ((new, found.new), (lost, found.lost), (cost, ())):
            st.html(elements.note(sentence))
            if tokens:
                more = f" and {len(tokens) - SHOWN:,} more" if len(tokens) > SHOWN else ""
                st.html(_TOKENS.format(html.row(tokens[:SHOWN], glyph) + more))


def sentences(found: Appended, grown: int, start: str) -> tuple[str, str, str]:
    """Return three sentences on appended tokens: which are new, which no text can use, and what the text costs.

    `grown`: how many tokens the training itself made. `start`: the name of the vocabulary that it starts from.

    >>> found = Appended((b"sh", b" sh", b" shi"), (b" shi",), 9, (20, 12, 9))
    >>> for said in sentences(found, 9, "the tokens of GPT-2"):
    ...     print(said)  # doctest: +NORMALIZE_WHITESPACE
    Trained apart, 9 merges make 3 tokens that are not among the tokens of GPT-2.
    Once appended, 1 of them can never be used: in every text older merges come first and use up its parts.
    The text has 20 tokens with the start as it is, 12 with what is appended, and 9 grown, by 9 new tokens that can all
    be used.
    """
    made = counted(len(found.new), "token that is", "tokens that are")
    new = f"Trained apart, {counted(found.merges, 'merge makes', 'merges make')} {made} not among {start}."
    lost = "Once appended, all of them can be used." if found.new else "So nothing is appended."
    if found.lost:
        their = "its" if len(found.lost) == 1 else "their"
        never = f"Once appended, {len(found.lost):,} of them can never be used"
        lost = f"{never}: in every text older merges come first and use up {their} parts."
    before, appended, after = (f"{number:,}" for number in found.tokens)
    cost = f"The text has {before} tokens with the start as it is, {appended} with what is appended, and {after} grown"
    used = f"by {counted(grown, 'new token')} that can {'all ' if grown > 1 else ''}be used"
    return new, lost, f"{cost}, {used}."
