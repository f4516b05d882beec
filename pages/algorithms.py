"""Algorithms: BPE beside WordPiece, Unigram and the extremes, on one corpus and with one vocabulary budget."""

import streamlit as st

from bpe_core import PatternError, Settings, SettingsError
from pages.parts import charts, controls, frame, links, sentences, side_by_side, state, token_chips
from pages.parts import unigram_rounds as rounds
from pages.parts import wordpiece_steps as steps
from pages.parts.corpora import CorpusError
from pages.parts.tables import Window, words

PAGE = "algorithms"
STORY = {"corpus": "short-story", "pretokenizer": "gpt2", "vocabulary": 300}  # there the two ways of encoding differ

frame.page("pages/algorithms.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE)
    controls.pretokenizer(PAGE)
    controls.vocabulary(PAGE, links.MOST_ENTRIES)
    st.caption(
        "One budget for every model, its characters included; to WordPiece a character that starts a word is another "
        "than the same one within."
    )


def text_to_cut() -> str:
    """A text that no model was trained on."""
    return st.text_input("A text to cut", key=state.key(PAGE, "sentence"), max_chars=links.SENTENCE)


def compare() -> None:
    """The same text under each model, and what that comes to."""
    text = text_to_cut()
    st.html(side_by_side.sentence(models, text))
    st.dataframe(side_by_side.results(models, text), hide_index=True, column_config={
        name: st.column_config.NumberColumn(help=about, format="%.2f" if "per word" in name else "localized")
        for name, about in side_by_side.FIGURES.items()
    })  # fmt: skip
    st.html(token_chips.heading("Shared tokens"))
    shared = side_by_side.overlap(models)
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(shared, hide_index=True, column_config=dict.fromkeys(shared.columns[1:], percent))
    st.html(token_chips.note(side_by_side.OVERLAP))
    controls.sheet("All vocabularies (CSV)", "vocabularies", lambda: side_by_side.vocabulary_table(models))


def wordpiece() -> None:
    """WordPiece's merges, the scores beside the counts."""
    run = models.wordpiece
    state.fit_step(PAGE, run.steps)
    step = controls.step_bar(PAGE, run.steps)
    st.html(steps.sentence(run, step))
    corpus, pairs = st.columns(2, gap="large")
    with pairs:
        st.markdown("##### By score: what WordPiece goes by")
        best = charts.pair_scores(steps.by_score(run, step), steps.BARS)
        controls.chart(best, "scores", "the pairs with the best scores")
        st.markdown("##### By count: what BPE goes by")
        most = charts.pair_frequency(steps.by_count(run, step), steps.BARS)
        controls.chart(most, "counts", "the most frequent pairs")
    with corpus:
        st.markdown("##### Corpus")
        shown, made = words(run, step), run.merges[step - 1].token if step else None
        st.html(token_chips.words(shown.rows, shown.changed, side_by_side.GLYPH, made))
        st.html(token_chips.note(sentences.corpus_window(run, step)))
        st.html(token_chips.note(steps.IN_PRACTICE))
    table("Merges so far", steps.history(run, step), "merges")
    controls.sheet("Merges (CSV)", f"wordpiece-step-{step}", lambda: steps.history(run, step, None).rows)


def unigram() -> None:
    """Unigram's rounds."""
    run = models.unigram
    state.fit_step(PAGE, run.steps, "round")
    number = controls.step_bar(PAGE, run.steps, "round")
    st.html(rounds.sentence(run, number))
    corpus, ways = st.columns(2, gap="large")
    with corpus:
        st.markdown("##### Corpus, cut the most probable way")
        st.html(rounds.words(run, number))
        st.html(token_chips.note(rounds.words_window(run, number)))
    with ways:
        if word := st.text_input("Ways to cut a word", key=state.key(PAGE, "word"), max_chars=links.WORD):
            model = run.model(number)
            st.html(rounds.ways(model, word))
            st.html(token_chips.note(rounds.ways_said(model, word)))
    left, right = st.columns(2, gap="large")
    with left:
        table("Pruned in this round", rounds.pruned(run, number), "tokens")
    with right:
        table("Vocabulary", rounds.vocabulary(run, number), "tokens")
    figures = rounds.figures(run)
    for column, name in zip(st.columns(3, gap="large"), rounds.CURVES, strict=True):
        with column:
            controls.chart(charts.curve(figures, name, number, "round"), name, f"{name} over the rounds")
    with st.container(horizontal=True):
        controls.sheet("Pruned (CSV)", f"pruned-round-{number}", lambda: rounds.pruned(run, number, None).rows)
        controls.sheet("Vocabulary (CSV)", f"unigram-round-{number}", lambda: rounds.vocabulary(run, number, None).rows)
        controls.sheet("Rounds (CSV)", "unigram-rounds", lambda: figures.rename(columns={"step": "round"}))


def encode() -> None:
    """BPE's vocabulary, used in merge order and by longest match."""
    tokenizer = models.by_name["bpe"]
    every = dict.fromkeys([*side_by_side.words_of(models, text_to_cut()), *models.counts])
    differing = side_by_side.two_ways(tokenizer, every)
    st.html(f'<p class="sentence">{side_by_side.ways_said(models, tokenizer, len(every), len(differing))}</p>')
    st.html(token_chips.note(side_by_side.WAYS))
    if not differing:
        st.button("Show it on a short story", on_click=lambda: [state.put(PAGE, *value) for value in STORY.items()])
        return
    st.html(side_by_side.both_ways(tokenizer, differing))
    shown = min(len(differing), side_by_side.DIFFERENCES)
    st.html(token_chips.note(sentences.window(shown, len(differing), "words")))
    controls.sheet("Differences (CSV)", "two-ways", lambda: side_by_side.ways_table(tokenizer, differing))


def table(title: str, window: Window, unit: str) -> None:
    """A window of a table, and how much of it is on the screen."""
    st.markdown(f"##### {title}")
    if window.total:
        st.dataframe(window.rows, hide_index=True, height=280 if window.total > 6 else "auto")
    st.html(token_chips.note(sentences.window(len(window.rows), window.total, unit)))


DRAW = {"compare": compare, "wordpiece": wordpiece, "unigram": unigram, "encode": encode}


def draw() -> None:
    """The views' names, and the open one."""
    view = st.segmented_control(
        "View", list(DRAW), format_func=links.VIEWS.get, required=True, key=state.key(PAGE, "view"),
        label_visibility="collapsed", on_change=state.play, args=(PAGE, None),
    )  # fmt: skip
    DRAW[view]()


try:
    text = state.corpus(PAGE)
    chosen = Settings(
        state.get(PAGE, "pretokenizer"),
        "characters",
        vocab_size=state.get(PAGE, "vocabulary"),
        pattern=state.get(PAGE, "pattern"),
    )
    models = state.models_of(text, chosen)
except CorpusError:
    frame.remarks(PAGE)
    state.publish(PAGE)  # the sidebar says what is missing
    st.html(token_chips.note("Choose a corpus in the sidebar to train on."))
except (SettingsError, PatternError) as error:
    frame.remarks(PAGE)
    state.publish(PAGE)
    st.error(sentences.problem(error))
else:
    controls.stage(PAGE, draw)
