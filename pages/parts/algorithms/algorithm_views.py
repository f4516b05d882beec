"""The views of the Algorithms page: one is open at a time, and only that one is worked out."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from bpe_core import PatternError, Tokenizer
from bpe_core.display import html
from bpe_core.models.all_models import Models
from pages.parts.algorithms import model_tables
from pages.parts.algorithms import unigram_rounds as rounds
from pages.parts.algorithms import wordpiece_steps as steps
from pages.parts.session import links, state, your_text
from pages.parts.session.corpora import WORD_CHARACTERS
from pages.parts.views import charts, elements, sentences
from pages.parts.views.tables import words
from pages.parts.widgets import controls, downloads, step_bar
from pages.parts.widgets.controls import View

PAGE = "algorithms"
STORY = "short-story"  # there the two ways of encoding differ


def _text_to_cut() -> str:
    """A text that no model was trained on."""
    return st.text_input("A text to cut", key=state.key(PAGE, "sentence"), max_chars=links.SENTENCE)


def compare(models: Models) -> None:
    """The same text under each model, and what that comes to."""
    text = _text_to_cut()
    st.html(model_tables.sentence(models, text))
    st.dataframe(model_tables.results(models, text), hide_index=True, placeholder="", column_config={
        name: st.column_config.NumberColumn(help=about, format="%.2f" if "per word" in name else "localized")
        for name, about in model_tables.FIGURES.items()
    })  # fmt: skip
    st.html(elements.heading("Shared tokens"))
    shared = model_tables.overlap(models)
    percent = st.column_config.NumberColumn(format="%d%%")
    st.dataframe(shared, hide_index=True, column_config=dict.fromkeys(shared.columns[1:], percent))
    st.html(elements.note(model_tables.OVERLAP))
    downloads.sheet("All vocabularies (CSV)", "vocabularies", lambda: model_tables.vocabulary_table(models))


def wordpiece(models: Models) -> None:
    """WordPiece's merges, the scores beside the counts."""
    run = models.wordpiece
    step = step_bar.step_bar(PAGE, run.steps)
    st.html(steps.sentence(run, step))
    corpus, pairs = st.columns(2, gap="large")
    with pairs:
        best, most = steps.by_score(run, step), steps.by_count(run, step)
        if len(best):
            st.markdown("##### By score: what WordPiece goes by")
            downloads.chart(charts.pair_scores(best, steps.BARS), "scores", "the pairs with the best scores")
            st.markdown("##### By count: what BPE goes by")
            downloads.chart(charts.pair_frequency(most, steps.BARS), "counts", "the most frequent pairs")
        else:
            st.markdown("##### Pairs")
        st.html(elements.note(sentences.pair_window(run, step, steps.BARS)))
    with corpus:
        st.markdown("##### Corpus")
        shown, made = words(run, step), run.merges[step - 1].token if step else None
        st.html(html.words(shown.rows, shown.changed, model_tables.GLYPH, made))
        st.html(elements.note(sentences.corpus_window(run, step)))
        st.html(elements.note(steps.IN_PRACTICE))
    downloads.table("Merges so far", steps.history(run, step), "merges")
    downloads.sheet("Merges (CSV)", f"wordpiece-step-{step}", lambda: steps.history(run, step, None).rows)


def unigram(models: Models) -> None:
    """Unigram's rounds."""
    run = models.unigram
    number = step_bar.step_bar(PAGE, run.steps, "round")
    st.html(rounds.sentence(run, number))
    corpus, ways = st.columns(2, gap="large")
    with corpus:
        st.markdown("##### Corpus, cut the most probable way")
        st.html(rounds.words(run, number))
        st.html(elements.note(rounds.words_window(run, number)))
    with ways:
        if word := st.text_input("Ways to cut a word", key=state.key(PAGE, "word"), max_chars=WORD_CHARACTERS):
            model = run.model(number)
            st.html(rounds.ways(model, word))
            st.html(elements.note(rounds.ways_said(model, word)))
    left, right = st.columns(2, gap="large")
    with left:
        downloads.table("Pruned in this round", rounds.pruned(run, number), "tokens")
        if said := rounds.free(run, number):
            st.html(elements.note(said))
    with right:
        downloads.table("Vocabulary", rounds.vocabulary(run, number), "tokens")
    figures = rounds.figures(run)
    if run.steps:  # one round is no curve
        for column, name in zip(st.columns(3, gap="large"), rounds.CURVES, strict=True):
            with column:
                downloads.chart(charts.curve(figures, name, number, "round"), name, f"{name} over the rounds")
    with st.container(horizontal=True):
        downloads.sheet("Pruned (CSV)", f"pruned-round-{number}", lambda: rounds.pruned(run, number, None).rows)
        downloads.sheet(
            "Vocabulary (CSV)", f"unigram-round-{number}", lambda: rounds.vocabulary(run, number, None).rows
        )
        downloads.sheet("Rounds (CSV)", "unigram-rounds", lambda: figures.rename(columns={"step": "round"}))


def encode(models: Models) -> None:
    """BPE's vocabulary, used in merge order and by longest match."""
    tokenizer = models.by_name["bpe"]
    typed = list(dict.fromkeys(model_tables.words_of(models, _text_to_cut())))
    here, there = model_tables.two_ways(tokenizer, typed), model_tables.two_ways(tokenizer, models.counts)
    every, differing = {*typed, *models.counts}, {*here, *there}
    st.html(f'<p class="sentence">{model_tables.ways_said(models, tokenizer, len(every), len(differing))}</p>')
    st.html(elements.note(model_tables.WAYS))
    _both_ways("Words of the text", tokenizer, typed, here)
    if there:
        _both_ways("Words of the corpus that differ", tokenizer, there, ())
    elif not here:
        st.button("Show it on a short story", on_click=your_text.choose, args=(PAGE, STORY))
    if every:
        downloads.sheet(
            "Both ways (CSV)", "two-ways", lambda: model_tables.ways_table(tokenizer, dict.fromkeys([*typed, *there]))
        )


def _both_ways(name: str, tokenizer: Tokenizer, words: list[str], marked: Collection[str]) -> None:
    """A list of words both ways, and how much of it is on the screen."""
    if not words:
        return
    st.html(elements.heading(name))
    st.html(model_tables.both_ways(tokenizer, words, marked, name))
    said = [sentences.window(min(len(words), model_tables.DIFFERENCES), len(words), "words")]
    if marked:
        said.append(f"{sentences.counted(len(marked), 'word')} marked ●: cut in two ways.")
    st.html(elements.note(" ".join(said)))


VIEWS = {
    "compare": View("Side by side", compare),
    "wordpiece": View("WordPiece, step by step", wordpiece),
    "unigram": View("Unigram, round by round", unigram),
    "encode": View("Two ways to encode", encode),
}


def fit(models: Models) -> None:
    """Keep the step or the round of the open view within its run."""
    view = state.get(PAGE, "view")
    if view == "wordpiece":
        state.fit_step(PAGE, models.wordpiece.steps)
    elif view == "unigram":
        state.fit_step(PAGE, models.unigram.steps, "round")


def draw(models: Models) -> None:
    """The views' names, and the open one."""
    state.keep(PAGE)
    view = controls.open_view(PAGE, VIEWS, on_change=lambda: state.play(PAGE, None))
    try:
        view.draw(models)
    except PatternError as error:  # on the text: the corpus has been cut already
        st.error(sentences.problem(error))
