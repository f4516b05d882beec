"""What a page's trainings start from: the alphabet, a vocabulary that ships, or a tokenizer that the visitor opened.

Each start has a key: see `tokenizer_keys.start`.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar
from weakref import WeakKeyDictionary

from bpe_core import FormatError, HubError, Settings, SettingsError, Tokenizer
from bpe_core.files.conversion import REFUSED
from bpe_core.files.safely import plain_safely
from bpe_core.published import PUBLISHED
from bpe_core.record.start_tokens import split_of, usable
from bpe_core.settings import GIVEN, SETTINGS, STARTS
from pages.parts.state import chosen_settings, state
from pages.parts.state.chosen_settings import ChosenSettings, GrownSettings
from pages.parts.state.page_states import PageState
from pages.parts.state.values import changed, getters
from pages.parts.ui import sentences
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.opened_vocabularies import NOT_OPEN, NothingOpened
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

S = TypeVar("S", bound=PageState)
_usable: WeakKeyDictionary[PageVocabulary, Tokenizer] = WeakKeyDictionary()


def check(key: str) -> None:
    """Raise `SettingsError` if no training can start from what `key` names. If that is a model on the Hub, fetch it."""
    if key not in STARTS:
        _opened(key)


def _opened(key: str) -> tuple[PageVocabulary, Tokenizer]:
    """Return an opened vocabulary and its tokenizer; raise `SettingsError` if no training can start from it."""
    try:
        found = opened_vocabularies.vocabulary(key)
    except NothingOpened:
        _refuse(NOT_OPEN)
    except (HubError, FormatError) as error:
        _refuse(str(error))
    if found not in _usable:
        try:
            _usable[found] = usable(plain_safely(found.tokenizer))
        except FormatError as error:
            _refuse(f"training cannot start from this tokenizer: {str(error).removeprefix(REFUSED)}")
    return found, _usable[found]


def _refuse(why: str) -> NoReturn:
    raise SettingsError(why.removesuffix(".")) from None


def tokenizer(settings: Settings) -> Tokenizer | None:
    """Return the opened tokenizer that a training with these settings starts from; None for any other start.

    Raise `SettingsError` if the tokenizer is not open any more.
    """
    if not isinstance(settings, GrownSettings) or settings.start != GIVEN:
        return None
    found, start = _opened(settings.opened)
    if found.content != settings.content:
        _refuse(NOT_OPEN)
    return start


def settings(chosen: ChosenSettings) -> Settings:
    """Return the settings to train with; raise `SettingsError` or `PatternError` if no training can use them."""
    if chosen.start in STARTS:
        return chosen.checked()
    found, _ = _opened(chosen.start)
    own: dict[str, Any] = {name: getattr(chosen, name) for name in SETTINGS} | prescribed(chosen.start)
    own |= {"start": GIVEN, "pattern": ""}
    return GrownSettings(**own, opened=found.name, title=found.title, content=found.content)


def prescribed(key: str) -> dict[str, object]:
    """Return the settings, by name, that a training's start prescribes, in place of the visitor's.

    If the start is a tokenizer that is not open, return no settings. `key`: the start's key.

    >>> prescribed("qwen")["normalizers"], prescribed("file that is not open")
    (('nfc',), {})
    """
    if key in STARTS:
        return chosen_settings.by_published_start(key)
    try:
        _, start = _opened(key)
    except SettingsError:
        return {}
    same = {"alphabet": start.alphabet, "normalizers": start.normalizers, "word_marker": "none"}
    return {"pretokenizer": split_of(start), **same}


def title(key: str) -> str:
    """Return a few words that name what a training starts from. `key`: the key of that start.

    >>> title("gpt2"), title("file that is not open")
    ('the tokens of GPT-2', 'the tokens of the start')
    """
    if key in STARTS:
        return STARTS[key]
    found = opened_vocabularies.opened().get(key)
    return f"the tokens of {found.title}" if found else STARTS[GIVEN]


def size(key: str) -> int:
    """Return how many ids a training has before its first merge. `key`: the key of the tokenizer that it starts from.

    >>> size("gpt2")
    50257
    """
    return (PUBLISHED[key].load() if key in PUBLISHED else _opened(key)[1]).vocab_size


def ensured(now: S, *names: str) -> S:
    """Save and return the state, with usable starts. `names`: the fields that hold what trainings start from.

    If a training cannot start from what its field holds, the alphabet replaces that, and the page says why.
    """
    for name in names:
        key = getters(type(now))[name](now)
        try:
            # The key "file" means the last opened file, which also has a key of its own.
            found = key if key in STARTS else _opened(key)[0].name
        except SettingsError as error:
            why = f"{sentences.problem(error)} Training starts from the alphabet instead."
            now = state.remark(now, why, {name: "none"})
        else:
            now = state.save(changed(now, {name: found})) if found != key else now
    return now
