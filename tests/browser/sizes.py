"""The sizes of the texts on a page, and the heights of its controls."""

from __future__ import annotations

SIZES = {12, 14, 16, 18, 24, 36}  # pixels: `--size-…` in bpe_core/pictures/shared/style.py
HEIGHTS = {32, 40}  # `--low` and `--high`
# The sizes of all texts in sight, and the heights of all buttons, fields and menus, each with an example. What stands
# in a picture or in a sentence is no control: a token, a row, a bar, an explained word. A part of a field is none.
FOUND = """() => {
  const NO_CONTROL = `.token, .merge, .over button, .merges .block, .term, .link, [role=option],
    [data-testid=stNumberInput] button, [data-testid=stMultiSelect] :is(button, input),
    [data-testid=stSelectbox] button, .stTooltipIcon *, .stFileUploader *, [data-testid=stElementToolbar] *,
    [data-testid=stCode] button, .stAppHeader *, [class*=st-key-learn-question] *,
    [class*=st-key-tool-bar-] button`;
  const CONTROLS = `button, select, input:not([type=checkbox], [type=radio], [type=range], [type=file]),
    [data-testid=stPageLink-NavLink]`;
  const FIELD = `[data-testid=stNumberInputContainer], [data-testid=stTextInputRootElement],
    [data-baseweb=select] > div, [role=group]`;
  const NO_TEXT = "script, style, template, option, canvas *, [data-testid=stIconMaterial]";
  const sizes = {}, heights = {};
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const isThere = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return isThere && Math.min(width, height) > 1 && getComputedStyle(element).clipPath !== "inset(50%)";
  };
  const look = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) look(each.shadowRoot);
      if (each.matches(NO_TEXT) || !isShown(each)) continue;
      const name = `${each.tagName} ${each.getAttribute("class")} ${each.textContent.trim().slice(0, 30)}`;
      const hasText = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      const size = parseFloat(getComputedStyle(each).fontSize);
      if (hasText || each.matches("input, textarea, select")) sizes[size] ??= name;
      if (!each.matches(CONTROLS) || each.matches(NO_CONTROL)) continue;
      const box = (each.matches("input") && each.closest(FIELD)) || each;
      heights[box.getBoundingClientRect().height] ??= name;
    }
  };
  look(document);
  return [sizes, heights];
}"""
