"""The meanings that a page shows at a pointer. `test_every_view` looks at what is drawn."""

from bpe_core.pictures.tokens.tokens_data import FIGURES
from bpe_core.settings import SETTINGS
from pages.parts.algorithms import model_tables
from pages.parts.tokens import scores
from pages.parts.ui.terms import TERMS


def test_every_meaning_ends_with_a_full_stop():
    meanings = [model_tables.OVERLAP, *FIGURES.values(), *model_tables.FIGURES.values()]
    meanings += [row.meaning for row in (*TERMS.values(), *scores.FIGURES)]
    meanings += [row.about for row in SETTINGS.values()]
    assert [meaning for meaning in meanings if not meaning.endswith(".")] == []
