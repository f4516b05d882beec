"""A text area that sends its text while the visitor types. The caller saves the text.

The browser sends the text at once or when the typing rests, and has at most one request under way. If the visitor types
before the answer has come, the browser sends the new text after the answer (see `bpe_core/pictures/shared/channel.js`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Literal

from bpe_core.pictures.editor.text_area import EDITOR
from bpe_core.pictures.shared.request import read_request
from pages.parts.ui.live_view import LiveView

_EDITOR = LiveView("editor", EDITOR)
SCRIPT = _EDITOR.script
BEGAN = int(time())  # differs for a server that was started anew: what was typed to the one before stays


def editor(
    key: str,
    *,
    label: str,
    sent: object,
    text: str,
    version: int,
    placeholder: str = "",
    height: int = 66,
    most_lines: int = 0,
    pause: int = 0,
    elsewhere: bool = False,
    on_typed: Callable[[], None] = lambda: None,
    in_tab: Literal["keep", "forget", ""] = "",
) -> str:
    """Show the text area, and return the text in the area.

    `key`: the key of the area. `label`: for screen readers. `sent`: the browser's last message (`state.sent`).
    `text`: the caller's text. `version`: a number that rises each time the caller sets a text that was not typed in
    this area. `placeholder`: what an empty area says. `height`: pixels. `most_lines`: to how many lines the area grows
    with its text; 0 if it does not. `pause`: milliseconds without a key press after which the text is sent: for a page
    that is too slow to follow every key, or whose picture follows by itself. `elsewhere`: whether the area is empty
    because the page has a text that is too long for it: then pictures show what the page says until something is typed.
    `on_typed`: called when typed text has arrived, before the run that answers it.

    The browser's tab may have a copy of the text, which survives a reload. `in_tab`: whether the tab is to "keep" or to
    "forget" the copy; "" if there is none.
    """
    now = typed_since(sent, text, version)
    facts = {"text": now, "version": version, "answered": read_request(sent).number, "began": BEGAN}
    looks = {
        "label": label,
        "placeholder": placeholder,
        "height": height,
        "most_lines": most_lines,
        "pause": pause,
        "elsewhere": elsewhere,
    }
    _EDITOR.show(key, facts | looks | {"in_tab": in_tab}, on_typed)
    return now


def typed_since(sent: object, text: str, version: int) -> str:
    """Return what was typed after the server had set the text with this `version`; `text` if nothing was typed.

    >>> sent = {"request": {"number": 7, "version": 2, "choice": {"text": "typed"}}}
    >>> typed_since(sent, "set", 2), typed_since(sent, "set", 3)
    ('typed', 'set')
    """
    return str(read_request(sent).chosen(version).get("text", text))
