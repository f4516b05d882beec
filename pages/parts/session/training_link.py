"""The Train page's last training in the links of pages that show its vocabulary, for a reload or another browser.

It is the value `training` of such a page: JSON with the values of the Train page's own link.
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
DIGEST = 12  # letters of the digest that identify your text


def follow(page: str) -> bool:
    """Write the Train page's last training into the page's `training`; in a new session, restore it from there.

    Return whether a training was restored. A training on your text, if that was too long for the link, is restored when
    the text is there.
    """
    if "training" not in PARAMS[page]:
        return False
    given, from_link = state.get(page, "training"), state.recall("published") is None
    if TRAINED not in _tokenizers(page):
        state.put(page, "training", "")
    elif inputs.has_trained() or not (given or from_link):
        state.put(page, "training", _written(page))
    else:
        return _restored(page, given, from_link)
    return False


def _tokenizers(page: str) -> list[str]:
    one = [state.get(page, name) for name in ("tokenizer", "model") if name in PARAMS[page]]
    return [*one, *(state.get(page, "against") if "against" in PARAMS[page] else [])]


def _written(page: str) -> str:
    """Return the training as JSON; if its text is too long for a link, the JSON is too."""
    text, settings = inputs.trained()
    values = inputs.values_of(settings) | {"glyph": state.get("train", "glyph")}
    train = PARAMS["train"]
    fields = {name: train[name].write(value) for name, value in values.items() if value != train[name].default}
    known = next((key for key in EXAMPLES if corpora.example(key) == text), None)
    if known:
        fields["corpus"] = known
    elif state.get(page, "text") == text.text:
        fields |= {"corpus": OWN, "digest": text.digest[:DIGEST]}
    else:
        fields["text"] = text.text[: LINK_LENGTH + 1]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _restored(page: str, given: str, from_link: bool) -> bool:
    """Restore the training in `given`; return whether that was possible. If a link has it, say why it was not."""
    try:
        inputs.restore_training(*_read(page, given))
    except (ValueError, RecursionError, SettingsError):
        if from_link:
            state.remarks(page).append(MISSING)
        return False
    return True


def _read(page: str, given: str) -> tuple[Corpus, Mapping[str, Any]]:
    """Return the text and the Train page's values; raises `ValueError` if they cannot be read or lack the text."""
    fields, train = json.loads(given), PARAMS["train"]
    if not isinstance(fields, dict) or not all(isinstance(value, str) for value in fields.values()):
        raise ValueError
    values = {name: train[name].read(fields[name]) for name in (*SETTINGS, "glyph") if name in fields}
    if "text" in fields:
        return Corpus(YOUR_TEXT, train["text"].read(fields["text"])), values
    if fields.get("corpus") != OWN:
        return corpora.example(train["corpus"].read(fields["corpus"])), values
    text = Corpus(YOUR_TEXT, state.get(page, "text"))
    if not fields.get("digest") or not text.digest.startswith(fields["digest"]):
        raise ValueError
    return text, values
