"""Files that stand beside a vocabulary in a model's folder, and its added tokens, with values that nobody should write.

Each is opened as `files.py` opens mutated files: from memory, and from a folder with the chat template beside it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import bpe_core
from bpe_core.chat.given_template import template_of_model
from bpe_core.chat.templates import unknown_tokens
from bpe_core.files.opening import loads
from tests.campaign import files
from tests.campaign.forged import PARTS, WHOLE, damaged

Row = tuple[str, float, str, float | None]
MANY = 100_000  # added tokens
NAMES = [
    "", " ", "\n", "a/b", "/etc/passwd", "../../etc/passwd", ".", "..", "a\\b", "a\0b", "\u202egpj.<b>\u202c", "\ud800",
    "\ufeff", "a" * 1_000_000, "<script>", "low",
]  # fmt: skip
_TOKEN = {
    "content": "<x>",
    "lstrip": False,
    "normalized": False,
    "rstrip": False,
    "single_word": False,
    "special": True,
}
# What a model's folder has beside its vocabulary, by the files' names; of each part, every wrong value is tried.
BESIDE: dict[str, dict[str, Any]] = {
    "tokenizer_config.json": {
        "added_tokens_decoder": {"500": _TOKEN},
        "additional_special_tokens": ["<x>"],
        "bos_token": _TOKEN,
        "eos_token": "<x>",
        "add_bos_token": True,
        "chat_template": [{"name": "default", "template": "{{ bos_token }}{{ messages[0].content }}"}],
        "model_max_length": 1e30,
        "tokenizer_class": "GPT2Tokenizer",
    },
    "added_tokens.json": {"<x>": 500},
    "special_tokens_map.json": {"bos_token": _TOKEN, "eos_token": "<x>", "additional_special_tokens": ["<x>"]},
    "chat_template.json": {"chat_template": "{{ messages[0].content }}"},
    "generation_config.json": {"bos_token_id": 1, "eos_token_id": [1, 500], "suppress_tokens": [1]},
}


@cache
def vocabularies() -> dict[str, dict[str, bytes]]:
    """The same vocabulary as files of two formats: as the library's, and as two files."""
    return {name: dict(files.originals()[name]) for name in ("tokenizer.json", "vocab.json + merges.txt")}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def large() -> Iterator[tuple[str, bytes]]:
    """Files beside a vocabulary with very much in them, and names that are paths or no names: name and content."""
    row = {**_TOKEN, "content": "", "special": False}
    for name in BESIDE:
        yield name, b'{"bos_token": ' + b"[" * MANY + b"]" * MANY + b"}"
        yield name, b'{"a": ' * MANY + b"1" + b"}" * MANY
        yield name, _json(dict.fromkeys(NAMES, 500))
        yield name, _json({**BESIDE[name], **{f"<{n}>": n for n in range(MANY)}})
    yield "added_tokens.json", _json({each: 500 + n for n, each in enumerate(NAMES)})
    yield "added_tokens.json", _json({"<x>": 10**30, "<y>": -1, "<z>": 2**63})
    many = {str(500 + n): {**row, "content": f"<{n}>"} for n in range(MANY)}
    strange = {str(500 + n): {**row, "content": each} for n, each in enumerate(NAMES)}
    for decoder in (many, strange, {"-1": row}, {"9" * 5_000: row}, {"x": row}):
        yield "tokenizer_config.json", _json({"added_tokens_decoder": decoder})
    named = {"additional_special_tokens": [f"<{n}>" for n in range(MANY)]}
    yield "special_tokens_map.json", _json(named)
    yield "special_tokens_map.json", _json({"additional_special_tokens": NAMES})
    yield "generation_config.json", _json({"eos_token_id": [*range(MANY)]})
    yield "chat_template.json", _json({"chat_template": "{{ " + "(" * MANY})


def beside(most: int, with_large: bool = True) -> Iterator[dict[str, bytes]]:
    """A vocabulary and one bad file beside it: each large one, and a number of wrong values for each file."""
    chance = Random(1)
    for kind in vocabularies().values():
        for name, content in large() if with_large else ():
            yield {**kind, name: content}
        for name, valid in BESIDE.items():
            wrong = [*map(str.encode, WHOLE), *map(_json, damaged(valid))]
            for content in chance.sample(wrong, min(most, len(wrong))):
                yield {**kind, name: content}


def added(most: int) -> Iterator[dict[str, bytes]]:
    """A tokenizer.json whose `added_tokens` are very many, have strange names, or values of other types."""
    whole = json.loads(vocabularies()["tokenizer.json"]["tokenizer.json"])
    row = {**_TOKEN, "id": 500}
    lists: list[Any] = [
        [{**row, "id": 500 + n, "content": f"<{n}>"} for n in range(MANY)],
        [{**row, "id": 500 + n, "content": "<x>" * n} for n in range(1_000)],
        [row] * MANY,
        *([{**row, "content": each, "special": special}] for each in NAMES for special in (True, False)),
        *([{**row, "id": at}] for at in (-1, 2**31, 2**32, 2**63, 10**30, 0.5)),
        *PARTS,
    ]
    lists += Random(1).sample([*damaged([row])], most)
    return ({"tokenizer.json": _json({**whole, "added_tokens": each})} for each in lists)


def open_folder(given: Mapping[str, bytes]) -> None:
    """Open files in a folder: the vocabulary, and the chat template with what it does not know."""
    with TemporaryDirectory() as folder:
        for name, content in given.items():
            Path(folder, name).write_bytes(content)
        bpe_core.load(Path(folder)).encode("The keeper's dog é <x> low", specials=True)
        if template := template_of_model(folder):
            unknown_tokens(template)


def open_memory(given: Mapping[str, bytes]) -> None:
    """Open files in memory."""
    loads(given).encode("The keeper's dog é <x> low", specials=True)


def measure(full: bool = True) -> Iterator[Row]:
    """What opening them came to; the goal is that none is worse than refused in a sentence."""
    most = 25 if full else 5
    for what, tried, use in (
        ("files beside a vocabulary, in a folder", beside(most), open_folder),
        ("files beside a vocabulary, in memory", beside(most), open_memory),
        ("added tokens in a tokenizer.json", added(most), open_memory),
    ):
        with ProcessPoolExecutor(2, get_context("fork")) as pool:
            yield from files.judged(what, Counter(pool.map(partial(files.outcome, use=use), tried)))
