"""What a vocabulary of one's own would save: the curve over the number of new tokens, and the tokens that save most."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from bpe_core.counting.batch_counts import TokenizerOrPath
from bpe_core.counting.in_child import FilesInChild
from bpe_core.counting.own_tokens import MOST_CHARACTERS, MOST_NEW, Savings
from bpe_core.pictures.shared.token_text import shortened
from bpe_core.settings import STARTS
from bpe_core.text.in_words import counted, percent
from pages.parts.page import frame, your_text
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.train_state import Train
from pages.parts.ui import charts, downloads, elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

QUESTION = "What would a vocabulary of my own save?"
MARKED = 500  # new tokens, of which the sentence speaks
LISTED, POINTS = 100, 200
WHAT = (
    "This learns new tokens from these files, at most {:,}, and adds them to those of {}. Then it counts how many "
    "tokens that saves. It takes some seconds."
)
ABOUT = (
    "The new tokens were learnt from four fifths of these texts: {:,} characters. The share and the curve are of the "
    "other fifth, {:,} characters from which nothing was learnt."
)
LEFT_OUT = "{} left out: those of pieces with a character that {} has no token for, such as {!r}."


def draw(
    files: FilesInChild, of: tuple[str, ...], chosen: PageVocabulary, given: TokenizerOrPath, column: str, total: int
) -> None:
    """Draw a button that asks the question, or its answer.

    `given`: the tokenizer for the process of the files. `total`: how many tokens the files have.
    """
    key = ("savings", of, column, chosen.name, id(chosen.tokenizer))
    above = st.empty()
    if not st.toggle("Train and count", key=f"files.savings {hash(key)}"):
        above.html(elements.sentence(WHAT.format(MOST_NEW, chosen.title)))
        return

    def make() -> Savings:
        with st.spinner("Training …"):
            return files.savings(given, column)

    found = state.latest("savings", key, make)
    if found.left_out:
        left_out = counted(found.left_out, "character is", "characters are")
        st.html(elements.note(LEFT_OUT.format(left_out, chosen.title, found.unknown)))
    if found.why_none:
        st.html(elements.sentence(found.why_none))
        return
    number = min(MARKED, len(found.new))
    needed = f"{chosen.title} needs {counted(total, 'token')} for these files. "
    of_all = counted(number, "new token")
    if number < len(found.new):
        of_all = f"The first {number:,} of {len(found.new):,} new tokens"
    st.html(elements.finding(f"{needed}{of_all} would save {percent(found.share(number))}."))
    about = ABOUT.format(found.trained, found.kept)
    if found.trained + found.kept >= MOST_CHARACTERS:
        about += f" Only the first {MOST_CHARACTERS / 1e6:g} million characters are looked at."
    st.html(elements.note(about))
    left, right = st.columns([3, 2], gap="large")
    with left:
        curve = charts.cost(points(found), [0, number], "new tokens")
        downloads.chart(curve, "savings", "How many tokens the texts have, over the number of new tokens")
    with right:
        st.html(elements.title("The new tokens that save most"))
        st.dataframe(best(found, chosen.glyph), hide_index=True, height=260)
    _to_train(files, chosen, column)


def points(found: Savings) -> pd.DataFrame:
    """Return the curve: the columns vocabulary, the number of new tokens, and tokens, at up to `POINTS` places."""
    last = len(found.new)
    places = sorted({0, min(MARKED, last), last, *range(0, last, max(1, last // POINTS))})
    return pd.DataFrame({"vocabulary": places, "tokens": found.tokens[places]})


def best(found: Savings, glyph: str) -> pd.DataFrame:
    """Return the new tokens that save most: the token, how many tokens it saves, and when it was learnt."""
    rows = [(shortened(found.new[i], glyph), int(found.saved[i]), i + 1) for i in found.best[:LISTED] if found.saved[i]]
    return pd.DataFrame(rows, columns=["token", "saves", "learnt as"])


def _to_train(files: FilesInChild, chosen: PageVocabulary, column: str) -> None:
    """Draw a button that opens Train with these texts, going on from the tokenizer if Train knows it."""
    if st.button("Train on these texts", key="files.to train"):
        text = files.beginning(column, LIMITS.training_characters)
        now = your_text.put_in(state.read(Train), text, "your files")
        if chosen.name in STARTS:
            size = chosen.tokenizer.vocab_size + MARKED
            now = replace(now, start=chosen.name, vocab_size=size, alphabet="bytes", word_marker="none")
        state.save(now)
        st.switch_page(frame.PAGES[Train.PAGE].path)
