"""Learn as a person uses it: by keyboard on a phone, by mouse, reloaded, by a class link, embedded, on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.parts.learn.for_a_class import worksheet
from pages.parts.learn.lessons import LESSONS, lesson
from pages.parts.learn.questions import Question, plain_text
from tests.browser.driver import expect_link, settle
from tests.some import some

Open = Callable[..., Page]
ON_A_PHONE, BY_MOUSE = 390, 1280
FOR_A_CLASS = "For a class"
FOCUSED = "document.activeElement.shadowRoot?.activeElement ?? document.activeElement"


def options(page: Page, asked: Question) -> Locator:
    return page.get_by_role("radiogroup", name=plain_text(asked.ask), exact=True)


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the focus is on or in the target."""
    inside = f"(target) => target.contains({FOCUSED})"
    for _ in range(80):
        page.keyboard.press("Tab")
        if target.evaluate(inside):
            return
    pytest.fail(f"no Tab leads to {target}")


def choose(page: Page, asked: Question, label: str, keyboard: bool) -> None:
    group = options(page, asked)
    expect(group).to_be_visible()
    settle(page)
    if not keyboard:
        group.get_by_role("radio", name=label, exact=True).click()
        return
    if not group.evaluate(f"(target) => target.contains({FOCUSED})"):
        tab_to(page, group)
    wanted = asked.labels.index(label)
    now = asked.labels.index(page.evaluate(f"({FOCUSED}).innerText.trim()"))
    for _ in range(abs(wanted - now)):
        page.keyboard.press("ArrowRight" if wanted > now else "ArrowLeft")
    page.keyboard.press("Enter")


def press(page: Page, name: str | re.Pattern, keyboard: bool) -> None:
    button = page.get_by_role("button", name=name)
    expect(button).to_be_visible()
    settle(page)
    if keyboard:
        tab_to(page, button)
        page.keyboard.press("Enter")
    else:
        button.click()


@pytest.mark.parametrize(
    ("first", "width"),
    [
        (len(LESSONS) - 1, ON_A_PHONE),
        pytest.param(0, ON_A_PHONE, marks=pytest.mark.thorough),
        pytest.param(0, BY_MOUSE, marks=pytest.mark.thorough),
    ],
)
def test_lessons_from_the_first_question_to_the_last(open_page: Open, first: int, width: int):
    keyboard = width == ON_A_PHONE
    keys = list(LESSONS)
    page = open_page("learn", {"lesson": keys[first], "done": " ".join(keys[:first])}, width=width)
    for key in keys[first:]:
        made = lesson(key)
        expect(page.get_by_role("heading", name=made.title)).to_be_visible()
        for number, asked in enumerate(made.questions):
            verdict = page.locator(f"#verdict-{number}")
            if number == 0:
                wrong = next(wrong_answer for wrong_answer in asked.wrong_answers if not wrong_answer.near)
                choose(page, asked, wrong.label, keyboard)
                expect(verdict).to_contain_text("✗ Not that.")
                expect(verdict).to_contain_text("Try again.")
            choose(page, asked, asked.right.label, keyboard)
            expect(verdict).to_contain_text("✓ Right.")
            if keyboard:
                assert page.evaluate(f"({FOCUSED}).getAttribute('role')") == "radio"
        expect(page.get_by_text("Take away.")).to_be_visible()
        expect(page.get_by_text(f"{len(made.questions) - 1} of {len(made.questions)} answers right")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        press(page, re.compile("^Next lesson"), keyboard)
    expect(page.get_by_role("heading", name="Mixed five")).to_be_focused()
    settle(page)
    expect(page).to_have_url(re.compile(f"done=[^&]*{[*LESSONS][-1]}(&|$)"))
    assert parse_qs(urlsplit(page.url).query)["done"] == [" ".join(LESSONS)]
    kept = page.evaluate("JSON.parse(localStorage.getItem('mergescope.done'))")
    assert kept == keys[first:], "not the ticks of the link, which may be another person's"


@pytest.mark.parametrize("dark", some([True, False]))
def test_a_verdict_keeps_its_colour_under_the_pointer(open_page: Open, dark: bool):
    key = next(iter(LESSONS))
    asked = lesson(key).questions[0]
    page = open_page("learn", {"lesson": key}, dark=dark)
    wrong = next(answer for answer in asked.wrong_answers if not answer.near)
    for answer, colour in ((wrong, "--wrong"), (asked.right, "--right")):
        option = options(page, asked).get_by_role("radio").filter(has_text=answer.label)
        option.click()
        expect(option).to_have_attribute("aria-checked", "true")
        settle(page)
        looks = """(it, colour) => {
          const [own, sign] = [getComputedStyle(it), getComputedStyle(it, "::after")];
          const probe = it.parentElement.appendChild(document.createElement("i"));
          probe.style.color = `var(${colour})`;
          const verdict = getComputedStyle(probe).color;
          probe.remove();
          const frame = own.borderTopColor === verdict && sign.color === verdict ? "as the verdict" : "another";
          return [frame, own.color, own.backgroundColor];
        }"""
        pointed_at = option.evaluate(looks, colour)
        assert pointed_at[0] == "as the verdict"
        page.mouse.move(0, 0)
        assert option.evaluate(looks, colour) == pointed_at


@pytest.mark.thorough
def test_a_reload_in_the_middle_shows_the_same(open_page: Open):
    page = open_page("learn", {"lesson": "ties"})
    first, second = lesson("ties").questions
    choose(page, first, "17", keyboard=False)
    choose(page, first, "3", keyboard=False)
    choose(page, second, "4", keyboard=False)
    expect(page.locator("#verdict-1")).to_contain_text("Try again.")
    before = page.locator(".verdict").all_inner_texts()
    settle(page)  # the verdict is drawn before the link is written
    page.reload()
    settle(page)
    assert page.locator(".verdict").all_inner_texts() == before
    expect(options(page, second).get_by_role("radio", name=re.compile("^4"))).to_be_checked()  # its name ends in ✗
    choose(page, second, "6", keyboard=False)
    expect(page.locator("#verdict-1")).to_contain_text("The answer is 5.")


@pytest.mark.thorough
def test_a_cut_can_be_typed_and_show_me_tells(open_page: Open):
    page = open_page("learn", {"lesson": "unseen", "answers": "s"})
    press(page, "Type the answer instead", keyboard=True)
    field = page.get_by_label("The word with bars between its tokens, then Enter")
    field.fill("light|haus")
    field.press("Enter")
    expect(page.locator("#verdict-1")).to_contain_text("Without its bars that must be lighthouse.")
    field.fill("light|house")
    field.press("Enter")
    expect(page.locator("#verdict-1")).to_contain_text("was learnt before")
    press(page, "Show me", keyboard=True)
    expect(page.locator("#verdict-1")).to_be_focused()
    expect(page.locator("#verdict-1")).to_contain_text("The answer is l|ighthouse.")


@pytest.mark.thorough
def test_a_teachers_link_opens_on_her_text_without_her_answers(open_page: Open):
    text = "the cat sat on the mat with that other cat"
    page = open_page("learn", {"lesson": "pairs", "text": text, "answers": "s", "done": "ties"})
    page.get_by_text(FOR_A_CLASS).click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    page.evaluate("localStorage.clear()")  # a pupil's browser
    page.goto(link)
    settle(page)
    made = lesson("pairs", text)
    assert made.questions[0].right.label != lesson("pairs").questions[0].right.label
    expect(page.locator("#verdict-0")).to_have_text("")
    expect(page.get_by_text(f"1 of {len(LESSONS)} lessons done.")).to_have_count(0)
    choose(page, made.questions[0], made.questions[0].right.label, keyboard=False)
    expect(page.locator("#verdict-0")).to_contain_text("✓ Right.")


@pytest.mark.thorough
def test_going_on_opens_the_page_with_the_lessons_state(open_page: Open):
    page = open_page("learn", {"lesson": "unseen", "answers": "s.s"})
    press(page, re.compile("^Go on"), keyboard=False)
    page.wait_for_url(re.compile(r":\d+/\?"))
    expect_link(page, "text=lighthouse")


def test_embedded_there_is_no_navigation_and_going_on_is_a_link(open_page: Open):
    page = open_page("learn", {"embed": "true", "lesson": "unseen", "answers": "s.s"})
    expect(page.get_by_role("link", name="Go on")).to_have_attribute(
        "href", re.compile(r"^\.\?text=lighthouse&tokenizer=gpt2$")
    )
    expect(page.get_by_role("link", name="Tokens", exact=True)).to_have_count(0)
    expect(page.get_by_text(FOR_A_CLASS)).to_have_count(0)


@pytest.mark.parametrize(
    ("key", "width", "dark"),
    [
        ("pairs", 390, True),
        pytest.param("bytes", 1280, False, marks=pytest.mark.thorough),
        pytest.param("rivals", 390, False, marks=pytest.mark.thorough),
    ],
)
def test_axe_finds_nothing(open_page: Open, axe: Callable[[Page], list[str]], key: str, width: int, dark: bool):
    page = open_page("learn", {"lesson": key, "answers": "0-1.s.s"}, dark=dark, width=width)
    expect(page.get_by_text("Take away.")).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize("key", some(LESSONS))
def test_a_worksheet_prints_on_a_few_pages(page: Page, key: str):
    page.set_content(worksheet(lesson(key)))
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) in (2, 3, 4)


@pytest.mark.thorough
def test_ticks_stay_in_the_browser_and_another_lesson_begins_at_the_top(open_page: Open):
    page = open_page("learn", {"lesson": "ties", "answers": "s"})
    press(page, "Show me", keyboard=False)
    expect(page.get_by_text(f"1 of {len(LESSONS)} lessons done.")).to_be_visible()
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_text(f"1 of {len(LESSONS)} lessons done.")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 500})
    main = page.get_by_test_id("stMain")
    main.evaluate("(main) => main.scrollTo(0, 60)")
    page.get_by_role("button", name=re.compile(r"New words$")).click()
    expect(page.get_by_role("heading", name=lesson("unseen").title)).to_be_visible()
    settle(page)
    assert main.evaluate("(main) => main.scrollTop") == 0


def test_a_long_word_of_a_teachers_text_is_no_wider_than_a_phone(open_page: Open):
    page = open_page(
        "learn", {"lesson": "pairs", "text": "https://en.wikipedia.org/wiki/Byte-pair_encoding hug hug"}, width=390
    )
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
