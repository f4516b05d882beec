"""Counting pretokens: all that training needs to know of a corpus.

A text is cut coarsely at its spaces first, which string methods do quickly; the coarse pieces are counted, and only
the different ones are cut by the pretokenizer's rules. `cuts_at_spaces` says for which pretokenizers that comes to the
same as cutting the whole text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import regex

from bpe_core.pretokenizers import Pretokenizer
from bpe_core.settings import Settings

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


def coarse_counts(text: str, progress: Progress | None = None) -> Counter[str]:
    """Count the pieces between spaces; each starts with its space and joined they are the text.

    A space stays inside a piece where white space might run on across it.

    >>> coarse_counts("to be,  or\\n not to be, ")
    Counter({'to': 1, ' be,  or\\n not': 1, ' to': 1, ' be, ': 1})
    """
    glue = next((char for char in _GLUE if char not in text), None)
    if glue is None:  # a text that uses every spare character
        return Counter([text])
    others = [space for space in _OTHER_WHITE_SPACE if space in text]
    counts: Counter[str] = Counter()
    done, start = 0, ""
    for chunk in chunks(text):
        glued = chunk.replace("  ", glue + glue)
        for space in others:
            glued = glued.replace(space + " ", space + glue).replace(" " + space, glue + space)
        if glued.endswith(" "):  # it may belong to the white space before it
            glued = glued[:-1] + glue
        head, *pieces = glued.split(" ")
        start = start or head  # every later chunk opens with its space
        counts.update(pieces)
        done += len(chunk)
        if progress:
            progress("counting", done, len(text))
    whole = Counter({start.replace(glue, " "): 1}) if start else Counter()
    for piece, count in counts.items():
        whole[" " + piece.replace(glue, " ")] += count
    return whole


def count_text(text: str, pretokenizer: Pretokenizer, progress: Progress | None = None) -> Counter[str]:
    """Count the pretokens of one text, in the order in which they are first seen.

    >>> from bpe_core.pretokenizers import PRETOKENIZERS
    >>> count_text("to be, to be", PRETOKENIZERS["gpt2"])
    Counter({' be': 2, 'to': 1, ',': 1, ' to': 1})
    """
    if not pretokenizer.cuts_at_spaces:
        return Counter(pretokenizer.pieces(text))
    counts: Counter[str] = Counter()
    for coarse, count in coarse_counts(text, progress).items():
        for piece in pretokenizer.pieces(coarse):
            counts[piece] += count
    return counts


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


def count_pretokens(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> dict[str, int]:
    """The different pretokens of a corpus with their counts, in the order in which they are first seen.

    Special tokens are cut out first and not counted: no merge ever touches them.

    >>> count_pretokens("low low lower", Settings(pretokenizer="whitespace"))
    {'low': 2, 'lower': 1}
    """
    counts: Counter[str] = Counter()
    for text in [texts] if isinstance(texts, str) else texts:
        for piece, _, special in segments(text, settings.special_tokens):
            if not special:
                counts.update(count_text(piece, settings.splitter, progress))
    return dict(counts)
