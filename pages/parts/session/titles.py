"""The titles of the pages' values: on their controls, and in the remarks on a link."""

from __future__ import annotations

from bpe_core.settings import SETTINGS
from pages.parts.session.links import SIDES

# Values without a title here are called by their names.
TITLES = {name: row.title for name, row in SETTINGS.items()} | {
    "glyph": "Marker symbol",
    "corpus": "example",
    "text": "your text",
    "held": "Held-out text",
    "held_text": "your held-out text",
    "second": "second text",
    "sentence": "text to tokenize",
    "try": "text to try",
    "training": "the text that the vocabulary was trained on",
    "against": "tokenizers side by side",
    "all_words": "All words",
    "spaces": "Spaces",
    "tokenizer": "Tokenizer",
    "specials": "Special tokens",
    "ids": "Ids",
    "marks": "Show spaces as · and line ends as ⏎",
    "window": "context window",
    "price": "price per million",
    "model": "Model",
    "template": "Template",
    "view": "View",
    "find": "Find",
    "words": "Find in words",
    "sort": "Sort the words",
    "sought": "Search",
    "among": "Search in",
    "kind": "Show",
    "script": "Script",
    "order": "Sort",
    "seed": "number that draws the questions",
}


def titled(name: str) -> str:
    """Return the title of a value on the screen.

    >>> titled("vocab_size"), titled("left_pretokenizer"), titled("round")
    ('Vocabulary size', 'Left: split by', 'round')
    """
    side, _, of_side = name.partition("_")
    if side not in SIDES:
        return TITLES.get(name, name)
    title = titled(of_side)
    return f"{side.capitalize()}: {title[0].lower()}{title[1:]}"
