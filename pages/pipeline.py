"""Pipeline: one text through every stage, from characters to ids and back."""

from collections.abc import Callable

import streamlit as st

from bpe_core import Encoding, FormatError, PatternError
from bpe_core.display.token_text import paired
from bpe_core.tokenizer.post_processing import TEMPLATES, process
from pages.parts.pipeline import stages
from pages.parts.session import inputs, links, state, your_text
from pages.parts.views import elements, sentences, tables
from pages.parts.widgets import controls, frame, settings_row, text_box, tokenizer_choice

PAGE = "pipeline"
HEIGHT = 250  # pixels of a table
INPUT = 80  # pixels of a text's box


def stage(number: int) -> tuple:
    """The places of a stage: for its control on the left, with its heading above, and for its output on the right."""
    with st.container(key=f"stage-{number}"):
        left, right = (place.container(gap="xxsmall") for place in st.columns([3, 7], gap="large"))
    left.html(f'<h2 class="stage"><b>{number}</b> {stages.STAGES[number - 1]}</h2>')
    return left, right


def note(lines: list[str]) -> None:
    """Quiet lines, those that say something."""
    for line in filter(None, lines):
        st.html(elements.note(line))


def each(draw: Callable[[Encoding, str], str]) -> None:
    """What a stage makes of the text, or of both texts of a pair."""
    for name, encoding in encodings.items():
        if len(encodings) > 1:
            st.html(elements.note(f"Text {name}"))
        if encoding.text:
            st.html(draw(encoding, f"text {name}"))


def typed() -> dict[str, str]:
    """The text, or the two texts of a pair, as far as this page looks."""
    places, found = st.columns([7, 3]), {}
    for name, key, label, place in zip(
        "AB", ("text", "second"), ("Text", "Second text, for a pair"), places, strict=True
    ):
        with place:
            if key == "text":
                text_box.text_box(PAGE, height=INPUT)
                whole = your_text.shown(PAGE)
            else:
                whole = paired(st.text_area(label, key=state.key(PAGE, key), height=INPUT))
            text = whole[: stages.MOST_CHARACTERS]
            note(sentences.beside_text(text, stages.MOST_CHARACTERS))
        if text or name == "A":
            found[name] = text
    return found


frame.page("pages/pipeline.py")
frame.remarks(PAGE)
texts = typed()
places = [stage(number) for number, _ in enumerate(stages.STAGES, 1)]
(normalizing, normalized), (cutting, cut), (modelling, modelled), (adding, added), (numbering, ids), (_, decoded) = (
    places
)

with normalizing:
    settings_row.normalizers(PAGE, label_visibility="collapsed")
with modelling:
    controls.pick(PAGE, "model", "Model", tokenizer_choice.TOKENIZERS, "collapsed")
    if state.get(PAGE, "model") == links.OPENED:
        tokenizer_choice.open_tokenizer(PAGE)
    vocabulary = tokenizer_choice.chosen_vocabulary(PAGE, "model") or inputs.stand_in()
    note([vocabulary.about])
with cutting:
    controls.pick(PAGE, "pretokenizer", "Pretokenizer", stages.cuts(vocabulary), "collapsed")
tokenizer = stages.with_parts(vocabulary, state.get(PAGE, "normalizers"), state.get(PAGE, "pretokenizer"))
encodings = {name: tokenizer.encode(text) for name, text in texts.items()}
try:
    for encoding in encodings.values():
        encoding.pretokens  # noqa: B018 (cached: a pattern that takes too long is found out here)
except (FormatError, PatternError) as error:
    state.publish(PAGE)
    st.error(sentences.problem(error))
    st.stop()
with cutting:
    note([tokenizer.pretokenizer.about])
with adding:
    names = {name: row.title for name, row in TEMPLATES.items()}
    template = TEMPLATES[controls.pick(PAGE, "template", "Template", names, "collapsed")]
    note([template.about])
glyph = vocabulary.shown_glyph
rows = process(template, tokenizer.special_tokens, *encodings.values())

with normalized:
    each(lambda encoding, _: stages.normalization(encoding))
    note([stages.MARKS if tokenizer.normalizers else "The text stays as it is: choose normalizers to change it."])
with cut:
    each(stages.pretokens)
    with st.expander("As a table, with offsets in the text as typed"):
        for name, encoding in encodings.items():
            table = stages.pretoken_table(encoding)
            st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT, key=f"pretokens {name}")
            note([sentences.window(min(len(table), tables.WINDOW), len(table), "pretokens")])
with modelled:
    each(lambda encoding, name: stages.tokens(encoding, name, glyph))
    note([*stages.mismatches(vocabulary, tokenizer)])
with added:
    st.html(stages.processed(rows, glyph))
    note([stages.missing(template, vocabulary)])
table = stages.id_table(rows, glyph)
with numbering:
    csv = table.to_csv(index=False).encode("utf-8", "replace")
    st.download_button("Ids (CSV)", csv, "ids.csv", "text/csv", on_click="ignore")
with ids:
    st.dataframe(table.head(tables.WINDOW), hide_index=True, height=HEIGHT)
    note([sentences.window(min(len(table), tables.WINDOW), len(table), "tokens"), stages.without_id(table)])
with decoded:
    each(lambda encoding, _: stages.decoding(encoding))
    note(["What post-processing added is left out here."] if template.special_tokens else [])
state.publish(PAGE)
