"""Counting pretokens: all that training needs to know of a corpus.

A text is cut coarsely at its spaces first, which string methods do quickly; the coarse pieces are counted, and only
the different ones are cut by the pretokenizer's rules. `cuts_at_spaces` says for which pretokenizers that comes to the
same as cutting the whole text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import regex

from bpe_core.corpus.text_files import Text, TextFile, pieces
from bpe_core.corpus.workers import counters, in_order
from bpe_core.settings import Settings
from bpe_core.text.normalizers import normalized
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import segments

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
    for head, others in cut:
        start = start or head
        counts.update(others)
        done = min(done + CHUNK, len(text))
        if progress:
            progress("counting", done, len(text))
    whole = Counter({start: 1} if start else ())
    for piece, count in counts.items():
        whole[unglued(piece, glue)] += count
    return whole


def count_text(text: str, pretokenizer: Pretokenizer, progress: Progress | None = None) -> Counter[str]:
    """Count the pretokens of one text, in the order in which they are first seen.

    >>> from bpe_core.text.pretokenizers import PRETOKENIZERS
    >>> count_text("to be, to be", PRETOKENIZERS["gpt2"])
    Counter({' be': 2, 'to': 1, ',': 1, ' to': 1})
    """
    if not regex.match(pretokenizer.boundary or "$", "a b", pos=1):
        return Counter(pretokenizer.strings(text))
    counts: dict[str, int] = {}
    for coarse, count in coarse_counts(text, progress).items():
        for piece in pretokenizer.strings(coarse):
            counts[piece] = counts.get(piece, 0) + count
    return Counter(counts)


def count_piece(piece: str, settings: Settings, progress: Progress | None = None) -> Counter[str]:
    """Count the pretokens of one piece of a text, normalized, without its special tokens: no merge ever touches them.

    >>> count_piece("low low <end> lower", Settings("whitespace", special_tokens=("<end>",)))
    Counter({'low': 2, 'lower': 1})
    """
    counts: Counter[str] = Counter()
    for segment, _, special in segments(piece, settings.special_tokens):
        if not special:
            counts.update(count_text(normalized(segment, settings.normalizers), settings.splitter, progress))
    return counts


def count_pretokens(
    texts: Text | Iterable[Text],
    settings: Settings,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
) -> dict[str, int]:
    """The different pretokens of a corpus with their counts, in the order in which they are first seen.

    Texts are counted in pieces (see `pieces`), of which only a few are in memory at a time. With several `workers` as
    many processes count, this one among them; with `dask`, the address of a cluster, its workers do. The result is the
    same. `progress` gets 0 as the total where the corpus does not say its size beforehand.

    >>> count_pretokens("low low lower", Settings(pretokenizer="whitespace"))
    {'low': 2, 'lower': 1}
    """
    texts = [texts] if isinstance(texts, Text) else texts
    total, done, said = _size(texts), 0, 0
    counts: Counter[str] = Counter()

    def report(phase: str, part: int, _: int) -> None:
        nonlocal said  # a piece in characters may seem larger than its share in bytes, or the other way round
        said = max(said, min(done + part, total) if total else done + part)
        if progress:
            progress(phase, said, total)

    def here(piece: str) -> Counter[str]:
        return count_piece(piece, settings, report)

    with counters(workers, dask, count_piece) as others:
        parts = (part for text in texts for part in pieces(text, settings))
        for found, share in in_order(parts, settings, here, others):
            counts.update(found)
            done += share
            report("counting", 0, 0)
    return dict(counts)


def _size(texts: Iterable[Text]) -> int:
    """The size of all texts (characters, or bytes of a file); 0 where it is not known."""
    if not isinstance(texts, (list, tuple)):
        return 0
    sizes = [text.size if isinstance(text, TextFile) else len(text) for text in texts]
    unknown = any(isinstance(text, TextFile) and not text.size for text in texts)
    return 0 if unknown else sum(sizes)
