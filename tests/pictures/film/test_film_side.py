"""What a film sends to the browser is the run."""

import json
from base64 import b64decode

import numpy as np
import pytest

from bpe_core import Settings, train
from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_side import CHUNK, RunSide
from bpe_core.pictures.shared.drawing import step_drawing
from bpe_core.record.frames import PAIRS, frames
from tests.texts import EXAMPLE_TEXTS

RUN = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=500))
SIDE = RunSide(RUN, "_")


def unpacked(packed):
    return np.frombuffer(b64decode(packed["base64"]), f"<u{packed['bits'] // 8}").tolist()


def test_the_facts_are_the_merges():
    facts = SIDE.facts()
    tokens = [bytes.fromhex(token) for token in facts["base"]]
    for left, right in zip(unpacked(facts["left"]), unpacked(facts["right"]), strict=True):
        tokens.append(tokens[left] + tokens[right])
    assert tuple(tokens) == RUN.tokens
    assert unpacked(facts["counts"]) == RUN.lifetimes.counts.tolist()
    assert unpacked(facts["tied"]) == RUN.ties.tolist()


def test_a_side_of_the_first_steps_is_a_training_that_ended_there():
    side, short = RunSide(RUN, "_", 50), RunSide(train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=306)), "_")
    facts, of_short = side.facts(), short.facts()
    assert facts.pop("longest")  # they differ: of the longer training, a next step is named
    assert of_short.pop("longest")
    assert facts == of_short
    rows = range(len(RUN.pretokens))
    assert (side.words(rows), side.steps, side.token_count) == (short.words(rows), 50, 306)
    assert RunSide(RUN, "_", 10**9).digest == SIDE.digest != side.digest


def test_words_follow_from_what_travels():
    for row, count, symbols, lifetimes, more in SIDE.words(range(len(RUN.pretokens))):
        for step in (0, 1, 50, RUN.steps):
            tokens = [b""]
            for symbol, falls in zip(symbols, lifetimes, strict=True):
                if not 0 < falls <= step:
                    tokens.append(b"")
                tokens[-1] += RUN.tokens[symbol]
            assert RUN.words(step, [row]) == [(tuple(tokens[1:]), count)]
        assert not more


def test_a_chunk_has_its_frames_and_every_word_that_they_name():
    last = RUN.steps // CHUNK
    for number in (0, 1, last):
        chunk = json.loads(json.dumps(SIDE.chunk(number)))
        made = frames(RUN, CHUNK * number, min(CHUNK * (number + 1) - 1, RUN.steps))
        assert [frame["tokens"] for frame in chunk["frames"]] == [frame.tokens for frame in made]
        known = {word[0] for word in chunk["words"]}
        assert known == {row for frame in chunk["frames"] for row in frame["parts"]}
    assert len(SIDE.chunk(last)["frames"]) == RUN.steps % CHUNK + 1


def test_a_merge_that_a_person_chose_is_known_as_such():
    run = train("newest widest", Settings("whitespace", "characters", "end", forced={1: (b"s", b"t")}))
    assert RunSide(run, "_").facts()["yours"] == [1]
    for sentence in ("This pair was chosen by hand.", "Chosen by hand, not by the rule: s + t at step 1."):
        assert sentence in run.page().html + str(RunSide(run, "_").chunk(0)["frames"][1]["sentence"])
    assert any("Chosen by hand, not by the rule: s + t at step 1." in row for row in step_drawing(run, 3, "_").rows)
    assert "Chosen by hand, not by the rule" not in RUN.page().html


@pytest.mark.parametrize("forced", [{}, {1: (b"s", b"t")}])
def test_a_step_offers_the_pairs_that_tied_and_no_others(forced):
    run = train("newest widest west", Settings("whitespace", "characters", "end", forced=forced))
    for step in range(1, run.steps + 1):
        (frame,) = frames(run, step, step)
        tied = [(run.ids[left], run.ids[right]) for left, right, _ in run.tied(step)]
        assert [*frame.tied] == tied[:PAIRS]
        assert len(tied) == run.ties[step - 1], "the menu says how many more there are"
    assert len(run.tied(1)) > 1


def test_another_run_or_another_marker_has_another_digest():
    others = [RunSide(RUN, "Ġ"), RunSide(train("low low", Settings(vocab_size=258)), "_")]
    assert len({SIDE.digest, *(side.digest for side in others)}) == 3
    assert RunSide(RUN, "_").digest == SIDE.digest


@pytest.mark.parametrize(("words", "sort"), [(10, word_window.TEXT), (11, word_window.CHANGED)])
def test_changed_words_are_in_sight_unless_the_reader_chose_an_order(words, sort):
    run = train(" ".join(f"word{number}" for number in range(words)), Settings("whitespace", vocab_size=256))
    assert word_window.words(run).sort == sort
    assert word_window.words(run, sort=word_window.LONGEST).sort == word_window.LONGEST


def test_the_window_of_words():
    assert word_window.words(RUN).sort == word_window.CHANGED
    found = word_window.words(RUN, "light", word_window.FREQUENT)
    texts = [RUN.pretokens[row] for row in found.rows]
    assert texts
    assert all("light" in text.lower() for text in texts)
    assert found.note == f"{len(texts)} of {len(RUN.pretokens)} words match."
    assert word_window.words(train("b a", Settings("whitespace", vocab_size=300))).rows == [0, 1]


def test_a_film_that_ends_earlier_leaves_the_whole_film_its_last_chunk():
    run = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=300))
    assert [len(RunSide(run, "_", steps).chunk(2)["frames"]) for steps in (9, None)] == [2, 4]


def test_equal_ids_of_other_characters_are_another_film():
    chosen = Settings("whitespace", "characters", "end")
    assert RunSide(train("bat bat", chosen), "_").digest != RunSide(train("cat cat", chosen), "_").digest
