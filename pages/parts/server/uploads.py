"""Files that visitors upload: how many bytes the server keeps for one visitor and for all visitors together.

Streamlit limits the size of a file, but not the number of files. It keeps the files of a closed tab until another
visitor comes. If the server refused an upload, Streamlit would show an error with a number in the browser. So the
server receives a refused file but does not keep it. The page then finds no file, and says why.

While a file arrives, its whole size counts. A visitor who announces a large file and sends half of it would take room
from other visitors. So the server gives up a file that arrives too slowly.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.parts.server.inside_streamlit import MemoryUploadedFileManager, UploadedFile, get_script_run_ctx, runtime
from pages.parts.server.limits import LIMITS

PATIENCE = 30  # seconds that a file may take in addition to the time that it takes at the speed `SLOWEST`
SLOWEST = 50_000  # bytes a second
_ADDRESS = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+$")
FULL = f"With this file you would have uploaded more than {LIMITS.uploads_mb} MB. Reload the page to go on."
ALL_FULL = "The server has no room for this file now. Try again in a few minutes."
GONE = "The server no longer has this file. Choose it again."
_refusals: dict[str, str] = {}  # session → the sentence of the session's last refusal


class Uploads:
    """A middleware that refuses uploads beyond the limits, and drops the files of visitors who have left."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the app."""
        self.app = app
        self.arriving: Counter[str] = Counter()  # bytes of uploads that are under way, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        upload = _ADDRESS.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload:
            await self._upload(upload[1], scope, receive, send)
            return
        await self.app(scope, receive, send)
        if scope["type"] == "websocket":  # the visitor has left, but a reload, for example, brings the visitor back
            asyncio.get_running_loop().call_later(LIMITS.uploads_seconds, drop_files_of_the_absent)

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        size, receive = _size(scope), in_time(receive, PATIENCE, SLOWEST)
        refusal = self.refusal(session, size)
        if refusal:
            _refusals[session] = refusal
            with suppress(ClientDisconnect):
                async for _ in Request(scope, receive).stream():
                    pass
                await Response(status_code=204)(scope, receive, send)
            return
        self.arriving[session] += size
        try:
            with suppress(ClientDisconnect):
                await self.app(scope, receive, send)
        finally:
            self.arriving[session] -= size
            self.arriving += Counter()  # this drops the sessions from which nothing arrives

    def refusal(self, session: str, size: int) -> str:
        """Return why a session may not upload `size` more bytes; "" if the session may do so."""
        kept = files_by_session() + self.arriving
        if kept[session] + size > LIMITS.uploads_mb << 20:
            return FULL
        if kept.total() + size > LIMITS.all_uploads_mb << 20:
            drop_files_of_the_absent()
            kept = files_by_session() + self.arriving
        return ALL_FULL if kept.total() + size > LIMITS.all_uploads_mb << 20 else ""


def in_time(receive: Receive, patience: float, slowest: int) -> Receive:
    """Return a function that receives the parts of a request, as `receive` does.

    If the parts come too slowly, the function returns the message that says that the visitor has disconnected.
    `patience`: seconds that the parts may take in addition to the time that they take at the speed `slowest`, in bytes
    a second.
    """
    now = asyncio.get_running_loop().time
    begun, size = now(), 0

    async def part() -> Message:
        nonlocal size
        try:
            async with asyncio.timeout_at(begun + patience + size / slowest):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        return message

    return part


def _size(scope: Scope) -> int:
    """Return the size that a request announces for its upload. If it announces none, return the largest size."""
    announced = dict(scope["headers"]).get(b"content-length", b"")
    return int(announced) if announced.isdigit() else LIMITS.file_mb << 20


def _manager() -> MemoryUploadedFileManager:
    manager = runtime.get_instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager), "the pinned version of Streamlit has no other"
    return manager


def files_by_session() -> Counter[str]:
    """Return how many bytes of files Streamlit keeps for each session."""
    storage = _manager().file_storage
    return Counter(
        {session: sum(len(file.data) for file in list(files.values())) for session, files in list(storage.items())}
    )


def drop_files_of_the_absent() -> None:
    """Drop the uploaded files of sessions whose tab is closed."""
    for session in [*files_by_session(), *_refusals]:
        if not runtime.get_instance().is_active_session(session):
            _manager().remove_session_files(session)
            _refusals.pop(session, None)


def why_missing() -> str:
    """Return why the server does not have a file that this visitor uploaded."""
    context = get_script_run_ctx()
    return _refusals.get(context.session_id, GONE) if context else GONE


def drop(file: UploadedFile) -> None:
    """Drop a file that this visitor uploaded. For callers that have read the file."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
