"""What is assumed about a tokenizer because its files do not say it, and what they say and is not done: sentences."""

from __future__ import annotations

from collections.abc import Sequence

NAMES = 3  # names of tokens in a sentence
SPLIT_IS_ASSUMED = "split is assumed"  # in each sentence about a split, and in no other
SPLIT = "The files do not say how text is split: GPT-2’s split is assumed."
CLIP_SPLIT = "The files do not say how text is split: CLIP’s split is assumed, since words end in </w>."
GGUF_ALONE = "A GGUF has all of its tokenizer: it is assumed that {} beside it says nothing else."
CUT = "The file cuts each text to {:,} tokens: here all of a text is encoded."
PADDED = "The file pads texts to equal lengths: here nothing is added."
DROPPED = "The file leaves out merges at random, as a training may: here none is left out."
MISTRAL_TOKENS = "The file does not name its special tokens: the names in Mistral’s other files are assumed."


def vocabulary_split(vocabulary: str) -> str:
    """Return the sentence about the split of a published vocabulary, which was recognised; `vocabulary`: its title."""
    return (
        f"The files have the tokens of {vocabulary} and name a class that splits text in another way: {vocabulary}’s "
        f"{SPLIT_IS_ASSUMED}."
    )


def model_of_class(name: str) -> str:
    """Return the sentence about a SentencePiece model beside a config; `name`: the class that the config names.

    >>> model_of_class("T5Tokenizer")
    'The config names T5Tokenizer, of which no ids are known here: those of the SentencePiece model are assumed.'
    """
    return (
        f"The config names {name[:60]}, of which no ids are known here: those of the SentencePiece model are assumed."
    )


def guessed_tokens(names: Sequence[str]) -> str:
    """Return the sentence about tokens that are taken for special; `names`: theirs, without those that a file names.

    >>> guessed_tokens(["<a>", "<b>", "<c>", "<d>"])
    'The files do not say which tokens are special: those that no merge makes are assumed, <a>, <b>, <c> and 1 more.'
    """
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    shown = ", ".join(name[:40] for name in names[:NAMES]) + more
    return f"The files do not say which tokens are special: those that no merge makes are assumed, {shown}."
