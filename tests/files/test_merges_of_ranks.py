"""The merges of all tokens at a time are those of the textbook loop, whatever the ranks."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core.files import merges_of_ranks
from bpe_core.files.merges_of_ranks import merges_of, merges_one_by_one
from bpe_core.files.reading import MAX_ID
from bpe_core.published import PUBLISHED

LETTERS = [bytes([letter]) for letter in b"abc"]
WORDS = st.lists(st.one_of(st.text("abc", max_size=9), st.text("a", max_size=40)), max_size=30)
TOKENS = WORDS.map(lambda words: [word.encode() for word in words])
PREFIXES = [b"abcacbbca"[:end] for end in range(1, 10)]


@given(TOKENS, st.lists(st.integers(1, 9), min_size=40), st.booleans(), st.sampled_from([1, 7, 1 << 17]))
@example([b"bc", b"abc", b"ab"], [1], True, 7)  # halves that are ranked after their wholes
@example([b"abc", b"ab", b"bc"], [1], True, 7)
@example([b"ab", b"abc"], [1], False, 7)  # without the letters
@example([b"ab", b"abab", b"ab"], [1], True, 7)  # twice
@example([b"a" * length for length in range(2, 30)], [1], True, 7)
@example([b"a" * length for length in range(30, 1, -1)], [1], True, 7)
@example([*PREFIXES, b"ccc"], [3], True, 7)
@example([b"bca", b"abca"], [1], True, 7)  # a and bca, but bca is not made
@example([], [1], False, 7)
@example([b"", b"ab", b""], [1], True, 7)
@example([b"ab", b"abc"], [MAX_ID], True, 7)  # an id that no file may have
def test_merges_are_those_of_the_textbook_loop(tokens, gaps, with_letters, block):
    """Also in small blocks, and where all spans of the same letters have one hash."""
    tokens = [*(LETTERS if with_letters else ()), *tokens]
    ids = [sum(gaps[:place]) if place < len(gaps) else sum(gaps) + place for place in range(len(tokens))]
    order = list(zip(tokens, ids, strict=True))
    expected = merges_one_by_one(order)
    assert merges_of(order) == expected
    for base in (1, merges_of_ranks.BASE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(merges_of_ranks, "BASE", base)
            patch.setattr(merges_of_ranks, "BLOCK", block)
            assert merges_of(order) == expected


def test_a_span_with_the_hash_of_another_token_is_no_token(monkeypatch):
    """A hash is here the sum of the letters' numbers; each is one more than the byte."""
    monkeypatch.setattr(merges_of_ranks, "BASE", 1)
    monkeypatch.setattr(merges_of_ranks, "merges_one_by_one", None)  # for tokens of which two have one hash
    order = [*((letter, i) for i, letter in enumerate(LETTERS)), (b"ba", 3), (b"bac", 4), (b"abcc", 5)]
    assert merges_of(order) == ((1, 0, 3), (3, 2, 4))  # not a + b
    order = [(b"\0", 0), (b"\1", 1), (b"\5", 3), (b"\0\1\5", 4), (b"\2", 6)]
    assert merges_of(order) == ()  # not \0 + \1, which is as much as \2


def test_a_published_vocabulary_has_the_merges_of_its_ranks():
    tok = PUBLISHED["gpt2"].load()
    order = [(token, i) for i, token in enumerate(tok.tokens) if token and i not in tok.special_tokens.values()]
    assert merges_of(order) == merges_one_by_one(order) == tok.merges
