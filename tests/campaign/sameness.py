"""Two files that are made to take too much when they are compared: what each pair comes to, and in what time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic

from bpe_core import Settings, dumps, train
from bpe_core.files.format import FormatError
from bpe_core.files.safely import GivenFiles
from bpe_core.processes.child import EndedError, Task
from bpe_core.sameness.two_tokenizers import Sent, sameness_of

Row = tuple[str, float, str, float | None]
SECONDS, MEMORY = 20.0, 704 << 20
MARKUP = "<img src=x onerror=alert(1)>"


def _file(**changes: object) -> Sent:
    content = dumps(train("low lower newest " * 9, Settings("gpt2", vocab_size=270)).tokenizer())["tokenizer.json"]
    return Sent(GivenFiles({"tokenizer.json": json.dumps(json.loads(content) | changes).encode()}))


def _added(names: list[str]) -> list[dict[str, object]]:
    flags = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False, "special": True}
    return [{"id": 300 + number, "content": name} | flags for number, name in enumerate(names)]


def _split(pattern: str) -> dict[str, object]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def hostile() -> dict[str, tuple[Sent, Sent]]:
    """Name of an attack → two files."""
    plain = _file()
    return {
        "a pattern that backtracks": (_file(pre_tokenizer=_split(r"(?:(?:\w|\s|[^a])+)+$")), plain),
        "names of a million characters": (_file(added_tokens=_added(["x" * 1_000_000, "y" * 1_000_000])), plain),
        "30,000 names": (_file(added_tokens=_added([f"<{number}>" for number in range(30_000)])), plain),
        "a name with markup": (_file(added_tokens=_added([MARKUP])), plain),
        "a normalizer that grows every text": (
            _file(normalizer={"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 100_000}), plain,
        ),
        "no tokenizer at all": (Sent(GivenFiles({"x": b"{" * 100_000})), plain),
    }  # fmt: skip


def outcome(one: Sent, other: Sent) -> tuple[str, float]:
    """What a comparison comes to: "compared", "a sentence" or the name of another error; and its seconds."""
    begun = monotonic()
    task = Task(sameness_of, one, other, SECONDS / 2, memory=MEMORY)
    while task.running and monotonic() - begun < SECONDS:
        task._thread.join(0.1)
    if task.running:
        task.stop()
        return "ended in time", monotonic() - begun
    try:
        task.result()
        ended = "compared"
    except (FormatError, EndedError, MemoryError) as error:
        ended = "a sentence" if "\n" not in str(error) and len(str(error)) < 400 else "a long sentence"
    except Exception as error:
        ended = type(error).__name__
    return ended, monotonic() - begun


def measure() -> Iterator[Row]:
    """The attacks: each is compared, refused or ended, in time."""
    for name, pair in hostile().items():
        ended, seconds = outcome(*pair)
        yield f"to compare: {name}: {ended}", seconds, "s", SECONDS + 2
