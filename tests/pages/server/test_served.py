"""Addresses that browsers fetch from: on a server without visitors yet, which has the app under a path."""

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from pages.parts.page import editor
from pages.parts.ui import film, live_view
from tests.campaign.server import ROOT
from tests.campaign.visitor import Visitor, run
from tests.pages.server.under_path import BASE, COMMAND
from tests.server import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of its own: those of other tests have had visitors."""
    with serving(COMMAND, ROOT, BASE) as url:
        yield url


@pytest.mark.parametrize("script", [editor.SCRIPT, *film.SCRIPTS, *live_view.SCRIPTS], ids=lambda script: script.name)
def test_a_script_is_there_before_a_page_names_it_and_browsers_keep_it(url, script):
    """Behind a proxy, a page and its scripts may come from different servers."""
    with urlopen(f"{url}/scripts/{script.file}", timeout=60) as answer:
        assert answer.read() == script.content
        assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("file", ["film-0123456789abcdef.js", "film.js", "app.py", "%2e%2e/app.py"])
def test_no_other_file_is_there(url, file):
    with pytest.raises(HTTPError, match="40"):
        urlopen(f"{url}/scripts/{file}", timeout=60)


def test_browsers_are_told_to_run_nothing_from_elsewhere_and_the_metrics_are_closed(url):
    with urlopen(url, timeout=60) as answer:
        policy = answer.headers["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'self'"
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "frame-ancestors" not in rules, "any site may embed the app"
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{url}/_stcore/metrics", timeout=60)


def test_a_page_names_addresses_that_are_there(url):
    async def visit() -> None:
        visitor = await Visitor.open(url, "train")
        (film,) = [shown for key, shown in visitor.shown.items() if key.endswith(".film")]
        script = json.loads(film.element.json)["script"]
        visitor.url = url.removesuffix(urlsplit(url).path)  # an address begins at the root, as in a browser
        for address in (script, film.data["vega"]):
            assert await visitor.fetch(address)
        found = await visitor.ask(film.data["asks"], "frames", chunks=[[0, 1]])
        assert found["chunks"] == film.data["first"]["chunks"][1:2]
        await visitor.close()

    run(visit())


@pytest.mark.parametrize(
    ("page", "setting"), [("train", "train.pretokenizer"), ("compare", "compare.left_pretokenizer")]
)
def test_a_key_draws_only_what_follows_from_the_text(url, page, setting):
    async def visit() -> None:
        visitor = await Visitor.open(url, page)
        before = dict(visitor.shown)
        await visitor.type("a text of my own")
        drawn = {key for key, shown in visitor.shown.items() if shown is not before.get(key)}
        await visitor.close()
        assert {"shared.editor", f"{page}.film"} <= drawn
        assert setting not in drawn

    run(visit())
