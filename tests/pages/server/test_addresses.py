"""Where old links lead: as a function, on a server that has the app under a path, and in the page `/`."""

import re
from base64 import b64encode
from hashlib import sha256
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import parse_qsl, quote, urljoin, urlsplit

import pytest
from streamlit.web.server.starlette import starlette_routes

from pages.parts.server import addresses, page_scripts
from pages.parts.server.addresses import MOVED, NO_PAGES, OF_PIPELINE, OF_PLAYGROUND, PAGES, TAKES, moved
from pages.parts.state import links
from pages.parts.state.chat_state import Chat
from pages.parts.state.files_state import Files
from pages.parts.state.pipeline_state import Pipeline
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.tokens_state import Tokens
from pages.parts.ui.theme import STYLE
from tests.pages.driver import html, link, open_page, problems
from tests.pages.server.under_path import BASE
from tests.version_3.record import read

LINKS = [line for line in read("links.txt") if not line.startswith(" ")]
# What a new page may lack of an old link: the values of other views than the open one.
DROPPED = {
    page: (OF_PLAYGROUND | OF_PIPELINE) - {*names.split(), "view", "chat_shows"} for page, names in TAKES.items()
}
UNREADABLE = ("price", "_")  # as the order of a vocabulary: 2.0.0's default is in their place
RENAMED = {"chat_shows": "view", "model": "tokenizer"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("playground", "?corpus=keepers-dog"),
        ("playground/", "?corpus=keepers-dog"),
        ("playground?text=a+b%26c%0A&step=3", "?text=a+b%26c%0A&step=3"),
        ("playground?text=&view=prompt&cut=yes", "?corpus=keepers-dog&text=&view=prompt&cut=yes"),
        ("playground?corpus=my-dog&view=ids&turns=x&limit=5", "?corpus=my-dog&view=ids"),
        ("playground?view=zzz", "?corpus=keepers-dog&view=zzz"),
        ("playground?view=chat", "chat?tokenizer=o200k_base&turns=first"),
        ("playground?view=chat&chat_shows=learnt&tokenizer=qwen", "chat?turns=first&view=learnt&tokenizer=qwen"),
        ("playground?view=tokens&view=chat&tokenizer=a&tokenizer=b", "chat?turns=first&tokenizer=a&tokenizer=b"),
        ("playground?chat_shows=tools&corpus=my-dog", "?corpus=my-dog"),
        ("playground?view=files", "files"),
        ("playground?view=files&limit=5&column=a%20b&sought=x", "files?limit=5&column=a%20b"),
        ("playground?view=vocabulary", "tokenizers?order=id"),
        ("playground?view=vocabulary&order=length&kind=odd", "tokenizers?order=length&kind=odd"),
        ("playground?view=vocabulary&order=price&price=3&specials=no", "tokenizers?order=id"),
        ("playground?corpus=poem&view=prompt&cut=maybe", "?corpus=keepers-dog&cut=no&view=prompt"),
        ("playground?corpus=own", "?corpus=keepers-dog"),
        ("playground?corpus=own&text=hug", "?text=hug"),
        ("playground?view=same&other=gpt2", "tokenizers?view=same&other=gpt2"),
        ("playground?view=files&colour=red&embed=true&embed_options=x", "files?colour=red&embed=true&embed_options=x"),
        ("pipeline?input=chat", "chat?tokenizer=bert&turns=first&bos=yes"),
        (
            "pipeline?input=chat&model=qwen&answer=no&template=s&second=x",
            "chat?turns=first&bos=yes&tokenizer=qwen&answer=no",
        ),
        (
            "pipeline?input=chat&model=qwen&tokenizer=gpt2&view=tools&colour=red",
            "chat?turns=first&bos=yes&tokenizer=qwen&colour=red",
        ),
        ("nonsense?step=3&embed=true", "?page=nonsense&embed=true"),
        ("playground/x", "?page=playground%2Fx"),
        (f"{'ä&' * 40}", f"?page={'%C3%A4%26' * 20}"),
    ],
)
def test_an_old_link_leads_to_its_new_address(old, new):
    path, _, query = old.partition("?")
    assert moved(path, query) == new


@pytest.mark.parametrize(
    "address",
    [
        *PAGES,
        *("train/", "train?view=files", "pipeline?input=text", "?corpus=own", "?page=x"),
        *("index.html", "favicon.png", "static/js/x.js", *(f"{folder}/x" for folder in NO_PAGES)),
    ],
)
def test_other_addresses_stay(address):
    path, _, query = address.partition("?")
    assert moved(path, query) is None


@pytest.mark.parametrize("question", LINKS)
def test_no_value_of_a_link_is_lost_but_those_of_other_views(question):
    path, _, query = question.removeprefix("/").partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    new = moved(path, quote(query, safe="=&%"))
    if new is None:
        assert path in PAGES
        assert given.get("input") != "chat"
        return
    page, _, query = new.partition("?")
    assert moved(page, query) is None, "it moves once"
    now = dict(parse_qsl(query, keep_blank_values=True))
    view = given.pop("view", "")
    given.pop("input", "")
    if now.get("view") != view:
        assert view == "" or MOVED[view].page == page != ""
    lost = {name for name, value in given.items() if now.get(RENAMED.get(name, name)) != value}
    assert lost <= DROPPED[page] | {name for name in lost if given[name] in UNREADABLE}


def test_every_view_of_every_link_is_known_here():
    views = {view for line in LINKS if line.startswith("/playground") for view in _values(line, "view")}
    assert views - {*MOVED} == {"everything", "🦜"}


def _values(line: str, name: str) -> list[str]:
    return [value for key, value in parse_qsl(line.partition("?")[2]) if key == name]


def test_the_tables_have_all_values_and_all_paths():
    for page, state in {"": Tokens, "chat": Chat, "files": Files, "tokenizers": Tokenizers}.items():
        assert {*TAKES[page].split()} < {*links.named(state)}, "what a page does not know, it would say"
    assert {*links.named(Pipeline)} <= OF_PIPELINE
    assert not {*links.FORMER.values()} & (OF_PLAYGROUND | OF_PIPELINE), "no former name is to be translated"
    of_streamlit = [value for name, value in vars(starlette_routes).items() if name.startswith("BASE_ROUTE_")]
    assert {path.partition("/")[0] for path in of_streamlit} <= {*NO_PAGES, *addresses.FILES}
    assert not {*PAGES} & {*NO_PAGES, *addresses.FILES}


HOSTILE = [
    ("playground", "text=a\r\nSet-Cookie: x=1&\r\nX: y"),
    ("playground", "view=chat\r\n\r\n<script>&text=\ud800é\x00\\"),
    ("//evil.example/playground", ""),
    ("/evil.example/%2e%2e", "x"),
    ("\\\\evil.example", ""),
    ("https://evil.example", "page=//evil.example"),
    ("\r\nLocation: //evil.example", ""),
    ("playground", "//evil.example?a#b"),
    ("\ud800", "\ud800"),
    ("pipeline", "input=chat&@evil.example"),
    ("playground", "&".join(["text=a"] * 200_000)),
]


@pytest.mark.parametrize(("path", "query"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_address_stays_on_the_server_and_in_one_header(path, query):
    new = moved(path, query)
    assert new is not None
    assert new.isascii()
    assert new.isprintable()
    assert " " not in new
    assert "\\" not in new
    there = urlsplit(urljoin("http://here.example/x/y", f"./{new}"))
    assert (there.scheme, there.netloc, there.fragment) == ("http", "here.example", "")
    assert there.path.removeprefix("/x/") in PAGES


def _asked(url: str, target: str, method: str = "GET") -> tuple[HTTPResponse, str]:
    """Return the server's own answer to a request, and its body: redirects are not followed."""
    asked = HTTPConnection(urlsplit(url).netloc, timeout=60)
    asked.request(method, target)
    answer = asked.getresponse()
    body = answer.read().decode(errors="replace")
    asked.close()
    return answer, body


@pytest.mark.parametrize(
    ("target", "new"),
    [
        ("/playground?view=files&text=%F0%9F%A6%9C+a%2Bb", "./files?text=%F0%9F%A6%9C+a%2Bb"),
        ("/playground/?view=same", "../tokenizers?view=same"),
        ("/pipeline?input=chat", "./chat?tokenizer=bert&turns=first&bos=yes"),
        ("/nonsense", "./?page=nonsense"),
        ("/a%2Fb/c", "../?page=a%2Fb%2Fc"),
        ("//evil.example/a", "../../?page=evil.example%2Fa"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_server_answers_307_below_its_path(url, target, new, method):
    answer, _ = _asked(url, BASE + target, method)
    assert answer.status == 307
    assert answer.headers["Location"] == new, "relative, since a proxy may have the app under another path"
    assert answer.headers["Content-Security-Policy"]


def test_what_is_no_page_is_answered_as_before(url):
    def status(target: str, method: str = "GET") -> int:
        return _asked(url, target, method)[0].status

    served = ["/", "/train", "/index.html", "/favicon.png", "/_stcore/health", "/_stcore/host-config"]
    assert [status(BASE + target) for target in served] == [200] * len(served)
    assert status(f"{BASE}/playground", "POST") == 405
    assert status(f"{BASE}/media/none") == status("/playground") == status("/_stcore/health") == 404
    asked = [status(f"{BASE}/train{first}") for first in addresses.FIRST_ASKED]
    assert asked == [300, 300], "neither an error in the console nor the address of an app"


@pytest.mark.parametrize("page", ["", "train"])
def test_a_document_has_the_script_that_comes_before_those_of_streamlit(url, page):
    answer, document = _asked(url, f"{BASE}/{page}")
    before, _, after = document.partition(f"<script>{page_scripts.HISTORY}</script>")
    assert "<script" not in before
    assert "/static/js/index" in after
    digest = b64encode(sha256(page_scripts.HISTORY.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in answer.headers["Content-Security-Policy"], "else browsers would not run it"
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_a_document_has_what_would_move_the_page_if_it_came_later(url):
    _, document = _asked(url, f"{BASE}/")
    head, _, body = document.partition("<body>")
    assert body.startswith(f"<style>{STYLE}</style>"), "after the rules that Streamlit adds to the head"
    assert "</" not in STYLE, "it would end the element"
    named = re.findall(r'<link rel="(?:module)?preload"[^>]* href="\./([\w/-]+)\.[^"]+" crossorigin>', head)
    assert named == ["static/js/Html", "static/js/purify", "static/media/SourceCodeVF-Upright"]


def test_the_first_page_says_that_a_page_does_not_exist():
    test = open_page("app.py", page=f"<b>{'x' * 60}")
    assert problems(test) == [f"There is no page “<b>{'x' * 37}” here."]
    assert problems(test.switch_page("pages/chat.py").run()) == []
    assert "<b>x" not in html(test)
    assert link(test) == {}
    assert "is not known here" in problems(open_page("pages/train.py", page="x"))[0]
