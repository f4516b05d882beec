"""The limits for one visitor and for the whole server.

The defaults suit a machine with 4 GB of memory. A variable of the environment replaces a default:
`MERGESCOPE_TRAININGS=4` sets `trainings`. `python -m pages.parts.server.limits` prints the table in HOSTING.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields

from bpe_core.kinds import whole_number

MOST = 10**9
# MB of memory that the app itself takes, once every view has shown every vocabulary; measured by `make campaign`. The
# extra `fast` takes 120 MB more.
SERVER_MB = 720


class LimitError(ValueError):
    """A variable of the environment has a value that cannot be used. The message says which values can be used."""


def _limit(default: int, about: str) -> int:
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Limits:
    """The limits for a visitor and for the server: whole numbers from 1. Only a limit with the default 0 may be 0."""

    shown_characters: int = _limit(
        1_000_000, "characters of a text whose tokens are shown; of a longer text, its beginning"
    )
    typed_characters: int = _limit(200_000, "characters of a text that can be edited; a longer text is only shown")
    file_mb: int = _limit(50, "MB of a file that a visitor opens; of a `.gguf`, browsers send the first 32 at most")
    uploads_mb: int = _limit(100, "MB of all files that one visitor uploads")
    all_uploads_mb: int = _limit(160, "MB of the files that all visitors upload")
    uploads_seconds: int = _limit(120, "seconds after which the files of a visitor who has left are dropped")
    opened_tokenizers: int = _limit(8, "tokenizers from files that one visitor has open")
    training_characters: int = _limit(
        3_000_000, "largest cost of a training in the server itself, in characters; others have a process of their own"
    )
    turn_seconds: int = _limit(
        3, "seconds that a visitor who used much of the processor waits at most for the next answer, beside others"
    )
    turns: int = _limit(1, "trainings in the server itself that take more than a moment, at once; others wait")
    training_seconds: int = _limit(600, "seconds of a training in a process of its own")
    training_mb: int = _limit(704, "MB of memory of such a training")
    trainings: int = _limit(2, "such trainings, and comparisons of two tokenizers, at once; others wait in a line")
    unattended_seconds: int = _limit(20, "seconds without a visitor after which such a training or comparison is ended")
    comparing_seconds: int = _limit(
        60, "seconds to compare two tokenizers, half of them to search for a text; the memory is a training's"
    )
    runs: int = _limit(24, "trainings that are cached for all visitors")
    runs_mb: int = _limit(256, "MB of memory for the cached trainings")
    file_processes: int = _limit(
        2, "processes for visitors' files; another replaces the least recently used; one counts"
    )
    file_process_mb: int = _limit(768, "MB of memory of such a process")
    file_seconds: int = _limit(20, "seconds to open a tokenizer's files, or to wait for their answer")
    counted_mb: int = _limit(50, "MB of the files that a visitor counts together; 200 MB once unpacked")
    counting_seconds: int = _limit(60, "seconds to count a visitor's files")
    requests_mb: int = _limit(64, "MB of all requests of pictures that the server is receiving; it refuses more")
    metrics: int = _limit(0, "1: anyone who reaches the server may read its metrics, at `/_stcore/metrics`")
    private_models: int = _limit(
        0, "1: visitors open models of the Hugging Face Hub with the server's `HF_TOKEN` and cache, private ones too"
    )

    @property
    def model_mb(self) -> int:
        """How many MB of a `.gguf` a browser sends: as much as has the tokenizer, and no more than of any file.

        >>> Limits().model_mb, Limits(file_mb=8).model_mb
        (32, 8)
        """
        return min(32, self.file_mb)


def variable(name: str) -> str:
    """Return the name of the variable of the environment that sets a limit.

    >>> variable("training_mb")
    'MERGESCOPE_TRAINING_MB'
    """
    return f"MERGESCOPE_{name.upper()}"


def read(environment: Mapping[str, str]) -> Limits:
    """Return the limits with the values that an environment sets. Raise `LimitError` if a value cannot be used.

    >>> read({"MERGESCOPE_TRAININGS": "4"}).trainings
    4
    """
    given, defaults = {}, Limits()
    for each in fields(Limits):
        name, least = variable(each.name), min(getattr(defaults, each.name), 1)
        if name in environment:
            number = whole_number(environment[name])
            if number is None or not least <= number <= MOST:
                raise LimitError(f"{name} is “{environment[name][:40]}”: it must be a whole number from {least}.")
            given[each.name] = number
    return Limits(**given)


def limits_in_markdown() -> str:
    """Return a table of all limits and their defaults, in Markdown."""
    rows = [f"| `{variable(each.name)}` | {each.default:,} | {each.metadata['about']} |" for each in fields(Limits)]
    return "\n".join(["| in the environment | default | |", "|---|---|---|", *rows])


def _of_this_process() -> tuple[Limits, str]:
    """Return the limits of this process, and a sentence on what is wrong in the environment; "" if nothing is wrong.

    If something is wrong, the limits are the defaults.
    """
    try:
        return read(os.environ), ""
    except LimitError as error:
        return Limits(), str(error)


LIMITS, PROBLEM = _of_this_process()


def check() -> None:
    """End the process with a sentence if the app cannot run in it.

    The reason may be a variable of the environment, or the way in which the process was started.
    """
    if problem := PROBLEM or _problem_of_start():
        sys.exit(problem)


def _problem_of_start() -> str:
    """Return why the libraries cannot work in this process, because of the way it was started; "" if they can work.

    The library that draws charts reserves 67 GB of addresses, but uses little memory. If the library cannot reserve the
    addresses, it ends the process.
    """
    if sys.flags.optimize > 1:
        return "The app cannot run under python -OO, which removes texts that its charts need: use -O."
    with suppress(ImportError):  # Windows has neither the module `resource` nor this limit
        import resource

        addresses = resource.getrlimit(resource.RLIMIT_AS)[0]
        if addresses != resource.RLIM_INFINITY:
            return (
                f"The app needs more addresses than ulimit -v leaves it, {addresses >> 20:,} MB: limit its memory by a "
                "container or by systemd's MemoryMax instead."
            )
    return ""


if __name__ == "__main__":
    print(limits_in_markdown())
