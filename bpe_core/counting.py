"""Counting pretokens: all that training needs to know of a corpus.

A text is cut coarsely at its spaces first, which string methods do quickly; the coarse pieces are counted, and only
the different ones are cut by the pretokenizer's rules. `cuts_at_spaces` says for which pretokenizers that comes to the
same as cutting the whole text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import regex

from bpe_core.normalizers import normalized
from bpe_core.pretokenizers import Pretokenizer
from bpe_core.settings import Settings
from bpe_core.worker import Worker

Progress = Callable[[str, int, int], None]

CHUNK = 1 << 20  # characters; what is counted at once, so that strings stay in the cache
# Unicode's White_Space without the space itself: what `\s` matches in `regex`.
_OTHER_WHITE_SPACE = "\n\r\t\v\f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_GLUE = [*map(chr, range(1, 9)), *map(chr, range(0x0E, 0x1C)), *map(chr, range(0xE000, 0xF900))]
_SAFE_SPACE = regex.compile(r"(?<=\S)(?= \S)")


def chunks(text: str, size: int = CHUNK) -> Iterator[str]:
    """The text in pieces of at least `size` characters, cut before a space between two words.

    >>> list(chunks("one two  three four", 2))
    ['one', ' two  three', ' four']
    """
    start = 0
    while start < len(text):
        cut = _SAFE_SPACE.search(text, start + size)
        end = cut.start() if cut else len(text)
        yield text[start:end]
        start = end


def coarse_cut(text: str) -> tuple[str, Iterator[tuple[str, list[str]]]]:
    """Cut the text coarsely: (glue, chunks), each chunk as its head and the pieces behind it.

    A piece lacks the space that it starts with, and a space inside it is written as `glue`, a character that the text
    does not have; `unglued` gives the piece back. Only the first chunk has a head. Only single spaces between words are
    cut at: where white space might run on across a space, it stays inside a piece.

    >>> glue, cut = coarse_cut("to be,  or\\n not to be, ")
    >>> [(head, [unglued(piece, glue) for piece in pieces]) for head, pieces in cut]
    [('to', [' be,  or\\n not', ' to', ' be, '])]
    """
    glue = next((char for char in _GLUE if char not in text), "")
    if not glue:  # a text that uses every spare character
        return "", iter([(text, [])])

    def cut() -> Iterator[tuple[str, list[str]]]:
        for chunk in chunks(text):
            glued = chunk.replace("  ", glue + glue)
            for space in _OTHER_WHITE_SPACE:
                if space in chunk:
                    glued = glued.replace(space + " ", space + glue).replace(" " + space, glue + space)
            glued = glued.replace(glue + " ", glue + glue)
            if glued.endswith(" "):
                glued = glued[:-1] + glue
            head, *pieces = glued.split(" ")
            yield head.replace(glue, " "), pieces

    return glue, cut()


def unglued(piece: str, glue: str) -> str:
    """A piece of `coarse_cut` as it stands in the text."""
    return " " + piece.replace(glue, " ")


def coarse_counts(text: str, progress: Progress | None = None) -> Counter[str]:
    """Count the pieces of the coarse cut, in the order in which they are first seen.

    >>> coarse_counts("to be or not to be")
    Counter({' be': 2, 'to': 1, ' or': 1, ' not': 1, ' to': 1})
    """
    glue, cut = coarse_cut(text)
    start, counts, done = "", Counter(), 0
    for head, pieces in cut:
        start = start or head
        counts.update(pieces)
        done = min(done + CHUNK, len(text))
        if progress:
            progress("counting", done, len(text))
    whole = Counter({start: 1} if start else ())
    for piece, count in counts.items():
        whole[unglued(piece, glue)] += count
    return whole


def count_text(text: str, pretokenizer: Pretokenizer, progress: Progress | None = None) -> Counter[str]:
    """Count the pretokens of one text, in the order in which they are first seen.

    >>> from bpe_core.pretokenizers import PRETOKENIZERS
    >>> count_text("to be, to be", PRETOKENIZERS["gpt2"])
    Counter({' be': 2, 'to': 1, ',': 1, ' to': 1})
    """
    if not pretokenizer.cuts_at_spaces:
        return Counter(pretokenizer.pieces(text))
    counts: dict[str, int] = {}
    for coarse, count in coarse_counts(text, progress).items():
        for piece in pretokenizer.pieces(coarse):
            counts[piece] = counts.get(piece, 0) + count
    return Counter(counts)


def segments(text: str, special_tokens: tuple[str, ...]) -> Iterator[tuple[str, int, bool]]:
    """The text cut at its special tokens, the longest where several fit: (piece, start, whether it is special).

    >>> list(segments("one<|end|>two", ("<|end|>",)))
    [('one', 0, False), ('<|end|>', 3, True), ('two', 10, False)]
    """
    if not special_tokens:
        if text:
            yield text, 0, False
        return
    longest_first = sorted(special_tokens, key=len, reverse=True)
    start = 0
    for i, piece in enumerate(regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)):
        if piece:
            yield piece, start, i % 2 == 1
        start += len(piece)


def _shares(texts: Iterable[str], settings: Settings, workers: int) -> list[list[str]]:
    """What each worker counts: the texts without their special tokens, normalized, about the same length each."""
    pieces = [
        piece
        for text in texts
        for raw, _, special in segments(text, settings.special_tokens)
        if not special
        for segment in [normalized(raw, settings.normalizers)]  # before any other cut: a piece may end in other ways
        for piece in (
            chunks(segment, max(len(segment) // workers, CHUNK)) if settings.splitter.cuts_at_spaces else [segment]
        )
    ]
    share = sum(map(len, pieces)) / workers
    shares: list[list[str]] = [[] for _ in range(workers)]
    done = 0
    for piece in pieces:
        shares[min(int(done / share), workers - 1)].append(piece)
        done += len(piece)
    return [share for share in shares if share]


def count_share(pieces: list[str], settings: Settings, progress: Progress | None = None) -> Counter[str]:
    """Count the pretokens of several pieces of text, one after the other."""
    counts: Counter[str] = Counter()
    for piece in pieces:
        counts.update(count_text(piece, settings.splitter, progress))
    return counts


def count_pretokens(
    texts: str | Iterable[str], settings: Settings, progress: Progress | None = None, workers: int = 1
) -> dict[str, int]:
    """The different pretokens of a corpus with their counts, in the order in which they are first seen.

    Special tokens are cut out first and not counted: no merge ever touches them. What is between them is normalized.
    With several `workers` a large corpus is counted by as many processes, this one among them; the result is the same.

    >>> count_pretokens("low low lower", Settings(pretokenizer="whitespace"))
    {'low': 2, 'lower': 1}
    """
    texts = [texts] if isinstance(texts, str) else texts
    first, *others = _shares(texts, settings, workers) or [[]]
    started = [Worker("count", share, settings) for share in others]
    try:
        counts = count_share(first, settings, progress)
        for worker in started:
            counts.update(worker.result())
    finally:
        for worker in started:
            worker.stop()
    return dict(counts)
