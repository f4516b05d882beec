"""What visitors upload: limited for each and for all, and dropped when they leave."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from starlette.responses import Response
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.parts.server import uploads
from pages.parts.server.limits import Limits
from tests.campaign.visitor import run

MB = 1 << 20
LIMITS = Limits(uploads_mb=2, all_uploads_mb=3, uploads_seconds=1, file_mb=1)


class Server:
    """Streamlit's store of files behind the middleware, and who is there."""

    def __init__(self):
        self.uploaded_file_mgr, self.present, self.number = MemoryUploadedFileManager("/upload"), {"one", "other"}, 0
        self.middleware = uploads.Uploads(self.app)
        self.is_active_session = self.present.__contains__

    async def app(self, scope, receive, send):
        if scope["type"] == "websocket":
            return
        request = Request(scope, receive)
        session, file_id = scope["path"].split("/")[-2:]
        content = await request.body()
        await asyncio.sleep(0)  # so that others come in between
        self.uploaded_file_mgr.add_file(session, UploadedFileRec(file_id, "a.txt", "text/plain", content))
        await Response(status_code=204)(scope, receive, send)

    async def upload(self, session, says_its_size=True, receive=None):
        """Upload a file of one MB, which `receive` returns in parts; return how many MB are kept then."""
        self.number += 1
        scope = {
            "type": "http",
            "method": "PUT",
            "path": f"/some/where/_stcore/upload_file/{session}/{self.number}",
            "headers": [(b"content-length", str(MB).encode())] if says_its_size else [],
        }
        sent = []

        async def whole():
            return {"type": "http.request", "body": bytes(MB), "more_body": False}

        async def send(message):
            sent.append(message)

        await self.middleware(scope, receive or whole, send)
        assert receive or sent[0]["status"] == 204, "the browser would show an error of its own"
        return self.kept()

    def kept(self):
        sessions = self.uploaded_file_mgr.file_storage.values()
        return sum(len(file.data) for files in sessions for file in files.values()) // MB


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(uploads, "LIMITS", LIMITS)
    monkeypatch.setattr(uploads.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(uploads, "_refusals", {})
    return server


def test_uploads_end_at_the_limit_of_each_visitor_and_of_all(server, monkeypatch):
    async def visit():
        assert [await server.upload("one") for _ in range(3)] == [1, 2, 2], "two for each"
        await asyncio.gather(server.upload("other"), server.upload("other", says_its_size=False))
        assert server.kept() == 3, "three for all, also if two come at the same time"
        server.present.remove("one")
        assert await server.upload("other") == 2, "the room of those who have left is given away at once"

    run(visit())
    monkeypatch.setattr(uploads, "get_script_run_ctx", lambda: SimpleNamespace(session_id="other"))
    assert uploads.why_missing() == uploads.ALL_FULL


def test_files_are_dropped_some_time_after_their_visitor_has_left(server):
    async def visit():
        await server.upload("one")
        server.present.remove("one")
        await server.middleware({"type": "websocket", "path": "/_stcore/stream"}, None, None)
        assert server.kept() == 1, "a reload may need it"
        while server.kept():
            await asyncio.sleep(0.05)

    run(visit())


def test_a_file_of_which_half_arrives_does_not_keep_its_room(server, monkeypatch):
    monkeypatch.setattr(uploads, "PATIENCE", 0.01)
    monkeypatch.setattr(uploads, "SLOWEST", 100 * MB)
    parts = [{"type": "http.request", "body": bytes(MB // 2), "more_body": True}]

    async def half():
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    async def visit():
        await server.upload("one", receive=half)
        assert not server.kept()
        assert not server.middleware.arriving
        monkeypatch.setattr(uploads, "LIMITS", Limits(uploads_mb=0))
        parts.append({"type": "http.request", "body": bytes(MB // 2), "more_body": True})
        await server.upload("one", receive=half)  # refused: it ends too

    run(visit())
