"""Compare: two trainings on one text, with different pretokenizers or other settings."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from markupsafe import Markup

from bpe_core.display import html
from bpe_core.live.film_data import RunSide
from bpe_core.live.film_view import Position, Stage
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.normalizers import normalized
from bpe_core.text.split_difference import split_differences
from bpe_core.tokenizer.cost_curve import cost_curve
from pages.parts.compare import compare_views, held_out, side_sentences, sides, word_rows
from pages.parts.compare.compare_views import Comparison
from pages.parts.compare.sides import Side, Sides
from pages.parts.session import inputs, runs, state, steps, your_text
from pages.parts.session.links import SIDES
from pages.parts.views import elements
from pages.parts.widgets import controls, frame, settings_row, text_box, training_status
from pages.parts.widgets.film_player import Player

PAGE = "compare"
_POINT = Markup('<p class="point">{}</p>')
FILM = ("timeline", "said", "corpus", "pairs")  # not the merges: a view shows those of both sides in one table

frame.page("pages/compare.py")
text_box.text_box(PAGE, height=66)
with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare-settings"):
    for side in SIDES:
        settings_row.side_settings(PAGE, side)
    settings_row.vocab_size(PAGE)
controls.examples(PAGE, sides.EXAMPLES)


def train(values: Mapping[str, Any]) -> tuple[Sides, SideBySide]:
    """Return both sides, each with its run and its cost of the held-out text, and the runs side by side."""
    chosen = [inputs.settings(PAGE, side, values) for side in SIDES]
    trained = runs.runs_of(text, chosen)
    costs = [
        state.latest(f"cost {name}", (run, tried.digest), lambda run=run: cost_curve(tried.text, run.tokenizer()))
        for name, run in zip(SIDES, trained, strict=True)
    ]
    titles = sides.titles(*chosen)
    pair = state.latest("pair", (*titles, *trained, tried.digest), lambda: tuple(map(Side, titles, trained, costs)))
    return pair, state.latest("both", tuple(trained), lambda: SideBySide(*trained))


def splits() -> None:
    """Draw the two sentences that sum the comparison up, and how each side splits the text."""
    seen = [normalized(text.text, side.run.settings.normalizers) for side in pair]
    split = [side.run.settings.splitter.split(whole[: sides.SAMPLE]) for side, whole in zip(pair, seen, strict=True)]
    differences = split_differences(*split)
    for sentence in side_sentences.point(pair, both, differences, held_out.name(tried, text)):
        st.html(_POINT.format(sentence))
    for column, side, whole, pretokens in zip(st.columns(2, gap="large"), pair, seen, split, strict=True):
        with column:
            st.html(elements.title(side.title))
            st.html(html.pretokens(whole[: sides.SAMPLE], pretokens, f"pretokens, {side.title}"))
            st.html(elements.figures(sides.split_figures(side, len(whole))))
    st.html(elements.note(side_sentences.split_window(pair, len(text.text))))


def stages(_: Position) -> list[Stage]:
    """Return what the film shows: both sides, with equal words in the same rows."""
    window = word_rows.window(both, everything=state.get(PAGE, "all_words") == "yes")
    columns = zip(*window.rows, strict=True) if window.rows else ((), ())
    return [
        Stage(film, list(rows), window.note, side.title) for film, rows, side in zip(films, columns, pair, strict=True)
    ]


def views() -> None:
    """Draw the open view at the films' step."""
    compare_views.draw(Comparison(PAGE, pair, both, min(state.get(PAGE, "step"), both.steps), text))


above, film = st.container(), st.container()
with above, training_status.explained(PAGE):
    text, tried = your_text.corpus(PAGE), inputs.held_out(PAGE)
    pair, both = training_status.trained(PAGE, train)
    steps.start_over(PAGE, tuple(inputs.film_of(text, side.run) for side in pair))
    steps.fit(PAGE, both.steps)
    frame.remarks(PAGE)
    splits()
    films = [RunSide(side.run, side.glyph) for side in pair]
    with film:
        st.html(elements.heading("Both trainings, step by step"))
        word_rows.switch(PAGE)
        Player(PAGE, films, stages, FILM).play(below=views)
