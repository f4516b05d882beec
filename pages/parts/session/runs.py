"""The recorded runs: a new one is trained, in the server or in a child process, and cached for all users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Semaphore
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core import Run, Settings, SettingsError
from bpe_core.corpus.counting import Progress
from bpe_core.models.all_models import MOST_TEXT, Models, train_models
from bpe_core.processes.child import Task
from bpe_core.record.recording import train_with_index
from bpe_core.settings import CUSTOM
from pages.parts.session import state
from pages.parts.session.budget import BUDGET
from pages.parts.session.corpora import Corpus
from pages.parts.session.page_states import PageState
from pages.parts.session.run_store import RunStore, Wanted
from pages.parts.session.trainings import Job, StillTraining, TrainingError, Trainings
from pages.parts.views import sentences

# Measured costs, in characters of a text that is split into words: of a merge; of a character of a text that is not
# split, or is split by a custom pattern; of a special token in the text; of a character where all models are trained.
MERGE, UNSPLIT, SPECIAL, MODELS = 30, 10, 5, 100
NAMES = 50  # to look for so many special tokens takes as long, at each character, as to count the character
MOMENT = 200_000  # a training that costs more waits for its turn; so does a custom pattern, which may take any time


@st.cache_resource(show_spinner=False)
def _store() -> RunStore:
    return RunStore()


@st.cache_resource(show_spinner=False)
def _turns() -> Semaphore:
    """Return the turns of the trainings in the server itself."""
    return Semaphore(BUDGET.turns)


@st.cache_resource(show_spinner=False)
def trainings() -> Trainings:
    """Return the trainings in the background, of all sessions."""
    return Trainings()


def _in_background(wanted: Wanted, task: Callable[..., Any], text: Corpus, chosen: Settings) -> Any:
    """Return the record of a long text; raises `StillTraining` until its process has answered.

    Where there is no result, raises `TrainingError` each time until `train_again` is called.
    """
    job: Job | None = state.recall("job")
    if job is None or job.wanted != wanted:
        if job:
            trainings().cancel(job)
        job = trainings().ask(wanted, lambda: Task(task, text.text, chosen, memory=BUDGET.training_mb << 20))
        state.remember("job", job)
    if job.running or job.cancelled:
        raise StillTraining(job)
    run = job.result()
    _took(job.began)
    state.remember("job", None)
    _store().add(wanted, run)
    return run


def work(text: Corpus, chosen: Settings) -> int:
    """Return the cost of a training at most, in characters that could be counted in the same time.

    >>> work(Corpus("a text", "low lower"), Settings(vocab_size=1000))
    279
    """
    characters, slow = len(text.text), chosen.pretokenizer in ("none", CUSTOM)
    split = characters * (UNSPLIT if slow else 1) + MERGE * min(characters, chosen.vocab_size)
    return split + _special_work(characters, chosen.special_tokens)


def _special_work(characters: int, names: tuple[str, ...]) -> int:
    """Return how long it takes at most to find special tokens and to split a text at them.

    >>> _special_work(1000, ("<s>", "</s>")), _special_work(1000, ())
    (1705, 0)
    """
    shortest = min(map(len, names), default=characters + 1)
    return SPECIAL * (characters // shortest) + characters * len(names) // NAMES


def training_seconds(page: type[PageState]) -> float:
    """Return how long the page's latest training took; a run from the cache is not a training."""
    return float(state.recall(f"{page.PAGE}.training seconds", 0.0))


@contextmanager
def timed(page: type[PageState]) -> Iterator[None]:
    """Measure the trainings in the block, for `training_seconds`."""
    state.remember("training seconds", None)
    yield
    if seconds := state.recall("training seconds"):
        state.remember(f"{page.PAGE}.training seconds", seconds)


def _took(began: float) -> None:
    state.remember("training seconds", state.recall("training seconds", 0.0) + monotonic() - began)


def train_again() -> None:
    """Forget a training that was cancelled or failed, so that it starts again."""
    state.remember("job", None)


def run_of(text: Corpus, chosen: Settings) -> Run:
    """Return the recorded run; train it now if it is new, and show the progress.

    A long text is trained on in the background: `StillTraining` is raised until that has ended.
    """
    wanted = (text.digest, chosen)
    run, cost = _store().get(wanted), work(text, chosen)
    if run is None and cost > BUDGET.training_characters:
        run = _in_background(wanted, train_with_index, text, chosen)
    cost = MOMENT + 1 if chosen.pretokenizer == CUSTOM else cost
    made: Run = run or _recorded(wanted, cost, lambda progress: train_with_index(text.text, chosen, progress))
    return made


def runs_of(text: Corpus, chosen: Iterable[Settings]) -> list[Run]:
    """Return the runs of one text; if several cannot be trained, raise the error that asks for the largest size."""
    trained, errors = [], []
    for each in chosen:
        try:
            trained.append(run_of(text, each))
        except SettingsError as error:
            errors.append(error)
    if errors:
        raise max(errors, key=lambda error: error.least or 0)
    return trained


@contextmanager
def _turn(bar: DeltaGenerator, cost: int) -> Iterator[None]:
    """Wait for the turn of the training in the block, if it costs more than `MOMENT`."""
    if cost <= MOMENT:
        yield
        return
    while not _turns().acquire(timeout=0.2):
        bar.progress(0.0, "Waiting for the trainings of others …")  # here a newer run of the page may end this one
    try:
        yield
    finally:
        _turns().release()


def _recorded(wanted: Wanted, cost: int, train: Callable[[Progress], Any]) -> Any:
    """Return what `train` returns and cache it; show the progress. `cost`: as `work` counts it."""
    failed, error = state.recall("failed", (None, None))
    if failed == wanted:  # a pattern may take long to fail, and would take as long again
        raise error
    bar = st.progress(0.0, sentences.progress("starting", 0, 1))

    def progress(phase: str, done: int, total: int) -> None:
        bar.progress(done / max(total, 1), sentences.progress(phase, done, total))

    began = monotonic()
    try:
        with _turn(bar, cost):
            made = train(progress)
    except ValueError as error:
        bar.empty()
        state.remember("failed", (wanted, error))
        raise
    except MemoryError:
        bar.empty()
        raise TrainingError("The server has too little memory left for this training: choose a smaller text.") from None
    _took(began)
    bar.empty()
    _store().add(wanted, made)
    return made


def models_of(text: Corpus, chosen: Settings) -> Models:
    """Return all models of a corpus, trained as in `run_of`; raises `TooLargeError` if the text is too long."""
    wanted = (f"models of {text.digest}", chosen)
    models, cost = _store().get(wanted), MODELS * len(text.text)
    if models is None and cost > BUDGET.training_characters and len(text.text) <= MOST_TEXT:
        models = _in_background(wanted, train_models, text, chosen)
    made: Models = models or _recorded(wanted, cost, lambda progress: train_models(text.text, chosen, progress))
    return made
