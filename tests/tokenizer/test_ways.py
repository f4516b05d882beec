"""The ways to write a text, beside trying each; large numbers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, Tokenizer, load, train
from bpe_core.files import dumps
from bpe_core.files.opening import read
from bpe_core.tokenizer.ways import MOST_BYTES, roughly
from tests.tokenizer.driver import SHORT, all_ways, small


@given(SHORT | st.text("aé🦜", max_size=2), st.sampled_from(["gpt2", "none"]))
def test_the_ways_are_all_sequences_of_ids(text, split):
    assert small(split).ways(text) == len(all_ways(small(split), text.encode()))


def test_special_tokens_do_not_count_and_two_ids_of_the_same_bytes_do():
    tok = train("ab ab", Settings("none", vocab_size=257)).tokenizer()
    assert tok.with_special_tokens("a<>").ways("a<>") == 1
    assert Tokenizer((*tok.tokens, b"ab"), tok.merges, tok.pretokenizer).ways("abab") == 9


def test_published_vocabularies_and_opened_files():
    tok = load("gpt2")
    for text in ("hello", " Pantom", "🦜", ""):
        assert tok.ways(text) == len(all_ways(tok, text.encode()))
    opened = read({"tokenizer.json": dumps(small("gpt2"))["tokenizer.json"]})
    assert opened.needs_library
    assert opened.ways("abc 'ab") == small("gpt2").ways("abc 'ab")
    assert tok.ways("a" * MOST_BYTES) > 10**2000


def test_what_is_not_counted():
    with pytest.raises(ValueError, match="up to 10,000 bytes, and this has 10,001"):
        load("gpt2").ways("é" * 5000 + "a")
    marked = train("hug", Settings("whitespace", word_marker="end", vocab_size=260)).tokenizer()
    with pytest.raises(ValueError, match="only where decoding puts the bytes of tokens together"):
        marked.ways("hug")


@given(st.integers(10**6, 10**12) | st.integers(0, 400).map(lambda power: 10**power * 995 - power))
def test_a_number_with_two_digits(number):
    written = roughly(number)
    if number < 1_000_000:
        assert int(written.replace(",", "")) == number
        return
    two, power = written.split(" × 10")
    unit = 10 ** (int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) - 1)
    tenths = int(two.replace(".", ""))
    assert 10 <= tenths <= 99
    assert abs(tenths * unit - number) * 2 <= unit
