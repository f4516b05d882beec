"""Patterns of tiktoken's files, against tiktoken itself: what Rust and Python read differently."""

import json
from base64 import b64encode
from itertools import product

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import FormatError, loads
from bpe_core.text.rust_patterns import from_rust
from tests.some import some
from tests.texts import TEXTS

LETTERS = "ab-z&Z19 \né世"  # every pair of their bytes is a token, so ids show where a text is split
TOKENS = [bytes([i]) for i in range(256)] + [bytes(pair) for pair in product(sorted(set(LETTERS.encode())), repeat=2)]
RANKS = {token: i for i, token in enumerate(TOKENS)}
LINES = b"".join(b"%s %d\n" % (b64encode(token), i) for token, i in RANKS.items())

WORD = r"[^\r\n\p{L}\p{N}]?"
CAPITALS, SMALL = (rf"[{kinds}\p{{Lm}}\p{{Lo}}\p{{M}}&&[^\p{{Han}}]]" for kinds in (r"\p{Lu}\p{Lt}", r"\p{Ll}"))
ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
KIMI = "|".join(
    [
        r"[\p{Han}]+",
        f"{WORD}{CAPITALS}*{SMALL}+{ENDING}",
        f"{WORD}{CAPITALS}+{SMALL}*{ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
REST = r"|[\s\S]"
KINDS = [
    r"[ab&&[^b]]+|Z",
    r"[^a&&[^b]]+" + REST,
    r"[\w--[a]]+" + REST,
    r"[\w--\d--b]+" + REST,
    r"[a-z~~[b]]+" + REST,
    r"[a-b[y-z]]+" + REST,
    r"[^[a][^\w]]+" + REST,
    r"[[:alpha:]]+" + REST,
    r"[[:^alpha:]]+" + REST,
    r"[[:punct:]b]+" + REST,
    r"ab$" + REST,
    r"ab\z" + REST,
    r"ab\Z" + REST,
    r"(?m)^[^\n]+$" + REST,
    r"\h+" + REST,
    r"\H+" + REST,
    r"[^\h]+" + REST,
    r"(?s).+",
    r"(?i)z+|a(?-i)b" + REST,
    r"(?i:[a-m\p{N} ]+)b" + REST.replace("s", "d").replace("S", "D"),
    r"a(?i)b|z+" + REST,
    r"(?i)\p{L}+" + REST,
    r"[]a]+" + REST,
    r"[\x{61}-c\u{e9}]+" + REST,
    r"(?<x>a)(b)" + REST,
    r"\b\w\w?\b" + REST,
    r"(?>a+)b" + REST,
    r"a{1,2}+b" + REST,
    r"a{e}" + REST,
    KIMI,
]


def tokenizers(pattern):
    ours = loads({"a": LINES, "b": json.dumps({"pat_str": pattern, "special_tokens": {}}).encode()})
    return ours, tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=RANKS, special_tokens={})


@pytest.mark.parametrize("pattern", some(KINDS))
@given(text=st.text(LETTERS, max_size=12) | TEXTS)
def test_every_kind_of_pattern_splits_as_tiktoken_does(pattern, text):
    ours, theirs = tokenizers(pattern)
    text = text.encode("utf-8", "replace").decode()  # tiktoken takes U+FFFD for half a pair of surrogates
    assert ours.ids(text) == theirs.encode_ordinary(text)


def test_what_is_most_often_read_otherwise():
    for pattern, text in [
        (r"[ab&&[^b]]+|c", "a"),
        (r"ab$|[\s\S]", "ab\n"),
        (r"ab\Z|[\s\S]", "ab\n\n"),
        (r"\h+|[\s\S]", "ab g"),
        (r"[\w--[a]]+|[\s\S]", "-]"),
        (r"[[:alpha:]]+|[\s\S]", "éa"),
        (KIMI, "Hello world, 你好 aBc's 世界 1234\n\n "),
    ]:
        ours, theirs = tokenizers(pattern)
        assert ours.ids(text) == theirs.encode_ordinary(text)


CLASSES = ["a", "Z", ".", r"\w", r"\W", r"\d", r"\s", r"\S", r"\h", "[ab-]", "[^a]", r"[\p{L}&&[^b]]", "[[:lower:]1]"]
ATOMS = st.sampled_from([*CLASSES, "(?:ab|b)", "(?i:z)", r"\p{Han}", r"[^\s\p{L}]", "(a|[b-z])", "[a-z--[b-y]]"])
ANCHORS = st.sampled_from(
    ["", "", "^", "$", r"\z", r"\Z", r"\b", r"\B", "(?=a)", "(?!b)", "(?<=a)", r"(?<!\s)", "(?m:$)"]
)
ONCE, MAYBE = st.sampled_from(["", "+", "++", "+?", "{2}", "{1,2}"]), st.sampled_from(["*", "?", "*?", "?+", "{0,2}"])
MANY = st.tuples(ANCHORS, ATOMS, MAYBE, ATOMS, ONCE, ANCHORS).map("".join)  # never empty: tiktoken fails on that


@given(st.lists(MANY, min_size=1, max_size=3).map("|".join), st.lists(st.text(LETTERS, max_size=12), max_size=8))
def test_any_pattern_splits_as_tiktoken_does(pattern, texts):
    ours, theirs = tokenizers(pattern)
    for text in texts:
        assert ours.ids(text) == theirs.encode_ordinary(text)


REFUSED = {
    r"a\Kb": r"\K",
    r"\X": r"\X",
    r"(?x) a": "(?x)",
    r"(a)\1": r"\1",
    r"(?:a*)*b": "(?:a*)*",
    r"(?i)\p{Lu}": r"\p{Lu}",
    r"(?i)É": "É",
    "[a": "",
    "(a": "(a",
    "a)": ")",
    "a**": "a**",
    "[a&&]": "[a&&]",
    "(?#b)a": "?",
}


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_cannot_be_read_is_refused_and_named(pattern):
    with pytest.raises(FormatError) as caught:
        tokenizers(pattern)
    assert f"“{REFUSED[pattern]}”" in str(caught.value) or "the pattern ends too early" in str(caught.value)


def test_most_patterns_stay_as_they_are():
    for pattern in (r"'(?:[sdmt]|ll|ve|re)| ?[^\s\d]+|\s+(?!\S)|\s+", r"[A-Za-z]+|.?b{1,3}+".replace(".", r"[^\n]")):
        assert from_rust(pattern) == pattern
