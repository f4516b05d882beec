"""A live view as one HTML file that plays from disk: it has its script and all its data, and sends no request.

A page has four things:

    <head>      a policy that forbids every request, and every script but the page's own, which it names by a hash
    #view       the view's elements and style sheet, in a shadow root
    #data       its data as JSON, in which no text can end the element; the data of a film has all chunks
    <script>    one script of the view's modules and of the source that answers the view
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from hashlib import sha256

from markupsafe import Markup

from bpe_core.display.colours import INK
from bpe_core.display.in_words import counted
from bpe_core.display.style import ACCENT, PAPER, VARIABLES, light_dark
from bpe_core.display.token_text import glyph_in, glyph_of
from bpe_core.live import word_window
from bpe_core.live.film_data import CHUNK, RunSide
from bpe_core.live.film_view import Layout, Position, Stage, film_view
from bpe_core.live.request import Request
from bpe_core.live.text_data import NO_MERGES, SECTIONS, Options, State, text_data
from bpe_core.live.text_token import most_interesting
from bpe_core.live.view import FILM, TOKENS, View, film_script
from bpe_core.live.wire import Json, in_html
from bpe_core.record.run import Record
from bpe_core.saved_page import Page
from bpe_core.settings import SETTINGS, Settings
from bpe_core.text.alphabet import without_surrogates
from bpe_core.tokenizer.encoding import Encoding

FILM_SECTIONS = ("sentence", "corpus", "pairs", "merges", "predict")  # they need neither Vega nor a server
_POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
_PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="note">{note}</p>
<div id="view"><template shadowrootmode="open"><style>{css}</style>{html}</template></div>
</main>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
""")


_STYLE = f"""
:root {{ color-scheme: light dark; {VARIABLES}
--st-font: "Source Sans 3", system-ui, sans-serif; --st-base-radius: 0.4rem; --st-background-color: {light_dark(PAPER)};
--st-text-color: {light_dark(INK)}; --st-primary-color: {light_dark(ACCENT)}; }}
body {{ margin: 1rem auto; max-width: 84rem; padding: 0 1rem; background: var(--st-background-color); color: var(--ink);
font: 1rem/1.6 var(--st-font); }}
h1 {{ font-size: 1.2rem; margin: 0 0 0.2rem; }}
.note {{ margin: 0 0 0.8rem; color: var(--soft); font-size: 0.9rem; }}
"""
FILM_HEIGHT, TEXT_HEIGHT = 620, 520  # pixels of a page in a notebook
# the box for the facts about a token, which only a server can compute
_NO_FACTS = "\n.why { display: none; }"


def film(run: Record, step: int = 0, title: str = "", glyph: str = "_") -> Page:
    """Return the film of a training as a page.

    >>> from bpe_core import Settings, train
    >>> film(train("hug hug", Settings(vocab_size=258))).title
    'A training of 2 merges'
    """
    _refuse_paths(step, title)
    title = title or f"A training of {counted(run.steps, 'merge')}"
    return Page(title, film_page(run, glyph, step, title), FILM_HEIGHT)


def view(encoding: Encoding, tokenizer: str = "this tokenizer", glyph: str = "_") -> Page:
    """Return a text as a page, which melts from its bytes into tokens. `tokenizer`: its name.

    >>> from bpe_core import Settings, train
    >>> view(train("hug hug", Settings(vocab_size=258)).tokenizer().encode("hug")).title
    'A text of 1 token'
    """
    _refuse_paths(tokenizer)
    return Page(f"A text of {counted(len(encoding), 'token')}", text_page(encoding, tokenizer, glyph), TEXT_HEIGHT)


def settings_in_words(settings: Settings) -> str:
    """Return the settings that differ from the defaults, and those that every reader asks for.

    >>> settings_in_words(Settings("whitespace", "characters", "end", vocab_size=40))
    'Split by: Whitespace · Alphabet: characters · Word marker: end · Vocabulary size: 40'
    """
    usual, said = Settings(), []
    for name, row in SETTINGS.items():
        chosen = getattr(settings, name)
        if name in ("pretokenizer", "vocab_size") or (chosen != getattr(usual, name) and name != "forced"):
            options = getattr(row.kind, "options", {})
            titles = name == "pretokenizer" and chosen in options
            said.append(
                f"{row.title.removesuffix(' …')}: {options[chosen].title if titles else row.kind.write(chosen)}"
            )
    return " · ".join(said)


def film_page(run: Record, glyph: str = "_", step: int = 0, title: str = "") -> str:
    """Return an HTML page that plays a training, beginning at `step`; `glyph` is drawn for the word marker.

    Raises `ValueError` for a step that the run does not have.

    >>> from bpe_core import Settings, train
    >>> page = film_page(train("hug hug", Settings(vocab_size=258)))
    >>> page[:15], "<title>A training of 2 merges</title>" in page
    ('<!doctype html>', True)
    """
    side, words = RunSide(run, glyph_of(run.settings.word_marker, glyph)), word_window.words(run)
    stage = Stage(side, words.rows, words.note, sort=words.sort)
    now, layout = Position(run.check_step(step)), Layout(FILM_SECTIONS)
    data = film_view(Request(), [stage], now, 1, layout, lambda content, _: json.loads(content))
    chunks = [side.chunk(number) for number in range(side.steps // CHUNK + 1)]
    content = {"data": {**data, "chunks": []}, "chunks": [chunks]}  # the film requests the chunks that it needs
    title = title or f"A training of {counted(run.steps, 'merge')}"
    return _page(FILM, film_script(entry="film_page.js"), title, settings_in_words(run.settings), content)


def text_page(encoding: Encoding, title: str = "this tokenizer", glyph: str = "_") -> str:
    """Return an HTML page with the tokens of a text, at every step of the vocabulary; `title`: the tokenizer's.

    >>> from bpe_core import Settings, train
    >>> page = text_page(train("hug hug", Settings(vocab_size=258)).tokenizer().encode("hug"))
    >>> page[:15], "<title>A text of 1 token</title>" in page
    ('<!doctype html>', True)
    """
    walk = encoding.walk
    steps = len(walk.vocabulary.merges)
    options: Options = {"ids": "yes", "marks": True, "window": 128_000, "price": ""}
    state: State = {
        "version": 1, "answered": 0, "title": title, "step": steps, "at": most_interesting(walk, steps),
        "facts": None, "shows": SECTIONS, "options": options, "no_merges": NO_MERGES[encoding.tokenizer.model],
    }  # fmt: skip
    data = text_data(walk, glyph_in(walk.vocabulary, glyph), state)
    shown = TOKENS._replace(entry="text_page.js", css=TOKENS.css + _NO_FACTS)
    return _page(
        shown, shown.script(), f"A text of {counted(len(encoding.ids), 'token')}", f"Tokenizer: {title}", {"data": data}
    )


def _page(view: View, code: str, title: str, note: str, content: Json) -> str:
    """Return the page; `code`: its script; `note`: what it was made with; `content`: its data, with a user's text."""
    digest = b64encode(sha256(code.encode()).digest()).decode("ascii")
    page = _PAGE.format(
        policy=_POLICY.format(digest),
        title=without_surrogates(title, "\ufffd"),
        note=without_surrogates(note, "\ufffd"),
        style=Markup(_STYLE),
        css=Markup(view.css),
        html=Markup(view.html),
        data=Markup(in_html(content)),
        script=Markup(code),
    )
    return str(page)


def _refuse_paths(*given: object) -> None:
    """Raise `TypeError` if the name of a file is given to what makes a page: it belongs to `Page.save`.

    >>> _refuse_paths(0, "dog.html")
    Traceback (most recent call last):
        ...
    TypeError: page() makes a page and writes no file: page().save('dog.html') does
    """
    for each in given:
        if isinstance(each, os.PathLike) or (isinstance(each, str) and each.lower().endswith((".html", ".htm"))):
            raise TypeError(f"page() makes a page and writes no file: page().save({os.fspath(each)!r}) does")
