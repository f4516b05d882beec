"""Texts that run from right to left: the boxes of tokens stand as a reader of the script reads them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.some import later

Open = Callable[..., Page]
ZWNJ = "\u200c"  # which Persian has within words
LINES = ["كتب يد.", "שלום", f"می{ZWNJ}خ ۱۲", "the كتب of 2024"]
# The boxes of each line from left to right on the screen, each as its text. Tokens that share a letter are one box.
SEEN = """boxes => {
  const written = (box) => {
    const copy = box.cloneNode(true);
    copy.querySelectorAll("sub").forEach((id) => id.remove());
    return copy.querySelector(".of")?.textContent.slice(2) ?? copy.textContent;
  };
  const lines = new Map(); // where a line is → its boxes
  for (const box of boxes.filter((box) => !box.parentElement.closest(".whole"))) {
    const { left, top } = box.getBoundingClientRect();
    lines.set(top, [...lines.get(top) ?? [], [left, written(box)]]);
  }
  return [...lines.values()].map((line) => line.sort(([one], [other]) => one - other).map(([, text]) => text));
}"""


def letters(text: str) -> list[str]:
    return [{ZWNJ: "⟨ZWNJ⟩", " ": "·", "\n": "⏎"}.get(letter, letter) for letter in text]


def leftwards(text: str) -> list[str]:
    return letters(text)[::-1]


def test_the_letters_of_a_text_stand_as_they_are_read(open_page: Open):
    page = open_page("", {"text": "\n".join(LINES), "tokenizer": "gpt2", "step": "0", "ids": "no"})
    expect(page.locator("#editor")).to_have_css("unicode-bidi", "plaintext")
    arabic, hebrew, persian, mixed = page.locator("#tokens :is(.whole, .token)").evaluate_all(SEEN)
    assert arabic == leftwards("كتب يد.\n")
    assert hebrew == leftwards("שלום\n")
    assert persian == ["⏎", *letters("۱۲"), *leftwards(f"می{ZWNJ}خ ")]  # a number runs from left to right
    assert mixed == [*letters("the "), *leftwards("كتب"), *letters(" of 2024")]


@pytest.mark.thorough
def test_the_letters_of_a_word_of_the_corpus_stand_as_they_are_read(open_page: Open):
    chosen = {"pretokenizer": "whitespace", "alphabet": "characters", "word_marker": "none", "step": "0"}
    page = open_page("train", {"text": "\n".join(LINES), **chosen})
    words = {tuple(line) for line in page.locator(".words .line .token").evaluate_all(SEEN)}
    right_to_left = ["كتب", "يد.", "שלום", f"می{ZWNJ}خ"]
    assert words == {tuple(leftwards(word)) for word in right_to_left} | {*map(tuple, ["the", "of", "2024", "۱۲"])}


def test_side_by_side_a_text_stands_as_it_is_read_and_on_a_change_too(open_page: Open, settle):
    page = open_page("", {"text": "שלום עולם the", "view": "side-by-side"})
    chips = page.locator(".row .tokens").first.locator(".token")
    assert chips.evaluate_all(SEEN) == [["·the", "·עולם", "שלום"]]
    page.locator("#editor").fill("the dog")
    settle(page)
    assert chips.evaluate_all(SEEN) == [["the", "·dog"]]


@pytest.mark.thorough
def test_the_halves_of_a_merge_stand_as_the_word_does(open_page: Open):
    page = open_page("train", {"text": "شلم شلم", "pretokenizer": "whitespace", "word_marker": "none", "step": "2",
                               "alphabet": "characters"})  # fmt: skip
    assert page.locator(".merge:not([hidden]) .halves").first.locator(".token").evaluate_all(SEEN) == [["ل", "ش"]]


# Whether each line of a text in parts has its first letter right of its last.
LEFTWARDS = """lines => lines.map((line) => {
  const texts = [], walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode);
  const left = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  return left(texts[0], 0) > left(texts.at(-1), texts.at(-1).length - 1);
})"""


@pytest.mark.parametrize(
    ("text", "leftwards"),
    [("\ufb2b, עולם\ufb2a.", True), later(("שלום, עולם.", True)), later(("Hi, עולם.", False))],
)
def test_on_pipeline_the_lines_run_as_they_are_read(open_page: Open, text: str, leftwards: bool):
    page = open_page("pipeline", {"text": text, "pretokenizer": "bert", "model": "gpt2", "normalizers": "nfkc"})
    lines = page.locator(".facts .line")
    assert lines.evaluate_all(LEFTWARDS) == [leftwards] * lines.count()
    assert lines.count() == 4 if "\ufb2a" in text else 2


@pytest.mark.thorough
def test_on_pipeline_the_pretokens_stand_as_they_are_read(open_page: Open):
    page = open_page("pipeline", {"text": "שלום עולם", "pretokenizer": "whitespace"})
    boxes = page.get_by_role("region", name="pretokens").locator(".token:not(.lost)").evaluate_all(SEEN)
    assert [box.removesuffix("word") for box in boxes[0]] == ["עולם", "שלום"]
