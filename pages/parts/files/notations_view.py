"""The data of an opened file in other notations: how many tokens each takes, and the keys that cost most."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core.counting import Counts, FileCount
from bpe_core.counting.batch_counts import TokenizerOrPath
from bpe_core.counting.file_rows import TABLES
from bpe_core.counting.in_child import CountingError, FilesInChild
from bpe_core.counting.other_notations import ENDINGS, Notations
from bpe_core.text.in_words import counted, listed
from pages.parts.state import state
from pages.parts.ui import charts, downloads, elements, sentences
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

QUESTION = "What would the same data cost in another notation?"
AROUND = "(outside all keys)"
ABOUT = (
    "A token belongs to the key in which it begins, in JSON without spaces. Commas and brackets belong to the key "
    "around them."
)
NO_DATA = f"None of these files is data: open one that ends in {listed(ENDINGS, 'or')}."
LISTED = 100
COLUMNS = dict.fromkeys(["tokens", "of the name", "times"], st.column_config.NumberColumn(format="localized"))


def draw(
    files: FilesInChild,
    of: tuple[str, ...],
    chosen: PageVocabulary,
    given: TokenizerOrPath,
    counts: Counts,
    column: str,
) -> None:
    """Draw the notations of a file with data, at first of the largest, if there is one.

    `given`: the tokenizer for the process of the files. `column`: what counts of a table in `counts`; "" for all of it.
    """
    with_data = [file for file in counts.files if file.name.lower().endswith(ENDINGS)]
    known = [file.name for file in sorted(with_data, key=lambda file: -file.all_tokens())]
    if not known:
        st.html(elements.note(NO_DATA))
        return
    name = known[0]
    if len(known) > 1:
        name = st.selectbox("File with data", known, width=400, key=f"files.notations {hash(of)}")
    try:
        key = (of, name, chosen.name, id(chosen.tokenizer))
        found = state.latest("notations", key, lambda: files.notations(name, given))
    except CountingError as error:
        st.html(elements.problem(f"{name}: {sentences.problem(error)}"))
        return
    st.html(elements.finding(sentence(found, name, chosen.title)))
    file = next(file for file in with_data if file.name == name)
    left, right = st.columns([3, 2], gap="large")
    with left:
        frame = pd.DataFrame({"entry": [*found.tokens], "tokens": [*found.tokens.values()]})
        frame = frame.sort_values("tokens", ascending=False)
        downloads.chart(charts.file_bars(frame), "notations", "The tokens of the same data in each notation")
        st.html(elements.note(as_it_stands(file, column)))
        for notation, why in found.missing.items():
            st.html(elements.note(f"No {notation}: {why}."))
    with right:
        st.html(elements.title("What the keys cost"))
        table = dearest(found)
        st.dataframe(table.head(LISTED), hide_index=True, column_config=COLUMNS)
        st.html(elements.note(ABOUT))
        downloads.sheet("Keys (CSV)", "keys", lambda: table)


def sentence(found: Notations, name: str, title: str) -> str:
    """Return which notation takes the fewest tokens, and which the most."""
    of = f"The first {counted(found.cut, 'record')} of {name}" if found.cut else name
    return f"{of}: {found.fewest(f'of {title} ')}."


def as_it_stands(file: FileCount, column: str) -> str:
    """Return how the tokens of a file among the files above differ from those of its notations.

    `column`: see `draw`.
    """
    if column and file.name.lower().endswith(TABLES):
        return f"Here all columns count; above, only “{column}” does."
    if not file.whole:
        return "What the file takes as it stands is not known; here each notation is written without a last line end."
    tokens = counted(file.all_tokens(), "token")
    return f"As it stands, with its own spaces, quotes and line ends, the file has {tokens}, as above."


def dearest(found: Notations) -> pd.DataFrame:
    """Return the keys that cost most."""
    rows = [(cost.key or AROUND, cost.tokens, cost.of_name, cost.times) for cost in found.keys]
    return pd.DataFrame(rows, columns=["key", *COLUMNS])
