"""Unreachable tokens of a library's tokenizer and of WordPiece (see `unreachable` for byte-pair encoding of our own).

A token is reachable if the tokenizer returns it for some text. So the text of every token is encoded, alone and next to
other characters. For a token that is never seen, the kind of model decides what can be proved:

- BPE: the token's own bytes merge into other tokens, with any neighbours (see `tokenizer.unreachable`).
- Unigram: several other tokens that spell the same text have a higher score together. So in every text the best path
  takes these other tokens.
- WordPiece and word lists: a token matches wherever its text begins or continues a word. If a token is never seen,
  normalization changes the token's text, or the pretokenizer splits it, before tokens are matched. Only the library
  knows which of the two happens in a file. For WordPiece of our own, as in BERT, the token's text shows it: BERT's
  normalizer and pretokenizer treat a character alike wherever the character is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from bpe_core.text.normalizers import normalized
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.biography import other_split, words_with
from bpe_core.tokenizer.tokenizer import ADDED, BYTE, Tokenizer
from bpe_core.tokenizer.unreachable import (
    EMPTY,
    MERGED,
    NORMALIZED,
    NOT_UTF8,
    OUTSCORED,
    PART,
    REACHABLE,
    SPARE,
    SPECIAL,
    SPLIT,
    UNSEEN,
    alone,
    left_whole,
    occurs_in_utf8,
    reach,
)

AT_ONCE = 4096  # texts that the library encodes in one call
MOST_TEXTS = 1 << 20  # the most texts that are tried for a vocabulary
WORDS = 3  # words that are tried for a token of WordPiece
BEFORE = ("", "q", "\n", "a", "x", "1", "!", "'", " ", "é", "中", "z", "A", "0", "/", "-", "и", "ا", "ก", "한")
AFTER = ("", "\n", "a", "!", "1")
CLOSE = 1e-3  # sums of scores that differ by less count as equal: libraries add in single precision


def reach_of(tokenizer: Tokenizer, tell: Callable[[float], None] = lambda share: None) -> list[str]:
    """Return for every id of any tokenizer whether a text can produce that id: see `unreachable.reach`."""
    if tokenizer.model.has_merges and not tokenizer.needs_library:
        return reach(tokenizer, tell)
    seen = _seen(tokenizer, tell)
    special = set(tokenizer.special_tokens.values())
    verdicts = []
    for token_id, token in enumerate(tokenizer.tokens):
        if token_id in special:
            verdicts.append(ADDED if tokenizer.kinds.get(token_id) == ADDED else SPECIAL)
        else:
            whole = token_id in seen and _is_text(token)
            verdicts.append(REACHABLE if whole else _unseen(tokenizer, token_id, token))
    tell(1.0)
    return verdicts


def _seen(tokenizer: Tokenizer, tell: Callable[[float], None]) -> set[int]:
    """Return the ids that occur when the text of every token is encoded, alone and between other characters."""
    own, tried = dict(_texts(tokenizer)), 0
    seen: set[int] = set()
    for number, in_context in enumerate(_contexts(tokenizer)):
        own = {i: text for i, text in own.items() if i not in seen}
        if number == 1 and not tokenizer.needs_library:  # a token's own text may show that no other text has it
            own = {i: text for i, text in own.items() if _by_its_text(tokenizer, i, text) == UNSEEN}
        texts = [in_context(i, text) for i, text in own.items()]
        tried += len(texts)
        if not texts or tried > MOST_TEXTS:
            break
        for start in range(0, len(texts), AT_ONCE):
            tell(0.9 * (tried - len(texts) + start) / tried)
            seen.update(*tokenizer.ids_batch(texts[start : start + AT_ONCE], specials=True))
    return seen


def _contexts(tokenizer: Tokenizer) -> Iterator[Callable[[int, str], str]]:
    """Yield functions (id, text) → a text in which the token may occur, the most likely first."""
    yield lambda _, text: text
    for number in range(WORDS) if tokenizer.vocabulary.within else ():
        yield partial(_word, tokenizer, number)
    for after, before in product(AFTER, BEFORE):
        yield partial(_between, before, after)


def _between(before: str, after: str, _: int, text: str) -> str:
    return before + text + after


def _word(tokenizer: Tokenizer, number: int, token_id: int, text: str) -> str:
    """Return a word in which longest match finds a token that does not begin words; `text` if there is no such word."""
    words = words_with(tokenizer, token_id, WORDS) if token_id in tokenizer.vocabulary.within else []
    return words[number] if number < len(words) else text


def _texts(tokenizer: Tokenizer) -> Iterator[tuple[int, str]]:
    """Yield (id, text) of each token that is text in UTF-8."""
    for token_id, token in enumerate(tokenizer.tokens):
        try:
            text = token.decode()
        except UnicodeDecodeError:
            continue
        if text:
            yield token_id, text


def _unseen(tokenizer: Tokenizer, token_id: int, token: bytes) -> str:
    """Return the verdict of `reach_of` on a token that occurred in no tried text."""
    if not token:
        return EMPTY
    if not tokenizer.needs_library:
        return _by_its_text(tokenizer, token_id, token.decode())
    if tokenizer.kinds.get(token_id) == BYTE and token.isascii():
        return SPARE if token in tokenizer.vocabulary.ordinary else UNSEEN
    if not _is_text(token):
        return _part(tokenizer, token_id, token)
    if tokenizer.scores:
        other = other_split(tokenizer, token_id)
        return OUTSCORED if other and other[0] > tokenizer.scores.get(token_id, 0.0) + CLOSE else UNSEEN
    if not tokenizer.merges_alone:
        return UNSEEN
    becomes = alone(tokenizer, token_id)
    if becomes != [token_id]:
        return NORMALIZED if len(becomes) == 1 else MERGED
    known = tokenizer.pretokenizer in PRETOKENIZERS.values()
    return SPLIT if known and not left_whole(tokenizer.pretokenizer, token.decode()) else UNSEEN


def _by_its_text(tokenizer: Tokenizer, token_id: int, text: str) -> str:
    """Return the verdict of `reach_of` on a WordPiece token: `UNSEEN` if only encoding a text can show it.

    No text has the token if normalization changes the token's own text, or if it is split.
    """
    if normalized(text, tokenizer.normalizers) != text:
        return NORMALIZED
    word = f"a{text}" if token_id in tokenizer.vocabulary.within else text
    return SPLIT if tokenizer.pretokenizer.strings(word) != [word] else UNSEEN


def _part(tokenizer: Tokenizer, token_id: int, token: bytes) -> str:
    """Return the verdict of `reach_of` on a token whose bytes are no whole characters."""
    if not occurs_in_utf8(token):
        return NOT_UTF8
    if tokenizer.kinds.get(token_id) == BYTE or not tokenizer.merges_alone:
        return PART
    return PART if alone(tokenizer, token_id) == [token_id] else MERGED


def _is_text(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True
