"""The walk (see `tokenizer.walk`) of a text whose tokens a library has found.

A token has its base symbols if merges make it and its bytes are in the text; any other token is one symbol. Tokens over
the same character are compared together, as a group:

    text       ␠ t h e ␠ 🦜        the tokens ␠the, ␠, F0 9F, A6 9C
    groups     |------|-|---|      a group of n bytes is compared with the n bytes of the text before the group's end
    symbols    ␠ t h e ␠ F0 …      merged_at: ∞ 5 9 2 | ∞ | ∞ 8 | ∞ 8

If a normalizer has changed letters to other letters of the same size, such as "The" to "the", the symbols cover the
letters as typed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bpe_core.files.libraries import LibraryTokens
from bpe_core.text.alphabet import begins_character
from bpe_core.text.arrays import Bytes, Integers, Mask, Rows, indexes_of, starts_of
from bpe_core.tokenizer.text_pipeline import symbols_inside
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.tokenizer.walk import Walk

_SPACE = 0x20


def library_walk(vocabulary: Vocabulary, text: str, found: LibraryTokens) -> Walk:
    """Return the `Walk` of `text` with the tokens that a library found. All offsets are in the text as typed.

    A token may have characters on both sides of one that the model dropped. So the tokens are found among the bytes
    that are left, and their offsets are then counted in the text.
    """
    if not len(found.ids):
        nothing = np.zeros(0, np.int32)
        return Walk(vocabulary, text, nothing, nothing, nothing, nothing, nothing, found.fallen)
    raw = np.frombuffer(text.encode(), np.uint8)
    byte_at = np.append(np.flatnonzero(begins_character(raw)), len(raw))
    first, last = byte_at[found.starts], byte_at[found.ends]
    if not len(found.fallen):
        return _walk(vocabulary, text, raw, first, last, found)
    dropped = np.zeros(len(raw), bool)
    for start, end in found.fallen.tolist():
        dropped[start:end] = True
    before = np.append(0, np.cumsum(~dropped))  # how many of the bytes before each byte are left
    back = np.append(np.flatnonzero(~dropped), len(raw))  # where the bytes that are left are in the text
    walk = _walk(vocabulary, text, raw[~dropped], before[first], before[last], found)
    ends = np.where(walk.ends > walk.starts, back[walk.ends - 1] + 1, back[walk.starts]).astype(np.int32)
    return replace(walk, starts=back[walk.starts].astype(np.int32), ends=ends)


def _walk(vocabulary: Vocabulary, text: str, raw: Bytes, first: Integers, last: Integers, found: LibraryTokens) -> Walk:
    """Return the `Walk` of the tokens from the bytes `first` to `last` of `raw`."""
    tokens = _TokensFound(first, last)
    different, which = np.unique(found.ids, return_inverse=True)
    merged = np.array([vocabulary.made(token_id) is not None for token_id in different.tolist()])
    written = [vocabulary.token_bytes(token_id) for token_id in different.tolist()]
    rows = Rows(np.frombuffer(b"".join(written), np.uint8), np.array(list(map(len, written))))
    tokens.locate(np.append(raw, np.uint8(0)), merged[which], *rows.gathered(which))
    symbols = symbols_inside(vocabulary, found.ids, ~tokens.fits)
    firsts = symbols.firsts
    starts = symbols.starts(firsts, tokens.at)
    ends = starts + symbols.sizes
    ends[firsts[~tokens.fits]] = np.maximum(tokens.last, tokens.at)[~tokens.fits]
    starts[firsts[tokens.spaced]] = ends[firsts[tokens.spaced]] = tokens.first[tokens.spaced]
    opens = (np.diff(found.words, prepend=-2) != 0) | tokens.apart
    opens[1:] |= tokens.apart[:-1] | (starts[firsts[1:]] != ends[firsts[1:] - 1])  # or the token comes after a gap
    return Walk(vocabulary, text, starts, ends, symbols.ids, symbols.merged_at, firsts[opens], found.fallen)


class _TokensFound:
    """Where the tokens of a text are in the bytes of the text: arrays with one entry for each token.

    `fits`: whether the token's bytes are in the text. `at`: the token's first byte in the text. `spaced`: whether the
    token begins with a prefix space. `apart`: whether the token is a pretoken by itself, because no merges make it or
    its bytes are not in the text.
    """

    def __init__(self, first: Integers, last: Integers) -> None:
        self.first, self.last = first, last
        self.reached: Integers = np.maximum.accumulate(last)  # how far each token and all tokens before it reach
        self.before = np.append(0, self.reached[:-1])

    def locate(self, raw: Bytes, merged: Mask, theirs: Bytes, sizes: Integers) -> None:
        """Find where the tokens' bytes are among the bytes of the text, by comparing group by group.

        `raw`: the bytes of the text, and one more byte. `merged`: for each token, whether merges make it. `theirs`: the
        bytes of all tokens. `sizes`: how many bytes each token has. For example, the text "the 🦜" with a prefix space
        has the tokens ␠the, ␠, F0 9F and A6 9C:

            raw         t h e ␠ F0 9F A6 9C 0
            first       0     3 4     4            offset in the text's bytes, as the library has it
            reached     3     4 8     8
            opens       x     x x     -            a group begins at a token that no earlier token reaches into
            span        3     1 4                  how many bytes of the text each group covers
            size        4     1 4                  how many bytes the tokens of each group have
            start      -1     3 4                  where the first byte of a group's tokens would be in the text
            theirs    ␠ t h e ␠ F0 9F A6 9C
            ours      t t h e ␠ F0 9F A6 9C        the text's bytes at the same offsets; byte 0 in place of -1
            fits        padded; same; same         the first group has one space more than the text
            at         -1     3 4     6            the first byte of each token

        If a normalizer has changed letters, such as "The" to "the", a group is not `same` but `alike`: each character
        in it has as many bytes as the character of the text.
        """
        opens = self.first >= self.before
        groups = np.flatnonzero(opens)
        first, end = self.first[groups], np.maximum.reduceat(self.reached, groups)
        size, mergeable = np.add.reduceat(sizes, groups), np.logical_and.reduceat(merged, groups)
        span = end - first
        # A group with more bytes than it covers may have a prefix space, so both are compared back from the same end.
        # A group with fewer bytes may have lost its end to a normalizer, so both are compared from the same beginning.
        start = np.where(size < span, first, end - size)
        shift = starts_of(size)  # where the bytes of each group begin among `theirs`
        ours = raw[np.maximum(indexes_of(start, size), 0)]
        inner, their_inner = (~begins_character(column) for column in (ours, theirs))  # bytes within a character
        other = np.add.reduceat(ours != theirs, shift, dtype=np.int32)
        unlike = np.add.reduceat(inner != their_inner, shift, dtype=np.int32)
        same = (other == 0) & ((size == span) | mergeable & (start >= self.before[groups]))
        alike = (unlike == 0) & (size == span)
        padded = mergeable & (size == span + 1) & (theirs[shift] == _SPACE) & (unlike <= inner[shift])
        group = np.cumsum(opens) - 1
        self.fits, self.spaced = (same | alike | padded)[group], opens & (padded & ~same)[group]
        self.apart = ~(self.fits & merged)
        inside = (start - shift)[group] + starts_of(sizes)
        self.at = np.where(self.fits, inside, np.maximum(self.first, self.before))
