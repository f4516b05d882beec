"""What a lesson's reveal is made of: the app's own instruments, named with what they show. Values only."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core import Run, Tokenizer
from bpe_core.models.wordpiece import WordPieceRun
from bpe_core.tokenizer.biography import Applied
from bpe_core.tokenizer.cost_curve import CostCurve


@dataclass(frozen=True)
class Training:
    """A run with its steps: the words of the corpus and the most frequent pairs. `step`: where it opens."""

    name: str
    run: Run
    step: int = 0
    glyph: str = "_"


@dataclass(frozen=True)
class TwoTrainings:
    """Two runs, step by step beside each other."""

    left: Training
    right: Training


@dataclass(frozen=True)
class Trace:
    """How a word became tokens, merge by merge."""

    word: str
    applied: tuple[Applied, ...]
    glyph: str = "_"


@dataclass(frozen=True)
class Blocked:
    """The pairs that a split forbids after a step, beside those that it allows."""

    run: Run
    step: int


@dataclass(frozen=True)
class Tokens:
    """Texts under several tokenizers: (name, tokenizer) each."""

    texts: tuple[str, ...]
    tokenizers: tuple[tuple[str, Tokenizer], ...]


@dataclass(frozen=True)
class Merging:
    """A text under the published vocabulary as it grows, from bytes to all its tokens."""

    text: str


@dataclass(frozen=True)
class Pretokens:
    """A text split in several ways: (name, key of a pretokenizer) each."""

    text: str
    splits: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Curve:
    """What a text that was not trained on costs as the vocabulary grows. `name`: of that text."""

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
    """WordPiece's scores beside the counts, with its steps."""

    run: WordPieceRun
