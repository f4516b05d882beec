"""Inside: a model, what it gives back of a text, and the text in every part, from characters to ids and back."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from bpe_core import NORMALIZERS, Encoding
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.post_processing import TEMPLATES, Template, process
from pages.parts.page import frame, settings_row, text_box, tokenizer_choice, your_text
from pages.parts.page.tokenizer_row import tokenizer_row
from pages.parts.pipeline import chosen_parts, decoding, normalization, part_tokens
from pages.parts.state import address_bar, state
from pages.parts.state.pipeline_state import Pipeline
from pages.parts.state.values import changed
from pages.parts.ui import controls, downloads, elements, sentences, tables
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

PARTS = ("Normalization", "Pretokenization", "Model", "Post-processing", "Ids", "Decoding")
HEADING = Markup('<h2 class="pipeline-part"><b>{}</b> {}</h2>')
HEIGHT = 250  # pixels of a table
MOST_CHARACTERS = 10_000  # the most characters of a text that the page works on
SECOND = "Optional, for example an answer"


class PipelinePart(NamedTuple):
    """The two containers of a part: the left one for the part's control, the right one for the part's output."""

    control: DeltaGenerator
    output: DeltaGenerator


def pipeline_page() -> None:
    """Draw the page: the text, the model and the verdict, then the controls of all parts, then their outputs."""
    now = frame.draw_head(Pipeline)
    frame.remarks(now)
    text_box.text_box(Pipeline)
    texts = {"A": beginning(your_text.shown(now))}
    above, normalizing, splitting, modelling, adding, numbering, back = map(part, range(len(PARTS) + 1))
    with above.control:
        now, vocabulary = choose_model()
    with adding.control:
        template = choose_template(now)
        if second := text_box.side_box(Pipeline, "second", "Second text, as a pair", SECOND):
            texts["B"] = beginning(second)
    with normalizing.control:
        choose_normalizers(now, vocabulary)
    with splitting.control:
        splits = chosen_parts.pretokenizers(vocabulary)
        controls.pick(Pipeline, "pretokenizer", splits, "Pretokenizer", "collapsed")
        made, why = chosen_parts.encoded(now, vocabulary, texts)
        if why:
            st.html(elements.problem(why))
        explain("pretokenizer", made.tokenizer.pretokenizer.about)
    rows = process(template, made.tokenizer.special_tokens, *made.encodings.values())
    with above.output, tokenizer_choice.problems_shown():
        st.html(decoding.verdict(made.encodings["A"], made.name))
    with normalizing.output:
        each(made, lambda encoding, _: normalization.drawing(encoding))
        notes(normalization.legend(made.encodings.values()))
    with splitting.output:
        draw_pretokens(made)
    with modelling.output:
        each(made, lambda encoding, name: part_tokens.tokens(encoding, name, made.vocabulary.glyph))
        notes(*chosen_parts.mismatches(made.vocabulary, made.tokenizer))
    name_of = made.tokenizer.vocabulary.lost_name
    with adding.output:
        st.html(part_tokens.processed(rows, made.vocabulary.glyph, name_of))
        notes(part_tokens.separated(rows), chosen_parts.missing(template, made.vocabulary))
    draw_ids(numbering, part_tokens.id_table(rows, made.vocabulary.glyph, name_of))
    with back.output:
        each(made, decoding.drawing)
        notes("What post-processing added is left out." if template.special_tokens else "")
    address_bar.publish(Pipeline)


def part(number: int) -> PipelinePart:
    """Draw the heading of a part, and return the part's containers. Part 0 has the model, and no heading."""
    with st.container(key=f"part-{number}"):
        left, right = (column.container(gap="xxsmall") for column in st.columns([3, 7], gap="large"))
    if number:
        left.html(HEADING.format(number, PARTS[number - 1]))
    return PipelinePart(left, right)


def notes(*lines: str) -> None:
    """Draw a note for each line that is not empty."""
    for line in filter(None, lines):
        st.html(elements.note(line))


def explain(choice: str, meaning: str) -> None:
    """Draw what a chosen part does, if there is anything to say. `choice`: the name of the choice."""
    if meaning:
        st.html(elements.explained("[What it does]", meaning, choice))


def beginning(text: str) -> str:
    """Draw remarks about a text, and return the beginning of the text. This page works with the beginning only."""
    notes(*sentences.about_text(text, MOST_CHARACTERS))
    return text[:MOST_CHARACTERS]


# --- the controls of the parts ---


def choose_template(now: Pipeline) -> Template:
    """Draw the choice of a template for special tokens around the text, and return the chosen template."""
    titles = {name: row.title for name, row in TEMPLATES.items()}
    controls.pick(Pipeline, "template", titles, label_visibility="collapsed")
    explain("template", TEMPLATES[now.template].about)
    return TEMPLATES[now.template]


def choose_model() -> tuple[Pipeline, PageVocabulary]:
    """Draw the choice of a tokenizer; return the state and the tokenizer.

    When the tokenizer has changed, the returned state has its own normalizers, pretokenizer and template.
    """
    vocabulary = tokenizer_row(Pipeline)
    st.html(elements.explained(f"[{counted(len(vocabulary.tokenizer), 'token')}]", vocabulary.about))
    tokenizer_choice.assumptions_shown(vocabulary)
    now = state.fit_to_corpus(state.read(Pipeline), chosen_parts.own_parts(vocabulary), "tokenizer")
    return now, vocabulary


def choose_normalizers(now: Pipeline, vocabulary: PageVocabulary) -> None:
    """Draw the choice of normalizers. If any chosen part is not the model's own, draw a button to go back."""
    settings_row.normalizers(Pipeline)
    explain("normalizers", " ".join(f"{NORMALIZERS[key].title}: {NORMALIZERS[key].about}" for key in now.normalizers))
    own, name = chosen_parts.own_parts(vocabulary), chosen_parts.short_name(vocabulary)
    if now.normalizers and not own["normalizers"]:
        notes(f"{name} itself normalizes nothing: these show what normalizers do.")
    if changed(now, own) != now:
        controls.button(f"As {name} does it", Pipeline, lambda now: changed(now, own))


# --- the outputs of the parts ---


def each(made: chosen_parts.Encodings, draw: Callable[[Encoding, str], str]) -> None:
    """Draw the output of a part for each text. `draw`: returns the HTML for an encoding and the name of its text."""
    with tokenizer_choice.problems_shown():
        for name, encoding in made.encodings.items():
            if len(made.encodings) > 1:
                st.html(elements.note(f"Text {name}"))
            if encoding.text:
                st.html(draw(encoding, f"text {name}"))


def draw_pretokens(made: chosen_parts.Encodings) -> None:
    """Draw the pretokens of each text, and a menu with tables and files of the pretokens."""
    each(made, part_tokens.pretokens)
    dashed = any(True for encoding in made.encodings.values() for _ in decoding.left_out(encoding))
    notes("Dashed: thrown away." if dashed else "")
    with st.expander("Table with offsets"):
        notes("Offsets count characters of the text as typed.")
        for name, table in made.pretokens.items():
            st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT, key=f"pretokens {name}")
            notes(sentences.window(min(len(table), tables.WINDOW), len(table), "pretokens"))
            downloads.sheet("Pretokens (CSV)", f"pretokens-{name}", partial(made.pretokens.__getitem__, name))


def draw_ids(numbering: PipelinePart, table: pd.DataFrame) -> None:
    """Draw a table of the ids, and a button for a file of the ids."""
    with numbering.control:
        csv = table.to_csv(index=False).encode("utf-8", "replace")
        st.download_button("Ids (CSV)", csv, "ids.csv", "text/csv", on_click="ignore")
    with numbering.output:
        st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT, placeholder="–")
        count = sentences.window(min(len(table), tables.WINDOW), len(table), "tokens")
        notes(count, part_tokens.without_id(table))


pipeline_page()
