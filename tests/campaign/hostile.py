"""Hostile links, texts and messages on every page: no traceback, no path, no markup, and the page goes on."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from urllib.error import HTTPError

from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.parts.page import frame
from pages.parts.state.links import named
from tests.campaign import forged
from tests.campaign.forged import PAGES
from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor

Row = tuple[str, float, str, float | None]
SCRIPT = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
VALUES = [
    SCRIPT, "a" * 2000, "9" * 400, "-1", "1e999", "None", "\x00", "\ud800", "‮" * 50,
    "../../etc/passwd", "${7*7}{{7*7}}",
    "(?R)?a", "((a{500}){500}){100}", "(a|aa)+$", "(?r)a", "[[1]", "٣", "file x", "hub:../x", "true", "",
]  # fmt: skip
TEXTS = [
    SCRIPT, "\x00\x01\x7f", "‮abc‬", "a\u0301" * 5000, "👨‍👩‍👧‍👦" * 500, "\ufeff\r\n\u2028\u2029", "a" * 100_000,
    "|".join("<>&\"'`*_[]()#") * 50,
    "<|endoftext|>" * 5000, "\uffff\U0010ffff", " " * 10_000, "$x$ :material/home: :red[a] [a](javascript:alert(1))",
    "".join(f"=== source: {SCRIPT} {n} ===\ntea {n}\n" for n in range(1000)),  # 1,000 sources, names with markup
    "=== source: empty ===\n=== source: \u202e*x* ===\ntea",  # a source without text
    "[1.5, 2]", "[1, 2", "[-5, 64, 300000]", "tensor([1, 2])" * 99, "[" * 9999,  # read as ids, or nearly
    f'[{{"role": "user", "content": "{SCRIPT[:29]}"}}]', "cafÃ© \ud800", "a:\n  - b: *c\n    d: &c 1\n",
]  # fmt: skip
IDS = [
    "[1.5, 2]", "[1, 2", "[-5, 64, 300000]", "tensor([1, 2])" * 99, "[" * 9999, "[1, 2, ..., 3]", f"[1, {SCRIPT}]",
    str([100_256, 199_998, 151_643, 32_000] * 9),  # of other tokenizers
    "[" + "257, " * 39_000 + "]",
]  # fmt: skip
PATTERNS = [
    "(", "(a+)+$", "(?:a+)+$|x", "(?R)?a", "((a{500}){500}){100}", "\x00", SCRIPT, f"a|{SCRIPT}|.", "|" * 900, "",
]  # fmt: skip
MARKUP = re.compile(r"<script>window|<img src=x", re.I)


def wrong(visitor: Visitor) -> list[str]:
    """What is on the visitor's screen that must not be there."""
    return visitor.complaints() + visitor.complaints(MARKUP.search)


async def links(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """Each page with each of its values hostile, all at once: one visit a value. Yields what was wrong."""
    for page, path in PAGES.items():
        names = named(frame.PAGES[page].state)
        for number, value in enumerate(VALUES[::every]):
            given = value.encode("utf-8", "replace").decode()
            visitor = await Visitor.open(server.url, path, dict.fromkeys([*names, SCRIPT[:8]], given))
            yield f"{page} {number}", wrong(visitor)
            await visitor.close()


async def texts(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """Each hostile text typed on each page that has a box."""
    for page, path in PAGES.items():
        visitor = await Visitor.open(server.url, path)
        for number, text in enumerate(TEXTS[::every]):
            if "shared.editor" in visitor.shown:
                await visitor.type(text)
                yield f"{page} {number}", wrong(visitor)
        await visitor.close()


async def ids(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """Each list of ids, or nearly, typed where ids are read, and where the split of a text is shown."""
    for view in ("ids", "split"):
        visitor = await Visitor.open(server.url, "", {"view": view, "tokenizer": "gpt2"})
        for number, text in enumerate(IDS[::every]):
            await visitor.type(text)
            yield f"{view} {number}", wrong(visitor)
        await visitor.close()


async def patterns(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """Each pattern typed on Train, with the view of the split open, on a text on which it may backtrack for ever."""
    chosen = {"pretokenizer": "custom", "pattern": r"\S+|\s", "view": "split", "text": "a" * 1000 + "b"}
    visitor = await Visitor.open(server.url, "train", chosen)
    for number, pattern in enumerate(PATTERNS[::every]):
        await visitor.act("train.pattern", string_value=pattern)
        yield f"pattern {number}", wrong(visitor)
    await visitor.close()


async def echoes(server: Server) -> AsyncIterator[tuple[str, list[str]]]:
    """The browser sends a value as it last showed it, once the server has set another: that one stays."""
    visitor = await Visitor.open(server.url, "algorithms")
    before = visitor.shown["algorithms.vocab_size"].element
    state = WidgetState(id=visitor.shown["shared.examples"].element.id, string_trigger_value={"data": "my-dog"})
    await visitor.say(state)
    now = visitor.query
    await visitor.say(WidgetState(id=before.id, double_value=22.0))
    yield "vocabulary size", [] if visitor.query == now else [f"the old vocabulary size is back: {visitor.query}"]
    await visitor.close()


async def open_doors(server: Server) -> int:
    """How many of the pages come without a content policy, and whether the metrics answer."""

    def policy(path: str) -> bool:
        with suppress(HTTPError), urllib.request.urlopen(f"{server.url}/{path}", timeout=30) as answer:
            return "script-src 'self'" in answer.headers["Content-Security-Policy"]
        return False

    closed = [await asyncio.to_thread(policy, path) for path in (*PAGES.values(), "_stcore/metrics")]
    return closed[:-1].count(False) + closed[-1]


def measure(full: bool = True) -> Iterator[Row]:
    """How many visits of each kind there were, and on how many something was wrong."""
    every = 1 if full else 5

    async def count(visits: AsyncIterator[tuple[str, list[str]]]) -> tuple[int, list[str]]:
        found = [(name, said) async for name, said in visits]
        return len(found), [f"{name}: {said[0][:200]}" for name, said in found if said]

    with serve() as server:
        kinds = {
            "links": links(server, every),
            "texts": texts(server, every),
            "lists of ids": ids(server, every),
            "patterns": patterns(server, every),
            "states of components": forged.states(server, 3 * every),
            "values of widgets": forged.values(server, 2 * every),
            "messages that are none": forged.no_messages(server),
            "values for what is not there": forged.unknown_widget(server),
            "echoes": echoes(server),
        }
        for kind, visits in kinds.items():
            number, found = asyncio.run(count(visits))
            for said in found[:5]:
                print("   ", said)
            yield f"hostile {kind}: of {number:,}, where something was wrong", float(len(found)), "", 0.0
        yield "answers without a content policy, and open metrics", float(asyncio.run(open_doors(server))), "", 0.0
        yield "tracebacks in the server's log", float(server.tracebacks()), "", 0.0
