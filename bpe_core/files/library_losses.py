"""What the ids of a library do not give back of a text, and why.

    text         É  ␠  m  u  g  🦜        a file that makes letters small, splits at white space, and drops m and 🦜
    normalized   é  ␠  m  u  g  🦜        É may be lost: it is another character now
    pretokens    é     m  u  g  🦜        ␠ may be lost: it is in no pretoken
    decoded      é  ␠     u  g            what may be lost and is at its place here has come back
    lost         É     m        🦜

If all this explains no difference, decoding itself has changed the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from bpe_core.text.beginnings import shared_beginning
from bpe_core.tokenizer.encoding import CHANGED, DECODED, DROPPED, Loss

_SPACES = {"▁": " ", "Ġ": " "}  # what files write for a space; decoding writes a space again
_LONGEST = 500  # characters of a part that is compared character by character


class Seen(NamedTuple):
    """What a library makes of a text before its model: `text`, a part of it, comes from the characters of `span`."""

    text: str
    span: tuple[int, int]


def may_be_lost(text: str, normalized: Sequence[Seen], split: Sequence[Seen]) -> dict[int, str]:
    """Return a reason, by character, for what normalizing changes and for what is in no pretoken.

    >>> normalized = [Seen("é", (0, 1)), Seen(" ", (1, 2)), Seen("a", (2, 3))]
    >>> may_be_lost("É a", normalized, [normalized[0], normalized[2]])
    {0: 'changed by normalization', 1: 'dropped by the pretokenizer'}
    """
    found = dict.fromkeys(range(len(text)), CHANGED)
    for (start, end), group in groupby(normalized, lambda seen: seen.span):
        after = "".join(seen.text for seen in group)
        if text[start:end] in "".join(_SPACES.get(char, char) for char in after) or text[start:end] in after:
            for at in range(start, end):
                found.pop(at, None)
    kept = {at for seen in split for at in range(*seen.span)}
    left = {at for seen in normalized for at in range(*seen.span)} - kept
    return dict(sorted((found | dict.fromkeys(left - found.keys(), DROPPED)).items()))


def losses(text: str, decoded: str, lost: Mapping[int, str], may_be: Mapping[int, str]) -> tuple[Loss, ...]:
    """Return the spans of a text that its ids do not give back, each with its reason.

    `lost`: character → reason, for what is lost for sure. `may_be`: the same for what may come back by decoding.

    >>> losses("É 1", "e 1", {}, {0: CHANGED, 1: DROPPED}), losses("a!", "a", {}, {})
    ((Loss(start=0, end=1, why='changed by normalization'),), (Loss(start=1, end=2, why='changed in decoding'),))
    >>> losses("aba", "ba", {}, {})
    (Loss(start=0, end=1, why='changed in decoding'),)
    """
    if decoded == text:
        return ()
    if not (lost or may_be) and len(text) <= _LONGEST:  # decoding alone changed the text, perhaps anywhere
        may_be = dict.fromkeys(range(len(text)), DECODED)
    reasons = {**lost, **dict(_not_given_back(text, decoded, lost, may_be))}
    if not reasons:
        start = shared_beginning(text, decoded)
        after = shared_beginning(text[start:][::-1], decoded[start:][::-1])
        return (Loss(start, max(len(text) - after, start), DECODED),)
    return tuple(_spans(reasons))


def _spans(reasons: Mapping[int, str]) -> Iterator[Loss]:
    for (_, why), group in groupby(enumerate(sorted(reasons)), lambda row: (row[1] - row[0], reasons[row[1]])):
        places = [at for _, at in group]
        yield Loss(places[0], places[-1] + 1, why)


def _not_given_back(
    text: str, decoded: str, lost: Mapping[int, str], may_be: Mapping[int, str]
) -> Iterator[tuple[int, str]]:
    """Yield the characters that are not in the decoded text, though they are not lost for sure.

    What can be neither has to be in the decoded text, in order; between two such characters what may be lost is
    compared with what is decoded there.
    """
    done = 0  # characters of the decoded text that are compared
    for may, group in groupby(range(len(text)), lambda at: at in lost or at in may_be):
        places = [*group]
        if not may:
            for at in places:
                found = decoded.find(text[at], done)
                if found < 0:
                    yield at, DECODED
                else:
                    done = found + 1
            continue
        after = places[-1] + 1
        until = decoded.find(text[after], done) if after < len(text) else len(decoded)
        here = [at for at in places if at not in lost]
        back = _common("".join(text[at] for at in here), decoded[done : until if until >= 0 else len(decoded)])
        yield from ((at, may_be[at]) for number, at in enumerate(here) if number not in back)


def _common(typed: str, decoded: str) -> set[int]:
    """Return the indexes of the characters of a text that are in another one too, in order."""
    if len(typed) > _LONGEST or len(decoded) > _LONGEST:
        return {*range(shared_beginning(typed, decoded))}
    blocks = SequenceMatcher(None, typed, decoded, autojunk=False).get_matching_blocks()
    return {at for block in blocks for at in range(block.a, block.a + block.size)}
