"""The start page: what this is, a miniature of it, and the way to the pages."""

import streamlit as st

from bpe_core import Settings
from bpe_core.display import html
from pages.parts.session import runs
from pages.parts.session.corpora import example
from pages.parts.views import charts, elements, sentences, tables
from pages.parts.widgets import downloads, frame, step_bar

PAGE = "start"
DOORS = (
    ("pages/playground.py", "Playground", "Paste a text and see its tokens."),
    ("pages/train.py", "Train", "Step through the training of a vocabulary, merge by merge."),
    ("pages/compare.py", "Compare", "See what GPT-2 and whitespace pretokenization make of the same text."),
    ("pages/pipeline.py", "Pipeline", "Follow one text through every stage, from characters to ids and back."),
    ("pages/algorithms.py", "Algorithms", "Lay BPE beside WordPiece and Unigram, and walk through all three."),
)

frame.page("app.py")
run = runs.run_of(example("newest-widest"), Settings("whitespace", "characters", "end", vocab_size=21))


def draw() -> None:
    """The miniature."""
    step = step_bar.step_bar(PAGE, run.steps)
    st.html(sentences.step(run, step, "_"))
    corpus, pairs = st.columns(2, gap="large")
    shown = tables.words(run, step)
    corpus.html(html.words(shown.rows, shown.changed, "_", run.merges[step - 1].token if step else None))
    with pairs:
        downloads.chart(
            charts.pair_frequency(tables.pair_counts(run, step, "_", 6), 6), "pairs", "the most frequent pairs"
        )


step_bar.stage(PAGE, draw)
for column, (path, name, about) in zip(st.columns(len(DOORS)), DOORS, strict=True):
    with column, st.container(border=True, height="stretch", key=f"door-{name}"):
        st.page_link(path, label=f"**{name}**")
        st.html(elements.note(about))
