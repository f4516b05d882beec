"""What a word is, for every figure that says "word".

A word is what readers call a word. Letters and digits of any script, with their marks, make words. An apostrophe or a
hyphen between them is inside the word. Punctuation is not.

    text     "The baker's well-known cats' 2 naïve   बच्चे सोते हैं।
    words     ___ _______ __________ ____  _ _____   ____ ____ ___

Of a script without spaces, such as Chinese, a word is all characters up to the next punctuation mark. Readers would not
call that a word, so figures that divide by words leave it out: see `is_spaced`. A pretokenizer may split words
otherwise: see `pretokenizers`.
"""

from __future__ import annotations

import re

import numpy as np
import regex

from bpe_core.text.arrays import Offsets

# Invisible signs stand inside words too: the soft hyphen, and the two joiners of Persian and of Indian scripts.
_INSIDE = r"['’\-‐‑\u00ad\u200c\u200d]"
_WORD = regex.compile(rf"[\p{{L}}\p{{N}}][\p{{L}}\p{{M}}\p{{N}}]*(?:{_INSIDE}[\p{{L}}\p{{M}}\p{{N}}]+)*")
# Thai and Lao, Burmese, Khmer, Japanese kana, Chinese characters, kana of half a width, rarer Chinese characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff66-\uff9f"
    r"\U00020000-\U0003ffff]"
)
MEANING = (
    "A word is letters and digits, with the apostrophes and hyphens between them. Baker’s is one word, 1,250 is two."
)
PER_WORD = (
    f"How many tokens reach into a word, on average. {MEANING} Chinese, Japanese and Thai have no spaces between "
    "words, so their words do not count, and neither do words with a lost piece."
)


def words_of(text: str) -> list[str]:
    """Return the words of a text.

    >>> words_of("The baker's well-known cats' 2 बच्चे (isn’t it?)")
    ['The', "baker's", 'well-known', 'cats', '2', 'बच्चे', 'isn’t', 'it']
    """
    return _WORD.findall(text)


def is_spaced(word: str) -> bool:
    """Return whether a word is in a script that has spaces between words.

    >>> [is_spaced(word) for word in ("dog", "बच्चे", "한국어", "日本語", "ภาษาไทย")]
    [True, True, True, False, False]
    """
    return _UNSPACED.search(word) is None


def word_spans(text: str) -> Offsets:
    """Return where each word begins and ends: a row for each word, in characters.

    >>> word_spans("So, it's 5.").tolist()
    [[0, 2], [4, 8], [9, 10]]
    """
    return np.array([found.span() for found in _WORD.finditer(text)], np.intp).reshape(-1, 2)
