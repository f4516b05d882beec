"""What holds on every page, in a browser: the picture first, the navigation, the menu, a silent console, axe."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.parts.page.frame import PAGES
from tests.browser.driver import expect_link
from tests.browser.driver import settle as settled
from tests.browser.first_screen import FIRST, MOST_WORDS, SCREENS, WORDS
from tests.browser.sizes import FOUND, HEIGHTS, SIZES
from tests.some import later, only, some

PATHS = ["" if name == "tokens" else name for name in PAGES]
NAVIGATION = [page for page in PAGES.values() if not page.under]
WITH_TOKENIZER = ["", "chat", "files", "tokenizers"]  # the pages with tabs and a tokenizer above the view
PICTURES = [  # the other views that show a picture of what they begin with
    *(("", {"view": view}) for view in ("side-by-side", "why", "letters", "prompt", "split", "ids")),
    *(("chat", {"view": view}) for view in ("requests", "tools")),
    ("files", {"view": "notations"}),
    ("tokenizers", {"view": "same"}),
]
WIDTH = "Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"
PATTERN = r"\w+|\s+"
TYPED = [  # a typed pattern takes room in the settings
    ("train", {"pretokenizer": "custom", "pattern": PATTERN}),
    ("compare", {"left": "custom", "left_pattern": PATTERN}),
]
SEEN = ["", "train", "chat", "tokenizers", "learn"]  # the pages whose first screen `make test` looks at too
SEEN_LATER = [*((path, {}) for path in PATHS if path not in SEEN), *TYPED, *PICTURES]
COVERED = """elements => elements.filter((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((element) => element.textContent || element.ariaLabel)"""


def assert_navigation_can_be_hit(page: Page) -> None:
    links = page.locator(".st-key-navigation a")
    expect(links).to_have_count(len(NAVIGATION))
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link")).to_have_count(len(NAVIGATION))
    for each in (links, page.get_by_test_id("stMainMenuButton"), page.locator(".st-key-siblings a")):
        assert each.evaluate_all(COVERED) == []


def views_opened(page: Page) -> Iterator[str]:
    """Open each tab of the page and, after it, each view under it; yield the name of the view that is open."""
    tabs = page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio")
    under = page.get_by_role("radiogroup", name=re.compile(": view$")).get_by_role("radio")
    settled(page)
    if not tabs.count():
        yield ""
    for tab in tabs.all():
        _choose(page, tab)
        for view in under.all() or [tab]:
            _choose(page, view)
            yield view.inner_text()


def _choose(page: Page, radio: Locator) -> None:
    if not radio.is_checked():
        radio.click()
        page.mouse.move(1, 1)  # the colours of a button under the pointer are Streamlit's
        settled(page)


@pytest.mark.parametrize(("path", "query"), [*((path, {}) for path in SEEN), *map(later, SEEN_LATER)])
def test_on_every_screen_the_picture_comes_first_navigation_can_be_hit_and_nothing_is_too_wide_or_wordy(
    open_page, page, settle, path, query
):
    page.set_viewport_size({"width": 1440, "height": 900})
    open_page(path, query)
    settle(page)
    words = page.evaluate(WORDS)
    assert query or len(words) <= MOST_WORDS[path], " ".join(words)
    tops = {}
    for screen in SCREENS:
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        settle(page)
        assert_navigation_can_be_hit(page)
        page.wait_for_function(f"Number.isFinite(({FIRST})())")
        tops[screen] = page.evaluate(FIRST)
    assert {screen: top for screen, top in tops.items() if top > screen.most} == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("path", "query"),
    some(
        [
            ("train", {"view": "curves"}),
            ("compare", {"view": "held-out"}),
            ("algorithms", {"view": "unigram"}),
            ("files", {"limit": "1000000"}),
        ],
    ),
)
def test_no_chart_warns_and_none_is_too_wide(open_page, page, settle, path, query):
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    open_page(path, query)
    expect(page.get_by_test_id("stVegaLiteChart").locator("svg").first).to_be_visible()
    assert warnings == []
    page.set_viewport_size({"width": 390, "height": 800})
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_only_what_a_late_answer_will_replace_is_pale_and_never_the_text_box(open_page, page):
    open_page()
    containers = page.get_by_test_id("stElementContainer")
    view, area = (containers.filter(has=page.locator(inside)) for inside in ("#figures", "#editor"))
    # as Streamlit does it, since an answer of the server takes as long as it takes
    page.evaluate("""() => {
      for (const each of document.querySelectorAll("[data-testid=stElementContainer]")) each.dataset.stale = "true";
      document.querySelector(".stApp").dataset.testScriptState = "running";
    }""")
    expect(view).to_have_css("opacity", "0.4")
    expect(area).to_have_css("opacity", "1")
    expect(view).to_have_css("transition-duration", "0s")
    page.evaluate("""document.querySelector(".stApp").dataset.testScriptState = "notRunning" """)
    expect(view).to_have_css("opacity", "1")


@pytest.mark.thorough
def test_a_page_is_as_it_was_left_however_often_and_by_the_browsers_buttons_too(open_page, settle):
    page = open_page()
    page.get_by_role("link", name="Train", exact=True).click()
    settle(page)
    page.get_by_role("radio", name="Export").click()
    page.get_by_role("button", name=re.compile("^Retrain with")).click()
    settle(page)
    page.get_by_role("combobox", name="Speed").select_option("20 a second")
    left = page.url
    assert left.endswith("word_marker=none&step=19&view=export")
    for _ in range(2):
        page.get_by_role("link", name="Tokens", exact=True).click()
        settle(page)
        page.get_by_role("link", name="Train", exact=True).click()
        expect(page.locator(".where")).to_have_text("step 19 of 19")
        settle(page)
        assert page.url == left
    page.go_back()
    settle(page)
    page.go_forward()
    expect(page.locator(".where")).to_have_text("step 19 of 19")
    expect(page.get_by_role("combobox", name="Speed")).to_have_value("20")
    settle(page)
    assert page.url == left


@pytest.mark.thorough
def test_the_browsers_buttons_find_the_view_in_the_address_after_a_reload_too(open_page, settle):
    page = open_page("train", {"text": "a rose is a rose"})
    page.get_by_role("link", name="Tokens", exact=True).click()
    settle(page)
    page.get_by_role("radio", name="Why").click()
    page.get_by_role("radio", name="Letters").click()
    settle(page)
    left = page.url
    assert left.endswith("/?view=letters&in_tab=text")
    page.go_back()
    settle(page)
    page.reload()  # the session is new; the browser's history is not
    settle(page)
    page.go_forward()
    expect(page.get_by_role("radio", name="Letters")).to_be_checked()
    settle(page)
    assert page.url == left
    page.get_by_role("link", name="Train", exact=True).click()
    settle(page)  # a link in the navigation brings no value of the page that was left
    assert page.url.endswith("train?in_tab=text")
    expect_link(page, r"^text=a\+rose\+is\+a\+rose$")
    expect(page.locator(".problem")).to_have_count(0)


def test_the_browsers_buttons_lead_from_view_to_view_and_from_lesson_to_lesson(open_page, settle):
    """Steps and searches have no entry, and neither has the address that a page corrects: "back" would end there."""
    page = open_page("", {"view": "nonsense"})
    for name in ("Models", "Why"):
        page.get_by_role("radio", name=name, exact=True).click()
        settle(page)
    for move, name, view in ((page.go_back, "Models", "side-by-side"), (page.go_forward, "Why", "why")):
        move()
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_checked()
        settle(page)
        assert f"view={view}" in page.url
    for _ in range(2):
        page.go_back()
        settle(page)
    expect(page.get_by_role("radio", name="Tokens", exact=True)).to_be_checked()
    page.go_back()
    assert page.url.endswith("/_stcore/health"), "where this tab was before"
    page = open_page("learn")
    page.get_by_role("button", name="Columns").click()
    settle(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Count, merge, count again")).to_be_visible()


@pytest.mark.thorough
def test_the_focus_shows_in_the_navigation_and_the_theme_is_chosen_in_the_menu(open_page):
    page = open_page("train")
    page.locator(".st-key-navigation a").first.focus()
    page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate("document.activeElement.textContent") == "Train"
    assert page.evaluate(outline) == "solid"
    ink = "getComputedStyle(document.querySelector('h1')).color"
    light = page.evaluate(ink)
    page.get_by_test_id("stMainMenuButton").click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    page.wait_for_function(f"{ink} !== '{light}'")
    expect(page.locator(".words .token").first).to_have_css("color", "rgb(244, 241, 234)")
    page = open_page("learn")  # opened anew, by its address
    expect(page.locator("h1")).to_have_css("color", "rgb(244, 241, 234)")


@pytest.mark.thorough
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_in_every_view_axe_finds_nothing_and_nothing_is_too_wide_for_a_phone(open_page, axe, path, dark):
    page = open_page(path, dark=dark)
    assert {view: found for view in views_opened(page) if (found := axe(page))} == {}
    page = open_page(path, dark=dark, width=390)
    assert {view: width for view in views_opened(page) if (width := page.evaluate(WIDTH)) > 390} == {}


@pytest.mark.parametrize("compared", ["languages", later("scorecard")])
def test_what_models_compares_is_not_too_wide_for_a_phone(open_page, compared):
    page = open_page("", {"view": "side-by-side", "compared": compared}, width=390)
    assert page.evaluate(WIDTH) == 390


@pytest.mark.parametrize("width", [later(1280), 390])
@pytest.mark.parametrize("path", only(WITH_TOKENIZER, "tokenizers"))
def test_nothing_above_a_view_moves_when_another_is_opened(open_page, path, width):
    page = open_page(path, width=width)
    above = [page.locator(name) for name in ("h1", ".st-key-navigation", ".st-key-tokenizer")]
    above.append(page.get_by_role("radiogroup", name="View", exact=True))
    before = [each.bounding_box() for each in above]
    assert all(before)
    moved = {view: [each.bounding_box() for each in above] for view in views_opened(page)}
    assert len(moved) > 1
    assert {view: boxes for view, boxes in moved.items() if boxes != before} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("embedded", [True, False])
def test_a_page_tells_of_its_runs_only_the_page_that_embeds_it(open_page, page, settle, embedded):
    open_page()
    address = page.url
    if embedded:
        page.goto(urljoin(address, "_stcore/health"))
        page.evaluate("src => document.body.append(Object.assign(document.createElement('iframe'), { src }))", address)
    editor = (page.frame_locator("iframe") if embedded else page).locator("#editor")
    editor.wait_for()
    page.evaluate("window.heard = []; addEventListener('message', ({ data }) => heard.push(data.type))")
    editor.fill("hug hug pug")
    if embedded:
        page.wait_for_function("heard.includes('SET_QUERY_PARAM')")
    else:
        settle(page)
        assert page.evaluate("heard") == []


def test_an_old_link_opens_its_page_and_back_leaves_it(open_page, page, server):
    open_page("train")
    before = page.url
    page.goto(f"{server}/playground?view=chat&tokenizer=gpt2&turns=%5B%5B%22user%22%2C%22Hi+there%22%5D%5D")
    expect(page).to_have_url(f"{server}/chat?tokenizer=gpt2&in_tab=turns")
    expect(page.get_by_role("textbox", name="Turn 1")).to_have_value("Hi there")
    page.go_back()
    expect(page).to_have_url(before)


@pytest.mark.parametrize("path", only(PATHS, "train"))
def test_a_page_and_each_of_its_tabs_has_six_sizes_of_text_and_two_heights_of_controls(open_page, path):
    page = open_page(path)
    for view in views_opened(page):
        sizes, heights = page.evaluate(FOUND)
        assert {size: name for size, name in sizes.items() if float(size) not in SIZES} == {}, view
        assert {height: name for height, name in heights.items() if round(float(height), 1) not in HEIGHTS} == {}, view


@pytest.mark.parametrize(
    ("path", "query"),
    some([("", {"view": "side-by-side"}), ("", {}), ("train", {}), ("pipeline", {}), ("chat", {})], 2),
)
def test_on_a_phone_what_comes_last_has_its_room_from_the_first_frame(open_page, path, query):
    page = open_page(path, query, width=390)
    moved = page.evaluate("""async () => {
      let sum = 0;
      const add = (list) => list.getEntries().forEach(({ value }) => sum += value);
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
      return sum;
    }""")
    assert moved < 0.15  # 0.5 and more without that room; a slow machine draws a page in several frames
