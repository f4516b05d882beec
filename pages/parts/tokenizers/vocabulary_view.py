"""The view of a whole vocabulary: search it, sort it, choose a token, read its biography."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from bpe_core import Tokenizer
from bpe_core.pictures.shared.drawing import token_drawing
from bpe_core.pictures.shared.json_form import Sentence, as_json
from bpe_core.pictures.tokens.token_facts import facts
from bpe_core.text.in_words import counted, lost_pieces
from bpe_core.tokenizer.biography import Node, pruned
from bpe_core.tokenizer.unreachable import MERGED, SPECIAL, UNREACHABLE, UNSEEN, alone
from pages.parts.page import your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import address_bar, state
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.values import rows
from pages.parts.tokenizers import explorer
from pages.parts.ui import controls, downloads, elements, theme
from pages.parts.ui.live_view import token_biography
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

WORDS = 12  # of the text: the tokens that have one of its longest words come first


@st.fragment
def vocabulary_view(chosen: PageVocabulary) -> None:
    """Draw the vocabulary of `chosen`. If the library of an opened file does not answer, draw the reason."""
    with problems_shown():
        _draw(chosen)


def _draw(chosen: PageVocabulary) -> None:
    table = _table(chosen.tokenizer)
    now = _choices(state.read(Tokenizers), table)
    address_bar.publish(Tokenizers)
    words = your_text.longest_words(your_text.shown(now), WORDS) if now.order == "yours" else []
    asked = (now.sought, now.among, now.kind, now.script, now.order, tuple(words))
    found = state.latest(
        "found in a vocabulary", (id(chosen.tokenizer), *asked), lambda: explorer.search(table, *asked)
    )
    if not len(found):
        st.html(elements.note(_nothing(now, chosen)))
        _elsewhere(now, table)
        _unreachable(table)
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        number = _chosen_row(now, found, chosen)
        first = found["token"].iloc[0].decode("utf-8", "ignore").casefold()
        with_it = next((word for word in words if word.casefold() in first), "")
        if with_it and not now.sought:
            whose = "the example" if your_text.example_shown(now) else "your text"
            st.html(elements.note(f"First: the tokens with “{with_it}” and with other long words of {whose}."))
        _unreachable(table)
        row = found.iloc[number]
        _export(found, chosen, int(row["id"]), bool(row["step"]))
    with right:
        token_biography("tokenizers.life", _life(chosen, int(row["id"]), row["reach"], row["kind"]), chosen.glyph)


def _export(found: pd.DataFrame, chosen: PageVocabulary, token_id: int, has_tree: bool) -> None:
    """Draw the menu of files: the tokens that were found as a table, and the chosen token's tree as a picture.

    `has_tree`: whether a merge made the token.
    """
    menu = st.popover("Export", key="tokenizers.export", on_change="rerun")
    with menu:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note("Tokens that were found:"), width="content")
            downloads.sheet("CSV", "vocabulary", lambda: explorer.sheet(found))
        if has_tree and menu.open:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.html(elements.note("Tree:"), width="content")
                downloads.pictures("tree", lambda: token_drawing(chosen.tokenizer, token_id, chosen.glyph))


def _unreachable(table: pd.DataFrame) -> None:
    """Draw how many tokens no text produces, and a button that lists them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(elements.note(_summary(table)), width="content")
        if table["reach"].isin(list(UNREACHABLE)).any():
            controls.button("See them, and why", Tokenizers, _never, key="tokenizers.never", type="tertiary")


def _summary(table: pd.DataFrame) -> str:
    """Return how many tokens the vocabulary has, and how many of these tokens no text produces."""
    never, unseen = (int(table["reach"].isin(verdicts).sum()) for verdicts in (list(UNREACHABLE), [UNSEEN]))
    sentence = f"{never:,} of the {counted(len(table), 'token')} cannot be produced by any text."
    if not unseen:
        return sentence
    more = f"Another {counted(unseen, 'was', 'were')} seen in none of the texts that were tried"
    return f"{sentence} {more}: for each {explorer.TRIED}."


def _never(now: Tokenizers) -> Tokenizers:
    """Return the state that lists the tokens that no text produces. The biography of each says why."""
    return replace(now, sought="", among="text", kind="never", script="")


def _table(tokenizer: Tokenizer) -> pd.DataFrame:
    """Return the table of a tokenizer's vocabulary. While the table is computed, draw a progress bar."""
    if explorer.is_known(tokenizer):
        return explorer.vocabulary(tokenizer)
    bar = st.progress(0.0, "Trying what each token's own text becomes …")

    def progress(share: float) -> None:
        bar.progress(share)

    try:
        return explorer.vocabulary(tokenizer, progress)
    finally:
        bar.empty()


def _choices(now: Tokenizers, table: pd.DataFrame) -> Tokenizers:
    """Draw the search box and the menus; return the state."""
    counts = table["script"].value_counts()
    scripts = {"": "All scripts"} | {name: f"{name} ({count:,})" for name, count in counts.items()}
    if now.script not in scripts:  # the script was chosen for another vocabulary
        now = state.save(replace(now, script=""))
    kinds = explorer.kinds(table)
    if now.kind in explorer.KINDS and now.kind not in kinds:  # no token of this vocabulary is of the kind
        now = state.save(replace(now, kind="all"))
    menus: dict[str, tuple[Mapping[str, str], int]] = {  # state field → (the menu's options, the menu's width)
        "among": (explorer.FIELDS, 110),
        "kind": (kinds, 230),
        "script": (scripts, 190),
        "order": (explorer.SORTS, 220),
    }
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="tokenizers-filters"):
        title = rows(Tokenizers)["sought"].title
        controls.line(Tokenizers, "sought", title, width=220, placeholder="a text, bytes or an id")
        for name, (options, width) in menus.items():
            if getattr(now, name) not in options:
                controls.no_such_choice(now, name, f"it is not one of {', '.join(options)}")
            controls.pick(Tokenizers, name, options, width=width)
    return state.read(Tokenizers)


def _nothing(now: Tokenizers, chosen: PageVocabulary) -> str:
    """Return that no token matches. If only a text was searched for, say how many tokens write that text."""
    if not now.sought or (now.among, now.kind, now.script) != ("text", "all", ""):
        return "No token matches: search for something else."
    found = chosen.tokenizer.encode(now.sought, specials=False)
    how = (
        f"cannot write it: {lost_pieces(lost)}" if (lost := found.pieces_lost) else f"writes it with {len(found.ids):,}"
    )
    return f"No single token has “{now.sought}”: {chosen.title} {how}."


def _elsewhere(now: Tokenizers, table: pd.DataFrame) -> None:
    """Draw a button for each other field in which what was searched for is found, such as the id of a token."""
    for field, title in explorer.FIELDS.items():
        if now.sought and field != now.among and len(explorer.search(table, now.sought, field, "all", "", "id")):
            controls.button(f"Search in: {title}", Tokenizers, _searched_in, field, key=f"tokenizers.in {field}")


def _searched_in(now: Tokenizers, field: str) -> Tokenizers:
    return replace(now, among=field)


def _chosen_row(now: Tokenizers, found: pd.DataFrame, chosen: PageVocabulary) -> int:
    """Draw the rows; return the index of the row with the marked cell. The first row is marked at first."""
    query = (now.sought, now.among, now.kind, now.script, now.order)
    event: Any = st.dataframe(
        explorer.shown(found, chosen.glyph), hide_index=True, height=460, on_select="rerun",
        selection_mode="single-cell", selection_default={"selection": {"cells": [(0, "token")]}}, placeholder="–",
        column_config={"token": st.column_config.Column(width="medium"), **explorer.COLUMNS},
        key=f"{theme.OWN_TOOLS} {chosen.name} {query}",  # a new key for a new search: its table begins at the top
    )  # fmt: skip
    if len(found) > explorer.SHOWN:
        st.html(elements.note(f"These are the first {explorer.SHOWN:,} of {counted(len(found), 'token')}."))
    cells = event["selection"]["cells"]
    return min(cells[0][0], len(found) - 1) if cells else 0


def _life(chosen: PageVocabulary, token_id: int, reach: str, kind: str = "") -> dict[str, Any]:
    """Return the biography of a token as JSON for the browser."""
    tokenizer = chosen.tokenizer
    root, whole = pruned(tokenizer, token_id)
    root = root._replace(token=tokenizer.vocabulary.drawn_bytes(token_id))
    rows = [("can occur", _reach(tokenizer, token_id, reach, kind)), *facts(tokenizer, token_id, chosen.run)]
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


def _reach(tokenizer: Tokenizer, token_id: int, reach: str, kind: str) -> Sentence:
    """Return whether a text can produce the token.

    If the token's bytes merge otherwise, or if no text that was tried has the token, add the tokens that the token's
    bytes become when they are encoded alone.
    """
    if reach in (MERGED, UNSEEN):
        text = "" if reach == MERGED else tokenizer.tokens[token_id].decode()
        ids = alone(tokenizer, token_id) if reach == MERGED else tokenizer.ids(text, specials=True)
        becomes = [word for i in ids for word in (tokenizer.vocabulary.drawn_bytes(i), " ")]
        head = f"Never. {UNREACHABLE[MERGED]} They become " if reach == MERGED else "Not seen. Its text alone becomes "
        return [head, *becomes]
    return [explorer.reach_in_words(reach, kind)]


def _tree(node: Node) -> dict[str, Any]:
    return {"token": node.token.hex(), "step": node.step, "halves": [_tree(half) for half in node.halves]}
