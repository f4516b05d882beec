"""Where the picture of a page begins, on the screens that it has to be on."""

from __future__ import annotations

from typing import NamedTuple

# How far from the top the first token, line of a text in parts, or chart begins.
FIRST = """() => {
  const tops = [];
  const look = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) look(each.shadowRoot);
      if (!each.matches(".token, .line .mark, .drawn svg, .timeline svg")) continue;
      const { top, width, height } = each.getBoundingClientRect();
      if (width && height) tops.push(top + scrollY);
    }
  };
  look(document);
  return Math.min(...tops);
}"""
TOKEN = 24  # pixels: so much of it is to be seen


class Screen(NamedTuple):
    width: int
    height: int
    most: int  # pixels from the top


# As it comes, at a zoom of 200 %, and a phone.
SCREENS = Screen(1280, 800, 350), Screen(720, 450, 450 - TOKEN), Screen(390, 844, 844 - TOKEN)
