"""The panels under the Train page's corpus and chart: one is open at a time, and only that one is worked out."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pandas as pd
import streamlit as st

from bpe_core import Run, reference
from bpe_core.record.check import check
from bpe_core.tokenizer.trace import trace
from pages.parts.session import state
from pages.parts.views import charts, sentences, tables, token_chips
from pages.parts.widgets import controls, downloads
from pages.parts.widgets.controls import View

PAGE = "train"
MOST_TRACED = 40  # lines


def _go(step: int) -> None:
    state.put(PAGE, "step", step)
    state.play(PAGE, None)


def history(run: Run, step: int, glyph: str) -> None:
    """The merges so far; a row leads to its step."""
    window = tables.merge_history(run, step, glyph, controls.find(PAGE, "Find a token"))
    table_key = f"history {step}"

    def jump() -> None:
        chosen = state.recall(table_key)["selection"]["rows"]
        if chosen:
            _go(int(window.rows["step"].iloc[chosen[0]]))

    if window.total:
        st.dataframe(
            window.rows, hide_index=True, height=320, key=table_key, on_select=jump, selection_mode="single-row"
        )
    said = sentences.window(len(window.rows), window.total, "merges")
    st.html(token_chips.note(f"{said} Choose a row to go to its step." if window.total else "No merge yet."))


def pairs(run: Run, step: int, glyph: str) -> None:
    """All pairs of this step."""
    window = tables.pair_window(run, step, glyph, controls.find(PAGE, "Find a pair"))
    st.dataframe(window.rows, hide_index=True, height=320)
    st.html(token_chips.note(sentences.window(len(window.rows), window.total, "pairs")))


def vocabulary(run: Run, step: int, glyph: str) -> None:
    """The tokens so far, and how often the corpus still uses each."""
    window = tables.vocabulary(run, step, glyph, controls.find(PAGE, "Find a token"))
    st.dataframe(window.rows, hide_index=True, height=320)
    unused = int((run.token_uses(step)[run.base :] == 0).sum())
    said = sentences.window(len(window.rows), window.total, "tokens")
    st.html(token_chips.note(f"{said} {unused:,} of {step:,} merged tokens are no longer used by the corpus."))


def curves(run: Run, step: int, glyph: str) -> None:
    """What training does to the corpus."""
    points = tables.curves(run)
    names = ["tokens in the corpus", "bytes per token", "vocabulary"]
    for column, name in zip(st.columns(3, gap="large"), names, strict=True):
        with column:
            downloads.chart(charts.curve(points, name, step), f"curve {name}", f"{name} over the steps")


def try_a_word(run: Run, step: int, glyph: str) -> None:
    """Any text encoded with the vocabulary of this step, merge by merge."""
    text = st.text_input("Text", key=state.key(PAGE, "try"), placeholder="Type a word", width=320)
    tokenizer = run.tokenizer(step)
    encoding = tokenizer.encode(text)
    lines = [(pretoken, applied) for pretoken in encoding.pretokens for applied in trace(tokenizer, pretoken.text)][
        :MOST_TRACED
    ]
    for i, (pretoken, applied) in enumerate(lines):
        where, what = st.columns([1, 5], vertical_alignment="center")
        chips = f'<div class="tokens">{token_chips.row(applied.tokens, glyph, applied.left + applied.right)}</div>'
        what.html(chips)
        if applied.step:
            where.button(
                f"Step {applied.step:,}", key=f"trace {i}", on_click=_go, args=(applied.step,), width="stretch"
            )
        else:
            where.html(token_chips.note(f"{pretoken.rule}, cut into symbols"))
    if text:
        ids = " ".join("unknown" if i < 0 else str(i) for i in encoding.ids)
        st.html(token_chips.note(f"Ids: {ids}"))
    else:
        st.html(
            token_chips.note("Each merge that applies is shown, in the order learnt, with the step that taught it.")
        )


def check_run(run: Run, step: int, glyph: str) -> None:
    """Recompute this step from scratch."""
    st.html(token_chips.note("Recomputes this step from scratch, without the record that the page shows."))
    if st.button(f"Check step {step:,}"):
        for finding in check(run, step):
            show = st.error if not finding.holds else st.success if finding.finished else st.warning
            verdict = "NO" if not finding.holds else "yes" if finding.finished else "as far as it was checked"
            show(f"{finding.claim}: {verdict}. `{finding.figures.replace('`', '')}`")


def export(run: Run, step: int, glyph: str) -> None:
    """Everything as files, and the link."""
    sheets: dict[str, Callable[[], pd.DataFrame]] = {
        "merges": lambda: tables.merge_history(run, step, glyph, rows=None).rows,
        "vocabulary": lambda: tables.vocabulary(run, step, glyph, rows=None).rows,
        "pairs": lambda: tables.pair_counts(run, step, glyph, run.history.occurring(step)),
        "words": lambda: tables.word_table(run, step, glyph),
    }
    downloads.downloads(sheets, step)
    downloads.tokenizer_files(run, step)
    downloads.link(PAGE)


def algorithm(run: Run, step: int, glyph: str) -> None:
    """The textbook algorithm that the fast one is held to."""
    st.code(inspect.getsource(reference), language="python")


VIEWS = {
    "history": View("Merge history", history),
    "pairs": View("Pairs", pairs),
    "vocabulary": View("Vocabulary", vocabulary),
    "curves": View("Curves", curves),
    "try": View("Try a word", try_a_word),
    "check": View("Check", check_run),
    "export": View("Export", export),
    "algorithm": View("The algorithm", algorithm),
}


def draw(run: Run, step: int, glyph: str) -> None:
    """The panels' names, and the open one."""
    controls.open_view(PAGE, VIEWS).draw(run, step, glyph)
