"""Unreachable tokens: which tokens of a vocabulary no text can produce, and why.

A text can produce a token only if the token's bytes, merged alone, become the token: inside its boundaries the merges
apply in the same order in every text, and neighbours make no difference. So the verdicts below hold for every text.
Only the verdict `SPLIT` comes from an experiment: the token's text is split in each of `CONTEXTS`.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable
from itertools import product

from bpe_core.text.alphabet import MARKER
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.merging import merged
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
TELL_EVERY = 4096  # tokens


def reach(tokenizer: Tokenizer, tell: Callable[[float], None] = lambda share: None) -> list[str]:
    """Return for every id of `tokens` whether a text can produce it: `REACHABLE`, `PART` or a reason.

    `tell` is called with the share of the work that is done. 50,000 tokens take less than a second.

    >>> from bpe_core import Settings, train
    >>> tok = train("ab ab ab bc bc abc", Settings("whitespace", vocab_size=259)).tokenizer()
    >>> verdicts = reach(tok)
    >>> [(tok.tokens[i], verdicts[i]) for i in (ord("a"), 0xC3, 0xFF, 256, 257)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [(b'a', 'reachable'), (b'\\xc3', 'part of a character'), (b'\\xff', 'not UTF-8'),
     (b'ab', 'reachable'), (b'bc', 'reachable')]
    """
    special = set(tokenizer.special_tokens.values())
    verdicts = []
    for token_id, token in enumerate(tokenizer.tokens):
        if token_id % TELL_EVERY == 0:
            tell(token_id / len(tokenizer.tokens))
        verdicts.append(SPECIAL if token_id in special else _verdict(tokenizer, token_id, token))
    tell(1.0)
    return verdicts


def alone(tokenizer: Tokenizer, token_id: int) -> list[int]:
    """Return the ids that a token's own bytes become when they are merged alone.

    >>> from bpe_core import Settings, train
    >>> alone(train("ab ab bc", Settings("whitespace", vocab_size=257)).tokenizer(), 256)
    [256]
    """
    return merged(tokenizer.vocabulary.base.ids_inside(token_id), tokenizer.vocabulary.ranks)


def _verdict(tokenizer: Tokenizer, token_id: int, token: bytes) -> str:
    if not token:
        return EMPTY
    raw = token if tokenizer.word_marker == "none" else token.replace(MARKER, b"")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        if not occurs_in_utf8(raw):
            return NOT_UTF8
        whole = token_id in tokenizer.byte_ids or alone(tokenizer, token_id) == [token_id]
        return PART if whole else MERGED
    if tokenizer.normalizers and normalized(text, tokenizer.normalizers) != text:
        return NORMALIZED
    together = left_whole(tokenizer, text)
    if tokenizer.whole_words and together == "alone":
        return REACHABLE
    if alone(tokenizer, token_id) != [token_id]:
        return MERGED
    return REACHABLE if together else SPLIT


def left_whole(tokenizer: Tokenizer, text: str) -> str:
    """Return where the pretokenizer leaves a token's text whole: "alone", only "in context", or nowhere ("").

    >>> from bpe_core import Settings, train
    >>> gpt2 = train("hug", Settings("gpt2", vocab_size=256)).tokenizer()
    >>> [left_whole(gpt2, text) for text in (" hug", "ve", "g h")]
    ['alone', 'alone', '']
    """
    splitter = tokenizer.pretokenizer
    if not text or splitter.strings(text) == [text]:
        return "alone"
    for before, after in product(CONTEXTS, CONTEXTS):
        start, end = len(before), len(before) + len(text)
        if any(word.start <= start and end <= word.end for word in splitter.split(before + text + after)):
            return "in context"
    return ""


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
