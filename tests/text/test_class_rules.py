"""Boundaries by character classes against the rules that define them: the same pretokens, in the same order."""

import itertools
import random

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS
from bpe_core.text import class_rules, pretoken_arrays
from bpe_core.text.class_rules import CLASSES, SPACE, Chunk
from tests.texts import EXAMPLE_TEXTS, NASTY, SPACED, TEXTS

BY_CLASSES = [key for key, row in PRETOKENIZERS.items() if row.classes]
# One of every class, those that rules name, and letters of contractions.
UNITS = ["a", "B", "é", "ǅ", "中", "ʰ", "\u0301", "1", "½", ".", "'", "/", "€", "$", " ", "\n", "\r", "\t", "\u00a0"]
UNITS += ["s", "S", "ll", "ſ", "'s", "'lL", "\ud800", "\0", "🦜"]
ANY_CLASSES = st.lists(st.sampled_from(UNITS), max_size=30).map("".join)
FEW_CLASSES = st.lists(st.sampled_from(UNITS), min_size=2, max_size=4).flatmap(
    lambda few: st.lists(st.sampled_from(few), max_size=20).map("".join)
)


def spans_of_classes(key: str, text: str) -> list[tuple[int, int]]:
    """(start, end) of every pretoken by classes, without dropped white space."""
    row, chunk = PRETOKENIZERS[key], Chunk(text)
    starts = row.starts(chunk)
    ends = np.append(starts[1:], len(text))
    kept = (chunk.classes[starts] < SPACE) | row.lossless
    return list(zip(starts[kept].tolist(), ends[kept].tolist(), strict=True))


def spans_of_rules(key: str, text: str) -> list[tuple[int, int]]:
    return [(start, end) for _, start, end, _ in PRETOKENIZERS[key].split(text)]


@pytest.mark.parametrize("key", BY_CLASSES)
def test_random_texts(key):
    """Four hundred thousand more were tried once."""

    @given(ANY_CLASSES | FEW_CLASSES | SPACED | TEXTS | st.sampled_from(NASTY))
    def check(text):
        assert spans_of_classes(key, text) == spans_of_rules(key, text)

    check()


@pytest.mark.parametrize("key", BY_CLASSES)
def test_long_texts(key):
    alike = ["a", " ", "\n", "\u0301", "'", "1", "中", "\ud800"]
    for text in [*EXAMPLE_TEXTS.values(), *(one * 10_000 for one in alike), "'s" * 5000, "a!\n/" * 5000]:
        assert spans_of_classes(key, text) == spans_of_rules(key, text)


@pytest.mark.parametrize("key", ["cl100k", "o200k"])
def test_letters_that_count_as_others_where_case_does_not(key):
    cased = [char for char in map(chr, range(0x110000)) if not char.lower() == char.upper() == char.casefold()]
    assert len(cased) > 2000
    for form in ("x'{0}", "x'{0}y", "x'{0}l", "x'l{0}", "x'v{0}"):
        text = "\n".join(form.format(char) for char in cased)
        assert spans_of_classes(key, text) == spans_of_rules(key, text)


@pytest.mark.parametrize(
    ("pattern", "classes"),
    [
        (r"\p{L}", "ULO"),
        (r"[\p{Lu}\p{Lt}]", "U"),
        (r"\p{Ll}", "L"),
        (r"\p{M}", "M"),
        (r"\p{N}", "N"),
        (r"\s", "SBT"),
        (r"[\r\n]", "B"),
        (r"[\p{P}$+<=>^`|~]", "PQ/"),
    ],
)
def test_the_table_follows_the_regular_expressions_for_every_code_point(pattern, classes):
    points = "".join(map(chr, range(0x110000)))
    matched = np.zeros(0x110000, bool)
    for run in regex.finditer(f"{pattern}+", points):
        matched[run.start() : run.end()] = True
    assert np.array_equal(np.isin(class_rules.class_table(0x110000), [*map(CLASSES.index, classes)]), matched)
    assert np.array_equal(class_rules.class_table(128), class_rules.class_table(0x110000)[:128])


@pytest.mark.parametrize("size", [50, pretoken_arrays.CHUNK])
@pytest.mark.parametrize("key", BY_CLASSES)
def test_texts_in_one_chunk_are_split_one_by_one(key, size, monkeypatch):
    """All texts of up to three units, beside each other in a random order."""
    monkeypatch.setattr(pretoken_arrays, "CHUNK", size)
    units = ["a", "B", "中", "\u0301", "1", ".", "'", "/", "€", " ", "\n", "\r", "\t", "s", "\ud800"]
    texts = ["".join(some) for length in range(4) for some in itertools.product(units, repeat=length)]
    random.Random(1).shuffle(texts)
    found = pretoken_arrays.pretoken_arrays(texts, PRETOKENIZERS[key]).texts()
    expected = [pretoken for text in texts for pretoken in PRETOKENIZERS[key].strings(text)]
    assert "|".join(found) == "|".join(expected)


@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_arrays_hold_the_pretokens_in_order_whatever_the_chunk(key, monkeypatch):
    monkeypatch.setattr(pretoken_arrays, "CHUNK", 1)

    @given(ANY_CLASSES | FEW_CLASSES | SPACED | TEXTS | st.sampled_from(NASTY))
    def check(text):
        arrays = pretoken_arrays.pretoken_arrays([text], PRETOKENIZERS[key])
        assert arrays.texts() == PRETOKENIZERS[key].strings(text)

    check()
