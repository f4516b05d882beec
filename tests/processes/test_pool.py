"""A pool lets few children run, and ends the child that was asked least recently."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from bpe_core.processes.child import Child, EndedError
from bpe_core.processes.pool import BEGUN, WAITING, BusyError, KeptChild, Pool, ProcessLimits


def doubled(number, progress=None):
    return 2 * number


class Doubling(KeptChild):
    started = 0

    def new_child(self):
        self.started += 1
        return Child(doubled)

    def prepare(self, child):
        return child.ask(60.0, 21)


@pytest.fixture
def three():
    pool, limits = Pool(), ProcessLimits(processes=2, memory=1 << 30, seconds=60.0)
    children = [Doubling(pool, limits) for _ in range(3)]
    yield children
    for child in children:
        child.end()


def test_the_child_that_was_asked_least_recently_makes_room(three):
    first, second, third = three
    assert [first.begin(), second.ask(1), first.ask(2)] == [42, 2, 4]
    assert third.ask(3) == 6
    assert [child.runs for child in three] == [True, False, True]
    assert second.ask(4) == 8
    assert [child.runs for child in three] == [False, True, True]
    assert [child.started for child in three] == [1, 2, 1]


def test_no_more_run_than_may_however_many_are_asked_at_once(three):
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(lambda number: (three[number % 3].ask(number), sum(c.runs for c in three)), range(12))
        )
    assert [answer for answer, _ in answers] == [2 * number for number in range(12)]
    assert max(running for _, running in answers) <= 2


def test_who_waits_too_long_is_told_so_and_a_child_answers_one_at_a_time(three):
    first, second, _ = three
    first.limits = ProcessLimits(processes=1, memory=1 << 30, seconds=60.0, wait=0.0)
    with first._pool.turn_of(second), pytest.raises(BusyError):
        first.ask(1)
    with first._pool.turn_of(first), pytest.raises(BusyError):
        first.ask(1)
    assert first.ask(1) == 2


def test_a_child_that_died_starts_again(three):
    first = three[0]
    first.ask(1)
    first._child.kill()
    assert (first.ask(5), first.started) == (10, 2)


class LeftError(Exception):
    """What a page raises whose visitor has left."""


def leave(seen, *phases):
    """A report that is noted, and raises an error once it is of a phase."""

    def report(*said):
        seen.append(said)
        if said[0] in phases:
            raise LeftError

    return report


def slow(seconds, progress=None):
    for done in range(10):
        progress("counting", done, 10)
        time.sleep(seconds / 10)
    return seconds


class Slow(KeptChild):
    def new_child(self):
        return Child(slow)


def test_who_leaves_gives_up_a_question_and_touches_no_other():
    """One child: its second question waits for the first, is given up, and is never asked; the first is answered."""
    child, seen = Slow(Pool(), ProcessLimits(processes=1, memory=1 << 30, seconds=60.0)), []
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(child.ask, 2.0)
        while not child.progress:
            time.sleep(0.01)
        with pytest.raises(LeftError):
            child.watched(leave(seen, "waiting"), 60.0)
        assert seen == [WAITING], "what is reported on the question of another is not shown"
        assert first.result() == 2.0
    assert child.ask(0.0) == 0.0, "the question that was given up is not in the way"
    with pytest.raises(LeftError):
        child.watched(leave(seen, "begun", "counting"), 60.0)
    assert not child.runs, "its own question ends with the process"
    assert {*seen} <= {WAITING, BEGUN, ("counting", 0, 10)}, "no question begins with another's last report"
    child.end()


def test_a_question_that_is_given_up_while_its_process_starts_is_not_asked():
    """The process is given up at its first question, which `prepare` asks."""
    pool = Pool()
    child = Slow(pool, ProcessLimits(processes=1, memory=1 << 30, seconds=60.0))
    child.prepare = lambda process: pool.give_up(child, child.answers)
    with pytest.raises(EndedError):
        child.watched(print, 60.0)
    child.prepare = partial(print, end="")
    assert child.ask(0.0) == 0.0
    child.end()
