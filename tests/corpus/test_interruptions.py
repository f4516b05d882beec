"""Ctrl-C while threads count: at the worst moment, in the middle of the code of `threading` that takes a lock."""

import sys

from tests.children import ran

COUNTS = """
import signal, sys, threading
from concurrent.futures import Future
from bpe_core import Settings
from bpe_core.corpus.counting import count_pretokens

signal.signal(signal.SIGINT, signal.default_int_handler)  # some shells ignore it
take = threading.Condition.__enter__

def take_and_interrupt(lock):
    taken = take(lock)
    if sys._getframe(1).f_code is Future.result.__code__:  # a result is waited for, and its thread needs this lock
        signal.raise_signal(signal.SIGINT)
    return taken

threading.Condition.__enter__ = take_and_interrupt
try:
    count_pretokens(["low lower " * 300_000] * 20, Settings(), workers=3)
except KeyboardInterrupt:
    print("stopped, with", threading.active_count(), "thread")
"""


def test_ctrl_c_leaves_no_lock_taken_and_no_thread():
    done = ran([sys.executable, "-c", COUNTS], seconds=60, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("stopped, with 1 thread\n", "", 0)
