"""What axe finds on a page, as one line a finding."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Streamlit's own frame and widgets, which no page of ours can change.
NOT_OURS = (
    "stAppToolbar",
    "stHeader",
    "stMainMenu",
    "stToolbar",
    "stStatusWidget",
    "stDecoration",
    "stFileUploaderDropzo",  # so axe shortens what it quotes
)


def findings(page: Page) -> list[str]:
    """Each violation with its first element."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    rows = [(rule["id"], f"{node['target']} {node['html'][:160]}") for rule in found for node in rule["nodes"]]
    return [f"{rule}: {where}" for rule, where in rows if not any(name in where for name in NOT_OURS)]
