"""The command line as people run it: in this process, in one of its own, or in a terminal."""

import io
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest import mock

from bpe_core.cli.main import main
from tests.children import started
from tests.texts import EXAMPLES

ROOT = Path(__file__).parents[2]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # what moves the cursor or changes the colour
STORY = str(EXAMPLES / "short-story.txt")
CHANGES_OUTPUT = ("NO_COLOR", "FORCE_COLOR", "PYTHONUNBUFFERED")
PLAIN = {name: value for name, value in os.environ.items() if name not in CHANGES_OUTPUT}


def command(*arguments):
    return [sys.executable, "-m", "bpe_core", *map(str, arguments)]


def run(*arguments, given=b"", env=None, encoding="utf-8"):
    """Run in this process, with streams and an environment of its own."""
    stdin, stdout, stderr = (io.TextIOWrapper(io.BytesIO(raw), encoding, newline="") for raw in (given, b"", b""))
    streams = mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr)
    with streams, mock.patch.dict(os.environ, {**PLAIN, **(env or {})}, clear=True):
        code = ended(*arguments)
        stdout.flush()
        stderr.flush()
    return subprocess.CompletedProcess(arguments, code, stdout.buffer.getvalue(), stderr.buffer.getvalue())


def ended(*arguments):
    """The exit code of a command that runs in this process."""
    try:
        return main([*map(str, arguments)])
    except SystemExit as error:
        return error.code or 0


def ok(*arguments, **options):
    done = run(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def in_terminal(*arguments, ctrl_c_at=None):
    """Run in a terminal of its own, and press Ctrl-C there when something is shown: (exit code, what was shown)."""
    ours, theirs = pty.openpty()
    environment = {**PLAIN, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    script = "import fcntl, os, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    script += "signal.signal(signal.SIGINT, signal.SIG_DFL); "  # what starts the tests may ignore it
    script += "os.execv(sys.executable, sys.argv[1:])"
    with started(
        [sys.executable, "-c", script, *command(*arguments)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # a terminal that nobody uses any more
            while more := os.read(ours, 4096):
                shown += more
                if ctrl_c_at and ctrl_c_at in shown:
                    os.write(ours, b"\x03")
                    ctrl_c_at = None
    os.close(ours)
    return process.returncode, shown.decode()
