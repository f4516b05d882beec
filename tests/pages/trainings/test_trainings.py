"""Trainings: a few at a time, ended when nobody waits for them, and a sentence when one fails; and the cached runs."""

import os
import random
import signal
from threading import Timer
from threading import enumerate as enumerate_threads
from time import monotonic, sleep

import pytest

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.corpus.counting import count_pretokens
from bpe_core.processes.child import Task
from bpe_core.record.run_training import train_with_index
from pages.parts.server.limits import LIMITS, Limits
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import runs, training_jobs
from pages.parts.trainings.training_jobs import TrainingError, Trainings
from tests.texts import EXAMPLE_TEXTS

FOREVER = "low lower " * 300_000, Settings("none", vocab_size=5_000)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def start() -> Task:
    return Task(train_with_index, *FOREVER)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def server(clock):
    made = Trainings(clock)
    yield made
    for job in list(made._jobs):
        made.cancel(job)


def test_a_third_training_waits_for_its_turn(server):
    jobs = [server.ask((str(number), Settings()), start) for number in range(LIMITS.trainings + 2)]
    assert [job.waiting for job in jobs] == [None, None, 0, 1]
    server.cancel(jobs[0])
    server.attend(jobs[2])
    assert [job.waiting for job in jobs[1:]] == [None, None, 0]
    assert jobs[2].running


def test_a_training_that_nobody_waits_for_is_ended(server, clock):
    left, other = (server.ask((name, Settings()), start) for name in "ab")
    clock.now = LIMITS.unattended_seconds + 1.0
    server.attend(other)
    assert not left.running
    assert not left.task.running
    assert other.running


def test_a_training_of_the_last_visitor_is_ended_too(clock, monkeypatch):
    monkeypatch.setattr(training_jobs, "LIMITS", Limits(unattended_seconds=1))
    server = Trainings(clock)
    job = server.ask(("a", Settings()), start)
    clock.now = 1.5
    deadline = monotonic() + 60
    while job.task.running and monotonic() < deadline:
        sleep(0.05)
    assert not job.task.running
    assert not job.cancelled
    assert "no page asked for it" in job.problem


def test_one_timer_looks_at_all_trainings(server):
    def timers():
        return sum(isinstance(thread, Timer) for thread in enumerate_threads())

    before = timers()
    for job in [server.ask((name, Settings()), start) for name in "ab"]:
        server.cancel(job)
        server.cancel(server.ask((job.key, "again"), start))
    assert timers() - before == 1


def test_a_training_that_takes_too_long_is_ended_with_a_sentence(server, clock):
    job = server.ask(("a", Settings()), start)
    clock.now = LIMITS.training_seconds + 1.0
    server.attend(job)
    with pytest.raises(TrainingError, match="more than 600 seconds: choose a smaller text"):
        job.result()
    assert not job.task.running


def test_a_process_that_dies_is_one_sentence_and_is_not_started_again(server):
    job = server.ask(("a", Settings()), start)
    os.kill(job.task.pid, signal.SIGKILL)
    with pytest.raises(TrainingError, match="stopped from outside"):
        job.result()
    server.attend(job)
    assert not job.running


def test_a_training_that_cannot_begin_says_so_and_holds_up_nobody(server):
    def refuse():
        raise BlockingIOError

    refused = server.ask(("a", Settings()), refuse)
    assert server.ask(("b", Settings()), start).waiting is None
    assert not refused.running
    with pytest.raises(TrainingError, match="no room for another training: try again later"):
        refused.result()


def test_a_training_has_its_memory(server):
    job = server.ask(("a", Settings()), lambda: Task(train_with_index, *FOREVER, memory=1 << 28))
    with pytest.raises(TrainingError, match="more than 704 MB of memory: choose a smaller text"):
        job.result()


def test_the_store_makes_room_by_what_runs_take(monkeypatch):
    monkeypatch.setattr(runs, "LIMITS", Limits(runs_mb=1))

    class Record:
        nbytes = 600_000

    store, (first, second) = runs.RunStore(), [Record(), Record()]
    store.add(("a", Settings()), first)
    store.add(("b", Settings()), second)
    assert store.get(("a", Settings())) is None
    assert store.get(("b", Settings())) is second


class Leaving:
    """A progress bar on a page that the visitor leaves at the first progress."""

    def progress(self, *_):
        raise InterruptedError


def test_one_long_training_in_the_server_at_a_time():
    with (
        runs._turn(Leaving(), custom=False),
        pytest.raises(InterruptedError),
        runs._turn(Leaving(), custom=False),
    ):
        raise AssertionError("it did not wait")
    assert runs._turns(False).acquire(blocking=False)  # the turn is free again
    runs._turns(False).release()


def test_a_slow_pattern_keeps_only_other_patterns_waiting():
    with runs._turn(Leaving(), custom=True):
        with runs._turn(Leaving(), custom=False):
            pass
        with pytest.raises(InterruptedError), runs._turn(Leaving(), custom=True):
            pass


def test_only_a_training_that_takes_longer_than_a_moment_or_has_a_custom_pattern_waits(monkeypatch):
    waited = []
    monkeypatch.setattr(runs, "_in_turn", lambda custom, train: waited.append(custom) or train(lambda *_: None))
    for number, (cost, chosen) in enumerate(
        [
            (runs.MOMENT, Settings()),
            (runs.MOMENT + 1, Settings()),
            (1, Settings("custom", pattern="x")),
        ]
    ):
        runs._trained((str(number), chosen), cost, lambda _: train_with_index("low", Settings()))
    assert waited == [False, True]


def test_a_training_for_which_memory_is_too_small_is_one_sentence(monkeypatch):
    def too_large(*_, **__):
        raise MemoryError

    monkeypatch.setattr(runs, "train_with_index", too_large)
    with pytest.raises(TrainingError, match="The server has too little memory left for this training"):
        runs.run_of(Corpus("a text", "low lower lowest newest"), Settings(vocab_size=301))


def test_special_tokens_count_as_work():
    text = Corpus("a text", "a " * 100_000)
    plain, special, many = (
        runs.cost_of(text, Settings(special_tokens=names))
        for names in ((), ("a",), ("a", *(f"<{number}>" for number in range(200))))
    )
    assert special - plain >= runs.SPECIAL * 100_000
    assert many - special >= len(text.text)


def test_the_cost_knows_every_pretokenizer_that_leaves_long_pieces():
    """A training's time grows with the length of all different pretokens together: few, where a text has words."""
    chance, words = random.Random(1), " ".join(EXAMPLE_TEXTS.values()).split(" ")
    text = " ".join(chance.choices(words, k=20_000))
    sizes = {key: sum(map(len, count_pretokens(text, Settings(key)))) / len(text) for key in PRETOKENIZERS}
    assert not [size for size in sizes.values() if 0.2 < size < 0.6], "neither words nor long pieces"
    known = {key for key in PRETOKENIZERS if cost_of(text, key) > 2 * cost_of(text, "gpt2")}
    assert known == {key for key, size in sizes.items() if size >= 0.6}
    assert cost_of(text, "custom", r"\w+") == cost_of(text, "none")  # a pattern may match all of it


def cost_of(text: str, pretokenizer: str, pattern: str = "") -> int:
    return runs.cost_of(Corpus("a text", text), Settings(pretokenizer, pattern=pattern))
