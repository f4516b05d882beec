"""The small scripts inside pages. The scripts are constants, since the content policy lists them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import streamlit as st
from markupsafe import Markup

from pages.parts.server.limits import LIMITS

TAB_COPY = "mergescope.text"  # the key of the tab's copy of the text in its `sessionStorage`; in editor.js as well

_FOLDER = Path(__file__).parent
_UNDER = ("algorithms", "pipeline")  # the addresses of pages under the title of another page: `under` in page/frame.py
PAGE = (
    (_FOLDER / "page.js")
    .read_text(encoding="utf-8")
    .replace("MODEL_MB", str(LIMITS.model_mb))
    .replace("PAGES_UNDER", json.dumps(_UNDER))
)
HISTORY = (_FOLDER / "history.js").read_text(encoding="utf-8")  # in the document, before Streamlit's scripts
# The script keeps the page's link in the tab, for a reload: the address has nothing that was typed.
# `address_bar.publish` draws the element, and page/share.js reads what is kept.
KEEP_LINK = """
try {
  const links = [...document.querySelectorAll("[data-link]")].map((element) => element.dataset);
  const { page, link } = links.reduce((one, other) => (other.at > one.at ? other : one));
  sessionStorage.setItem(`mergescope.link ${page}`, link);
} catch {
  // The storage is full or forbidden: a reload loses what was typed.
}
"""
# The script moves the focus to the element whose id is in the attribute `data-focus-on`, or scrolls to the top of the
# page. Streamlit runs a script again when something new is drawn above it, so the script checks that the move is new.
MOVE_FOCUS = """
{
  const mark = document.querySelector("[data-focus-on]")?.dataset;
  if (mark && mark.move !== window.mergescopeMove) {
    window.mergescopeMove = mark.move;
    document.getElementById(mark.focusOn)?.focus({ preventScroll: Boolean(mark.focusTop) });
    if (mark.focusTop) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  }
}
"""
_NOTHING = Markup("<span></span>")  # stands beside a script: Streamlit draws no script alone
ALL = (PAGE, HISTORY, KEEP_LINK, MOVE_FOCUS)


def run(script: str, beside: Markup = _NOTHING, width: Literal["stretch"] | int = "stretch") -> None:
    """Run a script of `ALL` once the element `beside` is on the page, and again when `beside` changes or moves."""
    st.html(f"{beside}<script>{script}</script>", width=width, unsafe_allow_javascript=True)
