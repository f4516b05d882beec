"""The site on a static host: a folder, written once, and Python's own web server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

# Keeps what the worker is asked and answers.
RECORD = """
window.said = [];
window.Worker = class extends Worker {
  asked = new Map();
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data: { number, found } }) => {
      if (this.asked.has(number)) said.push([...this.asked.get(number), found]);
    });
  }
  postMessage(message, moved) {
    const { number, act, given } = message;
    if (act === "ask") this.asked.set(number, [given.thing, given.name, given.parameters]);
    super.postMessage(message, moved);
  }
};
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a folder on a web server that knows nothing but files."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
