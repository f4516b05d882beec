"""Byte-pair encoding and its rivals on one corpus: five models with the same pretokens and the same vocabulary size.

Each is a `Model` with `tokens`, `pretokenizer` and `encode_word(word) -> ids`. They are for small corpora: WordPiece
compares all pairs at every step, and Unigram has an array of all segmentations of all words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

from bpe_core.corpus.counting import Progress, count_pretokens
from bpe_core.models import unigram, wordpiece, words_and_characters
from bpe_core.models.unigram import UnigramRun
from bpe_core.models.wordpiece import WordPieceRun
from bpe_core.models.words_and_characters import UnitModel
from bpe_core.record.held_bytes import held_bytes
from bpe_core.record.run import Run
from bpe_core.record.run_training import train_counts
from bpe_core.settings import Settings, SettingsError
from bpe_core.text.alphabet import MARKER
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_TEXT = 1_000_000  # characters
MOST_WORDS = 200_000  # characters of all different words together


class TooLargeError(SettingsError):
    """A corpus that is too large for these models; the message says how large it may be."""


class Model(Protocol):
    """A model, which turns a pretoken into tokens of a vocabulary."""

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """The vocabulary."""

    @property
    def pretokenizer(self) -> Pretokenizer:
        """How a text becomes pretokens."""

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken, `UNKNOWN` for what the vocabulary cannot write."""


@dataclass(frozen=True, eq=False)
class LongestMatch:
    """A model that has a tokenizer's vocabulary, and encodes by longest match instead of merges.

    >>> tokenizer = train_counts({"ab": 2, "bcd": 3}, Settings(vocab_size=259)).tokenizer()
    >>> [tokenizer.tokens[i] for i in LongestMatch(tokenizer).encode_word("abcd")]
    [b'ab', b'c', b'd']
    """

    tokenizer: Tokenizer

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """The vocabulary."""
        return self.tokenizer.tokens

    @property
    def pretokenizer(self) -> Pretokenizer:
        """How a text becomes pretokens."""
        return self.tokenizer.pretokenizer

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken."""
        return self.tokenizer.pipeline.longest.encoder.encode(word)


class Result(NamedTuple):
    """How a model encodes words. `words`: how many words there are. `tokens`: how many tokens the words become.

    `unknown`: how many words the vocabulary cannot write. `written`: how many tokens the other words become.
    """

    words: int
    tokens: int
    unknown: int
    written: int

    @property
    def tokens_per_word(self) -> float | None:
        """Tokens per word, where the vocabulary can write the word; None if it can write no word."""
        known = self.words - self.unknown
        return self.written / known if known else None


def result(model: Model, counts: Mapping[str, int]) -> Result:
    """Encode counted words and count the tokens.

    >>> models = train_models("low low lower", Settings("whitespace", "characters", vocab_size=7))
    >>> result(models.word, {"low": 2, "slow": 1})
    Result(words=3, tokens=3, unknown=1, written=2)
    """
    encoded = [(model.encode_word(word), count) for word, count in counts.items()]
    tokens = sum(len(ids) * count for ids, count in encoded)
    known = [(ids, count) for ids, count in encoded if UNKNOWN not in ids]
    unknown = sum(counts.values()) - sum(count for _, count in known)
    return Result(sum(counts.values()), tokens, unknown, sum(len(ids) * count for ids, count in known))


def texts_of(model: Model) -> set[bytes]:
    """Return the tokens of a model without WordPiece's mark, so that vocabularies can be compared.

    >>> sorted(texts_of(train_models("aa", Settings("none", "characters", vocab_size=9)).wordpiece.tokenizer()))
    [b'a', b'aa']
    """
    return {token.removeprefix(MARKER) for token in model.tokens}


@dataclass(frozen=True, eq=False, repr=False)
class Models:
    """Five models of one corpus; made by `train_models`. `counts`: the words of the corpus and their counts."""

    counts: Mapping[str, int]
    bpe: Run
    wordpiece: WordPieceRun
    unigram: UnigramRun
    word: UnitModel
    character: UnitModel

    @cached_property
    def by_name(self) -> dict[str, Model]:
        """The trained models, by the keys of `MODELS`."""
        return {name: of(self) for name, (_, _, of) in MODELS.items()}

    @cached_property
    def results(self) -> dict[str, Result]:
        """How each model encodes the corpus itself."""
        return {name: result(model, self.counts) for name, model in self.by_name.items()}

    @cached_property
    def nbytes(self) -> int:
        """How many bytes of memory the models take, including all that they compute at first use."""
        computed = [(run.merges, run.ids, run.corpus_tokens) for run in (self.bpe, self.wordpiece)]
        return held_bytes(self, self.results, *computed)


MODELS: dict[str, tuple[str, str, Callable[[Models], Model]]] = {  # key → (title, its rule, the model)
    "bpe": ("BPE", "joins the most frequent pair", lambda models: models.bpe.tokenizer()),
    "wordpiece": ("WordPiece", "joins the best-scored pair", lambda models: models.wordpiece.tokenizer()),
    "unigram": ("Unigram", "prunes what costs least", lambda models: models.unigram.model()),
    "word": ("Words", "most frequent words", lambda models: models.word),
    "character": ("Characters", "most frequent characters", lambda models: models.character),
}


def train_models(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> Models:
    """Count the corpus once and train all models on it.

    Raises `SettingsError` if the vocabulary is smaller than the alphabet of a model. Raises its subclass
    `TooLargeError` if the corpus has more than `MOST_TEXT` characters, or its different words have more than
    `MOST_WORDS` characters together.

    >>> models = train_models("low low lower", Settings("whitespace", "characters", vocab_size=7))
    >>> {name: len(model.tokens) for name, model in models.by_name.items()}
    {'bpe': 7, 'wordpiece': 7, 'unigram': 7, 'word': 2, 'character': 5}
    """
    texts = [texts] if isinstance(texts, str) else list(texts)
    _check_size("the text has {:,} characters", sum(map(len, texts)), MOST_TEXT, "choose a smaller one")
    own = replace(settings, alphabet="characters", word_marker="none", forced={})
    counts = count_pretokens(texts, own, progress)
    finer = "choose a smaller text or a pretokenizer with shorter pretokens"
    _check_size("the different words have {:,} characters together", sum(map(len, counts)), MOST_WORDS, finer)
    # WordPiece first: its alphabet is the largest, so its error asks for a vocabulary that is large enough for all
    scored = wordpiece.train_counts(counts, own, progress)
    merges = train_counts(counts, own, progress)
    likely = unigram.train_counts(counts, own, progress)
    word, character = (words_and_characters.count(counts, own, unit) for unit in ("word", "character"))
    return Models(counts, merges, scored, likely, word, character)


def _check_size(found: str, size: int, most: int, advice: str) -> None:
    if size > most:
        models = f"these models are for learning and take at most {most:,}"
        raise TooLargeError(f"{found.format(size)}; {models}: {advice}")
