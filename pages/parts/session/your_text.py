"""Your text: what is typed, opened or chosen on any page is the text of every page, until another one is chosen.

The session holds what is chosen (`corpus`: the key of an example, or `OWN`), your own text (`text`) and its name.
"""

from __future__ import annotations

from pages.parts.session import corpora, state, typed
from pages.parts.session.corpora import YOUR_TEXT, Corpus, CorpusError
from pages.parts.session.links import OWN, PARAMS

BOX = "shared.editor"  # the key of the text area, the same on all pages
WORDLESS = ("start", "playground", "pipeline")  # pages that show tokens, also of a text without a word


def corpus(page: str) -> Corpus:
    """The text that the page works on: yours, or an example, of which there is always one.

    Where your own text is empty, it is the page's own example; where it has no word, on pages that learn from words.
    """
    text = state.get(page, "text")
    if state.get(page, "corpus") != OWN:
        return corpora.example(state.get(page, "corpus"))
    enough = text if page in WORDLESS else text.strip()
    return Corpus(state.recall("shared.name", YOUR_TEXT), text) if enough else page_example(page)


def shown(page: str) -> str:
    """The text of a page of tokens, without reading all of it: what stands in the text area, or the page's example."""
    return in_box(page) or page_example(page).text


def example_shown(page: str) -> str:
    """The key of the example that the page works on; "" where it works on your own text."""
    chosen = state.get(page, "corpus")
    if chosen != OWN:
        return chosen
    return "" if state.get(page, "text").strip() else PARAMS[page]["corpus"].default


def page_example(page: str) -> Corpus:
    """What the page shows until a text is chosen."""
    return corpora.example(PARAMS[page]["corpus"].default)


def in_box(page: str) -> str:
    """What stands in the text area: your own text, however empty, or the example."""
    chosen = state.get(page, "corpus")
    return state.get(page, "text") if chosen == OWN else corpora.example(chosen).text


def version(page: str) -> int:
    """A number for the text in the text area, new for every text that was not typed there."""
    return typed.version(BOX, in_box(page))


def in_tab(page: str) -> str:
    """What the browser's tab does with its copy of your text: "keep" it, "forget" it, or "give back" after a reload."""
    if state.text_missing(page):
        return "give back"
    return "keep" if state.get(page, "corpus") == OWN else "forget"


def take_over(page: str) -> None:
    """Make what was typed since the last run yours; an example that was not changed stays that example."""
    if "corpus" not in PARAMS[page]:
        return
    text = typed.follow(BOX, in_box(page))
    if text != in_box(page):
        put_in(page, text)


def put_in(page: str, text: str, name: str = YOUR_TEXT) -> None:
    """Make another text yours: one from a file, or none."""
    state.put(page, "corpus", OWN)
    state.put(page, "text", text)
    state.remember("shared.name", name)
    state.remember("shared.problem", None)


def choose(page: str, example: str) -> None:
    """Choose one of the examples; your own text goes."""
    state.put(page, "corpus", example)
    state.put(page, "text", None)
    state.remember("shared.problem", None)


def open_file(page: str, name: str, content: bytes) -> None:
    """Make a file's text yours; where it cannot be, the text before stays, and `problem` says why."""
    try:
        put_in(page, corpora.opened_text(name, content), name)
    except CorpusError as error:
        state.remember("shared.problem", str(error))


def problem() -> str:
    """Why the last file could not be opened; "" where it could."""
    return state.recall("shared.problem", "")
