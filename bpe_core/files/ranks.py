"""tiktoken's rank files: every token in base64 with its id, which is its rank as well.

The file holds neither the cut nor the special tokens, so both go into a small JSON file beside it, under the names that
`tiktoken.Encoding` takes them by. Format: `load_tiktoken_bpe` in tiktoken's source.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from itertools import pairwise

from bpe_core.files.format import Format, FormatError, in_unicode, only_plain_bytes
from bpe_core.tokenizer import Tokenizer


def joined_by_rank(token: bytes, ranks: dict[bytes, int], below: int) -> list[bytes]:
    """The parts of a token when the neighbours of lowest rank are joined first, up to the rank `below`.

    >>> joined_by_rank(b"abc", {b"bc": 256, b"ab": 257, b"abc": 258}, 258)
    [b'a', b'bc']
    """
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 1:
        found = [ranks.get(left + right, below) for left, right in pairwise(parts)]
        best = min(found)
        if best >= below:
            break
        i = found.index(best)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts


def merges_of(order: Sequence[tuple[bytes, int]]) -> tuple[tuple[int, int, int], ...]:
    """The merges (left id, right id, new id) that ranks stand for; `order`: (token, id) by id, bytes included.

    A token's merge joins the two parts that the tokens before it leave of it. Raises `FormatError` where they leave
    more than two.

    >>> merges_of([(b"a", 0), (b"b", 1), (b"ab", 2), (b"aba", 3)])
    ((0, 1, 2), (2, 0, 3))
    """
    ranks = dict(order)
    merges = []
    for token, rank in order:
        if len(token) > 1:
            parts = joined_by_rank(token, ranks, rank)
            if len(parts) != 2 or not all(part in ranks for part in parts):
                raise FormatError(f"token {token!r} of rank {rank} is not made of two tokens before it")
            merges.append((ranks[parts[0]], ranks[parts[1]], rank))
    return tuple(merges)


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, ".tiktoken")
    if not tokenizer.pretokenizer.lossless:
        raise FormatError(
            f"tiktoken keeps every character of a text, and the cut “{tokenizer.pretokenizer.title}” drops some"
        )
    order = [(token, i) for i, token in enumerate(tokenizer.tokens) if token]
    if merges_of(order) != tokenizer.merges:
        raise FormatError("tiktoken joins by the rank of the result, which does not give this vocabulary's merges")
    special_tokens = {in_unicode(name, "the special token"): i for name, i in tokenizer.special_tokens.items()}
    lines = [b"%s %d\n" % (b64encode(token), rank) for token, rank in order]
    beside = {"pat_str": tokenizer.pretokenizer.pattern, "special_tokens": special_tokens}
    return b"".join(lines), json.dumps(beside, ensure_ascii=False, indent=1).encode()


TIKTOKEN = Format(
    "tiktoken ranks",
    "tiktoken",
    "tiktoken.Encoding('mine', mergeable_ranks=tiktoken.load.load_tiktoken_bpe('tokenizer.tiktoken'),"
    " **json.load(open('tokenizer.tiktoken.json')))",
    ("tokenizer.tiktoken", "tokenizer.tiktoken.json"),
    _write,
    beside=lambda name: (name + ".json",),
)
