"""Merging in arrays against merging one word after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.text.byte_strings import byte_strings
from bpe_core.tokenizer import merging_arrays, text_pipeline, word_encoder
from bpe_core.tokenizer.merging import merged
from bpe_core.tokenizer.merging_arrays import MergeTable
from bpe_core.tokenizer.word_encoder import MOST_BYTES, Memo
from tests.texts import EXAMPLE_TEXTS, NASTY, TEXTS


@st.composite
def ranks(draw):
    """Any merges of a few symbols, their ranks in any order: loaded vocabularies are as odd."""
    pairs = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12, unique=True))
    order = draw(st.permutations(range(len(pairs))))
    return {pair: (rank, 3 + new) for new, (pair, rank) in enumerate(zip(pairs, order, strict=True))}


@pytest.mark.parametrize(("segment", "rounds", "piece"), [(2, 2, 1), (4, 1000, 1000), (8, 5, 3)])
def test_words_and_a_long_word(segment, rounds, piece, monkeypatch):
    monkeypatch.setattr(merging_arrays, "SEGMENT", segment)
    monkeypatch.setattr(merging_arrays, "ROUNDS", rounds)
    monkeypatch.setattr(merging_arrays, "PIECE", piece)

    @given(ranks(), st.lists(st.lists(st.integers(-1, 2), max_size=40), min_size=1, max_size=4))
    def check(known, words):
        table, sizes = MergeTable(known), np.array([len(word) for word in words])
        flat = np.array([i for word in words for i in word], np.int32)
        ends = np.cumsum(sizes)
        found = table.merge(flat, ends - sizes, ends)
        assert found.ids.tolist() == [i for word in words for i in merged(list(word), known)]
        assert table.merge_long(flat).ids.tolist() == merged(flat.tolist(), known)

    check()


@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
@pytest.mark.parametrize("cut", ["gpt2", "whitespace", "none", "o200k"])
def test_ids_are_the_same_in_arrays_and_word_by_word(cut, alphabet, monkeypatch):
    text = "".join(EXAMPLE_TEXTS.values())
    tok = train(text[:20_000], Settings(cut, alphabet, vocab_size=1000)).tokenizer()

    @given(st.lists(TEXTS | st.sampled_from(NASTY), max_size=3).map(" ".join), st.sampled_from([0, MOST_BYTES]))
    def check(some, most_bytes):
        with pytest.MonkeyPatch.context() as patch:
            expected = tok.ids(some)
            patch.setattr(text_pipeline, "SHORT", 0)
            patch.setattr(word_encoder, "VERY_LONG", 1)
            patch.setattr(word_encoder, "FEW_WORDS", 0)
            patch.setattr(word_encoder, "MERGES_A_WORD", len(tok.merges) + 1)
            tok.pipeline.encoder._memo.clear()
            tok.pipeline.encoder.ids_of_words(tok.pretokenizer.strings(some)[::2])  # then every second word is known
            patch.setattr(word_encoder, "MOST_BYTES", most_bytes)
            assert tok.ids(some) == tok.ids(some) == expected

    check()
    assert tok.ids(text) == [i for word in tok.pretokenizer.strings(text) for i in tok.encode_word(word)]


class Emptied(Memo):
    """A memo that another thread empties right after each look into it."""

    def get(self, word, default=None):
        found = super().get(word, default)
        self.clear()
        return found

    def __contains__(self, word):
        return self.get(word) is not None


def test_words_are_encoded_while_another_thread_empties_the_memo(monkeypatch):
    tok = train("hug hug pug pug bug", Settings(vocab_size=260)).tokenizer()
    expected = [tok.encode_word(word) for word in ("hug", " pug")]
    monkeypatch.setattr(word_encoder, "FEW_WORDS", 0)
    monkeypatch.setattr(word_encoder, "MERGES_A_WORD", 99)
    vars(tok.pipeline.encoder)["_memo"] = Emptied({"hug": expected[0]})
    assert tok.pipeline.encoder.encode_all(byte_strings([b"hug", b" pug"])) == [*map(tuple, expected)]


def test_the_memo_is_bounded_in_bytes():
    memo = Memo()
    for i in range(1000):
        memo.add(f"{i:06}", i, MOST_BYTES // 300)
        assert memo.size <= MOST_BYTES
    assert 0 < len(memo) < 300
    memo.add("a" * MOST_BYTES, 7, 0)
    assert "a" * MOST_BYTES not in memo
