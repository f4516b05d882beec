"""The fast way to `merged_at` gives what `Encoding` gives, and its stretches cover the same text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, Settings, train
from bpe_core.text.alphabet import symbols_of
from bpe_core.tokenizer import boundaries
from bpe_core.tokenizer.boundaries import BoundaryFinder
from tests.texts import NASTY, TEXTS

STORY = "the newest low tower, lower than the 12 widest towers 🦜 <|end|>"
GRID = [
    (Settings(pretokenizer, alphabet, marker, vocab_size=400, special_tokens=("<|end|>",)))
    for pretokenizer in PRETOKENIZERS
    for alphabet in ("bytes", "characters")
    for marker in ("none", "end", "start")
]
FINDERS = [BoundaryFinder(train(STORY, chosen).tokenizer()) for chosen in GRID]


def check(finder: BoundaryFinder, text: str, specials: bool) -> None:
    tok = finder.tokenizer
    found = finder.find(text, specials)
    encoding = tok.encode(text, specials)
    assert found.merged_at.tolist() == encoding.merged_at.tolist()
    covered = [(p.start, p.end) for p in encoding.pretokens]
    assert {place for start, end in covered for place in range(start, end)} == {
        place for stretch in found.stretches for place in range(stretch.start, stretch.end)
    }
    for stretch in found.stretches:
        piece = text[stretch.start : stretch.end]
        if stretch.special >= 0:
            assert stretch.symbols == 1
            assert tok.special_tokens[piece] == stretch.special
        else:
            assert stretch.symbols == len(symbols_of(piece, tok.alphabet, tok.word_marker))


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts(text):
    for finder in FINDERS:
        check(finder, text + "<|end|>" + text, True)


@given(TEXTS, st.sampled_from(FINDERS), st.booleans())
def test_any_text(text, finder, specials):
    check(finder, text, specials)


@given(TEXTS, st.sampled_from([finder for finder in FINDERS if finder.tokenizer.word_marker == "none"]), st.booleans())
def test_a_text_cut_in_arrays_has_the_boundaries_it_has_word_by_word(text, finder, specials):
    text = f"{text} lower <|end|>{text}"
    fresh = BoundaryFinder(finder.tokenizer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boundaries, "SHORT", 0)
        found, again = fresh.find(text, specials), fresh.find(text, specials)
    expected = finder.find(text, specials)
    symbols = range(len(expected.merged_at))
    for one in (found, again):
        assert one.merged_at.tolist() == expected.merged_at.tolist()
        assert one.stretches == expected.stretches
        assert [one.word_at(symbol) for symbol in symbols] == [expected.word_at(symbol) for symbol in symbols]
    words = [expected.word_at(int(symbol)) for symbol in np.unique([expected.word_at(k).first for k in symbols])]
    assert [word.text for word in words] == [p.text for p in finder.tokenizer.encode(text, specials).pretokens]
