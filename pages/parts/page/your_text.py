"""Your text: a text that the visitor types, opens or chooses. A text from one page is the text of all pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import time
from typing import TypeVar

from bpe_core.corpus.sources import marked
from bpe_core.pictures.film.film_answer import ShownSide
from bpe_core.pictures.shared.token_text import paired
from bpe_core.text.alphabet import without_surrogates
from pages.parts.page.editor import typed_since
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.links import OWN
from pages.parts.state.page_states import WithText
from pages.parts.state.values import changed, rows
from pages.parts.texts import corpora
from pages.parts.texts.corpora import YOUR_TEXT, Corpus, CorpusError
from pages.parts.ui.film import Typing

S = TypeVar("S", bound=WithText)
MOST_WORD, SEARCHED = 40, 100_000  # letters of a word, and characters of a text in which a word is sought
BOX = "shared.editor"  # the key of the text area, the same on all pages
# The first version of a text. After a restart of the server it differs, so open tabs take over the new server's texts.
FIRST_VERSION = int(time())
# Your text before the area was emptied or an example was chosen, and its name.
_KEPT: state.SessionSlot[tuple[str, str]] = state.SessionSlot("kept text", ("", ""))
# The last typed text and its version, by the key of the text area.
_LAST_TYPED: state.SessionSlot[dict[str, tuple[int, str]]] = state.SessionSlot("typed texts", {})


def corpus(now: WithText) -> Corpus:
    """Return the text that a page works on: your own text or an example.

    If your own text is empty, return the page's example. On a page that trains, a text without a word counts as empty.
    """
    if now.corpus != OWN:
        return corpora.example(now.corpus)
    enough = now.text.strip() if now.NEEDS_WORD else now.text
    return Corpus(now.text_name, now.text) if enough else page_example(type(now))


def shown(now: WithText) -> str:
    """Return the text in the text area; if the area is empty, the page's example.

    Unlike `corpus`, this function does not read the whole text.
    """
    return in_box(now) or page_example(type(now)).text


def typing(now: WithText, train: Callable[[str], Sequence[ShownSide]]) -> Typing:
    """Return how the page's film follows the typing. `train`: see `Film`."""
    return Typing(shown(now), page_example(type(now)).text, train)


def example_shown(now: WithText) -> str:
    """Return the key of the example that a page works on; "" if it works on your own text."""
    if now.corpus != OWN:
        return now.corpus
    return "" if now.text.strip() else str(rows(type(now))["corpus"].default)


def page_example(page: type[WithText]) -> Corpus:
    """Return the example that a page shows as long as no text is chosen."""
    return corpora.example(str(rows(page)["corpus"].default))


def in_box(now: WithText) -> str:
    """Return the text in the text area: your own text, which may be empty, or the chosen example."""
    return now.text if now.corpus == OWN else corpora.example(now.corpus).text


def version(now: WithText) -> int:
    """Return the version of the text in the text area: see `version_in`."""
    return version_in(BOX, in_box(now))


def receive(now: S) -> S:
    """Return the state with the text that was typed since the last run as your own text.

    If an example is chosen and nothing was typed, the example stays chosen.
    """
    text = typed_in(BOX, in_box(now))
    if text == in_box(now):
        return now
    if is_long(text):  # the page empties the area, for another text
        number, _ = _LAST_TYPED.get()[BOX]
        _LAST_TYPED.put(_LAST_TYPED.get() | {BOX: (number, "")})
    return put_in(now, text)


def is_long(text: str) -> bool:
    """Return whether a text is too long for the text area. The page shows the beginning of the text above the area."""
    return len(text) > LIMITS.typed_characters


def put_in(now: S, text: str, name: str = YOUR_TEXT) -> S:
    """Return the state with `text` as your own text. `name`: the text's name."""
    return replace(now, corpus=OWN, text=text, text_name=name, text_problem="")


def emptied(now: S) -> S:
    """Return the state with an empty text. Your own text is kept for `restored`, unless it is long."""
    return put_in(_kept(receive(now)), "")


def can_be_restored(now: WithText) -> bool:
    """Return whether the text area is empty, and a text of yours stood in it before."""
    return not in_box(now) and bool(_KEPT.get()[0])


def restored(now: S) -> S:
    """Return the state with your text that `emptied` or `choose` took away, unless another one was typed since."""
    now = receive(now)
    return put_in(now, *_KEPT.get()) if can_be_restored(now) else now


def _kept(now: S) -> S:
    if now.corpus == OWN and now.text and not is_long(now.text):
        _KEPT.put((now.text, now.text_name))
    return now


def choose(now: S, example: str) -> S:
    """Return the state with an example chosen, and without your own text, which is kept for `restored`."""
    return replace(_kept(now), corpus=example, text="", text_problem="")


def open_file(now: S, name: str, content: bytes) -> S:
    """Return the state with the text of a file as your own text.

    If the file cannot be opened, your own text stays, and the state's `text_problem` is the reason.
    """
    try:
        return put_in(now, corpora.opened_text(name, content), name)
    except CorpusError as error:
        return replace(now, text_problem=str(error))


def open_files(now: S, files: Mapping[str, bytes]) -> S:
    """Return the state with the texts of several files as your own text: each file is a source of that name.

    If a file cannot be opened, or all are too large together, your own text stays, and `text_problem` is the reason.
    """
    if sum(map(len, files.values())) > LIMITS.file_mb << 20:
        problem = f"These files are larger than {LIMITS.file_mb} MB together: choose fewer, or smaller ones."
        return replace(now, text_problem=problem)
    try:
        texts = {name: corpora.opened_text(name, content) for name, content in files.items()}
    except CorpusError as error:
        return replace(now, text_problem=str(error))
    return put_in(now, marked(texts), f"{len(texts)} files")


def longest_words(text: str, most: int) -> list[str]:
    """Return the longest different words at the beginning of a text, of up to `MOST_WORD` letters; the longest first.

    >>> longest_words("She isn't here, unfortunately.", 3)
    ['unfortunately', 'here', 'She']
    """
    words = dict.fromkeys(re.findall(r"[^\W\d_]+", text[:SEARCHED]))
    return sorted((word for word in words if len(word) <= MOST_WORD), key=len, reverse=True)[:most]


# --- text areas: a text that the server sets has a new version, so that a late message cannot undo the text ---


def side_box(page: type[WithText], name: str) -> str:
    """Return the key of the text area for a text that only this page has."""
    return f"{page.PAGE}.{name} box"


def side_text(page: type[WithText], name: str) -> str:
    """Save the text that was typed into a page's own text area; return the text. `name`: the text's state field."""
    before = getattr(state.read(page), name)
    text = without_surrogates(typed_in(side_box(page, name), before), "\ufffd")
    if text != before:
        state.save(changed(state.read(page), {name: text}))
    return text


def typed_in(box: str, before: str) -> str:
    """Return what was typed in a text area since the page last set the text; `before` if nothing was typed.

    The returned text is stored as the last one of the area, for `version_in`. `box`: the key of the text area.
    `before`: the page's text before this run.
    """
    number = version_in(box, before)
    text = paired(typed_since(state.sent(box), before, number))
    _LAST_TYPED.put(_LAST_TYPED.get() | {box: (number, text)})
    return text


def version_in(box: str, text: str) -> int:
    """Return the version of the text in a text area.

    The version rises each time the page sets a text that was not typed in the area. `box`: the key of the text area.
    `text`: the page's text.
    """
    number, typed = _LAST_TYPED.get().get(box, (FIRST_VERSION, None))
    return number if typed == text else number + 1
