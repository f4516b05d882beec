"""The Train page's last training. Other pages offer its vocabulary.

If a page shows that vocabulary, the page's own link has the training, as the value `training`: JSON with the values of
the Train page's link. So the vocabulary can be trained again after a reload, or in another browser.
"""

from __future__ import annotations

import json
from typing import TypeVar

from bpe_core import Run, Settings, SettingsError
from bpe_core.settings import SETTINGS
from pages.parts.page import your_text
from pages.parts.state import links, state
from pages.parts.state.chosen_settings import GrownSettings, chosen_as
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.page_states import PageState, WithTokenizer
from pages.parts.state.tokenizer_keys import TRAINED
from pages.parts.state.train_state import Train
from pages.parts.state.values import changed
from pages.parts.texts import corpora
from pages.parts.texts.corpora import YOUR_TEXT, Corpus
from pages.parts.texts.examples import EXAMPLES
from pages.parts.trainings import chosen_start

S = TypeVar("S", bound=PageState)
_TRAINED: state.SessionSlot[tuple[Corpus, Settings] | None] = state.SessionSlot("trained", None)
MISSING = (
    "The vocabulary of this link is not here: it was trained on another text. Train it again on the Train page. "
    "Until then this is the vocabulary of the Train page's example."
)
DIGEST = 12  # letters of the digest that identify your text


def has_trained() -> bool:
    """Return whether the Train page has trained in this session."""
    return _TRAINED.get() is not None


def text_and_settings() -> tuple[Corpus, Settings]:
    """Return the text and the settings of the Train page's last training.

    Before the first training, return the page's example and its current settings.
    """
    return _TRAINED.get() or (your_text.page_example(Train), chosen_start.settings(state.read(Train)))


def remember(text: Corpus, run: Run) -> None:
    """Remember the Train page's last training."""
    _TRAINED.put((text, run.settings))


def key_of(text: Corpus, run: Run) -> tuple[object, ...]:
    """Return the key of a training's film. The key does not depend on the pairs that the visitor chose in the film."""
    asked = run.settings
    opened = (asked.opened, asked.content) if isinstance(asked, GrownSettings) else ()
    return text.digest, opened, *(getattr(asked, name) for name in SETTINGS if name != "forced")


def follow(now: S) -> tuple[S, bool]:
    """Write the Train page's last training into the page's value `training`, or restore the last training from there.

    The last training is restored in a new session, if the Train page has not trained yet and `training` is from the
    link. The training may be on your text, and your text too long for the link: then the training is restored when the
    page has the text. On a page that does not show the Train page's vocabulary, `training` is empty.

    Return the state, and whether the last training was restored.
    """
    if not isinstance(now, WithTokenizer):
        return now, False
    from_link = state.session().published is None
    if TRAINED not in _tokenizers(now):
        return _with(now, ""), False
    if has_trained() or not (now.training or from_link):
        return _with(now, _written(now)), False
    return now, _restored(now, from_link)


def _with(now: S, training: str) -> S:
    return state.save(changed(now, {"training": training})) if getattr(now, "training", "") != training else now


def _tokenizers(now: WithTokenizer) -> tuple[str, ...]:
    return (now.tokenizer, *getattr(now, "against", ()), getattr(now, "other", ""))


def _written(now: WithTokenizer) -> str:
    """Return the training as JSON. If the training's text is too long for a link, so is the JSON."""
    text, settings = text_and_settings()
    fields = links.written(changed(Train(glyph=state.read(Train).glyph), chosen_as(settings)))
    known = next((key for key in EXAMPLES if corpora.example(key) == text), None)
    if known:
        fields["corpus"] = known
    elif getattr(now, "text", "") == text.text:
        fields |= {"corpus": OWN, "digest": text.digest[:DIGEST]}
    else:
        fields["text"] = text.text[: LINK_LENGTH + 1]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _restored(now: WithTokenizer, from_link: bool) -> bool:
    """Restore the last training from the page's `training`; return whether that was possible.

    `from_link`: whether the page was just opened by a link. If restoring is not possible then, the page says so.
    """
    try:
        text, chosen = _read(now)
        _TRAINED.put((text, chosen_start.settings(changed(Train(), chosen))))
    except (ValueError, RecursionError, SettingsError):
        if from_link:
            state.remark(now, MISSING)
        return False
    state.put(Train, **chosen)
    return True


def _read(now: WithTokenizer) -> tuple[Corpus, dict[str, object]]:
    """Return the training's text and the Train page's values. Raise `ValueError` if text or values cannot be read."""
    fields, train = json.loads(now.training), links.named(Train)
    if not isinstance(fields, dict) or not all(isinstance(value, str) for value in fields.values()):
        raise ValueError
    names = {*chosen_as(Settings()), "glyph"}
    values = {name: train[name][1].read(fields[name]) for name in names & fields.keys()}
    if "text" in fields:
        return Corpus(YOUR_TEXT, str(train["text"][1].read(fields["text"]))), values
    if fields.get("corpus") != OWN:
        return corpora.example(train["corpus"][1].read(fields["corpus"])), values
    text = Corpus(YOUR_TEXT, getattr(now, "text", ""))
    if not fields.get("digest") or not text.digest.startswith(fields["digest"]):
        raise ValueError
    return text, values
