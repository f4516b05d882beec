"""Train: step through the merges of a training run and understand each one."""

from dataclasses import replace

import streamlit as st

from bpe_core import Run
from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_answer import Position, ShownSide
from bpe_core.pictures.film.start_side import side_of
from bpe_core.pictures.film.timeline import record_of, timeline
from bpe_core.pictures.shared.token_text import glyph_of
from bpe_core.record.all_stages import check_choices
from bpe_core.record.run import Record
from pages.parts.state import state
from pages.parts.state.values import LARGEST
from pages.parts.texts import text_box, your_text
from pages.parts.texts.corpora import Corpus
from pages.parts.train import settings_view, train_views
from pages.parts.train.train_state import STAGES, Train
from pages.parts.trainings import chosen_start, last_training, runs, training_status
from pages.parts.trainings.training_status import TRAINING_FRAGMENT
from pages.parts.ui import controls, elements, film_player, frame, sentences
from pages.parts.ui.film_player import Player


def train_page() -> None:
    """Draw the page: the text, the settings, the film and the views."""
    settings_view.with_usable_start(frame.draw_head(Train))
    left, right = st.columns([4, 3], gap="medium")
    with left:
        box = text_box.live_text_box(Train, TRAINING_FRAGMENT, height=66)
    with right:
        settings_view.settings()

    @st.fragment(key=TRAINING_FRAGMENT)
    def trained() -> None:
        """Draw everything that a key press in the text box changes."""
        training()
        box()

    trained()


def training() -> None:
    """Train with the page's text and settings; draw the film of the training, and the views below it."""
    now = state.read(Train)
    above, below = st.container(), st.container()
    with above, training_status.progress_shown(Train):
        text = your_text.corpus(now)
        whole = training_status.trained_or_last(now, lambda chosen: run_of(text, chosen))
        last_training.remember(text, whole)
        now = film_player.start_over(now, last_training.key_of(text, whole))
        stages = stages_of(whole)
        number = stages.index(now.stage if now.stage in stages else STAGES[-1])
        run = runs.start_of(text, whole) if stages[number] == STAGES[0] else record_of(whole, number)
        now = film_player.fit(now, run.steps)
        frame.remarks(now)
        with below:  # so the film stays in its place, whatever is drawn above
            film(text, whole, run, number, glyph_of(run.settings.word_marker, now.glyph))


def run_of(text: Corpus, chosen: Train) -> Run:
    """Return the run of a text. Raise `ForcedPairError` if the visitor chose a pair that is not tied at its step."""
    whole = runs.run_of(text, chosen_start.settings(chosen))
    check_choices(whole)
    return whole


def stages_of(whole: Run) -> list[str]:
    """Return the names in `STAGES` of the stages that a training has. `whole`: the run of the training's last stage."""
    return [*(STAGES[:1] if whole.stages[0].start is not None else ()), *STAGES[-len(whole.stages) :]]


def film(text: Corpus, whole: Run, run: Record, number: int, glyph: str) -> None:
    """Draw the film of a stage. Below the film, draw the views at the film's step.

    `whole`: the run of the training's last stage. `run`: the record of the stage that is shown. `number`: the index of
    the stage that is shown.
    """
    side, where, unit = side_of(run, whole, glyph), timeline(whole, number), run.settings.splitter.unit

    def shown(position: Position) -> list[ShownSide]:
        """Return the words that the film shows: those words of the run that match the search."""
        window = word_window.words(run, position.find, position.sort)
        note = f"{window.note}{sentences.marker(run.settings.word_marker, glyph)}"
        fallen = side.walls(window.rows)
        return [ShownSide(side, window.rows, note, sort=window.sort, unit=unit, timeline=where, walls=fallen)]

    def branch(_side: int, step: int, left: int, right: int) -> None:
        earlier = run.earlier.steps if isinstance(run, Run) and run.earlier else 0  # choices count from the first stage
        state.change(Train, branched, earlier + step, (run.tokens[left], run.tokens[right]), step)

    def enter(stage: int, step: int) -> None:
        names = stages_of(whole)
        state.change(Train, entered, names[min(stage, len(names) - 1)], step)

    def views() -> None:
        """Draw the outcome of the training, and the open view."""
        now = state.read(Train)
        if not isinstance(run, Run):
            st.html(elements.note("The vocabulary, the checks and the files of the training are below its own stages."))
            return
        if run.settings.forced:
            way_back(run)
        st.html(sentences.outcome(run, text.title))
        train_views.draw(whole, number, run, min(now.step, run.steps), glyph)

    Player(Train, [side], shown, sorts=word_window.SORTS, branch=branch, enter=enter).play(below=views)


def branched(now: Train, step: int, pair: tuple[bytes, bytes], shown: int) -> Train:
    """Return the state with the pair that the visitor chose at a step, and without the choices for later steps.

    `shown`: the step's number in the stage that is shown.
    """
    earlier = {at: chosen for at, chosen in now.forced.items() if at < step}
    return film_player.go(replace(now, forced=earlier | {step: pair}), shown)


def entered(now: Train, stage: str, step: int) -> Train:
    """Return the state that shows a stage at a step. `stage`: one of `STAGES`. `step`: a step of that stage."""
    return film_player.go(replace(now, stage=stage), min(step, LARGEST))


def way_back(run: Run) -> None:
    """Draw the steps at which the visitor chose the pair, and a button that undoes the choices."""
    chosen = ", ".join(f"{at:,}" for at in sorted(run.settings.forced))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(elements.note(f"You chose the pair at step {chosen}."), width="content")
        controls.button("Back to the rule's choice", Train, lambda now: replace(now, forced={}))


train_page()
