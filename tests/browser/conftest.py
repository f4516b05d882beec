"""The running app and a real Chromium, for every test in this folder.

Each worker of pytest has one server and one browser. A test asks for

- `open_page(path, query, dark=…, width=…)`: opens a page in a window of its own and waits until it is drawn;
- `settle(page)`: waits until the app has drawn the answer to what was done;
- `axe(page)`: what axe finds on it, a line a finding;
- `outside_requests`: the addresses outside the app that it asked for.

An error in the browser's console fails the test. Tests never wait for time: they `expect` what should appear.
`MERGESCOPE_SLOW=4` slows the browser's processor four times.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, expect, sync_playwright

from tests.browser import driver
from tests.browser.axe import findings

SLOW = float(os.environ.get("MERGESCOPE_SLOW", "1"))
WAIT = 120_000  # milliseconds until a test fails: enough for a slow machine; what is there is never waited for
expect.set_options(timeout=WAIT)
# The start page does not play by itself, except in tests of that.
STILL = "try { if (!localStorage.plays) sessionStorage.setItem('mergescope.played', 'yes') } catch {}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    executable = driver.chromium()
    if executable is None:
        missing = "no Chromium found: install it (Debian: chromium libatomic1) or name it in MERGESCOPE_CHROMIUM"
        if os.environ.get("MERGESCOPE_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        # With a profile on the disk it keeps the app's scripts compiled, and opens a page in half the time.
        profile = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=executable,
            args=driver.CHROMIUM_ARGS,
            viewport={"width": 1280, "height": 800},
            locale="en-US",
        )
        profile.set_default_timeout(WAIT)
        profile.add_init_script(driver.WATCH)
        profile.add_init_script(STILL)
        if SLOW > 1:
            slow_down(profile.pages[0])
            profile.on("page", slow_down)
        yield profile.browser
        profile.close()


def slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})


@pytest.fixture(scope="session")
def server(browser: Browser) -> Iterator[str]:
    """The app's base URL. Asks for the browser first, so that no server starts where there is none."""
    with driver.serve() as url:
        yield url


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """The browser's windows. What a test leaves goes with it: storage, permissions, all windows but the first."""
    context = browser.contexts[0]
    first = context.pages[0]
    yield context
    for page in context.pages:
        if page != first:
            page.close()
    context.unroute_all()
    context.clear_permissions()
    first.mouse.move(0, 0)
    first.goto(f"{server}/_stcore/health")  # a page of the same origin, without the app
    first.evaluate("localStorage.clear(), sessionStorage.clear()")


@pytest.fixture
def outside_requests(context: BrowserContext, server: str) -> Iterator[list[str]]:
    """The addresses outside the app that it has asked for. The browser finds none (see CHROMIUM_ARGS).

    They are listened to, not routed: a browser whose requests are routed keeps no scripts.
    """
    urls: list[str] = []

    def on_request(request: Request) -> None:
        if not request.url.startswith((server, "data:", "blob:")):
            urls.append(request.url)

    context.on("request", on_request)
    yield urls
    context.remove_listener("request", on_request)


@pytest.fixture
def page(context: BrowserContext, outside_requests: list[str]) -> Iterator[Page]:
    """The browser's first window. An error in its console or its scripts fails the test.

    It is the same for all tests: its process keeps Streamlit's scripts compiled, and opens the app for half the work.
    """
    errors: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        url = message.location["url"]
        if message.type == "error" and url not in outside_requests and "/media/" not in url:
            errors.append(f"{message.text} ({url})")

    def on_error(error: Error) -> None:
        errors.append(str(error))

    page = context.pages[0]
    page.set_viewport_size({"width": 1280, "height": 800})  # the test before may have been on a phone, in the dark
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.on("console", on_console)
    page.on("pageerror", on_error)
    yield page
    page.remove_listener("console", on_console)
    page.remove_listener("pageerror", on_error)
    assert not errors


@pytest.fixture
def settle() -> Callable[[Page], None]:
    """Waits until the app has drawn the answer to what was done, and fails on an exception in it."""
    return driver.settle


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """What axe finds on a page, a line a finding."""
    return findings


@pytest.fixture
def open_page(page: Page, server: str) -> Callable[..., Page]:
    """Open a page of the app by its path, such as "train", and wait until it is drawn."""

    def open_page(path: str = "", query: dict[str, str] | None = None, dark: bool = False, width: int = 1280) -> Page:
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{server}/{path}?{urlencode(query or {})}")
        driver.settle(page)
        return page

    return open_page
