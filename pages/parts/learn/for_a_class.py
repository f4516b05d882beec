"""The tools for a teacher: a lesson about another text; a link, a QR code and a frame for it; a worksheet to print."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from urllib.parse import urlencode

import segno
import streamlit as st
from markupsafe import Markup

from pages.parts.learn import progress
from pages.parts.learn.lessons import Lesson
from pages.parts.learn.mixed_questions import MIXED, MixedFive
from pages.parts.learn.worksheet import worksheet
from pages.parts.state import links, state
from pages.parts.state.learn_state import LESSON_CHARACTERS, Learn
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import CorpusError
from pages.parts.ui import controls, elements

OWN_ANSWERS = ("answers", "done")  # values of one learner, which a link for a class does not have
CODED = 800  # the most characters of a link in a QR code: the squares of a larger code are too small for a phone
_QR = Markup('<img class="qr" alt="QR code of the link for a class" src="{}">')
_FRAME = '<iframe src="{}" title="{}" width="100%" height="900"></iframe>'


def draw(now: Learn) -> None:
    """Draw the tools in a box, which stays open while the text changes."""
    with st.expander("For a class, or your own text", key="learn.class", on_change="rerun"):
        if now.lesson != MIXED:
            _own_text(now)
        try:
            made = progress.lesson_of(now)
        except CorpusError:  # the page shows the error
            return
        _to_share(now, made)
        name = f"lesson-{now.lesson}.html"
        st.download_button(
            "Worksheet to print, with a key", lambda: worksheet(made, qr_code(class_link(now))), name, "text/html",
            on_click="ignore", key="learn.worksheet", disabled=not made.questions,
        )  # fmt: skip


def _own_text(now: Learn) -> None:
    st.text_area(
        f"Ask about your own text, of up to {LESSON_CHARACTERS:,} characters", height=110,
        placeholder="Empty: the lesson's own text", help="The same questions, with the right answers of your text.",
        **state.widget(Learn, "text", progress.with_typed_text),
    )  # fmt: skip
    if now.pasted:
        st.html(
            elements.problem(
                f"Your text has {now.pasted:,} characters: the lesson takes the first {len(now.text):,} of them."
            )
        )
    yours = state.read(Train).text
    if yours and progress.within(yours) != now.text:
        controls.button("Take your text from the other pages", Learn, progress.with_text, yours)


def _to_share(now: Learn, made: Lesson) -> None:
    """Draw the link for a class, the link's QR code, and the frame that shows the lesson on another website."""
    link = class_link(now)
    with st.container(horizontal=True, gap="medium"):
        with st.container():
            st.html(elements.note("A link for a class: this lesson, without your answers."))
            if links.left_out(replace(now, answers="")):
                st.html(
                    elements.note(
                        "This text is too long for a link, which has the lesson’s own text instead. Shorten it to "
                        "send it."
                    )
                )
            controls.copied(link)
            if isinstance(made, MixedFive):
                st.html(elements.note("Everyone with the same number gets the same five questions."))
            st.html(elements.note("To show the lesson in a page of your own, without the navigation:"))
            controls.copied(_FRAME.format(f"{link}&embed=true", made.title))
        st.html(qr_code(link), width="content")


def class_link(now: Learn) -> str:
    """Return the link to the open lesson, without a learner's answers.

    In the link the lesson's text comes before the other values, so that the link never ends with the text's full stop:
    mail programs cut a full stop off the end of a link.
    """
    shared = {name: value for name, value in links.written(now).items() if name not in OWN_ANSWERS}
    text = {"text": shared.pop("text")} if "text" in shared else {}
    return f"{st.context.url or ''}?{urlencode(text | {'lesson': now.lesson} | shared)}"


@lru_cache(maxsize=64)
def qr_code(link: str) -> Markup:
    """Return the QR code of a link as a picture. If a phone could not read such a long link, return a sentence.

    >>> qr_code("learn?lesson=pairs")[:44]
    Markup('<img class="qr" alt="QR code of the link for')
    """
    if len(link) > CODED:
        return elements.note("This link is too long for a QR code.")
    return _QR.format(segno.make_qr(link, error="l").svg_data_uri(scale=4, light="white"))
