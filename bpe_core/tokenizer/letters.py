"""The letters of a text's tokens, as a reader sees them. A model is given ids, and no letters.

A letter here is what a reader takes for one sign: a grapheme cluster of Unicode, of one character or several. The text
"strawberry é!", where é is an e and the accent U+0301:

    characters      s t r a w b e r r y ␠ e ◌́ !
    letters         s t r a w b e r r y ␠ é  !
    continued                               ^       the characters that continue a letter

A letter may lie across several tokens: the bytes of one emoji, for example, may be several tokens. Only these tokens
together have the letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
import regex

from bpe_core.tokenizer.walk import TokenTable

_LETTER = regex.compile(r"\X")
# Without such a character every letter is one character: a line break joins nothing, except in Windows line ends.
_JOINING = regex.compile(r"[^\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]|\r\n")


class Spelled(NamedTuple):
    """The letters of one token of a text, or of several tokens that share a letter.

    These tokens have the indexes from `first` up to, but not including, `end`.
    """

    first: int
    end: int
    letters: tuple[str, ...]


def letters(text: str) -> list[str]:
    """Return the letters of a text.

    >>> letters("né"), len(letters("👩‍👩‍👧 किताब"))
    (['n', 'é'], 5)
    """
    return _LETTER.findall(text) if _JOINING.search(text) else list(text)


def continued(text: str) -> list[int]:
    """Return the indexes of the characters that continue a letter.

    >>> continued("strawberry"), continued("ne\\u0301e")
    ([], [2])
    """
    if not _JOINING.search(text):
        return []
    return [at for found in _LETTER.finditer(text) for at in range(found.start() + 1, found.end())]


def alike(letter: str) -> str:
    """Return a letter as `count` compares it: in lower case, and as one character with its accents if there is one.

    >>> alike("R"), alike("e\\u0301") == alike("É")
    ('r', True)
    """
    return normalize("NFC", letter).lower()


def count(letter: str, among: Iterable[str]) -> int:
    """Return how many letters in `among` are `letter`, in lower or upper case.

    >>> count("r", letters("Strawberry, Raspberry"))
    6
    """
    wanted = alike(letter)
    return sum(alike(each) == wanted for each in among)


def spelled(table: TokenTable) -> list[Spelled]:
    """Return the letters of the tokens of a text. Tokens that share a letter are in one `Spelled`.

    >>> from bpe_core import Settings, train
    >>> walk = train("raw raw", Settings(vocab_size=258)).tokenizer().encode("raw é").walk
    >>> [(part.first, part.end, *part.letters) for part in spelled(walk.tokens(2))]
    [(0, 1, 'r', 'a', 'w'), (1, 2, ' '), (2, 4, 'é')]
    """
    walk = table.walk
    starts, ends = walk.characters(table.starts, table.ends)
    inside = np.zeros(len(walk.text) + 1, bool)
    inside[continued(walk.text)] = True
    raw = walk.raw + b"\0"
    # a token that begins inside a letter or a character shares it with the token before
    begins = [raw[at] & 0xC0 != 0x80 and not inside[n] for at, n in zip(table.starts, starts, strict=True)]
    bounds = [n for n, begun in enumerate(begins) if begun or not n]
    return [
        Spelled(first, end, tuple(letters(walk.text[starts[first] : ends[end - 1]])))
        for first, end in zip(bounds, [*bounds[1:], len(table)], strict=False)
    ]
