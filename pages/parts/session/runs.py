"""The recorded runs: trained when they are new, here or in a process of their own, and kept for all users."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Semaphore
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core import Run, Settings, SettingsError
from bpe_core.corpus.counting import Progress
from bpe_core.corpus.worker_process import Worker
from bpe_core.models.all_models import MOST_TEXT, Models, train_models
from bpe_core.record.recording import train_with_index
from pages.parts.session import state
from pages.parts.session.budget import BUDGET
from pages.parts.session.corpora import Corpus
from pages.parts.session.links import CUSTOM
from pages.parts.session.run_store import RunStore, Wanted
from pages.parts.session.trainings import Job, StillTraining, TrainingError, Trainings
from pages.parts.views import sentences

# Costs as measured, in characters that are counted in words: of a merge; of a character of a text that is not split, or
# by a pattern of one's own; of a special token in the text; of a character for all models.
MERGE, UNSPLIT, SPECIAL, MODELS = 30, 10, 5, 100
NAMES = 50  # special tokens that take, all together, as long to look for at a character as it takes to count it
MOMENT = 200_000  # what takes longer waits for its turn; so does a pattern, which may take any time

# Python lets a thread that computes go on for 5 ms where others wait, several times in each step of every visitor.
sys.setswitchinterval(0.0005)


@st.cache_resource(show_spinner=False)
def _store() -> RunStore:
    return RunStore()


@st.cache_resource(show_spinner=False)
def _turns() -> Semaphore:
    """Those of the trainings in the server itself."""
    return Semaphore(BUDGET.turns)


@st.cache_resource(show_spinner=False)
def trainings() -> Trainings:
    """The trainings in the background, of all sessions."""
    return Trainings()


def _in_background(wanted: Wanted, task: Callable[..., Any], text: Corpus, chosen: Settings) -> Any:
    """The record of a long text, once its process has it; until then raises `StillTraining`.

    Raises `TrainingError` where it came to no result, again and again until `train_again`.
    """
    job: Job | None = state.recall("job")
    if job is None or job.wanted != wanted:
        if job:
            trainings().cancel(job)
        job = trainings().ask(wanted, lambda: Worker(task, text.text, chosen, memory=BUDGET.training_mb << 20))
        state.remember("job", job)
    if job.running or job.cancelled:
        raise StillTraining(job)
    run = job.result()
    _took(job.began)
    state.remember("job", None)
    _store().add(wanted, run)
    return run


def work(text: Corpus, chosen: Settings) -> int:
    """How long a training takes at most, in characters that could be counted in that time.

    >>> work(Corpus("a text", "low lower"), Settings(vocab_size=1000))
    279
    """
    characters, slow = len(text.text), chosen.pretokenizer in ("none", CUSTOM)
    split = characters * (UNSPLIT if slow else 1) + MERGE * min(characters, chosen.vocab_size)
    return split + _special_work(characters, chosen.special_tokens)


def _special_work(characters: int, names: tuple[str, ...]) -> int:
    """How long it takes at most to find special tokens and to split a text at them.

    >>> _special_work(1000, ("<s>", "</s>")), _special_work(1000, ())
    (1705, 0)
    """
    shortest = min(map(len, names), default=characters + 1)
    return SPECIAL * (characters // shortest) + characters * len(names) // NAMES


def training_seconds(page: str) -> float:
    """How long the page's latest training took; those that were only recalled are none."""
    return state.recall(f"{page}.training seconds", 0.0)


@contextmanager
def timed(page: str) -> Iterator[None]:
    """Within it the page trains: the time is kept for `training_seconds`."""
    state.remember("training seconds", None)
    yield
    if seconds := state.recall("training seconds"):
        state.remember(f"{page}.training seconds", seconds)


def _took(began: float) -> None:
    state.remember("training seconds", state.recall("training seconds", 0.0) + monotonic() - began)


def train_again() -> None:
    """Forget a training that was cancelled or failed, so that it starts anew."""
    state.remember("job", None)


def run_of(text: Corpus, chosen: Settings) -> Run:
    """The recorded run, trained now if it is new; shows how far it is.

    A long text is trained on in the background: `StillTraining` is raised until the run is there.
    """
    wanted = (text.digest, chosen)
    run, cost = _store().get(wanted), work(text, chosen)
    if run is None and cost > BUDGET.training_characters:
        run = _in_background(wanted, train_with_index, text, chosen)
    cost = MOMENT + 1 if chosen.pretokenizer == CUSTOM else cost
    return run or _recorded(wanted, cost, lambda progress: train_with_index(text.text, chosen, progress))


def runs_of(text: Corpus, chosen: Iterable[Settings]) -> list[Run]:
    """The runs of one text; where several cannot be trained, raises the error of the one that asks for most."""
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
    """Within it a training computes: one that costs more than a moment only once it is its turn."""
    if cost <= MOMENT:
        yield
        return
    while not _turns().acquire(timeout=0.2):
        bar.progress(0.0, "Waiting for the trainings of others …")  # where a newer run of the page ends this one
    try:
        yield
    finally:
        _turns().release()


def _recorded(wanted: Wanted, cost: int, train: Callable[[Progress], Any]) -> Any:
    """What `train` gives, kept; shows how far it is. `cost`: as `work` counts it."""
    failed, error = state.recall("failed", (None, None))
    if failed == wanted:  # a pattern may take long to fail, and would again
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
    """All models of a corpus, trained as in `run_of`; raises `TooLargeError` where there is too much of it."""
    wanted = (f"models of {text.digest}", chosen)
    models, cost = _store().get(wanted), MODELS * len(text.text)
    if models is None and cost > BUDGET.training_characters and len(text.text) <= MOST_TEXT:
        models = _in_background(wanted, train_models, text, chosen)
    return models or _recorded(wanted, cost, lambda progress: train_models(text.text, chosen, progress))
