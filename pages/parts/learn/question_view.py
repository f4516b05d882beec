"""The questions on the screen, one after the other: the options or a field to type in, and the verdict on an answer."""

from __future__ import annotations

import streamlit as st
from markupsafe import Markup

from pages.parts.learn import answers, focus, progress
from pages.parts.learn.answers import SHOWN, Tries
from pages.parts.learn.lessons import Lesson
from pages.parts.learn.mixed import Mixed
from pages.parts.learn.questions import NEARLY, NUMBER, RIGHT, Question, judge, plain_text, unusable
from pages.parts.session import state
from pages.parts.views import sentences

HEADS = {RIGHT: "✓ Right.", NEARLY: "≈ Nearly, and it counts."}
LARGEST = 10**9  # of a typed number
_ASK = Markup('<h3 class="ask">{}</h3>')
_VERDICT = Markup('<div class="verdict" id="verdict-{}" tabindex="-1" role="status">{}</div>')
_LINE = Markup("<p><b>{}</b> {}{}</p>")


def ask(page: str, made: Lesson) -> bool:
    """Draw the settled questions and the next one; return whether all are settled."""
    rows = progress.tries(page, made)
    for number in range(_so_far(made.questions, rows)):
        with st.container(key=f"{page}-question-{number}"):
            _question(page, made, number, rows[number])
    return bool(rows) and all(map(answers.settled, made.questions, rows))


def _so_far(asked: tuple[Question, ...], rows: list[Tries]) -> int:
    """Return how many questions are on the screen: the settled ones, and the next one."""
    open_ones = [number for number, row in enumerate(rows) if not answers.settled(asked[number], row)]
    return open_ones[0] + 1 if open_ones else len(asked)


def _question(page: str, made: Lesson, number: int, tried: Tries) -> None:
    asked = made.questions[number]
    if asked.look:
        st.html(asked.look)
    st.html(_ASK.format(asked.ask))
    answer, wrong = _typed(page, made, number) if _types(page, asked) else (_chosen(page, made, number, tried), "")
    latest = answer or next((entry for entry in tried[::-1] if entry != SHOWN), "")  # after a reload, the last try
    verdict = wrong or _verdict(asked, tried, latest)
    st.html(_VERDICT.format(number, verdict))
    if not answers.settled(asked, tried):
        with st.container(horizontal=True):
            st.button(
                "Show me", key=f"{page}.show {number}",
                on_click=_show, args=(page, made, number),
            )  # fmt: skip
            if asked.typed:
                other = "Choose the answer" if _types(page, asked) else "Type the answer instead"
                st.button(other, key=f"{page}.other {number}", type="tertiary", on_click=_switch, args=(page,))


def _show(page: str, made: Lesson, number: int) -> None:
    progress.answer(page, made, number, SHOWN)
    focus.move_to(page, f"verdict-{number}")


def _types(page: str, asked: Question) -> bool:
    return bool(asked.typed) and state.recall(f"{page}.types", False)


def _switch(page: str) -> None:
    state.remember(f"{page}.types", not state.recall(f"{page}.types", False))


def _widget(page: str, made: Lesson, number: int, kind: str) -> str:
    """Return the key of a question's widget, which changes with the lesson, its text, and the round."""
    which = (made.name, made.text if not isinstance(made, Mixed) else made.seed)
    return f"{page}.{kind} {number} {hash(which)} {state.recall(f'{page}.round', 0)}"


def _chosen(page: str, made: Lesson, number: int, tried: Tries) -> str:
    """Draw the options; return the chosen one or, after a reload, the last try."""
    asked, key = made.questions[number], _widget(page, made, number, "options")

    def take() -> None:
        if chosen := state.recall(key):
            progress.answer(page, made, number, chosen)

    last = tried[-1] if tried and tried[-1] in asked.labels else None
    if state.recall(key) is None and last:
        state.remember(key, last)
    chosen = st.pills(
        plain_text(asked.ask), list(asked.labels), format_func=sentences.plain, key=key, on_change=take,
        label_visibility="collapsed", required=True,
    )  # fmt: skip
    return chosen or ""


def _typed(page: str, made: Lesson, number: int) -> tuple[str, str]:
    """Draw a field for a number or a split; return what was typed, and why it is not usable or ""."""
    asked, key = made.questions[number], _widget(page, made, number, "typed")

    def take() -> None:
        typed = state.recall(key)
        if typed not in (None, "") and not (asked.typed != NUMBER and unusable(asked, typed)):
            progress.answer(page, made, number, str(typed))

    if asked.typed == NUMBER:
        typed = st.number_input("Your number", 0, LARGEST, None, key=key, on_change=take, width=200)
        return ("" if typed is None else str(typed)), ""
    typed = st.text_input("The word with bars between its tokens", key=key, on_change=take, width=320)
    return typed, unusable(asked, typed) if typed else ""


def _verdict(asked: Question, tried: Tries, answer: str) -> Markup:
    """Return the verdict on the latest answer; if the question is settled without it, also the right answer."""
    lines, found = Markup(), False
    if answer:
        verdict = judge(asked, answer)
        found = verdict.counts
        again = "" if answers.settled(asked, tried) else " Try again."
        lines = _LINE.format(HEADS.get(verdict.kind, "✗ Not that."), verdict.why, again)
    if answers.settled(asked, tried) and not found:
        lines += _LINE.format(f"→ The answer is {asked.right.label}.", asked.right.why, "")
    return lines
