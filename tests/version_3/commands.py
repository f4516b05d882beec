"""Lines for a shell, run in this process: what they print, what they write, how they end."""

import io
import os
import re
import runpy
import shlex
import sys
import tomllib
from contextlib import chdir
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from bpe_core import Settings, dumps, train
from tests.cli.driver import PLAIN, ROOT
from tests.version_3.record import FOLDER, Answer

PYTHON = ["python", "-m", "bpe_core"]
HELP = re.compile(r"(?<!\S)--[a-z][a-z-]*|(?<=^    )[a-z]+(?= {2})", re.M)  # options, and commands in a list
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@cache
def files() -> dict[str, bytes]:
    """Return the files that every command finds: texts and tokenizers."""
    story = (FOLDER / "text.txt").read_bytes()
    settings = Settings(vocab_size=300, special_tokens=("<|end|>",))
    plain = train(story.decode(), Settings(vocab_size=290)).tokenizer()
    return {
        "story.txt": story,
        "words.txt": b"low low low lower newest newest widest\n",
        "bad.txt": b"caf\xe9",
        "tokenizer.json": dumps(train(story.decode(), settings).tokenizer())["tokenizer.json"],
        "mine.tiktoken": dumps(plain, ".tiktoken")["tokenizer.tiktoken"],
        **dumps(plain, "vocab.json + merges.txt"),
    }


def answer(line: str) -> Answer:
    """Run a line in a folder of its own; return what it printed, what it wrote and how it ended."""
    *echo, command = line.split(" | ")
    given = " ".join(shlex.split(echo[0])[1:]) + "\n" if echo else ""
    words = shlex.split(command)
    begin = next(number for number, word in enumerate(words) if "=" not in word)
    environment = dict(word.split("=", 1) for word in words[:begin])
    with TemporaryDirectory() as folder, chdir(folder):
        for name, content in files().items():
            Path(name).write_bytes(content)
        code, printed, complaint = _run(words[begin:], given.encode(), environment)
        new = {name: raw for name in sorted(os.listdir()) if (raw := Path(name).read_bytes()) != files().get(name)}
    if "--help" in words:
        return sorted(set(HELP.findall(printed.partition("\nexamples:")[0])))
    lines = [*_lines(printed), *(f"2> {said}" for said in _lines(_sentence(complaint) if code == 2 else complaint))]
    lines += [f"wrote {name} {sha256(raw).hexdigest()[:16]}" for name, raw in new.items()]
    return [*lines, f"exit code {code}"] if code else lines


def _run(words: list[str], given: bytes, environment: dict[str, str]) -> tuple[int, str, str]:
    """Return the exit code of a command and what it wrote to its two streams."""
    streams = [io.TextIOWrapper(io.BytesIO(raw), "utf-8", newline="") for raw in (given, b"", b"")]
    with (
        mock.patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2], argv=words),
        mock.patch.dict(os.environ, {**PLAIN, **environment}, clear=True),
    ):
        code = _ended(words)
        for stream in streams[1:]:
            stream.flush()
    printed, complaint = (stream.buffer.getvalue().decode() for stream in streams[1:])
    return code, printed, complaint


def _ended(words: list[str]) -> int:
    """Return the exit code of `python -m bpe_core …` or `mergescope …`."""
    try:
        if words[:3] == PYTHON:
            sys.argv = words[2:]
            runpy.run_module("bpe_core", run_name="__main__", alter_sys=True)
        else:
            scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
            module, _, name = scripts[words[0]].partition(":")
            return getattr(import_module(module), name)() or 0
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def _lines(printed: str) -> list[str]:
    shown = UNSEEN.sub(lambda char: f"\\x{ord(char[0]):02x}", printed)
    return [line.rstrip() for line in shown.removesuffix("\n").split("\n")] if shown else []


def _sentence(complaint: str) -> str:
    """Return what is wrong with a command line, without the usage and what depends on the version of Python."""
    told = complaint.rstrip("\n").split("\n")[-1].partition("error: ")[2]
    return re.sub(r" \(see [^)]*\)$", "", told).partition(" (choose from")[0]
