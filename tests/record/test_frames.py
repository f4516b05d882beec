"""Frames say at every step what the run itself says, asked one thing at a time."""

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.record.frames import PAIRS, WORDS, frames
from pages.parts.texts.corpora import example
from tests.texts import ALL_SETTINGS, TEXTS


def check(run, frame):
    step, tokens = frame.step, run.tokens
    pairs = [(tokens[left], tokens[right], count) for left, right, count, _ in frame.pairs]
    assert pairs == run.pair_counts(step, PAIRS)
    assert frame.different_pairs == len(run.pair_counts(step))
    assert frame.tokens == sum(len(word) * count for word, count in run.words(step))
    assert frame.changed == len(run.changed(step))
    if step < run.steps:
        merge = run.merges[step]
        roles = [(role, count == merge.count) for *_, count, role in frame.pairs]
        assert all((role != "other") == same for role, same in roles)
        assert all((tokens[a], tokens[b]) == merge[:2] for a, b, _, role in frame.pairs if role == "next")
    if step:
        merge = run.merges[step - 1]
        parts = run.contributions(step - 1, merge.left, merge.right)
        assert frame.parts == tuple((part.row, part.count) for part in parts[:WORDS])
        listed = {pair[:2] for pair in run.pair_counts(step - 1, PAIRS)}
        tied = [pair[:2] for pair in run.tied(step)[:PAIRS]]
        assert [(tokens[a], tokens[b]) for a, b in frame.tied] == [pair for pair in tied if pair in listed]


@given(TEXTS, ALL_SETTINGS, st.integers(0, 30), st.integers(0, 10))
def test_frames_of_any_steps_equal_the_run(text, chosen, first, more):
    run = train(text, chosen)
    first = min(first, run.steps)
    made = frames(run, first, min(first + more, run.steps))
    assert [frame.step for frame in made] == list(range(first, min(first + more, run.steps) + 1))
    for frame in made:
        check(run, frame)


def test_frames_of_every_step_of_a_story_equal_the_run():
    run = train(example("short-story").text, Settings(vocab_size=700))
    for frame in frames(run, 0, run.steps):
        check(run, frame)
