"""Counting in arrays against counting the pretokens of the definition."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.corpus import counting
from bpe_core.corpus.counting import count_pretokens
from bpe_core.text import pretoken_arrays
from bpe_core.text.special_tokens import segments
from tests.texts import EXAMPLES, NASTY, SPACED, TEXTS


@pytest.fixture(autouse=True, params=[5, pretoken_arrays.CHUNK])
def chunk_size(request, monkeypatch):
    monkeypatch.setattr(pretoken_arrays, "CHUNK", request.param)
    monkeypatch.setattr(counting, "SHORT", 0)


@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_counts_and_order_equal_those_of_the_rules(key):
    @given(SPACED | TEXTS | st.sampled_from(NASTY))
    def check(text):
        plain = Counter(pretoken.text for pretoken in PRETOKENIZERS[key].split(text))
        assert list(count_pretokens(text, Settings(key)).items()) == list(plain.items())

    check()


@pytest.mark.parametrize("key", PRETOKENIZERS)
@pytest.mark.parametrize("name", ["short-story", "python-code", "many-languages", "numbers-dates"])
def test_real_text(name, key):
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    plain = Counter(pretoken.text for pretoken in PRETOKENIZERS[key].split(text))
    assert list(count_pretokens(text, Settings(key)).items()) == list(plain.items())


def test_several_texts_do_not_run_together():
    assert count_pretokens(["lo", "w"], Settings("none")) == {"lo": 1, "w": 1}


def test_special_tokens_are_not_counted():
    chosen = Settings("whitespace", special_tokens=("<end>",))
    assert count_pretokens("low<end>low <end>", chosen) == {"low": 2}


@given(TEXTS)
def test_segments_join_to_the_text(text):
    assert "".join(piece for piece, _, _ in segments(text, ("ab", "a"))) == text
