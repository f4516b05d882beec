"""Tokens as text, in chips, tables, chart labels and tooltips.

Bytes that are not a whole character are shown as hex, white space and invisible characters as visible marks. Nothing is
dropped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bpe_core.models.wordpiece_tokenizer import CONTINUING
from bpe_core.text.alphabet import MARKER, marker_glyph
from bpe_core.tokenizer.vocabulary import Vocabulary

MARKS = {
    " ": "·",
    "\n": "⏎",
    "\r": "␍",
    "\t": "⇥",
    "\u00a0": "⍽",
    "\u00ad": "⟨SHY⟩",
    "\u061c": "⟨ALM⟩",
    "\u200b": "⟨ZWSP⟩",
    "\u200c": "⟨ZWNJ⟩",
    "\u200d": "⟨ZWJ⟩",
    "\u200e": "⟨LRM⟩",
    "\u200f": "⟨RLM⟩",
    "\u2028": "⟨LS⟩",
    "\u2029": "⟨PS⟩",
    "\u202a": "⟨LRE⟩",
    "\u202b": "⟨RLE⟩",
    "\u202c": "⟨PDF⟩",
    "\u202d": "⟨LRO⟩",
    "\u202e": "⟨RLO⟩",
    "\u20e3": "⟨KEYCAP⟩",
    "\u2060": "⟨WJ⟩",
    "\u2066": "⟨LRI⟩",
    "\u2067": "⟨RLI⟩",
    "\u2068": "⟨FSI⟩",
    "\u2069": "⟨PDI⟩",
    "\ufeff": "⟨BOM⟩",
}
CACHED = 64  # bytes of a token; the text of a longer token is not cached
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp", "Me"}  # browsers draw an empty box for a sign around others ("Me")


class Part(NamedTuple):
    """A part of a token as it is shown. `kind`: "text", "mark" (white space, invisible characters) or "hex"."""

    text: str
    kind: str


def glyph_of(word_marker: str, tokens: Collection[bytes], glyph: str = "_") -> str:
    """Return the sign drawn for a word marker: `glyph`, unless one of `tokens` would look like it (`marker_glyph`).

    Return "" if words have no marker: its byte is then shown as hex.

    >>> glyph_of("end", [b"a"]), glyph_of("start", [b"_"]), glyph_of("none", [b"_"])
    ('_', 'Ġ', '')
    """
    return "" if word_marker == "none" else marker_glyph(tokens, word_marker, glyph)


def glyph_in(vocabulary: Vocabulary, glyph: str = "_") -> str:
    """Return the sign that is drawn for a vocabulary's marker. WordPiece has `##` before a token that continues a word.

    >>> from bpe_core import Settings, train
    >>> glyph_in(train("hug", Settings("whitespace", "characters", "end", vocab_size=4)).tokenizer().vocabulary)
    '_'
    """
    return CONTINUING if vocabulary.within else glyph_of(vocabulary.word_marker, vocabulary.tokens, glyph)


def _character(char: str, first: bool) -> Part:
    """Return how a character is shown. `first`: whether no character is before it with which it can combine."""
    if char in MARKS:
        return Part(MARKS[char], "mark")
    category = unicodedata.category(char)
    if category in _UNSEEN:
        return Part(f"⟨{ord(char):04X}⟩", "mark")
    if category.startswith("M") and first:
        number = _selector(ord(char))
        return Part(f"⟨VS{number}⟩", "mark") if number else Part("◌" + char, "text")
    return Part(char, "text")


def _selector(point: int) -> int:
    """Return the number of a variation selector; 0 for another character.

    >>> _selector(0xFE0F), _selector(0xE0100), _selector(0x301)
    (16, 17, 0)
    """
    if 0xFE00 <= point < 0xFE10:
        return point - 0xFE00 + 1
    return point - 0xE0100 + 17 if 0xE0100 <= point < 0xE01F0 else 0


def _split_bytes(token: bytes) -> list[tuple[bytes, bool]]:
    """Split a token into (bytes, whether they are whole characters); lone surrogates count as characters."""
    runs: list[tuple[bytes, bool]] = []
    start = 0
    while start < len(token):
        try:
            token[start:].decode("utf-8", "surrogatepass")
            runs.append((token[start:], True))
            break
        except UnicodeDecodeError as error:
            if error.start:
                runs.append((token[start : start + error.start], True))
            runs.append((token[start + error.start : start + error.end], False))
            start += error.end
    return runs


def parts(token: bytes, glyph: str = "") -> list[Part]:
    """Return the parts of a token as they are shown; `glyph`: the text drawn for the word marker (see `glyph_of`).

    >>> parts(b" caf\\xc3\\xa9")
    [Part(text='·', kind='mark'), Part(text='café', kind='text')]
    >>> parts(b"\\xf0\\x9f")
    [Part(text='F0 9F', kind='hex')]
    >>> parts(b"est\\xff", "_"), parts(b"\\xff")
    ([Part(text='est', kind='text'), Part(text='_', kind='mark')], [Part(text='FF', kind='hex')])
    """
    shown: list[Part] = []
    for i, between in enumerate(token.split(MARKER) if glyph else [token]):
        if i:
            shown.append(Part(glyph, "mark"))
        for raw, whole in _split_bytes(between):
            if whole:
                text = raw.decode("utf-8", "surrogatepass")
                for k, char in enumerate(text):
                    shown.append(_character(char, first=k == 0 or shown[-1].kind == "mark"))
            else:
                shown.append(Part(raw.hex(" ").upper(), "hex"))
    return _joined(shown)


def _joined(shown: list[Part]) -> list[Part]:
    joined: list[Part] = []
    for part in shown:
        if joined and joined[-1].kind == part.kind != "mark":
            gap = " " if part.kind == "hex" else ""
            joined[-1] = Part(joined[-1].text + gap + part.text, part.kind)
        else:
            joined.append(part)
    return joined


def token_text(token: bytes, glyph: str = "") -> str:
    """Return a token as one line of plain text, for tables, charts and sentences.

    >>> token_text(b"\\n\\tend"), token_text(b"\\xe0\\xa4 x")
    ('⏎⇥end', 'E0 A4·x')
    """
    return "".join(part.text for part in parts(token, glyph))


def is_whole(token: bytes) -> bool:
    """Return whether every byte of a token belongs to a whole character of the token.

    >>> is_whole("é".encode()), is_whole("é".encode()[:1])
    (True, False)
    """
    return all(whole for between in token.split(MARKER) for _, whole in _split_bytes(between))


def groups(tokens: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each group of tokens. A group is the fewest tokens that together are whole characters.

    Most groups are a single token. A token that never becomes part of a whole character is a group of its own.

    >>> [*groups([b"a", b"\\xc3", b"\\xa9", b"b", b"\\xc3"])]
    [(0, 1), (1, 3), (3, 4), (4, 5)]
    """
    start, rest = 0, b""
    for i, token in enumerate(tokens, 1):
        rest = _unfinished(rest + token)
        if not rest:
            yield start, i
            start = i
        elif len(rest) > 3:  # no character begins like this
            yield from ((k, k + 1) for k in range(start, i))
            start, rest = i, b""
    yield from ((k, k + 1) for k in range(start, len(tokens)))


def _unfinished(raw: bytes) -> bytes:
    """Return the bytes that remain after the whole characters at the start."""
    try:
        raw.replace(MARKER, b" ").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        return raw[error.start :]
    return b""


def paired(text: str) -> str:
    """Replace each pair of surrogates by the character that the pair encodes, as a browser does.

    >>> paired("\\ud83e\\udd9c\\ud83e") == "🦜\\ud83e"
    True
    """
    if text.isascii() or text.isprintable():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def beginning(token: bytes, glyph: str = "", most: int = 120) -> list[Part]:
    """Return the parts of a token. A long token gives its beginning: about `most` bytes, in whole characters.

    >>> beginning(b"lower", most=3)
    [Part(text='low…', kind='text')]
    """
    end = most
    while end < min(len(token), most + 3) and token[end] & 0xC0 == 0x80:
        end += 1
    return parts(token, glyph) if end >= len(token) else _joined([*parts(token[:end], glyph), Part("…", "text")])


def shortened(token: bytes, glyph: str = "", most: int = 120) -> str:
    """Return a token as one line. A long token gives its beginning: about `most` bytes, in whole characters.

    >>> shortened("ééé".encode(), most=3)
    'éé…'
    """
    return _shortened(token, glyph, most) if len(token) <= CACHED else _line(token, glyph, most)


def _line(token: bytes, glyph: str, most: int) -> str:
    return "".join(part.text for part in beginning(token, glyph, most))


_shortened = lru_cache(maxsize=1 << 14)(_line)  # a screen shows the same vocabulary at every step


def has(token: bytes, find: str, glyph: str = "") -> bool:
    """Return whether a token contains `find`, either as it is drawn or as plain text. Case does not matter.

    >>> has(b" Dog", "\u00b7d"), has(b" Dog", " dog"), has(b" Dog", "cat")
    (True, True, False)
    """
    if not find:
        return True
    wanted = find.casefold()
    return wanted in token_text(token, glyph).casefold() or wanted in token.decode("utf-8", "replace").casefold()
