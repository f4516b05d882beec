"""The view of a whole vocabulary: search it, sort it, choose a token, read its biography."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core import Tokenizer
from bpe_core.display.in_words import counted
from bpe_core.live.token_facts import facts
from bpe_core.live.wire import Words, as_json
from bpe_core.tokenizer.biography import Node, pruned
from bpe_core.tokenizer.unreachable import MERGED, SPECIAL, UNREACHABLE, UNSEEN, alone
from pages.parts.live_text.token_views import token_life
from pages.parts.playground import explorer
from pages.parts.session import state
from pages.parts.session.titles import titled
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements
from pages.parts.widgets import downloads
from pages.parts.widgets.controls import line, pick
from pages.parts.widgets.tokenizer_choice import explained


@st.fragment
def explorer_view(page: str, chosen: Vocabulary) -> None:
    """Draw the vocabulary of `chosen`, or say why the library of an opened file does not answer."""
    with explained():
        _draw(page, chosen)


def _draw(page: str, chosen: Vocabulary) -> None:
    table = _table(chosen.tokenizer)
    st.html(elements.note(_summary(table)))
    find, field, kind, script, sort = _choices(page, table)
    state.publish(page)
    query = (find, field, kind, script, sort)
    rows = explorer.search(table, *query)
    if not len(rows):
        st.html(elements.note(_nothing(chosen, *query)))
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        number = _chosen_row(page, rows, chosen, query)
        downloads.sheet("Vocabulary (CSV)", "vocabulary", lambda: explorer.sheet(rows))
    with right:
        row = rows.iloc[number]
        token_life(f"{page}.life", _life(chosen, int(row["id"]), row["reach"], row["kind"]), chosen.glyph)


def _summary(table: pd.DataFrame) -> str:
    """Return how many tokens there are, and how many of them no text produces."""
    never, unseen = (int(table["reach"].isin(verdicts).sum()) for verdicts in (list(UNREACHABLE), [UNSEEN]))
    sentence = f"{never:,} of the {counted(len(table), 'token')} cannot be produced by any text."
    return sentence + (f" Another {unseen:,} were produced by none of the texts that were tried." if unseen else "")


def _table(tokenizer: Tokenizer) -> pd.DataFrame:
    """Return the table of the vocabulary; the first time, draw the progress of its computation."""
    if explorer.is_known(tokenizer):
        return explorer.vocabulary(tokenizer)
    bar = st.progress(0.0, "Trying what each token's own text becomes …")
    try:
        return explorer.vocabulary(tokenizer, bar.progress)
    finally:
        bar.empty()


def _choices(page: str, table: pd.DataFrame) -> tuple[str, str, str, str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        find = line(page, "sought", titled("sought"), width=220, placeholder="a text, bytes or an id")
        field = _select(page, "among", explorer.FIELDS, 110)
        kind = _select(page, "kind", explorer.KINDS, 230)
        scripts = table["script"].value_counts()
        names = {"": "All scripts"} | {name: f"{name} ({count:,})" for name, count in scripts.items()}
        if state.get(page, "script") not in names:  # the script was chosen for another vocabulary
            state.put(page, "script", "")
        script = _select(page, "script", names, 190)
        sort = _select(page, "order", explorer.SORTS, 150)
    return find, field, kind, script, sort


def _select(page: str, name: str, options: dict[str, str], width: int) -> str:
    if state.get(page, name) not in options:
        state.give_up(page, name, f"The link's “{titled(name)}” was left out: it is not one of {', '.join(options)}.")
        st.rerun()
    return pick(page, name, titled(name), options, width=width)


def _nothing(chosen: Vocabulary, find: str, field: str, kind: str, script: str, _: str) -> str:
    """Return why no token is found; after a search for a text alone, also how many tokens write that text."""
    if not find or (field, kind, script) != ("text", "all", ""):
        return "No token matches: search for something else."
    count = len(chosen.tokenizer.encode(find).ids)
    return f"No single token has “{find}”: {chosen.title} writes it with {count:,}."


def _chosen_row(page: str, rows: pd.DataFrame, chosen: Vocabulary, query: tuple) -> int:
    """Draw the rows; return the number of the chosen row, at first 0."""
    event = st.dataframe(
        explorer.shown(rows, chosen.glyph), hide_index=True, height=460, on_select="rerun",
        selection_mode="single-cell", placeholder="–", column_config={"token": st.column_config.Column(width="medium")},
        key=f"{page}.explore rows {chosen.name} {query}",  # a new table begins at its top
    )  # fmt: skip
    if len(rows) > explorer.SHOWN:
        st.html(elements.note(f"Showing {explorer.SHOWN:,} of {counted(len(rows), 'token')} that match."))
    cells = event["selection"]["cells"]
    return min(cells[0][0], len(rows) - 1) if cells else 0


def _life(chosen: Vocabulary, token_id: int, reach: str, kind: str = "") -> dict:
    tokenizer = chosen.tokenizer
    root, whole = pruned(tokenizer, token_id)
    rows = [("in a text", _reach(tokenizer, token_id, reach, kind)), *facts(tokenizer, token_id, chosen.run)]
    born = "a special token" if reach == SPECIAL else "made by no merge"
    if root.step:
        born = f"made at step {root.step:,} of {chosen.steps:,}"
    return {
        "id": str(token_id),
        "born": born,
        "tree": _tree(root),
        "whole": whole,
        "facts": {"rows": [[term, as_json(words)] for term, words in rows], "apart": []},
    }


def _reach(tokenizer: Tokenizer, token_id: int, reach: str, kind: str) -> Words:
    """Return whether a text can produce the token and, if none can or was seen to, what its own text becomes."""
    if reach in (MERGED, UNSEEN):
        ids = alone(tokenizer, token_id) if reach == MERGED else tokenizer.ids(tokenizer.tokens[token_id].decode())
        becomes = [word for i in ids for word in (tokenizer.token_bytes(i), " ")]
        head = f"Never. {UNREACHABLE[MERGED]} They become " if reach == MERGED else "Not seen. Its text alone becomes "
        return [head, *becomes]
    return [explorer.reach_in_words(reach, kind)]


def _tree(node: Node) -> dict:
    return {"token": node.token.hex(), "step": node.step, "halves": [_tree(half) for half in node.halves]}
