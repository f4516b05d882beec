"""What your text is, in one line under its box, with one press: a chat, ids, data or a text that was decoded wrongly.

`KINDS` has a row for each kind of text, in the order in which they are asked; the first that fits has the line. Nothing
opens by itself, and a press keeps your text. Only what is mended is another text then, and one press puts it back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from bpe_core import PRETOKENIZERS, PatternError
from bpe_core.counting.written_data import COUNTED, WrittenData, data_in, shorter
from bpe_core.files import FormatError
from bpe_core.files.recognition import tokenizer_in
from bpe_core.text.in_words import counted
from bpe_core.text.mended import Mended, mended
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.writing_systems import main_script
from bpe_core.tokenizer.drift import lacking
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.written_ids import ids_at_a_glance
from pages.parts.page import chosen_vocabulary, frame, your_text
from pages.parts.state import chat_values, state
from pages.parts.state.chat_state import Chat
from pages.parts.state.chat_values import ChatInText
from pages.parts.state.files_state import Files
from pages.parts.state.links import OWN
from pages.parts.state.page_states import PageState, WithText, WithTokenizer
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train, with_split
from pages.parts.texts.corpora import YOUR_TEXT
from pages.parts.texts.examples import SENTENCES
from pages.parts.ui import elements, sentences
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

OTHER_SPLIT = "gpt2"  # it splits at punctuation and at numbers too
# Characters of a text that are split to see whether it is one word, and those of a text that is all split then.
SPLIT_AT_ONCE, SPLIT_AT_MOST = 10_000, 1_000_000
MUCH = 1.2  # times the tokens of English, from which on a language costs much
LANGUAGES = {"Cyrillic": "Russian", "Arabic": "Arabic", "Devanagari": "Hindi", "Han": "Chinese"}  # those of `SENTENCES`
MOST_DISMISSED, DISMISS = 100, "Say this no more of this text"
WRONG = {
    "Latin-1": "UTF-8 that was read as Latin-1",
    "escaped": "Bytes of UTF-8 that were not decoded",
    "half": "Half of a surrogate pair, which is no character",
}
# The hashes of the texts whose line was dismissed; the page that a press leads to, until it is open; the text that was
# mended last: before, and after.
_DISMISSED: state.SessionSlot[tuple[int, ...]] = state.SessionSlot("dismissed lines", ())
_PRESSED: state.SessionSlot[str] = state.SessionSlot("page of a pressed line", "")
_MENDED: state.SessionSlot[tuple[str, str]] = state.SessionSlot("mended text", ("", ""))


class Asked(NamedTuple):
    """Whose text it is: the page's state, with your own text, and the page's vocabulary; None on a page without one."""

    now: WithText
    vocabulary: PageVocabulary | None = None

    @property
    def title(self) -> str:
        """The name of the vocabulary."""
        return self.vocabulary.title.split(" (")[0] if self.vocabulary else ""

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer of a text that is counted at once; None for a longer text."""
        return self.vocabulary.tokenizer if self.vocabulary and len(self.now.text) <= COUNTED else None


class TextKind(NamedTuple):
    """A kind of text: a row of `KINDS`.

    - `found(asked)`: returns what was found in the text; None or another empty value if the text is of no such kind.
    - `sentence(asked, found)`: says what the text is; "" if the page shows it already. `figure(asked, found)`: what
      could be seen of it, as the end of the sentence; "" if it is not known at once.
    - `press`: the label of the button.
    - `then(asked, found)`: sets what the press asks for, and returns the page that shows it.
    """

    found: Callable[[Asked], Any]
    sentence: Callable[[Asked, Any], str]
    press: str
    then: Callable[[Asked, Any], type[PageState]]
    figure: Callable[[Asked, Any], str] = lambda asked, found: ""


class Recognition(NamedTuple):
    """What a text was recognised as: the key of a kind, what was found, and the line's sentence."""

    kind: str
    found: Any
    sentence: str


def recognised(asked: Asked) -> Recognition | None:
    """Return the first kind that your own text is of; None for an example, and for a text of no kind."""
    if asked.now.corpus != OWN or not asked.now.text.strip():
        return None
    for key, kind in KINDS.items():
        if found := kind.found(asked):
            said, figure = kind.sentence(asked, found), kind.figure(asked, found)
            return Recognition(key, found, f"{said}{figure and f': {figure}'}.") if said else None
    return None


def draw(page: type[WithText]) -> None:
    """Draw the line about your text, if there is one. If it was pressed, open the page that the press leads to."""
    if pressed := _PRESSED.get():
        _PRESSED.put("")
        if pressed == page.PAGE:
            st.rerun()  # the whole page, and not only the fragment with the line
        st.switch_page(frame.PAGES[pressed].path)
    now = state.read(page)
    if now.corpus != OWN or hash(now.text) in _DISMISSED.get():
        return
    others = (getattr(now, name, "") for name in ("tokenizer", "training", "view", "pretokenizer", "start"))
    of = (now.text, page, *others, _MENDED.get()[1] == now.text)
    asked = Asked(now, _vocabulary(now))
    line = state.latest("what your text is", of, lambda: recognised(asked))
    if line is None:
        return
    key = f"{line.kind} {hash(now.text)}"  # a late press is about the text that had the line
    press = KINDS[line.kind].press
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="recognised"):
        st.html(elements.note(line.sentence), width="content")
        st.button(press, key=f"shared.press {key}", type="tertiary", on_click=_press, args=(asked, line))
        st.button("✕", key=f"shared.dismiss {key}", type="tertiary", help=DISMISS, on_click=_dismiss, args=(now.text,))


def _vocabulary(now: WithText) -> PageVocabulary | None:
    """Return the vocabulary of a page, if it has one that can be loaded."""
    return chosen_vocabulary.vocabulary_or_why(now.tokenizer)[0] if isinstance(now, WithTokenizer) else None


def _press(asked: Asked, line: Recognition) -> None:
    """Do what the line offers, unless another text has come with the press."""
    if state.read(type(asked.now)).text == asked.now.text:
        _PRESSED.put(KINDS[line.kind].then(asked, line.found).PAGE)


def _dismiss(text: str) -> None:
    _DISMISSED.put((*_DISMISSED.get(), hash(text))[-MOST_DISMISSED:])


# --- a text that was mended ---


def _was_mended(asked: Asked) -> str:
    before, after = _MENDED.get()
    return before if after == asked.now.text else ""


def _put_back(asked: Asked, before: str) -> type[PageState]:
    state.change(type(asked.now), your_text.put_in, before, asked.now.text_name)
    return type(asked.now)


# --- a chat ---


def _about_chat(asked: Asked, chat: ChatInText) -> str:
    first = f", the first of {chat.chats:,}" if chat.chats > 1 else ""
    more = f", of which the first {chat_values.MOST_TURNS} open" if chat.size > chat_values.MOST_TURNS else ""
    return f"A chat of {counted(chat.size, 'turn')}{first}{' with tools' if chat.tools else ''}{more}"


def _open_chat(asked: Asked, chat: ChatInText) -> type[PageState]:
    """Let Chat show the chat in your text, and no other."""
    changes = state.read(Chat).chat_changes + 1
    state.put(Chat, turns="", tools="", documents="", begun_with="", view="tokens", chat_changes=changes)
    return Chat


# --- ids ---


def _about_ids(asked: Asked, ids: list[int]) -> str:
    if isinstance(asked.now, Tokens) and asked.now.view == "ids":
        return ""  # they are read already
    said = counted(len(ids), "id")
    if asked.vocabulary is None:
        return said
    absent = len(lacking(asked.vocabulary.tokenizer, ids))
    return f"{said} of {asked.title}" if not absent else f"{said}, {absent:,} of which {asked.title} lacks"


def _read_ids(asked: Asked, ids: list[int]) -> type[PageState]:
    state.put(Tokens, view="ids")
    return Tokens


# --- a tokenizer's file ---


def _open_tokenizer(asked: Asked, what: str) -> type[PageState]:
    now = asked.now
    name = now.text_name if now.text_name != YOUR_TEXT else f"pasted {what.rpartition(' ')[2]}"
    try:
        opened = opened_vocabularies.open_files({name: now.text.encode("utf-8", "surrogatepass")}, None)
    except FormatError as error:
        state.put(type(now), text_problem=sentences.problem(error))
        return type(now)
    state.put(Tokenizers, tokenizer=opened.name, view="vocabulary")
    return Tokenizers


# --- a text that was decoded wrongly ---


def _saving(asked: Asked, found: Mended) -> str:
    if asked.tokenizer is None:
        return ""
    before, after = (_size(asked.tokenizer, text) for text in (asked.now.text, found.text))
    if before is None or after is None or before == after:
        return ""
    return f"mended, {counted(abs(before - after), 'token')} {'fewer' if after < before else 'more'}"


def _mend(asked: Asked, found: Mended) -> type[PageState]:
    _MENDED.put((asked.now.text, found.text))
    state.change(type(asked.now), your_text.put_in, found.text, asked.now.text_name)
    return type(asked.now)


def _size(tokenizer: Tokenizer, text: str) -> int | None:
    """Return how many tokens a text has; None if the tokenizer refuses it or cannot write all of it."""
    try:
        encoding = tokenizer.encode(text, specials=False)
    except (FormatError, PatternError):
        return None
    return None if encoding.pieces_lost else len(encoding.ids)


# --- data ---


def _as_other(asked: Asked, data: WrittenData) -> str:
    try:
        found = shorter(asked.now.text, data, asked.tokenizer) if asked.tokenizer else None
    except (FormatError, PatternError):
        return ""
    return f"as {found.notation} {counted(found.tokens, 'token')} instead of {found.instead_of:,}" if found else ""


def _open_notations(asked: Asked, data: WrittenData) -> type[PageState]:
    state.put(Files, view="notations")
    return Files


# --- a text without spaces ---


def _one_word(asked: Asked) -> Pretokenizer | None:
    """Return the split of Train, if a text is one word under it, and another split cuts the text."""
    now = asked.now
    split = PRETOKENIZERS.get(now.pretokenizer) if isinstance(now, Train) and now.start == "none" else None
    beginning = now.text[:SPLIT_AT_ONCE]
    if split is None or len(split.strings(beginning)) != 1 or len(PRETOKENIZERS[OTHER_SPLIT].strings(beginning)) < 2:
        return None
    is_whole = beginning == now.text or (len(now.text) <= SPLIT_AT_MOST and len(split.strings(now.text)) == 1)
    return split if is_whole else None


def _split(asked: Asked, found: Pretokenizer) -> type[PageState]:
    state.change(Train, with_split, OTHER_SPLIT)
    return Train


# --- a script that costs much ---


def _dear_language(asked: Asked) -> tuple[str, float] | None:
    """Return the language of a script that costs much, and its price: the tokens of a sentence in it and in English."""
    language = LANGUAGES.get(main_script(asked.now.text), "")
    if not language or asked.vocabulary is None:
        return None
    said = dict(line.split(": ", 1) for line in SENTENCES.splitlines())
    english, other = (_size(asked.vocabulary.tokenizer, said[name]) for name in ("English", language))
    return (language, other / english) if english and other and other >= MUCH * english else None


def _open_languages(asked: Asked, found: tuple[str, float]) -> type[PageState]:
    state.put(Tokens, view="side-by-side", compared="languages")
    return Tokens


KINDS = {
    "mended": TextKind(_was_mended, lambda asked, found: "Mended", "Put the text back as it was", _put_back),
    "chat": TextKind(lambda asked: chat_values.in_text(asked.now.text), _about_chat, "Open it as one", _open_chat),
    "ids": TextKind(lambda asked: ids_at_a_glance(asked.now.text), _about_ids, "Read them", _read_ids),
    "tokenizer": TextKind(
        lambda asked: tokenizer_in(asked.now.text),
        lambda asked, what: f"{what[0].upper()}{what[1:]}",
        "Open it",
        _open_tokenizer,
    ),
    "decoded": TextKind(
        lambda asked: mended(asked.now.text), lambda asked, found: WRONG[found.why], "Mend it", _mend, _saving
    ),
    "data": TextKind(
        lambda asked: data_in(asked.now.text),
        lambda asked, data: data.form,
        "See its notations",
        _open_notations,
        _as_other,
    ),
    "word": TextKind(
        _one_word,
        lambda asked, split: f"One {split.unit} under this split",
        f"Split as {PRETOKENIZERS[OTHER_SPLIT].title} does",
        _split,
    ),
    "script": TextKind(
        _dear_language,
        lambda asked, found: f"{asked.title} writes {found[0]} in {found[1]:.1f} times the tokens of English",
        "See languages",
        _open_languages,
    ),
}
