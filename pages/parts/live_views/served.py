"""What reaches a browser once, under an address, and not with every answer of the server."""

from __future__ import annotations

from asyncio import Lock, to_thread
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit import runtime

FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


class Script:
    """A script that all visitors share. Its address has its version, so a browser keeps it for good.

    Every server of the same version has it at the same address: behind a proxy any of them answers. `version`: without
    one it is a digest of the script, which is then made for its address.
    """

    def __init__(self, name: str, make: Callable[[], bytes], version: str = "") -> None:
        """Nothing is made yet: `make` is called once."""
        self.name, self._make, self._version = name, make, version
        self._making = Lock()

    @cached_property
    def content(self) -> bytes:
        """The script itself."""
        return self._make()

    @cached_property
    def file(self) -> str:
        """The last part of its address."""
        return f"{self.name}-{self._version or sha256(self.content).hexdigest()[:16]}.js"

    @property
    def address(self) -> str:
        """Its address on this server."""
        return f"{root()}/scripts/{self.file}"

    async def answer(self) -> Response:
        """Return the script to a browser. Browsers that ask at once wait for one thread that makes it."""
        async with self._making:
            content = await to_thread(lambda: self.content)
        return Response(content, media_type="text/javascript", headers=FOR_GOOD)


def root() -> str:
    """Return the path under which this server has the app; "" where that is the root."""
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return path and f"/{path}"


def route(scripts: Iterable[Script]) -> Route:
    """Return the route that answers the addresses of scripts."""
    by_file = {script.file: script for script in scripts}

    async def answer(request: Request) -> Response:
        script = by_file.get(request.path_params["file"])
        return await script.answer() if script else PlainTextResponse("There is no such script.", 404)

    return Route(f"{root()}/scripts/{{file}}", answer)


def address(content: bytes, kind: str, name: str) -> str:
    """Return an address for what one visitor's page shows. `name` is unique on the page.

    Streamlit keeps the content until the page shows another under this name, or the visitor leaves. A route of ours
    would need a store with such lifetimes.
    """
    if not runtime.exists():
        return ""
    return root() + runtime.get_instance().media_file_mgr.add(content, kind, name)
