"""A text whose lines say where a source begins.

=== source: English ===
The cat drinks tea.
=== source: Hindi ===
बिल्ली दूध पीती है।
"""

from __future__ import annotations

import re

MOST_MARKED = 12  # sources of a text; there is a colour for each
LONGEST_NAME = 40  # characters
BEGINNING = "(beginning)"  # the name of the text before the first line of this kind
_LINE = re.compile(r"^=== source: (\S.*?) ===[ \t]*\r?\n?", re.MULTILINE)


def marked_sources(text: str) -> dict[str, str] | None:
    r"""Return the sources of a text by name, without the lines that mark them; None if there is no such line.

    Two sources with one name are one source. From `MOST_MARKED` sources on, the rest becomes one source.

    >>> marked_sources("=== source: en ===\ntea\n=== source: hi ===\nचाय\n")
    {'en': 'tea\n', 'hi': 'चाय\n'}
    >>> marked_sources("no such line")
    """
    before, *marked = _LINE.split(text)
    if not marked:
        return None
    found = {BEGINNING: before} if before.strip() else {}
    for name, part in zip(marked[::2], marked[1::2], strict=True):
        name = name[:LONGEST_NAME]
        found[name] = found.get(name, "") + part
    if len(found) > MOST_MARKED:
        names = list(found)
        first, rest = names[: MOST_MARKED - 1], names[MOST_MARKED - 1 :]
        found = {name: found[name] for name in first} | {f"{len(rest):,} others": "".join(map(found.__getitem__, rest))}
    return found


def marked(sources: dict[str, str]) -> str:
    r"""Return one text with all sources, each after the line that marks it.

    >>> marked({"en": "tea", "hi": "चाय"})
    '=== source: en ===\ntea\n=== source: hi ===\nचाय\n'
    """
    return "".join(f"=== source: {name} ===\n{text.removesuffix(chr(10))}\n" for name, text in sources.items())
