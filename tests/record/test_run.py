"""Looking into a run: where a pair's count comes from, what is used, what the cuts prevent."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Settings, train, train_counts
from bpe_core.record.run_training import train_with_index
from tests.texts import ALL_SETTINGS, EXAMPLES, TEXTS


@given(TEXTS, ALL_SETTINGS, st.integers(0, 40))
def test_contributions_make_up_the_count(text, chosen, step):
    run = train(text, chosen)
    step = min(step, run.steps)
    for left, right, count in run.pair_counts(step, top=5):
        parts = run.contributions(step, left, right)
        assert sum(part.count for part in parts) == count
        for tokens, n, row in parts:
            assert n == list(pairwise(tokens)).count((left, right)) * run.pretoken_counts[row]
            assert run.words(step, [row]) == [(tokens, run.pretoken_counts[row])]


@given(TEXTS, ALL_SETTINGS, st.integers(0, 40))
def test_figures_of_a_step_equal_a_recount(text, chosen, step):
    run = train(text, chosen)
    step = min(step, run.steps)
    uses = Counter()
    for tokens, count in run.words(step):
        for token in tokens:
            uses[token] += count
    assert {run.tokens[i]: n for i, n in enumerate(run.token_uses(step).tolist()) if n} == uses
    assert run.corpus_tokens[step] == uses.total()
    assert run.vocabulary(step) == dict(enumerate(run.tokens[: run.base + step]))
    if step:
        before, after = run.words(step - 1), run.words(step)
        assert run.changed(step).tolist() == [i for i in range(len(before)) if before[i] != after[i]]
    assert run.words(step, range(len(run.pretokens))) == run.words(step)


@given(TEXTS, st.sampled_from(list(PRETOKENIZERS)), st.integers(0, 30))
def test_blocked_pairs_are_what_touches_across_a_cut(text, pretokenizer, step):
    run = train(text, Settings(pretokenizer, vocab_size=300))
    step = min(step, run.steps)
    words = dict(zip(run.pretokens, (tokens for tokens, _ in run.words(step)), strict=True))
    blocked = Counter()
    for one, other in pairwise(PRETOKENIZERS[pretokenizer].split(text)):
        if one.end == other.start:
            blocked[words[one.text][-1], words[other.text][0]] += 1
    for tokens, count in run.words(step):
        for pair in pairwise(tokens):
            if pair in blocked:
                blocked[pair] += count
    assert {(left, right): count for left, right, count in run.blocked_pairs(step)} == blocked


def test_blocked_pairs_need_the_text():
    with pytest.raises(ValueError, match="blocked pairs need the text"):
        train_counts({"low": 1}, Settings()).blocked_pairs(0)


def test_an_index_is_computed_with_the_training():
    run = train_with_index("low low lower", Settings("whitespace"))
    assert {"history", "ties"} <= vars(run.stages[0]).keys()


def test_a_token_may_go_out_of_use():
    run = train("est est est", Settings("whitespace", "characters", vocab_size=5))
    assert run.token_uses(2)[run.ids[b"es"]] == 0


@pytest.mark.parametrize("step", [-1, 745])
def test_steps_outside_the_run(step):
    run = train((EXAMPLES / "short-story.txt").read_text(encoding="utf-8"), Settings(vocab_size=1000))
    for method in (run.words, run.pair_counts, run.vocabulary, run.tokenizer, run.tied, run.changed):
        with pytest.raises(ValueError, match="it has steps 0 to 744"):
            method(step)


def test_several_workers_count_the_same(monkeypatch):
    monkeypatch.setattr("bpe_core.corpus.text_batches.CHUNK", 5000)
    text = (EXAMPLES / "many-languages.txt").read_text(encoding="utf-8") * 5
    chosen = Settings(vocab_size=600, special_tokens=("tea",))
    one, many = train(text, chosen), train(text, chosen, workers=3)
    assert one.pretokens == many.pretokens
    assert one.merges == many.merges
