"""The form in which data travels to a live view: JSON, numbers as base64, and sentences with tokens in hex."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any
from zlib import compress as deflate

from bpe_core.text.arrays import Integers

Json = dict[str, Any]
SentencePart = str | bytes | tuple[bytes, bytes]  # a text, a token, or a pair of tokens
Sentence = list[SentencePart]


def compact(value: object) -> str:
    """Return a value as JSON without spaces. The JSON is ASCII: other characters, even lone surrogates, are escaped.

    >>> compact({"text": "né", "steps": [1, 2]})
    '{"text":"n\\\\u00e9","steps":[1,2]}'
    """
    return json.dumps(value, separators=(",", ":"))


def compressed(json_text: str) -> str:
    """Return JSON (see `compact`) deflated and in base64, which is safe inside an element of an HTML page.

    No text in the JSON can end the element, since base64 has no "<".

    >>> from base64 import b64decode
    >>> from zlib import decompress
    >>> decompress(b64decode(compressed(compact("</script>"))))
    b'"</script>"'
    """
    return b64encode(deflate(json_text.encode("ascii"), 9)).decode("ascii")


def packed(numbers: Integers) -> Json:
    """Return non-negative integers in base64, as little-endian integers of 8, 16 or 32 bits.

    The largest integer decides the number of bits. If it is 2**31 or more, all integers become 64-bit floats, which a
    browser reads exactly up to 2**53.

    >>> import numpy as np
    >>> packed(np.array([1, 258]))
    {'bits': 16, 'base64': 'AQACAQ=='}
    """
    most = int(numbers.max(initial=0))
    bits = 8 if most < 1 << 8 else 16 if most < 1 << 16 else 32 if most < 1 << 31 else 64
    kind = "f" if bits == 64 else "u"
    return {"bits": bits, "base64": b64encode(numbers.astype(f"<{kind}{bits // 8}").tobytes()).decode("ascii")}


def as_json(sentence: Sentence) -> list[Any]:
    """Return a sentence as JSON, with tokens in hex.

    >>> as_json(["made from ", (b"a", b"b"), b"ab"])
    ['made from ', {'pair': ['61', '62']}, {'token': '6162'}]
    """
    return [_part(part) for part in sentence]


def _part(part: SentencePart) -> Any:
    if isinstance(part, bytes):
        return {"token": part.hex()}
    return part if isinstance(part, str) else {"pair": [half.hex() for half in part]}
