"""One visitor who uploads files without end, which nothing uses: what memory that takes from all others."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterator

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor

Row = tuple[str, float, str, float | None]
FILES, SIZE = 40, 45 << 20
MOST = 300.0  # MB: what one visitor may keep, and what arrives
BEGIN, END = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n', b"\r\n--x--\r\n"


async def addresses(visitor: Visitor, files: int) -> list[str]:
    """Ask for addresses to upload files to, as a browser does."""
    asked = BackMsg()
    asked.file_urls_request.file_names.extend(["a.txt"] * files)
    asked.file_urls_request.request_id = "1"
    await visitor.send(asked.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(await visitor._socket.recv())
        if answer.WhichOneof("type") == "file_urls_response":
            return [each.upload_url for each in answer.file_urls_response.file_urls]


def put(url: str, size: int) -> None:
    """Upload a file of zeros."""
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(url, BEGIN + bytes(size) + END, headers, method="PUT")
    urllib.request.urlopen(request, timeout=60).close()


async def _visit(server: Server, files: int, size: int) -> float:
    visitor = await Visitor.open(server.url)
    before = server.megabytes()
    for address in await addresses(visitor, files):
        await asyncio.to_thread(put, server.url + address, size)
    taken = server.megabytes() - before
    await visitor.close()
    return taken


def measure(files: int = FILES, size: int = SIZE) -> Iterator[Row]:
    """Measure the server's memory after many uploads of one visitor."""
    with serve({"STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false"}) as server:
        taken = asyncio.run(_visit(server, files, size))
        yield f"one visitor uploads {files} files of {size >> 20} MB: memory that they take", taken, "MB", MOST
        yield "tracebacks in the server's log", float(server.tracebacks()), "", 0.0
