"""The tools for a teacher: a lesson about another text, a link for a class, a worksheet to print."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from pages.parts.learn import progress
from pages.parts.learn.mixed import MIXED, MixedFive
from pages.parts.learn.worksheet import worksheet
from pages.parts.session import links, state
from pages.parts.session.corpora import CorpusError
from pages.parts.session.page_states import LESSON_CHARACTERS, Learn, Train
from pages.parts.views import elements
from pages.parts.widgets import controls

OWN_ANSWERS = ("answers", "done")  # the values of one learner


def draw(now: Learn) -> None:
    """Draw the tools in a menu."""
    with st.expander("For a class: your own text, a link, a worksheet"):
        if now.lesson != MIXED:
            st.text_area(
                "Ask about your own text", key=state.key(Learn, "text"), max_chars=LESSON_CHARACTERS, height=110,
                on_change=state.change, args=(Learn, progress.opened), placeholder="Empty: the lesson's own text",
                help="The same questions, with the right answers of your text.",
            )  # fmt: skip
            yours = state.read(Train).text
            if 0 < len(yours) <= LESSON_CHARACTERS and links.in_link(yours) and yours != now.text:
                controls.button("Take your text from the other pages", Learn, _with_text, yours)
        try:
            made = progress.lesson_of(now)
        except CorpusError:  # the page shows the error
            return
        st.html(elements.note("A link for a class: this lesson, without your answers."))
        if links.left_out(now):
            st.html(
                elements.note(
                    "This text is too long for a link, which has the lesson’s own text instead. Shorten it to send it."
                )
            )
        st.code(class_link(now), language=None, wrap_lines=True)
        name = f"lesson-{now.lesson}.html"
        st.download_button(
            "Worksheet to print, with a key", lambda: worksheet(made), name, "text/html", on_click="ignore",
            key="learn.worksheet", disabled=not made.questions,
        )  # fmt: skip
        if isinstance(made, MixedFive):
            st.html(elements.note("Everyone with the same number gets the same five questions."))


def _with_text(now: Learn, text: str) -> Learn:
    return progress.opened(replace(now, text=text))


def class_link(now: Learn) -> str:
    """Return the link to the open lesson, without a learner's answers."""
    shared = {name: value for name, value in links.written(now).items() if name not in OWN_ANSWERS}
    values = {"lesson": now.lesson} | shared
    return f"{st.context.url or ''}?{urlencode(values)}"
