"""A lesson on the screen: its choice, its head, one question after the other, and what follows the last answer.

A question has options or a field to type in, and a verdict on the answer. The visitor's browser keeps the ticks of
finished lessons: there are no accounts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from markupsafe import Markup

from bpe_core.text.in_words import counted
from pages.parts.learn import progress, wording
from pages.parts.learn.lessons import GROUPS, LESSONS, Lesson
from pages.parts.learn.mixed_questions import MIXED, NAMES, MixedFive
from pages.parts.learn.progress import SHOWN, Tries
from pages.parts.learn.questions import NEARLY, NUMBER, RIGHT, Question, judge, plain_text, unusable
from pages.parts.page import frame
from pages.parts.state import links, state
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.state.chat_state import Chat
from pages.parts.state.compare_state import Compare
from pages.parts.state.learn_state import MOST_SEED, Learn
from pages.parts.state.page_states import PageState
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.ui import controls, elements, sentences
from pages.parts.ui.terms import with_terms

_TITLE = Markup('<h2 class="lesson" id="{}" tabindex="-1">{}</h2>')
_GROUP = Markup('<p class="group">{}</p>')
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
    """Draw the choice of a lesson: a rail of buttons in groups, with a tick at what is done; on a phone, a menu.

    If the link names no lesson, say so.
    """
    if now.lesson not in NAMES:
        controls.no_such_choice(now, "lesson")
    titles = {key: f"{number}. {made.name}: {made.title}" for number, (key, made) in enumerate(LESSONS.items(), 1)}

    def named(key: str) -> str:
        return f"{'✓ ' if key in now.done else ''}{titles.get(key, NAMES[key])}"

    with st.container(key="lesson-menu"):
        st.selectbox(
            "Lesson", list(NAMES), format_func=named, label_visibility="collapsed",
            **state.widget(Learn, "lesson", progress.chosen),
        )  # fmt: skip
    with st.container(key="lesson-rail", gap=None):
        for group, keys in GROUPS.items():
            st.html(_GROUP.format(group))
            for key in keys:
                _to_lesson(now, key)
        st.html(_GROUP.format("All of these"))
        _to_lesson(now, MIXED)
    done = len(LESSONS.keys() & set(now.done))
    st.html(elements.note(f"{done or 'None'} of {counted(len(LESSONS), 'lesson')} done."))


def _to_lesson(now: Learn, key: str) -> None:
    """Draw the button that opens a lesson."""
    name = f"**{NAMES[key]}**" if key == now.lesson else NAMES[key]
    label = f"{'✓' if key in now.done else '○'}\u2002{name}"
    controls.button(label, Learn, partial(progress.go, lesson=key), key=f"learn.rail {key}", type="tertiary")


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
    missed = [number for number, row in enumerate(rows) if not progress.at_once(made.questions[number], row)]
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
    return bool(rows) and all(map(progress.settled, made.questions, rows))


def _so_far(asked: tuple[Question, ...], rows: list[Tries]) -> int:
    """Return how many questions are on the screen: the settled questions, and the next question."""
    open_ones = [number for number, row in enumerate(rows) if not progress.settled(asked[number], row)]
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
    st.html(_VERDICT.format("found" if found else "missed" if latest else "", number, verdict))
    if tried and not found:
        st.html(_counting(asked.steps))
    if not progress.settled(asked, tried):
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
        again = "" if progress.settled(asked, tried) else " Try again."
        lines = _LINE.format(HEADS.get(verdict.kind, "✗ Not that."), verdict.why, again)
    if progress.settled(asked, tried) and not found:
        end = "" if asked.right.label.endswith(".") else "."
        lines += _LINE.format(f"→ The answer is {asked.right.label}{end}", asked.right.why, "")
    return lines


TICKS = "learn.ticks"  # the component's key, under which the session has the browser's ticks
_ticks = st.components.v2.component(
    "ticks", html="<span></span>", js=Path(__file__).with_name("ticks.js").read_text(encoding="utf-8")
)


def keep_ticks(now: Learn) -> None:
    """Send the ticks to the browser, and take over the ticks that the browser has from earlier visits."""
    _ticks(key=TICKS, data={"done": now.done, "names": list(NAMES)}, height="content", on_done_change=_take_ticks)


def _take_ticks() -> None:
    messages = state.sent(TICKS)
    state.change(Learn, with_ticks, messages.get("done") if isinstance(messages, Mapping) else None)


def with_ticks(now: Learn, found: object) -> Learn:
    """Add the ticks that a browser sent; return the state. `found`: any value, since a message may be forged.

    >>> with_ticks(Learn(done=("ties",)), ["pairs", "ties", 7, "<b>"]).done
    ('ties', 'pairs')
    """
    names = found if isinstance(found, list) else []
    return replace(now, done=tuple(dict.fromkeys([*now.done, *(name for name in names if name in NAMES)])))
