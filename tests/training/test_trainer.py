"""The fast trainer against the textbook loop: the same merges, and the same corpus and counts at every step."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import TIE_RULES, Settings, SettingsError, reference, train, train_counts
from bpe_core.text.alphabet import MARKER
from tests.some import some
from tests.texts import ALL_SETTINGS, EXAMPLES, NASTY, TEXTS, textbook_train


def check_against_textbook(text: str, chosen: Settings, every: int = 1, steps: int | None = None) -> None:
    run = train(text, chosen)
    words, loop = textbook_train(text, chosen)
    seen = 0
    for step, (pair, count, after) in enumerate(loop, 1):
        if steps and step > steps:
            break
        seen = step
        merge = run.merges[step - 1]
        assert (merge.left, merge.right, merge.count) == (*pair, count), f"step {step}"
        if step % every == 0:
            counts = reference.count_pairs(words)
            tied = [pair for pair in counts if counts[pair] == count]
            assert merge.tied == len(tied)
            assert {pair[:2] for pair in run.tied(step)} == set(tied)
            assert run.tied(step)[0][:2] == pair
            assert {(a, b): n for a, b, n in run.pair_counts(step - 1)} == counts
            if TIE_RULES[chosen.tie_rule].by_site:  # `counts` has the pairs in the order in which they are seen
                assert [((a, b), n) for a, b, n in run.pair_counts(step - 1)] == sorted(
                    counts.items(), key=lambda each: -each[1]
                )
            assert run.pair_counts(step - 1, top=3) == run.pair_counts(step - 1)[:3]
            assert run.words(step - 1) == list(words.items()) or chosen.tie_rule == "corpus-order"
            assert dict(run.words(step - 1)) == words
        words = after
    if not steps:
        assert run.steps == seen
        assert run.stop_reason == "no pairs left"
        assert dict(run.words(seen)) == words
        assert run.pair_counts(seen) == []


@given(TEXTS, ALL_SETTINGS)
def test_equals_the_textbook_at_every_step(text, chosen):
    check_against_textbook(text, chosen)


@given(TEXTS, ALL_SETTINGS, st.integers(0, 4), st.integers(0, 60))
def test_a_smaller_vocabulary_has_the_first_merges_of_a_larger_one(text, chosen, frequent, most):
    """Rare pairs wait outside the queue; frequent words of one letter, which have no pair, mislead the guess."""
    text += "." + " a b c d e f g" * frequent
    whole = train(text, chosen)
    merges = min(most, whole.steps)
    part = train(text, replace(chosen, vocab_size=len(whole.tokens) - whole.steps + merges))
    assert part.merges == whole.merges[:merges]


@pytest.mark.parametrize("tie_rule", TIE_RULES)
@pytest.mark.parametrize("name", some(["short-story", "python-code", "many-languages"]))
def test_equals_the_textbook_on_real_text(name, tie_rule):
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    check_against_textbook(text, Settings(tie_rule=tie_rule, vocab_size=456), every=25, steps=200)


@given(st.text("ab", min_size=150, max_size=400), st.sampled_from(list(TIE_RULES)))
def test_equals_the_textbook_where_pairs_have_many_places(text, tie_rule):
    check_against_textbook(text, Settings("none", tie_rule=tie_rule, vocab_size=10_000), every=7)


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("pretokenizer", ["gpt2", "none"])
def test_nasty_text(text, pretokenizer):
    check_against_textbook(text, Settings(pretokenizer, vocab_size=300), every=10, steps=44 if len(text) > 40 else None)


def test_forced_choice_branches_the_run():
    plain = train("low low lower", Settings("whitespace", vocab_size=260))
    other = plain.tied(1)[1]
    branch = train("low low lower", Settings("whitespace", vocab_size=260, forced={1: other[:2]}))
    assert branch.merges[0][:2] == other[:2] != plain.merges[0][:2]
    assert branch.merges[0].tied == plain.merges[0].tied
    assert branch.steps == plain.steps


def test_a_forced_pair_is_tied_with_those_as_frequent_and_not_with_the_most_frequent():
    pair = (b"b", MARKER)
    run = train("bbb", Settings("none", "characters", "end", vocab_size=4, forced={1: pair}))
    (word,) = [word for word, _ in run.words(0)]
    counts = reference.count_pairs({word: 1})
    tied = {other for other in counts if counts[other] == counts[pair]}
    assert max(counts.values()) > counts[pair]
    assert {found[:2] for found in run.tied(1)} == tied
    assert run.merges[0].tied == len(tied)


def test_forced_pair_that_is_not_there_is_named():
    with pytest.raises(SettingsError, match=r"the pair q \+ u, chosen for step 2, does not occur there"):
        train("low lower", Settings(vocab_size=260, forced={2: (b"q", b"u")}))
    with pytest.raises(SettingsError, match=r"the pair q \+ _, chosen for step 1"):  # the marker is no byte of a text
        train("low", Settings("whitespace", "characters", "end", vocab_size=9, forced={1: (b"q", MARKER)}))


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"forced": {0: (b"a", b"b")}}, "forced has a pair at step 0: the first step is 1"),
        ({"forced": {"1": (b"a", b"b")}}, "forced has a pair at step '1': the first step is 1"),
        ({"special_tokens": "<s>"}, "special_tokens has to be a tuple of names, and is '<s>'"),
        ({"special_tokens": (b"<s>",)}, "special_tokens has to be a tuple of names"),
        ({"special_tokens": ("<s>", "<s>")}, "special_tokens must be different and not empty"),
        ({"normalizers": "nfc"}, "normalizers has to be a tuple of names, and is 'nfc'"),
    ],
)
def test_settings_that_no_training_could_use_are_refused(chosen, reason):
    with pytest.raises(SettingsError, match=reason):
        Settings(**chosen)


def test_lists_in_settings_are_as_good_as_tuples():
    lists = Settings(special_tokens=["<s>"], normalizers=["nfc"], forced={1: [b"a", b"b"]})
    tuples = Settings(special_tokens=("<s>",), normalizers=("nfc",), forced={1: (b"a", b"b")})
    assert (lists, hash(lists)) == (tuples, hash(tuples))


def test_min_count_ends_training():
    run = train("hug hug pug", Settings("whitespace", vocab_size=300, min_count=2))
    assert [merge.count for merge in run.merges] == [3, 2]
    assert run.stop_reason == "below min_count"


def test_vocabulary_below_the_alphabet():
    with pytest.raises(SettingsError, match="vocab_size 3 is below the 5 base symbols"):
        train("low lower", Settings("whitespace", alphabet="characters", vocab_size=3))


def test_progress_can_cancel():
    class CancelledError(Exception):
        pass

    def progress(phase, done, total):
        if phase == "merging":
            raise CancelledError

    with pytest.raises(CancelledError):
        train_counts({"low": 2}, Settings(vocab_size=300), progress)


@given(TEXTS, ALL_SETTINGS)
def test_counts_only_fall(text, chosen):
    run = train(text, chosen)
    counts = [merge.count for merge in run.merges]
    assert counts == sorted(counts, reverse=True)
    for step in range(run.steps):
        before = {pair[:2]: pair.count for pair in run.pair_counts(step)}
        made = run.merges[step].token
        for left, right, count in run.pair_counts(step + 1):
            if made not in (left, right):
                assert count <= before[left, right]
