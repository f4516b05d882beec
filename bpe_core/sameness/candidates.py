"""Texts on which two tokenizers may differ: made from how their parts differ, from all kinds of text, and at random."""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice, product
from random import Random
from typing import NamedTuple

from bpe_core.sameness.composition import Composition, Pair
from bpe_core.sameness.parts import differences, moved

SEED = 1
MOST = 3_000  # the most differences of a part that become texts
RIVALS = 12_000  # the most texts that are made of the merges that differ and the merges beside them
TOKENS = 30_000  # the most tokens that become texts if a whole model differs

# What splits and normalizers treat apart, about one piece of text for each kind of character and each rule.
_PIECES = (
    *"aAzZ éÉßſİıǅøñπЖאعकกខ中ひカ한ｆﬁⅧ①²½٣3059.,;:!?'’\"`´-–—_/\\|*#@&%$€+=<>^~°()[]{}\t\n\r\v\f\0\x1b\x7f\x85",
    *("\u00a0", "\u00ad", "\u0301", "\u093e", "\u200b", "\u200d", "\u200e", "\u2028", "\u3000", "\ufe0f", "\ufeff"),
    *("\ufffd", "\ue000", "\u0378", "😀", "🇩🇪", "👩\u200d🔬", "𝐀", "e\u0301", "\u1100\u1161", "\r\n"),
    *("'s", "'S", "'t", "'re", "'VE", "'ll", "'d", "'m", "'ſ", "’s", "don't", "the", "The", "THE", "aB", "helloWorld"),
    *("12", "123", "1234", "12345", "1234567", "3.14", "1,000", "  ", "   ", " \n", "\n ", "\n\n", "\t\t", " \t"),
)  # fmt: skip
_FEW = (*"aA é中ع3.'-_/\n\t", "\u0301", "'s", "12", "  ", "the", "😀")  # all texts of three are tried


class Candidates(NamedTuple):
    """Texts made for one reason. `part`: the part whose difference they are made from; "" if from none."""

    part: str
    texts: Iterator[str]


def built(one: Composition, other: Composition, different: Iterable[str]) -> Iterator[Candidates]:
    """Yield the texts that are made from the parts in `different`, part by part."""
    for part in different:
        if part in _BUILDERS:
            yield Candidates(part, _BUILDERS[part](one, other))


def of_all_kinds() -> Iterator[tuple[str, Iterator[str]]]:
    """Yield texts that fit any two tokenizers, with the part that they are about."""
    yield "split", iter(_PIECES)
    yield "split", map("".join, product(_PIECES, repeat=2))
    yield "split", map("".join, product(_FEW, repeat=3))
    yield "normalization", iter(_characters())
    yield "normalization", _combined()


def at_random(one: Composition, other: Composition) -> Iterator[str]:
    """Yield texts of pieces and tokens, without an end. They are the same ones each time."""
    chance = Random(SEED)
    pieces = [*_PIECES, *_FEW * 4, *chance.sample(_characters(), 300)]
    for side in (one, other):
        names = [*islice(side.ids, 0, None, max(len(side.ids) // 4_000, 1))]
        pieces += [text for name in names for text in texts_of(name)[:1]]
    while True:
        yield "".join(chance.choices(pieces, k=chance.randint(2, 8)))


def around_names(names: Iterable[str]) -> Iterator[str]:
    """Yield names of special tokens with what their flags are about: white space, words, case."""
    patterns = (
        "{}",
        "a{}",
        "{}a",
        " {}",
        "{} ",
        "a {}",
        "{} a",
        "a {} a",
        "\n{}\n",
        "a\n{}",
        "{}  ",
        "{}{}",
        "{}.",
        "1{}1",
    )
    for name in names:
        yield from (pattern.replace("{}", name) for pattern in patterns)
        yield from {name.upper(), name.lower(), name.swapcase(), name[:-1], name[1:]} - {name}
        yield from (f"a{changed}a" for changed in (name.upper(), name.lower()) if changed != name)


def texts_of(name: bytes) -> list[str]:
    """Return texts that have the bytes of a token. A token that is a part of a character is completed.

    >>> texts_of(b"hug"), texts_of(b"##ing"), texts_of(b"\\xf0\\x9f")
    (['hug'], ['ing', 'aing'], ['🀀', '🤀'])
    """
    raw = name.removesuffix(b"</w>")
    if raw.startswith(b"##") and len(raw) > 2:
        text = raw[2:].decode("utf-8", "ignore")
        return [text, f"a{text}"]
    starts = (b"",) if not raw or raw[0] & 0xC0 != 0x80 else (b"\xc3", b"\xe0", b"\xe4", b"\xf0\x9f", b"\xf0")
    ends = (b"", b"\x80", b"\xa9", b"\x80\x80", b"\xa4\x80", b"\x9a\x80")
    found = []
    for start, end in product(starts, ends):
        try:
            found.append((start + raw + end).decode())
        except UnicodeDecodeError:
            continue
        if not end:
            break
    return found[:2]


def _of_names(names: Iterable[bytes]) -> Iterator[str]:
    for name in sorted(names, key=len)[:MOST]:
        for text in texts_of(name):
            yield from (text, text.lstrip(), f" {text}", f"a{text}", f"{text}a")


def _vocabulary(one: Composition, other: Composition) -> Iterator[str]:
    lacking, added, changed = differences(one.ids, other.ids)
    for names in (lacking, added, changed):
        yield from _of_names(names)


def _merges(one: Composition, other: Composition) -> Iterator[str]:
    if one.ranks_tokens != other.ranks_tokens:
        yield from _tokens(one, other)
        return
    lacking, added, _ = differences(one.merges, other.merges)
    pairs = [*moved(one.merges, other.merges)[:MOST], *lacking[:MOST], *added[:MOST]]
    yield from _of_names(b"".join(pair) for pair in pairs)
    beside = [_neighbours(side.merges) for side in (one, other)]
    for pair in pairs:
        for made in _beside(pair, one, other, beside, max(RIVALS // len(pairs), 4)):
            for text in texts_of(made):
                yield from (text, f"{text}q", f"q{text}")  # a text that is a token may become it without merging


_Neighbours = tuple[dict[bytes, list[bytes]], dict[bytes, list[bytes]]]


def _neighbours(merges: Iterable[Pair]) -> _Neighbours:
    """Return what merges join to the right of each token, and to its left."""
    right_of, left_of = defaultdict(list), defaultdict(list)
    for left, right in merges:
        right_of[left].append(right)
        left_of[right].append(left)
    return right_of, left_of


def _beside(pair: Pair, one: Composition, other: Composition, beside: list[_Neighbours], most: int) -> Iterator[bytes]:
    """Yield texts in which another merge wants a token of `pair`, first those between its two places in the order."""
    left, right = pair
    ranks = [side.merges.get(pair, len(side.merges)) for side in (one, other)]
    for side, (right_of, left_of) in zip((one, other), beside, strict=True):
        rivals = [((right, more), left + right + more) for more in right_of[right]]
        rivals += [((more, left), more + left + right) for more in left_of[left]]
        rivals.sort(key=lambda rival: (not min(ranks) <= side.merges[rival[0]] <= max(ranks), len(rival[1])))
        yield from (text for _, text in rivals[:most])


def _tokens(one: Composition, other: Composition) -> Iterator[str]:
    """Yield tokens of both sides as texts."""
    for side in (one, other):
        for name in islice(side.ids, 0, None, max(len(side.ids) // TOKENS, 1)):
            yield from texts_of(name)


def _model(one: Composition, other: Composition) -> Iterator[str]:
    yield from ("a" * 101, "\U0001f9ac\U0001f9ac", "\u0378", "\U000e0041", "a\U000e0041a")
    yield from _tokens(one, other)


def _scores(one: Composition, other: Composition) -> Iterator[str]:
    names = one.ids.keys() & other.ids.keys()
    scores = [side.tokenizer.scores for side in (one, other)]
    yield from _of_names(name for name in names if scores[0].get(one.ids[name]) != scores[1].get(other.ids[name]))


def _names(one: Composition, other: Composition) -> Iterator[str]:
    lacking, added, changed = differences(one.names, other.names)
    yield from around_names([*changed, *lacking, *added][:MOST])


def _literals(stage: str, one: Composition, other: Composition) -> Iterator[str]:
    """Yield the texts that one side's stage looks for, and the other's does not, alone and within a text."""
    for text in sorted(one.literals(stage) ^ other.literals(stage), key=len)[:MOST]:
        yield from (text, f"a{text}", f"{text}a", f"a{text}a", f"a {text} a", text * 2)


_BUILDERS: dict[str, Callable[[Composition, Composition], Iterator[str]]] = {
    "special and added tokens": _names,
    "model": _model,
    "vocabulary": _vocabulary,
    "merges": _merges,
    "scores": _scores,
    "normalization": partial(_literals, "normalizer"),
    "split": partial(_literals, "pre_tokenizer"),
}


@cache
def _characters() -> tuple[str, ...]:
    """Return the characters of Unicode that Python knows; large blocks without rules, such as Chinese, give a part."""
    found = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        category = unicodedata.category(char)
        large = 0x3400 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4 or 0x17000 <= code < 0x1B000 or code >= 0x20000
        if category in ("Cn", "Cs", "Co") or (large and code % 97 and not 0x2F800 <= code < 0x2FA20):
            continue
        found.append(char)
    return tuple(found)


def _combined() -> Iterator[str]:
    """Yield characters that are made of others in their other forms, and inside a word."""
    for char in _characters():
        forms = {unicodedata.normalize(form, char) for form in ("NFD", "NFKC")} | {char.lower(), char.upper()}
        for form in sorted(forms - {char}):
            yield form
            yield f"a{char}a"
