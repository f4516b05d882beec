"""The letters of tokens: all of the text's, each with the fewest tokens that have it whole."""

from functools import cache

import pytest
from hypothesis import given

from bpe_core import Tokenizer, load
from bpe_core.tokenizer.letters import alike, continued, count, letters, spelled
from tests.texts import NASTY, TEXTS

ACROSS = ["e\u0301 ne\u0301e", "क्षत्रिय नमस्ते", "👩‍👩‍👧", "🇩🇪🇫🇷", "a\r\nb", "각", "strawberry 🦜"]


@cache
def gpt2() -> Tokenizer:
    return load("gpt2")


def check(text: str, step: int) -> None:
    """Each letter of the text is in one part, and no part could be two: a bound within it would cut a letter."""
    walk = gpt2().encode(text, specials=False).walk
    table = walk.tokens(step)
    found = spelled(table)
    assert [letter for part in found for letter in part.letters] == letters(text)
    assert [n for part in found for n in range(part.first, part.end)] == list(range(len(table)))
    bounds = {0, len(walk.raw)}
    for letter in letters(text):
        bounds.add(max(bounds - {len(walk.raw)}) + len(letter.encode("utf-8", "surrogatepass")))
    assert [part.first for part in found] == [n for n, at in enumerate(table.starts.tolist()) if at in bounds]


@pytest.mark.parametrize("text", [*NASTY, *ACROSS])
def test_tokens_that_share_a_letter_come_together(text: str):
    check(text, 0)
    check(text, len(gpt2().merges))


@given(TEXTS)
def test_the_letters_of_any_text(text: str):
    check(text, 200)
    assert [letter for at, letter in enumerate(text) if at not in continued(text)] == [one[0] for one in letters(text)]


def test_a_letter_is_what_a_reader_takes_for_one_sign():
    assert [len(letters(text)) for text in ACROSS] == [5, 7, 1, 2, 3, 1, 12]
    table = gpt2().encode("strawberry").walk.tokens(50_000)
    assert [count("r", part.letters) for part in spelled(table)] == [0, 1, 2]
    assert count("É", letters("e\u0301te\u0301 été")) == 4
    assert alike("\u212b") == alike("å")
