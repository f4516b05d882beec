"""Two trainings on one text, side by side, as figures and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
import pandas as pd

from bpe_core import NORMALIZERS, PRETOKENIZERS, PairCount, Pretokenizer, Run, Settings
from bpe_core.corpus.counting import count_text
from bpe_core.display.token_text import has, shortened, token_text
from bpe_core.record.mixed_tokens import MIXTURES, mixture
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.alphabet import MARKER
from bpe_core.tokenizer.cost_curve import CostCurve
from pages.parts.views.tables import WINDOW, Window

SAMPLE = 1_000  # characters of a text whose split is shown
POINTS = 200  # of a curve
CONTRACTION = "a contraction"  # which the cuts mean to keep

_LOST = (
    "What the split throws away; by the word markers decoding puts one space between words",
    "What the split throws away: decoding cannot give it back",
)
EXAMPLES = {
    "my dog. your dog.": {},
    "The same, not split": {"left_pretokenizer": "none"},
    "one dog. one dinosaur.": {"corpus": "one-dinosaur", "left_pretokenizer": "none"},
    "A short story": {
        "corpus": "short-story",
        "left_alphabet": "bytes",
        "right_alphabet": "bytes",
        "vocab_size": 600,
        "view": "vocabularies",
    },
}


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two trainings, and what the held-out text costs under it. `glyph` is how its word marker is drawn."""

    title: str
    run: Run
    held: CostCurve
    glyph: str = "_"

    def at(self, step: int) -> int:
        """The step of this side when the other is at `step`: its last one where it has ended."""
        return min(step, self.run.steps)

    @cached_property
    def kept(self) -> int:
        """How many characters of the corpus are in some pretoken."""
        return sum(len(word) * n for word, n in zip(self.run.pretokens, self.run.pretoken_counts.tolist(), strict=True))

    @property
    def loses(self) -> bool:
        """Whether its cut drops any of the text."""
        return not self.run.settings.splitter.lossless

    def step_of(self, token: bytes, step: int) -> int | None:
        """The step that made a token, if it is one of the steps up to `step`."""
        made = self.run.ids.get(token, -1) - self.run.base + 1
        return made if 0 < made <= self.at(step) else None

    def made(self, step: int) -> list[bytes]:
        """The tokens that the merges up to `step` made, in order."""
        return [merge.token for merge in self.run.merges[: self.at(step)]]


Sides = tuple[Side, Side]


def titles(left: Settings, right: Settings) -> tuple[str, str]:
    """What tells the two apart: the pretokenizers, and the settings in which they differ.

    >>> titles(Settings("gpt2", "bytes"), Settings("gpt2", "characters"))
    ('GPT-2, bytes', 'GPT-2, characters')
    """
    names = [[side.splitter.title] for side in (left, right)]
    if left.normalizers != right.normalizers:
        for name, side in zip(names, (left, right), strict=True):
            name.append(" + ".join(NORMALIZERS[key].title for key in side.normalizers) or "not normalized")
    for field, said in (("alphabet", "{}"), ("word_marker", "marker: {}"), ("tie_rule", "ties: {}")):
        values = [getattr(side, field) for side in (left, right)]
        if values[0] != values[1]:
            for name, value in zip(names, values, strict=True):
                name.append(said.format(value.replace("-", " ")))
    one, other = (", ".join(name) for name in names)
    return (one, other) if one != other else (f"{one} (left)", f"{other} (right)")


def split_figures(side: Side, length: int) -> list[tuple[str, str, str]]:
    """The split of a text of `length` characters in figures: (value, what it is, what that means)."""
    counts, kept = side.run.pretoken_counts, side.kept
    return [
        (f"{int(counts.sum()):,}", "pretokens", "What the text is split into; no merge crosses the end of one"),
        (f"{len(counts):,}", "different", "How many of them differ; training counts each once"),
        (f"{kept / max(int(counts.sum()), 1):,.2f}", "characters each", "The average length of a pretoken"),
        (f"{length - kept:,}", "characters thrown away", _LOST[side.run.settings.word_marker == "none"]),
    ]


def held_figures(side: Side, step: int) -> list[tuple[str, str, str]]:
    """What the held-out text costs at a step: (value, what it is, what that means)."""
    held, at = side.held, side.at(step)
    tokens = int(held.tokens[at])
    return [
        (f"{tokens:,}", "tokens", "What the held-out text becomes"),
        (f"{held.size / max(tokens, 1):.2f}", "bytes per token", "Bytes that the tokens carry, what was lost left out"),
        (f"{tokens / max(held.spaced, 1):.2f}", "tokens per word", "Tokens divided by words between white space"),
        (f"{held.whole[at] / max(held.words, 1):.0%}", "words whole", "Runs of letters that lie within one token"),
    ]


def merges(sides: Sides, step: int, find: str = "", rows: int | None = WINDOW) -> Window:
    """The merges of both up to `step`, side by side, the latest first; `find` is looked for in either's token."""
    made = [(side, side.run.merges[: side.at(step)]) for side in sides]
    last = max(len(merges) for _, merges in made)
    steps = [
        k
        for k in range(last, 0, -1)
        if any(has(merges[k - 1].token, find, side.glyph) for side, merges in made if k <= len(merges))
    ]
    cell = shortened if rows else token_text  # on the screen, and in a file
    columns: dict[str, Sequence] = {"step": steps[:rows]}
    for side, merges in made:
        row = [merges[k - 1] if k <= len(merges) else None for k in steps[:rows]]
        columns[side.title] = [cell(merge.token, side.glyph) if merge else "" for merge in row]
        columns[f"{side.title}: count"] = pd.array([merge.count if merge else None for merge in row], "Int64")
        columns[f"{side.title}: tied with"] = pd.array([merge.tied - 1 if merge else None for merge in row], "Int64")
    return Window(pd.DataFrame(columns), len(steps))


def vocabularies(sides: Sides, step: int, find: str = "", spaces: bool = True) -> dict[str, list[bytes]]:
    """The tokens made up to `step`: only on the left, on both sides, only on the right; in the order of creation.

    `spaces`: whether a token with a space or a word marker around it is another than the same without.
    """
    one, other = (dict.fromkeys(side.made(step)) for side in sides)
    texts = [{_named(token, spaces) for token in tokens} for tokens in (one, other)]
    split = {
        f"Only {sides[0].title}": [token for token in one if _named(token, spaces) not in texts[1]],
        "Both": [token for token in one if _named(token, spaces) in texts[1]],
        f"Only {sides[1].title}": [token for token in other if _named(token, spaces) not in texts[0]],
    }
    return {title: [token for token in tokens if has(token, find, sides[0].glyph)] for title, tokens in split.items()}


def _named(token: bytes, spaces: bool) -> bytes:
    return token if spaces else token.replace(MARKER, b"").strip(b" ") or token


def unwanted(token: bytes) -> str:
    """What a token mixes that a cut into words would keep apart; "" for none. Contractions are meant to be."""
    kind = mixture(token)
    return "" if kind == CONTRACTION else kind


def mixtures(sides: Sides, step: int) -> dict[str, tuple[list[bytes], list[bytes]]]:
    """The tokens of each side that are mixtures, by what they mix; kinds that neither has are left out."""
    found: dict[str, tuple[list[bytes], list[bytes]]] = {kind: ([], []) for kind in MIXTURES}
    for place, side in enumerate(sides):
        for token in side.made(step):
            if kind := mixture(token):
                found[kind][place].append(token)
    return {kind: both for kind, both in found.items() if any(both)}


def _short(shown: str, most: int = 7) -> str:
    """A token's beginning, so that both halves of a pair have room."""
    return shown if len(shown) <= most + 1 else f"{shown[:most]}…"


def blocked(side: Side, other: Side, step: int, pairs: list[PairCount]) -> pd.DataFrame:
    """Pairs across a cut, for the chart: `role` is "learnt" where the other side has that very token by now."""
    learnt = set(other.made(step))
    table = []
    for rank, (left, right, count) in enumerate(pairs, 1):
        pair = "  ".join(_short(token_text(half, side.glyph)) for half in (left, right))
        table.append(
            (rank, pair, count, "learnt" if left + right in learnt else "other", f"{left.hex()}.{right.hex()}")
        )
    return pd.DataFrame(table, columns=["rank", "pair", "count", "role", "hex"])


def vocabulary_table(sides: Sides, step: int) -> pd.DataFrame:
    """The tokens made by either side: where, at which step of each, and what they mix."""
    rows = []
    for where, tokens in vocabularies(sides, step).items():
        for token in tokens:
            steps = [side.step_of(token, step) for side in sides]
            rows.append((token_text(token, sides[0].glyph), token.hex(" ").upper(), where, *steps, mixture(token)))
    columns = ["token", "bytes", "where", *(f"step of {side.title}" for side in sides), "mixes"]
    return pd.DataFrame(rows, columns=columns)


def blocked_table(sides: Sides, step: int) -> pd.DataFrame:
    """All blocked pairs of both sides, and the step at which the other learnt the token that they would make."""
    rows = [
        (
            side.title,
            *(token_text(half, side.glyph) for half in pair[:2]),
            *(half.hex(" ").upper() for half in pair[:2]),
            pair.count,
            other.step_of(pair.left + pair.right, step),
        )
        for side, other in zip(sides, sides[::-1], strict=True)
        for pair in side.run.blocked_pairs(side.at(step))
    ]
    columns = ["side", "left", "right", "left bytes", "right bytes", "count", "learnt by the other at step"]
    return pd.DataFrame(rows, columns=columns).astype({columns[-1]: "Int64"})


def word_table(sides: Sides, both: SideBySide, step: int) -> pd.DataFrame:
    """All words that the two cut differently."""
    rows = [
        (side.title, count, " ".join(token_text(token, side.glyph) for token in tokens))
        for side, differing in zip(sides, both.differing(step), strict=True)
        for tokens, count in side.run.words(side.at(step), differing.tolist())
    ]
    return pd.DataFrame(rows, columns=["side", "count", "tokens"])


def growth(sides: Sides, points: int | None = POINTS) -> pd.DataFrame:
    """What the held-out text costs as the vocabulary grows; of a long run, at some sizes."""
    tables = []
    for place, side in zip(("left", "right"), sides, strict=True):
        steps = np.arange(side.run.steps + 1)
        if points:
            steps = np.unique(np.linspace(0, side.run.steps, min(side.run.steps + 1, points)).astype(int))
        tokens, held = side.held.tokens[steps], side.held
        columns = {
            "side": side.title,
            "place": place,
            "step": steps,
            "vocabulary": side.run.base + steps,
            "tokens": tokens,
        }
        measures = {"bytes per token": held.size / np.maximum(tokens, 1), "whole words": held.whole[steps]}
        tables.append(pd.DataFrame(columns | measures))
    return pd.concat(tables, ignore_index=True)


def growth_now(sides: Sides, step: int) -> pd.DataFrame:
    """The rows of the whole `growth` at which the two sides stand."""
    every = growth(sides, points=None)
    ends = [sides[0].at(step), sides[0].run.steps + 1 + sides[1].at(step)]
    return every.iloc[ends].reset_index(drop=True)


def overview(text: str, chosen: Mapping[str, Pretokenizer]) -> pd.DataFrame:
    """Every pretokenizer, and the `chosen` ones by their sides, on one text: pretokens, losses, time to count them."""
    cuts = list(dict.fromkeys([*PRETOKENIZERS.values(), *chosen.values()]))
    rows = []
    for cut in cuts:
        began = perf_counter()
        counts = count_text(text, cut)
        seconds = perf_counter() - began
        total = counts.total()
        kept = sum(len(piece) * count for piece, count in counts.items())
        lost = "nothing" if kept == len(text) else f"{len(text) - kept:,} characters"
        shown = " and ".join(place for place, side in chosen.items() if side == cut)
        each = round(kept / max(total, 1), 2)
        rows.append((cut.title, shown, total, len(counts), each, lost, round(seconds * 1000, 2)))
    columns = ["pretokenizer", "shown", "pretokens", "different", "characters each", "lost", "milliseconds"]
    return pd.DataFrame(rows, columns=columns)
