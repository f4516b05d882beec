"""Scripts that have addresses of their own. A browser fetches them once; no other answer of the server has them."""

from __future__ import annotations

import threading
from asyncio import Lock, to_thread
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


class Script:
    """A script for all visitors. The script's address contains its version, so browsers cache the script for good.

    Behind a proxy any of several servers can answer, since servers with the same version have the script at the same
    address. `make`: a function that returns the script. It is called once, when the script is first needed, or earlier
    by `begin`. `version`: the version; "" to use a digest of the script.
    """

    def __init__(self, name: str, make: Callable[[], bytes], version: str = "") -> None:
        """Set the fields, and make nothing yet."""
        self.name, self._make, self._version = name, make, version
        self._making, self._requests = threading.Lock(), Lock()

    @property
    def content(self) -> bytes:
        """The script itself. One thread makes it; other threads wait for it."""
        with self._making:
            return self._made

    @cached_property
    def _made(self) -> bytes:
        return self._make()

    def begin(self) -> None:
        """Begin to make the script in a thread of its own, before anybody needs it."""
        threading.Thread(target=lambda: self.content, name=f"making {self.name}", daemon=True).start()

    @cached_property
    def file(self) -> str:
        """The last part of the script's address."""
        return f"{self.name}-{self._version or sha256(self.content).hexdigest()[:16]}.js"

    @property
    def address(self) -> str:
        """The script's address on this server."""
        return f"{root()}/scripts/{self.file}"

    async def answer(self) -> Response:
        """Return the response with the script. Requests at the same time wait without a thread of their own."""
        async with self._requests:
            content = await to_thread(lambda: self.content)
        return Response(content, media_type="text/javascript", headers=FOR_GOOD)


def root() -> str:
    """Return the path under which this server has the app; "" if the app is at the root."""
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return path and f"/{path}"


def route(scripts: Iterable[Script]) -> Route:
    """Return the route that answers requests for the scripts."""
    by_file = {script.file: script for script in scripts}

    async def answer(request: Request) -> Response:
        script = by_file.get(request.path_params["file"])
        return await script.answer() if script else PlainTextResponse("There is no such script.", 404)

    return Route(f"{root()}/scripts/{{file}}", answer)
