"""What goes wrong around the running app: a killed server, killed children, a full disk, too little memory."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser import driver
from tests.campaign import uploads
from tests.campaign.forged import PAGES
from tests.campaign.hostile import wrong
from tests.campaign.in_browser import chromium
from tests.campaign.server import Server, running, serve
from tests.campaign.visitor import Visitor
from tests.server import free_port

SECONDS = 60  # until what should happen has happened
LONG = "low lower lowest " * 60_000
WAITS = {"MERGESCOPE_TRAINING_CHARACTERS": "1000"}  # so that a training in the background is quickly made
END_SECONDS = 5  # from the order to end to the end
UPLOADS = {"STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false", "MERGESCOPE_TRAINING_CHARACTERS": "900000000"}
CHILD = "a training in a process of its own"
# What a server is doing when it is ordered to end: the page, its link, the text typed there; no text: an upload.
BUSY: dict[str, tuple[str, dict[str, str], str]] = {
    "a training in the server": ("train", {"pretokenizer": "none", "vocab_size": "30000"}, LONG),
    CHILD: ("train", {"pretokenizer": "none", "vocab_size": "30000"}, LONG),
    "a pattern that never ends": ("train", {"pretokenizer": "custom", "pattern": r"(a|aa)+$"}, "a" * 60 + "!"),
    "special tokens": ("train", {"special_tokens": "a"}, "a " * 100_000),
    "six tokenizers": ("", {"view": "side-by-side"}, "".join(map(chr, range(0x20000, 0x2A000)))),
    "an upload that does not go on": ("", {}, ""),
}
# Once the app runs, a signal takes something away from its process.
LATER = """
import signal, resource
def less(*_):
    status = open("/proc/self/status").read()
    now = int(status.split("VmData:")[1].split()[0]) << 10
    resource.setrlimit(resource.RLIMIT_{0}, ({1},) * 2)
signal.signal(signal.SIGUSR1, less)
"""


def killed_server() -> str:
    """The page connects again to the server that comes next, with its text and its step, and goes on.

    The text is too long for a link: only the browser has it.
    """
    port, text = free_port(), "low lower lowest " * 1000
    with chromium() as page:
        with serve(port=port) as server:
            page.goto(f"{server.url}/train?vocab_size=12")
            driver.settle(page)
            page.locator("#editor").fill(text)
            driver.settle(page)
            for _ in range(2):
                page.locator(".film [data-do=next]").click()
            page.wait_for_url("**step=2*")
            server.process.kill()
            server.process.wait()
        with serve(port=port) as server:
            page.wait_for_function("document.querySelector('[data-test-connection-state]').dataset"
                                   ".testConnectionState === 'CONNECTED'")  # fmt: skip
            driver.settle(page)
            expect(page.locator("#editor")).to_have_value(text)
            expect(page.locator(".film")).to_have_attribute("data-step", "2")
            page.locator(".film [data-do=next]").click()
            page.wait_for_url("**step=3*")
            return f"{server.tracebacks()} tracebacks" if server.tracebacks() else ""


def killed_training() -> str:
    """One sentence on the page, the training is not started again, and a shorter text is trained on."""

    async def visit(server: Server) -> str:
        visitor = await Visitor.open(server.url, "train", {"pretokenizer": "none", "vocab_size": "30000"})
        await visitor.type(LONG)
        children = server.children()
        for child in children:
            os.kill(child, signal.SIGKILL)
        if not children or not await said(visitor, "stopped from outside"):
            return f"after {len(children)} killed children the page says {list(visitor.texts.values())[-3:]}"
        if server.children():
            return "it is started again"
        await visitor.type("low lower")
        return "" if any("low lower" in text or "merges" in text for text in visitor.texts.values()) else "it stays"

    with serve(WAITS) as server:
        return asyncio.run(visit(server)) or (f"{server.tracebacks()} tracebacks" if server.tracebacks() else "")


async def said(visitor: Visitor, sentence: str) -> bool:
    """Whether the page says this within a few runs."""
    for _ in range(20):
        await visitor.run()
        if any(sentence in text for text in visitor.texts.values()):
            return True
    return False


def killed_with_a_training() -> str:
    """Where the server is killed, what it was training ends too."""

    async def visit(server: Server) -> list[int]:
        visitor = await Visitor.open(server.url, "train", {"pretokenizer": "none", "vocab_size": "30000"})
        await visitor.type(LONG * 10)
        return server.children()

    with serve(WAITS) as server:
        children = asyncio.run(visit(server))
        server.process.kill()
        server.process.wait()
    until = time.monotonic() + SECONDS
    while any(map(running, children)) and time.monotonic() < until:
        time.sleep(0.1)
    return "" if children and not any(map(running, children)) else f"of {children} some go on"


def ordered_to_end() -> str:
    """Whatever the server does for a visitor, it ends in time where it is ordered to, and what it was training too."""
    found = []
    for name, (page, query, text) in BUSY.items():
        with serve({"MERGESCOPE_TRAINING_CHARACTERS": "1000"} if name == CHILD else UPLOADS) as server:
            busy, children = asyncio.run(_ended(server, page, query, text))
        if busy > END_SECONDS or any(map(running, children)):
            found.append(f"{name}: {busy:.1f} seconds, {len(children)} children")
        if name == CHILD and not children:
            found.append("nothing was trained in a process of its own")
    return "; ".join(found)


async def _ended(server: Server, page: str, query: dict[str, str], text: str) -> tuple[float, list[int]]:
    """Return the seconds until the server has ended, once a visitor has sent a text, and its children of before."""
    visitor = await Visitor.open(server.url, page, query)
    visitor.waits = False
    upload = await _begin_upload(server, visitor) if not text else None
    if text:
        await visitor.type(text)
    await asyncio.sleep(1)
    children = server.children()
    server.process.terminate()
    begun = time.monotonic()
    while server.process.poll() is None and time.monotonic() - begun < 2 * END_SECONDS:
        await asyncio.sleep(0.05)
    seconds = time.monotonic() - begun
    while any(map(running, children)) and time.monotonic() - begun < SECONDS:
        await asyncio.sleep(0.1)
    if upload:
        upload.close()
    return seconds, children


async def _begin_upload(server: Server, visitor: Visitor) -> asyncio.StreamWriter:
    """Begin to upload a file: only its beginning arrives."""
    [address] = await uploads.addresses(visitor, 1)
    _, writer = await asyncio.open_connection("localhost", int(server.url.rpartition(":")[2]))
    head = f"PUT {address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
    writer.write(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode() + uploads.BEGIN)
    await writer.drain()
    return writer


def full_disk() -> str:
    """Where nothing can be written, not even to the log, every page goes on."""
    with serve(limit=LATER.format("FSIZE", "0")) as server:
        os.kill(server.process.pid, signal.SIGUSR1)
        return asyncio.run(_all_pages(server))


def little_memory() -> str:
    """A training that does not fit is a sentence, and all others go on."""

    async def visit(server: Server) -> str:
        other = await Visitor.open(server.url, "train")
        os.kill(server.process.pid, signal.SIGUSR1)
        visitor = await Visitor.open(server.url, "train", {"pretokenizer": "none", "vocab_size": "1000"})
        await visitor.type("".join(map(str, range(450_000))))
        if not any("memory" in text for text in visitor.texts.values()):
            return f"the page says {list(visitor.texts.values())[-2:]}"
        await other.step(2)
        return "; ".join(wrong(visitor) + wrong(other))

    with serve({"MERGESCOPE_TRAINING_CHARACTERS": "900000000"}, LATER.format("DATA", "now + (120 << 20)")) as server:
        warm = asyncio.run(_all_pages(server))  # what a server loads once, it has before the memory runs out
        return warm or asyncio.run(visit(server)) or asyncio.run(_all_pages(server))


def few_addresses() -> str:
    """Where a chart would end the server, it does not start, and says why."""
    try:
        with serve(limit="import resource\nresource.setrlimit(resource.RLIMIT_AS, (1500 << 20,) * 2)"):
            return "it starts"
    except RuntimeError as error:
        return "" if "ulimit -v" in str(error) and "Traceback" not in str(error) else str(error)[-300:]


async def _all_pages(server: Server) -> str:
    found = []
    for page in PAGES.values():
        visitor = await Visitor.open(server.url, page)
        found += wrong(visitor)
        await visitor.close()
    return "; ".join(found)


FAULTS: dict[str, Callable[[], str]] = {
    "a killed server, with a browser that stays open": killed_server,
    "a killed training": killed_training,
    "a killed server that trains": killed_with_a_training,
    "a busy server that is ordered to end": ordered_to_end,
    "the app on a full disk": full_disk,
    "the app with little memory": little_memory,
    "the app with few addresses": few_addresses,
}
