"""The view of two tokenizers: whether they differ, the shortest text that shows it, and their parts side by side.

They are compared in a process of their own, in the line of the trainings; the page shows the progress meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial

import streamlit as st

from bpe_core import FormatError
from bpe_core.pictures.rows.rows_data import drawn, rows_table
from bpe_core.processes.child import Task
from bpe_core.published import PUBLISHED
from bpe_core.sameness.two_tokenizers import Sameness, Sent, sameness_of, sent
from pages.parts.page import chosen_vocabulary, frame, your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.page.tokenizer_row import offered_or_opened
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.tokenizer_keys import FAVOURITE
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokenizers import sameness_tables
from pages.parts.trainings.runs import trainings
from pages.parts.trainings.training_jobs import Job, TrainingError, Work
from pages.parts.ui import controls, downloads, elements, sentences
from pages.parts.ui.live_view import token_rows
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.known_template import known_template
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

TICK = 0.3  # seconds between two looks at a comparison
_COMMAND = "the command “mergescope same” compares them without this limit"
COMPARING = Work(
    "comparison",
    LIMITS.comparing_seconds,
    f"The comparison ended early: a file may need more than {LIMITS.training_mb:,} MB of memory, or crash its library.",
    _COMMAND,
)
_JOB: state.SessionSlot[Job | None] = state.SessionSlot("comparison", None)


def other() -> PageVocabulary:
    """Draw the choice of the one tokenizer that is compared with the page's; return it."""
    now = state.read(Tokenizers)
    if now.other == now.tokenizer == Tokenizers().other:  # nobody has chosen to compare it with itself
        now = replace(now, other=FAVOURITE)
    chosen, problem = chosen_vocabulary.vocabulary_or_stand_in(now.other)
    state.save(replace(now, other=chosen.name))  # the box names the tokenizer that is shown
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(elements.note("Compared with"), width="content")
        titles = {chosen.name: chosen.title} | offered_or_opened([chosen.name])
        controls.pick(Tokenizers, "other", titles, label_visibility="collapsed", width=300, whole=True)
    if problem:
        st.html(elements.problem(problem))
    return chosen


def opened_to_compare(now: Tokenizers, key: str) -> Tokenizers:
    """Return the state that compares an opened tokenizer: with the last one that was opened, if there is one."""
    own = now.other if now.other in opened_vocabularies.titles() else now.tokenizer
    return replace(now, opening=False, other=key, tokenizer=own)


def sameness_view(one: PageVocabulary) -> None:
    """Draw what is known of the page's tokenizer and another one. While they are compared, draw the progress."""
    pair = one, beside = one, other()
    if one.name == beside.name:
        st.html(elements.note(f"Both are {one.title}: choose another tokenizer to compare it with."))
        return
    job = _job_of(one, beside)
    if job.running or job.cancelled:
        _progress(job)
        return
    try:
        found: Sameness = job.result()
    except TrainingError as error:
        st.html(elements.problem(str(error)))
        _again()
    except FormatError as error:
        st.html(elements.problem(sentences.problem(error)))
        _again()
    else:
        _draw(found, pair)


def _job_of(one: PageVocabulary, other: PageVocabulary) -> Job:
    """Return the comparison of two tokenizers; if there is none, start one and end the visitor's last one."""
    state.end_if_overtaken()  # the job would be the newer run's
    key: Hashable = tuple((each.name, id(each.tokenizer)) for each in (one, other))
    job = _JOB.get()
    if job is None or job.key != key:
        if job:
            trainings().cancel(job)
        start = partial(_start, _sent(one), _sent(other))
        job = trainings().ask(key, start, COMPARING)
        _JOB.put(job)
    return job


def _start(one: Sent, other: Sent) -> Task[Sameness]:
    return Task(sameness_of, one, other, LIMITS.comparing_seconds / 2, memory=LIMITS.training_mb << 20)


def _sent(vocabulary: PageVocabulary) -> Sent:
    template = known_template(vocabulary)
    source = template.source if template else ""
    return Sent(vocabulary.name, source) if vocabulary.name in PUBLISHED else sent(vocabulary.tokenizer, source)


def _again() -> None:
    st.button("Compare again", on_click=lambda: _JOB.put(None))


def _progress(job: Job) -> None:
    """Draw how far a comparison is, with a button that ends it; rerun the page when it has ended."""
    if job.cancelled:
        st.html(elements.note("The comparison was cancelled."))
        _again()
        return

    def draw() -> None:
        trainings().attend(job)
        if not job.running:
            st.rerun()
        _, done, total = (job.task and job.task.progress) or ("", 0, 0)
        said = f"{done:,} texts tried …" if done else "Opening both …"
        if job.waiting is not None:
            said = sameness_tables.in_line(job.waiting)
        st.progress(min(done / max(total, 1), 1.0), said)
        if st.button("Cancel"):
            trainings().cancel(job)
            st.rerun()

    st.fragment(draw, run_every=TICK)()


def _draw(found: Sameness, pair: tuple[PageVocabulary, PageVocabulary]) -> None:
    """Draw the shortest text with its tokens, or how many texts showed no difference; and the parts."""
    if found.text is None:
        st.html(elements.finding(found.summary))
    else:
        _shortest(found, found.text, pair)
    titles = pair[0].title, pair[1].title
    glyphs = pair[0].glyph, pair[1].glyph
    st.html(elements.heading("Their parts") + sameness_tables.parts(found, titles, glyphs))
    with st.container(horizontal=True, vertical_alignment="center"):
        downloads.sheet("CSV", "parts", lambda: sameness_tables.parts_table(found, titles))
        st.html(elements.note(sameness_tables.LIMITS_OF_SEARCH), width="content")


def _shortest(found: Sameness, text: str, pair: tuple[PageVocabulary, PageVocabulary]) -> None:
    """Draw the shortest text found: what it is, its tokens with both, and a button to see it side by side."""
    st.html(sameness_tables.shortest(found, text, (pair[0].title, pair[1].title)))
    with problems_shown():
        rows = [each.row(text, found.specials) for each in pair]
        token_rows("tokenizers.same rows", [drawn(row, rows[0]) for row in rows], rows_table(rows))
    if st.button("Open this text side by side", key="tokenizers.same beside"):
        now = your_text.put_in(state.read(Tokens), text)
        against, specials = (pair[1].name,), found.specials
        state.save(replace(now, view="side-by-side", compared="text", against=against, specials=specials))
        st.switch_page(frame.PAGES[Tokens.PAGE].path)
