"""The command line's grammar: what each command takes, and its help. What the commands do is in `commands`."""

from __future__ import annotations

from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    ArgumentTypeError,
    BooleanOptionalAction,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable
from typing import Any, NoReturn

from bpe_core import __version__
from bpe_core.chat.templates import CHAT_TEMPLATES
from bpe_core.cli import commands
from bpe_core.display.drawing import Appearance
from bpe_core.display.pictures import PICTURES
from bpe_core.files import FORMATS, READABLE, FormatError
from bpe_core.files.opening import format_named
from bpe_core.kinds import OneOf, Several, Text, Tokens, WholeNumber
from bpe_core.published import PUBLISHED
from bpe_core.settings import CUSTOM, SETTINGS, Settings
from bpe_core.text.pretokenizers import PRETOKENIZERS

MOST_WORKERS = 64
SHELLS = ("bash", "zsh", "tcsh", "fish")
_START = "start from the tokens of a tokenizer, which keep their ids and are part of --vocab-size"
_SPECIALS = (
    "whether the name of a special token in the text is that token, or text like any other; a text with such a name is "
    "refused if neither is said"
)
EXAMPLES = """examples:
  python -m bpe_core train book.txt --vocab-size 2000 --out tokenizer.json
  zcat *.txt.gz | python -m bpe_core train - --vocab-size 5000 --workers 2 --out mine.tiktoken
  echo "Hello there" | python -m bpe_core encode tokenizer.json
  echo "Hello there" | python -m bpe_core encode gpt-4o --count
  echo "Hello there" | python -m bpe_core show hub:openai-community/gpt2
  python -m bpe_core chat qwen turns.json --add-generation-prompt
  python -m bpe_core decode tokenizer.json 72 101 108 108 111
  FORCE_COLOR=1 python -m bpe_core show tokenizer.json book.txt | less -R
  python -m bpe_core steps book.txt --vocab-size 300 --csv > merges.csv
  python -m bpe_core compare book.txt --pretokenizers whitespace gpt2
  python -m bpe_core compare book.txt --tokenizers gpt2 gpt-4o
  echo "Hello there" | python -m bpe_core draw tokens tokenizer.json --out tokens.svg
  python -m bpe_core draw tokens gpt-4o --text "Hello there" --no-ids --out tokens.svg
  python -m bpe_core draw tokens gpt-4o --text "Hello there" --title --dark --scale 3 --out tokens.png
  python -m bpe_core draw token tokenizer.json 300 --out tree.tex
  python -m bpe_core film book.txt --vocab-size 600 --out film.html
  python -m bpe_core film book.txt --pretokenizer whitespace --beside pretokenizer=gpt2 --out two.html
  python -m bpe_core page gpt-4o --text "Hello there" --out tokens.html
  python -m bpe_core gallery pages
  python -m bpe_core train notes.txt --start gpt2 --vocab-size 51257 --out grown.json
  python -m bpe_core train book.txt --vocab-size 10000 --then-across-words-from 5000 --out across.json
  python -m bpe_core trim gpt-4o book.txt --out small.json --ids ids.csv
  python -m bpe_core convert tokenizer.json --out mine.tiktoken
  python -m bpe_core vocab gpt2 --search " dog"
  python -m bpe_core draw step book.txt --vocab-size 300 --step 12 --out step.png"""


def _number(kind: WholeNumber) -> Callable[[str], int]:
    def number(text: str) -> int:
        try:
            return kind.read(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not {kind.takes}") from None

    return number


def _workers(text: str) -> int:
    workers = _number(WholeNumber(1))(text)
    if workers > MOST_WORKERS:
        raise ArgumentTypeError(f"{text} threads are too many; up to {MOST_WORKERS} can count")
    return workers


def _format(text: str) -> str:
    try:
        return format_named(text)
    except FormatError as error:
        raise ArgumentTypeError(str(error)) from None


def _setting_and_value(text: str) -> tuple[str, Any]:
    option, _, value = text.partition("=")
    name = option.replace("-", "_")
    row = SETTINGS.get(name)
    if row is None or type(row.kind) not in _BY_KIND:
        raise ArgumentTypeError(f"{text!r} is not a setting and its value, such as pretokenizer=gpt2")
    try:
        return name, row.read(value)
    except ValueError:
        raise ArgumentTypeError(f"{value!r} is not {row.kind.takes}") from None


def _path_to_write(text: str) -> str:
    if text in ("", "-"):
        raise ArgumentTypeError("a name is needed, as the tokenizer is not written to standard output")
    return text


def _page_to_write(text: str) -> str:
    if not text.lower().endswith((".html", ".htm")):
        raise ArgumentTypeError(f"{text!r} has to end in .html, as it becomes a page")
    return text


def _picture_to_write(text: str) -> str:
    if not commands.picture_kind(text):
        *kinds, last = (f".{kind}" for kind in PICTURES)
        raise ArgumentTypeError(f"{text!r} has to end in {', '.join(kinds)} or {last}")
    return text


# The arguments of `add_argument` for an option, by the kind of its setting. Pairs at steps have no option.
_BY_KIND: dict[type, Callable[[Any], dict[str, Any]]] = {
    OneOf: lambda kind: {"choices": [key for key in kind.table if key != CUSTOM]},  # --pattern chooses "custom"
    WholeNumber: lambda kind: {"type": _number(kind)},
    Text: lambda _: {},
    Several: lambda kind: {"action": "append", "choices": list(kind.one.table), "metavar": "KEY"},
    Tokens: lambda _: {"action": "append", "metavar": "TOKEN"},
}


def _add_setting(parser: ArgumentParser, name: str, default: object = None, required: bool = False) -> None:
    """Add the option of a setting. `default`: of the command, if it is not the default of `Settings`.

    An option that is not given has no value in the result, so that `Settings` uses its default.
    """
    row = SETTINGS[name]
    options, usual = _BY_KIND[type(row.kind)](row.kind), default or getattr(Settings(), name)
    about = row.about[0].lower() + row.about[1:].removesuffix(".")
    if isinstance(row.kind, Several):
        about += f"; {row.kind.one.takes}"
    if "action" in options:
        about += "; repeat it for several"
    elif usual != "" and not required:
        about += f" (default {usual})"
    parser.add_argument(
        f"--{name.replace('_', '-')}",
        default=SUPPRESS if default is None else default,
        required=required,
        help=about.replace("%", "%%"),
        **options,
    )


def _add_training(parser: ArgumentParser, size: int | None) -> None:
    """Add the arguments of a training. `size`: the default size of the vocabulary; None if it must be given."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="texts in UTF-8, a byte order mark included; - is standard input. They may be larger than memory, but not "
        "with --pattern or --pretokenizer none",
    )
    for name, row in SETTINGS.items():
        if name == "vocab_size":
            _add_setting(parser, name, size, required=size is None)
        elif name == "start":
            parser.add_argument("--start", default="none", metavar="TOKENIZER", help=f"{_START}: {_TOKENIZER}")
        elif type(row.kind) in _BY_KIND:
            _add_setting(parser, name)
    _add_counting(parser)


def _add_counting(parser: ArgumentParser) -> None:
    """Add the options for counting words with threads or a cluster."""
    parser.add_argument("--workers", type=_workers, default=1, help="threads that count; for large files (default 1)")
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="count on the Dask cluster at tcp://HOST:PORT; needs mergescope-bpe[dask]",
    )


_TOKENIZER = (
    f"{', '.join(PUBLISHED)}, or a model that uses one of these, such as gpt-4o; or a file: {', '.join(READABLE)}; or "
    "a model on the Hugging Face Hub, as hub:openai-community/gpt2"
)


def _add_opening(parser: ArgumentParser) -> None:
    parser.add_argument("tokenizer", help=_TOKENIZER)
    parser.add_argument("--pretokenizer", choices=PRETOKENIZERS, help="for a .tiktoken file, which does not say it")


def _add_texts(parser: ArgumentParser) -> None:
    _add_opening(parser)
    parser.add_argument(
        "files", nargs="*", default=["-"], metavar="FILE", help="texts; standard input if none is given"
    )
    _add_specials(parser)


def _add_one_text(parser: ArgumentParser) -> None:
    _add_opening(parser)
    _add_file(parser, "a text; standard input if none is given, without its last newline")
    parser.add_argument("--text", help="the text itself, instead of a file")
    _add_specials(parser)


def _add_file(parser: ArgumentParser, about: str) -> None:
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=about)


def _add_specials(parser: ArgumentParser) -> None:
    parser.add_argument("--specials", action=BooleanOptionalAction, default=None, help=_SPECIALS)


def _add_encode(parser: ArgumentParser) -> None:
    _add_texts(parser)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--count", action="store_true", help="print how many ids there are instead")
    kinds.add_argument(
        "--json",
        action="store_true",
        help="print JSON instead, a line a file: the ids, tokens, character spans and bytes in hex",
    )


def _add_chat(parser: ArgumentParser) -> None:
    _add_opening(parser)
    _add_file(parser, 'turns as JSON: [{"role": "user", "content": "Hi"}, …]; standard input if none is given')
    parser.add_argument(
        "--template",
        metavar="FILE",
        help=f"the chat template: {', '.join(CHAT_TEMPLATES)}, or a file in Jinja, or a tokenizer_config.json. Without "
        "it, the one of the model: in this program, on the Hub, or beside the tokenizer's file",
    )
    parser.add_argument("--add-generation-prompt", action="store_true", help="end with what begins an answer")
    parser.add_argument(
        "--json", action="store_true", help="print JSON instead: the ids, tokens, whose they are, and the text"
    )


def _add_convert(parser: ArgumentParser) -> None:
    _add_opening(parser)
    _add_out(parser)


def _add_trim(parser: ArgumentParser) -> None:
    _add_opening(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="texts in UTF-8; - is standard input")
    _add_out(parser)
    parser.add_argument("--ids", metavar="PATH", help="a file for the ids before and after, as CSV")


def _add_film(parser: ArgumentParser) -> None:
    _add_training(parser, 300)
    parser.add_argument("--step", type=int, default=0, metavar="STEP", help="where it begins (default 0)")
    parser.add_argument("--title", default="", help="of the page")
    parser.add_argument(
        "--beside",
        action="append",
        type=_setting_and_value,
        metavar="SETTING=VALUE",
        help="play a second training on the text beside the first one, with another value of a setting, such as "
        "pretokenizer=gpt2; repeat it for several. The text is read as a whole",
    )
    _add_page_out(parser)


def _add_page(parser: ArgumentParser) -> None:
    _add_one_text(parser)
    _add_page_out(parser)


def _add_gallery(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to write them into, which is made")


def _add_page_out(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=_page_to_write, required=True, metavar="PATH", help="the page to write; it contains the text"
    )
    _add_force(parser)


def _add_vocab(parser: ArgumentParser) -> None:
    _add_opening(parser)
    parser.add_argument("--search", default="", metavar="TEXT", help="only the tokens that contain this text")
    parser.add_argument("--csv", action="store_true", help="as CSV")


def _add_train(parser: ArgumentParser) -> None:
    _add_training(parser, None)
    _add_out(parser)


def _add_out(parser: ArgumentParser) -> None:
    """Add the options of a command that writes a tokenizer."""
    parser.add_argument(
        "--out", type=_path_to_write, required=True, metavar="PATH", help="the file to write, whole or not at all"
    )
    parser.add_argument(
        "--format",
        type=_format,
        choices=FORMATS,
        help="default: by the end of the file's name; tokenizer.json if it has none",
    )
    _add_force(parser)


def _add_force(parser: ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")


def _add_decode(parser: ArgumentParser) -> None:
    _add_opening(parser)
    parser.add_argument("ids", nargs="*", metavar="ID", help="ids; read from standard input if none is given")


def _add_steps(parser: ArgumentParser) -> None:
    _add_training(parser, 300)
    parser.add_argument("--csv", action="store_true", help="as CSV")


def _add_compare(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a text in UTF-8; - is standard input")
    parser.add_argument(
        "--pretokenizers",
        nargs=2,
        choices=PRETOKENIZERS,
        metavar="KEY",
        help=f"two of {', '.join(PRETOKENIZERS)} (default {' '.join(commands.PAIR)})",
    )
    parser.add_argument(
        "--tokenizers", nargs=2, metavar="TOKENIZER", help="compare two tokenizers instead, as gpt2 and gpt-4o"
    )
    for name in ("vocab_size", "tie_rule"):
        _add_setting(parser, name)
    _add_specials(parser)


def _add_draw_tokens(parser: ArgumentParser) -> None:
    _add_one_text(parser)
    parser.add_argument("--no-ids", action="store_true", help="without the ids under the tokens")
    parser.add_argument("--title", action="store_true", help="with the number of tokens and the tokenizer above them")


def _add_draw_token(parser: ArgumentParser) -> None:
    _add_opening(parser)
    parser.add_argument("id", metavar="TOKEN", help="the token's id, or its text, as ' dog'")


def _add_draw_step(parser: ArgumentParser) -> None:
    _add_training(parser, 300)
    parser.add_argument("--step", type=int, metavar="STEP", help="which step, from 0 on (default: the last)")


DRAWN = {
    "tokens": (commands.draw_tokens_command, _add_draw_tokens, "the tokens of a text with their ids"),
    "token": (commands.draw_token_command, _add_draw_token, "the tree of merges that made a token"),
    "step": (
        commands.draw_step_command,
        _add_draw_step,
        "a step of a training: its corpus, pairs and last merges",
    ),
}


def _add_draw(parser: ArgumentParser) -> None:
    inner = parser.add_subparsers(dest="drawn", required=True, metavar="WHAT")
    for name, (_, add_arguments, about) in DRAWN.items():
        one = inner.add_parser(name, help=about, description=about, formatter_class=RawDescriptionHelpFormatter)
        add_arguments(one)
        one.add_argument(
            "--out",
            type=_picture_to_write,
            required=True,
            metavar="PATH",
            help=f"the file to write; its end says what it becomes: {', '.join(PICTURES)}",
        )
        _add_force(one)
        _add_appearance(one)


def _add_appearance(parser: ArgumentParser) -> None:
    """Add the options of `Appearance`. An option that is not given has no value in the result."""
    usual = Appearance()
    numbers = {
        "width": (WholeNumber(200, 5000), f"pixels of a line (default {usual.width})"),
        "scale": (WholeNumber(1, 10), f"pixels of the file for one of --width (default {usual.scale})"),
    }
    flags = {
        "dark": "dark colours",
        "transparent": "without a background",
        "fragment": "without a preamble, for \\input in a paper",
    }
    for name, (kind, about) in numbers.items():
        options: dict[str, Any] = {"type": _number(kind), "metavar": "PIXELS"}
        parser.add_argument(f"--{name}", default=SUPPRESS, help=f"{_takers(name)}: {about}", **options)
    for name, about in flags.items():
        help = f"{_takers(name)}: {about}"
        parser.add_argument(f"--{name}", action="store_true", default=SUPPRESS, help=help)


def _takers(option: str) -> str:
    return " and ".join(kind.title for kind in PICTURES.values() if option in kind.options)


def _draw(given: Namespace) -> None:
    DRAWN[given.drawn][0](given)


COMMANDS = {
    "train": (commands.train_command, _add_train, "train a vocabulary on texts and write it to a file"),
    "encode": (commands.encode_command, _add_encode, "text to ids, a line a file"),
    "chat": (commands.chat_command, _add_chat, "turns of a chat to the ids that a model is given, by a chat template"),
    "decode": (commands.decode_command, _add_decode, "ids to text"),
    "show": (commands.show_command, _add_texts, "the tokens of a text, in colour (NO_COLOR turns it off)"),
    "steps": (commands.steps_command, _add_steps, "the merges of a training, as a table or CSV"),
    "compare": (commands.compare_command, _add_compare, "what two pretokenizers, or two tokenizers, make of a text"),
    "convert": (commands.convert_command, _add_convert, "write a tokenizer in another format"),
    "trim": (commands.trim_command, _add_trim, "keep the tokens that texts use, and what they are made of"),
    "vocab": (commands.vocab_command, _add_vocab, "the tokens of a tokenizer, as a table or CSV"),
    "film": (commands.film_command, _add_film, "a training as one HTML page that plays it, without a server"),
    "page": (commands.page_command, _add_page, "a text as one HTML page that melts into its tokens, without a server"),
    "gallery": (
        commands.gallery_command,
        _add_gallery,
        "twelve films and texts as pages, with an index page",
    ),
    "draw": (_draw, _add_draw, "tokens, a token's tree or a step as a picture: SVG, PNG, HTML or LaTeX"),
}


class _Parser(ArgumentParser):
    """A parser whose errors begin with what is wrong, and whose usage is one line.

    Files may come before, between and after the options of a command.
    """

    _is_reading = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Read the options first, then the rest; a parser of commands leaves that to the command's own parser."""
        if self._is_reading or self._subparsers:
            return super().parse_known_args(args, namespace)
        self._is_reading = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_reading = False

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where to find help, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


class _PrintCompletion(Action):
    """Prints the completion script of a shell, which `shtab` makes of the grammar, and ends the program."""

    def __call__(self, parser: ArgumentParser, given: Namespace, shell: object, option: str | None = None) -> None:
        from shtab import complete

        print(complete(parser, str(shell)))
        parser.exit()


def parser(name: str = "python -m bpe_core") -> ArgumentParser:
    """Return the command line's grammar, with its help. `name`: what the user types for this program."""
    about = "Byte-pair encoding: train, encode, look inside."
    if name == "mergescope":
        about += " Without a command, or as `mergescope serve`, it opens the app."
    examples = EXAMPLES.replace("python -m bpe_core", name)
    whole = _Parser(name, description=about, epilog=examples, formatter_class=RawDescriptionHelpFormatter)
    whole.add_argument("--version", action="version", version=f"mergescope {__version__}")
    if name == "mergescope":  # shells complete the arguments of one word
        about_shells = "print the script with which a shell completes commands and options"
        whole.add_argument("--print-completion", action=_PrintCompletion, choices=SHELLS, help=about_shells)
    inner = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command, (_, add_arguments, about) in COMMANDS.items():
        lines = [line for line in examples.splitlines()[1:] if f"{name} {command} " in line]
        add_arguments(
            inner.add_parser(
                command,
                help=about,
                description=about,
                epilog="\n".join(["examples:", *lines]),
                formatter_class=RawDescriptionHelpFormatter,
            )
        )
    return whole
