"""Running one command. A command always ends with an exit code, and prints one line at most for an error.

Exit codes: 0 done, 1 an error, 2 a wrong command line, 130 stopped by Ctrl-C, 141 the reader of the output went away.
A command that compares ends as cmp, diff and grep do: 0 equal, 1 different, 2 an error.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

from bpe_core import __version__

VERSION = "--version"
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # without the newline
_REASONS = {errno.EEXIST: "this is a file, and a folder is needed"}  # where the system's words say little


def main(arguments: Sequence[str] | None = None, name: str = "python -m bpe_core") -> int:
    """Run one command and return its exit code. `arguments`: the command line; None for the process's own.

    `name`: the program's name as the user typed it. The last word of the name begins each error.
    """
    _open_what_is_closed()
    if [*(sys.argv[1:] if arguments is None else arguments)] == [VERSION]:  # without the libraries, which take long
        with suppress(OSError):
            print(f"mergescope {__version__}", flush=True)
        return 0
    from bpe_core.cli.command import DifferentError
    from bpe_core.cli.grammar import COMMANDS, parser
    from bpe_core.tokenizer.checks import SpecialTokenError

    error_code = 1
    try:
        try:
            given = parser(name).parse_args(arguments)
            command = COMMANDS[given.command]
            error_code = 2 if command.compares(given) else 1
            command.answer(given)
        finally:
            _flush()
    except DifferentError as difference:
        return _failed(name, str(difference), 1)
    except BrokenPipeError:
        return 141
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except io.UnsupportedOperation:
        return _failed(name, "standard output is closed, so there is nowhere to write to", error_code)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        return _failed(name, f"{error.filename}: {reason}" if error.filename else reason, error_code)
    except SpecialTokenError as error:
        said = str(error).replace("specials=True", "--specials").replace("specials=False", "--no-specials")
        return _failed(name, said, error_code)
    except MemoryError:
        return _failed(name, "there is not enough memory for this", error_code)
    except Exception as error:
        return _failed(name, str(error) or type(error).__name__, error_code)
    return 0


def _open_what_is_closed() -> None:
    """Replace standard streams that the caller closed. Input is then empty, and writing to the output is an error."""
    for name, mode in (("stdin", "r"), ("stdout", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _flush() -> None:
    """Write the buffered output. If that fails, drop it: Python would try again at its end, and print an error."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _failed(name: str, message: str, code: int) -> int:
    """Print a message, if there is one, and return the exit code."""
    if message:
        # The name of a file may have an escape sequence for the terminal.
        plain = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", message)
        print(f"{name.split()[-1]}: {plain}", file=sys.stderr)
    return code
