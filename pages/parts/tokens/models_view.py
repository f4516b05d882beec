"""The view of several tokenizers: a text in their tokens, the price of languages, or a scorecard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from bpe_core.files.format import RefusedTextError
from bpe_core.pictures.rows.rows_data import drawn, finding, rows_table
from bpe_core.text.in_words import counted
from pages.parts.page import text_box, your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.page.tokenizer_row import others
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens import languages, scores
from pages.parts.tokens.tokens_view import ShownText, asks
from pages.parts.ui import charts, controls, downloads, elements, sentences
from pages.parts.ui.live_view import token_rows
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

T = TypeVar("T")
COMPARED = {"text": "Your text", "languages": "The price of a language", "scorecard": "Scorecard"}
ABOUT = (
    "By meaning it is: a sentence beside the same sentence, never a character beside a character, which says more in "
    "Chinese than in English."
)
EIGHT = "One sentence is an example and no survey: put in some of your own."
SCORECARD = (
    "The first five figures are of your text, the last two of the sentences in “The price of a language”. They "
    "describe, they do not grade: a better figure is no promise of a better model."
)


def comparison() -> list[PageVocabulary]:
    """Draw the choice of other tokenizers, and the choice of what is compared; return the other tokenizers."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="models-compared"):
        beside = others(Tokens)
        controls.switch(Tokens, "compared", "What is compared", COMPARED, whole=True)
    return beside


def models_view(shown: ShownText) -> None:
    """Draw the text, the price of languages or the scorecard, with the page's tokenizer and with the others."""
    text, specials, first, beside = shown
    chosen = [first, *(other for other in beside if other.name != first.name)]
    what = state.read(Tokens).compared
    with problems_shown():
        if what == "languages":
            _languages(chosen)
        elif what == "scorecard":
            _scorecard(text, specials, chosen)
        else:
            _your_text(text, specials, chosen)


def _of_each(chosen: Sequence[PageVocabulary], make: Callable[[PageVocabulary], T]) -> list[T]:
    """Return what is made with each vocabulary. One whose library refuses the text has a sentence instead."""
    made: list[T] = []
    for vocabulary in chosen:
        try:
            made.append(make(vocabulary))
        except RefusedTextError as error:
            st.html(elements.problem(f"{vocabulary.title}: {error}"))
    return made


def _your_text(text: str, specials: bool, chosen: Sequence[PageVocabulary]) -> None:
    rows = _of_each(chosen, lambda vocabulary: vocabulary.row(text, specials))
    if not rows:
        return
    to = asks("rows", tuple(chosen)) if len(rows) == len(chosen) else None
    token_rows("tokens.rows", [drawn(row, rows[0]) for row in rows], rows_table(rows), finding(rows), text, to)
    st.html(elements.note(f"Underlined: tokens that {rows[0].name} does not have at this point of the text."))


def _languages(chosen: Sequence[PageVocabulary]) -> None:
    typed = your_text.side_text(Tokens, "sentences")
    said = languages.sentences(typed)
    priced = _of_each(chosen, lambda vocabulary: (vocabulary, languages.price(vocabulary, said)))
    prices = [price for _, price in priced]
    if prices:
        uneven = languages.uneven(said)
        head = elements.problem(uneven) if uneven else elements.finding(languages.sentence(said, prices))
        st.html(head + languages.bars(said, prices))
        if not uneven and (money := languages.in_money(said, prices, state.read(Tokens).price)):
            st.html(elements.note(money))
    own = state.read(Tokens).sentences != Tokens().sentences
    st.html(elements.more("Is that fair?", ABOUT) + ("" if own else elements.note(EIGHT)))
    label = "One sentence a line, all of the same meaning. Lines that begin with a language are taken together."
    text_box.side_box(Tokens, "sentences", label, "English: …", height=215)
    if more := languages.left_out(typed):
        most = f"{languages.MOST} sentences of together {languages.MOST_CHARACTERS:,} characters"
        st.html(elements.problem(f"{counted(more, 'line')} left out: the page takes at most {most}."))
    if not prices:
        return
    with st.container(horizontal=True):
        downloads.chart_pictures(lambda: charts.prices(languages.bar_rows(said, prices)), "languages")
        downloads.sheet("CSV", "languages", lambda: languages.prices_table(said, prices))
        if own:
            controls.button("The eight sentences again", Tokens, _eight_again, key="tokens.eight")
    first = priced[0][0]
    st.html(elements.heading(f"The tokens of {first.title}"))
    rows = [first.row(each.text, specials=False, name=each.name) for each in said]
    token_rows("tokens.languages", [drawn(row, row) for row in rows], rows_table(rows))


def _scorecard(text: str, specials: bool, chosen: Sequence[PageVocabulary]) -> None:
    said = languages.sentences(state.read(Tokens).sentences)
    subjects = _of_each(chosen, lambda each: scores.subject(each, text, specials, said, languages.price(each, said)))
    if not subjects:
        return
    cut = sentences.about_text(your_text.shown(state.read(Tokens)), LIMITS.shown_characters)
    st.html(elements.note(" ".join([SCORECARD, *cut])) + scores.card(subjects))
    with st.container(horizontal=True):
        downloads.sheet("CSV", "scorecard", lambda: scores.scores_table(subjects))
        st.download_button(
            "LaTeX", lambda: scores.tex(subjects), "scorecard.tex", "text/x-tex", key="scorecard.tex", on_click="ignore"
        )


def _eight_again(now: Tokens) -> Tokens:
    return replace(now, sentences=Tokens().sentences)
