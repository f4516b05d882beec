"""What several pages draw and hand out: charts, tables, files, the link."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from bpe_core import Run
from bpe_core.display.drawing import Drawing
from bpe_core.display.pictures import PICTURES, picture
from bpe_core.files import FORMATS, Format, FormatError, dumps
from bpe_core.files.tokenizer_json import dumps_model
from bpe_core.models.unigram import Unigram
from bpe_core.models.wordpiece import WordPiece
from pages.parts.session import state
from pages.parts.views import elements, sentences, tables
from pages.parts.views.charts import ROWS, Chart, standalone


def chart(drawn: Chart, key: str, alt: str) -> None:
    """Draw a chart, with its table and files behind a menu."""
    spec = deepcopy(drawn.spec) | {"datasets": {ROWS: drawn.data}}
    st.vega_lite_chart(spec, width="stretch", key=key, alt=alt)
    menu = st.popover("Table, SVG, PNG", type="tertiary", key=f"save {key}", on_change="rerun")
    if menu.open:
        with menu:
            chart_files(drawn, key)


def chart_files(drawn: Chart, key: str) -> None:
    """What a chart is made of, as a table and as a CSV file; the chart as SVG and PNG. Made when they are asked for."""
    mode = st.context.theme.type or "light"
    makers = {"svg": lambda: _svg(drawn, mode), "png": lambda: _png(drawn, mode)}
    st.dataframe(drawn.data.head(tables.WINDOW), hide_index=True, height=220)
    with st.container(horizontal=True):
        for kind, make in makers.items():
            st.download_button(
                kind.upper(), make, f"{key}.{kind}", key=f"download {kind} {key}", on_click="ignore"
            )  # fmt: skip
        sheet("CSV", key, lambda: drawn.data)


def _svg(drawn: Chart, mode: str) -> bytes:
    import vl_convert  # takes some 100 ms to load

    return vl_convert.vegalite_to_svg(standalone(drawn, mode)).encode()


def _png(drawn: Chart, mode: str) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_png(standalone(drawn, mode), scale=2)


def pictures(name: str, make: Callable[[], Drawing], kinds: Iterable[str] = PICTURES) -> None:
    """Buttons for a drawing as files of several kinds, each made when it is asked for."""
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


def table(title: str, window: tables.Window, unit: str) -> None:
    """A window of a table, and how much of it is on the screen."""
    st.html(elements.title(title))
    if window.total:
        st.dataframe(window.rows, hide_index=True, placeholder="", height=280 if window.total > 6 else "auto")
    st.html(elements.note(sentences.window(len(window.rows), window.total, unit)))


def sheet(label: str, name: str, make: Callable[[], pd.DataFrame]) -> None:
    """A table as a CSV file, made when it is asked for."""
    st.download_button(
        label,
        lambda: make().to_csv(index=False).encode("utf-8", "replace"),
        f"{name}.csv",
        "text/csv",
        key=f"download {name}",
        on_click="ignore",
    )


def downloads(sheets: dict[str, Callable[[], pd.DataFrame]], step: int) -> None:
    """Tables as CSV files, each made when it is asked for."""
    with st.container(horizontal=True):
        for name, make in sheets.items():
            sheet(f"{name[0].upper()}{name[1:]} (CSV)", f"{name.replace(' ', '-')}-step-{step}", make)


def tokenizer_files(run: Run, step: int, side: str = "") -> None:
    """The tokenizer of this step, in the formats that can carry it, and why not in the others."""
    tokenizer, refused = run.tokenizer(step), {}
    with st.container(horizontal=True):
        for key, form in FORMATS.items():
            try:
                contents = dumps(tokenizer, key)
            except FormatError as error:
                refused[form.title] = f"{error}."
                continue
            for name, content in contents.items():
                widget = f"file {side} {key} {name}"
                st.download_button(name, content, name, key=widget, help=_how(form), on_click="ignore")
    if refused:
        with st.expander(f"Why not {' or '.join(refused)}?" if len(refused) < len(FORMATS) else "Why no file holds it"):
            for title, reason in refused.items():
                st.html(elements.note(f"{title}: {reason}"))


def model_file(model: WordPiece | Unigram, normalizers: tuple[str, ...], name: str) -> None:
    """A model as the file that Hugging Face's library loads, or why it cannot be one."""
    try:
        ((file, content),) = dumps_model(model, normalizers).items()
    except FormatError as error:
        st.html(elements.note(f"Why no tokenizer.json: {error}."))
        return
    st.download_button(file, content, file, key=f"file {name}", help=_how(FORMATS[file]), on_click="ignore")


def _how(form: Format) -> str:
    return f"Load it with `{form.loaded_by}`"


def link(page: str) -> None:
    """The page as a link, to copy."""
    if said := state.left_out(page):
        st.html(elements.note(said))
    st.html(elements.note("This page as a link:"))
    st.code(f"{st.context.url or ''}?{urlencode(state.link(page))}", language=None, wrap_lines=True)
