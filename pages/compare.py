"""Compare: two trainings on one text, with different pretokenizers or other settings."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from bpe_core import PatternError, Run, SettingsError
from bpe_core.pictures.film.film_answer import FilmLayout, ShownSide, aligned_words
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.shared.token_text import glyph_of
from bpe_core.pictures.shared.training_in_words import side_titles
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.cost_curve import CostCurve, cost_curve
from pages.parts.compare import as_on_train, compare_views, costs, held_out, side_sentences
from pages.parts.compare.compare_views import ComparedStep, columns
from pages.parts.compare.held_out import Texts
from pages.parts.compare.sides import ComparedRun, Sides
from pages.parts.page import frame, last_training, settings_row, text_box, training_status, your_text
from pages.parts.page.training_status import TRAINING_FRAGMENT
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.compare_state import SIDES, Compare
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import chosen_start, runs
from pages.parts.ui import controls, elements, film
from pages.parts.ui.film import Typing

_POINT = Markup('<p class="point">{}</p>')
LAYOUT = FilmLayout(("timeline", "sentence", "corpus", "pairs"))  # no "merges": a view has both sides' in one table


def compare_page() -> None:
    """Draw the page: the text, both sides' settings, the film and the views."""
    now = held_out.receive(frame.draw_head(Compare))
    chosen_start.ensured(now, *(f"{side}_start" for side in SIDES))
    box = text_box.live_text_box(Compare)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare-settings"):
        for side in SIDES:
            settings_row.side_settings(Compare, side, as_on_train.titles(side))
        settings_row.vocab_size(Compare)
        compare_views.examples()
        as_on_train.button()

    @st.fragment(key=TRAINING_FRAGMENT)
    def shown() -> None:
        """Draw what changes once the page has heard of another text."""
        trainings()
        box()

    shown()


def trainings() -> None:
    """Train both sides; draw how each side splits the text, the film, and the views below the film."""
    now = state.read(Compare)
    above, below = st.container(), st.container()
    with above, training_status.progress_shown(Compare):
        texts = held_out.texts(now)
        pair, both = training_status.trained_or_last(now, lambda chosen: compared_runs(chosen, texts))
        now = film.start_over(now, tuple(last_training.key_of(texts.corpus, side.run) for side in pair))
        now = film.fit(now, both.steps)
        frame.remarks(now)
        with st.container(key=film.ABOVE):
            splits(pair, both, texts)
        with below:
            films(pair, both, texts.corpus)


def compared_runs(chosen: Compare, texts: Texts) -> tuple[Sides, SideBySide]:
    """Return both sides and their comparison. A side has a run, and what the held-out text costs in its tokens."""
    text, tried, _ = texts
    settings = [chosen.chosen(side) for side in SIDES]
    left_run, right_run = runs.runs_of(text, settings)

    def cost(side: str, run: Run) -> CostCurve:
        before = run.merges_before + run.begins[-1]  # the merges before the last stage are none of its steps
        return state.latest(
            f"cost {side}", (run, tried.digest), lambda: cost_curve(tried.text, run.tokenizer()).after(before)
        )

    left, right = side_titles(*map(chosen_start.settings, settings))
    curves = cost("left", left_run), cost("right", right_run)
    of = left, right, left_run, right_run, tried.digest
    pair = state.latest(
        "pair", of, lambda: (ComparedRun(left, left_run, curves[0]), ComparedRun(right, right_run, curves[1]))
    )
    stages = pair[0].stage, pair[1].stage
    return pair, state.latest("both", stages, lambda: SideBySide(*stages))


def splits(pair: Sides, both: SideBySide, texts: Texts) -> None:
    """Draw how each side splits the corpus into pretokens, and how many tokens the held-out text costs on each side."""
    text, tried, _ = texts
    st.html(_POINT.format(side_sentences.splits(pair, both)))
    drawn = [normalized(text.text, side.stage.settings.normalizers) for side in pair]
    st.html(columns(pair, drawn))
    if note := side_sentences.split_window(pair, len(text.text), drawn):
        st.html(elements.note(note))
    st.html(costs.bars(pair, held_out.heading(texts), tried.text))
    st.html(_POINT.format(costs.sentence(pair, tried.text, trained_on_it=tried == text)))


def films(pair: Sides, both: SideBySide, text: Corpus) -> None:
    """Draw the film of both sides. Below the film, draw the open view at the film's step."""
    recorded = [RunSide(side.run, side.glyph, begin=0) for side in pair]

    def picture() -> None:
        """Draw the film. A word is in the same row on both sides."""
        now = state.read(Compare)
        chosen = film.asked(now, recorded)
        now = film.with_choice(now, chosen)
        shown = shown_sides(both, recorded, [side.title for side in pair], now.all_words)
        follows = typing(now, text)
        of = now.all_words, now.left, now.right, now.vocab_size, now.held_out, now.held_text
        film.draw(now, chosen, shown, LAYOUT, of=of, typing=follows)

    def views() -> None:
        # Step 0 has no merge to tell about: until the visitor steps, the views are about the last step, as the head is.
        compare_views.draw(ComparedStep(pair, both, min(state.read(Compare).step, both.steps) or both.steps, text))

    st.html(elements.heading("Step by step"))
    controls.switch(Compare, "all_words", "Rows", {False: "Rows that differ", True: "All rows"})
    film.fragment(Compare, picture, views)


def shown_sides(both: SideBySide, sides: Sequence[RunSide], titles: Sequence[str], everything: bool) -> list[ShownSide]:
    """Return both trainings as the page shows them. `everything`: as for `aligned_words`."""
    return [ShownSide(*each) for each in zip(sides, aligned_words(both, everything), titles, strict=True)]


def typing(now: Compare, text: Corpus) -> Typing | None:
    """Return how the film follows the typing; None if the page itself has to train."""
    try:
        settings = [chosen_start.settings(now.chosen(side)) for side in SIDES]
    except (SettingsError, PatternError):
        return None
    if len(your_text.in_box(now)) > LIMITS.typed_characters or not all(runs.is_live(text, each) for each in settings):
        return None

    def train(typed: str) -> list[ShownSide]:
        corpus = held_out.texts(your_text.put_in(now, typed)).corpus
        trained = [runs.live_run(corpus, each) for each in settings]
        sides = [RunSide(run, glyph_of(run.word_marker, run.stages[-1].tokens), begin=0) for run in trained]
        both = SideBySide(*(run.stages[-1] for run in trained))
        return shown_sides(both, sides, side_titles(*settings), now.all_words)

    return your_text.typing(now, train)


compare_page()
