"""A recorded run of BPE as a side of a film."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

from bpe_core import Run
from bpe_core.display.colours import HUES, hue
from bpe_core.display.token_text import MARKS
from bpe_core.record.frames import PAIRS, Frame, counts_of, frames
from bpe_core.training.working_corpus import NEVER
from pages.parts.film import sentence
from pages.parts.film.kept import kept
from pages.parts.film.side import CHUNK
from pages.parts.live_text.payload import packed
from pages.parts.views import tables

LONG = 2_000  # symbols of a word that travel
WORD_PAIRS = 200  # pairs of a word that are looked at


class RunSide:
    """A recorded run; `glyph` stands for the word marker. Cheap to make: what it works out is kept with the run."""

    def __init__(self, run: Run, glyph: str) -> None:
        """Nothing is worked out yet."""
        self.run, self.glyph, self.steps = run, glyph, run.steps
        self.token_count, self.word_count = run.base + run.steps, len(run.pretoken_counts)

    @property
    def digest(self) -> str:
        """What tells this run from every other."""
        return kept(self.run, ("digest", self.glyph), self._digest)

    def _digest(self) -> str:
        run, digest = self.run, sha256(repr((self.run.settings, self.glyph)).encode())
        for array in (run.film.left, run.film.right, run.film.counts, run.film.merged_at, run.flat.symbols):
            digest.update(np.ascontiguousarray(array))
        digest.update(np.ascontiguousarray(run.pretoken_counts))
        return digest.hexdigest()[:20]

    def facts(self) -> str:
        """The merges as arrays, the base tokens in hex, every token's hue, and the timeline's points."""
        return kept(self.run, ("facts", self.glyph), lambda: json.dumps(self._facts(), separators=(",", ":")))

    def _facts(self) -> dict[str, Any]:
        run = self.run
        return {
            "base": [token.hex() for token in run.flat.tokens],
            "hues": packed(np.array([hue(token) for token in run.tokens])),
            "kinds": HUES,
            "left": packed(run.film.left),
            "right": packed(run.film.right),
            "counts": packed(run.film.counts),
            "tied": packed(run.ties),
            "yours": sorted(run.settings.forced),
            "most_pairs": min(PAIRS, int((run.flat.ends - run.flat.starts - 1).sum())),  # merges leave no more
            "glyph": self.glyph,
            "marks": MARKS,
            "timeline": _timeline(run),
        }

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """For each row [row, count, symbols, lifetimes (0: never falls), symbols that do not travel]."""
        run, starts, ends = self.run, self.run.flat.starts, self.run.flat.ends
        packed = []
        for row in rows:
            start, end = int(starts[row]), int(ends[row])
            shown = slice(start, min(end, start + LONG))
            merged_at = run.film.merged_at[shown]
            lifetimes = np.where(merged_at == NEVER, 0, merged_at).tolist()
            count = int(run.pretoken_counts[row])
            packed.append([int(row), count, run.flat.symbols[shown].tolist(), lifetimes, max(end - start - LONG, 0)])
        return packed

    def chunk(self, number: int) -> dict[str, Any]:
        """Frames, and the words that they name."""
        return kept(self.run, number, lambda: self._chunk(number))

    def _chunk(self, number: int) -> dict[str, Any]:
        first = CHUNK * number
        made = frames(self.run, first, min(first + CHUNK - 1, self.steps))
        rows = sorted({row for frame in made for row, _ in frame.parts})
        return {"frames": [self._frame(frame) for frame in made], "words": self.words(rows)}

    def _frame(self, frame: Frame) -> dict[str, Any]:
        return {
            "bars": [list(pair) for pair in frame.pairs],
            "pairs": frame.different_pairs,
            "said": sentence.said(self.run, frame),
            "tie": sentence.tie(self.run, frame),
            "ahead": sentence.ahead(self.run, frame.step),
            "parts": [row for row, _ in frame.parts],
            "changed": frame.changed,
            "tied": [list(pair) for pair in frame.tied],
            "tokens": frame.tokens,
        }

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> dict[str, Any] | None:
        """A pair: the words that its count is made of. A word: its pairs with their counts in the whole corpus."""
        if pair is not None:
            return self._pair(step, *pair)
        return self._word(step, word) if word is not None else None

    def _pair(self, step: int, left: int, right: int) -> dict[str, Any]:
        tokens, most = self.run.tokens, 60
        parts = self.run.contributions(step, tokens[left], tokens[right])
        total = sum(part.count for part in parts)
        held = tuple((part.row, part.count) for part in parts)
        named = sentence.words(self.run, held, total, len(parts), 4)
        said = [[left], " + ", [right], f" occurs {sentence.times(total)}: ", *named, "."]
        rows = [row for row, _ in held[:most]]
        return {"said": said if parts else [[left], " + ", [right], " does not occur at this step."], "rows": rows,
                "words": self.words(rows)}  # fmt: skip

    def _word(self, step: int, row: int) -> dict[str, Any]:
        counts, ahead = self._pairs_of(step, row), self._ahead(step)
        best = self.run.film.counts[step] if ahead else -1
        bars = [
            [*pair, count, "next" if pair == ahead else "tied" if count == best else "other"]
            for pair, count in counts.items()
        ]
        return {"bars": sorted(bars, key=lambda bar: -bar[2])[:PAIRS], "pairs": len(counts)}

    def _pairs_of(self, step: int, row: int) -> dict[tuple[int, int], int]:
        """The pairs of a word, each with its count in the whole corpus; of a long word the first ones."""
        run = self.run
        ids = run.corpus.tokens_at(step, run.flat.starts[row], run.flat.ends[row])[1].tolist()
        pairs = list(dict.fromkeys(pairwise(ids)))[:WORD_PAIRS]
        return dict(zip(pairs, counts_of(run, step, pairs), strict=True))

    def _ahead(self, step: int) -> tuple[int, int] | None:
        """The pair that the next step joins."""
        film = self.run.film
        return (int(film.left[step]), int(film.right[step])) if step < self.steps else None


def _timeline(run: Run) -> list[dict[str, float]]:
    """Each merge, or in a long run each few of them, around its position on a slider from 0 to the last step."""
    if not run.steps:
        return []
    rows = tables.timeline(run)
    begins, ends = (((rows[name] - 0.5) / run.steps).clip(0, 1).round(6) for name in ("step", "until"))
    shown = {"from": begins, "to": ends, "count": rows["count"], "ties": rows["ties"].round(3)}
    points = zip(*(column.tolist() for column in shown.values()), strict=True)
    return [dict(zip(shown, point, strict=True)) for point in points]
