"""Shapes of turns that templates stumble over, and what `transformers` comes to for each, with the ten families.

`RECORDED` has, for each family and shape, the text as a digest, or the class and the message of the error.
`tests/published/real_chats.py` makes it, and compares it.
"""

import hashlib
import json
from pathlib import Path

from tests.chat.families import CALLED, TOOLS, call

RECORDED = Path(__file__).parent / "turn_shapes.json"
ASKED = {"role": "user", "content": "Where?"}
CALLS = [call("get_weather", 1, city="Oslo", days=None, exact=True)]
RESULT = {"role": "tool", "name": "get_weather", "tool_call_id": "call12341", "content": "grey"}
# name → the messages
SHAPES = {
    "null beside calls": [ASKED, {"role": "assistant", "content": None, "tool_calls": CALLS}, RESULT],
    "calls alone": [ASKED, {"role": "assistant", "tool_calls": CALLS}, RESULT],
    "empty beside calls": [ASKED, {"role": "assistant", "content": "", "tool_calls": CALLS}, RESULT],
    "null calls": [ASKED, {"role": "assistant", "content": "Here.", "tool_calls": None, "name": None}],
    "arguments as a text": [
        ASKED, {"role": "assistant", "content": "", "tool_calls": [
            {"id": "call12341", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
        ]}, RESULT,
    ],
    "parts": [{"role": "user", "content": [{"type": "text", "text": "Where?"}, {"type": "text", "text": "When?"}]}],
    "a picture": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
    "no user": [{"role": "system", "content": "Be kind."}],
    "two users": [ASKED, ASKED],
    "thinking": [ASKED, {"role": "assistant", "reasoning": "Hm.", "content": None}, ASKED],
    "another role": [{"role": "developer", "content": "Be kind."}, ASKED],
    "a result alone": [RESULT],
    "calls and more": CALLED,
}  # fmt: skip
WITHOUT_TOOLS = ("two users", "parts", "another role", "no user")


def given(shape):
    """What else a template is given."""
    return {} if shape in WITHOUT_TOOLS else {"tools": TOOLS}


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def recorded():
    """family → shape → a digest, or [class, message]."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))
