"""Cuts from files, against the library that they are written for: patterns in which classes stand within classes."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_core import FormatError
from bpe_core.files.cuts_read import from_hugging_face
from tests.test_files import WRITABLE
from tests.test_files_read import BLOOM
from tests.test_peers import NASTY, TEXTS

MEMBERS = st.sampled_from([*"abz ^-&|:()]", "b-y", "a-", r"\s", r"\S", r"\]", r"\[", r"\-", r"\p{Lu}", r"\d", "é", "।"])
INNER = st.lists(MEMBERS, max_size=4).map("".join)
CLASSES = st.recursive(
    INNER,
    lambda inner: st.tuples(INNER, st.sampled_from(["[", "[^"]), inner, INNER).map(
        lambda parts: f"{parts[0]}{parts[1]}{parts[2]}]{parts[3]}"
    ),
    max_leaves=3,
)
SIGNS = st.text("abyzAB ^-&|:()[]\\s1é।\n", max_size=20)


def their_cut(pattern):
    """Their pre-tokenizer of a pattern, or None where it is none."""
    try:
        return pre_tokenizers.Split(Regex(pattern), "isolated")
    except Exception:  # they raise nothing more exact
        return None


def cut_of(theirs):
    return from_hugging_face(None, json.loads(theirs.__getstate__())).pretokenizer


def same(theirs, ours, text):
    assert ours.pieces(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)]


@settings(max_examples=300, deadline=None)
@given(WRITABLE | SIGNS | st.lists(st.sampled_from(" ()|[].,!?…。，、।۔،aé1\n\u3000"), max_size=20).map("".join))
def test_bloom_s_pattern_cuts_as_theirs(text):
    theirs = their_cut(BLOOM)
    ours = cut_of(theirs)
    for each in (text, *NASTY, *TEXTS.values()):
        same(theirs, ours, each)


@settings(max_examples=2000, deadline=None)
@given(st.sampled_from(["[", "[^"]), CLASSES, st.sampled_from(["]", "]+"]), st.lists(SIGNS, min_size=3, max_size=6))
def test_classes_in_classes_cut_as_theirs_or_are_refused(opened, inside, closed, texts):
    theirs = their_cut(f"{opened}{inside}{closed}")
    if theirs is None:
        return
    try:
        ours = cut_of(theirs)
    except FormatError:
        return
    for text in (*texts, "abcyz ABé।1 ^-&|:()[]\\s\n"):
        same(theirs, ours, text)
