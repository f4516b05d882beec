"""A Hub that is none, has no end, falls silent or has what is private: a sentence in time, and nothing on the disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from bpe_core import HubError
from bpe_core.files.hub import fetch
from tests.hub import MODELS, SHAPES, client, hub

Row = tuple[str, float, str, float | None]
REFUSED = {f"owner/{name}" for name in ("gated", "private", "endless", "silent", "slow", "none", "two", "huge")}
OPEN = MODELS.keys() - REFUSED
NAMES = [
    *MODELS,
    *(f"shape/{name}" for name in SHAPES),
    "owner/broken",
    "owner/missing",
    "../x",
    "http://localhost/a/b",
]
LONGEST = 15.0  # seconds until a visitor has a model or a sentence


def outcome(name: str) -> tuple[str, float]:
    """What asking for a model as a visitor comes to: "fetched", "clear error" or another error; and its seconds."""
    begun = monotonic()
    try:
        fetch(name, private=False)
        ended = "fetched"
    except HubError:
        ended = "clear error"
    except Exception as error:
        ended = type(error).__name__
    return ended, monotonic() - begun


def measure() -> Iterator[Row]:
    """The models of the Hub, asked for by a server that has a token which opens a private one."""
    os.environ["HF_TOKEN"] = "hf_secret"
    with tempfile.TemporaryDirectory() as folder, hub() as address, client(address, Path(folder)) as ask:
        found = {name: ask(outcome, name) for name in NAMES}
        written = len([*Path(folder).rglob("*")])
    del os.environ["HF_TOKEN"]
    wrong = {name: ended for name, (ended, _) in found.items() if (ended == "fetched") != (name in OPEN)}
    wrong |= {name: ended for name, (ended, _) in found.items() if ended not in ("fetched", "clear error")}
    for name, ended in wrong.items():
        print("   ", name, ended)
    yield f"names on a Hub: of {len(found)}, neither as they should be", float(len(wrong)), "", 0.0
    yield "longest wait for one", max(seconds for _, seconds in found.values()), "s", LONGEST
    yield "files that this left on the disk", float(written), "", 0.0
