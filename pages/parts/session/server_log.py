"""A filter of the server's log, which writes an error about an unreadable message as one line.

Streamlit's own code reads the messages of widgets. A forged message, with a value of another type, broken JSON or bytes
that are no message, fails in that code, and only its sender sees the failure. Without the filter, each would leave a
traceback in the log.
"""

from __future__ import annotations

import logging
import traceback

READERS = {"deserialize", "unpack_widget_state_value", "get_serialized", "_websocket_endpoint"}  # Streamlit's
LOGGERS = (
    "streamlit.error_util",
    "streamlit.components.v2.bidi_component.serialization",
    "streamlit.web.server.starlette.starlette_websocket",
)


class Short(logging.Filter):
    """A log filter that shortens an error of reading a message to its type and the function that failed."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record if it is about such an error; return True, since every record is logged."""
        error = record.exc_info[1] if record.exc_info else None
        reader = reader_of(error) if error else ""
        if reader:
            record.msg, record.args = f"A message could not be read: {type(error).__name__} in {reader}.", ()
            record.exc_info = record.exc_text = None
        return True


def reader_of(error: BaseException) -> str:
    """Return the name of Streamlit's function that failed to read a message; "" for any other error.

    >>> reader_of(KeyError("one of ours"))
    ''
    """
    frames = traceback.extract_tb(error.__traceback__)
    reading = [each.name for each in frames if "/streamlit/" in each.filename and each.name in READERS]
    return reading[-1] if reading else ""


def shorten() -> None:
    """Add the filter to the loggers of this process, unless they have it."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, Short) for each in logger.filters):
            logger.addFilter(Short())
