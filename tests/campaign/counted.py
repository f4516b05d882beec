"""Files to count that are made to take too much: archives, tables and texts. What each comes to, and in what time."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from time import monotonic

import pyarrow as pa
import pyarrow.parquet as pq

from bpe_core.counting.in_child import CountingError, CountingLimits, FilesInChild

Row = tuple[str, float, str, float | None]
LIMITS = CountingLimits()
MEGABYTE = 1 << 20


def _zip(entries: Iterator[tuple[str, bytes]] | list[tuple[str, bytes]]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        for name, each in entries:
            made.writestr(name, each)
    return content.getvalue()


def _parquet(values: list[str]) -> bytes:
    content = io.BytesIO()
    pq.write_table(pa.table({"text": values}), content)
    return content.getvalue()


def _one_value(value: str, times: int) -> bytes:
    """A table of a few kB whose only value is there once, and whose rows all have it."""
    rows = pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), [value])
    content = io.BytesIO()
    pq.write_table(pa.table({"text": rows}), content, store_schema=False)
    return content.getvalue()


def hostile() -> dict[str, tuple[str, bytes]]:
    """Name of an attack → the file's name and content."""
    inner = _zip([("a.txt", b"a" * 10 * MEGABYTE)])
    lie = _zip([("a.txt", b"low " * MEGABYTE)]).replace((4 * MEGABYTE).to_bytes(4, "little"), b"\x01\0\0\0")
    return {
        "an archive of 400 MB": ("x.zip", _zip((f"{i}.txt", b"low " * 10 * MEGABYTE) for i in range(10))),
        "an archive in an archive": ("x.zip", _zip([("inner.zip", inner)])),
        "100,000 entries": ("x.zip", _zip((f"{i}", b"") for i in range(100_000))),
        "a lie about a size": ("x.zip", lie),
        "an entry without an end": ("x.zip", _zip([("a.txt", b"low" * MEGABYTE)])[:-200]),
        "one value of a megabyte 20,000 times": ("x.parquet", _one_value("low " * 250_000, 20_000)),
        "a column of nothing": ("x.parquet", _parquet([""] * 5_000_000)),
        "one letter": ("x.txt", b"a" * 40 * MEGABYTE),
        "a line without an end": ("x.jsonl", b'{"text": "' + b"low " * 10 * MEGABYTE),
        "a quote that is not closed": ("x.csv", b'text\n"' + b"low,\n" * 8 * MEGABYTE),
        "ten million records": ("x.csv", b"a\n" * 10_000_000),
        "lists in lists": ("x.jsonl", (b"[" * 100_000 + b"\n") * 20),
        "a number without a measure": ("x.jsonl", b'{"text": 1' + b"0" * MEGABYTE + b"}\n"),
        "a million lists to write in YAML": ("x.json", b"[" + b"[]," * (4 * MEGABYTE) + b"0]"),
        "no white space": ("x.txt", bytes(Random(1).choices(b"abcdefghijklmnop+/", k=10 * MEGABYTE))),
    }


def mutated(chance: Random) -> tuple[str, bytes]:
    """A damaged archive or table."""
    rows = [{"text": f"row {i} " * 20} for i in range(50)]
    made = {
        "x.zip": _zip([(f"{i}.txt", b"low " * 500) for i in range(5)]),
        "x.parquet": _parquet([row["text"] for row in rows]),
        "x.jsonl": "\n".join(map(json.dumps, rows)).encode(),
        "x.csv": b"text,id\n" + b"".join(b'"low, low",1\n' for _ in range(50)),
    }
    name = chance.choice(sorted(made))
    content = bytearray(made[name])
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(content))
        content[at : at + chance.randint(0, 8)] = chance.randbytes(chance.randint(0, 8))
    return name, bytes(content)


def outcome(name: str, content: bytes, column: str = "") -> tuple[str, float]:
    """What counting a file comes to: "counted", "clear error" or the name of another error; and its seconds."""
    begun = monotonic()
    files = FilesInChild([(name, content)], LIMITS)
    try:
        found = files.counts(["gpt2"], column)
        files.columns()
        if name.endswith(("json", "jsonl", "csv")):
            with suppress(CountingError):
                files.notations(name, "gpt2")
        said = all("\n" not in why and len(why) < 600 for why in found.problems.values())
        ended = "counted" if said else "long sentence"
    except CountingError as error:
        ended = "clear error" if "\n" not in str(error) and len(str(error)) < 400 else "long error"
    except Exception as error:
        ended = type(error).__name__
    finally:
        files.end()
    return ended, monotonic() - begun


def measure() -> Iterator[Row]:
    """The attacks, and damaged files: counts and sentences only, in time."""
    found = []
    for name, (file, content) in hostile().items():
        found.append(outcome(file, content, "text" if file.endswith(("jsonl", "parquet")) else ""))
        yield f"to count: {name}: {found[-1][0]}", found[-1][1], "s", LIMITS.seconds + 5
    chance = Random(1)
    found += [outcome(*mutated(chance), column=chance.choice(["", "text"])) for _ in range(60)]
    yield (
        "files to count: neither counted nor a clear error",
        float(sum(ended not in ("counted", "clear error") for ended, _ in found)),
        "",
        0.0,
    )
