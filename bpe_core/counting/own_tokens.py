"""What tokens of one's own would save: one training goes on from a tokenizer, and the rest of the texts is counted.

    texts      cut into pieces; every fifth is held out
    training   goes on from the tokenizer, on the four others
    counting   the held-out pieces are encoded once, with all new tokens

One encoding is enough for all numbers of new tokens. A boundary inside a new token fell at the step that made it, or at
an earlier one. So for each new token of the held-out pieces, the new steps inside it say when it saved a token:

    new steps      1: low + er      2: newest + ,
    held out       [lower] [lower] [newest,] [low]          the base needs 2 + 2 + 2 + 1 tokens
    saved          step 1: 2        step 2: 1               7, then 5, then 4 tokens
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bpe_core import arguments, files, shortcuts
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.counting import Progress
from bpe_core.corpus.text_batches import CHUNK
from bpe_core.corpus.text_files import Texts, corpus, whole_texts
from bpe_core.counting.row_cutter import Cutter, Splits
from bpe_core.record.enough_text import with_held_out
from bpe_core.record.run_training import train
from bpe_core.record.start_tokens import usable
from bpe_core.settings import Settings
from bpe_core.text.in_words import counted, percent
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.tokenizer import Tokenizer

PIECES = 50  # pieces into which a text is cut, about, if it has enough words
MOST_NEW = 1000  # tokens
MOST_CHARACTERS = 4_000_000  # the first characters of the texts, which are looked at


@dataclass(frozen=True, eq=False)
class Savings:
    """What new tokens save on texts that they were not trained on.

    `tokens[k]`: how many tokens the held-out pieces have with `k` new tokens. `new`: the new tokens in the order in
    which they were learnt. `saved[k]`: how many tokens `new[k]` saves once it is there. `trained`: characters of the
    pieces that were trained on. `kept`: characters of the held-out pieces.
    `left_out`: the characters of pieces that are left out, since the tokenizer has no token for a character in them;
    `unknown`: the first such character, or "".

    >>> from bpe_core import load
    >>> found = savings(["the mergescope. " * 50] * 10, load("gpt2"), 20)
    >>> found
    <Savings: 3 new tokens save 50%>
    >>> int(found.tokens[0] - found.tokens[-1]) == int(found.saved.sum()), found.new[found.best[0]]
    (True, b' merges')
    """

    tokens: NDArray[np.int64]
    new: tuple[bytes, ...]
    saved: NDArray[np.int64]
    trained: int
    kept: int
    left_out: int = 0
    unknown: str = ""

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return the share that all new tokens save; the tokens are too many to print."""
        size, too_little = len(self.new), "" if self.tokens[0] else "; too little text to hold any out"
        return (
            f"<Savings: {counted(size, 'new token saves', 'new tokens save')} {percent(self.share(size))}{too_little}>"
        )

    @property
    def why_none(self) -> str:
        """Why nothing is known of what new tokens save, as a sentence; "" if it is known.

        >>> savings("low lower", "gpt2", 10).why_none
        'There is too little text to hold any out, so nothing is known of what new tokens save.'
        """
        if not self.tokens[0]:
            return "There is too little text to hold any out, so nothing is known of what new tokens save."
        return "" if self.new else "There is too little text to learn a token from."

    @property
    def best(self) -> list[int]:
        """The indexes of the new tokens, those that save most first."""
        return [int(index) for index in np.argsort(-self.saved, kind="stable")]

    def share(self, number: int) -> float:
        """Return the share of the held-out tokens that `number` new tokens save; 0.0 if no text is held out."""
        if arguments.whole(number, "how many new tokens") < 0:
            raise ValueError(f"how many new tokens is 0 or more, and is {number}")
        less = self.tokens[0] - self.tokens[min(number, len(self.new))]
        return float(less) / max(float(self.tokens[0]), 1)


def savings(
    texts: Texts,
    tokenizer: GivenTokenizer,
    most: int = MOST_NEW,
    progress: Progress | None = None,
) -> Savings:
    """Return what up to `most` new tokens save. Raises `SettingsError` if no training can go on from the tokenizer.

    `texts`: a text, the `Path` of one, or several. `tokenizer`: a tokenizer, or what `load` takes. A piece with a
    character that the tokenizer has no token for is left out.
    """
    tokenizer = files.opened_beside(tokenizer, texts, "savings(texts, tokenizer)")
    given = whole_texts(corpus(texts))
    if arguments.whole(most, "most") < 0:
        raise ValueError(f"most is how many new tokens there may be, 0 or more, and is {most}")
    cut = [*_pieces(given, usable(tokenizer))]
    pieces, unknown = _known(cut, tokenizer)
    others, kept = with_held_out(pieces)
    base = tokenizer.vocab_size
    settings = Settings("gpt2", tokenizer.alphabet, vocab_size=base + most)  # type: ignore[arg-type]
    run = train(tuple(others), settings, progress, start=tokenizer)
    grown = run.tokenizer()
    steps, first = len(run.merges), len(grown.merges) - len(run.merges)  # new steps, and the steps before
    saved = np.zeros(steps, np.int64)
    counts = np.bincount([*chain.from_iterable(grown.ids_batch(kept, specials=False))], minlength=1)
    for token_id in np.flatnonzero(counts[base:]) + base:
        for step in grown.inside(int(token_id)):
            if step > first:
                saved[step - first - 1] += counts[token_id]
    total = int(counts.sum()) + int(saved.sum())
    tokens = np.append(total, total - np.cumsum(saved))
    new = tuple(merge.token for merge in run.merges)
    trained, tried = sum(map(len, others)), sum(map(len, kept))
    return Savings(tokens, new, saved, trained, tried, sum(map(len, cut)) - trained - tried, unknown)


def _known(pieces: list[str], tokenizer: Tokenizer) -> tuple[list[str], str]:
    """Return the pieces in which the tokenizer has a token for each character, and the first character without one."""
    written = [normalized(piece, tokenizer.normalizers) for piece in pieces]
    unknown = {char for char in set[str]().union(*written) if min(tokenizer.encode_word(char), default=0) < 0}
    known = [piece for piece, text in zip(pieces, written, strict=True) if unknown.isdisjoint(text)]
    return known, next((char for text in written for char in text if char in unknown), "")


def _pieces(texts: Iterable[str], tokenizer: Tokenizer) -> list[str]:
    """Return the texts, long ones in pieces that have the same tokens. Only the beginning of very much text counts."""
    given: list[str] = []
    left = MOST_CHARACTERS
    for text in texts:
        given.append(text[:left])
        left -= len(text)
        if left <= 0:
            break
    size = max(sum(map(len, given)) // PIECES, 200)
    splits = Splits.of(tokenizer)
    return [piece for text in given for piece in Cutter(splits, min(size, CHUNK)).cut(text, ends=True) if piece]
