"""The status of a page's training: its progress, why it failed, or why the page shows another training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar, cast

import streamlit as st

from bpe_core import PatternError, SettingsError
from bpe_core.settings import ForcedPairError
from pages.parts.page import frame, your_text
from pages.parts.server.limits import LIMITS
from pages.parts.state import address_bar, state
from pages.parts.state.page_states import PageState, WithText
from pages.parts.state.train_state import Train
from pages.parts.state.values import LARGEST, changed
from pages.parts.texts.corpora import roomy_size
from pages.parts.trainings import runs
from pages.parts.trainings.training_jobs import Job, StillTraining, TrainingError
from pages.parts.ui import controls, elements, sentences

TRAINING_FRAGMENT = "the training"  # the key of the fragment that another text redraws on a page that trains
TICK = 0.2  # seconds between two checks of a training
Result = TypeVar("Result")
S = TypeVar("S", bound=WithText)
_LAST_RIGHT: state.SessionSlot[dict[str, WithText]] = state.SessionSlot(
    "last right", {}
)  # the last states that could be trained with, by page


def trained_or_last(now: S, train: Callable[[S], Result], most: int = LARGEST) -> Result:
    """Train with the page's current values. If that is not possible, train with the last values that worked.

    In the second case, draw why the current values did not work. If the vocabulary is too small, draw a button for a
    larger vocabulary, of up to `most` entries. While the training runs in the background, raise `StillTraining`. If
    even the page's defaults cannot be trained with, raise the error. Call this right below the settings.
    """
    with st.empty(), runs.timed(type(now)):  # an empty slot, so nothing below moves when the progress disappears
        result, wrong = _last_right(now, train)
    if wrong:
        st.html(
            elements.problem(f"{sentences.problem(wrong)} Until then the page shows the last settings that worked.")
        )
        _offer_size(now, getattr(wrong, "least", None), most)
    return result


def _last_right(now: S, train: Callable[[S], Result]) -> tuple[Result, ValueError | None]:
    """Return the result of `train`, and its error with the page's current values; None in place of no error.

    If the current values fail, try the last values that worked, then the current ones with a larger vocabulary, then
    the page's defaults.
    """
    try:
        result = train(now)
    except (SettingsError, PatternError) as error:
        _drop_misfits(now, error)
        wrong = error
    else:
        _LAST_RIGHT.put(_LAST_RIGHT.get() | {now.PAGE: now})
        return result, None
    last = cast("S | None", _LAST_RIGHT.get().get(now.PAGE))
    if last and isinstance(now, Train):  # a choice of pairs that was undone since stays undone
        last = changed(last, {"forced": now.forced})
    attempts = [last, _larger(now, wrong), type(now)()]
    while attempts:
        if values := attempts.pop(0):
            try:
                return train(values), wrong
            except (SettingsError, PatternError) as error:
                _drop_misfits(now, error)
                attempts.insert(0, _larger(values, error))
    raise wrong


def _larger(now: S, error: SettingsError | PatternError) -> S | None:
    """Return the state with a vocabulary that is large enough for the text; None if the size is not the problem."""
    least = getattr(error, "least", None)
    return changed(now, {"vocab_size": roomy_size(least, _words(now))}) if least else None


def _drop_misfits(now: WithText, error: Exception) -> None:
    """Drop a pair that the visitor chose and all later choices, if the pair does not fit; then rerun the page.

    `error`: why the training failed; a `ForcedPairError` if the reason is a chosen pair.
    """
    if isinstance(error, ForcedPairError) and isinstance(now, Train):
        earlier = {step: pair for step, pair in now.forced.items() if step < error.step}
        left = "with only your earlier choices" if earlier else "without your choices"
        state.remark(now, f"{sentences.problem(error)} The run goes on {left}.", {"forced": earlier})
        st.rerun()


@contextmanager
def progress_shown(page: type[PageState] | None = None) -> Iterator[None]:
    """Draw the progress of the training within this context, or why it failed, while it has no result.

    `page`: the page whose own training it is; None for a further training, of a view below the page's own one.
    """
    try:
        yield
    except StillTraining as training:
        _end(page)
        _progress(training.job)
    except TrainingError as error:
        _end(page)
        st.html(elements.problem(str(error)))
        st.button("Train again", on_click=runs.train_again)
    except (SettingsError, PatternError) as error:
        _end(page)
        st.html(elements.problem(sentences.problem(error)))


def _end(page: type[PageState] | None) -> None:
    """Draw a page's remarks and write its state into the link, as the page does at its end; nothing for a view."""
    if page:
        frame.remarks(state.read(page))
        address_bar.publish(page)


def _offer_size(now: WithText, least: int | None, most: int) -> None:
    """Draw a button for a vocabulary that is large enough for the corpus.

    If such a vocabulary has over `most` entries, draw nothing.

    `least`: the smallest possible size; None if the size is not the problem.
    """
    if least and least <= most:
        size = min(roomy_size(least, _words(now)), most)
        controls.button(f"Use {size:,} tokens", type(now), _with_size, size)


def _with_size(now: S, size: int) -> S:
    return changed(now, {"vocab_size": size})


def _words(now: WithText) -> int:
    return len(set(your_text.corpus(now).text.split()))


def _progress(job: Job) -> None:
    """Draw the progress of a training in the background, and rerun the page when it has ended."""
    if job.cancelled:
        st.info("Training was cancelled; nothing of it is kept.")
        st.button("Train again", on_click=runs.train_again)
        return

    def draw() -> None:
        runs.trainings().attend(job)
        if not job.running:
            st.rerun()
        if job.waiting is None:
            _bar(job)
        else:
            st.html(elements.note(sentences.in_line(job.waiting, LIMITS.trainings)))
        if st.button("Cancel training"):
            runs.trainings().cancel(job)
            st.rerun()

    st.fragment(draw, run_every=TICK)()


def _bar(job: Job) -> None:
    phase, done, total = (job.task and job.task.progress) or ("starting", 0, 1)
    seconds = monotonic() - job.began
    st.progress(done / max(total, 1), sentences.progress(phase, done, total, seconds))
