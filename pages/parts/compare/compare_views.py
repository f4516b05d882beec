"""The panels under the Compare page's two columns: one is open at a time, and only that one is worked out."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from bpe_core.record.side_by_side import SideBySide
from pages.parts.compare import side_sentences, sides
from pages.parts.compare.sides import Sides
from pages.parts.session import state, your_text
from pages.parts.session.links import SIDES
from pages.parts.views import charts, sentences, token_chips
from pages.parts.widgets import controls, downloads
from pages.parts.widgets.controls import View

PAGE = "compare"
CUT_CHARACTERS = 1_000_000  # of a text that every pretokenizer cuts
BLOCKED = 12  # pairs in a chart
SAMPLES = 12  # tokens of a kind


def merges(pair: Sides, both: SideBySide, step: int) -> None:
    """What each side joined at every step."""
    window = sides.merges(pair, step, controls.find(PAGE, "Find a token"))
    if window.total:
        named = {name: name.rpartition(": ")[2] for name in window.rows if name.endswith((": count", ": tied with"))}
        st.dataframe(window.rows, hide_index=True, height=320, column_config=named, placeholder="")
        st.html(token_chips.note(sentences.window(len(window.rows), window.total, "steps")))
    else:
        st.html(token_chips.note("No merge has this in its token." if step else "No merge yet."))


def vocabularies(pair: Sides, both: SideBySide, step: int) -> None:
    """The tokens of both, and what kinds of mixtures are among them."""
    find = controls.find(PAGE, "Find a token")
    split = sides.vocabularies(pair, step, find)
    for column, (title, tokens) in zip(st.columns(3, gap="large"), split.items(), strict=True):
        column.html(token_chips.token_list(f"{title}: {len(tokens):,}", tokens, kind=sides.unwanted))
    of = " ".join(f"{side.title} has made {len(side.made(step)):,}." for side in pair)
    st.html(token_chips.note(f"Tokens made by merges{' that match' if find else ''}; the alphabets are left out. {of}"))
    found = sides.mixtures(pair, step)
    st.html(token_chips.heading("Tokens that mix letters, digits, signs or words, and contractions"))
    if not found:
        st.html(token_chips.note("Neither side has one at this step."))
    for kind, kinds in found.items():
        st.html(f'<p class="sentence">{kind[0].upper()}{kind[1:]}</p>')
        for column, side, tokens in zip(st.columns(2, gap="large"), pair, kinds, strict=True):
            said = f"{side.title}: {len(tokens):,} of {len(side.made(step)):,} merges"
            column.html(token_chips.token_list(said, tokens, side.glyph, SAMPLES))


def blocked(pair: Sides, both: SideBySide, step: int) -> None:
    """What stands next to each other but across a cut."""
    for column, side, other in zip(st.columns(2, gap="large"), pair, pair[::-1], strict=True):
        with column:
            pairs = side.run.blocked_pairs(side.at(step), BLOCKED)
            st.html(f'<p class="sentence">{side_sentences.blocked_sentence(side, other, step, pairs)}</p>')
            if pairs:
                drawn = charts.pair_frequency(sides.blocked(side, other, step, pairs), len(pairs))
                downloads.chart(drawn, f"blocked {side.title}", f"blocked pairs, {side.title}")
    st.html(token_chips.note("The counts are those that the pairs would have if no cut stood between their halves."))


def held_out(pair: Sides, both: SideBySide, step: int) -> None:
    """What the held-out text costs, now and at every size of the vocabulary."""
    for column, place, side in zip(st.columns(2, gap="large"), SIDES, pair, strict=True):
        column.html(token_chips.title(side.title, curve=place))
        column.html(token_chips.figures(sides.held_figures(side, step)))
    drawn = charts.growth(sides.growth(pair), sides.growth_now(pair, step))
    downloads.chart(drawn, "growth", "tokens of the held-out text as each vocabulary grows")
    if beside := side_sentences.beside(pair):
        st.html(token_chips.note(f"{beside}."))


def pretokenizers(pair: Sides, both: SideBySide, step: int) -> None:
    """All pretokenizers on the corpus."""
    text = your_text.corpus(PAGE).text
    with st.spinner("Cutting the text by every pretokenizer …"):
        table = state.latest(PAGE, "overview", (text, *pair), lambda: _overview(pair, text))
    st.dataframe(table, hide_index=True, height=35 * (len(table) + 1) + 3)
    first = f" Of this text, its first {CUT_CHARACTERS:,} characters." if len(text) > CUT_CHARACTERS else ""
    st.html(token_chips.note(f"The time is what counting took here, once.{first}"))


def _overview(pair: Sides, text: str) -> pd.DataFrame:
    chosen = {place: side.run.settings.splitter for place, side in zip(SIDES, pair, strict=True)}
    return sides.overview(text[:CUT_CHARACTERS], chosen)


def export(pair: Sides, both: SideBySide, step: int) -> None:
    """Everything as files, and the link."""
    sheets: dict[str, Callable[[], pd.DataFrame]] = {
        "merges": lambda: sides.merges(pair, step, rows=None).rows,
        "vocabularies": lambda: sides.vocabulary_table(pair, step),
        "blocked pairs": lambda: sides.blocked_table(pair, step),
        "words that differ": lambda: sides.word_table(pair, both, step),
        "held-out curves": lambda: sides.growth(pair, points=None),
        "all pretokenizers": lambda: _overview(pair, your_text.corpus(PAGE).text),
    }
    downloads.downloads(sheets, step)
    for column, place, side in zip(st.columns(2, gap="large"), SIDES, pair, strict=True):
        with column:
            st.html(token_chips.note(f"The tokenizer of {side.title} after {side.at(step):,} merges:"))
            downloads.tokenizer_files(side.run, side.at(step), place)
    downloads.link(PAGE)


VIEWS = {
    "merges": View("Merges", merges),
    "vocabularies": View("Vocabularies", vocabularies),
    "blocked": View("Blocked pairs", blocked),
    "held-out": View("Held-out text", held_out),
    "pretokenizers": View("All pretokenizers", pretokenizers),
    "export": View("Export", export),
}


def draw(pair: Sides, both: SideBySide, step: int) -> None:
    """The panels' names, and the open one."""
    state.keep(PAGE)
    controls.open_view(PAGE, VIEWS).draw(pair, both, step)
