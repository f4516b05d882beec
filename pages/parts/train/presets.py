"""The presets of the Train page, and the settings that suit a preset or a start (see `with_start`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from bpe_core import PRETOKENIZERS
from bpe_core.settings import BYTE_SYMBOLS, suitable_marker
from pages.parts.state.train_state import Train
from pages.parts.state.values import changed
from pages.parts.trainings import chosen_start


class Preset(NamedTuple):
    """Settings that train as a known tokenizer does.

    `across`: whether the training has a second stage, whose merges may cross words. The second stage begins at the
    middle of the merges, unless the visitor chooses another beginning. `line`: the settings in short. `about`:
    sentences on the settings, and on what else the tokenizer does. If `across` is true, `about` has a gap, {until}, for
    the size at which that stage begins.
    """

    title: str
    line: str
    about: str
    settings: Mapping[str, object]
    across: bool = False


def _preset(
    title: str,
    line: str,
    about: str,
    *,
    normalizers: tuple[str, ...] = (),
    start: str = "none",
    across: bool = False,
    **settings: str,
) -> Preset:
    more = {"normalizers": normalizers, "start": start, "then_split_by": "line"}
    return Preset(title, line, about, {**settings, **more}, across)


# All presets set the same settings. The remaining settings, such as the vocabulary size, depend on the text.
PRESETS = {
    "gpt2": _preset(
        "GPT-2",
        "its split, bytes, no marker",
        "GPT-2's split, bytes, no marker; how GPT-2 broke ties was not published.",
        pretokenizer="gpt2",
        alphabet="bytes",
        word_marker="none",
        tie_rule="first-seen",
    ),
    "sentencepiece": _preset(
        "SentencePiece",
        "split before spaces, characters, NFKC",
        "NFKC, a split before every space, characters. It also puts a space before the text, and has its own tie rule.",
        pretokenizer="metaspace",
        alphabet="characters",
        word_marker="none",
        tie_rule="first-seen",
        normalizers=("nfkc",),
    ),
    "paper": _preset(
        "Sennrich et al., 2016",
        "words, characters, a mark at a word's end",
        "The paper that brought BPE to translation: words, characters, a mark at the end of every word.",
        pretokenizer="whitespace",
        alphabet="characters",
        word_marker="end",
        tie_rule="first-seen",
    ),
    "selene": _preset(
        "SELENE notebook",
        "as Sennrich et al., other ties",
        "As Sennrich et al.; ties by a list in which changed words move to the end.",
        pretokenizer="whitespace",
        alphabet="characters",
        word_marker="end",
        tie_rule="corpus-order",
    ),
    "superbpe": _preset(
        "SuperBPE",
        "later merges cross words",
        "GPT-2's split up to {until}; then the walls fall, and merges cross words within a line.",
        pretokenizer="gpt2",
        alphabet="bytes",
        word_marker="none",
        tie_rule="first-seen",
        across=True,
    ),
    "grown": _preset(
        "GPT-2, grown",
        "new merges on top of GPT-2's tokens",
        "Training starts from the tokens of GPT-2: their ids stay, and new merges rank after its own. A text in which "
        "no new merge applies has the same ids as before. Common words are its tokens already: take a longer text.",
        pretokenizer="gpt2",
        alphabet="bytes",
        word_marker="none",
        tie_rule="first-seen",
        start="gpt2",
    ),
}
NEW_TOKENS = 100  # how many new tokens the default vocabulary size adds to a vocabulary that the training starts from
OWN_SETTINGS = "These settings are your own."
BERT = "BERT splits like this, and learns its tokens by WordPiece: see Algorithms."
_SIZE_OF_A_START = 50_257  # the size of GPT-2's vocabulary, the smallest start
MARKED_TWICE = "This split keeps spaces, so that a word marker marks every word twice."


def preset_of(now: Train) -> str:
    """Return the key of the preset that the page's settings equal; "" if they equal no preset.

    >>> preset_of(Train()), preset_of(Train(alphabet="bytes"))
    ('paper', '')
    """
    now = _as_prescribed(now)
    return next(
        (
            key
            for key, row in PRESETS.items()
            if all(getattr(now, name) == value for name, value in row.settings.items())
            and bool(now.then_across_words_from) == row.across
        ),
        "",
    )


def with_preset(now: Train, key: str) -> Train:
    """Return the state with a preset's settings. A vocabulary size that is too small becomes the default size.

    >>> with_preset(Train(vocab_size=20), "gpt2").vocab_size
    1000
    """
    chosen = {**PRESETS[key].settings, "marker_chosen": False, "then_across_words_from": 0}
    after = with_suitable_size(changed(now, chosen))
    return _across_from_the_middle(after) if PRESETS[key].across else after


def _across_from_the_middle(now: Train) -> Train:
    return replace(now, then_across_words_from=_middle(now))


def _middle(now: Train) -> int:
    return (_least(now) + now.vocab_size) // 2


def _until(now: Train) -> str:
    """Return at which vocabulary size merges begin to cross words, and where that size comes from.

    >>> _until(with_preset(Train(), "superbpe")), _until(Train(then_across_words_from=600))
    ('628 tokens, halfway from 256 to the 1,000 asked for', '600 of the 1,000 tokens')
    """
    across, size = now.then_across_words_from, now.vocab_size
    if across == _middle(now):
        return f"{across:,} tokens, halfway from {_least(now):,} to the {size:,} asked for"
    return f"{across:,} of the {size:,} tokens"


def with_start(now: Train) -> Train:
    """Return the state with the sizes, split, alphabet and normalizers that suit its start.

    The start is the vocabulary that the training begins with, or "none" for the alphabet alone.
    """
    marker = now.marker_chosen if now.start == "none" else False
    after = with_suitable_size(replace(_as_prescribed(now), marker_chosen=marker, opening=False))
    crosses = after.then_across_words_from and after.alphabet == "bytes"
    fits = _least(after) <= after.then_across_words_from < after.vocab_size
    return _across_from_the_middle(after) if crosses and not fits else after


def with_opened_start(now: Train, key: str) -> Train:
    """Return the state with an opened tokenizer as its start; raise `SettingsError` if that cannot be a start."""
    chosen_start.check(key)
    return with_start(replace(now, start=key))


def _as_prescribed(now: Train) -> Train:
    return changed(now, chosen_start.prescribed(now.start)) if now.start != "none" else now


def with_suitable_size(now: Train) -> Train:
    """Return the state with a vocabulary size that has room for merges. A size that a former start needed is reset.

    >>> with_suitable_size(Train(start="gpt2")).vocab_size, with_suitable_size(Train(vocab_size=50357)).vocab_size
    (50357, 1000)
    """
    least = _least(now)
    if now.start != "none":
        return now if now.vocab_size > least else replace(now, vocab_size=least + NEW_TOKENS)
    if now.alphabet == "bytes" and now.vocab_size <= least:
        return replace(now, vocab_size=max(Train().vocab_size, least + 1))
    return replace(now, vocab_size=Train().vocab_size) if now.vocab_size >= _SIZE_OF_A_START else now


def _least(now: Train) -> int:
    """Return the vocabulary size before any merge: the bytes or the start's tokens, plus the special tokens."""
    if now.start == "none":
        return BYTE_SYMBOLS + len(now.special_tokens)
    return chosen_start.size(now.start) + len(now.special_tokens)


def without_marker(now: Train) -> Train:
    """Return the state without a word marker."""
    return replace(now, word_marker="none", marker_chosen=False)


def marks_twice(now: Train) -> bool:
    """Return whether words are marked twice: by a word marker, and by spaces that the split keeps."""
    return now.start == "none" and now.word_marker != "none" and suitable_marker(now.pretokenizer) == "none"


def about(now: Train) -> str:
    """Return a sentence about the page's settings.

    >>> about(Train(pretokenizer="bert"))
    'BERT splits like this, and learns its tokens by WordPiece: see Algorithms.'
    """
    if now.start != "none" and not preset_of(now):
        start, split = (
            chosen_start.title(now.start),
            PRETOKENIZERS[str(chosen_start.prescribed(now.start)["pretokenizer"])].title,
        )
        if now.then_across_words_from:
            across = PRETOKENIZERS[now.then_split_by].title
            other = f"The new tokenizer splits by {across} alone: some texts have other tokens than with the start."
            return f"Training starts from {start}, whose ids stay. {other}"
        return f"Training starts from {start}; text is split as there: {split}."
    if marks_twice(now):
        return MARKED_TWICE
    if key := preset_of(now):
        return PRESETS[key].about.format(until=_until(now))
    return BERT if now.pretokenizer == "bert" else OWN_SETTINGS
