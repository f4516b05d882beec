"""A chat as a model is given it, as a person sees it: a template from a model's card, and its BOS that comes twice."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tokens_page import Open
from tests.contrast import contrast, hex_of

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "[INST] {{ message['content'] }}[/INST]{% if not loop.last %}{{ eos_token }}{% endif %}{% endfor %}"
)
CONFIG = {"chat_template": TEMPLATE, "bos_token": {"content": "<s>"}, "eos_token": "</s>", "model_max_length": 4096}


@pytest.mark.thorough
def test_a_template_is_pasted_and_a_bos_that_comes_twice_is_seen(open_page: Open, settle, axe):
    turns = json.dumps([["user", "Who is on first?"]])
    page = open_page("chat", {"tokenizer": "tekken", "turns": turns}, dark=True, width=390)
    page.get_by_role("button", name="Paste a template").click()
    box = page.get_by_label("Jinja, or a whole tokenizer_config.json")
    box.fill(json.dumps(CONFIG))
    box.press("Control+Enter")
    expect(page.get_by_role("combobox", name="Chat template")).to_have_value("The pasted one")
    page.keyboard.press("Escape")
    chips, alarms = (page.locator(f".scroll.chat .token{look}") for look in ("", ".alarm"))
    expect(chips).to_have_text(
        ["<s>1", "[INST]3", "·Who20398", "·is1395", "·on1408", "·first2158", "?1063", "[/INST]4"]
    )
    expect(alarms).to_have_count(0)
    settle(page)
    page.get_by_text("Add special tokens: <s> before the chat").click()
    expect(page.get_by_role("alert")).to_contain_text("<s> comes twice in a row, while models are trained with one")
    expect(alarms).to_have_text(["<s>1", "<s>1"])
    shades = {chips.nth(at).evaluate("chip => getComputedStyle(chip).backgroundColor") for at in range(4)}
    assert len(shades) == 3, "both are as red, and neither the template's nor yours is"
    expect(page.locator(".looks")).to_contain_text("twice")
    assert axe(page) == []


def test_what_is_wrong_in_a_menu_can_be_read_in_each_theme_and_after_a_change_of_theme(open_page: Open, settle):
    page = open_page("chat", {"tokenizer": "qwen"}, dark=True)
    page.get_by_role("button", name="Paste a conversation").click()
    page.get_by_label("JSON: a whole request").fill("[{")
    page.get_by_role("button", name="Show these turns").click()
    problem = page.get_by_test_id("stPopoverBody").locator(".problem")
    expect(problem).to_be_visible()
    for paper in ("rgb(23, 22, 20)", "rgb(252, 251, 248)"):
        expect(page.locator(".stApp")).to_have_css("background-color", paper)
        ink = problem.evaluate("problem => getComputedStyle(problem).color")
        assert contrast(hex_of(ink), hex_of(paper)) >= 4.5
        page.emulate_media(color_scheme="light")  # the theme is the system's


REQUEST = {
    "messages": [
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "<think>I look at the clock.</think>Noon."},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [
        {"type": "function", "function": {"name": "clock", "description": "Tells the time. " * 5}},
        {"type": "function", "function": {"name": "date", "description": "Tells the date."}},
    ],
}


def test_a_request_is_pasted_and_its_tools_and_its_cache_are_seen(open_page: Open, settle, axe):
    page = open_page("chat", {"tokenizer": "qwen"}, dark=True)
    page.get_by_role("button", name="Paste a conversation").click()
    page.get_by_label("JSON: a whole request").fill(json.dumps(REQUEST))
    page.get_by_role("button", name="Show these turns").click()
    settle(page)
    views = page.get_by_role("radiogroup", name="View", exact=True)
    views.get_by_role("radio", name="Tools").click()
    expect(page.locator(".sentence")).to_contain_text("The 2 tools take")
    lit = page.locator(".scroll.chat .token.lit")
    expect(lit.filter(has_text="clock").first).to_be_visible()
    bar = page.locator("[class*=st-key-tool-bar-1] .bar")
    place = bar.bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_text("The tokens of date, from token")).to_be_visible()
    views.get_by_role("radio", name="Kept").click()
    expect(page.get_by_text("because the template drops the thinking of turn 2.")).to_be_visible()
    expect(page.locator(".token.alarm").first).to_contain_text("<think>")
    expect(page.get_by_role("link", name="why does the third answer cost more?")).to_be_visible()
    assert "Tells" not in page.url, "tools are in no link"
    assert axe(page) == []


def test_on_a_phone_the_turns_come_first_and_what_the_model_is_given_begins_on_the_first_screen(open_page):
    page = open_page("chat", {"view": "tools"}, width=390)
    turns, tools = page.locator(".st-key-chat-turns"), page.get_by_text("The 2 tools take")
    assert turns.bounding_box()["y"] < tools.bounding_box()["y"] < 800
    turns.get_by_role("button", name="Remove").last.scroll_into_view_if_needed()
