"""A Hugging Face Hub of ours on this machine, for its real client: a few models, and every way to refuse."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from bpe_core import Settings, dumps, train
from tests.children import SECONDS
from tests.files.class_files import class_files

COMMIT = "a" * 40
TOKENIZER = dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer())["tokenizer.json"]
QWEN = class_files("Qwen2Tokenizer")
NEXT = len(json.loads(QWEN["vocab.json"])) + 2  # after the two tokens in its config
MODELS = {
    "owner/whole": {"tokenizer.json": TOKENIZER, "config.json": b"{}"},
    "owner/chat": {
        "tokenizer.json": TOKENIZER,
        "tokenizer_config.json": b'{"chat_template": "{{ bos_token }}{{ messages[-1].content }}", "bos_token": "hug"}',
    },
    "owner/beside": {
        **QWEN,
        "added_tokens.json": json.dumps({"<x>": NEXT}).encode(),
        "special_tokens_map.json": b'{"pad_token": "<pad>"}',
        "chat_template.jinja": b"{{ messages[-1].content }}",
        "additional_chat_templates/tool_use.jinja": b"TOOLS {{ messages[-1].content }}",
        "additional_chat_templates/old/rag.jinja": b"in a folder of its own",
    },
    "owner/lacking": {"tokenizer.json": TOKENIZER, "added_tokens.json": b'{"<x>": 258}'},
    "owner/many": {
        "tokenizer.json": TOKENIZER,
        **{f"additional_chat_templates/{number}.jinja": b"x" for number in range(51)},
    },
    "owner/gated": {"tokenizer.json": TOKENIZER},
    "owner/private": {"tokenizer.json": TOKENIZER},
    "owner/endless": {"tokenizer.json": TOKENIZER},
    "owner/silent": {"tokenizer.json": TOKENIZER},
    "owner/slow": {"tokenizer.json": TOKENIZER},
    "owner/none": {"config.json": b"{}"},
    "owner/pair": {"vocab.json": b'{"a": 0}', "merges.txt": b"#version: 0.2\n"},
    "owner/classless": class_files("GPT2Tokenizer")
    | {"tokenizer_config.json": b'{"tokenizer_class": "MineTokenizer"}'},
    "owner/splitless": {name: raw for name, raw in class_files("GPT2Tokenizer").items() if "config" not in name},
    "owner/odd": {"mine.json": QWEN["vocab.json"], "mine.txt": QWEN["merges.txt"], "config.json": b"{}", "a.bin": b"x"},
    "owner/two": {"one.json": TOKENIZER, "two.json": TOKENIZER},
    "owner/huge": {"tokenizer.json": TOKENIZER},
    "owner/unsized": {"tokenizer.json": TOKENIZER},
    "owner/damaged": {"tokenizer.json": b'{"model": {"type": "<b>"}}'},
}
PAUSES = {"owner/silent": 9, "owner/slow": 0.02}  # seconds after each byte of a file
SHAPES = {  # answers about a model, by its name, that no Hub gives
    "page": b"<!doctype html>Log in",
    "list": b"[]",
    "null": b"null",
    "nameless": b'{"id": "shape/nameless", "siblings": [{"size": 3}]}',
    "text": b'{"id": "shape/text", "siblings": [{"rfilename": "tokenizer.json", "size": "three"}]}',
}


class Hub(BaseHTTPRequestHandler):
    """What of the Hub's interface the client asks for."""

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def hides(self, name):
        """Whether a model is private and this visitor has no token."""
        return name == "owner/private" and "Authorization" not in self.headers

    def send_without_end(self):
        """Send a file of unknown size until the client has enough."""
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(bytes(1 << 20))

    def send_a_part(self, raw, pause):
        """Send a file's first bytes for nine seconds, with a pause after each."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        with suppress(OSError):
            for byte in raw[: int(9 / pause)]:
                self.wfile.write(bytes([byte]))
                sleep(pause)

    def do_GET(self):
        path = self.path.split("?")[0].strip("/")
        if path.startswith("api/models/"):
            name = "/".join(path.split("/")[2:4])
            if name == "owner/broken":
                return self.answer(500)
            if name.startswith("shape/"):
                return self.answer(200, SHAPES[name.removeprefix("shape/")], **{"Content-Type": "application/json"})
            if name not in MODELS or self.hides(name):
                return self.answer(404, **{"X-Error-Code": "RepoNotFound"})
            said = {"owner/huge": 1 << 40, "owner/unsized": None}
            sizes = {file: said.get(name, len(raw)) for file, raw in MODELS[name].items()}
            files = [{"rfilename": file, "size": size} for file, size in sizes.items()]
            about = {"id": name, "modelId": name, "sha": COMMIT, "siblings": files, "tags": [], "private": False}
            return self.answer(200, json.dumps(about).encode(), **{"Content-Type": "application/json"})
        owner, model, _, _, file, *_ = [*path.split("/", 4), "", "", ""]
        name = f"{owner}/{model}"
        if name == "owner/gated":
            return self.answer(403, **{"X-Error-Code": "GatedRepo"})
        if file not in MODELS.get(name, ()) or self.hides(name):
            return self.answer(404)
        if name == "owner/endless" and self.command == "GET":
            return self.send_without_end()
        raw = MODELS[name][file]
        if name in PAUSES and self.command == "GET":
            return self.send_a_part(raw, PAUSES[name])
        return self.answer(200, raw, ETag=f'"{sha256(raw).hexdigest()}"', **{"X-Repo-Commit": COMMIT})

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_):
        """Nothing is printed."""


@contextmanager
def hub() -> Iterator[str]:
    """The address of the Hub while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def client(address: str, cache: Path) -> Iterator[Callable[..., Any]]:
    """Calls functions in a process of its own, whose Hub is at `address`, and gives what they give.

    The real client reads where its server and its cache are when it is imported.
    """
    with get_context("spawn").Pool(1, _settle, (address, str(cache))) as process:  # which is ended with it
        yield lambda function, *arguments: process.apply_async(function, arguments).get(SECONDS)


def _settle(address: str, cache: str) -> None:
    os.environ |= places(address, cache)


def places(address: str, cache: str | Path) -> dict[str, str]:
    """The environment that tells the client where its Hub and its cache are."""
    return {
        "HF_ENDPOINT": address,
        "HF_HOME": str(cache),
        "HF_HUB_DISABLE_XET": "1",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }
