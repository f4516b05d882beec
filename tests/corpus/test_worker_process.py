"""Work in a process of its own: its answer, its errors, and its end."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_core import Settings
from bpe_core.corpus.worker_process import Worker, WorkerError
from bpe_core.models.all_models import train_models
from bpe_core.record.recording import train_with_index

ROOT = Path(__file__).parents[2]
TEXT = "a text of words that are not there twice " * 20_000


def test_what_goes_wrong_there_is_raised_here():
    with pytest.raises(AttributeError, match="NoneType"):
        Worker(train_with_index, "low", None).result()
    worker = Worker(train_models, "low lower", Settings("whitespace", vocab_size=300))
    assert worker.result().bpe.pretokens == ("low", "lower")
    assert not worker.running


def test_a_task_that_cannot_be_sent_is_an_error():
    with pytest.raises(Exception, match="lambda"):
        Worker(lambda progress: None).result()


def test_a_stopped_process_is_gone_and_says_so():
    worker = Worker(train_with_index, TEXT, Settings("none", vocab_size=100_000))
    worker.stop()
    assert not worker.running
    with pytest.raises(WorkerError, match="stopped before its end"):
        worker.result()
    with pytest.raises(ProcessLookupError):
        os.kill(worker._process.pid, 0)


def test_progress_is_heard():
    worker = Worker(train_with_index, TEXT, Settings(vocab_size=280))
    worker.result()
    assert worker.progress is not None
    assert worker.progress[0] in ("counting", "merging", "indexing", "training")


def test_a_worker_whose_parent_is_killed_in_the_middle_of_a_task_ends_quietly():
    script = "from bpe_core.corpus.worker_process import main; main()"
    task = pickle.dumps((train_with_index, ("word " * 1000, Settings())))
    done = subprocess.run([sys.executable, "-c", script], input=task[:-100], capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
