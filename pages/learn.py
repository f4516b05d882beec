"""Learn: lessons that ask before they tell."""

import streamlit as st
from markupsafe import Markup

from pages.parts.learn import for_a_class, lesson_view, progress
from pages.parts.learn.progress import TITLE, TOP
from pages.parts.page import frame
from pages.parts.server import page_scripts
from pages.parts.state import address_bar, state
from pages.parts.state.learn_state import Learn
from pages.parts.texts.corpora import CorpusError
from pages.parts.ui import elements

# The script runs again only if the element changes. `data-move`, which counts the moves, makes each element differ.
_FOCUS = Markup('<span data-focus-on="{}" data-focus-top="{}" data-move="{}"></span>')


def learn_page() -> None:
    """Draw the page: the choice of a lesson, its questions so far, what its answers reveal, and tools for a class."""
    now = frame.draw_head(Learn)
    if (lesson := address_bar.led_to(Learn, "lesson")) not in (None, now.lesson):
        now = progress.go(now, lesson=lesson)
    now = state.save(progress.without_unknown(now))
    frame.remarks(now)
    rail, opened = (column.container() for column in st.columns([1, 4], gap="large"))
    with rail:
        lesson_view.choose_lesson(now)
    with opened:
        open_lesson(now)
    move_focus(now)
    lesson_view.keep_ticks(state.read(Learn))
    address_bar.publish(Learn)


def open_lesson(now: Learn) -> None:
    """Draw the open lesson. If another website embeds the app, leave out the tools for a class."""
    if not st.context.is_embedded:
        for_a_class.draw(now)
    try:
        lesson = progress.lesson_of(now)
    except CorpusError as error:
        st.html(elements.note(str(error)))
    else:
        lesson_view.head(lesson)
        if lesson_view.ask(now, lesson):
            lesson_view.see(now, lesson)


def move_focus(now: Learn) -> None:
    """Move the focus, once, to the element that the clicked button named, since the button itself may be gone.

    At the beginning of a lesson, scroll to the top of the page.
    """
    to_top = "yes" if now.focus in (TITLE, TOP) else ""
    page_scripts.run(page_scripts.MOVE_FOCUS, _FOCUS.format(now.focus, to_top, now.moves), width=1)


learn_page()
