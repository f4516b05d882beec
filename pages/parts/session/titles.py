"""What the screen calls the values of the pages: on their controls, and where a link has one that cannot be used."""

from __future__ import annotations

from pages.parts.session.links import SIDES

# Those that are not called by their names.
TITLES = {
    "normalizers": "Normalizers",
    "pretokenizer": "Split by",
    "pattern": "Pattern",
    "alphabet": "Alphabet",
    "word_marker": "Word marker",
    "glyph": "Marker symbol",
    "tie_rule": "When pairs tie, take …",
    "vocab_size": "Vocabulary size",
    "min_count": "Stop when a pair is rarer than",
    "special_tokens": "Special tokens",
    "forced": "other tied pairs",
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
    """What the screen calls a value.

    >>> titled("vocab_size"), titled("left_pretokenizer"), titled("round")
    ('Vocabulary size', 'Left: split by', 'round')
    """
    side, _, of_side = name.partition("_")
    if side not in SIDES:
        return TITLES.get(name, name)
    title = titled(of_side)
    return f"{side.capitalize()}: {title[0].lower()}{title[1:]}"
