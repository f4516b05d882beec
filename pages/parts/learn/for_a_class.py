"""The tools for a teacher: a lesson about another text; a link, a QR code and a frame for it; a worksheet."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from urllib.parse import urlencode

import segno
import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.paper.html import joined
from pages.parts.learn import progress
from pages.parts.learn.lessons import Lesson
from pages.parts.learn.mixed_questions import MIXED, MixedFive
from pages.parts.learn.questions import NEARLY, RIGHT, SAME, WRONG, Question, judge
from pages.parts.state import links, state
from pages.parts.state.learn_state import LESSON_CHARACTERS, Learn
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import CorpusError
from pages.parts.ui import controls, elements
from pages.parts.ui.terms import without_terms
from pages.parts.ui.theme import STYLE

_PRINT = """
:root { color-scheme: light; }
body { font: 11pt/1.4 "Source Sans", "Source Sans 3", system-ui, sans-serif; color: #1c1b19; }
body { max-width: 46rem; margin: 1.5rem auto; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.1rem 0 0.3rem; }
details { display: none; } .room { height: 3.2cm; border: 1px dotted #bbb; margin: 0.4rem 0; }
.room::before { content: "Room to count"; color: #999; font-size: 0.75rem; padding: 0.2rem; }
header { display: flex; justify-content: space-between; gap: 1rem; } .qr { width: 2.6cm; height: 2.6cm; }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; margin: 0.3rem 0; }
.tokens { font-size: 0.8rem; line-height: 1.5; }
.words { grid-template-columns: repeat(4, max-content minmax(0, 1fr)); font-size: 0.68rem; }
.scroll { max-height: none; overflow: visible; } .scroll::after { display: none; }
.sentence { font-size: 1rem; line-height: 1.6; } .answers { break-before: page; } section { break-inside: avoid; }
.answers { font-size: 10pt; } .answers p { margin: 0.25rem 0; } * { print-color-adjust: exact; }
@page { size: A4; margin: 1.5cm; }
"""
_PAGE = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>{style}</style></head><body>"
    "<header><div><h1>{title}</h1><p>{opening} Afterwards you can {can}.</p><p>{taken}</p></div>{code}</header>{asked}"
    '<div class="answers"><h1>{title}: key</h1>{key}<p><b>Take away:</b> {take_away}</p></div></body></html>'
)
_ASKED = Markup('<section><h2>{}. {}</h2>{}<ul>{}</ul><div class="room"></div></section>')
_LINE = Markup("<li>Answer: ____________________</li>")
_OPTION = Markup("<li>☐ {}</li>")
_KEY = Markup("<section><h2>{}. {}</h2>{}</section>")
_ANSWER = Markup("<p>{} <b>{}</b>: {}</p>")
_SIGNS = {RIGHT: "✓", NEARLY: "≈ counts as right:", WRONG: "✗"}

OWN_ANSWERS = ("answers", "done")  # values of one learner, which a link for a class does not have
CODED = 800  # the most characters of a link in a QR code: the squares of a larger code are too small for a phone
_QR = Markup('<img class="qr" alt="QR code of the link for a class" src="{}">')
_FRAME = '<iframe src="{}" title="{}" width="100%" height="900"></iframe>'


def draw(now: Learn) -> None:
    """Draw a button for a panel with the tools. The panel stays open while the text changes."""
    with st.popover("For a class", key="learn.class", on_change="rerun"):
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


def worksheet(made: Lesson, code: str = "") -> str:
    """Return the worksheet of a lesson as HTML, without any script or link. `code`: the picture of a QR code, as HTML.

    A question is left out if another question on the sheet gives its answer away.

    >>> from pages.parts.learn.lessons import lesson
    >>> page = worksheet(lesson("pairs"))
    >>> page.index("Which pair is merged first?") < page.index('class="answers"') < page.index("✓")
    True
    """
    numbered = list(enumerate((one for one in made.questions if one.paper), 1))
    return _PAGE.format(
        title=made.title,
        style=Markup(STYLE + _PRINT),
        opening=without_terms(made.opening),
        can=made.can,
        taken=made.part_note,
        code=Markup(code),
        asked=joined(_asked(number, one) for number, one in numbered),
        key=joined(_answered(number, one) for number, one in numbered),
        take_away=made.take_away(),
    )


def _asked(number: int, asked: Question) -> Markup:
    ask, look = on_paper(asked)
    offered = joined(map(_OPTION.format, asked.labels)) if (asked.paper or SAME).offers else _LINE
    return _ASKED.format(number, ask, look, offered)


def on_paper(asked: Question) -> tuple[Markup, Markup]:
    """Return a question as a worksheet prints it: the question itself, and what is above it."""
    paper = asked.paper or SAME
    return Markup(paper.ask) or asked.ask, Markup(paper.look) or asked.look


def _answered(number: int, asked: Question) -> Markup:
    verdicts = [(option.label, judge(asked, option.label)) for option in (asked.right, *asked.wrong_answers)]
    answers = joined(_ANSWER.format(_SIGNS[verdict.kind], label, verdict.why) for label, verdict in verdicts)
    return _KEY.format(number, on_paper(asked)[0], answers)
