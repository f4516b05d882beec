"""The kinds of models: how a tokenizer finds the tokens of a word, and all that callers ask about that.

    BPE         joins symbols by merges, in the order in which the merges were learnt
    WordPiece   takes the longest token that fits, again and again
    Unigram     takes the tokens whose scores have the highest sum
    WordLevel   takes whole words

The tokenizers themselves are in `tokenizer`, `models.wordpiece_tokenizer` and `files.library_tokenizer`.
"""

from __future__ import annotations

from enum import StrEnum

LONGEST_WORD = 100  # characters; BERT gives up on a longer word


class ModelKind(StrEnum):
    """A kind of model. It is also a text: the name of the model in a `tokenizer.json`.

    `no_merges`: a sentence about why a text has no merges. `why_whole`: the end of a sentence about why no merge made a
    token; it may have a gap for the token's score. `lost_words`: a sentence about the words that are lost as a whole,
    although the vocabulary has tokens for parts of them; "" if the model loses no such words. `has_merges`: whether
    merges make the tokens. `takes_longest`: whether a word becomes the longest tokens that fit; a token either
    begins a word or continues one. `spaces_words`: whether decoding puts a space before every word.

    >>> ModelKind("WordPiece") is ModelKind.WORDPIECE, ModelKind.WORDPIECE == "WordPiece"
    (True, True)
    >>> [kind for kind in ModelKind if kind.has_merges]
    ['BPE']
    """

    no_merges: str
    why_whole: str
    lost_words: str
    has_merges: bool
    takes_longest: bool
    spaces_words: bool

    BPE = (
        "BPE",
        "This vocabulary has no merges.",
        "the vocabulary has it whole, and its own symbols do not merge into it",
    )
    WORDPIECE = (
        "WordPiece",
        "WordPiece has no merges at all: it takes the longest token that fits, again and again. ## marks what "
        "continues a word.",
        "a WordPiece model takes the longest token that fits, again and again",
        "WordPiece loses a whole word if no token fits at some place in it, and BERT’s own library every word of more "
        f"than {LONGEST_WORD} characters.",
    )
    UNIGRAM = (
        "Unigram",
        "Unigram has no merges at all: it takes the most probable tokens.",
        "a Unigram model takes the tokens whose scores have the highest sum, and this one's is {score}",
    )
    WORD_LEVEL = (
        "WordLevel",
        "This vocabulary has no merges: it has whole words.",
        "the vocabulary has words, each of them whole",
    )

    def __new__(cls, name: str, no_merges: str = "", why_whole: str = "", lost_words: str = "") -> ModelKind:
        """Return the kind as a text, with its sentences."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.no_merges, kind.why_whole, kind.lost_words = no_merges, why_whole, lost_words
        kind.has_merges = name == "BPE"
        kind.takes_longest = kind.spaces_words = name == "WordPiece"
        return kind

    __repr__ = str.__repr__
