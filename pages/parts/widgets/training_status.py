"""The status of a page's training: how far it is, why it failed, or why the page shows another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

import streamlit as st

from bpe_core import PatternError, SettingsError
from pages.parts.session import inputs, runs, state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.corpora import roomy_size
from pages.parts.session.links import LARGEST
from pages.parts.session.trainings import Job, StillTraining, TrainingError
from pages.parts.views import elements, sentences
from pages.parts.widgets import frame

TICK = 0.2  # seconds between two checks of a training
Made = TypeVar("Made")


def trained(page: str, train: Callable[[Mapping[str, Any]], Made], most: int = LARGEST) -> Made:
    """Return what `train` makes of the page's values or, if it raises, of the last values that it could train with.

    In the second case, draw why, and if the vocabulary is too small, a button for a larger one of up to `most` entries.
    `train` gets the page's values by name, for `inputs.settings`. Call this right below the settings.
    """
    waiting = st.empty()  # the progress has a slot of its own, so that what is below does not move
    with waiting.container(), runs.timed(page):
        made, wrong = inputs.last_right(page, train)
    waiting.empty()
    if wrong:
        st.html(
            elements.problem(f"{sentences.problem(wrong)} Until then the page shows the last settings that worked.")
        )
        _offer_size(page, getattr(wrong, "least", None), most)
    return made


@contextmanager
def explained(page: str) -> Iterator[None]:
    """Draw the progress of the page's training, or why it failed, if that ends the code within this context."""
    try:
        yield
    except StillTraining as training:
        frame.remarks(page)
        state.publish(page)
        _progress(training.job)
    except TrainingError as error:
        frame.remarks(page)
        state.publish(page)
        st.html(elements.problem(str(error)))
        st.button("Train again", on_click=runs.train_again)
    except (SettingsError, PatternError) as error:
        frame.remarks(page)
        state.publish(page)
        st.html(elements.problem(sentences.problem(error)))


def _offer_size(page: str, least: int | None, most: int) -> None:
    """Draw a button for a vocabulary that is large enough for the corpus."""
    if least and least <= most:
        size = min(roomy_size(least, len(set(your_text.corpus(page).text.split()))), most)
        st.button(f"Use {size:,} tokens", on_click=state.renew, args=(page, "vocab_size", size))


def _progress(job: Job) -> None:
    """Draw how far a training in the background is, and rerun the page when it has ended."""
    if job.cancelled:
        st.info("Training was cancelled; nothing of it is kept.")
        st.button("Train again", on_click=runs.train_again)
        return

    def draw() -> None:
        runs.trainings().look(job)
        if not job.running:
            st.rerun()
        if job.waiting is None:
            _bar(job)
        else:
            st.html(elements.note(sentences.in_line(job.waiting, BUDGET.trainings)))
        if st.button("Cancel training"):
            runs.trainings().cancel(job)
            st.rerun()

    st.fragment(draw, run_every=TICK)()


def _bar(job: Job) -> None:
    phase, done, total = job.task.progress or ("starting", 0, 1)
    seconds = monotonic() - job.began
    st.progress(done / max(total, 1), sentences.progress(phase, done, total, seconds))
