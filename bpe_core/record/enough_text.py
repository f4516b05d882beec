"""How much text a training needs: trainings on an eighth, a quarter, a half and the whole of a text.

The text is cut into `PIECES` pieces of the same length. Each fifth piece is held out: no training sees it. Of the rest,
a part takes each eighth, each fourth or each second piece, so that each part is spread over the text and contains the
smaller ones:

    piece          0   1   2   3   4   5   6   7   8   9  …
    held out                       x                   x
    of the rest    0   1   2   3       4   5   6   7      …
    an eighth      x                                      …
    a quarter      x                   x                  …
    a half         x       x           x       x          …

What changes with more text are the tokens. What the unseen text costs changes far less: V. Reddy et al., "How Much is
Enough? The Diminishing Returns of Tokenization Training Data" (2025), arXiv:2502.20273.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.counting import Progress, count_words
from bpe_core.corpus.text_files import Texts, corpus, whole_texts
from bpe_core.record.held_bytes import held_bytes
from bpe_core.record.run_training import check_settings, train
from bpe_core.settings import Settings

PIECES = 640  # an eighth of what is not held out has 64
HELD_OUT = 5  # every fifth piece is held out
EVERY = (8, 4, 2, 1)  # a part has every eighth piece, every fourth, every second, every piece
LEAST = 2_000  # characters; a part of a shorter text has too few words


class Amount(NamedTuple):
    """A training on a part of a text.

    `part`: the part, such as 0.5. `characters`: how many characters it has. `merges`: how many merges were made.
    `same`: how much of the merged tokens this training shares with the training on the whole text (Jaccard's index).
    `bytes_per_token`: what a token of the held-out text has on average.
    """

    part: float
    characters: int
    merges: int
    same: float
    bytes_per_token: float


@dataclass(frozen=True)
class Amounts:
    """Trainings on parts of a text, the smallest part first. `held_out`: how many characters no training saw."""

    parts: tuple[Amount, ...]
    held_out: int

    @property
    def nbytes(self) -> int:
        """How many bytes of memory the figures take."""
        return held_bytes(self)


def amounts(
    text: Texts, settings: Settings, progress: Progress | None = None, start: GivenTokenizer | None = None
) -> Amounts:
    """Train on parts of a text and on the whole text; compare the tokens, and what a held-out fifth of the text costs.

    `text`: a text, the `Path` of one, or several. `progress` and `start`: as for `train`. Choices in `Settings.forced`
    are dropped. Raises `ValueError` for a text of fewer than `LEAST` characters, and `SettingsError` as `train` does.

    >>> from bpe_core import Settings, amounts
    >>> text = "the cat sat on the mat, and the dog sat by the door. " * 80
    >>> found = amounts(text, Settings(vocab_size=270))
    >>> [(amount.part, amount.merges, round(amount.same, 2)) for amount in found.parts]
    [(0.125, 13, 0.59), (0.25, 14, 0.75), (0.5, 14, 0.75), (1.0, 14, 1.0)]
    """
    check_settings(settings)
    if len(given := "".join(whole_texts(corpus(text)))) < LEAST:
        raise ValueError(f"a text of {len(given):,} characters is too short to train on parts of it: take {LEAST:,}")
    pieces = _pieces(given)
    seen, held_out = with_held_out(pieces)
    unseen = ["".join(held_out)]
    settings = replace(settings, forced={})
    words, counts = count_words(unseen, settings)
    size = int(counts @ words.sizes)
    found = []
    for every in EVERY:
        part = "".join(seen[::every])
        run = train((part,), settings, progress, start=start)
        tokens = {merge.token for merge in run.merges}
        price = run.tokenizer().count(unseen[0], specials=False)
        found.append((1 / every, len(part), tokens, size / max(price, 1)))
    whole = found[-1][2]
    parts = tuple(
        Amount(part, characters, len(tokens), len(tokens & whole) / max(len(tokens | whole), 1), each)
        for part, characters, tokens, each in found
    )
    return Amounts(parts, len(unseen[0]))


def with_held_out(pieces: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the pieces to train on, and the held-out pieces, which no training sees: every fifth.

    >>> with_held_out(["to", " be", " or", " not", " to"])
    (['to', ' be', ' or', ' not'], [' to'])
    """
    seen = [piece for number, piece in enumerate(pieces, 1) if number % HELD_OUT]
    return seen, [*pieces[HELD_OUT - 1 :: HELD_OUT]]


def _pieces(text: str) -> list[str]:
    """Cut a text into `PIECES` pieces, each at white space if there is any before the next piece.

    >>> "".join(_pieces("to be or not " * 300)) == "to be or not " * 300, _pieces("to be or not " * 300)[:2]
    (True, ['to be or', ' not'])
    """
    ends = [0]
    for number in range(1, PIECES):
        at, last = len(text) * number // PIECES, len(text) * (number + 1) // PIECES
        ends.append(next((place for place in range(at, last) if text[place].isspace()), at))
    return [text[a:b] for a, b in zip(ends, [*ends[1:], len(text)], strict=True)]
