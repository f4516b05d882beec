"""What is assumed about a tokenizer because its files do not say it: sentences for the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

NAMES = 3  # names of tokens in a sentence
SPLIT, CLIP_SPLIT, VOCABULARY_SPLIT = "split", "CLIP's split", "vocabulary's split"
SPECIAL_TOKENS, MISTRAL_TOKENS = "special tokens", "Mistral's special tokens"
SPLIT_IS_ASSUMED = "split is assumed"  # in the sentences about a split
_SENTENCES: Mapping[str, str] = {
    SPLIT: "The files do not say how text is split: GPT-2’s split is assumed.",
    CLIP_SPLIT: "The files do not say how text is split: CLIP’s split is assumed, since words end in </w>.",
    VOCABULARY_SPLIT: "The files have the tokens of {vocabulary} and name a class that splits text in another way: "
    "{vocabulary}’s split is assumed.",
    SPECIAL_TOKENS: "The files do not say which tokens are special: those that no merge makes are assumed, {names}.",
    MISTRAL_TOKENS: "The file does not name its special tokens: the names in Mistral’s other files are assumed.",
}


def assumptions(assumed: Sequence[str], vocabulary: str, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each key of what is assumed.

    `vocabulary`: the title of the published vocabulary that was recognised. `names`: the names of the special tokens.

    >>> next(assumptions((SPLIT,), "", ()))
    'The files do not say how text is split: GPT-2’s split is assumed.'
    """
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    shown = ", ".join(name[:40] for name in names[:NAMES]) + more
    for key in assumed:
        yield _SENTENCES[key].format(vocabulary=vocabulary, names=shown)
