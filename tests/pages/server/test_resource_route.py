"""The route of resources: who may ask, what is refused, and that the server stays alive whatever is asked."""

import asyncio
import json
import logging
import threading
import urllib.request
from dataclasses import replace
from time import sleep
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config, net_util

from bpe_core import FormatError, PatternError, Settings, train
from bpe_core.pictures import resources as of_things
from bpe_core.pictures.shared.json_form import compact
from bpe_core.text import custom_patterns
from pages.parts.server import resource_route
from pages.parts.server.resource_route import HEADER, Given, Refusal
from pages.parts.state import state
from pages.parts.ui import live_view, sentences
from pages.parts.vocabularies.page_vocabulary import of_run
from tests.campaign.visitor import Visitor, run

VOCABULARY = of_run("hug", "hug", train("hug hug pug", Settings("gpt2", vocab_size=258)), "hug")
ASK = {"text": "a hug", "specials": False}
TOKENS = json.loads(compact(of_things.tokens(VOCABULARY, ASK)))


@pytest.fixture
def client():
    with TestClient(Starlette(routes=[resource_route.route()]), "http://here") as client:
        yield client


@pytest.fixture
def given():
    return Given(VOCABULARY, is_ours=True)


def ask(client, handle, name="tokens", method="POST", body=ASK, **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = client.request(method, f"/r/{name}", content=content, headers={HEADER: handle, **headers})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Traceback" not in answer.text
    return answer


def ends(client, handle):
    """Return whether a handle ends soon. The thread that answered last may have its thing for a moment longer."""
    return any(ask(client, handle).status_code == 410 or sleep(0.01) for _ in range(500))


@pytest.mark.parametrize("is_ours", [True, False])
def test_whoever_has_the_handle_has_the_resource_and_nobody_else(client, is_ours):
    mine, other = Given(VOCABULARY, is_ours), Given(VOCABULARY, is_ours)
    assert ask(client, mine.handle).json() == TOKENS
    assert mine.handle != other.handle
    assert len(mine.handle) == 22, "128 bits in base64"
    for forged in ("", mine.handle[:-1], mine.handle.swapcase(), "é".encode(), f"{mine.handle},{other.handle}"):
        assert ask(client, forged).status_code == 410
    handle = mine.handle
    del mine
    assert ends(client, handle), "nothing else keeps it"


def test_a_session_keeps_what_its_pictures_were_given_and_nothing_else_does(client, monkeypatch):
    session = state.Session()
    monkeypatch.setattr(state, "session", lambda: session)
    monkeypatch.setattr(state, "get_script_run_ctx", lambda **_: "a run of the page")
    first = live_view.asks("tokens", VOCABULARY, ("hug", 1), True)["handle"]
    assert live_view.asks("tokens", VOCABULARY, ("hug", 1), True)["handle"] == first
    assert ask(client, first).json() == TOKENS
    second = live_view.asks("tokens", VOCABULARY, ("hug", 2), True)["handle"]
    assert ask(client, first).status_code == 200, "the picture has not heard of the second"
    assert ask(client, second).status_code == 200
    assert ends(client, first), "a picture has one thing at a time"
    session.results = {}  # another page is open, or the session has ended
    assert ends(client, second)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_another_method_is_refused(client, given, method):
    answer = ask(client, given.handle, method=method)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize("name", ["rows", "nothing", "__class__", "%00"])
def test_another_name_is_refused(client, given, name):
    assert ask(client, given.handle, name).status_code == 404
    several = Given((VOCABULARY,), True)
    assert ask(client, several.handle, "tokens").status_code == 404
    assert [row["name"] for row in ask(client, several.handle, "rows").json()["rows"]] == ["hug"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://here", 200),
        ("http://localhost:3000", 200),
        ("https://allowed.org", 200),
        ("http://here.evil.org", 403),
        ("http://here@evil.org", 403),
        ("https://evil.org", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
def test_a_page_of_another_site_is_refused_and_nobody_is_asked_about_it(client, given, monkeypatch, origin, status):
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("the event loop waits"))
    monkeypatch.setitem(config._config_options, "server.corsAllowedOrigins", Option(["https://allowed.org"]))
    assert ask(client, given.handle, Origin=origin).status_code == status


class Option(SimpleNamespace):
    """An option of Streamlit with a value."""

    def __init__(self, value):
        super().__init__(value=value, where_defined="a test", key="")


def test_another_host_is_refused_where_the_hosts_are_named(client, given, monkeypatch):
    monkeypatch.setitem(config._config_options, "server.allowedHosts", Option(["there", "*.there"]))
    hosts = {"here": 403, "there": 200, "a.there:8501": 200, "there.evil.org": 403}
    assert {host: ask(client, given.handle, Host=host).status_code for host in hosts} == hosts


FACTS = ASK | {"at": 0, "step": 0}
PROMPT = ASK | {"end": -1, "cut": True}
NO_TEXTS = [None, 1, True, ["a"], [[["a"]]], {"a": "b"}]
NO_NUMBERS = [None, -1, 0.0, "0", True, [0], float("nan"), float("inf"), 10**30]
FORGED = [
    *(("tokens", body) for body in (b"", b"[]", b"null", b'"x"', b"{", b"NaN", b"[" * 99_999, b"\xff", b"9" * 9999)),
    ("tokens", json.dumps(ASK).encode("utf-16")),
    ("tokens", b'{"text": "\xed\xa0\xbe\xed\xb6\x9c", "specials": false}'),
    *(("tokens", {"text": text, "specials": False}) for text in NO_TEXTS),
    *(("tokens", {"text": "a", "specials": specials}) for specials in (None, 0, "false", [])),
    *(("token", FACTS | {"at": at}) for at in [*NO_NUMBERS, 5]),
    *(("token", FACTS | {"step": step}) for step in NO_NUMBERS[:-1]),
    *(("prompt", PROMPT | {"end": end}) for end in (None, -2, "1", 1.0)),
    *(("prompt", PROMPT | {"cut": cut}) for cut in (None, 1)),
]


@pytest.mark.parametrize("is_ours", [True, False])
def test_what_no_picture_sends_is_refused_with_a_sentence(client, caplog, is_ours):
    given = Given(VOCABULARY, is_ours)
    for name, body in FORGED:
        answer = ask(client, given.handle, name, body=body)
        assert (answer.status_code, answer.text[-1]) == (400, "."), (name, str(body)[:80])
    assert caplog.text == ""
    assert ask(client, given.handle, "token", body=FACTS | {"step": 10**30, "more": [1]}).json()["facts"]["step"] == 2
    assert ask(client, given.handle, "prompt", body=PROMPT | {"end": 10**30}).json()["end"] == len(ASK["text"])


@pytest.mark.parametrize("written", ["\\ud83e\\udd9c", "\\ud83e", "\\u0000", "\U0001f99c"])
def test_a_text_is_the_one_that_a_browser_has(client, given, written):
    body = f'{{"text": "{written}", "specials": false}}'.encode()
    text = written.encode().decode("unicode_escape") if "\\" in written else written
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert ask(client, given.handle, body=body).json()["text"] == text


def test_a_text_and_a_body_have_a_limit(client, given, monkeypatch):
    monkeypatch.setattr(
        resource_route, "LIMITS", SimpleNamespace(shown_characters=8, typed_characters=6, requests_mb=64)
    )
    assert ask(client, given.handle, body=ASK | {"text": "a" * 8}).status_code == 200
    assert ask(client, given.handle, body=ASK | {"text": "a" * 9}).status_code == 422
    monkeypatch.setattr(resource_route, "LONGEST", 100)
    assert ask(client, given.handle, body=b" " * 101).status_code == 422
    monkeypatch.setattr(resource_route.LIMITS, "requests_mb", 0)
    assert ask(client, given.handle).status_code == 503


def failing(error):
    """Return what a picture of a tokenizer that fails is given."""

    def encode(*_, **__):
        raise error

    return Given(SimpleNamespace(tokenizer=SimpleNamespace(encode=encode), title="", glyph="", run=None), False)


@pytest.mark.parametrize("error", [PatternError("the pattern takes too long"), FormatError("it ended")])
def test_why_a_text_has_no_tokens_is_said_as_on_the_page(client, error):
    given = failing(error)
    answer = ask(client, given.handle)
    assert (answer.status_code, answer.text) == (422, sentences.problem(error))


def test_an_error_that_nobody_expects_is_one_line_without_the_text(client, caplog):
    given = failing(RuntimeError("secret"))
    answer = ask(client, given.handle, body=ASK | {"text": "secret"})
    assert (answer.status_code, answer.text) == Refusal.FAILED.value
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "RuntimeError in encode" in record.getMessage()
    assert "secret" not in caplog.text
    assert "Traceback" not in caplog.text


def test_a_pattern_of_a_visitor_that_takes_too_long_is_refused(client, monkeypatch):
    monkeypatch.setattr(custom_patterns, "CUSTOM_SECONDS", 0.2)
    custom_patterns.custom.cache_clear()
    slow = of_run("own", "own", train("b", Settings("custom", pattern="(a|aa|aaa)+$", vocab_size=257)), "b")
    custom_patterns.custom.cache_clear()
    given = Given(slow, False)
    answer = ask(client, given.handle, body=ASK | {"text": "a" * 5000 + "b"})
    assert (answer.status_code, answer.text) == (422, "The pattern takes too long on this text; make it simpler.")


def test_the_last_text_is_encoded_once(client, monkeypatch):
    encoded, texts = resource_route.encoded, []

    def counted(vocabulary, text, specials):
        texts.append((text, specials))
        return encoded(vocabulary, text, specials)

    monkeypatch.setattr(resource_route, "encoded", counted)
    monkeypatch.setattr(resource_route, "MOST_CACHED", 12)
    one, other = Given(VOCABULARY, True), Given(VOCABULARY, True)
    for name, body in (("tokens", ASK), ("token", FACTS), ("prompt", PROMPT), ("token", FACTS | {"at": 3})):
        assert ask(client, one.handle, name, body=body).status_code == 200
    assert texts == [("a hug", False)]
    ask(client, one.handle, body=ASK | {"specials": True})
    ask(client, one.handle, body=ASK)
    ask(client, other.handle, body=ASK)
    assert len(texts) == 4, "another handle has its own"
    third = Given(VOCABULARY, True)
    ask(client, third.handle, body=ASK)
    assert len(resource_route._encodings.cached) == 2, "the first was dropped: together 15 characters"
    monkeypatch.setattr(
        resource_route, "LIMITS", SimpleNamespace(shown_characters=8, typed_characters=4, requests_mb=64)
    )
    ask(client, third.handle, body=ASK | {"text": "longer"})
    assert third not in resource_route._encodings.cached
    handle = other.handle
    del one, other, third
    assert ends(client, handle)
    assert not resource_route._encodings.cached, "it ends with the handle"


# --- many at once: the route by itself, so that a test decides what arrives when ---


class Blocked:
    """A tokenizer whose tokens come when a test lets them. `begun`: how many threads have asked for them."""

    def __init__(self, is_ours=True):
        self.let, self.begun = threading.Event(), 0
        self.given = Given(replace(VOCABULARY, tokenizer=self), is_ours)

    def __getattr__(self, name):
        return getattr(VOCABULARY.tokenizer, name)

    def encode(self, text, specials):
        self.begun += 1
        assert self.let.wait(30)
        return VOCABULARY.tokenizer.encode(text, specials=specials)


async def asked(app, handle, name="tokens", body=ASK, receive=None, send=None):
    """Return the status of a request's answer; None if there is none."""
    scope = {"type": "http", "method": "POST", "path": f"/r/{name}", "path_params": {"name": name}}
    scope["headers"] = [(HEADER.encode(), handle.encode()), (b"host", b"here")]
    sent = []

    async def whole():
        return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

    async def note(message):
        sent.append(message)

    await app(scope, receive or whole, send or note)
    return sent[0]["status"] if sent else None


async def until(is_so):
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.001)


def test_of_what_waits_only_the_newest_is_answered_and_a_handle_has_few_under_way():
    async def main():
        app, slow = resource_route.Resources(), Blocked()
        first = asyncio.create_task(asked(app, slow.given.handle))
        await until(lambda: slow.begun)
        others = [asyncio.create_task(asked(app, slow.given.handle, body=ASK | {"text": each})) for each in "bcdef"]
        await until(lambda: slow.given.under_way == resource_route.MOST_OF_ONE == 1 + len(others))
        assert await asked(app, slow.given.handle) == 503
        slow.let.set()
        assert [await each for each in (first, *others)] == [200, *[409] * 4, 200]
        assert slow.begun == 2
        assert (app.bytes, app.waiting, slow.given.under_way) == (0, 0, 0)

    run(main())


def test_a_thousand_requests_at_once_are_answered_or_refused_and_short_texts_come_meanwhile(monkeypatch):
    monkeypatch.setattr(resource_route, "MOST_WAITING", 20)

    async def main():
        app, ours, slow = (
            resource_route.Resources(),
            Given(VOCABULARY, True),
            [Blocked(is_ours=False) for _ in range(100)],
        )
        tasks = [asyncio.create_task(asked(app, slow[n % 100].given.handle)) for n in range(1000)]
        await until(lambda: sum(each.begun for each in slow) == resource_route.THREADS["from elsewhere"])
        await until(lambda: sum(task.done() for task in tasks) >= 600)
        assert app.waiting == 20
        monkeypatch.setattr(resource_route, "MOST_WAITING", 21)
        assert await asked(app, ours.handle) == 200, "what is ours waits for no file"
        for each in slow:
            each.let.set()
        statuses = [await task for task in tasks]
        assert {*statuses} == {200, 409, 503}
        assert statuses.count(200) >= 20
        assert (app.bytes, app.waiting) == (0, 0)

    run(main())


def test_a_body_that_does_not_arrive_and_a_browser_that_reads_nothing_end_in_time(monkeypatch, given):
    monkeypatch.setattr(resource_route, "PATIENCE", 0.05)

    async def never(*_):
        await asyncio.sleep(60)

    async def main():
        app, parts = resource_route.Resources(), iter([b'{"text": "', b"a"])

        async def slowly():
            part = next(parts, None)
            return {"type": "http.request", "body": part, "more_body": True} if part else await never()

        async def gone():
            return {"type": "http.disconnect"}

        async with asyncio.timeout(20):
            assert await asked(app, given.handle, receive=slowly) == 408
            assert await asked(app, given.handle, receive=gone) == 408
            assert await asked(app, given.handle, send=never) is None
        assert (app.bytes, app.waiting, given.under_way) == (0, 0, 0)

    run(main())


# --- with the real server, under a path ---


def sent(url, asks, name="tokens", method="POST", **headers):
    """Return the status, the headers and the content of an answer of the real server."""
    root = url.removesuffix(urlsplit(url).path)  # an address begins at the root, as in a browser
    headers = {HEADER: asks["handle"], "Content-Type": "application/json", **headers}
    request = urllib.request.Request(f"{root}{asks['address']}{name}", json.dumps(ASK).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        return error.code, error.headers, error.read()


def test_the_real_server_answers_what_its_page_named(url):
    async def visit():
        one, other = [await Visitor.open(url, "") for _ in range(2)]
        asks, others = [visitor.shown["tokens.shown"].data["asks"] for visitor in (one, other)]
        assert asks["handle"] != others["handle"], "another tab has its own"
        for each in (asks, others):
            status, headers, content = await asyncio.to_thread(sent, url, each)
            assert (status, json.loads(content)["text"]) == (200, "a hug")
            assert headers["Cache-Control"] == "no-store"
            assert "script-src 'self'" in headers["Content-Security-Policy"]
            assert headers["X-Content-Type-Options"] == "nosniff"
        for status, answer in {
            403: sent(url, asks, Origin="https://evil.org"),
            404: sent(url, asks, "rows"),
            405: sent(url, asks, method="GET"),
            410: sent(url, asks | {"handle": "x" * 22}),
        }.items():
            assert answer[0] == status
            assert answer[1]["Cache-Control"] == "no-store"
            assert "Content-Security-Policy" in answer[1]
        await one.close()
        async with asyncio.timeout(30):
            while (await asyncio.to_thread(sent, url, asks))[0] != 410:  # its session has ended
                await asyncio.sleep(0.05)
        assert sent(url, others)[0] == 200
        await other.close()

    run(visit())
