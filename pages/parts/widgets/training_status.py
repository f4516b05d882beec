"""What a page shows in place of the run that it needs: why there is none, or how far its training is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import streamlit as st

from bpe_core import PatternError, SettingsError
from pages.parts.session import inputs, runs, state
from pages.parts.session.corpora import CorpusError, room
from pages.parts.session.links import LARGEST
from pages.parts.session.run_store import Job, StillTraining
from pages.parts.views import sentences, token_chips
from pages.parts.widgets import frame

TICK = 0.2  # seconds between two looks at a training


@contextmanager
def explained(page: str, most: int = LARGEST) -> Iterator[None]:
    """Within it the page draws what rests on its run; where it cannot have one, it says so instead.

    Where the vocabulary is too small, a larger one is offered, of up to `most` entries.
    """
    try:
        yield
    except CorpusError as error:
        frame.remarks(page)
        state.publish(page)
        st.html(token_chips.note(str(error)))
    except StillTraining as training:
        frame.remarks(page)
        _progress(training.job)
    except (SettingsError, PatternError) as error:
        inputs.give_up_choices(page, error)
        frame.remarks(page)
        state.publish(page)
        st.error(sentences.problem(error))
        _offer_room(page, getattr(error, "least", None), most)


def _offer_room(page: str, least: int | None, most: int) -> None:
    """A vocabulary that is large enough for the corpus."""
    if least and least <= most:
        size = min(room(least, len(set(inputs.corpus(page).text.split()))), most)
        st.button(f"Use {size:,} entries", on_click=state.put, args=(page, "vocabulary", size))


def _progress(job: Job) -> None:
    """How far a training in the background is; ends with a new run of the page."""
    if job.cancelled:
        st.info("Training was cancelled; nothing of it is kept.")
        st.button("Train again", on_click=runs.train_again)
        return

    def draw() -> None:
        if not job.worker.running and not job.cancelled:
            st.rerun()
        phase, done, total = job.worker.progress or ("starting", 0, 1)
        seconds = monotonic() - job.started
        st.progress(done / max(total, 1), sentences.progress(phase, done, total, seconds))
        if st.button("Cancel training"):
            job.cancel()
            st.rerun()

    st.fragment(draw, run_every=TICK)()
