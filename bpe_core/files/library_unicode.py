"""Characters that are newer than the Unicode of the library that splits a text.

A pattern such as `\\p{L}+` has other matches where its library does not know a character yet. So one text may have
other ids in another version of the library. The library is asked which characters it takes for unassigned.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import regex

from bpe_core.files.libraries import hugging_face_library, their_errors

_KNOWN_HERE = regex.compile(r"[^\p{Cn}\p{ASCII}]")  # the module `regex` has one of the newest versions of Unicode


@cache
def _splitter() -> tuple[Any, str]:
    library = hugging_face_library("asking for the Unicode of tokenizers")
    return library.pre_tokenizers.Split(library.Regex(r"\p{Cn}"), "removed"), str(library.__version__)


def newer_characters(text: str) -> str:
    """Return a sentence on the characters of a text that are newer than the Unicode of `tokenizers`; "" for none.

    >>> newer_characters("a né 🦜")
    ''
    """
    found = "".join(dict.fromkeys(_KNOWN_HERE.findall(text)))
    if not found:
        return ""
    splitter, version = _splitter()
    with their_errors("tokenizers"):
        known = {char for piece, _ in splitter.pre_tokenize_str(found) for char in piece}
    newer = [char for char in found if char not in known]
    if not newer:
        return ""
    more = f" and {len(newer) - 1:,} more" if len(newer) > 1 else ""
    return (
        f"The text has a character newer than the Unicode of tokenizers {version}, U+{ord(newer[0]):04X}{more}: "
        "another version of this library may split it otherwise."
    )
