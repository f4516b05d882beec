"""The instruments of a reveal on the screen: one function a kind."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from bpe_core import PRETOKENIZERS
from bpe_core.display.token_text import token_text
from pages.parts.learn import instruments, wording
from pages.parts.views import charts, tables, token_chips
from pages.parts.widgets import downloads

BARS = 8
WITHIN = "##"


def training(shown: instruments.Training) -> None:
    """The corpus and its pairs at one step."""
    corpus, pairs = st.columns(2, gap="large")
    corpus.html(wording.corpus(shown.run, shown.step, shown.glyph))
    with pairs:
        counts = tables.pair_counts(shown.run, shown.step, shown.glyph, BARS)
        downloads.chart(charts.pair_frequency(counts, BARS), f"pairs {shown.name}", "the most frequent pairs")


def two_trainings(shown: instruments.TwoTrainings) -> None:
    """Both runs, the merges in order and the words after them."""
    for column, side in zip(st.columns(2, gap="large"), (shown.left, shown.right), strict=True):
        column.html(token_chips.title(side.name))
        column.html(wording.learnt(side.run, side.glyph) + wording.corpus(side.run, side.run.steps, side.glyph))


def trace(shown: instruments.Trace) -> None:
    """Merge by merge."""
    rows = "".join(
        f"<tr><td>{f'step {merge.step:,}' if merge.step else 'before'}</td><td>"
        f"{token_chips.row(merge.tokens, shown.glyph, merge.left + merge.right if merge.step else None)}</td></tr>"
        for merge in shown.applied
    )
    st.html(f'<table class="trace tokens"><caption>{escape(shown.word)}, merge by merge</caption>{rows}</table>')


def blocked(shown: instruments.Blocked) -> None:
    """What the cut forbids, beside what it allows."""
    forbidden = shown.run.blocked_pairs(shown.step, BARS)
    allowed = tables.pair_counts(shown.run, shown.step, "_", BARS)
    rows = [
        (rank, f"{token_text(left)}  {token_text(right)}", count, "tied", f"{left.hex()}.{right.hex()}")
        for rank, (left, right, count) in enumerate(forbidden, 1)
    ]
    columns = ["rank", "pair", "count", "role", "hex"]
    for column, name, frame in zip(
        st.columns(2, gap="large"),
        ("Blocked: a cut stands between", "Allowed"),
        (pd.DataFrame(rows, columns=columns).assign(role="other"), allowed),
        strict=True,
    ):
        with column:
            st.html(token_chips.title(f"{name}, at step {shown.step:,}"))
            if len(frame):
                downloads.chart(charts.pair_frequency(frame, BARS), f"learn {name}", f"{name} pairs")
            else:
                st.html(token_chips.note("None."))


def tokens(shown: instruments.Tokens) -> None:
    """A text under each tokenizer, with ids and their number."""
    for name, tokenizer in shown.tokenizers:
        encoding = tokenizer.encode(shown.text, specials=shown.specials)
        count = f"{len(encoding.ids):,}"
        st.html(f"{token_chips.note(f'{name}: {count}')}{token_chips.text_tokens(encoding.tokens, encoding.ids)}")


def pretokens(shown: instruments.Pretokens) -> None:
    """A text under each cut."""
    for name, key in shown.cuts:
        cut = PRETOKENIZERS[key].split(shown.text)
        st.html(token_chips.note(f"Cut as {name}") + token_chips.pretokens(shown.text, cut, f"pretokens, {name}"))


def curve(shown: instruments.Curve) -> None:
    """Tokens over the size of the vocabulary."""
    sizes = range(shown.base, shown.base + len(shown.growth.tokens))
    points = pd.DataFrame({"step": sizes, "tokens": shown.growth.tokens})
    drawn = charts.curve(points, "tokens", shown.base + len(points) - 1, "entries of the vocabulary")
    downloads.chart(drawn, "learn curve", "tokens of the other text as the vocabulary grows")


def vocabulary(shown: instruments.Vocabulary) -> None:
    """The tokens and their uses."""
    window = tables.vocabulary(shown.run, shown.run.steps, shown.glyph)
    learnt = window.rows[window.rows["step"] > 0]
    st.dataframe(learnt, hide_index=True)


def scores(shown: instruments.Scores) -> None:
    """The best scores, beside the highest counts."""
    best, most = st.columns(2, gap="large")
    for column, name, pairs in (
        (best, "By score: what WordPiece goes by", shown.run.scores(0, BARS)),
        (most, "By count: what BPE goes by", sorted(shown.run.scores(0), key=lambda pair: -pair.count)[:BARS]),
    ):
        rows = [
            (token_text(pair.left, WITHIN), token_text(pair.right, WITHIN), pair.count, pair.left_count,
             pair.right_count, round(float(pair.score), 3))
            for pair in pairs
        ]  # fmt: skip
        columns = ["left", "right", "count", "count of left", "count of right", "score"]
        column.html(token_chips.title(name))
        column.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True)


DRAW: dict[type, Callable[[Any], None]] = {
    instruments.Training: training,
    instruments.TwoTrainings: two_trainings,
    instruments.Trace: trace,
    instruments.Blocked: blocked,
    instruments.Tokens: tokens,
    instruments.Pretokens: pretokens,
    instruments.Curve: curve,
    instruments.Vocabulary: vocabulary,
    instruments.Scores: scores,
}


def draw(instrument: Any) -> None:
    """One instrument."""
    DRAW[type(instrument)](instrument)
