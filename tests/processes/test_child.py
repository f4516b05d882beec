"""Work in a process of its own: its answer, its errors, its limits, and its end."""

import os
import pickle
import sys
from pathlib import Path
from time import sleep

import pytest

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from bpe_core.processes.child import Child, EndedError, Task
from bpe_core.record.run_training import train_with_index
from tests.children import ran

ROOT = Path(__file__).parents[2]
TEXT = "a text of words that are not there twice " * 20_000


class Counter:
    """Counts its questions, and takes a while for each."""

    asked = 0

    def __call__(self, seconds, progress):
        self.asked += 1
        progress("sleeping", 0, 1)
        sleep(seconds)
        return self.asked


def test_what_goes_wrong_there_is_raised_here():
    with pytest.raises(TypeError, match="NoneType"):
        Task(train_with_index, "low", None).result()
    task = Task(train_models, "low lower", Settings("whitespace", vocab_size=300))
    assert task.result().bpe.pretokens == ("low", "lower")
    assert not task.running


def test_a_task_that_cannot_be_sent_is_an_error():
    with pytest.raises(Exception, match="lambda"):
        Task(lambda progress: None).result()
    with pytest.raises(Exception, match="lambda"):
        Task(train_with_index, lambda: None).result()


def fill_memory(size, progress=None):
    """Take memory in parts, until there is none."""
    found = []
    while True:
        found.append(bytes(size))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts all memory against the limit")
@pytest.mark.parametrize("size", [400, 5000])
def test_a_child_without_memory_still_says_why_it_failed(size):
    with pytest.raises(MemoryError):
        Task(fill_memory, size, memory=1 << 28).result()


def test_a_stopped_process_is_gone_and_says_so():
    task = Task(train_with_index, TEXT, Settings("none", vocab_size=100_000))
    task.stop()
    assert not task.running
    with pytest.raises(EndedError, match="stopped before its end"):
        task.result()
    with pytest.raises(ProcessLookupError):
        os.kill(task.pid, 0)


def test_progress_is_heard():
    task = Task(train_with_index, TEXT, Settings(vocab_size=280))
    task.result()
    assert task.progress is not None
    assert task.progress[0] in ("counting", "merging", "indexing", "training")


def test_a_child_answers_again_until_an_answer_takes_too_long():
    child = Child(Counter())
    assert (child.ask(60.0, 0.0), child.progress) == (1, ("sleeping", 0, 1))
    assert (child.ask(None, 0.0), child.progress) == (2, None), (
        "the report on another question says nothing of this one"
    )
    with pytest.raises(TypeError, match="str"):
        child.ask(60.0, "a while")
    assert child.ask(60.0, 0.0) == 4
    with pytest.raises(EndedError):
        child.ask(0.2, 60.0)
    assert not child.runs


def test_a_child_whose_parent_is_killed_in_the_middle_of_a_question_ends_quietly():
    script = "from bpe_core.processes.child import main; main(None)"
    question = pickle.dumps(train_with_index) + pickle.dumps(("word " * 1000, Settings()))
    done = ran([sys.executable, "-c", script], input=question[:-100], capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
