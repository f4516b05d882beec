"""Running one command. A command always ends with an exit code, and prints one line at most for an error.

Exit codes: 0 done, 1 an error, 2 a wrong command line, 130 stopped by Ctrl-C, 141 the reader of the output went away.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from bpe_core.cli.grammar import COMMANDS, parser
from bpe_core.tokenizer.checks import SpecialTokenError


def main(arguments: Sequence[str] | None = None, name: str = "python -m bpe_core") -> int:
    """Run one command and return its exit code. `arguments`: the command line; None for the process's own.

    `name`: the program's name as the user typed it. The last word of the name begins each error.
    """
    _open_what_is_closed()
    try:
        try:
            given = parser(name).parse_args(arguments)
            COMMANDS[given.command].answer(given)
        finally:
            _flush()
    except BrokenPipeError:
        return 141
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except io.UnsupportedOperation:
        return _failed(name, "standard output is closed, so there is nowhere to write to")
    except OSError as error:
        reason = error.strerror or str(error)
        return _failed(name, f"{error.filename}: {reason}" if error.filename else reason)
    except SpecialTokenError as error:
        return _failed(
            name, str(error).replace("specials=True", "--specials").replace("specials=False", "--no-specials")
        )
    except MemoryError:
        return _failed(name, "there is not enough memory for this")
    except Exception as error:
        return _failed(name, str(error) or type(error).__name__)
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


def _failed(name: str, message: str) -> int:
    print(f"{name.split()[-1]}: {message}", file=sys.stderr)
    return 1
