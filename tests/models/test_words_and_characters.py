"""The word and the character level: the most frequent units, and nothing else."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import UNKNOWN, Settings
from bpe_core.corpus.counting import count_pretokens
from bpe_core.models import words_and_characters
from bpe_core.text.alphabet import encode_text
from tests.texts import NASTY, TEXTS


@given(TEXTS, st.integers(1, 30), st.sampled_from(list(words_and_characters.UNITS)))
def test_the_most_frequent_units_and_nothing_else(text, size, level):
    chosen = Settings("gpt2", "characters", vocab_size=size)
    counts = count_pretokens(text, chosen)
    model = words_and_characters.count(counts, chosen, level)
    every = [unit for word, n in counts.items() for unit in words_and_characters.UNITS[level](word) for _ in range(n)]
    found = Counter(every)
    assert len(model.tokens) == min(size, len(found))
    least = min((found[unit] for unit in found if encode_text(unit) in model.tokens), default=0)
    assert all(n <= least for unit, n in found.items() if encode_text(unit) not in model.tokens)
    for word in counts:
        units = list(words_and_characters.UNITS[level](word))
        ids = model.encode_word(word)
        assert len(ids) == len(units)
        for i, unit in zip(ids, units, strict=True):
            known = encode_text(unit) in model.tokens
            assert (model.tokens[i] == encode_text(unit)) if known else (i == UNKNOWN)


@pytest.mark.parametrize("text", NASTY)
def test_nasty_text(text):
    chosen = Settings("whitespace", "characters", vocab_size=10_000)
    counts = count_pretokens(text, chosen)
    for level in words_and_characters.UNITS:
        model = words_and_characters.count(counts, chosen, level)
        for word in counts:
            assert b"".join(model.tokens[i] for i in model.encode_word(word)) == encode_text(word)
