"""What every page begins with: its title, the style sheet and the way to the other pages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.session import state
from pages.parts.views.theme import STYLE

PAGES = {
    "app.py": "Mergescope",
    "pages/playground.py": "Playground",
    "pages/train.py": "Train",
    "pages/compare.py": "Compare",
    "pages/pipeline.py": "Pipeline",
    "pages/algorithms.py": "Algorithms",
    "pages/learn.py": "Learn",
}
ICON = Path(__file__).parent / "icon.svg"
ABOUT = "Mergescope shows byte-pair encoding at work, step by step. Everything on the screen can be checked there."
SCRIPT = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")


def page(path: str) -> None:
    """Open the page at `path`, a key of `PAGES`."""
    title = PAGES[path]
    st.set_page_config(
        page_title=title if path == "app.py" else f"{title} · Mergescope",
        page_icon=str(ICON),
        layout="wide",
        menu_items={"About": ABOUT},  # with an entry of its own, Streamlit's menu is shown, and with it the themes
    )
    st.html(f"<style>{STYLE}</style>")
    with st.container(horizontal=True, gap="small", key="navigation"):
        for target, name in PAGES.items():
            st.page_link(target, label=f"**{name}**" if target == path else name)
        st.html(f"<span></span><script>{SCRIPT}</script>", width=1, unsafe_allow_javascript=True)


def remarks(page: str) -> None:
    """Say what the page could not do as asked."""
    for remark in state.remarks(page):
        st.info(remark)
