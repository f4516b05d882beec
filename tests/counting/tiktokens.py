"""tiktoken, with the ranks of a vocabulary that ships."""

import tiktoken

from bpe_core import load


def tiktokens(name):
    """tiktoken's count of a text, with the ranks of the vocabulary that ships."""
    ours = load(name)
    encoder = tiktoken.Encoding(
        name,
        pat_str=ours.pretokenizer.pattern,
        mergeable_ranks={token: rank for rank, token in enumerate(in_order(ours))},
        special_tokens={},
    )
    return lambda text: len(encoder.encode_ordinary(text))


def in_order(tokenizer):
    """Base symbols first, then what merges make, as the ranks of a `.tiktoken` file are."""
    made = [new for _, _, new in tokenizer.merges]
    base = set(range(len(tokenizer.tokens))) - set(made) - set(tokenizer.special_tokens.values())
    return [tokenizer.tokens[i] for i in [*sorted(i for i in base if tokenizer.tokens[i]), *made]]
