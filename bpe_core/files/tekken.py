"""Mistral's `tekken.json`: tokens in base64 by rank, the number of tokens that a model uses, and the pattern.

The special tokens have the first ids; the id of any other token is its rank plus the number of special tokens.
`Tekkenizer` in `mistral_common` defines the format.
"""

from __future__ import annotations

import binascii
from base64 import b64decode

from bpe_core.files.format import Format, FormatError, Parts
from bpe_core.files.reading import check_number_of_specials, id_of, kind_of, pretokenizer_of
from bpe_core.files.tiktoken_ranks import tokenizer_of_ranks
from bpe_core.published import KNOWN_RANKS
from bpe_core.text.rust_patterns import from_rust
from bpe_core.tokenizer.assumptions import MISTRAL_TOKENS
from bpe_core.tokenizer.tokenizer import Tokenizer

Order = list[tuple[bytes, int]]


def is_tekken(parts: Parts) -> bool:
    """Return whether a JSON file is a `tekken.json`.

    >>> is_tekken({"config": {"pattern": "x"}, "vocab": []})
    True
    """
    return isinstance(parts.get("config"), dict) and isinstance(parts.get("vocab"), list)


def tekken_ranks(parts: Parts) -> tuple[Order, dict[str, int], str]:
    """Return ([(token, rank)] in the order of the ranks, special token → id, pattern) of a `tekken.json`."""
    config = kind_of(parts.get("config"), dict, "the config")
    specials = id_of(config.get("default_num_special_tokens"), "default_num_special_tokens")
    size = id_of(config.get("default_vocab_size"), "default_vocab_size") - specials
    rows = kind_of(parts.get("vocab"), list, "the vocab")[: max(size, 0)]
    order = [_row(row, rank) for rank, row in enumerate(rows)]
    return order, _special_tokens(parts, specials), kind_of(config.get("pattern"), str, "the pattern")


def read_tekken(parts: Parts) -> Tokenizer:
    """Return the tokenizer in a `tekken.json`; `FormatError` says what is wrong.

    >>> tokens = ["aA==", "dQ==", "aHU="]  # h, u, hu
    >>> vocab = [{"rank": rank, "token_bytes": token} for rank, token in enumerate(tokens)]
    >>> config = {"pattern": r"\\S+", "default_vocab_size": 4, "default_num_special_tokens": 1}
    >>> specials = [{"rank": 0, "token_str": "<s>"}]
    >>> read_tekken({"config": config, "vocab": vocab, "special_tokens": specials}).ids("<s>hu", specials=True)
    [0, 3]
    """
    order, specials, pattern = tekken_ranks(parts)
    shift = parts["config"]["default_num_special_tokens"]
    return tokenizer_of_ranks(
        [(token, rank + shift) for token, rank in order],
        pretokenizer_of(pattern, from_rust),
        special_tokens=specials,
        assumptions=() if parts.get("special_tokens") or not shift else (MISTRAL_TOKENS,),
    )


def _row(row: object, rank: int) -> tuple[bytes, int]:
    fields = kind_of(row, dict, f"token {rank}")
    if fields.get("rank") != rank:
        raise FormatError(f"token {rank} of the vocab has the rank {fields.get('rank')!r:.20}")
    try:
        token = b64decode(kind_of(fields.get("token_bytes"), str, f"the token_bytes of {rank}"), validate=True)
    except (binascii.Error, ValueError):
        raise FormatError(f"token {rank} of the vocab is not in base64") from None
    return token, rank


def _special_tokens(parts: Parts, size: int) -> dict[str, int]:
    """Return the special tokens, name → id. Older files do not contain them; all older files have the same tokens."""
    check_number_of_specials(size)  # before their names are made
    rows = parts.get("special_tokens") or []
    rows = [kind_of(row, dict, "a special token") for row in kind_of(rows, list, "special_tokens")]
    found = {
        kind_of(row.get("token_str"), str, "the name of a special token"): id_of(row.get("rank"), "a special token")
        for row in rows
    }
    if not found:
        known = KNOWN_RANKS["tekken"].special_tokens
        found = {name: i for name, i in known.items() if i < size and not name.startswith("<SPECIAL")}
    named = set(found.values())
    return found | {f"<SPECIAL_{i}>": i for i in range(size) if i not in named}


TEKKEN = Format(
    "Mistral's tekken.json",
    "mistral_common",
    files=("tekken.json",),
    ends=("tekken.json",),
    kinds=({"tekken"},),
    read=lambda _contents, parts, _beside: read_tekken(parts),
)
