"""The view of a word's letters: its tokens under all tokenizers that ship, and how often each token has a letter."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.pictures.shared.token_text import token_text
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.letters import alike, count, letters
from pages.parts.page import chosen_vocabulary, your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import address_bar, state
from pages.parts.state.links import OWN
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens import word_letters
from pages.parts.tokens.tokens_view import ShownText
from pages.parts.ui import controls, downloads, elements
from pages.parts.ui.terms import lesson_about

LEGEND = "The first number: how many tokens. Below a token: how often it has the letter."


WORD = "strawberry"  # the word until there is a text of your own


@st.fragment
def letters_view(shown: ShownText) -> None:
    """Draw a line for the word, a menu of its letters, and the table. The word may be of the page's text."""
    now = with_its_letter(state.read(Tokens))
    word = shown_word(now)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        controls.line(Tokens, "word", "A word", with_new_word, placeholder=word, width=260)
        offered = _offered(word, now.letter)
        controls.pick(Tokens, "letter", offered, "Count the letter", width=150, part=state.WidgetPart(now.letter))
    with problems_shown():
        found = [chosen_vocabulary.vocabulary_or_why(key) for key in PUBLISHED]
        table = word_letters.cells([vocabulary for vocabulary, _ in found if vocabulary], word)
        st.html(elements.finding(word_letters.summary(table, word, now.letter)))
        lesson = lesson_about("A lesson: why can’t it count the r’s?", "letters")
        why = elements.more("Why is counting hard?", word_letters.given(table))
        st.html(word_letters.letters_table(table, now.letter) + elements.note(LEGEND) + why + lesson)
        for problem in filter(None, (why for _, why in found)):
            st.html(elements.problem(problem))
        with st.container(horizontal=True):
            downloads.sheet("Letters (CSV)", "letters", lambda: word_letters.sheet(table, now.letter))
            downloads.pictures("letters", lambda: word_letters.drawing(table, word, now.letter), ("svg", "png"))
            own = "Letters of your own text"
            controls.button(own, Tokens, _of_your_text, key="tokens.own letters", type="tertiary")
    address_bar.publish(Tokens)


def shown_word(now: Tokens) -> str:
    """Return the word that is typed; else the longest word of your text; else `WORD`."""
    own = now.text if now.corpus == OWN else ""
    return now.word or next(iter(your_text.longest_words(own, 1)), WORD)


def with_new_word(now: Tokens) -> Tokens:
    """Return the state after a word was typed: a chosen letter that the word lacks is chosen no longer."""
    has = not now.letter or count(now.letter, letters(shown_word(now)))
    return now if has else replace(now, letter=Tokens().letter)


def with_its_letter(now: Tokens) -> Tokens:
    """Return the state with a letter that its word has: until one is chosen, the word's most frequent one for "r".

    A visitor who chose a letter, or none, keeps it.
    """
    found = letters(shown_word(now))
    if now.letter != Tokens().letter or count(now.letter, found):
        return now
    return replace(now, letter=max(found, key=lambda letter: count(letter, found) if letter.strip() else 0))


def _of_your_text(now: Tokens) -> Tokens:
    """Return the state that shows the tokens of your text, each with its letters under it."""
    return replace(with_its_letter(now), view="tokens", letters=True)


def _offered(word: str, chosen: str) -> dict[str, str]:
    """Return the letters to choose from: the word's letters, and the chosen letter."""
    different = {alike(letter): letter for letter in [*letters(word), chosen]}
    return {letter: token_text(encode_text(letter)) or "none" for letter in different.values()}
