"""The route by which a picture asks for a resource of a thing that its page was given.

    browser   POST {root}/r/tokens       header: the handle      body: the parameters, as JSON
    server    200 the data · 410 no such handle · 422 why there is no answer · 409 overtaken by a newer one

A handle names one thing, such as a tokenizer. It has 128 random bits, and only the visitor whose page was given the
thing knows it. The visitor's session keeps the thing; when the session ends, the handle does. No text and no handle is
in an address, which proxies log, and no answer is stored anywhere.

A thing of the server's own answers a short text in the event loop. A long text, and a tokenizer from elsewhere, whose
pattern may be slow, are answered in one of `THREADS` threads. Of several requests with one handle for one resource that
wait for a thread, only the newest is answered.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit.web.server.server_util import is_url_from_allowed_origins

from bpe_core import FormatError, PatternError
from bpe_core.pictures.resources import RESOURCES, ParameterError
from bpe_core.pictures.shared.json_form import Json, compact
from pages.parts.server import served
from pages.parts.server.limits import LIMITS

HEADER = "mergescope-handle"
THREADS = 2
AT_ONCE = 2_000  # characters of a text that is encoded in the event loop: a millisecond
MOST_BYTES = 6 * LIMITS.shown_characters + 10_000  # of a request's body
STORE_NOTHING = {"Cache-Control": "no-store"}


class Given:
    """A thing that a picture may ask about. `handle`: its name. `is_ours`: whether nothing of it is from elsewhere.

    Keep it for as long as the picture is on the page: after that the handle names nothing.
    """

    def __init__(self, thing: object, is_ours: bool) -> None:
        """Make a handle for a thing."""
        self.thing, self.is_ours = thing, is_ours
        self.handle = secrets.token_urlsafe(16)
        self.newest: dict[str, int] = {}  # the number of the last request, by resource
        _given[self.handle] = self


_given: WeakValueDictionary[str, Given] = WeakValueDictionary()
_places = asyncio.Semaphore(THREADS)


def address() -> str:
    """Return the path below which the resources are."""
    return f"{served.root()}/r/"


def route() -> Route:
    """Return the route of all resources."""
    return Route(f"{address()}{{name}}", answer, methods=["POST"])


async def answer(request: Request) -> Response:
    """Answer a request: see the head of this file."""
    if not _is_from_here(request):
        return _refused("Another site may not ask.", 403)
    given, name = _given.get(request.headers.get(HEADER, "")), request.path_params["name"]
    if given is None:
        return _refused("This is not here any more.", 410)
    if name not in RESOURCES:
        return _refused("There is no such resource.", 404)
    given.newest[name] = number = given.newest.get(name, 0) + 1
    parameters = await _parameters(request)
    if parameters is None:
        return _refused("The request is too long, or not JSON.", 400)
    if given.is_ours and len(str(parameters.get("text", ""))) <= AT_ONCE:
        return _answer(given, name, parameters)
    async with _places:
        if given.newest[name] != number:
            return _refused("A newer request came.", 409)
        return await run_in_threadpool(_answer, given, name, parameters)


def _answer(given: Given, name: str, parameters: Mapping[str, Any]) -> Response:
    try:
        data: Json = RESOURCES[name](given.thing, parameters)
    except ParameterError as error:
        return _refused(str(error), 400)
    except (FormatError, PatternError) as error:
        return _refused(str(error), 422)
    return Response(compact(data), media_type="application/json", headers=STORE_NOTHING)


async def _parameters(request: Request) -> dict[str, Any] | None:
    """Return the parameters in a request's body; None if they are too long, or no JSON object."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or len(str(found.get("text", ""))) > LIMITS.shown_characters:
        return None
    return found


def _is_from_here(request: Request) -> bool:
    """Return whether a page of this server asks, or of a site that Streamlit lets open its connection."""
    origin = request.headers.get("origin")
    if origin is None or urlsplit(origin).netloc == request.headers.get("host"):
        return True
    return is_url_from_allowed_origins(origin)


def _refused(why: str, status: int) -> Response:
    return (
        JSONResponse({"problem": why}, status, headers=STORE_NOTHING)
        if status == 422
        else PlainTextResponse(why, status, headers=STORE_NOTHING)
    )
