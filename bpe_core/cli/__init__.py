"""The commands of `python -m bpe_core` and of `mergescope`."""

import signal
import sys
from importlib import import_module


def run(name: str = "python -m bpe_core") -> int:
    """Run one command and return its exit code. Ctrl-C ends it without a traceback, even while modules are imported.

    `name`: the program's name in messages, as the user typed it.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # not where a shell ignores Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bpe_core.cli.main import VERSION, main

    if sys.argv[1:] != [VERSION]:
        import_module("bpe_core.cli.grammar")  # and with it the libraries, which take long
    signal.signal(signal.SIGINT, handler)
    return main(name=name)
