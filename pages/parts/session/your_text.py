"""Your text: a text that is typed, opened or chosen on any page is the text of every page, until another is chosen.

The session has the choice (`corpus`: the key of an example, or `OWN`), your own text (`text`) and its name.
"""

from __future__ import annotations

from pages.parts.session import corpora, state, typed
from pages.parts.session.corpora import YOUR_TEXT, Corpus, CorpusError
from pages.parts.session.links import OWN, PARAMS

BOX = "shared.editor"  # the key of the text area, the same on all pages
WORDLESS = ("start", "playground", "pipeline")  # pages that show the tokens of any text, also of one without a word


def corpus(page: str) -> Corpus:
    """Return the text that a page works on: your own text or an example.

    If your own text is empty, it is the page's example; on pages that learn from words, also if it has no word.
    """
    text = state.get(page, "text")
    if state.get(page, "corpus") != OWN:
        return corpora.example(state.get(page, "corpus"))
    enough = text if page in WORDLESS else text.strip()
    return Corpus(state.recall("shared.name", YOUR_TEXT), text) if enough else page_example(page)


def shown(page: str) -> str:
    """Return the text of a page of tokens: the text in the text area, or the page's example if that is empty.

    Unlike `corpus`, this does not read the whole text.
    """
    return in_box(page) or page_example(page).text


def example_shown(page: str) -> str:
    """Return the key of the example that a page works on; "" if it works on your own text."""
    chosen = state.get(page, "corpus")
    if chosen != OWN:
        return chosen
    return "" if state.get(page, "text").strip() else PARAMS[page]["corpus"].default


def page_example(page: str) -> Corpus:
    """Return the example that a page shows until a text is chosen."""
    return corpora.example(PARAMS[page]["corpus"].default)


def in_box(page: str) -> str:
    """Return the text in the text area: your own text, which may be empty, or the chosen example."""
    chosen = state.get(page, "corpus")
    return state.get(page, "text") if chosen == OWN else corpora.example(chosen).text


def version(page: str) -> int:
    """Return a number of the text in the text area, which changes with every text that was not typed there."""
    return typed.version(BOX, in_box(page))


def in_tab(page: str) -> str:
    """Return what the browser's tab does with its copy of your text: "keep", "forget", or "give back" to the page."""
    if state.text_missing(page):
        return "give back"
    return "keep" if state.get(page, "corpus") == OWN else "forget"


def receive(page: str) -> None:
    """Make the text that was typed since the last run your own text; an example that was not changed stays chosen."""
    if "corpus" not in PARAMS[page]:
        return
    text = typed.follow(BOX, in_box(page))
    if text != in_box(page):
        put_in(page, text)


def put_in(page: str, text: str, name: str = YOUR_TEXT) -> None:
    """Make a text your own text; "" empties it."""
    state.put(page, "corpus", OWN)
    state.put(page, "text", text)
    state.remember("shared.name", name)
    state.remember("shared.problem", None)


def choose(page: str, example: str) -> None:
    """Choose an example, and forget your own text."""
    state.put(page, "corpus", example)
    state.put(page, "text", None)
    state.remember("shared.problem", None)


def open_file(page: str, name: str, content: bytes) -> None:
    """Make the text of a file your own text. If that fails, the text stays and `problem` says why."""
    try:
        put_in(page, corpora.opened_text(name, content), name)
    except CorpusError as error:
        state.remember("shared.problem", str(error))


def problem() -> str:
    """Return why the last file could not be opened; "" if it could."""
    return state.recall("shared.problem", "")
