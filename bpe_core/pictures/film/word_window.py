"""The window of words that a film shows: in some sort order, the first words that match a search.

In a film of two sides, words at the same position in the text are beside each other.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from bpe_core.pictures.shared.cache import cached
from bpe_core.record.frames import words_merged
from bpe_core.record.record import Record
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.aligned_splits import AlignedSegment
from bpe_core.text.in_words import counted

WINDOW = 200  # words on the screen; figures count all words
ROWS, CELL = 120, 40  # in a film of two sides: rows on the screen, and words of one side in a row
FEW = 10  # words that are in sight at once; a corpus with no more words is shown in the order of the text
CHANGED, FREQUENT, TEXT, LONGEST = "changed first", "most frequent", "as in the text", "longest"
SORTS = (CHANGED, FREQUENT, TEXT, LONGEST)


class WordWindow(NamedTuple):
    """The row numbers of words, the sort order of the words, and a sentence about the number of words."""

    rows: list[int]
    sort: str
    note: str


def words(record: Record, find: str = "", sort: str = "", step: int = 0) -> WordWindow:
    """Return the first words that contain `find`; `sort`: one of `SORTS`, or "" for an order that fits the corpus.

    In the order "changed first" the words that `step` changed come first, then the most frequent words. While a film
    plays, each frame names some of the words that its step changed, and the browser moves those words to the front.

    >>> from bpe_core import Settings, train
    >>> run = train("low lower low", Settings("whitespace", vocab_size=259))
    >>> words(run, "E")
    WordWindow(rows=[1], sort='as in the text', note='1 of 2 words matches.')
    >>> words(run, sort="changed first").rows, words(run, sort="changed first", step=3).rows
    ([0, 1], [1, 0])
    """
    window = cached(record, ("words", find, sort), lambda: _words(record, find, sort))
    if not step or window.sort != CHANGED:
        return window
    [(changed, _)] = words_merged(record, np.array([step]), WINDOW)
    first = [row for row, _ in changed if find.casefold() in record.pretokens[row].casefold()]
    return window._replace(rows=list(dict.fromkeys([*first, *window.rows]))[:WINDOW])


def _words(record: Record, find: str, sort: str) -> WordWindow:
    total, counts, unit = len(record.pretokens), record.pretoken_counts, record.settings.splitter.unit
    if sort not in SORTS:
        sort = TEXT if total <= FEW else CHANGED
    if sort == TEXT:
        order = np.arange(total)
    else:
        order = np.argsort(record.flat.starts - record.flat.ends if sort == LONGEST else -counts, kind="stable")
    if find:
        order = order[[find.casefold() in record.pretokens[row].casefold() for row in order]]
    note = f"{WINDOW:,} of " if len(order) > WINDOW else ""
    note += _matching(len(order), total, unit) if find else counted(total, f"different {unit}")
    return WordWindow(order[:WINDOW].tolist(), sort, f"{note}.")


def _matching(matching: int, total: int, unit: str) -> str:
    """Return how many of `total` words match a search. `unit`: what a word is called.

    >>> _matching(0, 5, "word"), _matching(1, 5, "line"), _matching(2, 5, "word")
    ('No match in 5 words', '1 of 5 lines matches', '2 of 5 words match')
    """
    if not matching:
        return f"No match in {counted(total, unit)}"
    return f"{matching:,} of {counted(total, unit)} {'matches' if matching == 1 else 'match'}"


class WordRows(NamedTuple):
    """Rows of words, and a note about how many rows are shown and left out.

    `rows`: for each segment of the text (see `aligned_splits`), the indexes of its words on each side. `counts`: how
    often the segment occurs.
    """

    rows: list[AlignedSegment]
    counts: list[int]
    note: str


def word_rows(both: SideBySide, everything: bool) -> WordRows:
    """Return the segments (see `aligned_splits`), the most frequent first; a few are in the order of the text.

    `everything`: whether to include the segments that the splits of both sides have in common. If both splits have all
    segments in common, only the segments with the same tokens on both sides at every step are left out. In both cases
    the spaces around words do not count.
    """
    segments = list(both.segments.items())
    differ = [row for row in segments if both.words[row[0]] in both.differences]
    left_out = "that both splits share"
    if not differ:
        differ = [row for row in segments if not _always_alike(both, row[0])]
        left_out = "with the same tokens on both sides at every step"
    shown = segments if everything else differ
    hidden = both.segments.keys() - {segment for segment, _ in shown}
    if any(_spaced_otherwise(both, segment) for segment in hidden):
        left_out += " but for spaces"
    alike, total = len(segments) - len(shown), len(shown)
    twice = len({both.words[segment] for segment, _ in shown}) < total
    note = f"{f'The {ROWS} most frequent of ' if total > ROWS else ''}{counted(total, 'row')}."
    if total > FEW:
        shown = sorted(shown, key=lambda row: -row[1])[:ROWS]
    if twice:
        note += f" Some {both.unit}s have two rows: with a space before them, and without."
    if alike and not total:
        note = f"No {both.unit} differs: {counted(alike, both.unit)} {left_out}."
    elif alike:
        note += f" Left out: {counted(alike, 'row')} {left_out}."
    if any(len(words) > CELL for segment, _ in shown for words in segment):
        note += f" A row has the first {CELL} of its words."
    rows = [AlignedSegment(*(words[:CELL] for words in segment)) for segment, _ in shown]
    return WordRows(rows, [count for _, count in shown], note)


def _spaced_otherwise(both: SideBySide, segment: AlignedSegment) -> bool:
    """Return whether the words of a segment have other spaces on one side than on the other.

    For a segment whose words are the same without spaces.
    """
    left = [both.left.pretokens[row] for row in segment.left]
    return left != [both.right.pretokens[row] for row in segment.right]


def _always_alike(both: SideBySide, segment: AlignedSegment) -> bool:
    return all(rows in both.always_alike for rows in zip_longest(segment.left, segment.right))
