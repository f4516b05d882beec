"""What the server's log says of messages that no browser sends: a line each.

Streamlit reads what a widget has sent in its own code, before or between ours. A value of another kind, broken JSON or
bytes that are no message fail there, for the one who forged them alone; each would leave a traceback in the log.
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
    """Leaves of an error while a message was read its kind, and who read it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record where it is of such an error; every record is logged."""
        error = record.exc_info[1] if record.exc_info else None
        reader = reader_of(error) if error else ""
        if reader:
            record.msg, record.args = f"A message could not be read: {type(error).__name__} in {reader}.", ()
            record.exc_info = record.exc_text = None
        return True


def reader_of(error: BaseException) -> str:
    """The function of Streamlit that failed to read a message; "" for an error of another kind.

    >>> reader_of(KeyError("one of ours"))
    ''
    """
    frames = traceback.extract_tb(error.__traceback__)
    reading = [each.name for each in frames if "/streamlit/" in each.filename and each.name in READERS]
    return reading[-1] if reading else ""


def shorten() -> None:
    """Let the log of this process say it so; more than once is as once."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, Short) for each in logger.filters):
            logger.addFilter(Short())
