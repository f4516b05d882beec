"""What visitors upload, on a real server: limited for each and for all, and dropped when they leave."""

import asyncio
import time
import urllib.request
from asyncio import to_thread
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.session.uploads import ALL_FULL, FULL
from tests.campaign.server import serve
from tests.campaign.visitor import Visitor

LIMITS = {"MERGESCOPE_UPLOADS_MB": "2", "MERGESCOPE_ALL_UPLOADS_MB": "3", "MERGESCOPE_UPLOADS_SECONDS": "1"}
OPEN = {"MERGESCOPE_METRICS": "1", "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false"}
MB = 1 << 20


async def address(visitor: Visitor) -> str:
    """Ask for an address to upload a file to, as a browser does."""
    asked = BackMsg()
    asked.file_urls_request.file_names.append("a.txt")
    asked.file_urls_request.request_id = "1"
    await visitor.send(asked.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(await visitor._socket.recv())
        if answer.WhichOneof("type") == "file_urls_response":
            return answer.file_urls_response.file_urls[0].upload_url


def put(url: str, size: int) -> tuple[int, str]:
    """Upload a file of zeros; return the status and what the server says."""
    frame = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n', b"\r\n--x--\r\n"
    body = frame[0] + bytes(size - sum(map(len, frame))) + frame[1]
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT")) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_uploads_end_at_the_limits_and_are_dropped_when_their_visitor_leaves():
    async def visit(url: str) -> None:
        async def upload(visitor: Visitor, size: int) -> tuple[int, str]:
            return await to_thread(put, url + await address(visitor), size)

        one, other = await Visitor.open(url), await Visitor.open(url)
        for said in ((204, ""), (204, ""), (413, FULL_HERE)):
            assert await upload(one, MB) == said
        both = await asyncio.gather(*[to_thread(put, url + await address(other), MB) for _ in range(2)])
        assert sorted(both) == [(204, ""), (413, ALL_FULL)], "uploads at the same time count too"
        await one.close()
        assert (await upload(other, MB))[0] == 204, "room is made for it at once"
        assert kept(url)
        await other.close()
        deadline = time.monotonic() + 30
        third = await Visitor.open(url)
        while kept(url) and time.monotonic() < deadline:
            await asyncio.sleep(0.2)
        assert not kept(url)
        await third.close()

    def kept(url: str) -> bool:
        """Return whether Streamlit says that it keeps files."""
        with urllib.request.urlopen(f"{url}/_stcore/metrics") as answer:
            return b"UploadedFileManager" in answer.read()

    FULL_HERE = FULL.replace("100", "2")  # noqa: N806 (the other process has other limits)
    with serve({**LIMITS, **OPEN}) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, visit(server.url)).result()
