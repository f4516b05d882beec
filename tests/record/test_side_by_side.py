"""The words that two runs cut differently, against comparing their tokens."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.record import side_by_side
from bpe_core.record.side_by_side import SideBySide, bare
from bpe_core.text.alphabet import MARKER, decode_bytes, encode_text
from tests.texts import NASTY, TEXTS

PAIRS = [
    (Settings("whitespace", "characters", vocab_size=40), Settings("gpt2", "characters", vocab_size=40)),
    (Settings("gpt2", "bytes", vocab_size=270), Settings("gpt2", "characters", vocab_size=30)),
    (Settings("gpt2", tie_rule="first-seen", vocab_size=270), Settings("gpt2", tie_rule="greatest", vocab_size=263)),
    (Settings("whitespace", "bytes", "end", vocab_size=270), Settings("bert", "characters", "end", vocab_size=40)),
    (Settings("whitespace", "bytes", "end", vocab_size=270), Settings("whitespace", "bytes", "start", vocab_size=270)),
]


def named(settings: Settings) -> str:
    return f"{settings.pretokenizer}-{settings.alphabet}-{settings.word_marker}-{settings.tie_rule}"


def cut(run, step):
    """Each word at a step: (the word without what stands around it, where it is cut inside)."""
    return [bare_cut(tokens) for tokens, _ in run.words(min(step, run.steps))]


def bare_cut(tokens):
    whole = b"".join(tokens).removeprefix(MARKER)
    before = len(b"".join(tokens)) - len(whole)
    whole = whole.removesuffix(MARKER)
    word = decode_bytes(whole)
    if word.strip():
        before += len(encode_text(word)) - len(encode_text(word.lstrip()))
        word = word.strip()
    cuts = (place - before for place in accumulate(map(len, tokens)))
    return word, frozenset(place for place in cuts if 0 < place < len(encode_text(word)))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{named(pair[0])} {named(pair[1])}")
@given(text=st.text(alphabet="ab é.1\n", max_size=80))
def test_equals_comparing_the_tokens(pair, text):
    left, right = (train(text, side) for side in pair)
    both = SideBySide(left, right)
    for step in range(both.steps + 1):
        one, other = cut(left, step), cut(right, step)
        rows, other_rows = both.differing(step)
        assert rows.tolist() == [i for i, tokens in enumerate(one) if tokens not in set(other)]
        assert other_rows.tolist() == [i for i, tokens in enumerate(other) if tokens not in set(one)]


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts(text):
    both = SideBySide(*(train(text, Settings(cut, vocab_size=280)) for cut in ("whitespace", "gpt2")))
    left, right = both.differing(both.steps)
    assert len(left) <= len(both.left.pretokens)
    assert len(right) <= len(both.right.pretokens)


def test_two_pretokenizers_that_split_alike_differ_nowhere():
    one, other, third = (train("a b. a", Settings(cut, vocab_size=280)) for cut in ("gpt2", "cl100k", "whitespace"))
    assert [len(rows) for rows in SideBySide(one, other).differing(1)] == [0, 0]
    assert [len(rows) for rows in SideBySide(one, third).differing(1)] != [0, 0]


def test_words_that_hold_each_other_stand_beside_each_other_in_a_long_list_too():
    words = [f"{first}{second}." for first in "abcdefghijklmnopqrst" for second in "abcdefghijklmnopqrst"]
    both = SideBySide(*(train(" ".join(words), Settings(cut, vocab_size=257)) for cut in ("whitespace", "gpt2")))
    left, right = both.left.pretokens, both.right.pretokens
    beside = [(left[row.left], bare(right[row.right])) for row in both.rows if None not in row]
    assert beside == [(word, word[:-1]) for word in words]


SPLITS = (st.sampled_from(["whitespace", "none", "bert"]), st.sampled_from(["gpt2", "cl100k"]))


@given(TEXTS, *SPLITS, st.sampled_from([1, side_by_side.NEAR]))
def test_every_word_of_both_runs_has_one_row(text, left, right, near):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_by_side, "NEAR", near)
        every_word_has_one_row(text, left, right)


def every_word_has_one_row(text, left, right):
    both = SideBySide(*(train(text, Settings(cut, vocab_size=270)) for cut in (left, right)))
    for run, column in ((both.left, 0), (both.right, 1)):
        assert sorted(row[column] for row in both.rows if row[column] is not None) == list(range(len(run.pretokens)))
    alike = [row for row in both.rows if row.alike]
    for step in range(both.steps + 1):
        differing = [set(rows.tolist()) for rows in both.differing(step)]
        assert not any(row.left in differing[0] or row.right in differing[1] for row in alike)
    assert all(bare(both.left.pretokens[row.left]) == bare(both.right.pretokens[row.right]) for row in alike)
