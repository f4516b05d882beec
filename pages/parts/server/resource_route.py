"""The route by which a picture asks for a resource of a thing that its page was given.

    browser   POST {root}/r/tokens       header: the handle      body: the parameters, as JSON
    server    200 the data, or one sentence why there is none (`Refusal`)

A handle names one thing, such as a tokenizer. It has 128 random bits, and only the visitor whose page was given the
thing knows it. The visitor's session keeps the thing, and the handle is known while the session's tab is connected. No
text and no handle is in an address, which proxies log, and no answer is stored anywhere.

Of one handle at most `MOST_OF_ONE` requests are under way. Their bodies are received and their answers sent side by
side; one at a time is answered. A thread answers, since the event loop has to stay alive for all visitors. Short texts,
long texts and tokenizers from elsewhere, whose patterns may be slow, have threads of their own each (`THREADS`), so
none of them waits for another. Of several requests of one handle for one resource that wait, only the newest is
answered. What the answers take counts among what the visitor used of the processor, and a visitor who used much waits
for a turn (`fair`).
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import secrets
import traceback
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum
from http import HTTPStatus
from threading import Lock
from time import thread_time
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary, WeakValueDictionary

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bpe_core.pictures.film.film_answer import Film
from bpe_core.pictures.resources import AnyVocabulary, Resource, answer, encoded, resources_of
from bpe_core.tokenizer.encoding import Encoding
from pages.parts.server import served
from pages.parts.server.fair import Visitor
from pages.parts.server.inside_streamlit import (
    allowlisted_origins,
    config,
    get_script_run_ctx,
    is_host_allowed,
    net_util,
    runtime,
)
from pages.parts.server.limits import LIMITS
from pages.parts.server.uploads import in_time
from pages.parts.server.whole_answers import PatientRequests

HEADER = "mergescope-handle"
OK = 200  # the status of an answer with data
THREADS = {"short": 2, "long": 2, "from elsewhere": 4}  # for each kind of request
SHORT = 4_000  # bytes of a body: a text whose tokens take a millisecond or two
LONGEST = 6 * LIMITS.shown_characters + 10_000  # of a body: JSON writes a character with 6 bytes at most
MOST_OF_ONE = 6  # requests of one handle that are under way; a film, which asks most, has five wishes
MOST_WAITING = 200  # requests of all handles that wait for a thread, or have one
PATIENCE = 10.0  # seconds that a body, or the sending of an answer, may take besides the time for its bytes
SLOWEST = 50_000  # bytes a second
MOST_CACHED = 1_000_000  # characters of all texts whose encoding is cached; a character takes 40 to 80 bytes
UNPACKED = 10_000  # characters of an answer that is sent as it is
STORE_NOTHING = {"Cache-Control": "no-store"}
LOG = logging.getLogger(__name__)

_pools = {kind: ThreadPoolExecutor(number, f"resources, {kind}") for kind, number in THREADS.items()}


class Refusal(Enum):
    """Why a request has no answer: the status and the sentence. The sentences of status 422 are for the screen."""

    NO_REQUEST = 400, "The body is no JSON object."
    FOREIGN = 403, "Another site may not ask."
    UNKNOWN_NAME = 404, "There is no such resource."
    METHOD = 405, "A resource is asked for by POST."
    SLOW = 408, "The body did not arrive in time."
    OVERTAKEN = 409, "A newer request came."
    GONE = 410, "This is not here any more."
    TOO_LONG = 422, f"Of a text of more than {LIMITS.shown_characters:,} characters, only the beginning is shown."
    FAILED = 500, "The server could not answer: the error is in its log."
    BUSY = 503, "Too many requests are under way: try again in a moment."

    @property
    def response(self) -> Response:
        """The response of the server."""
        return refused(*self.value)


def refused(status: int, sentence: str) -> Response:
    """Return a response that is one sentence."""
    headers = STORE_NOTHING | ({"Allow": "POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else {})
    return PlainTextResponse(sentence, status, headers=headers)


class Given:
    """A thing that a picture may ask about: a vocabulary, a sequence of vocabularies, or a film. `handle`: its name.

    `is_ours`: whether nothing of the thing is from elsewhere. Keep the object for as long as the picture is on the
    page: after that the handle names nothing. `session`: Streamlit's id of the session in which the object was made; ""
    outside a session. `before`: what the picture was given before. It may be asked until the picture asks this one.
    """

    def __init__(self, thing: object, is_ours: bool, before: Given | None = None) -> None:
        """Make a handle for a thing."""
        self.thing, self.is_ours, self.before = thing, is_ours, before
        if before is not None:
            before.before = None
        self.handle = secrets.token_urlsafe(16)
        context = get_script_run_ctx(suppress_warning=True)
        self.session = context.session_id if context else ""
        requests = context.script_requests if context else None
        self.visitor = requests.visitor if isinstance(requests, PatientRequests) else None  # who was given the thing
        self.under_way = 0  # requests
        self.newest: dict[str, int] = {}  # the number of the last request, by resource
        self.turn = asyncio.Lock()  # of the request that is answered
        _given[self.handle] = self

    @property
    def is_connected(self) -> bool:
        """Whether the session's tab is connected: Streamlit and Python may keep a session for minutes after that."""
        return not (self.session and runtime.exists()) or runtime.get_instance().is_active_session(self.session)

    def encode(self, vocabulary: AnyVocabulary, text: str, specials: bool) -> Encoding:
        """Encode a text, or return the cached encoding of the last text, so that a token's facts come soon.

        A sequence of vocabularies has no cache: it is asked about each text once.
        """
        if vocabulary is not self.thing:
            return encoded(vocabulary, text, specials)
        return _encodings.get(self, vocabulary, text, specials)


class LastEncodings:
    """The last encoding of each handle.

    A text of more than `LIMITS.typed_characters` is not cached. Those cached longest are dropped when all texts
    together have more than `MOST_CACHED` characters.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.cached: WeakKeyDictionary[Given, Encoding] = WeakKeyDictionary()  # from the oldest to the newest
        self.lock = Lock()

    def get(self, given: Given, vocabulary: AnyVocabulary, text: str, specials: bool) -> Encoding:
        """Return the encoding of a text in the vocabulary of a handle."""
        last = self.cached.get(given)
        if last is not None and last.text == text and last.specials == specials:
            return last
        with self.lock:
            self.cached.pop(given, None)
        made = encoded(vocabulary, text, specials)
        if len(text) <= LIMITS.typed_characters:
            with self.lock:
                self.cached[given] = made
                while sum(len(each.text) for each in self.cached.values()) > MOST_CACHED:
                    del self.cached[next(iter(self.cached))]
        return made


_given: WeakValueDictionary[str, Given] = WeakValueDictionary()
_encodings = LastEncodings()


def address() -> str:
    """Return the path below which the resources are."""
    return f"{served.root()}/r/"


def route() -> Route:
    """Return the route of all resources."""
    return Route(f"{address()}{{name}}", Resources())


class Resources:
    """The app that answers the requests. `bytes`: of the bodies under way. `waiting`: requests that need a thread."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.bytes = self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: see the head of this file."""
        request = Request(scope, in_time(receive, PATIENCE, SLOWEST))
        found = find(request)
        if isinstance(found, Refusal):
            await found.response(scope, receive, send)
            return
        given, body = found, bytearray()
        given.before = None  # the picture asks this one, so it does not need the one before any more
        given.under_way += 1
        try:
            response = await self.answer(given, request, body)
            with suppress(TimeoutError):  # else a browser that reads nothing would keep the answer for ever
                async with asyncio.timeout(PATIENCE + len(response.body) / SLOWEST):
                    await response(scope, receive, send)
        finally:
            given.under_way -= 1
            self.bytes -= len(body)

    async def answer(self, given: Given, request: Request, body: bytearray) -> Response:
        """Return the response to a request. Put the request's body into `body`."""
        name = request.path_params["name"]
        given.newest[name] = number = given.newest.get(name, 0) + 1
        try:
            async for part in request.stream():
                if len(body) + len(part) > LONGEST:
                    return Refusal.TOO_LONG.response
                if self.bytes + len(part) > LIMITS.requests_mb << 20:
                    return Refusal.BUSY.response
                body += part
                self.bytes += len(part)
        except ClientDisconnect:  # `in_time` ends a body that is too slow as if the browser had left
            return Refusal.SLOW.response
        async with given.turn:
            if given.newest[name] != number:
                return Refusal.OVERTAKEN.response
            if self.waiting >= MOST_WAITING:
                return Refusal.BUSY.response
            self.waiting += 1
            visitor, took = given.visitor or Visitor(), 0.0
            packs = "gzip" in request.headers.get("accept-encoding", "")
            try:
                is_short = len(body) <= SHORT and not isinstance(given.thing, Film)  # frames take longer than tokens
                kind = "from elsewhere" if not given.is_ours else "short" if is_short else "long"
                await visitor.turn_to_ask()
                if given.newest[name] != number:
                    return Refusal.OVERTAKEN.response
                run = asyncio.get_running_loop().run_in_executor
                response, took = await run(_pools[kind], timed, given, name, body, packs)
                return response
            finally:
                self.waiting -= 1
                visitor.took(took)


def find(request: Request) -> Given | Refusal:
    """Return what a request is about, before its body is read; or why it has no answer."""
    if request.method != "POST":
        return Refusal.METHOD
    if not is_from_here(request.headers.get("host"), request.headers.get("origin")):
        return Refusal.FOREIGN
    given = _given.get(request.headers.get(HEADER, ""))
    if given is None or not given.is_connected:
        return Refusal.GONE
    if request.path_params["name"] not in resources_of(given.thing):
        return Refusal.UNKNOWN_NAME
    return Refusal.BUSY if given.under_way >= MOST_OF_ONE else given


def timed(given: Given, name: str, body: bytearray, packs: bool) -> tuple[Response, float]:
    """Return the response to a request for a resource (see `made`), and the seconds of the processor that it took."""
    begun = thread_time()
    return made(given, name, body, packs), thread_time() - begun


def made(given: Given, name: str, body: bytearray, packs: bool = False) -> Response:
    """Return the response to a request for a resource. Threads call this function.

    `packs`: whether the browser takes a packed answer.
    """
    try:
        parameters = json.loads(body.decode())
    except (ValueError, RecursionError):
        return Refusal.NO_REQUEST.response
    if not isinstance(parameters, dict):
        return Refusal.NO_REQUEST.response
    text = parameters.get("text")
    if isinstance(text, str) and len(text) > LIMITS.shown_characters:
        return Refusal.TOO_LONG.response
    return data_of(given, resources_of(given.thing)[name], parameters, packs)


def data_of(given: Given, resource: Resource, parameters: Mapping[str, Any], packs: bool = False) -> Response:
    """Return the response with a resource. Of an error that is not expected, the log has one line without any text.

    A long answer is packed here, quickly and in a thread: Streamlit would pack it in the event loop, and take longer.
    """
    try:
        status, data = answer(resource, given.thing, parameters, given.encode)
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        LOG.error("A resource failed: %s in %s, %s:%s", type(error).__name__, last.name, last.filename, last.lineno)
        return Refusal.FAILED.response
    if status != OK:
        return refused(status, data)
    content, packed = data.encode(), packs and len(data) > UNPACKED
    headers = STORE_NOTHING | {"Content-Encoding": "gzip" if packed else "identity", "Vary": "Accept-Encoding"}
    return Response(gzip.compress(content, 1) if packed else content, media_type="application/json", headers=headers)


def is_from_here(host: str | None, origin: str | None) -> bool:
    """Return whether a page of this server asks, or of a site that Streamlit lets open its connection.

    Streamlit's own function may look up this machine's address in the internet, and the event loop would wait. So this
    function knows that address only if Streamlit has looked it up, which it did for a page that needs it.
    """
    if not is_host_allowed(host):
        return False
    try:
        asking = urlsplit(origin or "")
        if origin is None or asking.netloc == host or not config.get_option("server.enableCORS"):
            return True
        named = {urlsplit(each).hostname or each for each in allowlisted_origins()}
    except ValueError:
        return False
    here = {"localhost", "0.0.0.0", "127.0.0.1", net_util.get_internal_ip(), net_util._external_ip}
    if config.is_manually_set("browser.serverAddress"):
        here.add(config.get_option("browser.serverAddress"))
    return asking.hostname is not None and asking.hostname in here | named
