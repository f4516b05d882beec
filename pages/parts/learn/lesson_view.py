"""The parts of a lesson around its questions: the choice of a lesson, its head, and what follows the last answer."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st
from markupsafe import Markup

from bpe_core.text.in_words import counted
from pages.parts.learn import answers, progress, wording
from pages.parts.learn.lessons import LESSONS, Lesson
from pages.parts.learn.mixed_questions import NAMES, MixedFive
from pages.parts.page import frame
from pages.parts.state import links, state
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.state.chat_state import Chat
from pages.parts.state.compare_state import Compare
from pages.parts.state.learn_state import MOST_SEED, Learn
from pages.parts.state.page_states import PageState
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.ui import controls, elements
from pages.parts.ui.terms import with_terms

_TITLE = Markup('<h2 class="lesson" id="{}" tabindex="-1">{}</h2>')
_DONE = Markup('<p class="note"><span class="done" aria-hidden="true">{}</span> {}</p>')
_OPENING = Markup('<p class="sentence">{}</p>')
_TAKEN = Markup('<p class="taken"><b>Take away.</b> {}</p>')
WAYS: dict[type[PageState], str] = {  # a page's state → the label of the button that opens the page
    Train: "Go on: train it step by step",
    Compare: "Go on: compare both splits",
    Tokens: "Go on: try it with any text",
    Chat: "Go on: see it in Chat",
    Algorithms: "Go on: step through all three",
}


def choose_lesson(now: Learn) -> None:
    """Draw the menu of lessons by number, name and title, with a tick at those that are done, and a mark for each.

    If the link names no lesson, say so.
    """
    if now.lesson not in NAMES:
        controls.no_such_choice(now, "lesson")
    titles = {key: f"{number}. {made.name}: {made.title}" for number, (key, made) in enumerate(LESSONS.items(), 1)}

    def named(key: str) -> str:
        return f"{'✓ ' if key in now.done else ''}{titles.get(key, NAMES[key])}"

    marks = "".join("●" if key in now.done else "○" for key in LESSONS)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.selectbox(
            "Lesson", list(NAMES), format_func=named, label_visibility="collapsed", width=440,
            **state.widget(Learn, "lesson", progress.chosen),
        )  # fmt: skip
        done = f"{marks.count('●') or 'None'} of {counted(len(LESSONS), 'lesson')} done."
        st.html(_DONE.format(marks, done), width="content")


def head(made: Lesson) -> None:
    """Draw what the lesson is about, and which of the lesson's questions are left out."""
    can = elements.note(f"Goal: {made.can}.")
    st.html(_TITLE.format(progress.TITLE, made.title) + can + _OPENING.format(with_terms(made.opening)))
    if isinstance(made, MixedFive):
        st.number_input(
            "The number that draws the questions: a class with the same one has the same five.",
            1, MOST_SEED, width=420, **state.widget(Learn, "seed", progress.opened),
        )  # fmt: skip
    if not made.is_own:
        whole = wording.text_to_open("the whole text", made.whole) if len(made.whole) > wording.EXCERPT else ""
        st.html(f"{elements.note(f'On this text: {made.part_note}')}{wording.excerpt(made.whole)}{whole}")
    if made.left_out:
        st.html(elements.note(f"Left out on this text: {'; '.join(dict.fromkeys(made.left_out))}."))
    if not made.questions:
        controls.button("Take the lesson's own text", Learn, partial(progress.go, text="", pasted=0))


def see(now: Learn, made: Lesson) -> None:
    """Draw what follows the last answer: the lesson's drawings, what to take away, and the ways to go on."""
    if drawings := made.reveal():
        st.html(elements.heading("See"))
    for drawing in drawings:
        drawing.draw()
    st.html(_TAKEN.format(made.take_away()))
    rows = progress.tries(now, made)
    missed = [number for number, row in enumerate(rows) if not answers.at_once(made.questions[number], row)]
    right = len(rows) - len(missed)
    st.html(elements.note(f"{right:,} of {counted(len(rows), 'answer')} right at the first try."))
    with st.container(horizontal=True):
        _next(now, made)
        if isinstance(made, MixedFive):
            for key in (made.from_lessons[number] for number in missed):
                controls.button(
                    f"Look again: {NAMES[key]}", Learn, partial(progress.go, lesson=key), key=f"learn.to {key}"
                )
        else:
            _go_on(made.go_on())
        controls.button("Once more", Learn, progress.again, key="learn.again", type="tertiary")


def _next(now: Learn, made: Lesson) -> None:
    """Draw the button for the next lesson, or for the next five questions."""
    if isinstance(made, MixedFive):
        label, later = "Another five", partial(progress.go, seed=made.seed % MOST_SEED + 1)
    else:
        keys = list(NAMES)
        following = keys[keys.index(now.lesson) + 1]
        label, later = f"Next lesson: {NAMES[following]}", partial(progress.go, lesson=following)
    controls.button(label, Learn, later, key="learn.next", type="primary")


def _go_on(wanted: PageState) -> None:
    """Draw a button that opens a page in the wanted state. If another website embeds the app, draw a link instead."""
    label = WAYS[type(wanted)]
    if st.context.is_embedded:
        st.link_button(label, f"{frame.address(wanted.PAGE)}?{urlencode(links.written(wanted))}")
    elif st.button(label):
        state.show(wanted)
        st.switch_page(frame.PAGES[wanted.PAGE].path)
