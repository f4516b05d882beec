"""The site: a folder for any static host, whose page encodes and trains in the reader's tab.

    index.html     the page: its pictures, its script, and the data of the examples, which it shows at once
    engine.zip     the engine (see `engine`)
    vocabularies/  the tables of the vocabularies that ship, of which the page fetches those that are chosen
    pyodide/       the files of Pyodide, if they are given; otherwise the page fetches them from their makers

The page asks the worker as it asks a server in the app: with the pictures' own modules, for the resources of
`resources`. Nothing of a picture or of a tokenizer is written anew for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from os import PathLike
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup

from bpe_core.pictures.editor.text_area import EDITOR
from bpe_core.pictures.film.film_script import FILM, film_constants
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.saved.saved_page import ADDRESS, HEAD, MARKS, STYLE, in_element, policy
from bpe_core.pictures.shared.json_form import Json, compact, compressed
from bpe_core.pictures.shared.style import without_comments
from bpe_core.pictures.shared.view import PICTURE, script, source
from bpe_core.pictures.site import in_tab, pyodide
from bpe_core.pictures.site.engine import engine_zip
from bpe_core.pictures.tokens.tokens_data import TOKENS
from bpe_core.published import PUBLISHED
from bpe_core.settings import ALPHABETS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.writing import write_files

INDEX, ENGINE, TABLES, PYODIDE = "index.html", "engine.zip", "vocabularies", "pyodide"
EXAMPLE = "Language models read tokens, not letters: watch this sentence melt from bytes into words."
CORPUS = "low low low low low lower lower newest newest newest newest newest newest widest widest widest longer"
# What the page opens with. The keys are the names in its links.
FIRST: dict[str, str | None] = {
    "page": "tokens", "tokenizer": "o200k_base", "split": "whitespace", "alphabet": "characters", "size": "1000",
    "step": None, "text": None,
}  # fmt: skip
TITLE = "Mergescope"
ABOUT = (
    "Type a text and see the tokens that a language model reads; train a vocabulary on it and step through its merges. "
    "Everything is computed in this tab."
)
MORE = (
    "The app has more: files and models of the Hugging Face Hub, tokenizers side by side, patterns of your own, two "
    "trainings beside each other, chats, files to count, lessons, and long texts. "
)
PRIVATE = (
    "No text leaves this tab: the page's policy lets it send requests only to {} for its own files and for Python "
    "(Pyodide {}), whose SHA-256 it checks before it uses them."
)
_NAV = Markup("""\
<nav aria-label="Pages"><a href="#" id="to-tokens">Tokens</a><a href="#page=train" id="to-train">Train</a></nav>
""")
_OPTION = Markup('<option value="{}"{}>{}</option>')
_LICENCES = ("NOTICE", "APACHE-2.0")  # of the tables


def write_site(folder: str | PathLike[str], python: str | PathLike[str] | None = None) -> dict[Path, int]:
    """Write the site into a folder, which is made if it does not exist; return the size of each file, by its path.

    `python`: a folder with the files of Pyodide, which are copied; None: the page fetches them from their makers.
    Raises `PyodideError` for a folder that has not the tested files.
    """
    copied = pyodide.read_files(Path(python)) if python is not None else {}
    tables = {row.table.name: row.table.read_bytes() for row in PUBLISHED.values()}
    licences = {name: (row.table.parent / name).read_bytes() for row in [*PUBLISHED.values()][:1] for name in _LICENCES}
    contents = {
        ENGINE: engine_zip(),
        **{f"{TABLES}/{name}": content for name, content in (tables | licences).items()},
        **{f"{PYODIDE}/{name}": content for name, content in copied.items()},
    }
    contents[INDEX] = page(contents, bool(copied)).encode()
    paths = {Path(folder) / name: content for name, content in contents.items()}
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files(paths)
    return {path: len(content) for path, content in paths.items()}


def page(contents: Mapping[str, bytes], has_python: bool) -> str:
    """Return the HTML of the page. `contents`: the site's other files. `has_python`: whether Pyodide is among them."""
    code = in_element(script("site/site.js", {**film_constants(), "PICTURE": PICTURE}))
    origin = "" if has_python else pyodide.DISTRIBUTION
    rules = f"; connect-src 'self'{origin and f' {origin}'}; worker-src blob:"
    where = f"this site and to {urlsplit(origin).netloc}," if origin else "this site,"
    data = {"sources": sources(contents, origin or f"{PYODIDE}/"), "choices": choices(), **recorded()}
    app = Markup('<a href="{}">Install it</a>.').format(f"{ADDRESS}#readme") if ADDRESS else ""
    return HEAD.format(
        policy=policy([code], "'wasm-unsafe-eval'", rules),
        title=TITLE,
        style=Markup(STYLE + without_comments(source("site/site.css"))),
        back=_NAV,
    ) + Markup(source("site/site.html")).format(
        about=ABOUT,
        box_css=Markup(EDITOR.css),
        box_html=Markup(EDITOR.html),
        tokenizers=_options({key: row.title for key, row in PUBLISHED.items()}, "tokenizer"),
        tokens_css=Markup(TOKENS.css),
        tokens_html=Markup(TOKENS.html),
        splits=_options({key: row.title for key, row in PRETOKENIZERS.items()}, "split"),
        alphabets=_options({key: key for key in ALPHABETS}, "alphabet"),
        most=in_tab.MOST_TOKENS,
        size=FIRST["size"],
        film_html=Markup(FILM.html),
        legend=MARKS,
        more=MORE + app,
        private=PRIVATE.format(where, pyodide.VERSION),
        data=compressed(compact(data)),
        script=Markup(code),
    )


def _options(titles: Mapping[str, str], name: str) -> Markup:
    chosen = {key: Markup(" selected") if key == FIRST[name] else "" for key in titles}
    return Markup("").join(_OPTION.format(key, chosen[key], title) for key, title in titles.items())


def sources(contents: Mapping[str, bytes], python: str) -> Json:
    """Return what the engine is made of: see `Sources` in engine.js. `python`: where the files of Pyodide are."""

    def listed(files: Iterable[pyodide.PyodideFile]) -> list[Json]:
        return [
            {"name": name, "address": python + name, "sha256": digest, "bytes": size} for name, size, digest in files
        ]

    def own(name: str) -> Json:
        content = contents[name]
        return {
            "name": Path(name).name,
            "address": name,
            "sha256": sha256(content).hexdigest(),
            "bytes": len(content),
        }

    return {
        "scripts": listed(pyodide.SCRIPTS),
        "files": listed(pyodide.FILES),
        "lock": compact(pyodide.LOCK),
        "engine": own(ENGINE),
        "tables": {key: own(f"{TABLES}/{row.table.name}") for key, row in PUBLISHED.items()},
        "worker": source("site/worker.js"),
    }


def choices() -> Json:
    """Return what can be chosen on the page: see `Choices` in link.js."""
    return {
        "pages": ["tokens", "train"],
        "tokenizers": [*PUBLISHED],
        "splits": [*PRETOKENIZERS],
        "alphabets": [*ALPHABETS],
        "most": in_tab.MOST_TOKENS,
        "first": FIRST,
    }


def recorded() -> Json:
    """Return the data of the examples, as the tab would answer: see `Recorded` in site.js."""
    chosen = in_tab.vocabulary(FIRST["tokenizer"] or "")
    first = {"pretokenizer": FIRST["split"], "alphabet": FIRST["alphabet"], "vocab_size": int(FIRST["size"] or 0)}
    film = in_tab.film_of(in_tab.settings_of(first))
    shown = in_tab.film_view(film, {"text": CORPUS, "step": 0})
    del shown["given"]  # so it does not follow the typing before Python is there
    side = film.on(CORPUS).sides[0].side
    assert isinstance(side, RunSide)
    return {
        "example": {"tokens": EXAMPLE, "train": CORPUS},
        "tokens": {**in_tab.text_view(chosen, {"text": EXAMPLE, "specials": True}), "is_example": True, "plays": True},
        "film": shown,
        "chunks": [[*side.chunks()]],
    }
