"""Two live views: the tokens of a text; a token without a text, with the tree of its merges and the facts about it."""

from __future__ import annotations

from bpe_core.pictures.shared.script import source
from bpe_core.pictures.shared.style import TOKEN_STYLE, shade_rules
from bpe_core.pictures.shared.view import View

TOKENS = View(
    "tokens/token_view.js",
    source("tokens/token_view.html").replace("PANEL", source("tokens/panel.html")),
    TOKEN_STYLE
    + shade_rules("fill")
    + source(
        "shared/controls.css", "tokens/panel.css", "shared/slider.css", "shared/step_bar.css", "tokens/token_view.css"
    ),
)
TOKEN_BIOGRAPHY = View(
    "tokens/biography.js",
    source("tokens/panel.html") + '<p id="status" role="status"></p>',
    TOKEN_STYLE + shade_rules("fill") + source("shared/controls.css", "tokens/panel.css"),
)
