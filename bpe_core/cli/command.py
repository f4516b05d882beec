"""A command of the program: the function that runs it, its arguments, its help, and how it writes what it found."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Form(NamedTuple):
    """One way to write what a command found. `about`: the help of the option that chooses it."""

    write: Callable[[Any], None]
    about: str = ""


class Command(NamedTuple):
    """A command of the program; its name is its key in `grammar.COMMANDS`.

    `run`: does its work, and returns what it found, each part as soon as it is known. `examples`: lines of its help,
    with `{}` in place of the program's name. `forms`: how what it found can be written. The first is the usual one;
    each of the others has its key as an option, such as `--json`. A command without forms writes all by itself.
    `compares`: whether this command line asks if two things are equal; see `COMPARISON`.
    """

    run: Callable[[Namespace], Iterable[Any] | None]
    add_arguments: Callable[[ArgumentParser], None]
    about: str
    examples: tuple[str, ...] = ()
    forms: Mapping[str, Form] = {}
    compares: Callable[[Namespace], bool] = lambda given: False

    def answer(self, given: Namespace) -> None:
        """Run the command, and write what it found in the form that was asked for."""
        if any([*names].count("-") > 1 for names in vars(given).values() if isinstance(names, list)):
            raise InputError("standard input can be read once only, and - is given twice")
        for found in self.run(given) or ():
            self.forms[given.form].write(found)

    def add_forms(self, parser: ArgumentParser) -> None:
        """Add an option for each form but the usual one. Only one can be chosen."""
        if not self.forms:
            return  # argparse fails on an empty group
        options, (usual, *others) = parser.add_mutually_exclusive_group(), self.forms
        for key in others:
            about = self.forms[key].about
            options.add_argument(f"--{key}", dest="form", action="store_const", const=key, default=usual, help=about)


COMPARISON = "exit code: 0 if {}, 1 if {}, 2 for an error"
"""The help of a command that compares: what is equal, and what is different, as for cmp, diff and grep."""


class DifferentError(Exception):
    """What a command compared is different. The message goes to standard error; "" if the answer says it."""


class InputError(ValueError):
    """An input that cannot be used; the message names the input and the reason."""
