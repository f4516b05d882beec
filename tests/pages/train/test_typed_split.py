"""Train shows a typed pattern: its alternatives, their pieces, and what GPT-2 cuts otherwise."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS
from bpe_core.text.custom_patterns import custom
from pages.parts.ui import cut_lists
from tests.pages.driver import html, open_page
from tests.some import later

TEXT = "I'll pay 1234 dollars, she'll pay"
PATTERN = {"pretokenizer": "custom", "pattern": r"\w+|[^\w\s]+|\s+", "word_marker": "none", "view": "split"}


def words(at) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html(at)))


def test_a_typed_pattern_shows_its_alternatives_and_the_pieces_that_change():
    at = open_page("pages/train.py", text=TEXT, **PATTERN)
    assert not at.exception
    shown = words(at)
    assert "Your pattern cuts this text into 16 pieces, by 3 of 3 alternatives" in shown
    assert "alternative 1 : letters, digits and underscores" in shown
    assert "GPT-2 cuts this text otherwise at 7 places." in shown


@pytest.mark.parametrize("pattern", ["(?:a+)+$|k", later("(a+)+$|k")])
def test_a_pattern_that_takes_too_long_is_one_sentence(monkeypatch, pattern):
    monkeypatch.setattr("bpe_core.text.custom_patterns.CUSTOM_SECONDS", 0.5)
    at = open_page("pages/train.py", text="a" * 1000 + "b", **PATTERN | {"pattern": pattern})
    assert not at.exception
    assert "The pattern takes too long on this text; make it simpler." in words(at)
    assert "Your pattern cuts" not in words(at)


def test_other_splits_have_no_such_view():
    at = open_page("pages/train.py", text=TEXT, view="split")
    assert not at.exception
    assert "Your pattern cuts" not in words(at)


@given(st.text("ab1 '!", max_size=12), st.sampled_from([r"\w+|[^\w\s]+|\s+", r"\s*\S+", ".", "ab|."]))
def test_the_places_cover_what_differs_and_nothing_else(text, pattern):
    ours, others = custom(pattern).split(text), PRETOKENIZERS["gpt2"].split(text)
    both = {(piece.start, piece.end) for piece in ours} & {(piece.start, piece.end) for piece in others}
    places = list(cut_lists.places(ours, others))
    assert sum(len(one) for one, _ in places) == len(ours) - len(both)
    assert sum(len(other) for _, other in places) == len(others) - len(both)
