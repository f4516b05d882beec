"""The menu that opens a tokenizer from files or from the Hugging Face Hub. If that fails, the page does not change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from bpe_core.files import FormatError, HubError, hub
from pages.parts.session import chosen_vocabulary, state
from pages.parts.session.page_states import PageState, Playground
from pages.parts.views import elements, sentences
from pages.parts.widgets.tokenizer_choice import chosen_files, files_to_open

MODEL = "playground.model"  # the key of the box for a model's name


def opening() -> None:
    """Draw the menu, with a box for a model's name and a box for files. It closes when a tokenizer is open."""
    with st.popover("Open a tokenizer", key=state.key(Playground, "opening"), on_change="rerun"):
        with st.form("playground.on the hub", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Model on the Hugging Face Hub", key=MODEL, placeholder="openai-community/gpt2")
            st.form_submit_button("Open", on_click=_ask_hub)
        if problem := state.read(Playground).unopened:
            st.html(elements.problem(problem))
        files_to_open(Playground, _open_files)


def _ask_hub() -> None:
    state.put(Playground, unopened="", asked=state.recall(MODEL))


def fetch_asked(now: Playground) -> Playground:
    """Fetch the model whose name was typed, and show it; return the state. Call it before the menu is drawn.

    The request is remembered until it is answered, since a key that is pressed meanwhile reruns the page.
    """
    if now.asked is None:
        return now
    try:
        now = _showing(now, chosen_vocabulary.vocabulary_of(hub.PREFIX + hub.model_name(now.asked)).name)
    except HubError as error:
        now = replace(now, unopened=_hub_problem(error))
    except FormatError as error:
        now = replace(now, unopened=sentences.problem(error))
    return state.save(replace(now, asked=None))


def _hub_problem(error: HubError) -> str:
    """Return why a model cannot be fetched and, if the Hub is out of reach, another way to its tokenizer."""
    other = " Another way: download tokenizer.json from the model's page there, and open it here."
    return f"{error}{other if isinstance(error, hub.OutOfReach) else ''}"


def _open_files(page: type[PageState]) -> None:
    state.change(Playground, _opened, *chosen_files(page))


def _opened(now: Playground, files: Mapping[str, bytes], cut: str | None) -> Playground:
    """Return the state with the tokenizer in the files; if they contain none, with the reason.

    If all files together are no tokenizer, try only the files that were added last.
    """
    added = {name: content for name, content in files.items() if name not in now.files_before}
    now = replace(now, files_before=tuple(files), unopened="")
    for attempt in (files, added if len(added) < len(files) else {}):
        if not attempt:
            break
        try:
            return _showing(replace(now, unopened=""), chosen_vocabulary.open_files(attempt, cut).name)
        except FormatError as error:
            now = replace(now, unopened=now.unopened or sentences.problem(error))
    return now


def _showing(now: Playground, name: str) -> Playground:
    """Return the state with an opened tokenizer as the page's or, if the page shows several, as one of the others."""
    now = replace(now, opening=False)
    if now.view == "side-by-side":
        return replace(now, against=tuple(dict.fromkeys([*now.against, name])))
    return replace(now, tokenizer=name)
