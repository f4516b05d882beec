"""Compare: what two pretokenizers make of one text."""

import streamlit as st

from bpe_core import PRETOKENIZERS, PatternError, Settings, SettingsError
from pages.parts import controls, frame, sentences, state, tables, token_chips
from pages.parts.corpora import CorpusError

PAGE = "compare"
SIDES = ("left", "right")

frame.page("pages/compare.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE, upload=False)
    for side in SIDES:
        controls.pretokenizer(PAGE, side, f"Pretokenizer on the {side}")
    controls.alphabet(PAGE)
    controls.vocabulary(PAGE)


def draw() -> None:
    """Both trainings at one step."""
    step = controls.step_bar(PAGE, max(run.steps for run in runs))
    for column, run in zip(st.columns(2, gap="large"), runs, strict=True):
        here = min(step, run.steps)
        with column:
            ended = f" Ended after step {run.steps:,}." if step > run.steps else ""
            st.html(
                sentences.step(run, here, "_")
                if not ended
                else f'<p class="sentence">{sentences.stopped(run)}{ended}</p>'
            )
            shown = tables.words(run, here, rows=60)
            new = run.merges[here - 1].token if here and not ended else None
            st.html(token_chips.words(shown.rows, shown.changed if not ended else [False] * len(shown.rows), "_", new))
            st.html(token_chips.note(sentences.corpus_window(run, here, 60)))
            if here:
                st.dataframe(
                    tables.merge_history(run, here, "_").rows,
                    hide_index=True,
                    height=240,
                    key=f"history {run.settings.pretokenizer}",
                )
    st.markdown("##### The two vocabularies")
    shared, *only = tables.vocabulary_difference(*runs, step)
    for column, (title, tokens) in zip(
        st.columns(3, gap="large"),
        ((f"Only {titles[0]}", only[0]), ("In both", shared), (f"Only {titles[1]}", only[1])),
        strict=True,
    ):
        column.html(token_chips.token_list(f"{title}: {len(tokens):,}", tokens, "_"))


try:
    text = state.corpus(PAGE)
    names = [state.get(PAGE, side) for side in SIDES]
    titles = [PRETOKENIZERS[name].title for name in names]
    columns = st.columns(2, gap="large")
    for column, name, title in zip(columns, names, titles, strict=True):
        sample = text.text[: tables.SAMPLE]
        cut = PRETOKENIZERS[name].split(sample)
        column.markdown(f"##### {title}: {len(cut):,} pretokens")
        column.html(token_chips.pretokens(cut))
        column.html(token_chips.note(sentences.lost(sample, [piece.text for piece in cut])))
    chosen = [Settings(name, state.get(PAGE, "alphabet"), vocab_size=state.get(PAGE, "vocabulary")) for name in names]
    runs = [state.run_of(text, each) for each in chosen]
except CorpusError:
    frame.remarks(PAGE)
    state.publish(PAGE)
    st.html(token_chips.note("Choose a text in the sidebar."))
except (SettingsError, PatternError) as error:
    frame.remarks(PAGE)
    state.publish(PAGE)
    st.error(sentences.problem(error))
else:
    state.fit_step(PAGE, max(run.steps for run in runs))
    controls.stage(PAGE, draw)
