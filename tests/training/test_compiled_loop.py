"""The compiled loop: the same lifetimes as the trainer's and the textbook's, in plain Python and as machine code."""

import os
import sys
import tracemalloc
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, SettingsError, load, train
from bpe_core.corpus.counting import count_words
from bpe_core.processes.child import Task
from bpe_core.record.run_training import train_with_index
from bpe_core.record.start_tokens import symbols_from
from bpe_core.text.alphabet import flatten
from bpe_core.training import compiled_trainer, compiling, loops
from bpe_core.training.compiled_loop import Loop
from bpe_core.training.compiled_trainer import CompiledTrainer
from bpe_core.training.lifetimes import Lifetimes
from bpe_core.training.trainer import Trainer
from tests.texts import ALL_SETTINGS, CORPUS, EXAMPLE_TEXTS, TEXTS, textbook_train

PLAIN = Loop()  # not compiled
COMPILED = ALL_SETTINGS.filter(lambda chosen: chosen.tie_rule in loops.COMPILED_RULES)
REPEATS = st.text("ab", min_size=20, max_size=200) | st.text("abc d", max_size=200) | TEXTS


@pytest.fixture(scope="module")
def machine_code(tmp_path_factory):
    """The loop compiled here, whatever the tests' environment says, into a cache from which children load it.

    It is compiled once, by `practice`: arrays of other types would be compiled anew, in a server's thread.
    """
    numba = pytest.importorskip("numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("NUMBA_DISABLE_JIT", "0")
        patch.setattr(numba.config, "DISABLE_JIT", 0)
        loop = compiling.compile_into(compiling.cache_folder() / compiling._version())
        yield loop
    assert [len(each.signatures) for each in loop] == [1, 1]


@contextmanager
def always(loop):
    """Every training that the compiled loop can do is done by it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops.LOOP, "for_training", lambda seconds: loop)
        yield


def check_same(one: Lifetimes, other: Lifetimes) -> None:
    for column in fields(Lifetimes):
        assert np.array_equal(getattr(one, column.name), getattr(other, column.name)), column.name


def check_both(text: str, chosen: Settings, loop) -> Lifetimes:
    words, counts = count_words([text], chosen)
    flat = flatten(words, chosen.alphabet, chosen.word_marker)
    expected = Trainer(flat, counts, chosen).run()
    check_same(CompiledTrainer(flat, counts, chosen, None, loop).run(), expected)
    return expected


@given(TEXTS, COMPILED)
def test_equals_the_textbook_at_every_step(text, chosen):
    with always(PLAIN):
        run = train(text, chosen)
    words, loop = textbook_train(text, chosen)
    assert dict(run.words(0)) == words
    step = 0
    for step, (pair, count, after) in enumerate(loop, 1):
        assert run.merges[step - 1][:2] == pair
        assert run.merges[step - 1].count == count
        assert run.words(step) == list(after.items())
    assert run.steps == step


@given(REPEATS, COMPILED, st.integers(0, 80), st.integers(1, 4), st.data())
def test_leaves_the_lifetimes_of_the_trainer(text, chosen, merges, least, data):
    """Rare pairs are found late, as in a small vocabulary; some pairs are forced, and training may stop early."""
    whole = check_both(text, chosen, PLAIN)
    run = train(text, chosen)
    base = len(run.flat.tokens)
    forced = {}
    for step in sorted(data.draw(st.sets(st.integers(1, 3)))):
        if step <= run.steps:
            forced[step] = data.draw(st.sampled_from(run.pair_counts(step - 1)))[:2]
            run = train(text, replace(chosen, forced=forced))
    part = replace(chosen, vocab_size=max(base + merges, 1), min_count=least, forced=forced)
    check_both(text, part, PLAIN)
    assert len(whole.left) == 0 or whole.stop_reason == "no pairs left"


@given(REPEATS, COMPILED, st.integers(1, 3))
def test_leaves_the_lifetimes_of_the_trainer_as_machine_code(machine_code, text, chosen, least):
    check_both(text, replace(chosen, min_count=least), machine_code)


@pytest.mark.parametrize("rule", loops.COMPILED_RULES)
def test_machine_code_goes_on_from_tokens_and_forces_pairs(machine_code, rule):
    start = train(CORPUS, Settings(vocab_size=400)).tokenizer()
    chosen = Settings(tie_rule=rule, vocab_size=700, then_across_words_from=600)
    pair = train(CORPUS, chosen, start=start).pair_counts(149)[5][:2]
    chosen = replace(chosen, forced={150: pair})
    expected = train(CORPUS, chosen, start=start)
    assert expected.merges[149][:2] == pair
    with always(machine_code):
        found = train(CORPUS, chosen, start=start)
    for one, other in zip(found.stages, expected.stages, strict=True):
        check_same(one.lifetimes, other.lifetimes)


@pytest.mark.thorough
@pytest.mark.parametrize("rule", loops.COMPILED_RULES)
@pytest.mark.parametrize("name", EXAMPLE_TEXTS)
@pytest.mark.parametrize("split", ["gpt2", "none"])
def test_machine_code_on_real_text(machine_code, name, rule, split):
    for size in (300, 1000, 100_000):
        check_both(EXAMPLE_TEXTS[name], Settings(split, tie_rule=rule, vocab_size=size), machine_code)


@given(REPEATS, REPEATS, st.sampled_from(loops.COMPILED_RULES), st.sampled_from(["line", "none"]), st.integers(0, 12))
def test_goes_on_from_tokens_and_across_words(text, other, rule, split, merges):
    before = train(other, Settings(tie_rule=rule, vocab_size=256 + merges)).tokenizer()
    chosen = Settings(tie_rule=rule, vocab_size=100_000, then_across_words_from=275, then_split_by=split)
    expected = train(text, chosen, start=before)
    with always(PLAIN):
        found = train(text, chosen, start=before)
    assert len(found.stages) == len(expected.stages) == 2
    for one, other_stage in zip(found.stages, expected.stages, strict=True):
        check_same(one.lifetimes, other_stage.lifetimes)


def test_only_rules_that_are_compiled_use_it():
    assert isinstance(_trainer("first-seen"), CompiledTrainer)
    assert isinstance(_trainer("greatest"), Trainer)
    assert isinstance(_trainer("corpus-order"), Trainer)


def test_positions_that_need_more_than_four_bytes_are_left_to_the_other_loop(monkeypatch):
    monkeypatch.setattr(loops, "LARGEST", 3)
    assert isinstance(_trainer("first-seen"), Trainer)


def _trainer(rule):
    words, counts = count_words(["low lower"], Settings())
    with always(PLAIN):
        return loops.trainer_for(flatten(words, "bytes", "none"), counts, Settings(tie_rule=rule))


def test_errors_are_the_same():
    with always(PLAIN):
        with pytest.raises(SettingsError, match=r"the pair q \+ u, chosen for step 2, does not occur there"):
            train("low lower", Settings(vocab_size=260, forced={2: (b"q", b"u")}))
        with pytest.raises(SettingsError, match="vocab_size 3 is below the 5 base symbols"):
            train("low lower", Settings("whitespace", alphabet="characters", vocab_size=3))


def test_tokens_that_are_too_long_end_training(monkeypatch):
    monkeypatch.setattr("bpe_core.training.working_corpus.MOST_SYMBOLS", 300)
    monkeypatch.setattr(compiled_trainer, "MOST_SYMBOLS", 300)
    found = check_both("a" * 500 + "b" * 300, Settings("none", vocab_size=1000), PLAIN)
    assert found.stop_reason == "tokens too long"


def test_slices_report_and_can_be_cancelled(monkeypatch):
    chosen, reports = Settings(vocab_size=600), []
    words, counts = count_words([CORPUS], chosen)
    flat = flatten(words, "bytes", "none")
    monkeypatch.setattr(compiled_trainer, "SLICE", 200)
    found = CompiledTrainer(flat, counts, chosen, None, PLAIN).run(lambda *told: reports.append(told))
    check_same(found, Trainer(flat, counts, chosen).run())
    assert len(reports) > 20
    assert reports == sorted(reports)

    def cancel(phase, done, total):
        if done > 10:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        CompiledTrainer(flat, counts, chosen, None, PLAIN).run(cancel)


def test_memory_does_not_grow_with_the_square_of_the_alphabet():
    """From 50,257 tokens on, a table of all pairs would take 40 GB."""
    chosen, start = Settings(vocab_size=50_357), load("gpt2")
    words, counts = count_words([CORPUS], chosen)
    flat = symbols_from(words, start)
    peaks = []
    for trainer in (Trainer, lambda *given: CompiledTrainer(*given, PLAIN)):
        tracemalloc.start()
        trainer(flat, counts, chosen, 100).run()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 150 * len(flat.tokens)


def bytes_in_use(progress=None):
    """How much of its limit of memory a child has used before it trains."""
    return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def trained(text, chosen, progress=None):
    """The merges of a child, and whether they were made by machine code."""
    return train_with_index(text, chosen).merges, loops.LOOP._loop is not None


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts all memory against the limit")
def test_a_text_that_trains_in_the_limit_of_memory_without_numba_trains_with_it(machine_code):
    random = Random(7)
    text = " ".join("".join(random.choices("abcdefghijklmnop", k=7)) for _ in range(30_000))
    chosen = Settings("gpt2", "bytes", vocab_size=30_000)
    expected, limit = train(text, chosen).merges, Task(bytes_in_use).result() + (120 << 20)  # less than numba takes
    assert Task(trained, text, chosen, memory=limit).result() == (expected, False)
    assert Task(trained, text, chosen, memory=limit + (400 << 20)).result() == (expected, True)
