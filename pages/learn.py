"""Learn: ten lessons that ask before they tell."""

import streamlit as st

from pages.parts.learn import focus, for_a_class, lesson_view, progress, question_view, reveals
from pages.parts.session import state
from pages.parts.session.corpora import CorpusError
from pages.parts.views import elements
from pages.parts.widgets import frame

PAGE = "learn"

frame.page("pages/learn.py")
frame.remarks(PAGE)
lesson_view.choose_lesson(PAGE)
try:
    made = progress.lesson_of(PAGE)
except CorpusError as error:
    st.html(elements.note(str(error)))
else:
    lesson_view.head(PAGE, made)
    if question_view.ask(PAGE, made):
        lesson_view.see(PAGE, made, reveals.draw)
if not st.context.is_embedded:
    for_a_class.draw(PAGE)
focus.draw(PAGE)
state.publish(PAGE)
