"""Messages that no browser sends: the server goes on, tells nothing of itself, and its log has no traceback.

Each component's state with one part of it replaced; each widget with a value of another kind; messages that are none.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from pages.parts.page import frame
from tests.campaign.server import Server
from tests.campaign.visitor import Visitor

PAGES = {name: "" if name == "tokens" else name for name in frame.PAGES}  # their paths on the server, by name
FILLED = [(page, path, {}) for page, path in PAGES.items()]  # and views that have components of their own
FILLED += [("algorithms", "algorithms", {"view": view}) for view in ("wordpiece", "unigram")]
WIDGETS = [(page, path, {}) for page, path in PAGES.items()]  # and views that have widgets of their own
WIDGETS += [("chat", "chat", {"view": view}) for view in ("requests", "tools")]
PARTS: list[Any] = [None, -1, 10**30, 0.5, "x", True, [], {}, [[]], [-1, -1], {"x": 1}, "\ud800"]
WHOLE = ["[]", "null", '"x"', "{", "", "NaN", "[" * 5000]
VALUES: dict[str, Any] = {
    "bool_value": True, "bytes_value": b"\xff", "double_value": float("nan"), "int_value": 10**9, "string_value": "x",
    "trigger_value": True, "json_value": "{", "json_trigger_value": "5", "string_array_value": {"data": ["x"]},
    "int_array_value": {"data": [-1, 10**9]}, "double_array_value": {"data": [1e300, float("nan")]},
    "string_trigger_value": {"data": "x"}, "chat_input_value": {"data": "x"}, "file_uploader_state_value": {},
}  # fmt: skip


def state_of(key: str, sent: dict[str, Any]) -> dict[str, Any] | None:
    """A state as the component with this key would send it, `sent` being what it was told; None for other elements."""
    if key.endswith((".editor", " box")):
        return _request(sent, {"text": "low lower"})
    if ".film" in key:
        looks = {"pair": [0, 1, 2], "word": [0, 0], "find": "", "sort": "", "branch": [0, 1, 1, 2]}
        return _request(sent, {"step": 1, **looks})
    if key.endswith(".shown"):
        options = {"ids": "yes", "marks": True, "window": "128000", "price": ""}
        return _request(sent, {"step": 3, "at": 1, "options": options})
    return None


def _request(sent: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    return {"request": {"number": 1, "version": sent["version"], "choice": choice}}


def damaged(state: Any) -> Iterator[Any]:
    """The state with each of its parts replaced by something else, or left out."""
    for path in _paths(state):
        for part in PARTS:
            whole = copy.deepcopy(state)
            inner = whole
            for name in path[:-1]:
                inner = inner[name]
            inner[path[-1]] = part
            yield whole
        if isinstance(path[-1], str):
            del inner[path[-1]]
            yield whole


def _paths(state: Any, before: tuple = ()) -> Iterator[tuple]:
    inside = state.items() if isinstance(state, dict) else enumerate(state) if isinstance(state, list) else ()
    for name, part in inside:
        yield (*before, name)
        yield from _paths(part, (*before, name))


async def states(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """The states of each page's components, damaged: a part of all ways, at even distances."""
    for page, path, query in FILLED:
        visitor = await Visitor.open(server.url, path, query)
        for key, shown in list(visitor.shown.items()):
            valid = state_of(key, shown.data) if hasattr(shown.element, "json") else None
            if valid is None:
                continue
            for number, wrong in enumerate([*WHOLE, *map(json.dumps, damaged(valid))][::every]):
                await visitor.act(key, json_value=wrong)
                yield f"{page} {key} {number} {wrong[:200]}", visitor.complaints()
            await visitor.close()
            visitor = await Visitor.open(server.url, path, query)
        await visitor.close()


async def values(server: Server, every: int = 1) -> AsyncIterator[tuple[str, list[str]]]:
    """Each widget of each page with values of other kinds: a part of a shuffled list, at even distances."""
    for page, path, query in WIDGETS:
        visitor = await Visitor.open(server.url, path, query)
        wrong = [(key, kind) for key in visitor.shown for kind in VALUES]
        Random(page).shuffle(wrong)
        for key, kind in wrong[::every]:
            if key in visitor.shown:
                forged = WidgetState(id=visitor.shown[key].element.id, **{kind: VALUES[kind]})
                await visitor.say(forged)  # of the whole page: what is forged may take away the fragment
                yield f"{page} {key} {kind}", visitor.complaints()
                visitor.forget(key)
        await visitor.close()


async def no_messages(server: Server) -> AsyncIterator[tuple[str, list[str]]]:
    """An order to shut down, and bytes that are no message."""
    visitor = await Visitor.open(server.url)
    await visitor.send(BackMsg(debug_shutdown_runtime=True).SerializeToString())
    await visitor.send(b"\xff" * 100)
    try:
        await visitor.drawn()
    except ConnectionClosed as closed:
        yield "no message", visitor.complaints() + re.findall(r"Traceback|/\w+/", str(closed))


async def unknown_widget(server: Server) -> AsyncIterator[tuple[str, list[str]]]:
    """A value for a widget that is not there, and a page that is not there."""
    visitor = await Visitor.open(server.url, "train")
    await visitor.say(WidgetState(id="$$ID-0-none", int_value=1))
    visitor._script = "no such page"
    await visitor.run()
    yield "what is not there", visitor.complaints()
    await visitor.close()
