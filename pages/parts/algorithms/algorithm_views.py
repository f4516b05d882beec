"""The views of the Algorithms page. Only one view is open at a time, and only the open view is computed."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from bpe_core import PatternError, Settings, Tokenizer
from bpe_core.models.all_models import Models
from bpe_core.models.unigram import UnigramRun
from bpe_core.pictures.film import unigram_side
from bpe_core.pictures.film.film_answer import FilmLayout, ShownSide, ShownWords, words_of
from bpe_core.pictures.film.wordpiece_side import SECTIONS, WordPieceSide
from bpe_core.text.in_words import counted
from pages.parts.algorithms import model_tables
from pages.parts.algorithms import unigram_rounds as rounds
from pages.parts.page import your_text
from pages.parts.state import state
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.texts import corpora
from pages.parts.trainings import runs
from pages.parts.ui import charts, controls, downloads, elements, film, sentences
from pages.parts.ui.controls import PageView

IN_PRACTICE = "## continues a word. Hugging Face's WordPieceTrainer goes by the [count instead]."
BY_COUNT = (
    "The score favours rare symbols that only occur together. With the count, as in BPE, only the ## and the longest "
    "match are WordPiece's."
)
BEGINNING = "Below are the tokens of only the first {} of the text. The models were trained on all of it."
STORY, FEW = "short-story", 8  # an example where the two ways to encode differ, and how many of its words are shown


def _text() -> str:
    """Draw a line for a text to tokenize; return the text.

    At first the line has the example's sentence or, on any other corpus, the beginning of the corpus.
    """
    st.html(elements.note("Text to tokenize:"), width="content")
    return controls.line(Algorithms, "sentence", "Text to tokenize", label_visibility="collapsed")


def beginning_shown(text: str) -> None:
    """Say so if the text to tokenize is only the beginning of the page's text."""
    whole = your_text.corpus(state.read(Algorithms)).text.strip()
    words = text.split()
    if words and words != whole.split() and words == whole.split()[: len(words)]:
        st.html(elements.sentence(BEGINNING.format(counted(len(words), "word") if len(words) > 1 else "word")))


def compare(models: Models, text: str) -> None:
    """Draw a text as each model segments it, figures of the models, and the shares of common tokens."""
    st.html(model_tables.sentence(models, text))
    st.html(model_tables.about_wordpiece(models, text) + elements.explained(*model_tables.SIGNS))
    results, shared = model_tables.results(models, text), model_tables.overlap(models)
    st.html(elements.heading("Figures"))
    st.dataframe(results, hide_index=True, placeholder="", column_config={
        name: st.column_config.NumberColumn(help=about, format="%.2f" if "per known word" in name else "localized")
        for name, about in model_tables.FIGURES.items()
    })  # fmt: skip
    st.html(elements.explained(*model_tables.READ_TOGETHER))
    st.html(elements.heading("Shared tokens, without ##"))
    percent = st.column_config.NumberColumn(format="%d%%", help=model_tables.OVERLAP)
    st.dataframe(shared, hide_index=True, column_config=dict.fromkeys(shared.columns[1:], percent))
    with st.container(horizontal=True):
        downloads.sheet("Figures (CSV)", "algorithms", lambda: results)
        downloads.sheet("Shared tokens (CSV)", "shared-tokens", lambda: shared)
        downloads.sheet("All vocabularies (CSV)", "vocabularies", lambda: model_tables.vocabulary_table(models))


def wordpiece(models: Models) -> None:
    """Draw the film of WordPiece's merges. The film lists the pairs by score and by count."""
    run = models.wordpiece
    side = WordPieceSide(run)
    shown = [ShownSide(side, words_of(side))]
    film.fragment(Algorithms, lambda: _picture(shown, FilmLayout(SECTIONS)))
    st.html(elements.explained(IN_PRACTICE, BY_COUNT))
    with st.container(horizontal=True):
        downloads.sheet("Merges (CSV)", "wordpiece-merges", lambda: model_tables.wordpiece_history(run))
        downloads.model_file(run.tokenizer(), run.settings.normalizers, "wordpiece")


def unigram(models: Models) -> None:
    """Draw the film of Unigram's rounds and, below the film, the round that the film is at."""
    run = models.unigram
    shown = [ShownSide(unigram_side.UnigramSide(run), lambda *_: ShownWords())]
    layout = FilmLayout(unigram_side.SECTIONS, follows=True)
    film.fragment(Algorithms, lambda: _picture(shown, layout, "round"), lambda: _round(run))
    st.html(elements.note("Each round prunes the tokens that cost least to do without."))


def _picture(shown: list[ShownSide], layout: FilmLayout, name: str = "step") -> None:
    """Draw a film. `name`: the name of the value that has the film's step."""
    now = state.read(Algorithms)
    chosen = film.asked(now, [each.side for each in shown], name)
    film.draw(film.with_choice(now, chosen, name), chosen, shown, layout, name)


def _round(run: UnigramRun) -> None:
    """Draw the film's round: the corpus, the ways to segment a word, the pruned tokens, the vocabulary, the curves."""
    number = min(state.read(Algorithms).round, run.steps)
    corpus, ways = st.columns(2, gap="large")
    with corpus:
        st.html(elements.title("Corpus, segmented in the most probable way"))
        st.html(rounds.words(run, number))
        st.html(elements.note(rounds.words_window(run, number)))
    with ways:
        if word := controls.line(Algorithms, "word", "Ways to segment a word"):
            model = run.model(number)
            st.html(rounds.ways(model, word))
            st.html(elements.note(rounds.ways_sentence(model, word)))
    left, right = st.columns(2, gap="large")
    with left:
        downloads.data_table("Pruned in this round", rounds.pruned(run, number), "tokens")
        if free := rounds.free(run, number):
            st.html(elements.note(free))
    with right:
        downloads.data_table("Vocabulary", rounds.vocabulary(run, number), "tokens")
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
        downloads.model_file(run.model(number), run.settings.normalizers, "unigram")


def encode(models: Models, text: str) -> None:
    """Draw words as BPE's vocabulary segments them in two ways: in merge order and by longest match."""
    tokenizer = models.by_name["bpe"]
    assert isinstance(tokenizer, Tokenizer)
    typed = list(dict.fromkeys(model_tables.words_of(models, text)))
    here, there = model_tables.two_ways(tokenizer, typed), model_tables.two_ways(tokenizer, models.counts)
    every, differing = {*typed, *models.counts}, {*here, *there}
    if not differing:
        _where_they_differ()
    _both_ways("Words of the text", tokenizer, typed, here)
    st.html(elements.finding(model_tables.ways_sentence(models, tokenizer, len(every), len(differing))))
    st.html(elements.explained(*model_tables.WAYS))
    if there:
        _both_ways("Words of the corpus that differ", tokenizer, there, ())
    if every:
        downloads.sheet(
            "Both ways (CSV)", "two-ways", lambda: model_tables.ways_table(tokenizer, dict.fromkeys([*typed, *there]))
        )


def _where_they_differ() -> None:
    """Draw words of an example that the two ways segment differently: the visitor's text has no such word."""
    story = corpora.example(STORY)
    size, _, _ = corpora.algorithms_start(STORY, story.text)
    run = runs.run_of(story, Settings("whitespace", "characters", vocab_size=size))
    words = model_tables.two_ways(run.tokenizer(), run.pretokens)[:FEW]
    _both_ways(f"Where they differ: words of {story.title}", run.tokenizer(), words, ())
    controls.button("Take this story as your text", Algorithms, your_text.choose, STORY)


def _both_ways(name: str, tokenizer: Tokenizer, words: list[str], marked: Collection[str]) -> None:
    """Draw a list of words segmented in both ways, and how many of them are on the screen."""
    if not words:
        return
    st.html(elements.title(name) + model_tables.both_ways(tokenizer, words, marked, name))
    notes = [sentences.window(min(len(words), model_tables.DIFFERENCES), len(words), "words")]
    if marked:
        notes.append(f"{counted(len(marked), 'word')} marked ●: segmented in two ways.")
    st.html(elements.note(" ".join(notes)))


VIEWS = {
    "compare": PageView("Side by side", compare),
    "wordpiece": PageView("WordPiece, step by step", wordpiece),
    "unigram": PageView("Unigram, round by round", unigram),
    "encode": PageView("Two ways to encode", encode),
}


def fit(now: Algorithms, models: Models) -> Algorithms:
    """Limit the open view's step or round to the run's last step or round; return the state."""
    if now.view == "wordpiece":
        return film.fit(now, models.wordpiece.steps)
    return film.fit(now, models.unigram.steps, "round") if now.view == "unigram" else now


def draw(models: Models) -> None:
    """Draw the choice of a view, and the open view."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="algorithms-tabs"):
        view = controls.open_view(Algorithms, VIEWS)
        given = (models, _text()) if view.draw in (compare, encode) else (models,)
    beginning_shown(*given[1:] or [""])
    try:
        view.draw(*given)
    except PatternError as error:  # only the text to tokenize can raise this error: the corpus was split before
        st.html(elements.problem(sentences.problem(error)))
