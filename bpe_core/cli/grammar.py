"""The grammar of the command line: the table of the commands, the parser, and what a shell completes."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from bpe_core import __version__
from bpe_core.cli.command import Command
from bpe_core.cli.commands.chat import CHAT
from bpe_core.cli.commands.compare import COMPARE
from bpe_core.cli.commands.count import COUNT
from bpe_core.cli.commands.draw import DRAW
from bpe_core.cli.commands.encode import DECODE, ENCODE, SHOW, SPLIT
from bpe_core.cli.commands.pages import FILM, GALLERY, PAGE, SITE
from bpe_core.cli.commands.same import SAME
from bpe_core.cli.commands.savings import SAVINGS
from bpe_core.cli.commands.serve import ABOUT, NAME, add_serve
from bpe_core.cli.commands.train import STEPS, TRAIN
from bpe_core.cli.commands.vocab import CONVERT, TRIM, VOCAB
from bpe_core.published import NAMED

COMMANDS: dict[str, Command] = {
    "train": TRAIN,
    "encode": ENCODE,
    "count": COUNT,
    "savings": SAVINGS,
    "chat": CHAT,
    "decode": DECODE,
    "show": SHOW,
    "split": SPLIT,
    "steps": STEPS,
    "compare": COMPARE,
    "same": SAME,
    "convert": CONVERT,
    "trim": TRIM,
    "vocab": VOCAB,
    "film": FILM,
    "page": PAGE,
    "gallery": GALLERY,
    "site": SITE,
    "draw": DRAW,
}


def parser(name: str = "python -m bpe_core") -> ArgumentParser:
    """Return the command line's grammar, with its help. `name`: what the user types for this program."""
    about = "Byte-pair encoding: train, encode, look inside."
    if name == "mergescope":
        about += " Without a command, or as `mergescope serve`, it opens the app."
    whole = _Parser(
        name,
        description=about,
        epilog=_examples((line for command in COMMANDS.values() for line in command.examples), name),
        formatter_class=RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"mergescope {__version__}")
    if name == "mergescope":  # shells can complete only after a command of one word
        about_shells = "print the script with which a shell completes commands and options"
        whole.add_argument("--print-completion", action=PrintCompletion, choices=SHELLS, help=about_shells)
    inner = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    if name == "mergescope":
        add_serve(inner.add_parser(NAME, help=ABOUT, description=ABOUT))
    for key, command in COMMANDS.items():
        one = inner.add_parser(
            key,
            help=command.about,
            description=command.about,
            formatter_class=RawDescriptionHelpFormatter,
        )
        command.add_arguments(one)
        one.epilog = "\n\n".join(filter(None, (one.epilog, _examples(command.examples, name))))
        command.add_forms(one)
    return whole


def _examples(lines: Iterable[str], name: str) -> str:
    return "\n  ".join(["examples:", *(line.replace("{}", name) for line in lines)])


PLAIN = "\0"  # no argument of a command line can have this character


class _Parser(ArgumentParser):
    """A parser whose errors begin with what is wrong, and whose usage is one line.

    Files may come before, between and after the options of a command. What comes after `--` is never an option: until
    it is read, `PLAIN` stands before it, since `argparse` sometimes drops `--` before it reads the files.
    """

    _is_reading = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Read the options first, then the files. The parser of all commands leaves this to the command's parser."""
        if self._is_reading or self._subparsers:
            return super().parse_known_args(args, namespace)
        if "--" in args:
            at = args.index("--")
            args = [*args[:at], *(f"{PLAIN}{each}" for each in args[at + 1 :])]
        self._is_reading = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_reading = False

    def _get_value(self, action: Action, arg_string: str) -> Any:
        """Convert one argument."""
        return super()._get_value(action, arg_string.removeprefix(PLAIN))

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where to find help, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message.replace(PLAIN, '')} (see {self.prog} --help)\n")


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
