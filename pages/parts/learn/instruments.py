"""The instruments of a lesson's reveal, as values: each names a drawing of the app and what it shows."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core import Run, Tokenizer
from bpe_core.models.wordpiece import WordPieceRun
from bpe_core.tokenizer.biography import Applied
from bpe_core.tokenizer.cost_curve import CostCurve


@dataclass(frozen=True)
class Training:
    """A film of a run: the words of the corpus and the most frequent pairs. `step`: its first step."""

    name: str
    run: Run
    step: int = 0
    glyph: str = "_"


@dataclass(frozen=True)
class TwoTrainings:
    """A film of two runs side by side."""

    left: Training
    right: Training


@dataclass(frozen=True)
class Trace:
    """The encoding of a word, merge by merge."""

    word: str
    applied: tuple[Applied, ...]
    glyph: str = "_"


@dataclass(frozen=True)
class Blocked:
    """The most frequent pairs that a split forbids at a step, and those that it allows."""

    run: Run
    step: int


@dataclass(frozen=True)
class Tokens:
    """The tokens of texts with several tokenizers, each with its name."""

    texts: tuple[str, ...]
    tokenizers: tuple[tuple[str, Tokenizer], ...]


@dataclass(frozen=True)
class Merging:
    """The tokens of a text as the published vocabulary grows from bytes to all its tokens."""

    text: str


@dataclass(frozen=True)
class Pretokens:
    """The splits of a text: of each its name and the key of its pretokenizer."""

    text: str
    splits: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Curve:
    """The cost of a held-out text as the vocabulary grows. `name`: of the text; `base`: the size before any merge."""

    name: str
    growth: CostCurve
    base: int


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of a run, and how often its corpus uses each."""

    run: Run
    glyph: str = "_"


@dataclass(frozen=True)
class Scores:
    """The pairs of WordPiece by score and by count."""

    run: WordPieceRun
