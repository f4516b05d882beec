"""The view of a text's tokens. It shows and sets values of the page Tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from bpe_core.pictures.shared.request import read_request
from bpe_core.pictures.tokens.text_remarks import remarks
from bpe_core.pictures.tokens.token_facts import TextToken, biography, most_interesting
from bpe_core.pictures.tokens.tokens_data import SECTIONS, TokensState, text_data
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.walk import Walk
from pages.parts.page import your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.values import LARGEST, changed, rows
from pages.parts.ui import elements, live_view, sentences
from pages.parts.ui.live_view import token_view
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

KEY = "tokens.shown"  # the session key of the view's last request
TOKENS_FRAGMENT = "the text's tokens"  # the key of the fragment with the view


class ShownText(NamedTuple):
    """What the views of the page draw: its text in a vocabulary.

    `specials`: whether the name of a special token in the text becomes that token. `beside`: vocabularies to compare
    with.
    """

    text: str
    specials: bool
    chosen: PageVocabulary
    beside: Sequence[PageVocabulary] = ()


def tokens(shown: ShownText) -> None:
    """Draw the text's tokens, and remarks about the text."""
    text, specials, chosen, _ = shown
    now = _receive(state.read(Tokens), chosen)
    with problems_shown():
        encoding = chosen.tokenizer.encode(text, specials=specials)
        token_view(KEY, text_data(encoding.walk, chosen.glyph, _view_state(now, chosen, encoding)))
        if len(your_text.shown(now)) > LIMITS.shown_characters:
            st.html(elements.note(" ".join(sentences.about_text(your_text.shown(now), LIMITS.shown_characters))))


def asks(picture: str, thing: PageVocabulary | tuple[PageVocabulary, ...]) -> dict[str, Any] | None:
    """Return whom a picture asks for what it shows of typed text; None if the page has no box to type in.

    `picture`: its name. `thing`: what it asks about, a vocabulary or several.
    """
    now = state.read(Tokens)
    if len(your_text.in_box(now)) > LIMITS.typed_characters:
        return None
    vocabularies = thing if isinstance(thing, tuple) else (thing,)
    of = tuple((each.name, id(each.tokenizer)) for each in vocabularies)
    to = live_view.asks(picture, thing, of, all(each.name in PUBLISHED for each in vocabularies))
    return {**to, "specials": now.specials, "example": your_text.page_example(Tokens).text}


def chosen_token(now: Tokens, chosen: PageVocabulary, walk: Walk) -> TextToken | None:
    """Return the chosen token, or else the most interesting one, at the page's step; None if the text is empty."""
    at = now.token if 0 <= now.token < len(walk) else most_interesting(walk, chosen.steps)
    return None if at < 0 else TextToken(chosen.tokenizer, walk, at, _step(now, chosen), chosen.run)


def _receive(now: Tokens, chosen: PageVocabulary) -> Tokens:
    """Save the values that were chosen in the view since the last call; return the page's state.

    If the view showed another text or vocabulary when a step or a token was chosen, drop that step or token.
    """
    request = read_request(state.sent(KEY))
    now = _started_over(now, (your_text.shown(now), chosen.name))
    if request.number == now.request:
        return state.save(now)
    new: dict[str, object] = {"request": request.number}
    choice = request.chosen(_version(now, chosen))
    if (step := _number(choice.get("step"))) is not None:
        # `LARGEST`, which is the default, means the last step, whatever the vocabulary.
        new["step"] = LARGEST if step >= chosen.steps else step
    if (at := _number(choice.get("at"))) is not None:
        new["token"] = at
    options = request.choice.get("options")
    for name in now.OPTIONS:
        if isinstance(options, Mapping) and name in options:
            new[name] = _checked(name, options[name])
    return state.save(changed(now, new))


def _number(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _started_over(now: Tokens, subject: tuple[str, str]) -> Tokens:
    """Return the state. If the text or the vocabulary changed, the step and the token are set to their defaults.

    On the first call the step and the token stay, since they may be from a link.
    """
    if now.subject is None or now.subject == subject:
        return replace(now, subject=subject)
    first = Tokens()
    return replace(now, subject=subject, changes=now.changes + 1, step=first.step, token=first.token)


def _checked(name: str, value: object) -> object:
    """Return the value of an option that a browser sent. If it cannot be read, return the option's default."""
    row = rows(Tokens)[name]
    try:
        return row.read({True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value))
    except ValueError:
        return row.default


def _version(now: Tokens, chosen: PageVocabulary) -> str:
    """Return a version of the view's text and vocabulary. It differs even for two vocabularies of the same name."""
    return f"{now.changes} {chosen.name} {id(chosen.tokenizer)}"


def _step(now: Tokens, chosen: PageVocabulary) -> int:
    """Return the number of merges that the page shows: at most all merges of the vocabulary."""
    return min(now.step, chosen.steps)


def _view_state(now: Tokens, chosen: PageVocabulary, encoding: Encoding) -> TokensState:
    """Return the part of the view's data that follows from the page's state."""
    found = chosen_token(now, chosen, encoding.walk)
    data: TokensState = {
        "version": _version(now, chosen),
        "answered": now.request,
        "title": chosen.title,
        "step": _step(now, chosen),
        "at": -1 if found is None else found.at,
        "facts": biography(found) if found else None,
        "shows": SECTIONS,
        "options": {name: getattr(now, name) for name in now.OPTIONS},
        "no_merges": chosen.tokenizer.model.no_merges,
        "is_example": not your_text.in_box(now),
        "plays": your_text.example_shown(now) == rows(Tokens)["corpus"].default,
        "given": encoding.text,
        "remarks": remarks(encoding),
    }
    if to := asks("tokens", chosen):
        data["asks"] = to
    return data
