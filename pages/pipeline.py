"""Pipeline: one text through every stage, from characters to ids and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from bpe_core import Encoding, FormatError, PatternError
from bpe_core.tokenizer.post_processing import TEMPLATES, process
from pages.parts.pipeline import chosen_parts, decoding, normalization, offset_tables, stage_tokens, stages
from pages.parts.session import inputs, links, state, your_text
from pages.parts.session.tokenizer_keys import OPENED
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements, sentences, tables
from pages.parts.widgets import controls, downloads, frame, settings_row, text_box, tokenizer_choice

if TYPE_CHECKING:
    import pandas as pd

PAGE = "pipeline"
HEIGHT = 250  # pixels of a table
INPUT = 80  # pixels of the box with your text
SECOND = "Optional, for example an answer"


def stage(number: int) -> tuple:
    """Draw the heading of a stage; return the containers of its control, on the left, and its output, on the right."""
    with st.container(key=f"stage-{number}"):
        left, right = (column.container(gap="xxsmall") for column in st.columns([3, 7], gap="large"))
    left.html(stages.heading(number))
    return left, right


def note(lines: list[str]) -> None:
    """Draw a note for each line that is not empty."""
    for line in filter(None, lines):
        st.html(elements.note(line))


def each(draw: Callable[[Encoding, str], str]) -> None:
    """Draw the output of a stage for each text; `draw`: returns it, given the encoding and the name of the text."""
    with tokenizer_choice.explained():
        for name, encoding in encodings.items():
            if len(encodings) > 1:
                st.html(elements.note(f"Text {name}"))
            if encoding.text:
                st.html(draw(encoding, f"text {name}"))


def shown(text: str) -> str:
    """Return the beginning of a text that this page works on, and draw remarks about the text."""
    note(sentences.beside_text(text, stages.MOST_CHARACTERS))
    return text[: stages.MOST_CHARACTERS]


def encoded(vocabulary: Vocabulary, pretokenizer: str) -> tuple[dict[str, Encoding], dict[str, pd.DataFrame]]:
    """Return each text as a model encodes it, with the chosen normalizers and pretokenizer, and its pretokens' table.

    Raises `FormatError`, and `PatternError` for a pattern that takes too long to find the pretokens.
    """
    tokenizer = chosen_parts.with_parts(vocabulary, state.get(PAGE, "normalizers"), pretokenizer)
    found = {name: tokenizer.encode(text) for name, text in texts.items()}
    return found, {name: offset_tables.pretokens(encoding) for name, encoding in found.items()}


def as_the_model_does(vocabulary: Vocabulary) -> None:
    """If other normalizers are chosen than the model's, draw a button for the model's."""
    own = list(vocabulary.tokenizer.normalizers)
    if own != state.get(PAGE, "normalizers"):
        name = vocabulary.title.split(" (")[0]
        note([f"{name} itself normalizes nothing: these show what normalizers do." if not own else ""])
        controls.button(f"As {name} does it", state.put, PAGE, "normalizers", own)


frame.page("pages/pipeline.py")
frame.remarks(PAGE)
text_box.text_box(PAGE, height=INPUT)
texts = {"A": shown(your_text.shown(PAGE))}
containers = [stage(number) for number, _ in enumerate(stages.NAMES, 1)]
(
    (normalizing, normalized),
    (splitting, split),
    (modelling, modelled),
    (adding, added),
    (numbering, ids),
    (_, decoded),
) = containers

with adding:
    names = {name: row.title for name, row in TEMPLATES.items()}
    template = TEMPLATES[controls.pick(PAGE, "template", "Template", names, "collapsed")]
    note([template.about])
    if second := text_box.side_box(PAGE, "second", "Second text, joined to yours as a pair", SECOND):
        texts["B"] = shown(second)
with normalizing:
    settings_row.normalizers(PAGE, label_visibility="collapsed")
with modelling:
    controls.pick(PAGE, "model", "Model", tokenizer_choice.offered([state.get(PAGE, "model")]), "collapsed")
    if state.get(PAGE, "model") == OPENED:
        tokenizer_choice.open_tokenizer(PAGE)
    vocabulary, why = inputs.vocabulary_or_stand_in(state.get(PAGE, "model"))
    if why:
        st.html(elements.problem(why))
    note([vocabulary.about])
with splitting:
    controls.pick(PAGE, "pretokenizer", "Pretokenizer", chosen_parts.pretokenizers(vocabulary), "collapsed")
with normalizing:
    as_the_model_does(vocabulary)
try:
    encodings, pretokens = encoded(vocabulary, state.get(PAGE, "pretokenizer"))
except (FormatError, PatternError) as error:
    vocabulary = inputs.stand_in()
    encodings, pretokens = encoded(vocabulary, links.OWN)
    with splitting:
        st.html(elements.problem(f"{sentences.problem(error)} Until then the page shows {vocabulary.title}."))
tokenizer = encodings["A"].tokenizer
with splitting:
    note([tokenizer.pretokenizer.about])
glyph = vocabulary.glyph
rows = process(template, tokenizer.special_tokens, *encodings.values())

with normalized:
    each(lambda encoding, _: normalization.drawing(encoding))
    note([normalization.legend(encodings["A"])])
with split:
    each(stage_tokens.pretokens)
    with st.expander("As a table, with offsets in the text as typed"):
        for name, table in pretokens.items():
            st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT, key=f"pretokens {name}")
            note([sentences.window(min(len(table), tables.WINDOW), len(table), "pretokens")])
            downloads.sheet("Pretokens (CSV)", f"pretokens-{name}", lambda table=table: table)
with modelled:
    each(lambda encoding, name: stage_tokens.tokens(encoding, name, glyph))
    note([*chosen_parts.mismatches(vocabulary, tokenizer)])
with added:
    st.html(stage_tokens.processed(rows, glyph))
    note([stage_tokens.separated(rows), chosen_parts.missing(template, vocabulary)])
table = offset_tables.ids(rows, glyph)
with numbering:
    csv = table.to_csv(index=False).encode("utf-8", "replace")
    st.download_button("Ids (CSV)", csv, "ids.csv", "text/csv", on_click="ignore")
with ids:
    st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT, placeholder="–")
    note([sentences.window(min(len(table), tables.WINDOW), len(table), "tokens"), offset_tables.without_id(table)])
with decoded:
    each(lambda encoding, _: decoding.drawing(encoding))
    note(["What post-processing added is left out here."] if template.special_tokens else [])
state.publish(PAGE)
