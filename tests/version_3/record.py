"""How the record stands in its files: a question a line, its answer indented below it, remarks after `#`."""

from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).parent
INDENT = "    "
ADDED = "# Added since 3.0.0"  # how the line begins below which a file has what came later
Answer = list[str]


def read(name: str) -> dict[str, Answer]:
    """Return the questions of a file with their answers, in its order."""
    found: dict[str, Answer] = {}
    answer: Answer = []
    for line in _lines(name):
        if line.startswith(INDENT):
            answer.append(line.removeprefix(INDENT))
        elif _asks(line):
            assert line not in found, f"{name} asks twice: {line}"
            answer = found[line] = []
    return found


def added(name: str) -> list[str]:
    """Return the questions of a file that were added since version 3.0.0."""
    lines = _lines(name)
    first = next((number for number, line in enumerate(lines) if line.startswith(ADDED)), len(lines))
    return [line for line in lines[first:] if _asks(line) and not line.startswith(INDENT)]


def write(name: str, answer: Callable[[str], Answer]) -> None:
    """Answer every question of a file anew; its questions and remarks stay."""
    lines: list[str] = []
    for line in _lines(name):
        if not line.startswith(INDENT):
            lines.append(line)
            lines += [INDENT + said for said in (answer(line) if _asks(line) else ())]
    (FOLDER / name).write_text("\n".join(lines), encoding="utf-8")


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").split("\n")


def _asks(line: str) -> bool:
    return bool(line) and not line.startswith("#")
