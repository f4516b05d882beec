"""The Train page's latest training in the links of pages that show its vocabulary: a reload or another browser has it.

It is the value `training` of such a page: JSON of what the Train page's own link would say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bpe_core import SettingsError
from pages.parts.session import corpora, inputs, state
from pages.parts.session.corpora import YOUR_TEXT, Corpus
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.links import LINK_LENGTH, OWN, PARAMS, SETTINGS
from pages.parts.session.tokenizer_keys import TRAINED

MISSING = (
    "The vocabulary of this link is not here: it was trained on another text. Train it again on the Train page. "
    "Until then this is the vocabulary of the Train page's example."
)
DIGEST = 12  # letters of it tell your text from others


def follow(page: str) -> bool:
    """Keep the page's `training` up to date; in a new session, train what the link says. Returns whether that is new.

    Where the link's training is on your text, and that was too long for the link, it waits for the text.
    """
    if "training" not in PARAMS[page]:
        return False
    given, from_link = state.get(page, "training"), state.recall("published") is None
    if TRAINED not in _tokenizers(page):
        state.put(page, "training", "")
    elif inputs.has_trained() or not (given or from_link):
        state.put(page, "training", _written(page))
    else:
        return _taken_over(page, given, from_link)
    return False


def _tokenizers(page: str) -> list[str]:
    one = [state.get(page, name) for name in ("tokenizer", "model") if name in PARAMS[page]]
    return [*one, *(state.get(page, "against") if "against" in PARAMS[page] else [])]


def _written(page: str) -> str:
    """The training as JSON; longer than any link where its text is too long for one."""
    text, settings = inputs.trained()
    values = inputs.values_of(settings) | {"glyph": state.get("train", "glyph")}
    train = PARAMS["train"]
    said = {name: train[name].write(value) for name, value in values.items() if value != train[name].default}
    known = next((key for key in EXAMPLES if corpora.example(key) == text), None)
    if known:
        said["corpus"] = known
    elif state.get(page, "text") == text.text:
        said |= {"corpus": OWN, "digest": text.digest[:DIGEST]}
    else:
        said["text"] = text.text[: LINK_LENGTH + 1]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _taken_over(page: str, given: str, from_link: bool) -> bool:
    try:
        inputs.take_over_training(*_read(page, given))
    except (ValueError, RecursionError, SettingsError):
        if from_link:
            state.remarks(page).append(MISSING)
        return False
    return True


def _read(page: str, given: str) -> tuple[Corpus, Mapping[str, Any]]:
    """The text and the Train page's values; raises `ValueError` where they cannot be read, or the text is not here."""
    said, train = json.loads(given), PARAMS["train"]
    if not isinstance(said, dict) or not all(isinstance(value, str) for value in said.values()):
        raise ValueError
    values = {name: train[name].read(said[name]) for name in (*SETTINGS, "glyph") if name in said}
    if "text" in said:
        return Corpus(YOUR_TEXT, train["text"].read(said["text"])), values
    if said.get("corpus") != OWN:
        return corpora.example(train["corpus"].read(said["corpus"])), values
    text = Corpus(YOUR_TEXT, state.get(page, "text"))
    if not said.get("digest") or not text.digest.startswith(said["digest"]):
        raise ValueError
    return text, values
