"""A stream: what can be shown of a text while its tokens arrive, and what a decoder shows that does not wait.

A token may end within a character. `Tokenizer.decode_stream` waits for the rest of the character; a decoder that turns
each token into text by itself prints U+FFFD for each part. With GPT-2's vocabulary:

    id          12520       99          250
    bytes       20 F0 9F    A6          9C
    waiting     20 F0 9F    20 F0 9F A6
    shown                               " 🦜"
    alone       " \ufffd"   "\ufffd"    "\ufffd"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bpe_core.tokenizer.checks import each_whole_number
from bpe_core.tokenizer.tokenizer import Tokenizer


class Arrival(NamedTuple):
    """A token that arrives. `shown`: the text that can be shown now. `waiting`: the bytes that cannot be shown yet.

    `alone`: the token decoded by itself.
    """

    id: int
    shown: str
    waiting: bytes
    alone: str


def arrivals(tokenizer: Tokenizer, ids: Iterable[int]) -> Iterator[Arrival]:
    """Yield what can be shown after each of `ids`; all of `shown` together is what `decode` returns.

    After the last id nothing waits: bytes that are no whole character are shown as U+FFFD. An arrival that shows text
    comes when the next id is asked for, since one id may make two texts certain.

    >>> from bpe_core import load
    >>> tok = load("gpt2")
    >>> for arrival in arrivals(tok, tok.ids(" 🦜")):
    ...     print(arrival.shown, arrival.waiting.hex(" "), ascii(arrival.alone))
     20 f0 9f ' \\ufffd'
     20 f0 9f a6 '\\ufffd'
     🦜  '\\ufffd'
    """
    arrived: list[int] = []  # since text was last shown

    def arriving() -> Iterator[int]:
        for token_id in each_whole_number(ids, tokenizer.vocab_size - 1):
            arrived.append(token_id)
            yield token_id

    def arrival(count: int, shown: str = "") -> Arrival:
        waiting = b"" if shown else tokenizer.decode_bytes(arrived[:count])
        return Arrival(arrived[count - 1], shown, waiting, tokenizer.decode(arrived[count - 1 : count]))

    last: Arrival | None = None  # the bytes that waited and the id's own text come as two texts
    for text in tokenizer.decode_stream(arriving()):
        if last and not arrived:
            last = last._replace(shown=last.shown + text)
            continue
        if last:
            yield last
        yield from map(arrival, range(1, len(arrived)))
        last = arrival(len(arrived), text)
        arrived.clear()
    if last:
        yield last
    yield from map(arrival, range(1, len(arrived) + 1))
