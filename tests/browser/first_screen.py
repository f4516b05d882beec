"""Where the picture of a page begins, on the screens that it has to be on."""

from __future__ import annotations

from typing import NamedTuple

# How far from the top the picture begins: the first token, line of a text in parts, bar, chart or table. A token in a
# sentence about the picture is none.
FIRST = """() => {
  const PICTURE = `.token, .line .mark, .drawn svg, .timeline svg, .mark-rect path, .stDataFrame, table.parts,
    .sent .bar > i, [class*="st-key-tool-bar-"] .bar > i, #text [data-at]`;
  const tops = [];
  const look = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) look(each.shadowRoot);
      if (!each.matches(PICTURE) || each.matches("#sentence *")) continue;
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

# The visible words of a page, without those of its pictures (tokens, tables, text under study) and of the navigation.
WORDS = r"""() => {
  const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’.,%×-]*/gu;
  const PICTURES = ".token, .chips, .words, .row, table, svg, textarea, .merges, .history, .tokens, .pairs, .line";
  const NO_WORDS = `script, style, template, noscript, option, [data-testid=stIconMaterial], [translate=no],
    .st-key-navigation, .st-key-siblings`;
  const found = [];
  const add = (text, { width, height, left, right }) => {
    if (Math.min(width, height) >= 2 && right >= 0 && left <= innerWidth) found.push(...(text.match(WORD) ?? []));
  };
  const isHidden = (element) => {
    const { opacity, overflow, clipPath, display } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const isClipped = clipPath === "inset(50%)" || (overflow !== "visible" && Math.min(width, height) <= 1);
    const isShown = display === "contents" || element.checkVisibility({ visibilityProperty: true });
    return opacity === "0" || isClipped || !isShown;
  };
  const look = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const range = document.createRange();
        range.selectNodeContents(node);
        add(node.textContent, range.getBoundingClientRect());
      } else if (node.nodeType === Node.ELEMENT_NODE && !node.matches(`${NO_WORDS}, ${PICTURES}`) && !isHidden(node)) {
        if (node.tagName === "INPUT") add(node.value || node.placeholder, node.getBoundingClientRect());
        look(node);
        if (node.shadowRoot) look(node.shadowRoot);
      }
    }
  };
  look(document.body);
  return found;
}"""
# By the path of the page, 1440 pixels wide: two thirds of what version 1.1 had. Of a page that it did not have, and of
# the page with the four questions of the former start page: few more than the page needs.
MOST_WORDS = {
    "": 180,
    "train": 135,
    "compare": 227,
    "algorithms": 157,
    "chat": 110,
    "files": 130,
    "tokenizers": 110,
    "pipeline": 193,
    "learn": 130,
}
