"""What a training run is asked to do: the settings, and the errors that name what is wrong with them.

Not here: what a pretokenizer or a tie rule does (see `pretokenizers` and `ties`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bpe_core.text.normalizers import NORMALIZERS
from bpe_core.text.patterns import custom
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.ties import TIE_RULES

ALPHABETS = {
    "bytes": "the 256 byte values: every text can be written, whatever its script",
    "characters": "the characters of the corpus: readable, but a new character is unknown",
}
WORD_MARKERS = {
    "none": "words carry no mark",
    "end": "a mark closes every word",
    "start": "a mark opens every word",
}
BYTE_SYMBOLS = 256


class SettingsError(ValueError):
    """A setting that cannot be carried out; the message says what to change.

    `least`: the smallest vocabulary that could be trained, where it is the size that is at fault.
    """

    least: int | None = None


class ForcedPairError(SettingsError):
    """A pair that was chosen for a step does not occur there. `step`: the first step whose pair does not occur."""

    def __init__(self, message: str, step: int = 1) -> None:
        """The message, and the step that it is about."""
        super().__init__(message)
        self.step = step


def _one_of(table: Mapping[str, object], value: str, what: str) -> None:
    if value not in table:
        raise SettingsError(f"{what} {value!r} is unknown; choose one of {', '.join(table)}")


def _names(value: Iterable[str], what: str) -> tuple[str, ...]:
    """Several names; a single text is none, since its letters would be."""
    names = () if isinstance(value, str) else tuple(value)
    if isinstance(value, str) or not all(isinstance(name, str) for name in names):
        raise SettingsError(f"{what} has to be a tuple of names, and is {value!r:.60}")
    return names


@dataclass(frozen=True)
class Settings:
    """The settings of one training run; equal settings on equal text give equal runs.

    `pretokenizer` is a key of `PRETOKENIZERS`, or `"custom"` with `pattern` set. `vocab_size` counts the base
    alphabet, the merges and the special tokens. `forced` maps a step (1 is the first merge) to the pair of
    tokens that it must join, whatever its count: a branch of the run without it. `normalizers` are keys of
    `NORMALIZERS`, applied to the text in this order before it is pretokenized.

    Raises `SettingsError` for a value that no training could use.

    >>> Settings(pretokenizer="gpt2", vocab_size=300).tie_rule
    'first-seen'
    >>> Settings(vocab_size=100)
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size 100 is below the 256 base symbols
    """

    pretokenizer: str = "gpt2"
    alphabet: str = "bytes"
    word_marker: str = "none"
    tie_rule: str = "first-seen"
    vocab_size: int = 1000
    min_count: int = 1
    special_tokens: tuple[str, ...] = ()
    pattern: str = ""
    normalizers: tuple[str, ...] = ()
    forced: Mapping[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every value, so that an existing `Settings` can be trained with; a list of names becomes a tuple."""
        object.__setattr__(self, "special_tokens", _names(self.special_tokens, "special_tokens"))
        object.__setattr__(self, "normalizers", _names(self.normalizers, "normalizers"))
        object.__setattr__(self, "forced", {step: tuple(pair) for step, pair in self.forced.items()})
        _one_of({**PRETOKENIZERS, "custom": None}, self.pretokenizer, "pretokenizer")
        _one_of(ALPHABETS, self.alphabet, "alphabet")
        _one_of(WORD_MARKERS, self.word_marker, "word_marker")
        _one_of(TIE_RULES, self.tie_rule, "tie_rule")
        for key in self.normalizers:
            _one_of(NORMALIZERS, key, "normalizer")
        if self.min_count < 1:
            raise SettingsError(f"min_count {self.min_count} is below 1")
        if "" in self.special_tokens or len(set(self.special_tokens)) < len(self.special_tokens):
            raise SettingsError("special_tokens must be different and not empty")
        wrong = [step for step in self.forced if not (isinstance(step, int) and step >= 1)]
        if wrong:
            raise SettingsError(f"a pair cannot be forced at step {wrong[0]!r:.60}: the first step is 1")
        if self.alphabet == "bytes":
            self.check_base(BYTE_SYMBOLS)
        elif self.vocab_size < 1:
            raise SettingsError(f"vocab_size {self.vocab_size} is below 1")
        if self.pretokenizer == "custom":
            custom(self.pattern)  # raises for a pattern that does not compile

    def __hash__(self) -> int:
        """Hash by the values that `==` compares."""
        compared = (self.pretokenizer, self.alphabet, self.word_marker, self.tie_rule, self.vocab_size)
        rest = (self.min_count, self.special_tokens, self.pattern, self.normalizers)
        return hash((*compared, *rest, tuple(sorted(self.forced.items()))))

    @property
    def splitter(self) -> Pretokenizer:
        """The pretokenizer that `pretokenizer` names."""
        return custom(self.pattern) if self.pretokenizer == "custom" else PRETOKENIZERS[self.pretokenizer]

    def check_base(self, base: int) -> None:
        """Raise `SettingsError` when `base` symbols and the special tokens do not fit into the vocabulary."""
        least = base + len(self.special_tokens)
        if self.vocab_size < least:
            named = f"{base} base symbols" if self.vocab_size < base else f"{least} base symbols and special tokens"
            error = SettingsError(f"vocab_size {self.vocab_size} is below the {named}")
            error.least = least
            raise error
