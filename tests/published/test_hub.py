"""The Hub's real client against a server of ours on this machine."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bpe_core import Settings, dumps, train
from bpe_core.published import PublishedError
from bpe_core.published.hub import fetch

ROOT = Path(__file__).parents[2]
COMMIT = "a" * 40
TOKENIZER = dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer())["tokenizer.json"]
MODELS = {
    "owner/whole": {"tokenizer.json": TOKENIZER, "config.json": b"{}"},
    "owner/gated": {"tokenizer.json": TOKENIZER},
    "owner/none": {"config.json": b"{}"},
    "owner/pair": {"vocab.json": b'{"a": 0}', "merges.txt": b"#version: 0.2\n"},
    "owner/huge": {"tokenizer.json": TOKENIZER},
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

    def do_GET(self):
        path = self.path.split("?")[0].strip("/")
        if path.startswith("api/models/"):
            name = "/".join(path.split("/")[2:4])
            if name == "owner/broken":
                return self.answer(500)
            if name not in MODELS:
                return self.answer(404, **{"X-Error-Code": "RepoNotFound"})
            sizes = {file: 1 << 40 if name == "owner/huge" else len(raw) for file, raw in MODELS[name].items()}
            files = [{"rfilename": file, "size": size} for file, size in sizes.items()]
            about = {"id": name, "modelId": name, "sha": COMMIT, "siblings": files, "tags": [], "private": False}
            return self.answer(200, json.dumps(about).encode(), **{"Content-Type": "application/json"})
        owner, model, _, _, file = path.split("/", 4)
        name = f"{owner}/{model}"
        if name == "owner/gated":
            return self.answer(403, **{"X-Error-Code": "GatedRepo"})
        raw = MODELS[name][file]
        return self.answer(200, raw, ETag=f'"{sha256(raw).hexdigest()}"', **{"X-Repo-Commit": COMMIT})

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_):
        """Nothing is printed."""


@pytest.fixture
def hub(tmp_path):
    """Ask in a process of its own: the client reads where its server is when it is imported."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"

    def ask(*names, address=address):
        script = """
import json, sys
from bpe_core.published.hub import PublishedError, fetch
for name in sys.argv[1:]:
    try:
        print(json.dumps({file: len(raw) for file, raw in fetch(name).items()}))
    except PublishedError as error:
        print(json.dumps(str(error)))
"""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_ENDPOINT": address, "HF_HOME": str(tmp_path)}
        environment |= {"HF_HUB_DISABLE_XET": "1", "NO_PROXY": "127.0.0.1"}
        done = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    yield ask
    server.shutdown()
    server.server_close()


def test_a_model_s_tokenizer_and_every_way_in_which_it_cannot_be_had(hub):
    whole, pair, gated, none, missing, huge, broken = hub(
        *("owner/whole", "owner/pair", "owner/gated", "owner/none", "owner/missing", "owner/huge", "owner/broken")
    )
    assert whole == {"tokenizer.json": len(TOKENIZER)}
    assert pair == {"vocab.json": 8, "merges.txt": 14}
    assert gated.startswith("owner/gated is gated: accept its terms on the Hub")
    assert none.startswith("owner/none has no tokenizer that can be opened: none of tokenizer.json, ")
    assert missing == "There is no model owner/missing on the Hub, or it is private."
    assert huge == "The tokenizer of owner/huge is larger than 64 MB, which is not read."
    assert broken.startswith("The Hub could not give owner/broken now")


def test_without_a_network_what_was_fetched_before_is_there_and_the_rest_is_a_sentence(hub):
    (fetched,) = hub("owner/whole")
    nowhere = "http://127.0.0.1:9"  # the port of nobody
    assert hub("owner/whole", "owner/pair", address=nowhere) == [
        fetched,
        "The Hub cannot be reached from here, so owner/pair could not be fetched.",
    ]


@pytest.mark.parametrize("name", ["", "a b", "../../etc/passwd", "x" * 300, "https://example.com/a/b"])
def test_what_is_no_name_is_not_asked_for(name):
    with pytest.raises(PublishedError, match="is not the name of a model"):
        fetch(name)
