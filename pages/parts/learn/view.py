"""The lesson on the screen: which one, its questions one after the other, and what follows when all are answered."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

from pages.parts.learn import going_on, progress, questions
from pages.parts.learn.lessons import LESSONS, Lesson
from pages.parts.learn.mixed import Mixed
from pages.parts.learn.questions import NEARLY, NUMBER, RIGHT, SHOWN, Question, Tries, judge, plain_text
from pages.parts.session import state
from pages.parts.session.links import MIXED, MOST_SEED
from pages.parts.views import elements, sentences

NAMES = {**{key: made.name for key, made in LESSONS.items()}, MIXED: Mixed.name}
SAID = {RIGHT: "✓ Right.", NEARLY: "≈ Nearly, and it counts."}
LARGEST = 10**9  # of a number that is typed


def choose_lesson(page: str) -> None:
    """The names of the lessons; those that are done are ticked."""
    done = state.get(page, "done")
    numbers = {key: f"{number}. " for number, key in enumerate(LESSONS, 1)}

    def named(key: str) -> str:
        return f"{'✓ ' if key in done else ''}{sentences.plain(numbers.get(key, ''))}{NAMES[key]}"

    st.pills(
        "Lesson", list(NAMES), required=True, format_func=named, key=state.key(page, "lesson"),
        on_change=progress.opened, args=(page,), label_visibility="collapsed",
    )  # fmt: skip


def head(page: str, made: Lesson) -> None:
    """What the lesson is about, and what is left out of it."""
    st.html(
        f'<h2 class="lesson">{escape(made.title)}</h2>{elements.note(f"Afterwards you can {made.can}.")}'
        f'<p class="sentence">{escape(made.opening)}</p>'
    )
    if isinstance(made, Mixed):
        st.number_input(
            "The number that draws the questions: a class with the same one has the same five.",
            1, MOST_SEED, key=state.key(page, "seed"), on_change=progress.opened, args=(page,), width=420,
        )  # fmt: skip
    if made.left_out:
        st.html(elements.note(f"Left out on this text: {'; '.join(made.left_out)}."))
    if not made.questions:
        st.button("Take the lesson's own text", on_click=_own_text, args=(page,))


def _own_text(page: str) -> None:
    state.put(page, "text", "")
    progress.opened(page)


def questions_so_far(asked: tuple[Question, ...], rows: list[Tries]) -> int:
    """How many questions are on the screen: those that are settled, and the next one."""
    open_ones = [number for number, row in enumerate(rows) if not questions.settled(asked[number], row)]
    return open_ones[0] + 1 if open_ones else len(asked)


def ask(page: str, made: Lesson) -> bool:
    """The questions, one after the other; returns whether all are settled."""
    rows = progress.tries(page, made)
    for number in range(questions_so_far(made.questions, rows)):
        with st.container(key=f"{page}-question-{number}"):
            _question(page, made, number, rows[number])
    return bool(rows) and all(map(questions.settled, made.questions, rows))


def _question(page: str, made: Lesson, number: int, tried: Tries) -> None:
    asked = made.questions[number]
    if asked.look:
        st.html(asked.look)
    st.html(f'<h3 class="ask">{asked.ask}</h3>')
    answer, wrong = _typed(page, made, number) if _types(page, asked) else (_chosen(page, made, number, tried), "")
    st.html(f'<div class="verdict" role="status">{wrong or _verdict(asked, tried, answer)}</div>')
    if not questions.settled(asked, tried):
        with st.container(horizontal=True):
            st.button(
                "Show me", key=f"{page}.show {number}", type="tertiary",
                on_click=progress.answer, args=(page, made, number, SHOWN),
            )  # fmt: skip
            if asked.typed:
                other = "Choose the answer" if _types(page, asked) else "Answer without options"
                st.button(other, key=f"{page}.other {number}", type="tertiary", on_click=_switch, args=(page,))


def _types(page: str, asked: Question) -> bool:
    return bool(asked.typed) and state.recall(f"{page}.types", False)


def _switch(page: str) -> None:
    state.remember(f"{page}.types", not state.recall(f"{page}.types", False))


def _widget(page: str, made: Lesson, number: int, kind: str) -> str:
    """The key of a question's widget: another one in another lesson, on another text, in another round."""
    which = (made.name, made.text if not isinstance(made, Mixed) else made.seed)
    return f"{page}.{kind} {number} {hash(which)} {state.recall(f'{page}.round', 0)}"


def _chosen(page: str, made: Lesson, number: int, tried: Tries) -> str:
    """The options; returns the chosen one, or the last try of a reloaded page."""
    asked, key = made.questions[number], _widget(page, made, number, "options")

    def take() -> None:
        if chosen := state.recall(key):
            progress.answer(page, made, number, chosen)

    last = tried[-1] if tried and tried[-1] in asked.labels else None
    if state.recall(key) is None and last:
        state.remember(key, last)
    chosen = st.pills(
        plain_text(asked.ask), list(asked.labels), format_func=sentences.plain, key=key, on_change=take,
        label_visibility="collapsed",
    )  # fmt: skip
    return chosen or ""


def _typed(page: str, made: Lesson, number: int) -> tuple[str, str]:
    """A number or a cut of one's own; returns it, and what is wrong with how it was typed."""
    asked, key = made.questions[number], _widget(page, made, number, "typed")

    def take() -> None:
        typed = state.recall(key)
        if typed not in (None, "") and not (asked.typed != NUMBER and questions.unusable(asked, typed)):
            progress.answer(page, made, number, str(typed))

    if asked.typed == NUMBER:
        typed = st.number_input("Your number", 0, LARGEST, None, key=key, on_change=take, width=200)
        return ("" if typed is None else str(typed)), ""
    typed = st.text_input("The word with bars between its tokens", key=key, on_change=take, width=320)
    return typed, escape(questions.unusable(asked, typed)) if typed else ""


def _verdict(asked: Question, tried: Tries, answer: str) -> str:
    """What is said to the latest answer; and the right one, once it is settled by other means."""
    said, found = "", False
    if answer:
        verdict = judge(asked, answer)
        found = verdict.counts
        again = "" if questions.settled(asked, tried) else " Try again."
        said = f"<p><b>{SAID.get(verdict.kind, '✗ Not that.')}</b> {verdict.why}{again}</p>"
    if questions.settled(asked, tried) and not found:
        said += f"<p><b>→ The answer is {escape(asked.right.label)}.</b> {asked.right.why}</p>"
    return said


def see(page: str, made: Lesson, draw: Callable[[Any], None]) -> None:
    """What happened, by the app's own instruments; what to take away, and where to go on."""
    if instruments := made.reveal():
        st.html(elements.heading("See"))
    for instrument in instruments:
        draw(instrument)
    st.html(f'<p class="taken"><b>Take away.</b> {made.take_away()}</p>')
    rows = progress.tries(page, made)
    right = sum(map(questions.at_once, made.questions, rows))
    st.html(elements.note(f"{right:,} of {sentences.counted(len(rows), 'answer')} right at the first try."))
    with st.container(horizontal=True):
        if not isinstance(made, Mixed):
            going_on.button(made.go_on())
        _next(page, made)
        st.button("Once more", key=f"{page}.again", type="tertiary", on_click=progress.again, args=(page,))


def _next(page: str, made: Lesson) -> None:
    """The way to the next lesson, or to the next five."""
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

    st.button(label, key=f"{page}.next", on_click=go)
