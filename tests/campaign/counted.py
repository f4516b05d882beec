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
from pages.parts.texts.corpora import CorpusError, opened_text

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


NAMES = ["../../etc/passwd", "/etc/passwd", "a/../b.txt", "C:\\x.txt", "\u202etxt.exe", "..", "a//b", "a/" * 9_999]
CODECS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def tables() -> dict[str, tuple[str, bytes]]:
    """As `hostile`: tables whose header or records are of another size than one expects, and strange names."""
    wide = ",".join(f"c{n}" for n in range(10**6)).encode()
    named = _zip([(name, b"low lower") for name in NAMES])
    return {
        "a header of a million columns": ("x.csv", wide + b"\n" + b"1,2\n" * 1000),
        "a header of a million tabs": ("x.tsv", wide.replace(b",", b"\t") + b"\n1\t2\n"),
        "a million empty columns": ("x.csv", b"," * 10**6 + b"\n" + b"," * 10**6),
        "a quote of 20 MB on one line": ("x.csv", b'text,id\n"' + b"low " * 5 * MEGABYTE),
        "a quote of 20 MB on many": ("x.tsv", b'text\tid\n"' + b"low\n" * 5 * MEGABYTE),
        "records longer and shorter than the header": ("x.csv", b"text,id\n" + b"a\n,\na,1,2,3\n\n" * 100_000),
        "a record of a million values": ("x.csv", b"text\n" + b"a," * 10**6 + b"\nb\n"),
        "names in an archive that are paths": ("x.zip", named),
        "names in an archive with a zero": ("x.zip", named.replace(b"b.txt", b"b\0txt")),
    }


def encoded() -> list[tuple[str, bytes]]:
    """Texts and tables with a byte order mark in each encoding of Unicode, whole and without the last bytes."""
    text = "\ufefftext,id\nlow é 日 😀,1\n"
    return [
        (f"{codec} {cut}.{end}", text.encode(codec)[: len(text.encode(codec)) - cut])
        for codec in CODECS
        for cut in (0, 1, 2, 3, 23)
        for end in ("txt", "csv", "tsv", "jsonl", "json")
    ]


def opened(name: str, content: bytes) -> str:
    """What opening a text as your text comes to."""
    try:
        opened_text(name, content)
        return "opened"
    except CorpusError as error:
        return "clear error" if "\n" not in str(error) and len(str(error)) < 400 else "long error"
    except Exception as error:
        return type(error).__name__


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
    for name, (file, content) in (hostile() | tables()).items():
        found.append(outcome(file, content, "text" if file.endswith(("jsonl", "parquet")) else ""))
        yield f"to count: {name}: {found[-1][0]}", found[-1][1], "s", LIMITS.seconds + 5
    chance = Random(1)
    found += [outcome(*each) for each in encoded()[::13]]
    texts = [opened(*each) for each in encoded()]
    yield "texts to open: neither", float(sum(each not in ("opened", "clear error") for each in texts)), "", 0.0
    found += [outcome(*mutated(chance), column=chance.choice(["", "text"])) for _ in range(60)]
    yield (
        "files to count: neither counted nor a clear error",
        float(sum(ended not in ("counted", "clear error") for ended, _ in found)),
        "",
        0.0,
    )
