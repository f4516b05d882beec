"""Trainings on parts of a text: what they have in common with the training on the whole."""

import pytest

from bpe_core import Settings, SettingsError, load, train
from bpe_core.record.enough_text import EVERY, HELD_OUT, _pieces, amounts
from tests.texts import EXAMPLE_TEXTS

TEXT = EXAMPLE_TEXTS["short-story"]
SETTINGS = Settings("gpt2", vocab_size=400)


def test_each_figure_is_that_of_a_training_of_its_own():
    pieces = _pieces(TEXT)
    assert "".join(pieces) == TEXT
    unseen = "".join(pieces[HELD_OUT - 1 :: HELD_OUT])
    seen = [piece for number, piece in enumerate(pieces, 1) if number % HELD_OUT]
    found = amounts(TEXT, SETTINGS)
    assert found.held_out == len(unseen)
    assert sum(map(len, seen)) + len(unseen) == len(TEXT)
    whole = train("".join(seen), SETTINGS)
    for every, amount in zip(EVERY, found.parts, strict=True):
        run = train("".join(seen[::every]), SETTINGS)
        tokens, all_tokens = ({merge.token for merge in each.merges} for each in (run, whole))
        assert amount.part * every == 1
        assert (amount.characters, amount.merges) == (len("".join(seen[::every])), run.steps)
        assert amount.same == len(tokens & all_tokens) / len(tokens | all_tokens)
        assert amount.bytes_per_token == len(unseen.encode()) / len(run.tokenizer().encode(unseen).ids)
    assert found.parts[-1].same == 1


def test_more_text_makes_more_of_the_same_tokens():
    same = [amount.same for amount in amounts(TEXT, SETTINGS).parts]
    assert same == sorted(same)
    assert same[0] < 0.9


def test_a_choice_of_pairs_does_not_bind_a_part():
    run = train(TEXT, SETTINGS)
    step = next(step for step in range(1, run.steps + 1) if len(run.tied(step)) > 1)
    pair = run.tied(step)[1]
    chosen = Settings("gpt2", vocab_size=400, forced={step: (pair.left, pair.right)})
    assert amounts(TEXT, chosen) == amounts(TEXT, SETTINGS)


def test_parts_of_a_training_that_starts_from_tokens():
    found = amounts(TEXT, Settings(vocab_size=50_270), start=load("gpt2"))
    assert [amount.merges for amount in found.parts] == [3, 6, 11, 13]  # an eighth has no more pairs to join


@pytest.mark.parametrize("text", ["", "low " * 100])
def test_a_text_that_is_too_short(text):
    with pytest.raises(ValueError, match="too short to train on parts of it"):
        amounts(text, SETTINGS)


def test_a_vocabulary_that_is_too_small():
    with pytest.raises(SettingsError):
        amounts(TEXT, Settings(vocab_size=200))


def test_a_text_without_white_space():
    assert amounts("ab" * 2000, Settings("none", vocab_size=260)).parts[-1].same == 1
