"""What browsers may do with the app's answers, and who may read the server's metrics.

The content policy lets a page load scripts, styles and pictures from this server only. The policy allows `unsafe-eval`,
since Streamlit's charts make functions from texts. It allows inline styles, since Streamlit's elements have them. Any
site may embed the app in a frame, unless `MERGESCOPE_FRAME_ANCESTORS` names the sites that may.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.parts.server import page_scripts
from pages.parts.server.limits import LIMITS

# The variable of the environment that names the sites, written as in a policy: "'self' https://a.org".
FRAME_ANCESTORS = "MERGESCOPE_FRAME_ANCESTORS"
METRICS = "/_stcore/metrics"
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)


@cache
def content_policy() -> str:
    """Return the value of the header `Content-Security-Policy`."""
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text(encoding="utf-8")
    inline = " ".join(map(_source, [*_SCRIPT.findall(page), *page_scripts.ALL]))
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' blob: 'unsafe-eval' {inline}",
        "worker-src": "'self' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data: ws: wss:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": os.environ.get(FRAME_ANCESTORS, ""),
    }
    return "; ".join(f"{name} {value}".strip() for name, value in rules.items() if value)


def _source(script: str) -> str:
    """Return the source expression that allows an inline script."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


class Policy:
    """A middleware that adds headers to all answers. It refuses requests for the metrics if `LIMITS.metrics` is 0."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the app."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"].endswith(METRICS) and not LIMITS.metrics:
            await PlainTextResponse("The metrics are closed: MERGESCOPE_METRICS=1 opens them.", 404)(
                scope, receive, send
            )
        else:
            await self.app(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = content_policy()
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"  # a link that Share made has the visitor's text in it
        await send(message)

    return with_headers
