"""The stages of a training that crosses words: which one is shown, and what happens between them."""

from __future__ import annotations

import streamlit as st

from bpe_core import Run
from bpe_core.display.in_words import counted
from pages.parts.session import state
from pages.parts.session.page_states import STAGES, Train
from pages.parts.views import elements


def stage(whole: Run) -> Run:
    """Draw the choice of a stage, if the training has two; return the run of the stage that is shown."""
    if whole.earlier is None:
        return whole
    titles = dict(zip(STAGES, map(title, whole.stages), strict=True))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="train-stages"):
        chosen = st.segmented_control(
            "Stage",
            list(STAGES),
            format_func=lambda name: titles[name],
            required=True,
            key=state.key(Train, "stage"),
            label_visibility="collapsed",
        )
        st.html(elements.note(between(whole.earlier, whole)), width="content")
    return whole.earlier if chosen == STAGES[0] else whole


def title(run: Run) -> str:
    """Return the title of a stage.

    >>> from bpe_core import Settings, train
    >>> [title(run) for run in train("to be to be", Settings(vocab_size=259, then_across_words_from=257)).stages]
    ['Within words: 1 merge', 'Across words: 2 merges']
    """
    return f"{'Across' if run.earlier else 'Within'} words: {counted(run.steps, 'merge')}"


def between(first: Run, second: Run) -> str:
    """Return a sentence on what changes between two stages: the pairs that become candidates, and the tokens.

    >>> from bpe_core import Settings, train
    >>> between(*train("to be to be", Settings(vocab_size=259, then_across_words_from=257)).stages)
    'Between them the walls fall, and 2 different pairs more are candidates.'
    """
    more = second.history.occurring(0) - first.history.occurring(first.steps)
    found = f"{counted(more, 'different pair')} more {'is a candidate' if more == 1 else 'are candidates'}"
    return f"Between them the walls fall, and {found}." if more > 0 else "Between them the walls fall."
