"""What a shell completes: commands and options, the names of tokenizers, and files. `shtab` writes the script."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator

from bpe_core.published import NAMED

SHELLS = ("bash", "zsh", "tcsh", "fish")
_FUNCTION = "_mergescope_tokenizers"
_COMPLETE = {"bash": _FUNCTION, "zsh": _FUNCTION, "tcsh": "f", "fish": f"({_FUNCTION})"}


def names() -> list[str]:
    """Return the names of tokenizers that a shell completes: those without a space, which `load` takes.

    >>> [name for name in names() if name.startswith("gpt-4o")]
    ['gpt-4o']
    """
    return sorted({name.lower() for row in NAMED for name in row.names if name and " " not in name})


def _functions() -> dict[str, str]:
    """Return a function for each shell that completes the name of a tokenizer, or of a file."""
    listed = " ".join(names())
    return {
        "bash": f"{_FUNCTION}() {{\n  compgen -W '{listed}' -- $1\n  compgen -f -- $1\n}}\n",
        "zsh": f"{_FUNCTION}() {{\n  compadd -- {listed}\n  _files\n}}\n",
        "fish": f"function {_FUNCTION}\n  string split ' ' '{listed}'\n  __fish_complete_path (commandline -ct)\nend\n",
    }


def takes_tokenizer(argument: Action) -> bool:
    """Return whether an argument of a command is the name or the path of a tokenizer."""
    return argument.dest in ("tokenizer", "one", "other") or argument.metavar == "TOKENIZER"


def arguments(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the arguments of a parser and of its commands."""
    for each in parser._actions:
        yield each
        for one in each.choices.values() if isinstance(each, _SubParsersAction) else ():
            yield from arguments(one)


class PrintCompletion(Action):
    """Prints the completion script of a shell, and ends the program."""

    def __call__(self, parser: ArgumentParser, given: Namespace, shell: object, option: str | None = None) -> None:
        """Print the script."""
        from shtab import FILE, complete

        for each in arguments(parser):
            if takes_tokenizer(each) or each.metavar in ("FILE", "PATH"):
                each.complete = _COMPLETE if takes_tokenizer(each) else FILE  # type: ignore[attr-defined]
        print(complete(parser, str(shell), preamble=_functions().get(str(shell), "")))
        parser.exit()
