"""The runs of all visitors. A new run is trained, in the server or in a child process, and cached.

The cost of a training decides when and where it runs:

    cost ≤ MOMENT                        at once, in the server
    cost ≤ LIMITS.training_characters    in the server, when it is its turn; the page shows the progress
    more                                 in a process of its own, with limits of time and memory: see `training_jobs`
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock, Semaphore
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core import PatternError, Run, Settings, SettingsError
from bpe_core.corpus.counting import Progress
from bpe_core.models.all_models import MOST_TEXT, Models, train_models
from bpe_core.pictures.film.film_answer import LeftToPageError
from bpe_core.processes.child import Task
from bpe_core.record.enough_text import Amounts, amounts
from bpe_core.record.record import Record
from bpe_core.record.run_training import train_with_index
from bpe_core.record.start_merges import StartMerges, start_merges
from bpe_core.settings import CUSTOM
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.chosen_settings import ChosenSettings
from pages.parts.state.page_states import PageState
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import chosen_start
from pages.parts.trainings.training_jobs import Job, StillTraining, TrainingError, TrainingKey, Trainings
from pages.parts.ui import sentences

# Costs, as measured. The unit is the time to count one character of a text that is split into words.
MERGE = 30  # one merge
UNSPLIT = 10  # one character of a text that is not split into words: see `long_pieces` of `Pretokenizer`
SPECIAL = 5  # one special token in the text
MODELS = 100  # one character if all models are trained
STARTING = 3  # one character, if the text is first written in the tokens of the tokenizer that the training starts from
OPENING = 10  # one token of that tokenizer, since all its tokens are opened
ACROSS = 8  # one character, if a second stage joins tokens across words
NAMES = 50  # special tokens: the search for this many costs 1 at each character
MOMENT = 200_000  # a training that costs more waits for its turn

_JOB: state.SessionSlot[Job | None] = state.SessionSlot("job", None)  # the visitor's training in the background
_SECONDS: state.SessionSlot[dict[str, float]] = state.SessionSlot(
    "training seconds", {}
)  # of each page's latest training, by the page's name
_SPENT = state.SessionSlot("seconds spent", 0.0)  # on training, in this run of the page
# The latest trainings with values that do not fit, and why. A page that goes on with other values asks for them again.
_FAILED: state.SessionSlot[dict[TrainingKey, ValueError]] = state.SessionSlot("failed trainings", {})
MOST_FAILED = 10


class RunStore:
    """The latest runs of all visitors, in memory. For a text and settings there is one run.

    `LIMITS` limits the number of runs and their bytes.
    """

    def __init__(self) -> None:
        """Start without runs."""
        self._runs: OrderedDict[TrainingKey, tuple[Run | Record | Models | Amounts, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: TrainingKey) -> Any:
        """Return the run with this key; None if there is no run."""
        with self._lock:
            if key not in self._runs:
                return None
            self._runs.move_to_end(key)
            return self._runs[key][0]

    def add(self, key: TrainingKey, run: Run | Record | Models | Amounts) -> None:
        """Add a run. Drop the least recently used runs until the rest is within the limits."""
        size = run.nbytes  # this takes a moment, so it comes before the lock
        with self._lock:
            self._runs[key] = run, size
            self._runs.move_to_end(key)
            while len(self._runs) > LIMITS.runs or (len(self._runs) > 1 and self._bytes() > LIMITS.runs_mb << 20):
                self._runs.popitem(last=False)

    def _bytes(self) -> int:
        return sum(size for _, size in self._runs.values())


@st.cache_resource(show_spinner=False)
def _store() -> RunStore:
    return RunStore()


@st.cache_resource(show_spinner=False)
def _turns(custom: bool) -> Semaphore:
    """Return the semaphore that limits how many trainings the server runs at once in its own process.

    `custom`: whether the semaphore is for trainings with a custom pattern. A custom pattern may take seconds on a short
    text. Trainings with a custom pattern have a semaphore of their own, so that no other trainings wait for them.
    """
    return Semaphore(LIMITS.turns)


@st.cache_resource(show_spinner=False)
def trainings() -> Trainings:
    """Return the background trainings of all sessions."""
    return Trainings()


def _in_background(key: TrainingKey, task: Callable[..., Any], texts: str | dict[str, str], chosen: Settings) -> Any:
    """Return the result of a training in the background. Until its process has answered, raise `StillTraining`.

    If the training failed, raise `TrainingError` at every call until `train_again` is called.
    """
    state.end_if_overtaken()  # the job would be the newer run's
    _raise_known(key)
    job = _JOB.get()
    if job is None or job.key != key:
        if job:
            trainings().cancel(job)
        job = trainings().ask(key, lambda: Task(task, texts, chosen, memory=LIMITS.training_mb << 20))
        _JOB.put(job)
    if job.running or job.cancelled:
        raise StillTraining(job)
    _took(job.began)
    try:
        found = job.result()
    except ValueError as error:
        _remember(key, error)
        raise
    _JOB.put(None)
    _store().add(key, found)
    return found


def _remember(key: TrainingKey, error: ValueError) -> None:
    """Remember that a training's values do not fit: finding it out again may take long, or end another training."""
    failed = {each: why for each, why in _FAILED.get().items() if each != key} | {key: error}
    _FAILED.put(dict([*failed.items()][-MOST_FAILED:]))


def _raise_known(key: TrainingKey) -> None:
    """Raise the error of a training whose values do not fit, if it is known."""
    if key in _FAILED.get():
        raise _FAILED.get()[key]


def training_seconds(page: type[PageState]) -> float:
    """Return how many seconds the page's latest training took. A run from the cache does not count."""
    return _SECONDS.get().get(page.PAGE, 0.0)


@contextmanager
def timed(page: type[PageState]) -> Iterator[None]:
    """Measure how long the trainings in the block take, for `training_seconds`."""
    _SPENT.put(0.0)
    yield
    if seconds := _SPENT.get():
        _SECONDS.put(_SECONDS.get() | {page.PAGE: seconds})


def _took(began: float) -> None:
    _SPENT.put(_SPENT.get() + monotonic() - began)


def train_again() -> None:
    """Forget a training that was cancelled or failed, so that it starts again."""
    _JOB.put(None)


def run_of(text: Corpus, chosen: Settings) -> Run:
    """Return the run of a text and settings. If the run is not cached, train now and show the progress.

    A costly training runs in the background: raise `StillTraining` until the training has ended. Raise `TrainingError`
    if the training fails, and `SettingsError` or `PatternError` if the settings do not fit the text.
    """
    key = (text.digest, chosen)
    run, cost = _store().get(key), cost_of(text, chosen)
    if run is None:
        train = partial(train_with_index, start=chosen_start.tokenizer(chosen))
        if needs_process(cost):
            run = _in_background(key, train, text.parts, chosen)
        else:
            run = _trained(key, cost, lambda progress: train(text.parts, chosen, progress))
    found: Run = run
    return found


def at_hand(text: Corpus, chosen: Settings) -> Run | None:
    """Return the run of a text and settings if it is cached or needs no process of its own, else None."""
    cached: Run | None = _store().get((text.digest, chosen))
    slow = needs_process(cost_of(text, chosen))
    return cached if cached or slow else run_of(text, chosen)


def is_live(text: Corpus, chosen: Settings) -> bool:
    """Return whether a training takes a moment: a film then asks for it at each key (`live_run`)."""
    return chosen.start == "none" and chosen.pretokenizer != CUSTOM and not waits(cost_of(text, chosen))


def live_run(text: Corpus, chosen: Settings) -> Run:
    """Return the run of a text and settings, for a film that asks at a key. This needs no session.

    Raise `LeftToPageError` if the training may take longer than a moment, or fails: the page says more about that.
    """
    key = (text.digest, chosen)
    run: Run | None = _store().get(key)
    if run is None:
        if not is_live(text, chosen):
            raise LeftToPageError
        try:
            run = train_with_index(text.parts, chosen)
        except (SettingsError, PatternError) as error:
            raise LeftToPageError from error
        _store().add(key, run)
    return run


def start_of(text: Corpus, run: Run) -> StartMerges:
    """Return the merges with which the tokenizer that a run starts from made the run's words. Cache them like a run."""
    key = (f"start of {text.digest}", run.settings)
    found: StartMerges | None = _store().get(key)
    return found or _trained(key, cost_of(text, key[1]), lambda progress: start_merges(run.stages[0], progress))


def runs_of(text: Corpus, chosen: Iterable[ChosenSettings]) -> list[Run]:
    """Return the runs of a text, one for each of the settings that a visitor chose.

    If several fail, raise the error that asks for the largest vocabulary size.
    """
    trained, errors = [], []
    for each in chosen:
        try:
            trained.append(run_of(text, chosen_start.settings(each)))
        except (SettingsError, PatternError) as error:
            errors.append(error)
    if errors:
        raise max(errors, key=lambda error: getattr(error, "least", None) or 0)
    return trained


@contextmanager
def _turn(bar: DeltaGenerator, custom: bool) -> Iterator[None]:
    """Wait until the server has room for the training, then run the block. `custom`: as for `_turns`."""
    turns = _turns(custom)
    while not turns.acquire(timeout=0.2):
        bar.progress(0.0, "Waiting for the trainings of others …")  # a newer run of the page may end this one here
    try:
        yield
    finally:
        turns.release()


def _trained(key: TrainingKey, cost: int, train: Callable[[Progress], Any]) -> Any:
    """Call `train`, cache the result and return the result. `cost`: see `cost_of`.

    A training that costs at most `MOMENT` does not wait for its turn, and shows no progress. But a
    training with a custom pattern always waits and shows its progress, since its cost is not known.
    """
    _raise_known(key)
    custom, began = key[1].pretokenizer == CUSTOM, monotonic()
    try:
        found = _in_turn(custom, train) if custom or waits(cost) else train(lambda *_: None)
    except ValueError as error:
        _remember(key, error)
        raise
    except MemoryError:
        raise TrainingError("The server has too little memory left for this training: choose a smaller text.") from None
    _took(began)
    _store().add(key, found)
    return found


def _in_turn(custom: bool, train: Callable[[Progress], Any]) -> Any:
    """Call `train` once the server has room, and return the result. Show the wait and the progress."""
    bar = st.progress(0.0, sentences.progress("starting", 0, 1))

    def progress(phase: str, done: int, total: int) -> None:
        bar.progress(done / max(total, 1), sentences.progress(phase, done, total))

    try:
        with _turn(bar, custom):
            found = train(progress)
    except (ValueError, MemoryError):
        bar.empty()
        raise
    bar.empty()
    return found


def models_of(text: Corpus, chosen: Settings) -> Models:
    """Return the models of all algorithms, trained on one text and cached like a run (`run_of`).

    Raise `TooLargeError` if the text is too long.
    """
    key = (f"models of {text.digest}", chosen)
    models, cost = _store().get(key), MODELS * len(text.text)
    if models is None and needs_process(cost) and len(text.text) <= MOST_TEXT:
        models = _in_background(key, train_models, text.plain, chosen)
    found: Models = models or _trained(key, cost, lambda progress: train_models(text.plain, chosen, progress))
    return found


def amounts_of(text: Corpus, chosen: Settings) -> Amounts:
    """Return the trainings on parts of a text, cached like a run (`run_of`). Raise the same errors."""
    key, cost = (f"amounts of {text.digest}", chosen), 2 * cost_of(text, chosen)  # 1/8 + 1/4 + 1/2 + 1 < 2
    found: Amounts | None = _store().get(key)
    if found is None:
        train = partial(amounts, start=chosen_start.tokenizer(chosen))
        if needs_process(cost):
            found = _in_background(key, train, text.plain, chosen)
        else:
            found = _trained(key, cost, lambda progress: train(text.plain, chosen, progress))
    return found


def waits(cost: int) -> bool:
    """Return whether a training of this cost waits for its turn."""
    return cost > MOMENT


def needs_process(cost: int) -> bool:
    """Return whether a training of this cost runs in a process of its own."""
    return cost > LIMITS.training_characters


def cost_of(text: Corpus, chosen: Settings) -> int:
    """Return the most that a training may cost. The unit is the time to count one character.

    >>> cost_of(Corpus("a text", "low lower"), Settings(vocab_size=1000))
    279
    >>> cost_of(Corpus("a text", "low lower"), Settings(vocab_size=1000, then_across_words_from=500))
    351
    >>> cost_of(Corpus("a text", "low lower"), Settings(vocab_size=50_357, start="gpt2"))
    503876
    """
    characters = len(text.text)
    split = characters * (UNSPLIT if chosen.splitter.long_pieces else 1) + MERGE * min(characters, chosen.vocab_size)
    across = characters * ACROSS if chosen.then_across_words_from else 0
    start = characters * STARTING + OPENING * chosen.vocab_size if chosen.start != "none" else 0
    return split + across + start + _special_cost(characters, chosen.special_tokens)


def _special_cost(characters: int, names: tuple[str, ...]) -> int:
    """Return the most that it may cost to find special tokens in a text and to split the text there.

    >>> _special_cost(1000, ("<s>", "</s>")), _special_cost(1000, ())
    (1705, 0)
    """
    shortest = min(map(len, names), default=characters + 1)
    return SPECIAL * (characters // shortest) + characters * len(names) // NAMES
