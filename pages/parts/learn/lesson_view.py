"""The parts of a lesson around its questions: the choice of a lesson, its head, and what follows the last answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from markupsafe import Markup

from bpe_core.display.in_words import counted
from pages.parts.learn import answers, focus, going_on, progress, wording
from pages.parts.learn.lessons import LESSONS, Lesson
from pages.parts.learn.mixed import Mixed
from pages.parts.session import state
from pages.parts.session.links import MIXED, MOST_SEED
from pages.parts.views import elements, sentences

_TITLE = Markup('<h2 class="lesson" id="lesson" tabindex="-1">{}</h2>')
_TAKEN = Markup('<p class="taken"><b>Take away.</b> {}</p>')
NAMES = {**{key: made.name for key, made in LESSONS.items()}, MIXED: Mixed.name}


def choose_lesson(page: str) -> None:
    """Draw the choice of a lesson; lessons that are done have a tick."""
    done = state.get(page, "done")
    numbers = {key: f"{number}. " for number, key in enumerate(LESSONS, 1)}

    def named(key: str) -> str:
        return f"{'✓ ' if key in done else ''}{sentences.plain(numbers.get(key, ''))}{NAMES[key]}"

    st.pills(
        "Lesson", list(NAMES), required=True, format_func=named, key=state.key(page, "lesson"),
        on_change=progress.opened, args=(page,), label_visibility="collapsed",
    )  # fmt: skip


def head(page: str, made: Lesson) -> None:
    """Draw what the lesson is about, and which questions are left out of it."""
    can = elements.note(f"Afterwards you can {made.can}.")
    st.html(_TITLE.format(made.title) + can + elements.sentence(made.opening))
    if isinstance(made, Mixed):
        st.number_input(
            "The number that draws the questions: a class with the same one has the same five.",
            1, MOST_SEED, key=state.key(page, "seed"), on_change=progress.opened, args=(page,), width=420,
        )  # fmt: skip
    if not made.is_own:
        st.html(f"{elements.note('On this text:')}{wording.excerpt(made.text)}")
    if made.left_out:
        st.html(elements.note(f"Left out on this text: {'; '.join(made.left_out)}."))
    if not made.questions:
        st.button("Take the lesson's own text", on_click=_own_text, args=(page,))


def _own_text(page: str) -> None:
    state.put(page, "text", "")
    progress.opened(page)
    focus.move_to(page, "lesson")


def see(page: str, made: Lesson, draw: Callable[[Any], None]) -> None:
    """Draw the reveal with `draw`, what to take away, and the ways to go on."""
    if instruments := made.reveal():
        st.html(elements.heading("See"))
    for instrument in instruments:
        draw(instrument)
    st.html(_TAKEN.format(Markup(made.take_away())))
    rows = progress.tries(page, made)
    missed = [number for number, row in enumerate(rows) if not answers.at_once(made.questions[number], row)]
    right = len(rows) - len(missed)
    st.html(elements.note(f"{right:,} of {counted(len(rows), 'answer')} right at the first try."))
    with st.container(horizontal=True):
        _next(page, made)
        if isinstance(made, Mixed):
            for key in (made.from_lessons[number] for number in missed):
                st.button(f"Look again: {NAMES[key]}", key=f"{page}.to {key}", on_click=_open, args=(page, key))
        else:
            going_on.button(made.go_on())
        st.button("Once more", key=f"{page}.again", type="tertiary", on_click=_again, args=(page,))


def _open(page: str, key: str) -> None:
    state.put(page, "lesson", key)
    progress.opened(page)
    focus.move_to(page, "lesson")


def _again(page: str) -> None:
    progress.again(page)
    focus.move_to(page, "lesson")


def _next(page: str, made: Lesson) -> None:
    """Draw the button for the next lesson, or for the next five questions."""
    keys = list(NAMES)
    at = keys.index(state.get(page, "lesson"))
    if isinstance(made, Mixed):
        label, values = "Another five", {"seed": made.seed % MOST_SEED + 1}
    else:
        label, values = f"Next lesson: {NAMES[keys[at + 1]]}", {"lesson": keys[at + 1]}

    def go() -> None:
        for name, value in values.items():
            state.put(page, name, value)
        progress.opened(page)
        focus.move_to(page, "lesson")

    st.button(label, key=f"{page}.next", type="primary", on_click=go)
