"""Counting in arrays against counting the pretokens of the definition."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.corpus import counting, text_batches
from bpe_core.corpus.counting import count_pretokens
from bpe_core.text import pretoken_arrays
from bpe_core.text.normalizers import NORMALIZERS, normalized
from bpe_core.text.special_tokens import segments
from tests.some import later, some
from tests.texts import EXAMPLE_TEXTS, NASTY, SPACED, TEXTS


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(pretoken_arrays, "CHUNK", 5)
    monkeypatch.setattr(text_batches, "CHUNK", 20)
    monkeypatch.setattr(counting, "SHORT", 0)


@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_counts_and_order_equal_those_of_the_rules(key):
    @given(SPACED | TEXTS | st.sampled_from(NASTY))
    def check(text):
        plain = Counter(pretoken.text for pretoken in PRETOKENIZERS[key].split(text))
        assert list(count_pretokens(text, Settings(key)).items()) == list(plain.items())

    check()


@pytest.mark.parametrize("key", PRETOKENIZERS)
@pytest.mark.parametrize("chunk", [100, later(pretoken_arrays.CHUNK)])
def test_real_text(key, chunk, monkeypatch):
    monkeypatch.setattr(pretoken_arrays, "CHUNK", chunk)
    monkeypatch.setattr(text_batches, "CHUNK", 4 * chunk)
    text = "\n".join(EXAMPLE_TEXTS.values())
    plain = Counter(pretoken.text for pretoken in PRETOKENIZERS[key].split(text))
    assert list(count_pretokens(text, Settings(key)).items()) == list(plain.items())


NAMES = ("<s>", " a", "\n", "b c")
PATTERNS = [r"\w+|\W+", r"^.|.$", r"(?s).{1,3}"]
WAYS = {
    **{key: Settings(key) for key in PRETOKENIZERS},
    **{f"custom {pattern}": Settings("custom", pattern=pattern) for pattern in PATTERNS},
    **{f"{key} with special tokens": Settings(key, special_tokens=NAMES) for key in ("gpt2", "cl100k", "none")},
    **{f"o200k after {key}": Settings("o200k", normalizers=(key,)) for key in NORMALIZERS},
    "all": Settings("bert", special_tokens=NAMES, normalizers=("nfd", "bert")),
}
# Beginnings and ends that would mean something else beside another text.
EDGES = ["", "a", " ", "\n", "\r", "\n ", "\u0301", "'", "s", "1", "/", "!", "\ud83e", "\udd9c", "<", "s>"]
LISTS = st.lists(st.sampled_from(EDGES) | SPACED | TEXTS | st.sampled_from(NASTY), max_size=20)


@pytest.mark.parametrize("way", some(WAYS))
def test_texts_are_counted_as_each_by_itself(way):
    chosen = WAYS[way]

    @given(LISTS, st.sampled_from([1, 3]))
    def check(texts, workers):
        plain: Counter[str] = Counter()
        for text in texts:
            for segment, _, special in segments(text, chosen.special_tokens):
                if not special:
                    plain.update(chosen.splitter.strings(normalized(segment, chosen.normalizers)))
        for corpus in (texts, iter(texts)):
            assert list(count_pretokens(corpus, chosen, workers=workers).items()) == list(plain.items())

    check()


def test_special_tokens_are_not_counted():
    chosen = Settings("whitespace", special_tokens=("<end>",))
    assert count_pretokens("low<end>low <end>", chosen) == {"low": 2}


@given(TEXTS)
def test_segments_join_to_the_text(text):
    assert "".join(piece for piece, _, _ in segments(text, ("ab", "a"))) == text
