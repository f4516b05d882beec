"""The settings of a training run, and the errors for impossible settings.

A setting is one field of `Settings`. Its metadata, a `Setting`, says all that is known about it. Its kind decides how a
link writes it (`kinds`), how the command line takes it (`cli.training`) and which widget the app draws for it
(`pages/parts/page/settings_row.py`). The module `pretokenizers` says what each pretokenizer does, and `ties` says
what each tie rule does. A new setting becomes the last field, since programs may give settings by position.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from inspect import cleandoc
from typing import Any, Literal, get_args

from bpe_core.kinds import Kind, OneOf, Option, PairsAtSteps, Several, Text, Tokens, WholeNumber
from bpe_core.text.alphabet import MARKER
from bpe_core.text.normalizers import NORMALIZERS, Normalizer
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.ties import TIE_RULES, TieRule, TieRuleKey

# The keys of the tables, for editors and type checkers.
PretokenizerKey = Literal[
    "whitespace", "gpt2", "gpt2-notebook", "cl100k", "o200k", "qwen", "qwen3.5", "llama3", "tekken", "bert",
    "metaspace", "digits", "digits-right", "punctuation", "line", "none", "custom",
]  # fmt: skip
NormalizerKey = Literal["nfc", "nfd", "nfkc", "nfkd", "lowercase", "strip-accents", "bert"]
AcrossKey = Literal[
    "line", "none", "gpt2", "cl100k", "o200k", "qwen", "qwen3.5", "llama3", "tekken", "metaspace", "digits",
    "digits-right", "punctuation",
]  # fmt: skip
StartKey = Literal["none", "o200k_base", "cl100k_base", "p50k_base", "gpt2", "qwen", "tekken", "given"]
Alphabet = Literal["bytes", "characters"]
WordMarker = Literal["none", "end", "start"]

ALPHABETS = {
    "bytes": "the 256 byte values: every text can be written, in any script",
    "characters": "the characters of the corpus: readable, but a new character is unknown",
}
"""What the base symbols are: the values of `Settings.alphabet`, each with a sentence."""
WORD_MARKERS = {
    "none": "words carry no mark",
    "end": "a mark closes every word",
    "start": "a mark opens every word",
}
"""Where a word has a marker: the values of `Settings.word_marker`, each with a sentence."""
STARTS = {
    "none": "the base symbols of the alphabet",
    "o200k_base": "the tokens of GPT-4o",
    "cl100k_base": "the tokens of GPT-4",
    "p50k_base": "the tokens of Codex",
    "gpt2": "the tokens of GPT-2",
    "qwen": "the tokens of Qwen",
    "tekken": "the tokens of Mistral NeMo",
    "given": "the tokens of the start",
}
"""What training starts from: the values of `Settings.start`, each with a few words."""
GIVEN: Literal["given"] = "given"  # the tokenizer that `train` is given
BYTE_SYMBOLS = 256
MOST_ACROSS = 1 << 25  # characters of all different words together, in a stage that crosses words
CUSTOM: Literal["custom"] = "custom"  # the pretokenizer that splits by `pattern`


class SettingsError(ValueError):
    """An impossible setting; the message says what to change.

    `least`: if `vocab_size` is too small, the smallest vocabulary size that can be trained; else None.
    """

    least: int | None = None


class ForcedPairError(SettingsError):
    """A pair that a training is forced to join at a step (see `Settings.forced`), and that does not fit the step.

    A training raises this error for a pair that does not occur at its step. The Train page raises the error also for a
    pair that the settings would not let it choose: see `check_choices`. `step`: the first step whose pair does not fit.
    """

    def __init__(self, message: str, step: int = 1) -> None:
        """Store the message and the step."""
        super().__init__(message)
        self.step = step

    @classmethod
    def of(cls, pair: tuple[bytes, bytes], step: int, why: str = "does not occur there") -> ForcedPairError:
        """Return the error for a pair that does not fit its step. `why`: the end of the error's sentence."""
        halves = (half.replace(MARKER, b"_").decode("utf-8", "backslashreplace") for half in pair)
        shown = " + ".join(half.replace(" ", "·") for half in halves)
        return cls(f"the pair {shown}, chosen for step {step}, {why}", step)


@dataclass(frozen=True)
class Setting:
    """The metadata of a field of `Settings`: everything about a setting except its name, type and default.

    `title`: the setting's name on a screen. `about`: sentences that say what the setting does. `example`: a value as a
    person may type it.
    """

    title: str
    kind: Kind[Any]
    about: str
    example: str = ""

    def read(self, text: str) -> Any:
        """Return the value that a text writes; raise `ValueError`, whose message is the end of an error's sentence."""
        return self.kind.read(text)

    def write(self, value: Any) -> str:
        """Return the text that `read` turns into this value."""
        return self.kind.write(value)


def _row(title: str, kind: Kind[Any], about: str, example: str = "") -> dict[str, Setting]:
    return {"setting": Setting(title, kind, about, example)}


def _titled(_key: str, row: Pretokenizer | Normalizer) -> Option:
    return Option(row.title, row.about)


def _explained(key: str, meaning: str) -> Option:
    return Option(key.capitalize(), f"{meaning[0].upper()}{meaning[1:]}.")


def _tokens_of(key: str, meaning: str) -> Option:
    title = meaning.removeprefix("the tokens of ") if key != "none" else "The alphabet"
    return Option(title, f"Training starts from {meaning}.")


def _rule(key: str, row: TieRule) -> Option:
    """Return a rule for ties as a menu shows it.

    >>> _rule("my-rule", TieRule("the first pair", same_as=""))
    Option(title='my rule', about='The first pair.')
    """
    elsewhere = f" As in {row.same_as}." if row.same_as else ""
    return Option(key.replace("-", " "), f"{row.picks[0].upper()}{row.picks[1:]}.{elsewhere}")


_YOUR_OWN = Pretokenizer("Your own pattern", "The matches of a regular expression of yours.", (), lossless=False)
_ANY_PRETOKENIZER = OneOf(ChainMap({CUSTOM: _YOUR_OWN}, PRETOKENIZERS), _titled)
# The splits of a second stage. They keep all text, since the stage may join any two tokens that touch.
_ACROSS = {key: PRETOKENIZERS[key] for key in get_args(AcrossKey)}


@dataclass(frozen=True)
class Settings:
    """The settings of one training run; equal settings on equal text give equal runs.

    - `pretokenizer="custom"` splits by the matches of `pattern`; no other pretokenizer takes a pattern.
    - A step in `forced` joins its pair instead of the most frequent one; step 1 is the first merge. So the run is a
      branch of the run without forced pairs.
    - `start="given"` is the tokenizer that `train(start=…)` gets.
    - `vocab_size` is one more than the largest id, and counts the ids of the start. It means the same in `Run` and
      `Tokenizer`. Only a start whose ids have gaps, such as o200k_base, has fewer tokens.

    Raises `SettingsError` for a value that no training could use, and `PatternError` for such a pattern.

    >>> Settings(pretokenizer="gpt2", vocab_size=300).tie_rule
    'first-seen'
    >>> Settings(vocab_size=300.0)
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size has to be a whole number, and is 300.0
    >>> Settings(vocab_size=100)
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size 100 is below the 256 base symbols
    To grow a tokenizer of fewer tokens, say Settings(start='given') and train(start=…).
    """

    pretokenizer: PretokenizerKey = field(
        default="gpt2", metadata=_row("Split by", _ANY_PRETOKENIZER, "How the text is split into pretokens.")
    )
    alphabet: Alphabet = field(
        default="bytes", metadata=_row("Alphabet", OneOf(ALPHABETS, _explained), "The base symbols.")
    )
    word_marker: WordMarker = field(
        default="none", metadata=_row("Word marker", OneOf(WORD_MARKERS, _explained), "Where words get a mark.")
    )
    tie_rule: TieRuleKey = field(
        default="first-seen",
        metadata=_row(
            "When pairs tie, take …", OneOf(TIE_RULES, _rule), "Which of the pairs of equal count is merged."
        ),
    )
    vocab_size: int = field(
        default=1000,
        metadata=_row(
            "Vocabulary size",
            WholeNumber(1),
            "Base symbols, merges and special tokens together; training ends when it is reached.",
        ),
    )
    min_count: int = field(
        default=1,
        metadata=_row(
            "Stop when a pair is rarer than",
            WholeNumber(1),
            "Training ends when the most frequent pair is seen fewer times than this.",
        ),
    )
    special_tokens: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "Special tokens",
            Tokens(),
            "Names that are taken out of the text, get the last ids and are never split.",
            "<|endoftext|>",
        ),
    )
    pattern: str = field(
        default="", metadata=_row("Pattern", Text(), "A regular expression; each match is a pretoken.")
    )
    normalizers: tuple[NormalizerKey, ...] = field(
        default=(),
        metadata=_row(
            "Normalizers",
            Several(OneOf(NORMALIZERS, _titled)),
            "Changes to the text before it is split, in this order.",
        ),
    )
    forced: Mapping[int, tuple[bytes, bytes]] = field(
        default_factory=dict,
        hash=False,  # a mapping has no hash
        metadata=_row(
            "forced pairs",
            PairsAtSteps(),
            "Pairs merged at some steps, even if others are more frequent.",
        ),
    )
    start: StartKey = field(
        default="none",
        metadata=_row(
            "Start from",
            OneOf(STARTS, _tokens_of),
            "The vocabulary whose tokens training starts from; its split and its ids stay.",
        ),
    )
    then_across_words_from: int = field(
        default=0,
        metadata=_row(
            "Then across words from size",
            WholeNumber(0),
            "The vocabulary size from which merges may cross words, as in SuperBPE; 0 for never. Memory grows with the "
            f"text then, since few lines are equal: the different ones may have {MOST_ACROSS:,} characters.",
        ),
    )
    then_split_by: AcrossKey = field(
        default="line",
        metadata=_row("Then split by", OneOf(_ACROSS, _titled), "How the text is split while merges cross words."),
    )

    def __post_init__(self) -> None:
        """Check every value, so that training can use every `Settings`. A list of names becomes a tuple."""
        for name, row in SETTINGS.items():
            try:
                object.__setattr__(self, name, row.kind.check(getattr(self, name)))
            except ValueError as error:
                raise SettingsError(f"{name} {error}") from None
        if self.alphabet == "bytes" and self.start == "none":  # `train` checks a start: it knows the tokens
            self.check_base(BYTE_SYMBOLS)
        if self.pretokenizer == CUSTOM:
            from bpe_core.text.custom_patterns import custom

            custom(self.pattern)  # raises for a pattern that does not compile
        elif self.pattern:
            raise SettingsError(f'pattern is for pretokenizer="custom", and pretokenizer is {self.pretokenizer!r}')
        if self.start != "none" or self.then_across_words_from:
            self.check_goes_on()
        if self.then_across_words_from:
            self._check_across()

    @property
    def splitter(self) -> Pretokenizer:
        """The pretokenizer that `pretokenizer` names."""
        if self.pretokenizer != CUSTOM:
            return PRETOKENIZERS[self.pretokenizer]
        from bpe_core.text.custom_patterns import with_pattern

        return with_pattern(self.pattern)

    @property
    def starts_from(self) -> str:
        """What training starts from, in a few words.

        >>> Settings(start="gpt2").starts_from
        'the tokens of GPT-2'
        """
        return STARTS[self.start]

    def check_goes_on(self) -> None:
        """Raise `SettingsError` if no training that starts from a vocabulary can follow the tie rule."""
        rule = TIE_RULES[self.tie_rule]
        if not rule.goes_on:
            raise SettingsError(
                f"tie_rule {self.tie_rule} compares {rule.from_tokens}; choose another one where training starts from "
                "tokens"
            )

    def _check_across(self) -> None:
        """Raise `SettingsError` if no second stage can merge across the words of the first stage."""
        size = self.then_across_words_from
        if size >= self.vocab_size:
            raise SettingsError(f"then_across_words_from {size} is not below vocab_size {self.vocab_size}")
        if self.start == "none" and not self.splitter.lossless:
            raise SettingsError(
                f"then_across_words_from needs a split that drops no text, and {self.pretokenizer} may; choose gpt2"
            )
        if self.start == "none" and self.word_marker != "none":
            raise SettingsError("then_across_words_from goes with no word marker, which would stand inside tokens")

    def check_base(self, base: int) -> None:
        """Raise `SettingsError` if `base` symbols and the special tokens do not fit into the vocabulary."""
        least = base + len(self.special_tokens)
        if self.vocab_size < least:
            named = f"{base} base symbols" if self.vocab_size < base else f"{least} base symbols and special tokens"
            error = SettingsError(f"vocab_size {self.vocab_size} is below the {named}")
            error.least = least
            if self.start == "none":
                error.add_note("To grow a tokenizer of fewer tokens, say Settings(start='given') and train(start=…).")
            raise error


def suitable_marker(pretokenizer: str) -> WordMarker:
    """Return the word marker for a split: none if the split keeps spaces, which mark words already.

    >>> suitable_marker("gpt2"), suitable_marker("whitespace"), suitable_marker("custom")
    ('none', 'end', 'end')
    """
    row = PRETOKENIZERS.get(pretokenizer)
    return "none" if row and row.lossless else "end"


# The row of every setting, by its name.
SETTINGS: dict[str, Setting] = {row.name: row.metadata["setting"] for row in fields(Settings)}
# The docstring gets a line for every setting, from its row. Python without docstrings (-OO) has none to add to.
Settings.__doc__ = Settings.__doc__ and "\n".join(
    [cleandoc(Settings.__doc__), "", *(f"- `{name}`: {row.kind.takes}. {row.about}" for name, row in SETTINGS.items())]
)
