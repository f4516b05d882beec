"""What only the Train page has to choose from: another of the tied pairs, a guess, a part of the corpus."""

from __future__ import annotations

import streamlit as st

from bpe_core import Run
from bpe_core.display.token_text import token_text
from pages.parts.session import branches, state
from pages.parts.views import sentences, tables, token_chips
from pages.parts.widgets import controls

GUESSES = 12  # pairs to choose from
MOST_TIED = 50  # pairs in the menu


def branch(page: str, run: Run, step: int, glyph: str) -> None:
    """Take another of the tied pairs at this step instead, and the way back."""
    forced = dict(run.settings.forced)

    def take() -> None:
        left, right, _ = tied[state.get(page, "instead")]
        # what was chosen for later steps belonged to the run that is left here
        kept = {at: pair for at, pair in forced.items() if at < step}
        state.put(page, "forced", branches.write(kept | {step: (left, right)}))
        state.play(page, None)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        if step and run.merges[step - 1].tied > 1:
            tied = run.tied(step, MOST_TIED)
            now = run.merges[step - 1][:2]
            others = [i for i, pair in enumerate(tied) if pair[:2] != now]
            named = {i: " + ".join(token_text(half, glyph) for half in tied[i][:2]) for i in others}
            label = "Take this tied pair instead"
            options = list(named)
            st.selectbox(
                label, options, None, named.get, key=f"{page}.instead", on_change=take, placeholder=label,
                label_visibility="collapsed", width=280,
            )  # fmt: skip
        if forced:
            steps = ", ".join(f"{at:,}" for at in sorted(forced))
            st.caption(f"You chose the pair at step {steps}.", width="content")
            st.button("Back to the rule's choice", on_click=state.put, args=(page, "forced", ""))


def predict(page: str, run: Run, step: int) -> bool:
    """The switch that hides what comes next; shows the verdict on the last guess and the score."""
    on = st.toggle("Predict the next merge", key=f"{page}.predict")
    right, asked, verdict = state.recall(f"{page}.score", (0, 0, ""))
    if on and asked:
        st.html(token_chips.note(f"{verdict} Score: {right:,} of {asked:,}."))
    return on and step < run.steps


def guess(page: str, run: Run, step: int, glyph: str) -> None:
    """Pick the pair that the next step joins; the step is then made and the pick judged."""
    pairs = sorted(pair[:2] for pair in run.pair_counts(step, GUESSES))
    named = {i: " + ".join(token_text(half, glyph) for half in pair) for i, pair in enumerate(pairs)}

    def judge() -> None:
        hit, verdict = sentences.guess(run, step, pairs[state.recall(picker)], glyph)
        right, asked, _ = state.recall(f"{page}.score", (0, 0, ""))
        state.put(page, "score", (right + hit, asked + 1, verdict))
        state.put(page, "step", step + 1)

    picker = f"{page}.guess {step}"
    st.html(token_chips.note("Which pair is the most frequent in the corpus? The counts are hidden."))
    st.selectbox("Your guess", list(named), None, named.get, key=picker, on_change=judge, placeholder="Choose a pair")


def corpus_window(page: str) -> tuple[str, str]:
    """What to look for in the corpus, and how to sort it."""
    with st.container(horizontal=True):
        find = controls.find(page, "Find in words", "words", width=180)
        sort = st.selectbox(
            "Sort", list(tables.SORTS), None, key=state.key(page, "sort"), placeholder="Sort",
            label_visibility="collapsed", width=170,
        )  # fmt: skip
    return find, sort or ""


def word_pairs(page: str, run: Run, step: int, rows: list, glyph: str) -> None:
    """Choose a word to see its pairs and their counts."""
    words = {token_text(b"".join(tokens), glyph): tokens for tokens, _ in rows}
    label = "Pairs of a word"
    word = st.selectbox(
        label, list(words), None, key=f"{page}.word", placeholder=label, label_visibility="collapsed", width=260
    )
    if word in words:
        st.dataframe(tables.word_pairs(words[word], run, step, glyph), hide_index=True)
