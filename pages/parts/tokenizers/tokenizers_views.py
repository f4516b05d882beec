"""The views of Tokenizers: one vocabulary, and whether two tokenizers are the same."""

from __future__ import annotations

from pages.parts.tokenizers.sameness_view import sameness_view
from pages.parts.tokenizers.vocabulary_view import vocabulary_view
from pages.parts.ui.controls import PageView

VIEWS = {
    "vocabulary": PageView("Vocabulary", vocabulary_view, question="Which tokens are in the vocabulary?"),
    "same": PageView("Same?", sameness_view, question="Is it the same tokenizer?"),
}
