"""The data of one side of a film: a training as JSON.

    facts       the merges, the base tokens, the hue of every token: sent once
    words       for each word its symbols and the step at which the boundary before each symbol falls
    chunk       the frames of 4 steps: pair counts, sentences, ties

From the facts and the words the browser computes the tokens of a word at any step. A frame adds what the browser cannot
compute from the facts and the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate, islice, pairwise
from typing import Any, Protocol

import numpy as np

from bpe_core.pictures.film import film_sentences
from bpe_core.pictures.shared.cache import cached
from bpe_core.pictures.shared.colours import HUES, hue, source_colour
from bpe_core.pictures.shared.json_form import Json, packed
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.pictures.shared.training_in_words import first_sentence
from bpe_core.record.frames import PAIRS, Frame, all_frames, counts_of, frames, freed_pairs, role_of, words_merged
from bpe_core.record.record import Record
from bpe_core.record.run import Run
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import times
from bpe_core.text.rules import Pretokenizer

CHUNK = 4  # steps whose frames are sent together: few, so that a jump is fast; the same number as in record.js
LONG = 2_000  # symbols of a word that are sent, at most
LOOKAHEAD = 200  # characters after the sent part of a long word: the end of that part's last pretoken may need them
WORD_PAIRS = 200  # pairs of a word whose counts are looked up
PAIR_WORDS = 60  # words with a pair that are shown
POINTS = 240  # of a timeline
SHOWN = 40  # bytes of a token in a sentence, as in token_chip.js
SEARCHED, LONGEST = 8, 2  # how many steps are searched for long sentences, and how many sentences the film measures
Bar = list[Any]  # [left id, right id, number, role], and a label if the bar is not labelled with its number


class FilmSide(Protocol):
    """One training as a film shows it. `RunSide` is the side of a BPE run; other algorithms have sides of their own.

    `digest`: cache key; it changes with the training and with the notation of tokens. `begin`: the number that the film
    shows for the side's first step; more than 0 in a later stage of a training. `steps`: how many steps the side has.
    `token_count`: how many tokens there are after all steps. `word_count`: how many words the corpus has.
    """

    begin: int

    @property
    def digest(self) -> str: ...  # noqa: D102

    @property
    def steps(self) -> int: ...  # noqa: D102

    @property
    def token_count(self) -> int: ...  # noqa: D102

    @property
    def word_count(self) -> int: ...  # noqa: D102

    def facts(self) -> Json:
        """Return what holds for all steps: the merges, the base tokens, the charts along the slider."""

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Return for each word [row, count, symbols, lifetimes, number of symbols left out]."""

    def chunk(self, number: int) -> Json:
        """Return the frames of at most `CHUNK` steps, and the words that the frames name.

        A frame is what the film shows of a step. The first of the steps is `CHUNK * number`.
        """

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> Mapping[str, Any] | None:
        """Return details about the chosen pair (its token ids) or the chosen word (its row) at a step."""


class RunSide:
    """A stage of a run as a side of a film; `glyph` is drawn for the word marker.

    `record`: the stage. `run`: the whole run; None for a record alone, such as the merges of a start.

    `stage`: the index of the stage in `run.stages`. `begin`: the number that the film shows for the side's first step;
    None for the step at which the stage begins. Where a side is asked for a step, the steps of the stage count from 0.
    `steps`: how many steps the film has, counted from the stage's first step; None for all. A side is cheap to make: it
    computes its data on demand, and caches the data with the stage's record.

    >>> from bpe_core import Settings, train
    >>> side = RunSide(train("low low lower", Settings("whitespace", vocab_size=258)), "")
    >>> side.steps, side.words([1])
    (2, [[1, 1, [108, 111, 119, 101, 114], [0, 1, 2, 0, 0], 0]])
    >>> [frame["tokens"] for frame in side.chunk(0)["frames"]]
    [11, 8, 5]
    """

    def __init__(
        self, run: Run | Record, glyph: str, steps: int | None = None, stage: int = -1, begin: int | None = None
    ) -> None:
        """Prepare the side; nothing is computed yet."""
        self.run = run if isinstance(run, Run) else None
        self.record = record = run.stages[stage] if isinstance(run, Run) else run
        self.stage = self.run.stages.index(record) if self.run else 0
        self.glyph = glyph
        self.steps = record.steps if steps is None else min(record.steps, steps)
        self.begin = begin if begin is not None else self.run.begins[stage] if self.run else 0
        self.token_count, self.word_count = record.base + self.steps, len(record.pretoken_counts)

    @property
    def before(self) -> Record | None:
        """The record of the stage before; None for a first stage."""
        return self.run.stages[self.stage - 1] if self.run and self.stage else None

    @property
    def goes_on(self) -> bool:
        """Whether another stage follows."""
        return self.run is not None and self.stage < len(self.run.stages) - 1

    @property
    def digest(self) -> str:
        """The cache key of this run in this notation."""
        return cached(self.record, ("digest", self.glyph, self.steps, self.begin), self._digest)

    def _digest(self) -> str:
        run = self.record
        stopped = film_sentences.stopped(run, self.goes_on)
        digest = sha256(repr((run.settings, self.glyph, self.steps, self.begin, stopped)).encode())
        for array in (
            run.lifetimes.left,
            run.lifetimes.right,
            run.lifetimes.counts,
            run.lifetimes.merged_at,
            run.flat.symbols,
        ):
            digest.update(array.tobytes())
        digest.update(run.pretoken_counts.tobytes())
        if run.by_source is not None:
            digest.update(repr(run.by_source.names).encode("utf-8", "backslashreplace"))
            digest.update(run.by_source.counts.tobytes())
        for token in used_base(run):  # with an alphabet of characters, equal ids may be other characters
            digest.update(len(token).to_bytes(4) + token)
        return digest.hexdigest()[:20]

    def facts(self) -> Json:
        """Return the merges as arrays, the base tokens in hex, every token's hue, and the charts along the slider."""
        return cached(self.record, ("facts", self.glyph, self.steps, self.begin), self._facts)

    def _facts(self) -> Json:
        run, steps, base = self.record, self.steps, used_base(self.record)
        return {
            "base": [token.hex() for token in base],
            "hues": packed(np.array([hue(token) for token in base + run.tokens[run.base : self.token_count]])),
            "kinds": HUES,
            "left": packed(run.lifetimes.left[:steps]),
            "right": packed(run.lifetimes.right[:steps]),
            "counts": packed(run.lifetimes.counts[:steps]),
            "tied": packed(run.ties[:steps]),
            "yours": sorted(run.settings.forced),
            "most_pairs": min(
                PAIRS, int((run.flat.ends - run.flat.starts - 1).sum())
            ),  # no step has more pairs than step 0 has boundaries
            "glyph": self.glyph,
            "marks": MARKS,
            "along": {name: points(run, steps) for name, points in ALONG.items()},
            "sources": sources(run, steps),
            "summary": film_sentences.summary(run) if steps == run.steps else [],
            "longest": self._longest(),
        }

    def _longest(self) -> list[list[film_sentences.Part]]:
        """Return about the longest sentences of the film, so that their box can be made high enough.

        They are sentences of the first step, of the last step, or of the steps with the longest tokens. A whole
        frame is costly, and not made for this.
        """
        run, steps = self.record, self.steps
        left, right = run.lifetimes.left[:steps], run.lifetimes.right[:steps]
        shown = np.minimum([len(token) for token in run.tokens], SHOWN)
        halves = shown[left] + shown[right]
        ahead = np.append(halves[1:], 0)[:steps]
        length = halves + shown[run.base : self.token_count] + ahead + np.where(run.ties[:steps] > 1, halves, 0)
        numbers = np.unique([0, *(np.argsort(length, kind="stable")[-SEARCHED:] + 1), steps])
        found = zip(numbers.tolist(), words_merged(run, numbers), strict=True)
        sentences = [self._about_as_long(step, parts, changed) for step, (parts, changed) in found]
        return sorted(sentences, key=lambda sentence: -film_sentences.length(sentence, shown))[:LONGEST]

    def _about_as_long(self, step: int, parts: tuple[tuple[int, int], ...], changed: int) -> list[film_sentences.Part]:
        """Return a step's sentences. In place of the pairs that tied they name the merged pair's halves once more.

        `parts`, `changed`: as in a frame.
        """
        run = self.record
        tied: list[tuple[int, int]] = []
        if step and run.ties[step - 1] > 1:
            left, right = run.lifetimes.pair(step)
            tied = [(left, right), (right, left), (left, left)][: int(run.ties[step - 1])]
        frame = Frame(step, (), 0, parts, changed, tuple(tied), 0)
        return [*self._said(frame), *film_sentences.tie_sentence(run, frame), " ", *self._ahead(step)]

    def _said(self, frame: Frame) -> list[film_sentences.Part]:
        if not frame.step and self.run:
            return [first_sentence(self.run, self.stage)]
        return film_sentences.step_sentence(self.record, frame, self.begin)

    def _ahead(self, step: int) -> list[film_sentences.Part]:
        return film_sentences.next_sentence(self.record, step, self.goes_on)

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Return words. A symbol's lifetime is the step that removes the boundary before the symbol, 0 for none."""
        run, starts, ends = self.record, self.record.flat.starts, self.record.flat.ends
        words = []
        for row in rows:
            start, end = int(starts[row]), int(ends[row])
            shown = slice(start, min(end, start + LONG))
            merged_at = run.lifetimes.merged_at[shown]
            lifetimes = np.where(merged_at > self.steps, 0, merged_at).tolist()  # NEVER is later than any step
            count = int(run.pretoken_counts[row])
            words.append([int(row), count, run.flat.symbols[shown].tolist(), lifetimes, max(end - start - LONG, 0)])
        return words

    def walls(self, rows: Sequence[int]) -> dict[int, list[int]]:
        """Return by row which symbols of a word follow a wall, an end of a pretoken that older merges could not cross.

        The walls fell when this stage began. To find them, the earlier stage's pretokenizer splits each word by itself.
        A wall inside a symbol is left out, since older merges have joined across that wall. A row without walls is
        left out as well.

        >>> from bpe_core import Settings, train
        >>> run = train("to be, to be", Settings(vocab_size=259, then_across_words_from=257))
        >>> [run.tokens[symbol] for symbol in run.stages[1].flat.symbols[1:-1]], RunSide(run, "").walls([0])
        ([b'to', b' ', b'b', b'e', b',', b' ', b'to', b' ', b'b', b'e'], {0: [1, 4, 5, 7]})
        """
        if self.before is None:
            return {}
        split = self.before.settings.splitter
        return cached(
            self.record, ("walls", *rows), lambda: {row: found for row in rows if (found := self._walls(row, split))}
        )

    def _walls(self, row: int, split: Pretokenizer) -> list[int]:
        run, start = self.record, int(self.record.flat.starts[row])
        symbols = run.flat.symbols[start : min(int(run.flat.ends[row]), start + LONG)].tolist()
        begins = [0, *accumulate(len(run.tokens[symbol]) for symbol in symbols)]
        text = run.pretokens[row][: begins[-1] + LOOKAHEAD]  # of a long word only the sent part, with lookahead
        ends = {*accumulate(len(encode_text(word)) for word in split.strings(text))}
        return [index for index, begin in enumerate(begins[:-1]) if begin in ends]

    def chunk(self, number: int) -> Json:
        """Return the frames of `CHUNK` steps, and the words that the frames name."""
        first = CHUNK * number
        # `self.steps` is in the key, since a film with fewer steps than the run has a shorter last chunk.
        return cached(
            self.record,
            (number, self.steps, self.begin),
            lambda: self._chunk(frames(self.record, first, min(first + CHUNK - 1, self.steps))),
        )

    def chunks(self) -> Iterator[Json]:
        """Yield all chunks in order, as `chunk` returns them, by one pass over the record; none is cached."""
        made = all_frames(self.record, self.steps)
        while of_chunk := list(islice(made, CHUNK)):
            yield self._chunk(of_chunk)

    def _chunk(self, made: Sequence[Frame]) -> Json:
        rows = sorted({row for frame in made for row, _ in frame.parts})
        return {"frames": [self._frame(frame) for frame in made], "words": self.words(rows)}

    def _frame(self, frame: Frame) -> Json:
        return {
            "bars": [list(pair) for pair in frame.pairs],
            "pairs": frame.different_pairs,
            "sentence": self._said(frame),
            "tie": film_sentences.tie_sentence(self.record, frame),
            "ahead": self._ahead(frame.step),
            "parts": [row for row, _ in frame.parts],
            "changed": frame.changed,
            "tied": [list(pair) for pair in frame.tied],
            "tokens": frame.tokens,
            "freed": self._freed(frame),
            "wanted": run_wanted(self.record, frame.step),
        }

    def _freed(self, frame: Frame) -> list[int]:
        """Return at step 0 the indexes of pairs that the earlier stage could not join; at later steps an empty list."""
        if frame.step or self.before is None:
            return []
        freed = freed_pairs(self.before, self.record)
        return [i for i, pair in enumerate(frame.pairs) if (freed == (pair.left, pair.right)).all(axis=1).any()]

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> Json | None:
        """Return the words in which a pair occurs, or how often each pair of a word occurs in the corpus."""
        if pair is not None:
            return self._pair(step, *pair)
        return self._word(step, word) if word is not None else None

    def _pair(self, step: int, left: int, right: int) -> Json:
        tokens = self.record.tokens
        parts = self.record.contributions(step, tokens[left], tokens[right])
        total = sum(part.count for part in parts)
        shares = tuple((part.row, part.count) for part in parts)
        words = film_sentences.counted_words(self.record, shares, total, len(parts), 4)
        occurs = [f" occurs {times(total)}: ", *words, "."]
        sentence = [*film_sentences.pair_parts(left, right), *(occurs if parts else [" does not occur at this step."])]
        rows = [row for row, _ in shares[:PAIR_WORDS]]
        return {"sentence": sentence, "rows": rows, "words": self.words(rows)}

    def _word(self, step: int, row: int) -> Json:
        counts, ahead = self.pairs_of(step, row), self.ahead(step)
        best = self.record.lifetimes.counts[step] if ahead else None
        bars: list[Bar] = [[*pair, count, role_of(pair, count == best, ahead)] for pair, count in counts.items()]
        return {"bars": sorted(bars, key=lambda bar: -bar[2])[:PAIRS], "pairs": len(counts)}

    def pairs_of(self, step: int, row: int) -> dict[tuple[int, int], int]:
        """Return how often each pair of a word occurs in the corpus. A long word gives only its first pairs."""
        run = self.record
        ids = run.corpus.tokens_at(step, run.flat.starts[row], run.flat.ends[row])[1].tolist()
        pairs = list(dict.fromkeys(pairwise(ids)))[:WORD_PAIRS]
        return dict(zip(pairs, counts_of(run, step, pairs), strict=True))

    def ahead(self, step: int) -> tuple[int, int] | None:
        """Return the pair (left id, right id) that the step after `step` joins; None after the last step."""
        return self.record.lifetimes.pair(step + 1) if step < self.steps else None


def used_base(record: Record) -> tuple[bytes, ...]:
    """Return the base tokens by id. If a training starts from a tokenizer, a base token that no word uses is empty.

    Only the used tokens are sent to the browser, since such a tokenizer may have 200,000 tokens.

    >>> from bpe_core import Settings, load, train
    >>> base = used_base(train("The parrot", Settings(vocab_size=50257), start=load("gpt2")))
    >>> len(base), [token for token in base if token]
    (50257, [b'The', b' par', b'rot'])
    """
    if record.start is None:
        return record.flat.tokens
    used = set(np.unique(record.flat.symbols).tolist())
    return tuple(token if i in used else b"" for i, token in enumerate(record.flat.tokens))


def timeline(record: Record, steps: int) -> list[dict[str, float]]:
    """Return the points of a chart along the slider: the counts of the merges up to `steps`, and the share of ties.

    A point covers the slider `from` one position `to` another; positions are from 0 to 1. In a run of more than
    `POINTS` merges a point covers several merges, and has the count of the first of these merges. The last point
    repeats the last count, so that the line of the chart has an end.

    >>> from bpe_core import Settings, train
    >>> timeline(train("low low lower", Settings("whitespace", vocab_size=258)), 2)
    ... # doctest: +NORMALIZE_WHITESPACE
    [{'from': 0.25, 'to': 0.75, 'count': 3, 'ties': 1.0}, {'from': 0.75, 'to': 1.0, 'count': 3, 'ties': 0.0},
     {'from': 1.0, 'to': 1.0, 'count': 3, 'ties': 0.0}]
    """
    if not steps:
        return []
    edges = _edges(steps)
    starts = edges[:-1]
    # A merge (counted from 0) begins half a step before the position of its own step.
    at = np.round(np.minimum((edges + 0.5) / steps, 1.0), 6).tolist()
    counts = record.lifetimes.counts[starts].tolist()
    tied = np.add.reduceat(record.ties[:steps] > 1, starts, dtype=np.int64) / np.diff(edges)
    shares = [round(share, 3) for share in tied.tolist()]
    columns = zip(at, [*at[1:], at[-1]], [*counts, counts[-1]], [*shares, 0.0], strict=True)
    return [{"from": start, "to": end, "count": count, "ties": share} for start, end, count, share in columns]


def _edges(steps: int) -> np.ndarray:
    """Return the merges (from 0) at which the points along the slider begin, and the end of the last point."""
    return np.append(np.unique(np.linspace(0, steps - 1, min(steps, POINTS)).astype(int)), steps)


def sources(record: Record, steps: int) -> Json | None:
    """Return the names of a training's sources, and whose merges come when; None for a training on a text.

    `edges`: the merges at which the points begin, and the end of the last. `shares`: for each source, its share of the
    occurrences that the merges of each point joined, in per mille.

    >>> from bpe_core import Settings, train
    >>> sources(train({"en": "low low lower", "de": "los"}, Settings("whitespace", vocab_size=258)).stages[0], 2)
    {'names': ['en', 'de'], 'colours': ['#488acb', '#c26b4c'], 'edges': [0, 1, 2], 'shares': [[750, 1000], [250, 0]]}
    """
    if record.by_source is None:
        return None
    edges = _edges(steps) if steps else np.zeros(1, np.int64)
    counts = np.add.reduceat(record.ledger.merged[:steps], edges[:-1]) if steps else record.ledger.merged[:0]
    shares = np.round(1000 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).astype(int)
    names = [*record.ledger.names]
    colours = [source_colour(number) for number in range(len(names))]
    return {"names": names, "colours": colours, "edges": edges.tolist(), "shares": shares.T.tolist()}


def run_wanted(record: Record, step: int) -> list[int]:
    """Return how often the pair of a step occurred in each source; an empty list for a training on a text."""
    return record.ledger.merged[step - 1].tolist() if record.by_source is not None and step else []


# The data of each chart along the slider, by name. The caller's chart of the same name says how it is drawn.
ALONG: dict[str, Callable[[Record, int], list[dict[str, float]]]] = {"timeline": timeline}
