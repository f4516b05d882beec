"""Files that visitors upload: how many bytes of them the server keeps, of one visitor and of all.

Streamlit limits the size of each file, but not their number, and keeps the files of a closed tab until another visitor
comes.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.parts.session.budget import BUDGET

_ADDRESS = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+$")
FULL = f"You have uploaded {BUDGET.uploads_mb} MB already. Reload the page to upload other files."
ALL_FULL = "The server has no room for this file now. Try again in a few minutes."


class Uploads:
    """A middleware that refuses uploads beyond the budget, and drops the files of visitors who have left."""

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
        if scope["type"] == "websocket":  # a visitor has left, but may come back, as after a reload
            asyncio.get_running_loop().call_later(BUDGET.uploads_seconds, drop_files_of_the_absent)

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        size = _size(scope)
        refusal = self.refusal(session, size)
        if refusal:
            await PlainTextResponse(refusal, 413)(scope, receive, send)
            return
        self.arriving[session] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self.arriving[session] -= size
            self.arriving += Counter()  # without the sessions that have none

    def refusal(self, session: str, size: int) -> str:
        """Return why a session may not upload `size` more bytes; "" if it may."""
        kept = files_by_session() + self.arriving
        if kept[session] + size > BUDGET.uploads_mb << 20:
            return FULL
        if kept.total() + size > BUDGET.all_uploads_mb << 20:
            drop_files_of_the_absent()
            kept = files_by_session() + self.arriving
        return ALL_FULL if kept.total() + size > BUDGET.all_uploads_mb << 20 else ""


def _size(scope: Scope) -> int:
    """Return the size of an upload that a request announces; the largest size if it does not say."""
    announced = dict(scope["headers"]).get(b"content-length", b"")
    return int(announced) if announced.isdigit() else BUDGET.file_mb << 20


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
    """Drop the files of sessions whose tab is closed."""
    for session in files_by_session():
        if not runtime.get_instance().is_active_session(session):
            _manager().remove_session_files(session)
