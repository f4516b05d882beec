"""A visitor without a browser: speaks Streamlit's protocol over a WebSocket, and remembers what the screen would show.

`visitor = await Visitor.open("http://localhost:8501", "train")`, then `await visitor.step(3)`.
"""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from bpe_core.pictures.film.film_side import CHUNK
from tests.pages.driver import sent_to

Result = TypeVar("Result")
ANSWER_SECONDS = 60
WORK_SECONDS = 300
PATIENCE, CHECK = 1.0, 0.5  # seconds after which a browser asks again, and between two looks; the same as in channel.js
TRACEBACK = re.compile(r"Traceback|File \"/|/(?:site-packages|bpe_core|pages)/")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """What the work gives, in a thread of its own: in this one a browser of other tests may have its event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(work, WORK_SECONDS)).result()


class Shown:
    """An element on the screen that can be acted on: its id, the fragment that it is in, and what it was sent."""

    def __init__(self, element: Any, fragment: str) -> None:
        """`element`: the part of a delta that is set."""
        self.element, self.fragment = element, fragment

    @property
    def data(self) -> dict[str, Any]:
        """What a component was sent."""
        return sent_to(self.element)


class Visitor:
    """One session on one page. `shown`: the elements that have a key, by their key; `texts`: the texts on the page.

    `waits`: whether each action waits until the server has drawn its answer; without that the next overtakes it.
    """

    def __init__(self, socket: ClientConnection, url: str, page: str, query: Mapping[str, str]) -> None:
        """Nothing is sent yet; see `open`."""
        self._socket, self.url, self.page, self.query = socket, url, page, urlencode(query)
        self._script = ""  # what the server calls the page, once it has answered
        self._states: dict[str, WidgetState] = {}
        self.shown: dict[str, Shown] = {}
        self.texts: dict[tuple[int, ...], str] = {}
        self.received = self.number = 0
        self.waits = True
        self._runs = False  # whether the server says that it works on an answer
        self._asking = HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_SECONDS)  # kept open, as a browser does

    @classmethod
    async def open(cls, url: str, page: str = "", query: Mapping[str, str] = {}) -> Visitor:
        """A visitor who has opened a page and has its whole answer."""
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        socket = await connect(address, subprotocols=["streamlit"], max_size=None, compression=None)
        visitor = cls(socket, url, page, query)
        await visitor.run()
        return visitor

    async def close(self) -> None:
        """Close the tab."""
        await self._socket.close()
        self._asking.close()

    async def run(self, fragment: str = "") -> None:
        """Send all values as they stand, and wait until everything is drawn."""
        message = BackMsg()
        ask = message.rerun_script
        ask.query_string, ask.fragment_id, ask.page_script_hash = self.query, fragment, self._script
        ask.page_name = "" if self._script else self.page
        ask.widget_states.widgets.extend(self._states.values())
        await self.send(message.SerializeToString())
        if self.waits:
            await self.drawn()

    async def turn_to(self, page: str) -> None:
        """Open another page of the app, as a link in the navigation does."""
        self.page, self._script, self.query = page, "", ""
        await self.run()

    async def send(self, message: bytes) -> None:
        """Send any message."""
        await self._socket.send(message)

    async def drawn(self) -> None:
        """Wait until the server has finished what it was asked; raises what closed the connection."""
        unfinished = ForwardMsg.FINISHED_EARLY_FOR_RERUN
        async with asyncio.timeout(ANSWER_SECONDS):
            while (done := self._take(await self._socket.recv())) is None or done == unfinished:
                pass

    async def answered(self, key: str, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask, and wait until a component has the answer; more may follow. As `channel.js`, it may ask again."""
        await ask()
        first, asked, patience = self.number, monotonic(), PATIENCE
        async with asyncio.timeout(ANSWER_SECONDS):
            while (shown := self.shown[key]).data["answered"] < first:
                while self.shown[key] is shown:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(CHECK):
                            self._take(await self._socket.recv())
                    if monotonic() - asked >= patience and not self._runs:
                        await ask()
                        asked, patience = monotonic(), 2 * patience

    async def rest(self, seconds: float) -> None:
        """Take in what comes meanwhile, and send nothing."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                while True:
                    self._take(await self._socket.recv())

    def _take(self, raw: bytes) -> int | None:
        self.received += len(raw)
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if kind == "session_status_changed":
            self._runs = message.session_status_changed.script_is_running
        if kind == "script_finished":
            return message.script_finished
        if kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._show(tuple(message.metadata.delta_path), message.delta)
        return None

    def _show(self, path: tuple[int, ...], delta: Any) -> None:
        element = delta.new_element
        part = getattr(element, element.WhichOneof("type"))
        if key := re.fullmatch(r"\$\$ID-[0-9a-f]+-(.+)", getattr(part, "id", "")):
            self.shown[key[1]] = Shown(part, delta.fragment_id)
            if getattr(part, "set_value", False):  # the server has set it: the browser takes that over
                self._states.pop(part.id, None)
        said = getattr(part, "body", "") or getattr(part, "message", "")
        self.texts[path] = str(said) + "\n".join(getattr(part, "stack_trace", ()))

    async def act(self, key: str, **value: Any) -> None:
        """Give a widget a value by its key: `json_value="…"`, `trigger_value=True`, `string_value="…"`."""
        shown = self.shown[key]
        await self.say(WidgetState(id=shown.element.id, **value), shown.fragment)

    def forget(self, key: str) -> None:
        """Send a widget's value no more."""
        self._states.pop(self.shown[key].element.id, None)

    async def say(self, state: WidgetState, fragment: str = "") -> None:
        """Send a widget's value by its id; what is pressed is pressed once."""
        self._states[state.id] = state
        await self.run(fragment)
        if state.WhichOneof("value") in ("trigger_value", "string_trigger_value"):
            self._states.pop(state.id, None)

    async def type(self, text: str) -> None:
        """The box with your text holds this text now."""
        self.number += 1
        version = self.shown["shared.editor"].data["version"]
        request = {"number": self.number, "version": version, "choice": {"text": text}}
        await self.act("shared.editor", json_value=json.dumps({"request": request}))

    async def tokens(self, text: str) -> None:
        """The tokens of what is typed: the picture asks for them, and the page does not hear of it."""
        await self.ask(self.shown["tokens.shown"].data["asks"], "tokens", text=text, specials=False)

    async def film(self, step: int) -> None:
        """The film tells the page that it rests at a step."""
        key = next(key for key in self.shown if key.endswith(".film"))
        data, self.number = self.shown[key].data, self.number + 1
        choice = {"step": step, "find": data["find"], "sort": data["sort"]}
        request = {"number": self.number, "version": data["version"], "choice": choice}
        await self.act(key, json_value=json.dumps({"request": request}))

    async def step(self, step: int) -> None:
        """Go to a step and stay there: the film asks for its frames, and tells the page."""
        await self.frames([[0, step // CHUNK]])
        await self.film(step)

    async def frames(self, chunks: list[list[int]]) -> None:
        """The film asks for frames."""
        key = next(key for key in self.shown if key.endswith(".film"))
        await self.ask(self.shown[key].data["asks"], "frames", chunks=chunks)

    async def ask(self, asks: Mapping[str, str], name: str, **parameters: Any) -> Any:
        """Ask for a resource, as a picture does that was told whom it `asks`."""
        headers = {"Mergescope-Handle": asks["handle"], "Content-Type": "application/json"}

        def asked() -> HTTPResponse:
            self._asking.request("POST", f"{asks['address']}{name}", json.dumps(parameters), headers)
            return self._asking.getresponse()

        def answer() -> bytes:
            try:
                response = asked()
            except ConnectionError:  # the server has closed a connection that nobody used for some seconds
                self._asking.close()
                response = asked()
            body = response.read()
            if response.status != 200:
                raise RuntimeError(f"{name}: status {response.status}: {body[:200]!r}")
            return body

        return json.loads(await asyncio.to_thread(answer))

    async def view(self, name: str) -> None:
        """Open the first view of one of the page's tabs."""
        page = self.page or "tokens"
        shown = self.shown[f"{page}.view"]
        options = [option.content for option in shown.element.options]
        state = WidgetState(id=shown.element.id)
        state.string_array_value.data[:] = [options[self.views().index(name)]]
        self._states[state.id] = state
        await self.run(shown.fragment)

    def views(self) -> list[str]:
        """The titles of the page's tabs."""
        page = self.page or "tokens"
        return [option.content for option in self.shown[f"{page}.view"].element.options]

    async def fetch(self, address: str) -> bytes:
        """A file that the page names."""
        return await asyncio.to_thread(lambda: urllib.request.urlopen(self.url + address, timeout=30).read())

    def complaints(self, wrong: Callable[[str], Any] = TRACEBACK.search) -> list[str]:
        """What is said on the screen that no visitor should read."""
        return [text for text in self.texts.values() if wrong(text)]
