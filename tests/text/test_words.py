"""A word is what readers call a word, in any script."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text.words import word_spans, words_of
from tests.texts import TEXTS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The baker's bread, isn’t it?", ["The", "baker's", "bread", "isn’t", "it"]),
        ("A well-known -- 'quoted' dogs' story - no.", ["A", "well-known", "quoted", "dogs", "story", "no"]),
        ("In 2024, 12 of 3rd", ["In", "2024", "12", "of", "3rd"]),
        ("बच्चे पुराने पेड़ के नीचे।", ["बच्चे", "पुराने", "पेड़", "के", "नीचे"]),
        ("می\u200cخواهم، کتاب", ["می\u200cخواهم", "کتاب"]),  # a joiner inside
        ("孩子们读书。好", ["孩子们读书", "好"]),
        ("e\u0301te\u0301 na\u00adme", ["e\u0301te\u0301", "na\u00adme"]),
        ("❤\ufe0f 🦜 … \u0301", []),  # a mark alone, as of an emoji, is no word
        ("", []),
    ],
)
def test_words_of_a_text(text, words):
    assert words_of(text) == words


def test_a_word_is_what_a_plain_loop_finds():
    def check(text):
        kinds = [next((kind for kind in "LMN" if regex.match(rf"\p{{{kind}}}", char)), "") for char in text] + [""]
        found, at = [], 0
        while at < len(text):
            start, at = at, at + 1
            while kinds[start] in ("L", "N") and at < len(text):
                inner = text[at] in "'’-‐‑\u00ad\u200c\u200d" and kinds[at + 1] in ("L", "M", "N")
                if not kinds[at] and not inner:
                    break
                at += 1
            if kinds[start] in ("L", "N"):
                found.append([start, at])
        assert word_spans(text).tolist() == found
        assert len(words_of(text)) == len(found)

    given(TEXTS | st.text(alphabet="a1é'’- \u0301।क्\u200d."))(check)()
