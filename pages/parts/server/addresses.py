"""The addresses of pages: where a link of version 2 leads now, and what other addresses are answered with.

Version 2 had one page with ten views, `/playground`. Now each kind of thing has a page, and an old link opens its page
with the same values. The server answers 307 before Streamlit sees the request. So the browser never shows the old
address, and its Back button does not return to it.

    /playground?view=files&tokenizer=gpt2 → /files?tokenizer=gpt2      `MOVED`: a view → its page
    /train?step=3                                                      stays
    /nonsense                             → /?page=nonsense            the page `/` says that there is no such page
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote_plus

import streamlit
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.parts.server import page_scripts, served

PLAYGROUND, PIPELINE = "playground", "pipeline"
PAGES = ("", "train", "compare", "chat", "files", "tokenizers", PIPELINE, "algorithms", "learn")
# The first parts of paths that are no pages: Streamlit's, and those of `served.route` and `resource_route.route`.
# Beside these there are Streamlit's files.
NO_PAGES = ("_stcore", "media", "component", "app", "auth", "oauth2callback", "scripts", "r")
_STATIC = Path(streamlit.__file__).parent / "static"
FILES = tuple(each.name for each in _STATIC.iterdir())
# What the browser asks first. It asks below the page's address and then, 0.1 s later, one level higher.
FIRST_ASKED = ("/_stcore/health", "/_stcore/host-config")
# What browsers would otherwise fetch as they draw the first sentence and the first token, and then draw the page anew.
_EARLY = {
    "static/js/Html.*.js": 'rel="modulepreload"',
    "static/js/purify.*.js": 'rel="modulepreload"',
    "static/media/SourceCodeVF-Upright.*.woff2": 'rel="preload" as="font" type="font/woff2"',
}  # a file of Streamlit's → the attributes of a link to it
NO_PAGE = "page"  # the name under which the link of `/` has the path of a page that does not exist
MOST_PATH = 40  # characters of such a path
EMBEDDING = ("embed", "embed_options")  # Streamlit's names, which every page knows
_EXAMPLES = frozenset(path.stem for path in Path(__file__).parents[1].glob("examples/*.txt"))
# What 2.0.0 could read of a value whose default is another one now. Anything else was the default.
_READABLE = {"corpus": _EXAMPLES, "order": frozenset({"id", "length", "step"}), "cut": frozenset({"yes", "no"})}
_IN_QUERY = "!$%&'()*+,-./:;=?@[]_~"  # characters that a query may have as they are
# The values that a new page takes from a link, by name. "view" is not among them: see `MOVED`.
TAKES = {
    "": (
        "corpus text tokenizer specials against training step token ids marks window price letters letter "
        "compared sentences word end cut"
    ),
    "chat": (
        "corpus text tokenizer training turns chat_template own_template answer bos chat_request kept_price new_price"
    ),
    "files": "corpus text tokenizer against training price limit column",
    "tokenizers": "corpus text tokenizer training other sought among kind script order",
}


@dataclass(frozen=True)
class Move:
    """Where a link leads now.

    `page`: the path of the new page. `renamed`: the old names of values that have other names now, with the new ones.
    `defaults`: the defaults of 2.0.0 that are others on the new page, by new name. A link without such a value gets it,
    and so does one with a value that 2.0.0 could not read.
    """

    page: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)

    def names(self, old: frozenset[str]) -> dict[str, str]:
        """Return the values that the new page takes: old name → new name. `old`: the names that the old page knew."""
        return {name: name for name in TAKES[self.page].split() if name in old} | dict(self.renamed)


_TOKENS = Move("", {"view": "view"}, {"corpus": "keepers-dog"})
_LETTERS = Move("", {"view": "view"}, {"corpus": "keepers-dog", "word": "strawberry"})
_PROMPT = Move("", {"view": "view"}, {"corpus": "keepers-dog", "cut": "no"})
# The views of version 2's Playground.
MOVED = {
    **dict.fromkeys(("tokens", "side-by-side", "split", "ids"), _TOKENS),
    "letters": _LETTERS,
    "prompt": _PROMPT,
    "chat": Move("chat", {"chat_shows": "view"}, {"tokenizer": "o200k_base", "turns": "first"}),
    "files": Move("files"),
    "vocabulary": Move("tokenizers", defaults={"order": "id"}),
    "same": Move("tokenizers", {"view": "view"}),
}
CHAT_OF_PIPELINE = Move("chat", {"model": "tokenizer"}, {"tokenizer": "bert", "turns": "first", "bos": "yes"})
# The names of values in version 2's links. The new pages take all of the Playground's between them.
_PIPELINE = (
    "corpus text turns chat_template own_template answer input second normalizers pretokenizer model training template"
)
OF_PIPELINE = frozenset(_PIPELINE.split())
# "reading" said whether a list of ids was read as a text; now it is a text until the visitor wants it to be ids.
OF_PLAYGROUND = frozenset({*" ".join(TAKES.values()).split(), "view", "chat_shows", "reading"})


def moved(path: str, query: str) -> str | None:
    """Return the address that an address has now; None if it stays.

    `path`: the path below `served.root`, without a slash before it. `query`: the query as in the address, encoded. The
    new address is of the same form, in ASCII, and has its query. Values that are kept are kept as they are written.

    >>> moved("playground", "view=same&other=gpt2")
    'tokenizers?view=same&other=gpt2'
    >>> moved("train", "step=3")
    """
    path = path.strip("/")
    given = {name: value for name, value, _ in _parts(query)}
    if path == PLAYGROUND:
        return _address(MOVED.get(given.get("view", ""), _TOKENS), query, OF_PLAYGROUND)
    if path == PIPELINE and given.get("input") == "chat":
        return _address(CHAT_OF_PIPELINE, query, OF_PIPELINE)
    if path in PAGES or path.partition("/")[0] in (*NO_PAGES, *FILES):
        return None
    kept = [written for name, _, written in _parts(query) if name in EMBEDDING]
    return "?" + "&".join([f"{NO_PAGE}={quote_plus(path[:MOST_PATH], errors='replace')}", *kept])


def _address(move: Move, query: str, old: frozenset[str]) -> str:
    """Return the new address of a link. `old`: the names of the values that the old page knew.

    A name that neither page knows stays: the new page says so. A name that only the new page knows was without a
    meaning, and stays without.
    """
    names, unknown = move.names(old), old | {*TAKES[move.page].split(), "view"}
    parts: list[str] = []
    has = set()
    for name, value, written in _parts(query):
        if name in names:
            new = names[name]
            if new in move.defaults and value not in _READABLE.get(new, (value,)):
                continue
            parts.append(written if new == name else f"{new}={written.partition('=')[2]}")
            has |= {new, "corpus"} if name == "text" and value else {new}
        elif name not in unknown:
            parts.append(written)
    defaults = [f"{name}={value}" for name, value in move.defaults.items() if name not in has]
    found = "&".join([*defaults, *parts])
    return f"{move.page}?{found}" if found else move.page


def _parts(query: str) -> Iterator[tuple[str, str, str]]:
    """Yield the values of a query: the name, the value, and both as written. What no query may have is encoded."""
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        yield unquote_plus(name), unquote_plus(value), quote(part, safe=_IN_QUERY, errors="replace")


@cache
def _document(style: str) -> str:
    """Return Streamlit's document, which is the same for all pages, with our script before those of Streamlit.

    The document has the style sheet of all pages, and names the files that a page needs at once: what comes later moves
    what is drawn by then. The style sheet is in the body, since Streamlit adds its own rules to the head, and the last
    rules hold.
    """
    document = (_STATIC / "index.html").read_text(encoding="utf-8")
    found = ((path.relative_to(_STATIC), how) for name, how in _EARLY.items() for path in _STATIC.glob(name))
    links = "".join(f'<link {how} href="./{path.as_posix()}" crossorigin>' for path, how in found)
    document = document.replace("<head>", f"<head><script>{page_scripts.HISTORY}</script>{links}", 1)
    return document.replace("<body>", f"<body><style>{style}</style>", 1)


class Addresses:
    """A middleware that answers requests for pages: for those that are here, that have moved, or that do not exist."""

    def __init__(self, app: ASGIApp, style: str) -> None:
        """Wrap the app. `style`: the style sheet of all pages."""
        self.app, self.style = app, style

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        await ((_answer(scope, self.style) if asked else None) or self.app)(scope, receive, send)


def _answer(scope: Scope, style: str) -> Response | None:
    """Return the answer to a request; None if Streamlit answers it. `style`: the style sheet of all pages.

    The new address is relative. So it is right behind a proxy too that has the app under a path of its own, and it
    never leads to another server.
    """
    root, path = f"{served.root()}/", scope["path"]
    if not path.startswith(root):
        return None
    path = path.removeprefix(root)
    if path.endswith(FIRST_ASKED):
        # An error would be in the browser's console. With a good answer the browser would take the page's address for
        # the app's. This status is neither, and the browser asks one level higher.
        return Response(status_code=300, headers={"Cache-Control": "no-store"})
    new = moved(path, scope["query_string"].decode("utf-8", "replace"))
    if new is None:
        return HTMLResponse(_document(style), headers={"Cache-Control": "no-cache"}) if path in PAGES else None
    slashes = scope.get("raw_path", path.encode()).count(b"/") - root.count("/")  # an encoded slash is none
    return RedirectResponse(f"{'../' * slashes or './'}{new}", 307)
