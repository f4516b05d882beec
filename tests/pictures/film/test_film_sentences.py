"""What a film says of a run, in words."""

from dataclasses import replace

import pytest

from bpe_core import Settings, load, train
from bpe_core.pictures.film import film_sentences
from bpe_core.pictures.shared.training_in_words import first_sentence
from bpe_core.record.frames import frames
from bpe_core.training.lifetimes import STOP_REASONS
from tests.texts import example_text


@pytest.mark.parametrize("reason", STOP_REASONS)
def test_every_stop_reason_reads_as_a_sentence(reason):
    (run,) = train("hug hug pug", Settings(vocab_size=258)).stages
    said = film_sentences.stopped(replace(run, lifetimes=replace(run.lifetimes, stop_reason=reason)))
    if reason == "no pairs left":
        assert said == f"Done after {run.steps} merges: nothing left to join."
    else:
        assert said.endswith(" asked for.")
        assert "258" in said


def test_training_may_end_with_few_merges_or_none():
    newest = train(example_text("newest-widest"), Settings("whitespace", "characters", "end", vocab_size=21))
    assert film_sentences.stopped(newest) == "The vocabulary has the 21 tokens asked for."
    assert film_sentences.stopped(train("ab", Settings(vocab_size=300))) == "Done after 1 merge: nothing left to join."
    none = "There is no merge: no word has two symbols to join."
    assert film_sentences.stopped(train("a", Settings(vocab_size=300))) == none
    grown = train("the cat", Settings(start="gpt2", vocab_size=50_357))
    more = "There is no new merge: every word is one token already. Train on a longer text."
    assert film_sentences.stopped(grown) == more


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aaaa aaa", "seen 5 times: 3 in aaaa, 2 in aaa. They overlap: 3 were joined."),
        ("aaa", "seen 2 times: 2 in aaa. They overlap: 1 was joined."),
        ("abab", "seen 2 times: 2 in abab."),
    ],
)
def test_occurrences_that_overlap_are_said_to_join_once(text, said):
    (run,) = train(text, Settings("whitespace", vocab_size=257)).stages
    sentence = film_sentences.step_sentence(run, frames(run, 1, 1)[0])
    assert "".join(part if isinstance(part, str) else part.get("word", "") for part in sentence).endswith(said)


@pytest.mark.parametrize(("split", "unit"), [("gpt2", "word"), ("line", "line"), ("none", "text")])
def test_sentences_call_a_pretoken_what_it_is(split, unit):
    run = train("ab", Settings(split, vocab_size=300))
    assert first_sentence(run) == f"Before any merge: every {unit} is split into single symbols."
    assert film_sentences.summary(run)[0] == [f"No pair is left: every {unit} is one token."]
    single = film_sentences.stopped(train("a", Settings(split, vocab_size=300)))
    assert single == f"There is no merge: no {unit} has two symbols to join."


def test_a_start_is_named_only_if_its_name_is_known():
    said = "Before any new merge: every word is written in the tokens of {}."
    named = train("a parrot", Settings(start="gpt2", vocab_size=50_258))
    assert first_sentence(named) == said.format("GPT-2")
    given = train("a parrot", Settings(vocab_size=50_258), start=load("gpt2"))
    assert first_sentence(given) == said.format("the start")
