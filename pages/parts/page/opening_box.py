"""The box that opens a tokenizer from files or from the Hugging Face Hub.

If the tokenizer cannot be opened, the page goes on showing what it shows, and the box says why. The parameter `shown`
is a function that a page provides. `shown` takes the page's state and the key of an opened tokenizer, and returns the
state that shows the tokenizer. If the page cannot use the tokenizer, `shown` raises `SettingsError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from bpe_core import SettingsError
from bpe_core.files import FormatError, HubError, hub
from bpe_core.files.gguf_header import is_gguf
from pages.parts.page.tokenizer_choice import chosen_files, files_to_open, split_menu
from pages.parts.state import state
from pages.parts.state.page_states import WithOpening
from pages.parts.ui import elements, sentences
from pages.parts.vocabularies import opened_vocabularies

S = TypeVar("S", bound=WithOpening)
Shown = Callable[[S, str], S]


def opening_box(page: type[S], shown: Shown[S]) -> None:
    """Draw a line for a model's name and a box for files. If the last tokenizer could not be opened, draw why."""
    with st.form(f"{page.PAGE}.on the hub", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Model on the Hugging Face Hub", key=_model(page), placeholder="openai-community/gpt2")
        st.form_submit_button("Open", on_click=_ask_hub, args=(page,))
    if opened_vocabularies.model_lacks_split(_named(page)):
        split_menu("Pretokenizer, which the model does not say", _cut(page), lambda: _ask_hub(page))
    if problem := state.read(page).unopened:
        st.html(elements.problem(problem))
    files_to_open(page, lambda _: _open_files(page, shown))


def _model(page: type[WithOpening]) -> str:
    """Return the session key of the line for a model's name."""
    return f"{page.PAGE}.model"


def _named(page: type[WithOpening]) -> str:
    """Return the name of the model in the line, as on the Hub; "" if there is none."""
    try:
        return hub.model_name(str(state.sent(_model(page)) or ""))
    except HubError:
        return ""


def _cut(page: type[WithOpening]) -> str:
    """Return the session key of the choice of a split for the model in the line."""
    return f"{page.PAGE}.cut of {_named(page)}"


def _ask_hub(page: type[WithOpening]) -> None:
    state.put(page, unopened="", asked=state.sent(_model(page)))


def fetch_asked(now: S, shown: Shown[S]) -> S:
    """Fetch the tokenizer of the typed model, and return the state that shows it. Call this before `opening_box`.

    The typed name is remembered until the model is fetched, since a key press meanwhile reruns the page.
    """
    if now.asked is None:
        return now
    try:
        name, chosen = hub.model_name(now.asked), state.sent(_cut(type(now)))
        cut = chosen if isinstance(chosen, str) and opened_vocabularies.model_lacks_split(name) else None
        now = shown(now, opened_vocabularies.vocabulary(hub.PREFIX + name, cut).name)
    except HubError as error:
        now = replace(now, unopened=_hub_problem(error))
    except (FormatError, SettingsError) as error:
        now = replace(now, unopened=sentences.problem(error))
    return state.save(replace(now, asked=None))


def _hub_problem(error: HubError) -> str:
    """Return why a model cannot be fetched. If the Hub is out of reach, add another way to open the tokenizer."""
    other = " Another way: download tokenizer.json from the model's page there, and open it here."
    return f"{error}{other if isinstance(error, hub.OutOfReach) else ''}"


def _open_files(page: type[S], shown: Shown[S]) -> None:
    files, cut = chosen_files(page)
    state.change(page, _opened, shown, files, cut)


def _opened(now: S, shown: Shown[S], files: Mapping[str, bytes], cut: str | None) -> S:
    """Return the state that shows the tokenizer in the files.

    If all files together are no tokenizer, try only the files that were added last. If these contain no tokenizer
    either, return the state with the reason. Two models of llama.cpp never belong together.
    """
    added = {name: content for name, content in files.items() if name not in now.files_before}
    now = replace(now, files_before=tuple(files), unopened="")
    alone = added if len(added) < len(files) else {}
    for attempt in (alone,) if alone and sum(map(is_gguf, files.values())) > 1 else (files, alone):
        if not attempt:
            break
        try:
            return shown(replace(now, unopened=""), opened_vocabularies.open_files(attempt, cut).name)
        except (FormatError, SettingsError) as error:
            now = replace(now, unopened=now.unopened or sentences.problem(error))
    return now
