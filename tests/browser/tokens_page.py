"""What tests of Tokens do again and again: open the page, set its text, read its tokens, save its files."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from bpe_core.published import PUBLISHED

Open = Callable[..., Page]
GPT2 = PUBLISHED["gpt2"].load()


def tokens_page(open_page: Open, text: str, dark: bool = False, width: int = 1280, **query: str) -> Page:
    return open_page("", {"tokenizer": "gpt2", "text": text} | query, dark=dark, width=width)


def tokens(page: Page) -> Locator:
    return page.locator("#tokens .token")


def enter(page: Page, text: str) -> None:
    """Set the whole text, as pasting does, and wait until its tokens are there; those of the text before are gone."""
    script = """([editor, text]) => {
      editor.value = JSON.parse(text);
      editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }"""
    for whole in ("x" * (1 + (len(text) == 1)), text):
        page.evaluate(script, [page.locator("#editor").element_handle(), json.dumps(whole)])
        expect(page.locator("[data-name=characters]")).to_have_text(f"{len(whole):,}")


def shown(page: Page) -> list[dict]:
    """The tokens on the screen: text, id, colours."""
    return tokens(page).evaluate_all("""chips => chips.map(chip => {
      const id = chip.querySelector("sub")?.textContent ?? "";
      const style = getComputedStyle(chip);
      const text = [...chip.childNodes].filter(node => node.nodeName !== "SUB").map(node => node.textContent).join("");
      return { text, id, ink: style.color, paper: style.backgroundColor };
    })""")


def set_slider(page: Page, position: int) -> None:
    page.locator(".slider").fill(str(position))


def export(page: Page, how: str, what: str) -> None:
    """Choose in the menu Export. `how`: "Copy", "Save" or "Tree"."""
    page.locator("#export summary").click()
    page.get_by_role("group", name=how).get_by_role("button", name=what).click()
    expect(page.locator("#export")).not_to_have_attribute("open", "")


def saved(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        if page.locator("#export").count():
            export(page, "Save", name)
        else:  # a picture with little to save
            page.get_by_role("group", name="Save").get_by_role("button", name=name).click()
    return download.value.path().read_bytes()


def open_files(page: Page, files: dict[str, bytes]) -> None:
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    if not drop.count():
        page.get_by_role("button", name="Open a tokenizer").click()
    drop.set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files.items()]
    )
