"""The children of an element that a view draws anew: the result is as if all were new, and both ends stay."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser

from bpe_core.pictures.shared.view import script

CHILDREN = st.lists(st.sampled_from(["a", "b", "<i>a</i>", "<i>b</i>", "<br>"]), max_size=6)
DRAW = """async ([code, old, fresh]) => {
  const { changeChildren } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const made = (html) => Object.assign(document.createElement("div"), { innerHTML: html.join("<!---->") });
  const [box, wanted] = [made(old), made(fresh)];
  const before = [...box.childNodes];
  const html = wanted.innerHTML;
  changeChildren(box, ...wanted.childNodes);
  return [box.innerHTML === html, [...box.childNodes].filter((node) => before.includes(node)).length];
}"""


def same_ends(old: list[str], fresh: list[str]) -> int:
    """How many children are the same at the beginning, and how many of the rest at the end."""
    first = next((i for i, (a, b) in enumerate(zip(old, fresh, strict=False)) if a != b), min(len(old), len(fresh)))
    rest = [*zip(reversed(old[first:]), reversed(fresh[first:]), strict=False)]
    return first + next((i for i, (a, b) in enumerate(rest) if a != b), len(rest))


def parted(children: list[str]) -> list[str]:
    """The children as `DRAW` makes them: with a comment between two, so that no two texts are one."""
    return [part for child in children for part in ("<!---->", child)][1:]


def test_children_that_are_the_same_at_both_ends_stay(browser: Browser):
    page, code = browser.new_page(), script("shared/elements.js")

    @settings(max_examples=60, deadline=None)
    @given(CHILDREN, CHILDREN)
    def draws(old: list[str], fresh: list[str]) -> None:
        is_right, kept = page.evaluate(DRAW, [code, old, fresh])
        assert is_right
        assert kept == same_ends(parted(old), parted(fresh))

    draws()
    page.close()
