"""The views of Files: the tokens of files, a folder or an archive; by file, by row, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from bpe_core import FormatError, Tokenizer
from bpe_core.counting import Counts
from bpe_core.counting.batch_counts import TokenizerOrPath
from bpe_core.counting.counts import NOT_KNOWN
from bpe_core.counting.found_files import LEFT_OUT
from bpe_core.counting.in_child import SHOWN, CountingError, CountingLimits, FilesInChild
from bpe_core.counting.prices import cost, money, price_of, why_no_price
from bpe_core.counting.written_data import data_in
from bpe_core.files.safely import plain_safely
from bpe_core.processes.pool import WAITING
from bpe_core.published import PUBLISHED
from bpe_core.text import in_words
from bpe_core.text.in_words import counted
from pages.parts.files import counted_files, notations_view, opened_files, savings_view
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.files_state import Files
from pages.parts.state.links import OWN
from pages.parts.texts.examples import EXAMPLES, FOLDER
from pages.parts.ui import charts, controls, downloads, elements, sentences
from pages.parts.ui.controls import PageView
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

COUNTING = CountingLimits(LIMITS.file_processes, LIMITS.file_process_mb << 20, LIMITS.counting_seconds)
TOO_LARGE = "These files have {} MB, and the page counts up to {} MB. The command counts any number, in little memory:"
# The files that are shown until files are opened; the view of data has its own.
TEXTS, DATA = tuple(f"{name}.txt" for name in EXAMPLES), ("night-trains.json",)
EXAMPLE, OWN_FILES = "These are the example texts of this app.", "Each of your files."
BARS = "A click on a bar enters a folder, or shows a file's text."
WAITS = "Waiting until the files of others are counted …"
WHOLE = "Whole records"
WITH_COMMAS = st.column_config.NumberColumn(format="localized")
NUMBERS = {
    **dict.fromkeys(["row", "tokens", "characters"], WITH_COMMAS),
    "per 1,000 characters": st.column_config.NumberColumn(format="%.0f"),
}
ROWS = "A text is one row. A table has a row for each record: its header and its line ends belong to none."
LEFT = "files or rows that have no count; what they are, and why, is said at the end"
AROUND = "of tables: these tokens are in no row"
NAMED = 5  # files that are named one by one; of more, only the number is said


@dataclass(frozen=True)
class Counted:
    """Files that were counted. `of`: their identity, for what is cached. `column`: of tables; "" for whole records.

    `is_example`: whether they are examples of this app.
    """

    files: FilesInChild
    of: tuple[str, ...]
    chosen: Sequence[PageVocabulary]
    column: str
    counts: Counts
    is_example: bool


def draw(view: PageView, first: PageVocabulary) -> None:
    """Draw the choice of files, the sums of the chosen files or of the example texts, and the open view."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="files-row")
    with row:
        opened = opened_files.choosers()
        beside = opened_files.settings()
    chosen = [first, *(each for each in beside if each.name != first.name)]
    given = [(file.name, file.getvalue()) for file in opened]
    size = sum(len(content) for _, content in given)
    if size > LIMITS.counted_mb << 20:
        st.html(elements.problem(TOO_LARGE.format(f"{size / 1e6:,.0f}", LIMITS.counted_mb)))
        controls.copied(_command(chosen))
        return
    of = tuple(file.file_id for file in opened)
    own = [] if given else _own_data(state.read(Files))
    if own:
        given, of = own, (str(hash(own[0])),)
    elif not given:
        names = DATA if view is VIEWS["notations"] else TEXTS
        given, of = [(name, (FOLDER / name).read_bytes()) for name in names], names
    files = state.latest("files in a process", (of,), lambda: FilesInChild(given, COUNTING))
    try:
        with row:
            column = _column(files, of)
        counts = _counts(files, of, chosen, column)
        with row:
            _figures(counts, chosen[0].title, column)
        view.draw(Counted(files, of, chosen, column, counts, not opened and not own))
    except (CountingError, FormatError) as error:
        st.html(elements.problem(sentences.problem(error)))


def _own_data(now: Files) -> list[tuple[str, bytes]]:
    """Return your text as a file, if it is data: its name and its content; [] if it is none."""
    text = now.text if now.corpus == OWN else ""
    data = state.latest("the data in your text", (text,), lambda: data_in(text))
    return [(f"your text{data.ending}", text.encode("utf-8", "surrogatepass"))] if data else []


def count_view(found: Counted) -> None:
    """Draw the files as bars, what is over the limit, what all cost, and the rows."""
    left, right = st.columns(2, gap="large")
    with left:
        _bars(found)
    with right:
        _limit_and_cost(found.counts, found.chosen)
    _rows(found.counts, found.files, found.column, found.chosen)
    _left_out(found.counts)


def own_tokens_view(found: Counted) -> None:
    """Draw what new tokens, trained on the files, would save."""
    first = found.chosen[0]
    savings_view.draw(found.files, found.of, first, given_to_child(first), found.column, found.counts.whole())


def data_view(found: Counted) -> None:
    """Draw a file with data in other notations."""
    first = found.chosen[0]
    if found.is_example:
        st.html(elements.note("An example: open a file of your own, such as JSON or CSV."))
    notations_view.draw(found.files, found.of, first, given_to_child(first), found.counts, found.column)


def _command(chosen: Sequence[PageVocabulary]) -> str:
    names = " ".join(f"--tokenizer {each.name if each.name in PUBLISHED else 'FILE'}" for each in chosen)
    return f"mergescope count FOLDER {names} --limit {state.read(Files).limit}"


def _column(files: FilesInChild, of: tuple[str, ...]) -> str:
    """Draw the choice of a column if there are tables; return the column, "" for whole records."""
    columns = state.latest("columns of files", (of,), files.columns)
    if not columns:
        return ""
    now = state.read(Files)
    if now.column not in columns:
        now = state.save(replace(now, column=""))
    titles = {"": WHOLE} | {name: f"Only “{name}”" for name in columns}
    label = "What counts of a table's records"
    return controls.pick(Files, "column", titles, label, label_visibility="collapsed", width=230)


def _counts(files: FilesInChild, of: tuple[str, ...], chosen: Sequence[PageVocabulary], column: str) -> Counts:
    """Return the counts. While the files are counted, draw a progress bar."""
    given = [given_to_child(each) for each in chosen]
    key = (of, column, tuple((each.name, id(each.tokenizer)) for each in chosen))

    def make() -> Counts:
        bar = st.progress(0.0, "Counting …")

        def report(phase: str, done: int, total: int) -> None:
            of = f" of {in_words.size(total)}" if total else ""
            said = WAITS if phase == WAITING[0] else f"Counting: {in_words.size(done)}{of} …"
            bar.progress(min(done / total, 1.0) if total else 0.0, said)

        try:
            return files.counts(given, column, report)
        finally:
            bar.empty()

    return state.latest("counted files", key, make)


def given_to_child(vocabulary: PageVocabulary) -> TokenizerOrPath:
    """Return a tokenizer that another process can have: by its name, or one that needs no library."""
    if vocabulary.name in PUBLISHED:
        return vocabulary.name
    tokenizer: Tokenizer = vocabulary.tokenizer
    return plain_safely(tokenizer) if tokenizer.needs_library else tokenizer


def _figures(counts: Counts, title: str, column: str) -> None:
    """Draw the sums."""
    whole, around = counts.whole(), counts.whole() - counts.total()
    of = f"of “{column}” in tables, and of all texts" if column else "of all files"
    characters = sum(file.characters for file in counts.files)
    left_out = len(counts.problems) + sum(counts.left_out.values())
    rows = [
        (f"{whole:,}", "tokens", f"{of}, with {title}"),
        *([(f"{around:,}", "in headers and line ends", AROUND)] if around else []),
        (f"{len(counts.files):,}", "file" if len(counts.files) == 1 else "files", "that were counted"),
        *([(f"{left_out:,}", "left out", LEFT)] if left_out else []),
        *([(f"{counts.rows:,}", "rows", ROWS)] if counts.rows != len(counts.files) else []),
        (f"{characters:,}", "characters of rows", "as Unicode counts them; headers and line ends are in no row"),
    ]
    st.html(elements.figures(rows, "files"), width="content")


def _limit_and_cost(counts: Counts, chosen: Sequence[PageVocabulary]) -> None:
    """Draw the sums of all tokenizers as bars, what each costs at the price, and what is longer than the limit."""
    import pandas as pd

    now = state.read(Files)
    price = price_of(now.price)
    a_million = money(now.price, f"{price:g}") if price is not None else ""
    sums = [counts.whole(number) for number in range(len(chosen))]
    if len(chosen) > 1:
        costs = [f": {money(now.price, cost(total * price / 1e6))}" if price is not None else "" for total in sums]
        at_price = f", and what as many tokens cost at this price, {a_million} a million" if a_million else ""
        names = [f"{each.title}{shown}" for each, shown in zip(chosen, costs, strict=True)]
        frame = pd.DataFrame({"entry": names, "tokens": sums}).sort_values("tokens", ascending=False)
        st.html(elements.note(f"All files with each tokenizer{at_price}."))
        downloads.chart(charts.file_bars(frame), "files tokenizers", "The tokens of all files with each tokenizer")
    said = counted_files.limit_sentence(counts, now.limit, chosen[0].title)
    if price is not None:
        total = money(now.price, cost(sums[0] * price / 1e6))
        said += f" At {a_million} a million tokens all files cost {total} with {chosen[0].title}."
    st.html(elements.sentence(said))
    if why := why_no_price(now.price):
        st.html(elements.problem(why))
    st.html(elements.note(ROWS))


def _bars(files: Counted) -> None:
    """Draw the files and folders of the entered folder, the largest first. A click enters a folder, or opens a file."""
    counts, of = files.counts, files.of
    folder, found = counted_files.entered(counts, state.read(Files).folder)
    if folder:
        tokens = counted(int(found["tokens"].sum()) if len(found) else 0, "token")
        st.html(elements.title(f"{folder}: {tokens}"))
    if not len(found):
        return
    st.html(elements.note(EXAMPLE if files.is_example else OWN_FILES))
    drawn = charts.file_bars(counted_files.drawn(found))
    key = f"files.bars {hash((of, folder))}"
    spec = deepcopy(drawn.spec) | {"datasets": {charts.ROWS: drawn.data}}
    with st.container(key=f"file-bars-{len(drawn.data)}"):
        st.vega_lite_chart(
            spec, width="stretch", key=key, on_select=lambda: _entered(key, folder, counts), selection_mode="entered",
            alt=f"The tokens of each file in {folder or 'all files'}",
        )  # fmt: skip
    st.html(elements.note(BARS))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if counted_files.entered(counts, "")[0] != folder:
            controls.button("Up", Files, _enter, _above(folder), key="files.up")
        options = [None, *found["entry"].head(counted_files.LISTED)]
        menu = f"files.enter {hash((of, folder))}"
        st.selectbox(
            "Open a folder or file", options, format_func=lambda name: name or "Open a folder or file …",
            label_visibility="collapsed", width=260, key=menu, on_change=_entered, args=(menu, folder, counts),
        )  # fmt: skip


def _above(folder: str) -> str:
    """Return the folder that contains a folder.

    >>> _above("docs/more/"), _above("docs/")
    ('docs/', '')
    """
    before, slash, _ = folder.rstrip("/").rpartition("/")
    return before + slash


def _enter(now: Files, folder: str) -> Files:
    return replace(now, folder=folder, row=-1)


def _entered(key: str, folder: str, counts: Counts) -> None:
    """Enter a folder, or show a file's text: a menu or a bar was chosen."""
    sent: Any = state.sent(key)
    if isinstance(sent, dict):
        points = sent.get("selection", {}).get("entered", [])
        sent = points[0].get("entry") if points and isinstance(points[0], dict) else None
    if not isinstance(sent, str):
        return
    if sent.endswith("/"):
        state.put(Files, folder=folder + sent, row=-1)
        return
    file = next((file for file in counts.files if file.name == folder + sent), None)
    if file is not None:
        state.put(Files, row=file.first)


def _rows(counts: Counts, files: FilesInChild, column: str, chosen: Sequence[PageVocabulary]) -> None:
    """Draw how long the rows are, the longest and the densest rows, and the text of the chosen row."""
    _text(counts, files, column)
    if counts.rows < 2:
        return
    titles = [each.title for each in chosen]
    left, right = st.columns(2, gap="large")
    with left:
        lengths = charts.row_lengths(counted_files.lengths(counts), state.read(Files).limit)
        downloads.chart(lengths, "lengths of rows", "How many rows have how many tokens")
    with right:
        st.html(elements.title("Lengths of the rows, in tokens"))
        found = counted_files.quantiles(counts, titles)
        st.dataframe(found, column_config=dict.fromkeys(found.columns, WITH_COMMAS))
        downloads.sheet("Files (CSV)", "files", lambda: counted_files.table(counts, titles))
    tables = {"The longest rows": counted_files.longest, "The densest rows": counted_files.densest}
    for place, (title, make) in zip(st.columns(2, gap="large"), tables.items(), strict=True):
        with place:
            st.html(elements.title(title))
            _table(make(counts), title, counts)


def _table(found: Any, title: str, counts: Counts) -> None:
    """Draw rows; a click on one shows its text."""
    key = f"files.{title} {id(counts)}"

    def chosen() -> None:
        sent: Any = state.sent(key)
        cells = sent.get("selection", {}).get("cells", []) if isinstance(sent, dict) else []
        if cells and cells[0][0] < len(found):
            state.put(Files, row=int(found["index"].iloc[cells[0][0]]))

    st.dataframe(
        found.drop(columns="index"), hide_index=True, height=220, on_select=chosen, selection_mode="single-cell",
        column_config=NUMBERS,
        key=key,
    )  # fmt: skip


def _text(counts: Counts, files: FilesInChild, column: str) -> None:
    """Draw the text of the chosen row."""
    row = state.read(Files).row
    if not 0 <= row < len(counts.characters) or counts.tokens[0][row] < 0:
        return
    file, number = counts.place(row)
    text = files.text(file.name, number, column)
    name = file.row_name(number)
    st.html(elements.title(f"{name}: {counted(counts.tokens[0][row], 'token')}"))
    if counts.characters[row] > SHOWN:
        st.html(elements.beginning(text, name))
    else:
        controls.copied(text)


def _left_out(counts: Counts) -> None:
    """Draw what was not counted, and what was read in another encoding than UTF-8."""
    for encoding in sorted({*counts.read_as.values()}):
        read = [name for name, each in counts.read_as.items() if each == encoding]
        more = f" and {counted(len(read) - NAMED, 'more file')}" if len(read) > NAMED else ""
        st.html(elements.note(f"Read as {encoding}: {', '.join(read[:NAMED])}{more}."))
    if unknown := sum(not file.whole for file in counts.files):
        st.html(elements.note(f"Not known: what header and line ends take in {counted(unknown, *NOT_KNOWN)}."))
    if counts.left_out:
        said = ", ".join(counted(number, *LEFT_OUT[why]) for why, number in counts.left_out.items())
        st.html(elements.note(f"Left out: {said}."))
    names = [*counts.problems.items()]
    for name, why in names[:NAMED]:
        st.html(elements.problem(f"{name}: {why}."))
    if len(names) > NAMED:
        more = "could not be counted, or only in part"
        st.html(elements.problem(f"{counted(len(names) - NAMED, 'more file')} {more}."))


VIEWS = {
    "count": PageView("Count", count_view, question="Which file needs most, and with which tokenizer?"),
    "notations": PageView("Notations", data_view, question=notations_view.QUESTION),
    "savings": PageView("Own tokens", own_tokens_view, question=savings_view.QUESTION),
}
