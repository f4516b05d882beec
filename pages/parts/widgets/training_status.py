"""What a page says of its training: why it shows another one than was asked for, or how far it is."""

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

TICK = 0.2  # seconds between two looks at a training
Made = TypeVar("Made")


def trained(page: str, train: Callable[[Mapping[str, Any]], Made], most: int = LARGEST) -> Made:
    """What `train` makes of the page's values; where it cannot, of the last that were right, and one sentence why.

    Draw it right below the settings. `train` gets the page's values by name, for `inputs.settings`. Where the
    vocabulary is too small, a larger one is offered, of up to `most` entries.
    """
    waiting = st.empty()  # how far it is stands in a slot of its own, so that what is below keeps its position
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
    """Within it the page draws what rests on its training; where there is none yet, it says so instead."""
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
    """A vocabulary that is large enough for the corpus."""
    if least and least <= most:
        size = min(roomy_size(least, len(set(your_text.corpus(page).text.split()))), most)
        st.button(f"Use {size:,} tokens", on_click=state.renew, args=(page, "vocab_size", size))


def _progress(job: Job) -> None:
    """How far a training in the background is; ends with a new run of the page."""
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
