"""The questions on the screen, one after the other: the options or a field to type in, and the verdict on an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from pages.parts.learn import answers, progress
from pages.parts.learn.answers import SHOWN, Tries
from pages.parts.learn.lessons import Lesson
from pages.parts.learn.mixed_questions import MixedFive
from pages.parts.learn.questions import NEARLY, NUMBER, RIGHT, Question, judge, plain_text, unusable
from pages.parts.state import state
from pages.parts.state.learn_state import Learn
from pages.parts.ui import controls, sentences

HEADS = {RIGHT: "✓ Right.", NEARLY: "≈ Nearly, and it counts."}
LARGEST = 10**9  # the largest number that can be typed
_ASK = Markup('<h3 class="ask">{}</h3>')
_VERDICT = Markup('<div class="verdict {}" id="verdict-{}" tabindex="-1" role="status">{}</div>')
_COUNT = Markup('<details class="count"><summary>{}</summary><p>{}</p>{}</details>')
_LINE = Markup("<p><b>{}</b> {}{}</p>")


def ask(now: Learn, made: Lesson) -> bool:
    """Draw the settled questions and the next question; return whether all questions are settled."""
    rows = progress.tries(now, made)
    for number in range(_so_far(made.questions, rows)):
        with st.container(key=f"learn-question-{number}"):
            _question(now, made, number, rows[number])
    return bool(rows) and all(map(answers.settled, made.questions, rows))


def _so_far(asked: tuple[Question, ...], rows: list[Tries]) -> int:
    """Return how many questions are on the screen: the settled questions, and the next question."""
    open_ones = [number for number, row in enumerate(rows) if not answers.settled(asked[number], row)]
    return open_ones[0] + 1 if open_ones else len(asked)


def _question(now: Learn, made: Lesson, number: int, tried: Tries) -> None:
    asked = made.questions[number]
    if asked.look:
        st.html(asked.look)
    st.html(_ASK.format(asked.ask))
    typed = now.types and bool(asked.typed)
    answer, wrong = _typed(now, made, number) if typed else (_chosen(now, made, number, tried), "")
    latest = answer or next((entry for entry in tried[::-1] if entry != SHOWN), "")  # after a reload, the last try
    verdict = wrong or _verdict(asked, tried, latest)
    found = bool(latest) and judge(asked, latest).counts
    st.html(_VERDICT.format("found" if found else "", number, verdict))
    if tried and not found:
        st.html(_counting(asked.steps))
    if not answers.settled(asked, tried):
        with st.container(horizontal=True):
            controls.button("Show me", Learn, _show, made, number, key=f"learn.show {number}")
            if asked.typed:
                other = "Choose the answer" if typed else "Type the answer instead"
                controls.button(other, Learn, _switch, key=f"learn.other {number}", type="tertiary")


def _counting(steps: Sequence[Markup]) -> Markup:
    """Return the steps to the right answer as HTML: each step opens the next one."""
    opened = Markup()
    for number, step in reversed(list(enumerate(steps))):
        opened = _COUNT.format("Next" if number else "Count with me, step by step", step, opened)
    return opened


def _show(now: Learn, made: Lesson, number: int) -> Learn:
    return progress.focus(progress.answer(now, made, number, SHOWN), f"verdict-{number}")


def _switch(now: Learn) -> Learn:
    return replace(now, types=not now.types)


def _widget(now: Learn, made: Lesson, number: int, kind: str) -> str:
    """Return the key of a question's widget. The key changes with the lesson, the lesson's text, and the round."""
    which = (made.name, made.text if not isinstance(made, MixedFive) else made.seed)
    return f"learn.{kind} {number} {hash(which)} {now.round}"


def _chosen(now: Learn, made: Lesson, number: int, tried: Tries) -> str:
    """Draw the options; return the chosen option or, after a reload, the last try."""
    asked, key = made.questions[number], _widget(now, made, number, "options")

    def take() -> None:
        if chosen := state.sent(key):
            state.change(Learn, progress.answer, made, number, str(chosen))

    last = tried[-1] if tried and tried[-1] in asked.labels else None
    if state.sent(key) is None and last:
        state.set_widget(key, last)
    chosen = st.pills(
        plain_text(asked.ask), list(asked.labels), format_func=sentences.plain, key=key, on_change=take,
        label_visibility="collapsed", required=True,
    )  # fmt: skip
    return chosen or ""


def _typed(now: Learn, made: Lesson, number: int) -> tuple[str, str]:
    """Draw a field for a number or a split. Return the typed answer and, if it is not usable, the reason; else ""."""
    asked, key = made.questions[number], _widget(now, made, number, "typed")

    def take() -> None:
        typed = state.sent(key)
        if typed not in (None, "") and not (asked.typed != NUMBER and unusable(asked, str(typed))):
            state.change(Learn, progress.answer, made, number, str(typed))

    if asked.typed == NUMBER:
        given = st.number_input(
            "Your number, then Enter", 0, LARGEST, None, key=key, on_change=take, width=200, placeholder="a number",
        )  # fmt: skip
        return ("" if given is None else str(given)), ""
    typed = st.text_input("The word with bars between its tokens, then Enter", key=key, on_change=take, width=320)
    return typed, unusable(asked, typed) if typed else ""


def _verdict(asked: Question, tried: Tries, answer: str) -> Markup:
    """Return the verdict on the latest answer. If the question ends without the right answer, the verdict names it."""
    lines, found = Markup(), False
    if answer:
        verdict = judge(asked, answer)
        found = verdict.counts
        again = "" if answers.settled(asked, tried) else " Try again."
        lines = _LINE.format(HEADS.get(verdict.kind, "✗ Not that."), verdict.why, again)
    if answers.settled(asked, tried) and not found:
        end = "" if asked.right.label.endswith(".") else "."
        lines += _LINE.format(f"→ The answer is {asked.right.label}{end}", asked.right.why, "")
    return lines
