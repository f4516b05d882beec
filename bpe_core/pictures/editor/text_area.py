"""A text area as a live view. The data of the view are a text, and the version of the text (see `request`)."""

from __future__ import annotations

from bpe_core.pictures.shared.view import View, source

EDITOR = View(
    "editor/editor.js",
    '<label for="editor"></label>\n<textarea id="editor" spellcheck="false" autocapitalize="off" '
    'autocomplete="off"></textarea>',
    source("editor/editor.css"),
)
