"""Unreachable tokens: which tokens of a vocabulary no text can produce, and why.

A text can produce a token only if the token's bytes, merged alone, become the token: inside its boundaries the merges
apply in the same order in every text, and neighbours make no difference. So the verdicts below hold for every text.
Only the verdict `SPLIT` comes from an experiment: the token's text is split after `CONTEXTS` and before `AFTER`.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from itertools import product, repeat

import numpy as np

from bpe_core.text.alphabet import MARKER
from bpe_core.text.class_rules import Chunk
from bpe_core.text.normalizers import normalized_each
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.merging import merged
from bpe_core.tokenizer.merging_arrays import MergeTable
from bpe_core.tokenizer.tokenizer import Tokenizer

REACHABLE, PART = "reachable", "part of a character"
SPECIAL, NOT_UTF8, MERGED, SPLIT, NORMALIZED = "special", "not UTF-8", "merged otherwise", "always split", "normalized"
EMPTY = "no token"  # an id without a token
OUTSCORED, SPARE, UNSEEN = "outscored", "spare byte", "not seen"
UNREACHABLE = {
    NOT_UTF8: "No text in UTF-8 has this sequence of bytes.",
    MERGED: "Its own bytes merge into other tokens: earlier merges use up its parts.",
    SPLIT: "The text is always split inside it before anything merges.",
    NORMALIZED: "Normalization changes its text before anything merges.",
    OUTSCORED: "Other tokens with the same text have a higher score together.",
    SPARE: "It is for a byte of a character that the vocabulary lacks, and the vocabulary has this character.",
}
CONTEXTS = ("", "a", "A", "1", "!", "'", " ", "\n", "/", "é", "中")  # one of each class of the splitting rules
AFTER = (*CONTEXTS, "s", "S", "e", "E", "l", "L")  # and what ends a contraction that a token begins: 's, 're, 'll


def reach(tokenizer: Tokenizer, tell: Callable[[float], None] = lambda share: None) -> list[str]:
    """Return for every id of `tokens` whether a text can produce it: `REACHABLE`, `PART` or a reason.

    `tell` is called with the share of the work that is done. 200,000 tokens take about a second.

    >>> from bpe_core import Settings, train
    >>> tok = train("ab ab ab bc bc abc", Settings("whitespace", vocab_size=259)).tokenizer()
    >>> verdicts = reach(tok)
    >>> [(tok.tokens[i], verdicts[i]) for i in (ord("a"), 0xC3, 0xFF, 256, 257)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [(b'a', 'reachable'), (b'\\xc3', 'part of a character'), (b'\\xff', 'not UTF-8'),
     (b'ab', 'reachable'), (b'bc', 'reachable')]
    """
    tell(0.0)
    special = set(tokenizer.special_tokens.values())
    made = made_alone(tokenizer)
    tell(0.5)
    every = enumerate(map(_text_of, tokenizer.tokens, repeat(tokenizer.word_marker)))
    texts = {i: text for i, text in every if text is not None}
    same = zip(texts, texts.values(), normalized_each([*texts.values()], tokenizer.normalizers), strict=True)
    typed = {i: text for i, text, typed in same if text == typed and i not in special}
    tell(0.6)
    asked = {i: text for i, text in typed.items() if made[i] or tokenizer.whole_words}
    left = dict(zip(asked, left_whole_each(tokenizer.pretokenizer, [*asked.values()]), strict=True))
    verdicts = []
    for i, token in enumerate(tokenizer.tokens):
        if i in special or not token:
            verdicts.append(SPECIAL if i in special else EMPTY)
        elif i not in texts:
            verdicts.append(_of_bytes(tokenizer, i, token, made[i]))
        elif i not in typed:
            verdicts.append(NORMALIZED)
        elif made[i] or left.get(i) == "alone":
            verdicts.append(REACHABLE if left[i] else SPLIT)
        else:
            verdicts.append(MERGED)
    tell(1.0)
    return verdicts


def alone(tokenizer: Tokenizer, token_id: int) -> list[int]:
    """Return the ids that a token's own bytes become when they are merged alone.

    >>> from bpe_core import Settings, train
    >>> alone(train("ab ab bc", Settings("whitespace", vocab_size=257)).tokenizer(), 256)
    [256]
    """
    return merged(tokenizer.vocabulary.base.ids_inside(token_id), tokenizer.vocabulary.ranks)


def made_alone(tokenizer: Tokenizer) -> list[bool]:
    """Return for every id of `tokens` whether the token's own bytes, merged alone, become this one token.

    All tokens are merged together in arrays if their symbols are their bytes, and one by one otherwise.

    >>> from bpe_core import Settings, train
    >>> all(made_alone(train("ab ab bc", Settings("whitespace", vocab_size=257)).tokenizer()))
    True
    """
    tokens, base = tokenizer.vocabulary.token_column, tokenizer.vocabulary.base
    if not base.of_each_byte:
        return [alone(tokenizer, token_id) == [token_id] for token_id in range(len(tokens))]
    starts, ends = tokens.offsets[:-1], tokens.offsets[1:]
    found = MergeTable(tokenizer.vocabulary.ranks).merge(base.ids_of_bytes(tokens.raw), starts, ends)
    first = np.searchsorted(found.at, starts)
    alike = np.append(found.ids, UNKNOWN)[first] == np.arange(len(tokens))
    one: list[bool] = (alike & (np.searchsorted(found.at, ends) == first + 1)).tolist()
    return one


def _text_of(token: bytes, word_marker: str) -> str | None:
    """Return the text of a token without its word marker; None if its bytes are no text."""
    try:
        return (token if word_marker == "none" else token.replace(MARKER, b"")).decode()
    except UnicodeDecodeError:
        return None


def _of_bytes(tokenizer: Tokenizer, token_id: int, token: bytes, made: bool) -> str:
    """Return the verdict on a token whose bytes are no text; `made`: see `made_alone`."""
    if not occurs_in_utf8(token if tokenizer.word_marker == "none" else token.replace(MARKER, b"")):
        return NOT_UTF8
    return PART if made or token_id in tokenizer.byte_ids else MERGED


def left_whole(splitter: Pretokenizer, text: str) -> str:
    """Return where a pretokenizer leaves a token's text whole: "alone", only "in context", or nowhere ("").

    >>> from bpe_core import PRETOKENIZERS
    >>> [left_whole(PRETOKENIZERS["gpt2"], text) for text in (" hug", "ve", "g h")]
    ['alone', 'alone', '']
    """
    if not text or splitter.strings(text) == [text]:
        return "alone"
    for before, after in product(CONTEXTS, AFTER):
        start, end = len(before), len(before) + len(text)
        if any(word.start <= start and end <= word.end for word in splitter.split(before + text + after)):
            return "in context"
    return ""


def left_whole_each(splitter: Pretokenizer, texts: Sequence[str]) -> list[str]:
    """Return `left_whole` of each text. All are split together, if `splitter` can and keeps every character.

    >>> from bpe_core import PRETOKENIZERS
    >>> left_whole_each(PRETOKENIZERS["gpt2"], [" hug", "g h"])
    ['alone', '']
    """
    if not splitter.classes or not splitter.lossless:
        return [left_whole(splitter, text) for text in texts]
    found, rest = [""] * len(texts), [*range(len(texts))]
    for before, after in product(CONTEXTS, AFTER):  # the first is no context
        where = "in context" if before or after else "alone"
        whole = _uncut(splitter, [texts[i] for i in rest], before, after) if rest else []
        for i, uncut in zip(rest, whole, strict=True):
            found[i] = where if uncut else ""
        rest = [i for i, uncut in zip(rest, whole, strict=True) if not uncut]
    return found


def _uncut(splitter: Pretokenizer, texts: list[str], before: str, after: str) -> list[bool]:
    """Return for each text whether no pretoken begins inside it when it is between `before` and `after`."""
    chunk = Chunk.of([before + text + after for text in texts])
    cuts = splitter.starts(chunk)
    starts = np.append(0, chunk.borders + 1) + len(before)
    ends = chunk.ends - len(after)
    uncut: list[bool] = (np.searchsorted(cuts, ends) <= np.searchsorted(cuts, starts, "right")).tolist()
    return uncut


def occurs_in_utf8(raw: bytes) -> bool:
    """Return whether some text in UTF-8 has these bytes next to each other.

    >>> [occurs_in_utf8(raw) for raw in (b"\\x9f\\xa6\\x9c a\\xe4\\xbd", b"\\xe4a", b"\\x80\\x80\\x80\\x80", b"\\xc0")]
    [True, False, False, False]
    """
    start = 0  # the first byte that does not continue a character from before `raw`
    while start < len(raw) and raw[start] & 0xC0 == 0x80:
        start += 1
    if start > 3:
        return False
    try:
        getincrementaldecoder("utf-8")().decode(raw[start:])  # the last character may be unfinished
    except UnicodeDecodeError:
        return False
    return True
