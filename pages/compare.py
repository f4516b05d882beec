"""Compare: what two pretokenizers, or any two settings, make of one text."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.cost_curve import cost_curve
from pages.parts.compare import compare_views, held_out, side_sentences, sides
from pages.parts.compare.sides import Side, Sides
from pages.parts.session import inputs, runs, state, your_text
from pages.parts.session.links import SIDES
from pages.parts.views import tables, token_chips
from pages.parts.widgets import controls, frame, settings_row, step_bar, text_box, training_status

PAGE = "compare"

frame.page("pages/compare.py")
text_box.text_box(PAGE)
for column, side in zip(st.columns(2), SIDES, strict=True):
    with column:
        settings_row.side_settings(PAGE, side)
with st.container(horizontal=True, vertical_alignment="bottom"):
    settings_row.vocab_size(PAGE)
    held_out.held_out(PAGE)
controls.examples(PAGE, sides.EXAMPLES)


def train(values: Mapping[str, Any]) -> tuple[Sides, SideBySide]:
    """Both runs, and what the held-out text costs under each."""
    chosen = [inputs.settings(PAGE, side, values) for side in SIDES]
    trained = runs.runs_of(text, chosen)
    names = sides.titles(*chosen)
    held = [
        state.latest(
            PAGE, f"held {place}", (run, tried.digest), lambda run=run: cost_curve(tried.text, run.tokenizer())
        )
        for place, run in zip(SIDES, trained, strict=True)
    ]
    pair = tuple(Side(*each) for each in zip(names, trained, held, strict=True))
    return pair, state.latest(PAGE, "both", tuple(trained), lambda: SideBySide(*trained))


def cuts() -> None:
    """How each side cuts the text."""
    for column, side in zip(st.columns(2, gap="large"), pair, strict=True):
        seen = normalized(text.text, side.run.settings.normalizers)
        sample = seen[: tables.SAMPLE]
        with column:
            st.markdown(f"##### {side.title.replace('`', '')}")
            st.html(token_chips.figures(sides.cut_figures(side, len(seen))))
            cut = side.run.settings.splitter.split(sample)
            st.html(token_chips.pretokens(sample, cut, f"pretokens, {side.title}"))
    st.html(token_chips.note(side_sentences.cut_window(pair, min(len(text.text), tables.SAMPLE), len(text.text))))


def draw() -> None:
    """Both trainings at one step."""
    step = step_bar.step_bar(PAGE, both.steps)
    for column, side, words in zip(st.columns(2, gap="large"), pair, sides.differing_words(both, step), strict=True):
        at = side.at(step)
        with column:
            st.html(token_chips.title(side.title))
            st.html(side_sentences.sentence(side, step))
            made = side.run.merges[at - 1].token if at and at == step else None
            if words.rows:
                name = f"words that differ, {side.title}"
                st.html(token_chips.words(words.rows, words.changed, side.glyph, made, name=name))
            st.html(token_chips.note(side_sentences.words_window(side, step, words.total)))
    compare_views.draw(pair, both, step)


with training_status.explained(PAGE):
    text, tried = your_text.corpus(PAGE), inputs.held_out(PAGE)
    pair, both = training_status.trained(PAGE, train)
    state.start_over(PAGE, tuple(inputs.film_of(text, side.run) for side in pair))
    state.fit_step(PAGE, both.steps)
    frame.remarks(PAGE)
    name = "this very text" if tried == text else f"the held-out text ({tried.name})"
    st.html(f'<p class="sentence">{side_sentences.conclusion(pair, both, name)}</p>')
    cuts()
    step_bar.stage(PAGE, draw, remarked=True)
