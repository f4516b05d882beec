"""Learn: lessons that ask before they tell."""

from dataclasses import replace

import streamlit as st

from pages.parts.learn import for_a_class, lesson_view, progress, question_view, ticks
from pages.parts.learn.progress import TITLE, TOP
from pages.parts.session import state
from pages.parts.session.corpora import CorpusError
from pages.parts.session.page_states import Learn
from pages.parts.views import elements
from pages.parts.widgets import frame


def page() -> None:
    """Draw the page: the choice of a lesson, its questions so far, the reveal, and the tools for a class."""
    now = state.save(progress.without_unknown(frame.page(Learn)))
    frame.remarks(now)
    lesson_view.choose_lesson(now)
    try:
        lesson = progress.lesson_of(now)
    except CorpusError as error:
        st.html(elements.note(str(error)))
    else:
        lesson_view.head(lesson)
        if question_view.ask(now, lesson):
            lesson_view.see(now, lesson)
    if not st.context.is_embedded:
        for_a_class.draw(now)
    move_focus(now)
    ticks.keep(state.read(Learn))
    state.publish(Learn)


def move_focus(now: Learn) -> None:
    """Move the focus, once, to the element that a button asked for. The button itself may be gone.

    Another lesson begins at the top of the page. The number of the move is in the script, since a browser does not run
    the same script twice.
    """
    at_top = "document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
    focused = f"document.getElementById({now.focus!r})?.focus({{preventScroll: {str(now.focus == TITLE).lower()}}});"
    script = f"{focused} {at_top if now.focus in (TITLE, TOP) else ''} // {now.moves}" if now.focus else ""
    st.html(f"<span></span><script>{script}</script>", width=1, unsafe_allow_javascript=True)
    state.save(replace(now, focus=""))


page()
