"""In how many ways a text can be written: the sequences of ordinary ids that decode to its bytes.

The split is ignored, and so are the merges: a model may write any of these sequences. Special and added tokens are
left out. The number for each beginning of the text follows from the numbers for shorter beginnings. With the tokens
h, u, g, hu, ug and hug:

    text        h   u   g
    ways    1   1   2   4
                    |   +-- after "hug": 2 that end with g, 1 that ends with ug, 1 that ends with hug
                    +------ after "hu": 1 that ends with u, 1 that ends with hu
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import log10
from typing import TypeAlias
from weakref import WeakKeyDictionary

from bpe_core import by_name
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.vocabulary import Vocabulary

MOST_BYTES = 10_000  # of a text


def ways(tokenizer: GivenTokenizer, text: OneText) -> int:
    """Return the number of sequences of ordinary ids that decode to a text; see `Tokenizer.ways`."""
    raw = encode_text(whole_text(text))
    if len(raw) > MOST_BYTES:
        raise ValueError(f"the ways to write a text are counted up to {MOST_BYTES:,} bytes, and this has {len(raw):,}")
    ours = by_name.with_merges(by_name.opened(tokenizer))
    if ours.word_marker != "none":
        raise ValueError("the ways to write a text are counted only where decoding puts the bytes of tokens together")
    tokens, sizes = _tokens_of(ours.vocabulary)
    found = [1, *[0] * len(raw)]  # for each beginning of the text
    for start, before in enumerate(found):
        for size in sizes.get(raw[start : start + 2], ()) if before else ():
            if start + size <= len(raw):
                found[start + size] += before * tokens[raw[start : start + size]]
    return found[-1]


def _tokens_of(vocabulary: Vocabulary) -> Tokens:
    """Return how many ids have the bytes of each token, and the sizes of the tokens that fit after two bytes are read.

    A token of one byte fits whatever its second byte is, and also at the end of a text.
    """
    if vocabulary not in _KNOWN:
        apart = vocabulary.special_names
        tokens = Counter(token for i, token in enumerate(vocabulary.tokens) if token and i not in apart)
        sizes: dict[bytes, set[int]] = defaultdict(set)
        for token in tokens:
            for start in [token[:2]] if len(token) > 1 else [token, *(token + bytes([byte]) for byte in range(256))]:
                sizes[start].add(len(token))
        _KNOWN[vocabulary] = tokens, {start: sorted(found) for start, found in sizes.items()}
    return _KNOWN[vocabulary]


Tokens: TypeAlias = tuple[Counter[bytes], Mapping[bytes, list[int]]]
_KNOWN: WeakKeyDictionary[Vocabulary, Tokens] = WeakKeyDictionary()


def roughly(number: int) -> str:
    """Return a number up to 999,999 with all its digits, and a larger one with two digits.

    >>> roughly(999_999), roughly(3_149_000_000_000), roughly(9_960_000), roughly(2**40_000)
    ('999,999', '3.1 × 10¹²', '1.0 × 10⁷', '1.6 × 10¹²⁰⁴¹')
    """
    if number < 1_000_000:
        return f"{number:,}"
    power = int(log10(number))
    power += number >= 10 ** (power + 1)
    power -= number < 10**power
    tenths = (number // 10 ** (power - 2) + 5) // 10
    if tenths == 100:
        tenths, power = 10, power + 1
    return f"{tenths // 10}.{tenths % 10} × 10{str(power).translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
