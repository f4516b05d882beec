"""The menu that opens a tokenizer from files or from the Hugging Face Hub. If that fails, the page does not change."""

from __future__ import annotations

import streamlit as st

from bpe_core.files import FormatError, HubError, hub
from pages.parts.session import inputs, state
from pages.parts.views import elements, sentences
from pages.parts.widgets.tokenizer_choice import chosen_files, files_to_open


def opening(page: str) -> None:
    """Draw the menu, with a box for a model's name and a box for files. It closes when a tokenizer is open."""
    with st.popover("Open a tokenizer", key=f"{page}.opening", on_change="rerun"):
        with st.form(f"{page}.on the hub", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Model on the Hugging Face Hub", key=f"{page}.model", placeholder="openai-community/gpt2"
            )  # fmt: skip
            st.form_submit_button("Open", on_click=_ask_hub, args=(page,))
        if problem := state.recall(f"{page}.unopened"):
            st.html(elements.problem(problem))
        files_to_open(page, _open_files)


def fetch_asked(page: str) -> None:
    """Fetch the model whose name was typed, and show it. Call this before the box with the page's tokenizer is drawn.

    The request is remembered until it is answered, since a key that is pressed meanwhile reruns the page.
    """
    asked = state.recall(f"{page}.asked")
    if asked is None:
        return
    try:
        _show(page, inputs.vocabulary_of(hub.PREFIX + hub.model_name(asked)).name)
    except HubError as error:
        state.remember(f"{page}.unopened", _next_step(error))
    except FormatError as error:
        state.remember(f"{page}.unopened", sentences.problem(error))
    state.remember(f"{page}.asked", None)


def _next_step(error: HubError) -> str:
    """Return why a model cannot be fetched and, if the Hub is out of reach, another way to its tokenizer."""
    other = " Or download tokenizer.json from the model's page there and open it here."
    return f"{error}{other if isinstance(error, hub.OutOfReach) else ''}"


def _ask_hub(page: str) -> None:
    state.remember(f"{page}.unopened", None)
    state.remember(f"{page}.asked", state.recall(f"{page}.model"))


def _open_files(page: str) -> None:
    files, cut = chosen_files(page)
    state.remember(f"{page}.unopened", None)
    before = state.recall(f"{page}.files before", ())
    state.remember(f"{page}.files before", tuple(files))
    added = {name: content for name, content in files.items() if name not in before}
    for attempt in (files, added if len(added) < len(files) else {}):  # the last files may be a tokenizer alone
        if not attempt:
            return
        try:
            _show(page, inputs.open_files(attempt, cut).name)
            state.remember(f"{page}.unopened", None)
            return
        except FormatError as error:
            if attempt is files:
                state.remember(f"{page}.unopened", sentences.problem(error))


def _show(page: str, name: str) -> None:
    """Make the opened tokenizer the page's or, if the page shows several, one of the others."""
    state.remember(f"{page}.opening", False)
    if state.get(page, "view") == "side-by-side":
        state.put(page, "against", list(dict.fromkeys([*state.get(page, "against"), name])))
    else:
        state.put(page, "tokenizer", name)
