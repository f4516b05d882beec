"""The downloads that several pages offer: files of charts, tables, pictures and tokenizers. Also a page's link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from bpe_core import Tokenizer
from bpe_core.files import FORMATS, Format, FormatError, dumps
from bpe_core.files.conversion import opens_alone
from bpe_core.files.tokenizer_json_write import dumps_model
from bpe_core.models.unigram import Unigram
from bpe_core.models.wordpiece import WordPiece
from bpe_core.pictures.film.film_script import Charts
from bpe_core.pictures.paper.pictures import PICTURES, picture
from bpe_core.pictures.saved.page_file import SavedPage
from bpe_core.pictures.shared.drawing import Drawing
from bpe_core.text.in_words import counted, listed
from pages.parts.state import links
from pages.parts.state.page_states import PageState
from pages.parts.ui import controls, elements, sentences, tables
from pages.parts.ui.charts import ROWS, Chart, standalone
from pages.parts.ui.film import charts_of_a_page

_NEEDS_FILES = "Mergescope opens this {} with the library tokenizers, which its extra “files” installs."
# File name of a format → the name for download. minbpe's own name is avoided: SentencePiece has a tokenizer.model too.
NAMES = {"tokenizer.model": "minbpe.model"}
LONGEST = 40  # characters of a title in a file's name


def file_name(title: str) -> str:
    """Return a title as a part of a file's name.

    >>> file_name("GPT-2’s split, bytes (left)"), file_name("Whitespace"), file_name("…")
    ('gpt-2-split-bytes-left', 'whitespace', 'text')
    """
    return "-".join(re.findall(r"\w+", title.lower().replace("’s ", " ")))[:LONGEST].strip("-") or "text"


def chart(drawn: Chart, key: str, alt: str) -> None:
    """Draw a chart. Below the chart, draw a menu with the chart's table and files."""
    spec = deepcopy(drawn.spec) | {"datasets": {ROWS: drawn.data}}
    st.vega_lite_chart(spec, width="stretch", key=key, alt=alt)
    menu = st.popover("Table, SVG, PNG", type="tertiary", key=f"save {key}", on_change="rerun")
    if menu.open:
        with menu:
            chart_files(drawn, key)


def chart_files(drawn: Chart, key: str) -> None:
    """Draw the data of a chart as a table, and three buttons: SVG, PNG, CSV. A click on a button makes the file.

    Of the data of a pair the table leaves out what is written beside its bar, and the role that most pairs have.
    """
    table = drawn.data.drop(columns="label", errors="ignore").replace({"role": {"other": ""}})
    st.dataframe(table.head(tables.WINDOW), hide_index=True, height=220)
    with st.container(horizontal=True):
        chart_pictures(lambda: drawn, key)
        sheet("CSV", key, lambda: table)


def chart_pictures(make: Callable[[], Chart], key: str) -> None:
    """Draw two buttons for files of a chart: SVG and PNG. A click on a button makes the chart and the file."""
    mode = st.context.theme.type or "light"
    makers = {"svg": lambda: _svg(make(), mode), "png": lambda: _png(make(), mode)}
    for kind, written in makers.items():
        st.download_button(kind.upper(), written, f"{key}.{kind}", key=f"download {kind} {key}", on_click="ignore")


def _svg(drawn: Chart, mode: str) -> bytes:
    import vl_convert  # takes some 100 ms to load

    return vl_convert.vegalite_to_svg(standalone(drawn, mode)).encode()


def _png(drawn: Chart, mode: str) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_png(standalone(drawn, mode), scale=2)


def pictures(name: str, make: Callable[[], Drawing], kinds: Iterable[str] = PICTURES) -> None:
    """Draw a button for each kind of picture. A click on a button makes the drawing and the file."""
    for kind in kinds:
        st.download_button(
            PICTURES[kind].title,
            partial(_picture, make, kind),
            f"{name}.{kind}",
            PICTURES[kind].media_type,
            key=f"picture {kind} {name}",
            on_click="ignore",
        )


def _picture(make: Callable[[], Drawing], kind: str) -> bytes:
    return picture(make(), kind)


def film_pages(name: str, make: Callable[[Charts | None], SavedPage]) -> None:
    """Draw two buttons that save a film as a web page, the first without charts, the second with charts.

    `name`: the file's name without its ending. A click on a button makes the saved page.
    """
    saved_pages(name, {"Save as a page": lambda: make(None), "with charts": lambda: make(charts_of_a_page())})


def saved_pages(name: str, makers: dict[str, Callable[[], SavedPage]]) -> None:
    """Draw a button for each saved page, and a note on what a saved page is. A click on a button makes the saved page.

    `name`: the files' name without its ending. `makers`: label of a button → the function that makes the saved page.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, make in makers.items():
            key = f"page {label} {name}"
            st.download_button(label, partial(_html, make), f"{name}.html", "text/html", key=key, on_click="ignore")
        st.html(elements.note("One file, without a server; it contains the text."), width="content")


def _html(make: Callable[[], SavedPage]) -> bytes:
    return make().html.encode()


def data_table(title: str, window: tables.Window, unit: str) -> None:
    """Draw the first rows of a table, and a note on how many rows are shown. `unit`: the plural noun for a row."""
    st.html(elements.title(title))
    if window.total:
        st.dataframe(window.rows, hide_index=True, placeholder="", height=280 if window.total > 6 else "auto")
    st.html(elements.note(sentences.window(len(window.rows), window.total, unit)))


def sheet(label: str, name: str, make: Callable[[], pd.DataFrame]) -> None:
    """Draw a button for a table as a CSV file. A click on the button makes the table."""
    st.download_button(
        label,
        lambda: make().to_csv(index=False).encode("utf-8", "replace"),
        f"{name}.csv",
        "text/csv",
        key=f"download {name}",
        on_click="ignore",
    )


def downloads(sheets: dict[str, tuple[int, Callable[[], pd.DataFrame]]], about: str) -> None:
    """Draw a button for each table as a CSV file, and a note about the tables. A click on a button makes the table.

    `sheets`: name of a table → the step of the table, and the function that makes the table. `about`: the note.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, (step, make) in sheets.items():
            sheet(f"{name[0].upper()}{name[1:]} (CSV)", f"{name.replace(' ', '-')}-step-{step}", make)
        st.html(elements.note(about), width="content")


def as_of(page: type[PageState], step: int, last: int) -> int:
    """Draw a checkbox for files with only the first `step` merges. Return `step` if it is checked, else `last`."""
    with st.container(horizontal=True, vertical_alignment="center"):
        key = f"{page.PAGE}.as of {step}"
        asked = st.checkbox(f"As of step {step:,}", key=key, disabled=step == last) and step < last
        merges = counted(last, "merge")
        about = f"Files with the first {step:,} of {merges}." if asked else f"Files of the whole training: {merges}."
        st.html(elements.note(about), width="content")
    return step if asked else last


def tokenizer_files(tokenizer: Tokenizer, side: str = "") -> None:
    """Draw buttons for files of a tokenizer, one button for each file of each format.

    If a format cannot carry the tokenizer, draw why. `side`: the beginning of the files' names, on a page with several
    tokenizers.
    """
    written, refused = [], {}
    for key, form in FORMATS.items():
        try:
            contents = dumps(tokenizer, key)
        except FormatError as error:
            refused[form.title] = f"{error}."
            continue
        written.append(form)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for name, content in contents.items():
                shown = _renamed(name, side)
                st.download_button(shown, content, shown, key=f"file {side} {key} {name}", on_click="ignore")
            st.html(elements.note(f"for {form.library}{_added(form, tokenizer)}"), width="content")
    if written:
        with st.expander("How to load them in Python"):
            if names := [repr(_renamed(form.files[0], side)) for form in written if form.read]:
                others = f"  # or {listed(names[1:], 'or')}" if names[1:] else ""
                st.code(f"from bpe_core import load\n\nmine = load({names[0]}){others}", language=None, wrap_lines=True)
                if FORMATS["tokenizer.json"] in written and not opens_alone(tokenizer):
                    st.html(elements.note(_NEEDS_FILES.format(_renamed("tokenizer.json", side))))
            for form in written:
                st.code(_how(form, side), language=None, wrap_lines=True)
    if refused:
        why_not = f"Why not {listed([*refused], 'or')}?"
        with st.expander(why_not if len(refused) < len(FORMATS) else "Why no file holds it"):
            for title, reason in refused.items():
                st.html(elements.note(f"{title}: {reason}"))


def model_file(model: WordPiece | Unigram, normalizers: tuple[str, ...], name: str) -> None:
    """Draw a button for a model's file, which Hugging Face's library loads. If there is no such file, draw why."""
    try:
        ((file, content),) = dumps_model(model, normalizers).items()
    except FormatError as error:
        st.html(elements.note(f"Why no tokenizer.json: {error}."))
        return
    form = FORMATS[file]
    how = "Load it with `{}`".format(_how(form).replace("\n", "; "))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        st.download_button(file, content, file, key=f"file {name}", help=how, on_click="ignore")
        st.html(elements.note(f"for {form.library}"), width="content")


def _added(form: Format, tokenizer: Tokenizer) -> str:
    """Return the end of a sentence, on how many tokens a file has. If the format adds no tokens, return ""."""
    added = form.adds(tokenizer)
    size = len(tokenizer.tokens) + len(tokenizer.special_tokens) + len(added)
    return f"; {size:,} tokens with {listed(added)}, for unknown characters" if added else ""


def _how(form: Format, side: str = "") -> str:
    """Return how to load a file in Python. The file has the name that it has when it is downloaded here."""
    how = form.loaded_by
    for name in form.files:
        how = how.replace(f"'{name}'", f"'{_renamed(name, side)}'")
    return how


def _renamed(name: str, side: str = "") -> str:
    """Return the name of a file for download. `side`: the name's beginning, on a page with several tokenizers."""
    return f"{side}{'-' if side else ''}{NAMES.get(name, name)}"


def link(now: PageState) -> None:
    """Draw the page's link, a button that copies the link, and the names of the values that the link lacks."""
    st.html(elements.note(", ".join(filter(None, ("This page as a link", links.left_out(now)))) + ":"))
    controls.copied(f"{st.context.url or ''}?{urlencode(links.written(now))}")
