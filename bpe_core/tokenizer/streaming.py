"""Decoding ids while they arrive, in whole characters, with work that grows like the number of ids.

    ids        ␠A | F0 9F | A6 9C | !     a token, two parts of a character, a token
    texts      ␠A |       | 🦜    | !     the text that each id makes certain
    pieces     ␠A | 🦜 | !                no piece is empty, or ends with U+FFFD while more ids come

A tokenizer says in `texts` what each id makes certain. For an opened file, whose library decodes, `Windows` finds it.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

LONG = 16  # ids of a window that is made anew
_Decoder = getincrementaldecoder("utf-8")


def pieces(texts: Iterable[str]) -> Iterator[str]:
    """Join texts into pieces that are not empty and do not end with U+FFFD; the last one may.

    >>> list(pieces(["A", "", "\\ufffd", "B", "\\ufffd"])) == ["A", "\\ufffdB", "\\ufffd"]
    True
    """
    held: list[str] = []
    for text in texts:
        if text.endswith("\ufffd"):
            held.append(text)
        elif held and text:
            yield "".join((*held, text))
            held.clear()
        elif text:
            yield text
    if held:
        yield "".join(held)


def texts_of_bytes(parts: Iterable[bytes]) -> Iterator[str]:
    """Yield the text of bytes as soon as they end with a whole character. Bytes that are no UTF-8 become U+FFFD.

    >>> list(texts_of_bytes([b"A\\xf0\\x9f", b"\\xa6\\x9c", b"!"]))
    ['A🦜', '!']
    """
    decoder, text, within = _Decoder("replace"), "", False
    for part in parts:
        if not within:
            try:
                yield part.decode()
                continue
            except UnicodeDecodeError:
                pass
        text += decoder.decode(part)
        within = bool(decoder.getstate()[0])
        if not within:
            yield text
            text = ""
    if within:
        yield text + decoder.decode(b"", final=True)


@dataclass(frozen=True)
class Windows:
    """Finds the text that each id adds to that of the ids before it, without decoding all ids again.

    The text of an id may depend on the ids beside it, and on whether it is the first of a text. So each id is decoded
    with some ids before it, its window, and the window's own text is cut off. A window that has become long is made
    anew from two pieces: a first piece, so that nothing else is at the start of a text, and the last piece.

    - `single`: the ids of tokens that are bytes of a character. A row of such tokens is text only as a whole: one
      byte too many turns all into U+FFFD. So its text comes when another token ends the row.
    - `alike`: whether an id adds the same text after every other id, which is kept in `known` then.
    - `beginnings`: the beginnings of a longer text that decoding replaces. The next ids may still change a text that
      ends with one.
    """

    decode: Callable[[list[int]], str]
    token_bytes: Callable[[int], bytes]
    single: frozenset[int] = frozenset()
    alike: bool = False
    beginnings: tuple[str, ...] = ()
    known: dict[int, str] = field(default_factory=dict)

    def texts(self, ids: Iterable[int]) -> Iterator[str]:
        """Yield the text that each id makes certain."""
        window: list[int] = []  # ids whose text was yielded
        shown = ""  # what `decode` gives of the window
        pending: list[int] = []  # the ids after the window
        first: list[int] = []
        character = _Decoder("replace")  # knows whether the pending ids end within a character
        single, known, decode = self.single, self.known, self.decode
        ready = False  # whether what is known holds for the next id

        def text_of_pending() -> str:
            nonlocal window, shown, first, ready
            text = decode(window + pending)
            within = text.endswith(self.beginnings) or (text.endswith("\ufffd") and character.getstate()[0])
            if text == shown or within or not text.startswith(shown):
                ready = False
                return ""
            added, window, shown = text[len(shown) :], window + pending, text
            ready = self.alike and pending[-1] not in single
            if ready and len(pending) == 1 and first and not added.endswith("\ufffd"):
                known[pending[0]] = added
            if len(window) > LONG or not first:
                if not first and len(pending) <= LONG and decode(pending):
                    first = pending.copy()
                if first:
                    window = first + pending if pending != first else pending.copy()
                    shown = decode(window)
            pending.clear()
            character.reset()
            return added

        for token_id in ids:
            if ready:
                text = known.get(token_id)
                if text is not None:
                    yield text
                    continue
                ready = False
            raw = self.token_bytes(token_id)
            if token_id in single:
                pending.append(token_id)
                continue
            if pending and pending[-1] in single:
                yield from text_of_pending()  # each character that bytes write is a piece
            character.decode(raw)
            pending.append(token_id)
            yield text_of_pending()
        if pending:
            rest = decode(window + pending)[len(shown) :]
            yield from rest if pending[-1] in single else (rest,)


def without_space_at_end(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield bytes but for one space at the very end, which waits until more bytes come.

    >>> list(without_space_at_end([b"low ", b"er "]))
    [b'low', b' er']
    """
    waiting = b""
    for part in parts:
        rest = (waiting + part).removesuffix(b" ")
        waiting = (waiting + part)[len(rest) :]
        yield rest


def without_space_at_start(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield bytes but for one space at the very start.

    >>> list(without_space_at_start([b"", b" low", b" er"]))
    [b'', b'low', b' er']
    """
    begun = False
    for part in parts:
        yield part if begun else part.removeprefix(b" ")
        begun = begun or bool(part)
