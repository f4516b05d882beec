"""The start of a training: a tokenizer whose tokens take the place of bytes or characters.

The text is normalized and split as the tokenizer does it. Each word is encoded, and its ids are its first symbols:

    start       GPT-2's vocabulary
    words       The | ␣parrot            a text, split as GPT-2 splits it
    symbols     464 | 1582 10599         the tokens "The", " par" and "rot"; a new merge may join the last two

So all merges of the start apply before the first new merge. Without the new merges every text has the start's ids.

A second stage that crosses words starts from the first stage's tokenizer, but splits the text in another way. Merges
apply in their order wherever their two tokens touch. So at the first step of the second stage a few older merges join
tokens that the first split kept apart: `'s` and `tuff` were two words in `'stuff`, and now s + t is joined there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bpe_core import by_name
from bpe_core.settings import MOST_ACROSS, Settings, SettingsError
from bpe_core.text.alphabet import FlatCorpus, laid_out
from bpe_core.text.byte_strings import ByteStrings
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

# Why training cannot start from a tokenizer: each reason, and the test that finds it.
_OBSTACLES: dict[str, Callable[[Tokenizer], bool]] = {
    "it puts a space before every text, which is no part of the text": lambda start: start.prefix_space,
    "its words have a marker, which is no part of the text": lambda start: start.word_marker != "none",
    "its split drops text, or is not known to keep all of it": lambda start: split_of(start) is None,
}


def usable(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer as our own if training can start from its tokens; else `SettingsError` says why it cannot.

    >>> from bpe_core import train
    >>> usable(train("hug", Settings("whitespace", vocab_size=257)).tokenizer())
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: training cannot start from this tokenizer: its split drops text, or is not known \
to keep all of it
    """
    tokenizer = by_name.with_merges(tokenizer)
    reason = next((reason for reason, found in _OBSTACLES.items() if found(tokenizer)), "")
    if reason:
        raise SettingsError(f"training cannot start from this tokenizer: {reason}")
    return tokenizer


def split_of(tokenizer: Tokenizer) -> str | None:
    """Return the key of a tokenizer's pretokenizer; None if that pretokenizer is not built in or drops text."""
    split = tokenizer.pretokenizer
    return next((key for key, row in PRETOKENIZERS.items() if row == split and row.lossless), None)


def across_words(tokenizer: Tokenizer, split: str) -> Tokenizer:
    """Return the tokenizer with another split; `split`: a key of `PRETOKENIZERS`.

    >>> from bpe_core import train
    >>> tok = train("to be to be", Settings(vocab_size=258)).tokenizer()
    >>> across_words(tok, "line").encode("to be").pretokens[0].text
    'to be'
    """
    return replace(tokenizer, pretokenizer=PRETOKENIZERS[split])


def stage_settings(settings: Settings, start: Tokenizer) -> Settings:
    """Return the settings of a stage that starts from a tokenizer: its split, alphabet and normalizers are the start's.

    The special tokens are the start's, then the new special tokens of `settings`. Raises `SettingsError` if no training
    with these settings can start from the tokenizer.
    """
    base = start.vocab_size
    names = tuple(dict.fromkeys((*start.special_tokens, *settings.special_tokens)))
    least = base + len(names) - len(start.special_tokens)
    if settings.vocab_size < least:
        size = f"vocab_size {settings.vocab_size}"
        error = SettingsError(f"{size} is below the {least} ids that training starts from, and counts them too")
        error.least = least
        raise error
    settings.check_goes_on()
    own = {"start": "none", "then_across_words_from": 0, "then_split_by": "line", "pattern": "", "word_marker": "none"}
    same = {"alphabet": start.alphabet, "normalizers": start.normalizers, "pretokenizer": split_of(start)}
    changed: dict[str, object] = {**own, **same, "special_tokens": names}
    return replace(settings, **changed)  # type: ignore[arg-type]  # one value of each field's type


def symbols_from(words: ByteStrings, start: Tokenizer) -> FlatCorpus:
    """Return the words as tokens of the tokenizer `start`; `SettingsError` for a character that it has no token for.

    >>> from bpe_core import load
    >>> from bpe_core.text.byte_strings import byte_strings
    >>> symbols_from(byte_strings([b"The", b" parrot"]), load("gpt2")).symbols.tolist()
    [-1, 464, -1, 1582, 10599, -1]
    """
    ids, lengths = start.pipeline.encoder.rows(words)
    if (ids < 0).any():
        lost = next(char for char in "".join(words.texts()) if min(start.encode_word(char), default=0) < 0)
        raise SettingsError(f"training cannot start from this tokenizer: it has no token for {lost!r} in the text")
    return laid_out(start.vocabulary.tokens_by_id, ids, lengths)


def check_size(words: ByteStrings) -> None:
    """Raise `SettingsError` if the words of a stage that crosses words would take too much memory.

    Few lines of a text are equal, so nearly the whole text is in memory.
    """
    characters = sum(map(len, words.texts()))
    if characters > MOST_ACROSS:
        raise SettingsError(
            f"across words nearly the whole text is in memory, and its {characters:,} characters are more than the "
            f"{MOST_ACROSS:,} that fit; train on a part of it"
        )
