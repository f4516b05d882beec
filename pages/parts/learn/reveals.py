"""The drawing of a reveal's instruments, with a function for each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st
from markupsafe import Markup

from bpe_core import PRETOKENIZERS, Encoding
from bpe_core.display import html
from bpe_core.files.tokenizer_json import CONTINUING
from bpe_core.live.film_data import RunSide
from bpe_core.live.film_view import Layout, Position, Stage, position
from bpe_core.live.request import read_request
from bpe_core.live.text_data import Options, State, text_data
from bpe_core.live.wordpiece_film import fraction
from pages.parts.film.film import film
from pages.parts.learn import instruments, wording
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.live_text.token_views import token_view
from pages.parts.session import state, vocabularies
from pages.parts.views import charts, elements, tables
from pages.parts.widgets import downloads

BARS, WORDS, FEW = 8, 100, 6  # FEW: up to so many tokens are shown with their ids
ONE, TWO = ("said", "corpus", "pairs", "merges"), ("said", "corpus")  # the parts of a film with one side, with two


_TRACE = Markup('<table class="trace tokens"><caption>{}, merge by merge</caption>{}</table>')
_MERGE = Markup("<tr><td>{}</td><td>{}</td></tr>")
_COSTS = Markup('<table class="costs"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>')
_NAME, _ROW, _COST = Markup("<th>{}</th>"), Markup("<tr>{}</tr>"), Markup("<td><b>{:,}</b>{}</td>")


def training(shown: instruments.Training) -> None:
    """Draw the film of a run."""
    _film([shown], shown.step)


def two_trainings(shown: instruments.TwoTrainings) -> None:
    """Draw the film of two runs."""
    _film([shown.left, shown.right], 0)


@st.fragment
def _film(shown: list[instruments.Training], step: int) -> None:
    """Draw the film of runs with one step bar. It is a fragment, since nothing else on the page depends on it."""
    sides = [RunSide(each.run, each.glyph) for each in shown]
    stages = [
        Stage(side, range(min(len(each.run.pretokens), WORDS)), title=each.name if len(shown) > 1 else "")
        for side, each in zip(sides, shown, strict=True)
    ]
    key = f"learn.film {shown[0].name}"
    request = read_request(state.recall(key))
    now = position(request, sides, Position(step), 1)
    film(key, request, stages, now, 1, Layout(TWO if len(shown) > 1 else ONE))


def trace(shown: instruments.Trace) -> None:
    """Draw a table of the merges that encode a word."""
    rows = (
        _MERGE.format(
            f"step {merge.step:,}" if merge.step else "before",
            html.row(merge.tokens, shown.glyph, merge.left + merge.right if merge.step else None),
        )
        for merge in shown.applied
    )
    st.html(_TRACE.format(shown.word, html.joined(rows)))


def blocked(shown: instruments.Blocked) -> None:
    """Draw charts of the pairs that the split forbids and of those that it allows."""
    forbidden = shown.run.blocked_pairs(shown.step, BARS)
    for column, name, frame in zip(
        st.columns(2, gap="large"),
        (f"Blocked by the split of {shown.run.settings.splitter.title}", "Allowed by it"),
        (tables.pair_rows(forbidden, lambda pair: "other"), tables.pair_counts(shown.run, shown.step, "_", BARS)),
        strict=True,
    ):
        with column:
            st.html(elements.title(f"{name}, at step {shown.step:,}"))
            if len(frame):
                downloads.chart(charts.pair_frequency(frame, len(frame)), f"learn {name}", f"{name} pairs")
            else:
                st.html(elements.note("None."))


def tokens(shown: instruments.Tokens) -> None:
    """Draw a table of the tokens of each text with each tokenizer."""
    names = (_NAME.format(name) for name, _ in shown.tokenizers)
    table = [[tok.encode(text, specials=False) for _, tok in shown.tokenizers] for text in shown.texts]
    few = all(len(encoding.ids) <= FEW for row in table for encoding in row)
    rows = (_ROW.format(html.joined(_cell(encoding, show_ids=few) for encoding in row)) for row in table)
    st.html(_COSTS.format(html.joined(names), html.joined(rows)))


@st.fragment
def merging(shown: instruments.Merging) -> None:
    """Draw the tokens of a text with a slider for the step of the vocabulary, at first the last step."""
    vocabulary = vocabularies.published(GPT2_KEY)
    walk = vocabulary.tokenizer.encode(shown.text).walk
    options: Options = {"ids": "yes", "marks": True, "window": 0, "price": 0}
    key = f"learn.view {shown.text}"
    view: State = {
        "version": shown.text, "answered": read_request(state.recall(key)).number, "title": vocabulary.title,
        "step": vocabulary.steps, "at": -1, "facts": None, "shows": ("merging",), "options": options,
    }  # fmt: skip
    token_view(key, text_data(walk, "_", view))


def _cell(encoding: Encoding, show_ids: bool) -> Markup:
    drawn = html.text_tokens(encoding.tokens, encoding.ids, show_ids=show_ids)
    return _COST.format(len(encoding.ids), drawn)


def pretokens(shown: instruments.Pretokens) -> None:
    """Draw the pretokens of a text in each split."""
    for name, key in shown.splits:
        split = PRETOKENIZERS[key].split(shown.text)
        st.html(elements.note(f"Split as {name}") + html.pretokens(shown.text, split, f"pretokens, {name}"))


def curve(shown: instruments.Curve) -> None:
    """Draw the curve of tokens over the size of the vocabulary."""
    sizes = range(shown.base, shown.base + len(shown.growth.tokens))
    points = pd.DataFrame({"step": sizes, "tokens": shown.growth.tokens})
    st.html(elements.title(f"What “{shown.name}” costs as the vocabulary grows"))
    drawn = charts.curve(points, "tokens", shown.base + len(points) - 1, "tokens in the vocabulary")
    downloads.chart(drawn, "learn curve", "tokens of the other text as the vocabulary grows")


def vocabulary(shown: instruments.Vocabulary) -> None:
    """Draw a table of the tokens and their uses."""
    window = tables.vocabulary(shown.run, shown.run.steps, shown.glyph)
    learnt = window.rows[window.rows["step"] > 0]
    st.dataframe(learnt.sort_values("step")[["step", "token", "uses", "note"]], hide_index=True, width=520)


def scores(shown: instruments.Scores) -> None:
    """Draw tables of the pairs with the best scores and of those with the highest counts."""
    best, most = st.columns(2, gap="large")
    for column, name, pairs in (
        (best, "By score: what WordPiece goes by", shown.run.scores(0, BARS)),
        (most, "By count: what BPE goes by", sorted(shown.run.scores(0), key=lambda pair: -pair.count)[:BARS]),
    ):
        rows = [(wording.pair_label(pair.left, pair.right, CONTINUING), pair.count, fraction(pair)) for pair in pairs]
        column.html(elements.title(name))
        column.dataframe(pd.DataFrame(rows, columns=["pair", "count", "score"]), hide_index=True)


DRAW: dict[type, Callable[[Any], None]] = {
    instruments.Training: training,
    instruments.TwoTrainings: two_trainings,
    instruments.Trace: trace,
    instruments.Blocked: blocked,
    instruments.Tokens: tokens,
    instruments.Merging: merging,
    instruments.Pretokens: pretokens,
    instruments.Curve: curve,
    instruments.Vocabulary: vocabulary,
    instruments.Scores: scores,
}


def draw(instrument: Any) -> None:
    """Draw an instrument."""
    DRAW[type(instrument)](instrument)
