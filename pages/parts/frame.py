"""What every page begins with: its title, the style sheet and the way to the other pages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts import state
from pages.parts.theme import STYLE

PAGES = {
    "app.py": "Mergescope",
    "pages/playground.py": "Playground",
    "pages/train.py": "Train",
    "pages/compare.py": "Compare",
    "pages/pipeline.py": "Pipeline",
    "pages/algorithms.py": "Algorithms",
}
ICON = Path(__file__).parent / "icon.svg"
# A click on the name of a view would leave the focus there, where arrow keys and Space choose the next view instead of
# stepping. Whoever comes to the names by keyboard keeps the focus: such a click has no `detail`.
LEAVE_VIEWS = """<span></span><script>
if (!window.leavesViews) {
  window.leavesViews = true;
  document.addEventListener("click", (event) => {
    if (event.detail && event.target.closest("[data-testid=stButtonGroup]"))
      setTimeout(() => document.activeElement?.blur());
  }, true);
}
</script>"""


def page(path: str) -> None:
    """Open the page at `path`, a key of `PAGES`."""
    title = PAGES[path]
    st.set_page_config(
        page_title=title if path == "app.py" else f"{title} · Mergescope", page_icon=str(ICON), layout="wide"
    )
    st.html(f"<style>{STYLE}</style>")
    with st.container(horizontal=True, gap="small", key="navigation"):
        for target, name in PAGES.items():
            st.page_link(target, label=f"**{name}**" if target == path else name)
        st.html(LEAVE_VIEWS, width=1, unsafe_allow_javascript=True)


def remarks(page: str) -> None:
    """Say what the page could not do as asked."""
    for remark in state.remarks(page):
        st.info(remark)
