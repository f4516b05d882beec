"""Train: step through the merges of a training run and understand each one."""

from dataclasses import replace

import streamlit as st

from bpe_core import PatternError, Run, SettingsError
from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_answer import FilmLayout, LeftToPageError, ShownSide, words_of
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.film.start_side import StartSide
from bpe_core.pictures.film.timeline import timeline
from bpe_core.pictures.shared.token_text import glyph_of
from bpe_core.pictures.shared.training_in_words import start_title
from bpe_core.record.check import check_choices
from bpe_core.settings import ForcedPairError
from pages.parts.page import frame, last_training, text_box, training_status, your_text
from pages.parts.page.training_status import TRAINING_FRAGMENT
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.train_state import STAGES, Train
from pages.parts.state.values import LARGEST
from pages.parts.texts.corpora import Corpus
from pages.parts.train import choices, settings_view, train_views
from pages.parts.trainings import chosen_start, runs
from pages.parts.ui import elements, film, sentences
from pages.parts.ui.film import Typing


def train_page() -> None:
    """Draw the page: the text, the settings, the film and the views."""
    settings_view.with_usable_start(frame.draw_head(Train))
    left, right = st.columns(2, gap="medium")
    with left:
        box = text_box.live_text_box(Train)
    with right:
        settings_view.settings()

    @st.fragment(key=TRAINING_FRAGMENT)
    def trained() -> None:
        """Draw what changes once the page has heard of another text."""
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
        now = film.start_over(now, last_training.key_of(text, whole))
        side: RunSide
        if now.stage == STAGES[0] and whole.start is not None:
            glyph = glyph_of(whole.word_marker, whole.tokens, now.glyph)
            side = StartSide(runs.start_of(text, whole), start_title(whole), glyph)
            now = film.fit(now, side.steps)
        else:
            now = film.fit(now, whole.steps)
            stage = stage_of(now, whole)
            now = now if stage == now.stage else state.remark(now, values={"stage": stage})
            side = side_of(now, whole)
        frame.remarks(now)
        with below:  # so the film stays in its place, whatever is drawn above
            film_and_views(text, whole, side)


def run_of(text: Corpus, chosen: Train) -> Run:
    """Return the run of a text. Raise `ForcedPairError` if the visitor chose a pair that is not tied at its step."""
    whole = runs.run_of(text, chosen_start.settings(chosen))
    check_choices(whole)
    return whole


def stage_of(now: Train, whole: Run) -> str:
    """Return the stage of the state's step. A step that two stages share may be in either."""
    begin = whole.begins[-1]
    return STAGES[1] if now.step < begin or (now.step == begin > 0 and now.stage == STAGES[1]) else STAGES[2]


def side_of(now: Train, whole: Run) -> RunSide:
    """Return the stage of the state's step as a side of the film."""
    glyph = glyph_of(whole.word_marker, whole.tokens, now.glyph)
    return RunSide(whole, glyph, stage=0 if stage_of(now, whole) == STAGES[1] else -1)


def in_timeline(whole: Run, side: RunSide) -> int:
    """Return the index of a side in the timeline. The start, if there is one, has 0."""
    return 0 if side.run is None else side.stage + (whole.start is not None)


def shown_side(now: Train, whole: Run, side: RunSide) -> ShownSide:
    """Return a stage of a training as the page shows it."""
    settings = side.record.settings
    words = words_of(side, sentences.marker(settings.word_marker, side.glyph, now.glyph))
    return ShownSide(side, words, unit=settings.splitter.unit, timeline=timeline(whole, in_timeline(whole, side)))


def typing(now: Train, text: Corpus) -> Typing | None:
    """Return how the film follows the typing; None if the page itself has to train."""
    try:
        settings = chosen_start.settings(now)
    except (SettingsError, PatternError):
        return None
    if len(your_text.in_box(now)) > LIMITS.typed_characters or not runs.is_live(text, settings):
        return None
    first = replace(now, step=0)

    def train(typed: str) -> list[ShownSide]:
        whole = runs.live_run(your_text.corpus(your_text.put_in(now, typed)), settings)
        try:
            check_choices(whole)
        except ForcedPairError as error:
            raise LeftToPageError from error
        return [shown_side(first, whole, side_of(first, whole))]

    return your_text.typing(now, train)


def film_and_views(text: Corpus, whole: Run, side: RunSide) -> None:
    """Draw the chosen pairs, the film of a stage (`side`) and, below the film, the views at the film's step."""
    run, glyph, is_start = side.record, side.glyph, side.run is None

    def picture() -> None:
        """Draw the film. If the visitor chose another pair or another stage in it, show that."""
        now = state.read(Train)
        chosen = film.asked(now, [side])
        if chosen.branch:
            _, step, left, right = chosen.branch
            state.save(branched(now, step, (run.tokens[left], run.tokens[right])))
            st.rerun()
        if chosen.enter:
            entered_stage, step = chosen.enter
            names = [*(STAGES[:1] if whole.start is not None else ()), *STAGES[-len(whole.stages) :]]
            state.save(entered(now, names[min(entered_stage, len(names) - 1)], step))
            st.rerun()
        now = film.with_choice(now, chosen)
        follows = typing(now, text)
        of = now.glyph, chosen_start.settings(now) if follows else None
        shown = shown_side(now, whole, side)
        film.draw(now, chosen, [shown], FilmLayout(sorts=word_window.SORTS), of=of, typing=follows)

    def views() -> None:
        """Draw the outcome of the training, and the open view."""
        now = state.read(Train)
        if is_start:
            st.html(elements.note("The vocabulary, the checks and the files of the training are below its own stages."))
            return
        shown = whole.until(side.stage)
        st.html(sentences.outcome(shown, side.goes_on))
        train_views.draw(text, whole, in_timeline(whole, side), min(now.step, whole.steps), glyph)

    with st.container(key=film.ABOVE):
        if ended := sentences.early_end(whole):
            st.html(elements.note(ended))
        settings_view.nothing_to_join(text, whole)
        choices.draw(text, whole, glyph)
    film.fragment(Train, picture, views)


def branched(now: Train, step: int, pair: tuple[bytes, bytes]) -> Train:
    """Return the state with the pair that the visitor chose at a step, and without the choices for later steps."""
    earlier = {at: chosen for at, chosen in now.forced.items() if at < step}
    return film.go(replace(now, forced=earlier | {step: pair}), step)


def entered(now: Train, stage: str, step: int) -> Train:
    """Return the state that shows a stage at a step. `stage`: one of `STAGES`."""
    return film.go(replace(now, stage=stage), min(step, LARGEST))


train_page()
