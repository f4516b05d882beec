"""Contents that a browser fetches once, from an address, and that do not travel with every answer of the server."""

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
    """A script for all visitors. Its address contains its version, so browsers cache it for good.

    All servers with the same version have it at the same address, so behind a proxy any of them can answer. `make`:
    returns the script; it is called once, when the script is needed. `version`: "" for a digest of the script.
    """

    def __init__(self, name: str, make: Callable[[], bytes], version: str = "") -> None:
        """Set the fields, and make nothing yet."""
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
        """Return the response with the script. Requests at the same time wait for one thread, which makes it."""
        async with self._making:
            content = await to_thread(lambda: self.content)
        return Response(content, media_type="text/javascript", headers=FOR_GOOD)


def root() -> str:
    """Return the path under which this server has the app; "" if it is the root."""
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return path and f"/{path}"


def route(scripts: Iterable[Script]) -> Route:
    """Return the route to the scripts."""
    by_file = {script.file: script for script in scripts}

    async def answer(request: Request) -> Response:
        script = by_file.get(request.path_params["file"])
        return await script.answer() if script else PlainTextResponse("There is no such script.", 404)

    return Route(f"{root()}/scripts/{{file}}", answer)


def address(content: bytes, kind: str, name: str) -> str:
    """Return an address for content of one visitor's page. `name`: unique on the page.

    Streamlit stores the content until the page shows other content under this name, or the visitor leaves. A route of
    our own would need a store that does the same.
    """
    if not runtime.exists():
        return ""
    return root() + runtime.get_instance().media_file_mgr.add(content, kind, name)
