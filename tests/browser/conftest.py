"""The running app and a real Chromium, for every test in this folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, expect, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]

# A spinner never ends; what opens or fades does.
NOTHING_MOVES = """
document.getAnimations().every((it) => it.playState !== "running" || it.effect.getComputedTiming().endTime === Infinity)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # One line a reason, where pytest's own -rs prints one a test.
    for reason in {report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])}:
        terminalreporter.write_line(reason)


def chromium() -> str | None:
    """Where Chromium is, or one that stands in for it."""
    names = [os.environ.get("MERGESCOPE_CHROMIUM", "chromium"), "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        missing = "no Chromium found: install it (Debian: chromium libatomic1) or name it in MERGESCOPE_CHROMIUM"
        if os.environ.get("MERGESCOPE_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app's base URL. Asks for the browser first, so that no server starts where there is none."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    url = f"http://localhost:{port}"
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    with log.open("w") as output, subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output) as process:
        try:
            wait_until_healthy(url, process, log)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until_healthy(url: str, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except (URLError, TimeoutError):
            time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{log.read_text()}")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    yield context
    context.close()


@pytest.fixture
def outside_requests(context: BrowserContext, server: str) -> list[str]:
    """The addresses outside the app that it has asked for. Each was refused."""
    urls: list[str] = []

    def refuse(route: Route) -> None:
        urls.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith((server, "data:", "blob:")), refuse)
    return urls


@pytest.fixture
def page(context: BrowserContext, server: str, outside_requests: list[str]) -> Iterator[Page]:
    """A fresh page. An error in its console or its scripts fails the test."""
    errors: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        url = message.location["url"]
        # On a deep link Streamlit looks for its server under /train/_stcore first, and gets a 404.
        expected = url in outside_requests or url.endswith(("/_stcore/health", "/_stcore/host-config"))
        if message.type == "error" and not expected:
            errors.append(f"{message.text} ({url})")

    page = context.new_page()
    page.on("console", on_console)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert not errors


def settle(page: Page) -> None:
    """Wait until the app has drawn the answer to the last thing that was done, and fail on an exception in it.

    Between a click and the start of its rerun nothing on the page shows that one is due, hence the pause.
    Where a test knows what should appear, Playwright's `expect` waits for just that. What opens, such as an expander,
    has opened: a menu inside it would move, and close, while it is being chosen from.
    """
    page.wait_for_timeout(200)
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=30_000)
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.wait_for_function(NOTHING_MOVES)


@pytest.fixture(name="settle")
def settle_fixture() -> Callable[[Page], None]:
    return settle


@pytest.fixture
def open_page(page: Page, server: str) -> Callable[..., Page]:
    """Open a page of the app by its path, such as "train", and wait until it is drawn."""

    def open_page(path: str = "", query: dict[str, str] | None = None, dark: bool = False, width: int = 1280) -> Page:
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{server}/{path}?{urlencode(query or {})}")
        settle(page)
        return page

    return open_page
