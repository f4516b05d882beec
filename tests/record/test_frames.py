"""Frames say at every step what the run itself says, asked one thing at a time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.pictures.film.film_side import CHUNK, RunSide
from bpe_core.pictures.film.start_side import StartSide
from bpe_core.record.frames import PAIRS, WORDS, all_frames, frames, words_merged
from bpe_core.record.start_merges import start_merges
from bpe_core.ties import TIE_RULES
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
        ahead = [(tokens[a], tokens[b]) for a, b, _, role in frame.pairs if role == "next"]
        assert ahead == [pair[:2] for pair in pairs if pair[:2] == merge[:2]]
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


@pytest.mark.parametrize("rule", TIE_RULES)
@given(text=TEXTS, chosen=ALL_SETTINGS, last=st.integers(0, 60))
def test_one_pass_has_the_frames_of_all_steps(text, chosen, last, rule):
    (run,) = train(text, replace(chosen, tie_rule=rule)).stages
    last = min(last, run.steps)
    for frame in frames(run, 0, last):
        check(run, frame)
    assert list(all_frames(run, last)) == frames(run, 0, last)


@given(TEXTS, ALL_SETTINGS, st.sets(st.integers(0, 60), max_size=5))
def test_the_words_of_some_steps_are_those_of_their_frames(text, chosen, steps):
    run = train(text, chosen)
    few = sorted(step for step in steps if step <= run.steps)
    of_frames = [(frame.parts, frame.changed) for step in few for frame in frames(run, step, step)]
    assert words_merged(run, np.array(few, dtype=np.int64)) == of_frames


STAGED = [
    Settings("gpt2", vocab_size=300, then_across_words_from=280),
    Settings("gpt2", vocab_size=300, then_across_words_from=262, tie_rule="greatest"),
    Settings("gpt2", vocab_size=50_270, start="gpt2"),
    Settings("gpt2", vocab_size=50_280, start="gpt2", then_across_words_from=50_262),
    Settings("whitespace", "characters", "end", vocab_size=60, forced={1: (b"a", b"b")}),
]


@given(TEXTS.map(lambda text: f"ab ba {text} ab ba"), st.sampled_from(STAGED), st.sampled_from([None, 0, 3, 4, 7, 8]))
def test_all_chunks_of_a_film_at_once_are_its_chunks(text, chosen, steps):
    run = train(text, chosen)
    sides = [RunSide(run, "_", steps, number) for number in range(len(run.stages))]
    if run.start is not None:
        sides.append(StartSide(start_merges(run.stages[0]), "GPT-2", "_", steps))
    for side in sides:
        assert list(side.chunks()) == [side.chunk(number) for number in range(side.steps // CHUNK + 1)]


def test_words_that_move_at_every_step_are_in_the_order_of_the_rule():
    (run,) = train(example("short-story").text, Settings("gpt2", tie_rule="corpus-order", vocab_size=500)).stages
    assert list(all_frames(run, run.steps)) == frames(run, 0, run.steps)


def test_frames_of_every_step_of_a_story_equal_the_run():
    run = train(example("short-story").text, Settings(vocab_size=700))
    for frame in frames(run, 0, run.steps):
        check(run, frame)
