"""Files of strangers: files of every format, mutated, and what opening each comes to.

Each is opened in a process of its own with the limits of `open_safely`. The processes are forked from one that has
loaded the libraries already: thousands of files take minutes.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import string
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import process_time

from bpe_core import FormatError, PatternError, Settings, dumps, train
from bpe_core.chat.templates import ChatError
from bpe_core.extras import MissingExtraError
from bpe_core.files.opening import loads
from bpe_core.files.safely import FileLimits
from tests.files.other_files import others
from tests.gguf_files import of_bytes, of_sentencepiece, sentencepiece_model
from tests.shapes import file_of
from tests.texts import EXAMPLES

Row = tuple[str, float, str, float | None]
PLAIN = ("tokenizer.json", "llama3")  # of the originals: those that open without `tokenizers`
LIMITS = FileLimits(memory=1 << 30, seconds=10)
LONGEST = 600  # characters of a sentence that refuses a file
SHARE = 0.02  # of a file's bytes that a mutation touches at most
OPENED, REFUSED, OTHER, MEMORY, LONG = range(5)  # how a process ends, and with a signal where it took too long
OUTCOMES = {
    OPENED: "opened",
    REFUSED: "clear error",
    OTHER: "other exception",
    MEMORY: "out of memory",
    LONG: "long error",
}
ALIKE = [string.digits.encode(), string.ascii_letters.encode()]
WORDS = [b"0", b"-1", b"1e999", b"99999999999999999999", b"null", b'""', b"[" * 500, b"{}", b"\xff\xfe", b"\\ud800"]


@cache
def originals() -> dict[str, dict[str, bytes]]:
    """One tokenizer as files of each format, and those of libraries."""
    text = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
    tokenizer = train(text, Settings(vocab_size=500)).tokenizer()
    ours = {key: dumps(tokenizer, key) for key in ("tokenizer.json", "vocab.json + merges.txt", ".tiktoken", "minbpe")}
    theirs = {name: {"tokenizer.json": file_of(name)} for name in ("wordpiece", "llama3")}
    pieces, lines = sentencepiece_model("bpe", "identity"), sentencepiece_model("unigram", "nmt_nfkc")
    rows = [{"rank": i, "token_bytes": b64encode(token).decode()} for i, token in enumerate(tokenizer.tokens)]
    config = {"pattern": r"\S+|\s", "default_vocab_size": 501, "default_num_special_tokens": 1}
    theirs |= {
        "tekken.json": {"tekken.json": json.dumps({"config": config, "vocab": rows}).encode()},
        "SentencePiece .model": {"tokenizer.model": pieces},
    }
    models = {
        "gguf of byte pairs": of_bytes(tokenizer, "gpt-2"),
        "gguf of pieces": of_sentencepiece(pieces, model="llama"),
        "gguf of Unigram": of_sentencepiece(lines, model="t5"),
    }
    return ours | theirs | {name: {"model.gguf": content} for name, content in models.items()}


def mutated(files: Mapping[str, bytes], chance: Random) -> dict[str, bytes]:
    """The files, one damaged: in half of the cases a little, so that some still open, in half badly."""
    name = chance.choice(sorted(files))
    content = bytearray(files[name])
    if chance.random() < 0.5:
        _gently(content, chance)
    else:
        for _ in range(chance.randint(1, 4)):
            _badly(content, chance)
    return {**files, name: bytes(content)}


def _gently(content: bytearray, chance: Random) -> None:
    """One character becomes another of its kind, or two change places, or a line goes, or comes twice."""
    kind, at = chance.randrange(4), chance.randrange(len(content))
    if kind == 0:
        alike = next((letters for letters in ALIKE if content[at] in letters), bytes(range(256)))
        content[at] = chance.choice(alike)
    elif kind == 1:
        other = chance.randrange(len(content))
        content[at], content[other] = content[other], content[at]
    else:
        start, end = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at) + 1
        content[start:end] = b"" if kind == 2 else content[start:end] * 2


def _badly(content: bytearray, chance: Random) -> None:
    """Bytes are changed, a part is removed, doubled, moved or cut off, or a value replaced."""
    at, size = chance.randrange(len(content) + 1), chance.randint(1, max(1, int(len(content) * SHARE)))
    kind = chance.randrange(6)
    if kind == 0:
        content[at : at + size] = b""
    elif kind == 1:
        content[at:at] = content[at : at + size]
    elif kind == 2:
        content[at : at + 1] = bytes([chance.randrange(256)])
    elif kind == 3:
        content[at : at + chance.randint(0, 6)] = chance.choice(WORDS)
    elif kind == 4:
        other = chance.randrange(len(content) + 1)
        content[at:at] = content[other : other + size]
    else:
        del content[at:]


def read(files: Mapping[str, bytes]) -> None:
    """Open files, and encode a text with them."""
    loads(files).encode("The keeper's dog é 12", specials=True)


def read_without_library(files: Mapping[str, bytes]) -> None:
    """Open a `tokenizer.json` as a plain install does. Where it opens with its library too, the ids are the same."""
    text = "The keeper's dog é 12 <s>a|b<|end|>"
    library = import_module("tokenizers")
    sys.modules["tokenizers"] = None  # type: ignore[assignment]
    try:
        ids = loads(files).ids(text, specials=True)
    except MissingExtraError as error:
        raise FormatError(str(error)) from None
    finally:
        sys.modules["tokenizers"] = library
    with suppress(FormatError):  # the library refuses some that lack a field
        theirs = loads(files)
        assert theirs.ids(text, specials=True) == ids


def outcome(files: Mapping[str, bytes], use: Callable[[Mapping[str, bytes]], None] = read) -> str:
    """What the use of files comes to."""
    process = get_context("fork").Process(target=_use, args=(files, use), daemon=True)
    process.start()
    process.join(6 * LIMITS.seconds)
    process.kill()  # where it hangs: a fork of threads may, before its own limit is set
    process.join()
    return OUTCOMES.get(process.exitcode, "out of time")


def _use(files: Mapping[str, bytes], use: Callable[[Mapping[str, bytes]], None]) -> None:
    most = _reserved() + LIMITS.memory
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where libraries tell of their panics
    signal.setitimer(signal.ITIMER_REAL, LIMITS.seconds)
    try:
        use(files)
        ended = OPENED
    except (FormatError, PatternError, ChatError) as error:
        ended = REFUSED if "\n" not in str(error) and len(str(error)) < LONGEST else LONG
    except MemoryError:
        ended = MEMORY
    except BaseException:  # a library's panic is one
        ended = OTHER
    os._exit(ended)


def _reserved() -> int:
    """Bytes that this process has asked for already: Arrow reserves up to a gigabyte when it is loaded."""
    return int(Path("/proc/self/status").read_text().split("VmData:")[1].split()[0]) << 10


def seconds_to_refuse_millions_of_tokens() -> float:
    """Seconds in which 200 bytes that name two million special tokens are refused; infinite if they are opened."""
    many = {"pattern": r"\S+", "default_num_special_tokens": 2_097_151, "default_vocab_size": 2_097_151}
    begun = process_time()
    try:
        loads({"tekken.json": json.dumps({"config": many, "vocab": [], "special_tokens": []}).encode()})
    except FormatError:
        return process_time() - begun
    return float("inf")


def of_format(name: str, number: int, use: Callable[[Mapping[str, bytes]], None] = read) -> Counter[str]:
    """So many mutated files of a format, always the same: what their use came to."""
    chance, files = Random(name), originals()[name]
    return Counter(outcome(mutated(files, chance), use) for _ in range(number))


def of_others(number: int) -> Counter[str]:
    """So many mutated files that are no tokenizer, under a tokenizer's name."""
    chance, kinds = Random("others"), others()
    chosen = (kinds[chance.choice([*kinds])][0] for _ in range(number))
    return Counter(outcome(mutated({"tokenizer.json": content}, chance)) for content in chosen)


def measure(full: bool = True) -> Iterator[Row]:
    """How many files of each format are opened, refused and worse; the goal is none that is worse."""
    yield "a file of two million special tokens: until it is refused", seconds_to_refuse_millions_of_tokens(), "s", 0.5
    names = [*originals()]
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        strange = pool.submit(of_others, 4000 if full else 100)
        plain = [pool.submit(of_format, name, 2000 if full else 50, read_without_library) for name in PLAIN]
        found = [*pool.map(of_format, names, [2000 if full else 50] * len(names))]
    yield from judged("other kinds of files", strange.result())
    for name, ended in zip(names, found, strict=True):
        yield from judged(name, ended)
    for name, ended in zip(PLAIN, plain, strict=True):
        yield from judged(f"{name} in a plain install", ended.result())


def judged(name: str, ended: Counter[str]) -> Iterator[Row]:
    """How many files ended in each way; most ways should be nobody's."""
    for kind in ("opened", "clear error"):
        yield f"{name}: {kind}", float(ended[kind]), "", None
    for kind in ("other exception", "long error", "out of memory", "out of time"):
        yield f"{name}: {kind}", float(ended[kind]), "", 0.0
