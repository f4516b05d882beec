"""A command of the program: the function that runs it, its arguments and its help."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """A command of the program; its name is its key in `grammar.COMMANDS`.

    `examples`: lines of its help, with `{}` in place of the program's name.
    """

    run: Callable[[Namespace], None]
    add_arguments: Callable[[ArgumentParser], None]
    about: str
    examples: tuple[str, ...] = ()


class InputError(ValueError):
    """An input that cannot be used; the message names the input and the reason."""
