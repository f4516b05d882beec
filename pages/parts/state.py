"""What a page remembers: session values, the URL and the recorded runs. The only file that touches them.

What travels in a link is the table of `links`. On the first visit the URL is read, checked value by value; from then on
the session leads and the URL follows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any

import streamlit as st

from bpe_core import Run, Settings
from bpe_core.counting import Progress
from bpe_core.models import MOST_TEXT, Models, train_models
from bpe_core.published import PUBLISHED, PublishedError
from bpe_core.run import train_with_index
from bpe_core.settings import ForcedPairError
from bpe_core.worker import Worker
from pages.parts import branches, corpora, sentences, vocabularies
from pages.parts.corpora import EXAMPLES, Corpus, CorpusError, example, pasted
from pages.parts.links import (
    CUSTOM,
    FITTING,
    ITSELF,
    LARGEST,
    LINK_CHARACTERS,
    LIVE,
    OPENED,
    PARAMS,
    PASTE,
    SETTINGS,
    TEXT_CHARACTERS,
    TRAINED,
    UPLOAD,
    of_side,
)
from pages.parts.token_text import paired
from pages.parts.vocabularies import Vocabulary

BACKGROUND = 3_000_000  # characters; a longer text is trained on in a process of its own
MODELS_BACKGROUND = 100_000  # the same for all models of a text: they take longer
STORE_RUNS, STORE_BYTES = 24, 1 << 30


def key(page: str, name: str) -> str:
    """The session key of a value, which is also its widget's key."""
    return f"{page}.{name}"


def get(page: str, name: str) -> Any:
    """The value now."""
    return st.session_state[key(page, name)]


def put(page: str, name: str, value: Any) -> None:
    """Set a value; only before its widget is drawn, or from a callback."""
    st.session_state[key(page, name)] = value


def keep(page: str, *names: str) -> None:
    """Keep values whose widgets are drawn by some views only; before any of them is drawn."""
    for name in names:
        put(page, name, get(page, name))


def open_page(page: str) -> None:
    """Make every value of all pages exist; on the first visit, take this page's from the link."""
    first_visit = "opened" not in st.session_state
    for owner, params in PARAMS.items():
        for name, param in params.items():
            session_key = key(owner, name)
            # assigning a widget's value to itself keeps it while its widget is on another page
            st.session_state[session_key] = st.session_state.get(session_key, param.default)
    if first_visit:
        st.session_state["opened"] = True
        st.session_state["remarks"] = list(_read_link(page))


def _read_link(page: str) -> Iterable[str]:
    """Take over the link's values; yields a sentence for each that is not usable."""
    given = st.query_params.to_dict()
    st.session_state[key(page, "fitted")] = (
        None,
        {name: param.default for name, param in PARAMS[page].items() if name not in given},
    )
    for name, value in given.items():
        param = PARAMS[page].get(name)
        if param is None:
            yield f"The link's “{name[:40]}” is not known here and was left out."
            continue
        try:
            put(page, name, param.read(value))
        except ValueError as error:
            yield f"The link's {name} was left out: {error}."
    if "corpus" in PARAMS[page] and get(page, "corpus") == UPLOAD:
        yield "An uploaded file does not travel in a link: upload it again."


def fit_to_corpus(page: str, values: Mapping[str, Any]) -> None:
    """Set the values that go with the corpus: all of them where another corpus is chosen.

    While only its text changes, or on a link's first visit, those that a person set stay.
    """
    chosen, defaults = get(page, "corpus"), {name: PARAMS[page][name].default for name in values}
    before, fitted = st.session_state.get(key(page, "fitted"), (None, defaults))
    another = before not in (None, chosen)
    fitting = {name: values[name] for name in values if another or (name in fitted and get(page, name) == fitted[name])}
    for name, value in fitting.items():
        put(page, name, value)
    st.session_state[key(page, "fitted")] = chosen, fitting


def remarks(page: str) -> list[str]:
    """What the page could not do as asked; gone after the next change."""
    if st.session_state.get("published") not in (None, link(page)):
        st.session_state["remarks"] = []
    return st.session_state["remarks"]


def fit_step(page: str, last: int, name: str = "step") -> None:
    """Keep the step within the run, and say so where it was beyond."""
    step = get(page, name)
    if last < step < LARGEST:
        known = remarks(page)
        put(page, name, last)
        there = f"the last one is {last:,}" if last else f"this run has no {name}s"
        known.append(f"There is no {name} {step:,}: {there}.")


def publish(page: str) -> None:
    """Write the page's values into the URL, those that differ from the first ones."""
    link_now = link(page)
    if link_now != st.query_params.to_dict():
        st.query_params.from_dict(link_now)
    st.session_state["published"] = link_now


def link(page: str) -> dict[str, str]:
    """The page's values as they stand in the URL."""
    values = {name: get(page, name) for name in PARAMS[page]}
    return {
        name: PARAMS[page][name].write(value)
        for name, value in values.items()
        if value != PARAMS[page][name].first(values.get("corpus"))
        and not (isinstance(value, str) and not in_link(value))
    }


def texts(page: str) -> dict[str, str]:
    """The page's values that are texts of any length, by name."""
    return {name: value for name in PARAMS[page] if isinstance(value := get(page, name), str)}


def settings_in_link(page: str) -> dict[str, str]:
    """What decides which run the page shows."""
    return {name: value for name, value in link(page).items() if name not in LIVE}


def give_up_choices(page: str, error: Exception) -> None:
    """Drop the choices of pairs where one does not fit the settings any more, and start again without them."""
    if isinstance(error, ForcedPairError):
        known = remarks(page)
        put(page, "chosen", "")
        known.append(f"{sentences.problem(error)} The run goes on without your choices.")
        st.session_state["published"] = link(page)
        st.rerun()


def say_retrained(page: str, run: Run) -> None:
    """Say so where other settings or another text made another run than the one before."""
    before = st.session_state.get(f"{page}.run")
    st.session_state[f"{page}.run"] = run
    if before is not None and before is not run:
        st.toast(f"Trained anew: {run.steps:,} merges.")


def playing(page: str) -> tuple[float, int, int] | None:
    """What plays: (since when, from which step, steps a second); None while it stands still."""
    return st.session_state.get(f"{page}.playing")


def play(page: str, how: tuple[float, int, int] | None) -> None:
    """Play from a step on, or stand still."""
    st.session_state[f"{page}.playing"] = how


# --- corpora and runs ---


def corpus(page: str) -> Corpus:
    """The page's corpus; raises `CorpusError` where there is none yet."""
    chosen = get(page, "corpus")
    if chosen == PASTE:
        return pasted(get(page, "text"))
    if chosen == UPLOAD:
        if "upload" not in st.session_state:
            raise CorpusError("Choose a file to train on.")
        return st.session_state["upload"]
    return example(chosen)


def keep_upload(upload: Corpus | None) -> None:
    """Keep an uploaded text for the session, or forget it."""
    if upload is None:
        st.session_state.pop("upload", None)
    else:
        st.session_state["upload"] = upload


def settings(page: str, side: str = "") -> Settings:
    """The settings of the page, or of one side of it; raises `SettingsError` where they cannot be trained with."""

    def value(name: str) -> Any:
        held = next((known for known in (of_side(side, name), name) if known in PARAMS[page]), None)
        return get(page, held) if held else SETTINGS[name].default

    return Settings(
        normalizers=tuple(value("normalizers")),
        pretokenizer=value("pretokenizer"),
        alphabet=value("alphabet"),
        word_marker=value("marker"),
        tie_rule=value("ties"),
        vocab_size=value("vocabulary"),
        min_count=value("least"),
        marker_glyph=value("glyph"),
        special_tokens=tuple(dict.fromkeys(value("specials").split())),
        pattern=value("pattern") if value("pretokenizer") == CUSTOM else "",
        forced=branches.parse(value("chosen")),
    )


def held_out(page: str) -> Corpus:
    """The text that the page tries its vocabularies on; the corpus where there is no other."""
    chosen = get(page, "held")
    if chosen == FITTING:
        return corpora.held_out(get(page, "corpus")) or corpus(page)
    if chosen == PASTE:
        return pasted(get(page, "held-text")) if get(page, "held-text").strip() else corpus(page)
    return corpus(page) if chosen == ITSELF else example(chosen)


def latest(page: str, name: str, of: tuple, make: Callable[[], Any]) -> Any:
    """What was last made of these things, kept for the session until it is wanted of others."""
    kept = key(page, f"latest {name}")
    known = st.session_state.get(kept)
    if known is None or known[0] != of:
        known = st.session_state[kept] = of, make()
    return known[1]


def show(page: str, values: Mapping[str, Any]) -> None:
    """Set the page to these values, and all others to what they are at first."""
    for name, param in PARAMS[page].items():
        put(page, name, values.get(name, param.default))
    play(page, None)


Wanted = tuple[str, Settings]  # what a record is kept under: the text's digest, and how it is trained on


class RunStore:
    """The latest runs of all users, one for each text and settings, bounded in number and in bytes."""

    def __init__(self) -> None:
        self._runs: OrderedDict[Wanted, Run | Models] = OrderedDict()
        self._lock = Lock()

    def get(self, wanted: Wanted) -> Any:
        """The run, if it is here."""
        with self._lock:
            if wanted in self._runs:
                self._runs.move_to_end(wanted)
            return self._runs.get(wanted)

    def add(self, wanted: Wanted, run: Run | Models) -> None:
        """Keep a run; the ones longest unused make room."""
        with self._lock:
            self._runs[wanted] = run
            while len(self._runs) > STORE_RUNS or (
                len(self._runs) > 1 and sum(run.nbytes for run in self._runs.values()) > STORE_BYTES
            ):
                self._runs.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _store() -> RunStore:
    return RunStore()


class NothingOpened(Exception):  # noqa: N818 (not an error: the file is to be opened)
    """The chosen vocabulary is that of a file, and none has been opened."""


class StillTraining(Exception):  # noqa: N818 (not an error: the run is on its way)
    """The run is being trained in a process of its own."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job


@dataclass
class Job:
    """One training in the background, of one session."""

    wanted: tuple[str, Settings]
    worker: Worker
    started: float
    cancelled: bool = False

    def cancel(self) -> None:
        """End the process."""
        self.cancelled = True
        self.worker.stop()


def _in_background(wanted: Wanted, task: str, text: Corpus, chosen: Settings) -> Any:
    """The record of a long text, once its process has it; until then raises `StillTraining`."""
    job: Job | None = st.session_state.get("job")
    if job is None or job.wanted != wanted:
        if job:
            job.cancel()
        job = st.session_state["job"] = Job(wanted, Worker(task, text.text, chosen), monotonic())
    if job.worker.running or job.cancelled:
        raise StillTraining(job)
    del st.session_state["job"]
    run = job.worker.result()
    _store().add(wanted, run)
    return run


def train_again() -> None:
    """Forget a cancelled training, so that it starts anew."""
    st.session_state.pop("job", None)


def run_of(text: Corpus, chosen: Settings) -> Run:
    """The recorded run, trained now if it is new; shows how far it is.

    A long text is trained on in the background: `StillTraining` is raised until the run is there.
    """
    wanted = (text.digest, chosen)
    run = _store().get(wanted)
    if run is None and len(text.text) > BACKGROUND:
        run = _in_background(wanted, "train", text, chosen)
    return run or _recorded(wanted, lambda progress: train_with_index(text.text, chosen, progress))


def _recorded(wanted: Wanted, train: Callable[[Progress], Any]) -> Any:
    """What `train` gives, kept; shows how far it is."""
    failed, error = st.session_state.get("failed", (None, None))
    if failed == wanted:  # a pattern may take long to fail, and would again
        raise error
    bar = st.progress(0.0, sentences.progress("starting", 0, 1))

    def progress(phase: str, done: int, total: int) -> None:
        bar.progress(done / max(total, 1), sentences.progress(phase, done, total))

    try:
        made = train(progress)
    except ValueError as error:
        bar.empty()
        st.session_state["failed"] = wanted, error
        raise
    bar.empty()
    _store().add(wanted, made)
    return made


def models_of(text: Corpus, chosen: Settings) -> Models:
    """All models of a corpus, trained as in `run_of`; raises `TooLargeError` where there is too much of it."""
    wanted = (f"models of {text.digest}", chosen)
    models = _store().get(wanted)
    if models is None and MODELS_BACKGROUND < len(text.text) <= MOST_TEXT:
        models = _in_background(wanted, "models", text, chosen)
    return models or _recorded(wanted, lambda progress: train_models(text.text, chosen, progress))


PLAIN = Settings("gpt2", vocab_size=1000)  # what an example is trained with for the Playground


def vocabulary(page: str, name: str = "tokenizer") -> Vocabulary:
    """The vocabulary that the value `name` chooses.

    Raises `PublishedError`, `CorpusError`, `SettingsError`, `PatternError` or `NothingOpened` where it cannot be had.
    """
    chosen = get(page, name)
    if chosen == OPENED:
        if "file tokenizer" not in st.session_state:
            raise NothingOpened
        return st.session_state["file tokenizer"]
    if chosen in PUBLISHED:
        if vocabularies.is_loaded(chosen):
            return vocabularies.published(chosen)
        with st.spinner(f"Loading {PUBLISHED[chosen].title} …"):
            return vocabularies.published(chosen)
    if chosen == TRAINED:
        text, how = corpus("train"), settings("train")
        run = run_of(text, how)
        step = min(get("train", "step"), run.steps)
        return vocabularies.trained(chosen, "the Train page", run, step, text.name, how.marker_glyph)
    text, run = example(chosen), run_of(example(chosen), PLAIN)
    return vocabularies.trained(chosen, f"“{text.name}”", run, run.steps, text.name, PLAIN.marker_glyph)


def open_files(files: Mapping[str, bytes], cut: str | None) -> None:
    """Make the tokenizer in some files the opened one; raises `FormatError`, and the one before stays."""
    asked = cut, tuple((name, sha256(content).digest()) for name, content in files.items())
    if st.session_state.get("file asked for") != asked:
        st.session_state["file tokenizer"] = vocabularies.opened(OPENED, files, cut)
        st.session_state["file asked for"] = asked


def stand_in() -> Vocabulary:
    """The vocabulary to go on with where the chosen one cannot be had: GPT-2's, or one trained on an example."""
    try:
        return vocabularies.published("gpt2")
    except PublishedError:
        name = next(iter(EXAMPLES))
        run = run_of(example(name), PLAIN)
        return vocabularies.trained(name, f"“{EXAMPLES[name]}”", run, run.steps, EXAMPLES[name], PLAIN.marker_glyph)


# --- the live view of the Playground ---


def take_over(page: str, chosen: Vocabulary) -> None:
    """Make what was typed and clicked in the live view since the last time the page's own."""
    sent = st.session_state.get(key(page, "view")) or {}
    if _news(page, sent, "request"):
        st.session_state[key(page, "number")] = sent["request"]["number"]
        put(page, "text", paired(str(sent["request"]["text"]))[:TEXT_CHARACTERS])
    if _news(page, sent, "step"):
        # the last step is the first value of this setting, whatever the vocabulary
        last = sent["step"] == chosen.steps and chosen.step == chosen.steps
        put(page, "step", LARGEST if last else int(sent["step"]))
    if _news(page, sent, "options"):
        put(page, "ids", PARAMS[page]["ids"].read(sent["options"]["ids"]))
        put(page, "marks", "yes" if sent["options"]["marks"] else "no")
    if _news(page, sent, "selected"):
        st.session_state[key(page, "selected")] = dict(sent["selected"])


def _news(page: str, sent: Mapping[str, Any], name: str) -> bool:
    """Whether the view sent a value that it had not sent before."""
    value, seen = sent.get(name), key(page, f"{name} seen")
    if value is None or st.session_state.get(seen) == value:
        return False
    st.session_state[seen] = value
    return True


def selected(page: str) -> dict[str, int] | None:
    """The token that was clicked: its id, the symbol where it begins, and the step that was shown; None: none."""
    return st.session_state.get(key(page, "selected"))


def view_facts(page: str, chosen: Vocabulary) -> dict[str, Any]:
    """What the live view is told of the page's state. A new `key` sets its slider, a new `version` its text."""
    step = chosen.step if get(page, "step") == LARGEST else min(get(page, "step"), chosen.steps)
    return {
        "typed": get(page, "text"),
        "number": st.session_state.get(key(page, "number"), 0),
        "version": st.session_state.get(key(page, "version"), 0),
        "key": f"{chosen.name} {id(chosen.finder)}",
        "title": chosen.title,
        "step": step,
        "options": {"ids": get(page, "ids"), "marks": get(page, "marks") == "yes"},
    }


def set_text(page: str, text: str) -> None:
    """Put another text into the live view."""
    put(page, "text", text)
    st.session_state[key(page, "version")] = st.session_state.get(key(page, "version"), 0) + 1


def in_link(text: str) -> bool:
    """Whether a text can travel in a link."""
    return len(text) <= LINK_CHARACTERS and not any(0xD800 <= ord(char) < 0xE000 for char in text)
