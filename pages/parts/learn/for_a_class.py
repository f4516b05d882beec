"""The tools for a teacher: a lesson about another text, a link for a class, a worksheet to print."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages.parts.learn import progress
from pages.parts.learn.mixed import Mixed
from pages.parts.learn.worksheet import worksheet
from pages.parts.session import state
from pages.parts.session.corpora import CorpusError
from pages.parts.session.links import LESSON_CHARACTERS, MIXED, in_link
from pages.parts.views import elements

OWN_ANSWERS = ("answers", "done")  # the values of one learner


def draw(page: str) -> None:
    """Draw the tools in a menu."""
    with st.expander("For a class: your own text, a link, a worksheet"):
        if state.get(page, "lesson") != MIXED:
            st.text_area(
                "Ask about your own text", key=state.key(page, "text"), max_chars=LESSON_CHARACTERS, height=110,
                on_change=progress.opened, args=(page,), placeholder="Empty: the lesson's own text",
                help="The same questions, with the right answers of your text.",
            )  # fmt: skip
            yours = state.get("train", "text")
            if 0 < len(yours) <= LESSON_CHARACTERS and in_link(yours) and yours != state.get(page, "text"):
                st.button("Take your text from the other pages", on_click=_take, args=(page, yours))
        try:
            made = progress.lesson_of(page)
        except CorpusError:  # the page says why
            return
        st.html(elements.note("A link for a class: this lesson, without your answers."))
        if state.left_out(page):
            st.html(
                elements.note(
                    "This text is too long for a link, which has the lesson’s own text instead. Shorten it to send it."
                )
            )
        st.code(class_link(page), language=None, wrap_lines=True)
        name = f"lesson-{state.get(page, 'lesson')}.html"
        st.download_button(
            "Worksheet to print, with a key", lambda: worksheet(made), name, "text/html", on_click="ignore",
            key=f"{page}.worksheet", disabled=not made.questions,
        )  # fmt: skip
        if isinstance(made, Mixed):
            st.html(elements.note("Everyone with the same number gets the same five questions."))


def _take(page: str, text: str) -> None:
    state.put(page, "text", text)
    progress.opened(page)


def class_link(page: str) -> str:
    """Return the link to the open lesson, without a learner's answers."""
    shared = {name: value for name, value in state.link(page).items() if name not in OWN_ANSWERS}
    values = {"lesson": state.get(page, "lesson")} | shared
    return f"{st.context.url or ''}?{urlencode(values)}"
