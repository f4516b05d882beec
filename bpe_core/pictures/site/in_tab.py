"""What the page answers in the reader's tab: the first data of a picture, and the resources that the picture asks for.

    page     asks about a thing, which its reader has chosen:    {"tokenizer": "gpt2"}, or the settings of a training
    worker   ask(thing, name, parameters)                        all of them as JSON; see worker.js
             name "view"                                         what a page gives a picture with a text
             name "tokens", "token", "film", "frames", …         as a server answers (`resources`)

The same functions make the data of the examples, which the page has before the engine is there (`site.recorded`). A
tab has one thread, and a text that is typed waits for the answer before. So texts have a limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_answer import Film, FilmLayout, Position, ShownSide, film_answer, words_of
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.resources import AnyVocabulary, Parameters, Resource, answer, resources_of, tokens
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.request import Request
from bpe_core.pictures.shared.token_text import glyph_in, glyph_of, paired
from bpe_core.pictures.tokens.tokens_data import SECTIONS, TokensState, text_data
from bpe_core.published import PUBLISHED
from bpe_core.record.run import Run
from bpe_core.record.run_training import train
from bpe_core.settings import CUSTOM, Settings, SettingsError, suitable_marker
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

LONGEST = 50_000  # characters of a text: a tab trains on most in half a second, on the worst in two
LONGEST_WHOLE = 20_000  # characters of a text that is not split into words
MOST_TOKENS = 10_000  # of a training
SETTINGS_HERE = ("pretokenizer", "alphabet", "vocab_size")  # that can be chosen
FILM_SECTIONS = ("timeline", "sentence", "corpus", "pairs", "merges", "find", "predict")
TOO_LONG = (
    "this page takes up to {:,} characters{}, and the text has {:,}; the picture is of the text before. The app takes "
    "longer ones"
)
NO_PATTERNS = "a pattern of your own needs the app: this page splits a text as published tokenizers do"


@dataclass(frozen=True, eq=False)
class TabVocabulary:
    """A published vocabulary as pictures show it: see `AnyVocabulary`."""

    tokenizer: Tokenizer
    title: str
    glyph: str
    run: None = None


@lru_cache(maxsize=3)
def vocabulary(name: str) -> TabVocabulary:
    """Return a vocabulary that ships with the project, by its key."""
    if name not in PUBLISHED:
        raise SettingsError(f"there is no vocabulary {name}")
    tok = PUBLISHED[name].load()
    return TabVocabulary(tok, PUBLISHED[name].title, glyph_in(tok.vocabulary))


def encoded(chosen: AnyVocabulary, text: str, specials: bool) -> Encoding:
    """Encode a text, or return what the last such call did: after a text's tokens come the facts of one of them."""
    return _encoded(chosen.tokenizer, text, specials)


@lru_cache(maxsize=4)
def _encoded(tokenizer: Tokenizer, text: str, specials: bool) -> Encoding:
    return tokenizer.encode(text, specials=specials)


def settings_of(chosen: Mapping[str, Any]) -> Settings:
    """Return the settings of a training. `chosen`: some of them, by name.

    The word marker follows from the split.

    >>> settings_of({"pretokenizer": "whitespace", "alphabet": "characters", "vocab_size": 30}).word_marker
    'end'
    """
    split = str(chosen.get("pretokenizer", Settings().pretokenizer))
    if split == CUSTOM:
        raise SettingsError(NO_PATTERNS)
    given = {name: chosen[name] for name in SETTINGS_HERE if name in chosen}
    found = Settings(word_marker=suitable_marker(split), **given)
    if found.vocab_size > MOST_TOKENS:
        raise SettingsError(f"this page trains up to {MOST_TOKENS:,} tokens; the app trains more")
    return found


@lru_cache(maxsize=4)
def trained(text: str, settings: Settings) -> Run:
    """Train on a text, or return what the last such call did: after a training come the frames of its film."""
    return train((text,), settings)  # alone, a text that looks like the name of a file would be refused


def film_of(settings: Settings) -> Film:
    """Return the film of trainings with these settings. It has no training of its own: each request has a text."""

    def sides(text: str) -> Sequence[ShownSide]:
        whole = settings.splitter.long_pieces
        check_length(text, LONGEST_WHOLE if whole else LONGEST, " without a split" if whole else "")
        run = trained(text, settings)
        side = RunSide(run, glyph_of(run.word_marker, run.tokens))
        return [ShownSide(side, words_of(side), unit=settings.splitter.unit)]

    return Film((), sides)


def check_length(text: object, most: int = LONGEST, of_what: str = "") -> None:
    """Raise `SettingsError` for a text of more than `most` characters. `of_what`: which texts have this limit."""
    if isinstance(text, str) and len(text) > most:
        raise SettingsError(TOO_LONG.format(most, of_what, len(text)))


def text_view(chosen: AnyVocabulary, parameters: Parameters, encode: Any = encoded) -> Json:
    """Return what a page gives the view of a text's tokens. Parameters: those of the resource `tokens`."""
    text = paired(str(parameters["text"]))
    found = tokens(chosen, parameters, encode)
    tok = chosen.tokenizer
    state: TokensState = {
        "version": 1, "answered": 0, "title": chosen.title, "step": len(tok.merges), "at": found["at"],
        "facts": found["facts"], "shows": SECTIONS, "options": {}, "no_merges": tok.model.no_merges,
        "given": text, "remarks": found["remarks"],
    }  # fmt: skip
    return text_data(encode(chosen, text, bool(parameters["specials"])).walk, chosen.glyph, state)


def film_view(shown: Film, parameters: Parameters, _: Any = None) -> Json:
    """Return what a page gives the film of a training. Parameters: the `text`; the `step` at which the film opens."""
    text = paired(str(parameters["text"]))
    layout = FilmLayout(FILM_SECTIONS, word_window.SORTS)
    return {**film_answer(Request(), shown.on(text), Position(int(parameters["step"])), 1, layout), "given": text}


def ask(thing: str, name: str, parameters: str) -> str:
    """Answer a request of the page, as JSON: the status, and the data or one sentence why there is none.

    >>> ask('{"pretokenizer": "custom"}', "view", "{}")
    '[422,"A pattern of your own needs the app: this page splits a text as published tokenizers do."]'
    """
    chosen = json.loads(thing)

    def resource(of: None, given: Parameters, encode: Any) -> Json:
        found = vocabulary(chosen["tokenizer"]) if "tokenizer" in chosen else film_of(settings_of(chosen))
        check_length(given.get("text"))
        views: Mapping[bool, Resource] = {True: film_view, False: text_view}
        return (views[isinstance(found, Film)] if name == "view" else resources_of(found)[name])(found, given, encode)

    status, content = answer(resource, None, json.loads(parameters), encoded)
    sentence = content.replace("Vocab_size", "The vocabulary size")  # the page's name of the setting
    return f"[{status},{content if status == 200 else json.dumps(sentence)}]"
