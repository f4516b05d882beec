"""What a film shows of a training in stages, besides the steps of one."""

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.live.film_data import LONG, RunSide
from bpe_core.live.film_sentences import before
from bpe_core.live.timeline import Block, Timeline, timeline
from bpe_core.record.all_stages import freed_pairs

SCENE = "to be, to be or not to be, not to be or to be\n'stuff 'stuff is's\n"
STAGED = Settings(vocab_size=268, then_across_words_from=260)


def test_a_timeline_has_all_stages_but_the_one_shown_and_what_training_started_from():
    run = train(SCENE, STAGED)
    first, last = Block("Within words", 4, 0), Block("Across words", 8, 1)
    assert timeline(run, run) == Timeline("across words", (first,), ())
    assert timeline(run, run.stages[0]) == Timeline("within words", (), (last,))
    assert timeline(run.stages[0], run.stages[0]) is None
    grown = train("The parrot", Settings(vocab_size=50_258), start=load("gpt2"))
    assert timeline(grown, grown) == Timeline("", (Block("The start", 50_000, None),), ())


@settings(max_examples=40)
@given(st.text("ab' .\n", max_size=30), st.integers(256, 260), st.sampled_from(["line", "none"]))
def test_walls_are_where_words_of_the_stage_before_began_unless_an_older_merge_has_joined_across(text, size, split):
    chosen = Settings("gpt2", vocab_size=270, then_across_words_from=size, then_split_by=split)
    run = train(text, chosen)
    for row, pretoken in enumerate(run.pretokens):
        tokens = run.words(0, [row])[0][0]
        words = run.stages[0].settings.splitter.strings(pretoken)
        begins = {len("".join(words[:i])) for i in range(1, len(words))}
        symbols = [i for i in range(1, len(tokens)) if len(b"".join(tokens[:i])) in begins]
        assert RunSide(run, "").walls([row]).get(row, []) == symbols


@pytest.mark.parametrize("split", ["line", "none"])
def test_freed_pairs_are_those_that_the_second_stage_has_and_the_first_had_not(split):
    run = train(SCENE, Settings(vocab_size=268, then_across_words_from=260, then_split_by=split))
    first = run.stages[0]
    had = {pair[:2] for pair in first.pair_counts(first.steps)}
    has = [pair[:2] for pair in run.pair_counts(0)]
    freed = {(run.tokens[left], run.tokens[right]) for left, right in freed_pairs(run).tolist()}
    assert freed == {*has} - had
    assert f"and {len(freed)} pairs that were blocked are candidates now." in before(run)
    frames = RunSide(run, "").chunk(0)["frames"]
    assert [pair in freed for pair in has[:15]] == [i in frames[0]["freed"] for i in range(len(has[:15]))]
    assert not frames[1]["freed"]
    assert not RunSide(first, "").chunk(0)["frames"][0]["freed"]


def test_of_a_line_without_end_the_walls_of_what_travels_are_found():
    run = train("it's so, " * 2000, Settings(vocab_size=258, then_across_words_from=257))
    side, symbols = RunSide(run, ""), run.words(0, [0])[0][0]
    begins = {sum(map(len, symbols[:i])) for i in range(LONG)}
    words = run.stages[0].settings.splitter.strings(run.pretokens[0])
    ends = [end for end in accumulate(map(len, words)) if end in begins]
    assert len(side.walls([0])[0]) == len(ends) > LONG / 4
    assert max(side.walls([0])[0]) < LONG == len(side.words([0])[0][2])
