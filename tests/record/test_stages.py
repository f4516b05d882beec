"""A training of several stages, whose steps count through them."""

import json
from dataclasses import fields, replace

import pytest

from bpe_core import Run, Settings, Tokenizer, dumps, load, loads, train
from bpe_core.record import run_file
from bpe_core.record.check import check
from bpe_core.record.run_file import RunFileError
from tests.some import later
from tests.texts import EXAMPLE_TEXTS

TEXT = EXAMPLE_TEXTS["short-story"]
CHOSEN = Settings(vocab_size=420, then_across_words_from=340, special_tokens=("<|>",))
RUN = train(TEXT, CHOSEN)


def test_steps_count_through_the_stages():
    first, second = RUN.stages
    assert RUN.steps == first.steps + second.steps == 420 - 257
    assert RUN.merges == first.merges + second.merges
    assert RUN.at(first.steps) == (second, 0)
    assert RUN.tied(first.steps) == first.tied(first.steps)
    assert RUN.tied(first.steps + 1) == second.tied(1)
    assert RUN.vocabulary(first.steps) == first.vocabulary(first.steps)
    assert RUN.tokenizer(first.steps - 1) == first.tokenizer(first.steps - 1)
    assert RUN.corpus_tokens.tolist() == [*first.corpus_tokens.tolist()[:-1], *second.corpus_tokens.tolist()]
    assert RUN.ties.tolist() == [merge.tied for merge in RUN.merges]
    with pytest.raises(ValueError, match="it has steps 0 to 163"):
        RUN.words(164)


def test_a_run_of_one_stage_has_the_arrays_of_its_record():
    run = train(TEXT)
    assert run.lifetimes is run.stages[0].lifetimes
    with pytest.raises(AttributeError, match="each of its 2 stages may have it"):
        RUN.lifetimes  # noqa: B018 (the error is the test)


def test_a_run_ends_with_a_stage():
    first = RUN.until(0)
    assert (first.steps, first.merges) == (83, RUN.stages[0].merges)
    assert first.words(83) == RUN.stages[0].words(83)
    assert RUN.until(1) is RUN
    assert first == train(TEXT, replace(RUN.settings, vocab_size=RUN.stages[0].vocab_size, then_across_words_from=0))
    for number in (-1, 2):
        with pytest.raises(ValueError, match=f"the run has 2 stages, from 0 on, and no stage {number}"):
            RUN.until(number)


def test_a_run_of_two_stages_on_a_file_is_saved_with_its_text_and_ends_with_a_stage_too(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    for given in (path, iter([TEXT])):
        run = train(given, RUN.settings)
        assert run.merges == RUN.merges
        for each in (run, run.until(0)):
            each.save(tmp_path / "run.json")
            assert Run.load(tmp_path / "run.json") == each


def test_blocked_pairs_become_candidates_where_the_walls_fall():
    first, second = RUN.stages
    blocked = next(pair for pair in first.blocked_pairs(first.steps) if b"\n" not in pair.left)
    assert blocked == second.pair_counts(0, top=1)[0]
    assert second.blocked_pairs(0, top=1)[0].left.endswith(b"\n")  # between lines


@pytest.mark.parametrize("step", [0, 50, 83, 84, 163])
def test_every_step_is_checked_within_its_stage(step):
    assert [finding.holds for finding in check(RUN, step)] == [True] * 3


def test_a_check_of_a_grown_vocabulary_finds_a_wrong_merge():
    run = train(TEXT, Settings(vocab_size=50270), start=load("gpt2"))
    assert [finding.holds for finding in check(run, 13)] == [True] * 3
    run = replace(run, stages=(replace(run.stages[0]),))
    run.lifetimes.counts[5] += 1
    assert [finding.holds for finding in check(run, 13)] == [True, True, False]


def test_saved_runs_come_back_with_all_stages(tmp_path):
    for chosen in (CHOSEN, Settings(vocab_size=50270, start="gpt2")):
        run = train(TEXT, chosen)
        again = Run.load(run.save(tmp_path / "run.json"))
        assert again.merges == run.merges
        assert again.settings == chosen
        assert again.tokenizer() == run.tokenizer()


CHARACTERS = train(TEXT + "🦜é", Settings("gpt2", "characters", vocab_size=120)).tokenizer()
# The starts differ in every field that a start may have.
STARTS = {
    "no merges": lambda: RUN.stages[0].tokenizer(0),
    "merges and special tokens": lambda: RUN.stages[0].tokenizer().with_special_tokens("<|a|>", "<|🦜|>"),
    "characters": lambda: CHARACTERS,
    "characters, normalized": lambda: replace(CHARACTERS, normalizers=("nfc",), unknown_id=3),
    "a file": lambda: loads(dumps(RUN.stages[0].tokenizer().with_special_tokens("<|a|>"))),
    "ranks, added tokens": lambda: replace(
        load("qwen"), shared_ranks=True, assumptions=("It is assumed.",), recognised="Qwen"
    ),
}


@pytest.mark.parametrize("name", [later(name) if name.startswith("ranks") else name for name in STARTS])
def test_a_run_that_grew_from_ones_own_tokenizer_comes_back_with_its_start(name, tmp_path):
    start = STARTS[name]()
    text = "low lower " * 4 + "".join(char for char in TEXT if char in TEXT[:200])
    size = start.vocab_size + 12
    for corpus in (text, {"one": text, "other": "low " * 5}):
        run = train(corpus, Settings(vocab_size=size), start=start) if size >= 256 else None
        run = run or train(corpus, Settings(vocab_size=size, start="given"), start=start)
        again = Run.load(run.save(tmp_path / "run.json"))
        assert again == run
        assert again.start == run.start == start.plain()
        assert (again.start.assumptions, again.start.recognised) == (start.assumptions, start.recognised)
        assert again.tokenizer() == run.tokenizer()
        assert again.tokenizer().ids(TEXT, specials=False) == run.tokenizer().ids(TEXT, specials=False)
    content = json.loads((tmp_path / "run.json").read_text())
    for damage in ({"merges": 5}, {"pretokenizer": "no such"}, {"tokens": ["zz"]}):
        (tmp_path / "bad.json").write_text(json.dumps({**content, "start": {**content["start"], **damage}}))
        with pytest.raises(RunFileError, match=r"bad\.json: the file is damaged"):
            Run.load(tmp_path / "bad.json")


def test_every_field_of_a_start_is_in_its_file():
    """But for those that a start has not: see `start_tokens.usable`."""
    never = {"word_marker", "prefix_space", "model", "scores"}
    assert {each.name for each in fields(Tokenizer)} == {*run_file.write_start(CHARACTERS), *never}


def test_memory_counts_all_stages_and_no_start():
    alone = train(TEXT, Settings(vocab_size=340, special_tokens=("<|>",)))
    assert RUN.nbytes > alone.nbytes
    ships = train("hug", Settings(vocab_size=50258, start="gpt2")).nbytes
    assert ships < 8_000_000
    assert train("hug", Settings(vocab_size=50258), start=load("gpt2")).nbytes > ships + 5_000_000  # in no other run
