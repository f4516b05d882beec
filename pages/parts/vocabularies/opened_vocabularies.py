"""The vocabularies that a visitor opened, from files and from the Hugging Face Hub. All pages offer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import streamlit as st

from bpe_core.files import hub
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.tokenizer_keys import OPENED
from pages.parts.ui import sentences
from pages.parts.vocabularies import page_vocabulary
from pages.parts.vocabularies.page_vocabulary import PageVocabulary


class NothingOpened(Exception):  # noqa: N818 (not an error: the visitor has yet to open a file)
    """The chosen vocabulary is in a file that is not open."""


_OPENED: state.SessionSlot[Mapping[str, PageVocabulary]] = state.SessionSlot("opened tokenizers", {})
_WITHOUT_SPLIT: state.SessionSlot[frozenset[str]] = state.SessionSlot("models without a split", frozenset())
NOT_OPEN = "The tokenizer's file is not open here: open it again, since neither a link nor a reload keeps it."


def opened() -> Mapping[str, PageVocabulary]:
    """Return the vocabularies from files and from the Hub, by key.

    The vocabulary that was last opened from a file is there twice: under its own key, and under the key `OPENED`.
    """
    return _OPENED.get()


def titles() -> dict[str, str]:
    """Return the titles of the opened vocabularies, by the vocabulary's own key."""
    return {key: vocabulary.title for key, vocabulary in opened().items() if key != OPENED}


def vocabulary(key: str, cut: str | None = None) -> PageVocabulary:
    """Return an opened vocabulary. If it belongs to a model on the Hub and is not open yet, fetch it.

    `cut`: the key of the pretokenizer that the visitor chose for a model; None for the one that it has. Raise
    `HubError` or `FormatError` if fetching fails, and `NothingOpened` if no vocabulary has the key.
    """
    found = opened().get(key)
    if key.startswith(hub.PREFIX) and (found is None or cut):
        return _fetched(key.removeprefix(hub.PREFIX), cut)
    if found is None:
        raise NothingOpened
    return found


def _fetched(name: str, cut: str | None) -> PageVocabulary:
    """Fetch, remember and return the vocabulary of a model on the Hub."""
    with st.spinner(f"Fetching {sentences.plain(name)} from the Hugging Face Hub …"):
        files = page_vocabulary.files_on_the_hub(name)
        if page_vocabulary.lacks_cut(files):
            _WITHOUT_SPLIT.put(_WITHOUT_SPLIT.get() | {name})
        found = page_vocabulary.of_model(name, files, cut)
    if found.tokenizer.split_is_assumed:
        _WITHOUT_SPLIT.put(_WITHOUT_SPLIT.get() | {name})
    _keep(found)
    return found


def model_lacks_split(name: str) -> bool:
    """Return whether a model of the Hub, as far as it was fetched, does not say how text is split."""
    return name in _WITHOUT_SPLIT.get()


def open_files(files: Mapping[str, bytes], cut: str | None) -> PageVocabulary:
    """Open, remember and return the vocabulary in some files. Raise `FormatError` if the files cannot be opened.

    `cut`: the key of the pretokenizer to use if the files do not say how text is split.
    """
    known = {found.content: found for found in opened().values() if not found.name.startswith(hub.PREFIX)}
    found = known.get(page_vocabulary.content_of(files, cut)) or page_vocabulary.opened(files, cut)
    if opened().get(found.name, found) is not found:  # another file of the same name
        number = next(each for each in count(2) if f"{found.name} {each}" not in opened())
        found = replace(found, name=f"{found.name} {number}", title=f"{found.title} ({number})")
    _keep(found)
    _OPENED.put({**opened(), OPENED: found})
    return found


def split_can_be_chosen(files: Mapping[str, bytes]) -> bool:
    """Return whether the files do not say how text is split, so that a visitor may choose. They may be open already."""
    content = page_vocabulary.content_of(files, None)
    assumed = any(each.content == content and each.tokenizer.split_is_assumed for each in opened().values())
    return assumed or page_vocabulary.lacks_cut(files)


def _keep(found: PageVocabulary) -> None:
    """Remember an opened vocabulary. If that makes more than `LIMITS.opened_tokenizers`, forget the oldest ones."""
    others = [each for name, each in opened().items() if name not in (OPENED, found.name)]
    latest = {each.name: each for each in [*others, found][-LIMITS.opened_tokenizers :]}
    last = opened().get(OPENED)
    _OPENED.put(latest | ({OPENED: last} if last and last.name in latest else {}))
