"""tiktoken's rank files: every token in base64 with its id, which is also its rank.

The file contains neither the pretokenizer nor the special tokens. We write both into a second, small JSON file, under
the names of the parameters of `tiktoken.Encoding`. `load_tiktoken_bpe` in tiktoken's source defines the format.
"""

from __future__ import annotations

import json
from base64 import b64encode
from binascii import a2b_base64
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

from bpe_core.files.beside import NOTHING_BESIDE, Beside, NamedToken
from bpe_core.files.format import Format, FormatError, Parts, in_unicode, only_plain_bytes
from bpe_core.files.merges_of_ranks import merges_of
from bpe_core.files.reading import (
    MAX_LINES,
    MAX_MERGES,
    by_id,
    checked,
    id_of,
    kind_of,
    lines_of,
    pretokenizer_of,
    whole_number,
)
from bpe_core.published import Published, known_by_sum
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError, Pretokenizer
from bpe_core.text.rust_patterns import from_rust
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import ADDED, Tokenizer


def _all_made(order: Sequence[tuple[bytes, int]], merges: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether each token of several bytes has a merge."""
    return len(merges) == sum(len(token) > 1 for token, _ in order)


def _check_split(pretokenizer: Pretokenizer) -> None:
    """Raise `FormatError` unless tiktoken splits as `pretokenizer` does. Both drop what a pattern does not match.

    A row that drops text is refused though tiktoken would drop it too: from a rank file one expects the text back.
    """
    if pretokenizer.seconds is not None:
        in_unicode(pretokenizer.pattern, "the pattern")
        if not _same_in_tiktoken(pretokenizer.pattern):
            raise FormatError(f"tiktoken may split otherwise by the pattern {pretokenizer.pattern!r:.80}")
    elif not pretokenizer.lossless:
        raise FormatError(
            "a rank file is written for a split that keeps every character of a text, and "
            f"“{pretokenizer.title}” drops some"
        )


def _same_in_tiktoken(pattern: str) -> bool:
    """Return whether tiktoken, which reads Rust's regular expressions, splits by a pattern as we do.

    >>> _same_in_tiktoken(r"\\p{L}+|."), _same_in_tiktoken(r"a$")
    (True, False)
    """
    try:
        return from_rust(pattern) == pattern
    except PatternError:
        return False


def _check_specials(names: Iterable[str]) -> None:
    """Raise `FormatError` if one special token begins with another: tiktoken may find the one or the other."""
    ordered = sorted(names)
    for short, long in pairwise(ordered):  # names that begin alike are neighbours
        if long.startswith(short):
            raise FormatError(f"the special token {long!r:.60} begins with {short!r:.60}, and tiktoken may take that")


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, ".tiktoken")
    _check_split(tokenizer.pretokenizer)
    order = [(token, i) for i, token in enumerate(tokenizer.tokens) if token]
    if merges_of(order) != tokenizer.merges or not _all_made(order, tokenizer.merges):
        raise FormatError("tiktoken joins by the rank of the result, which does not give this vocabulary's merges")
    _check_specials(tokenizer.special_tokens)
    special_tokens = {in_unicode(name, "the special token"): i for name, i in tokenizer.special_tokens.items()}
    unranked = {"pat_str": tokenizer.pretokenizer.pattern, "special_tokens": special_tokens}
    return rank_lines(order), json.dumps(unranked, ensure_ascii=False, indent=1).encode()


def _beside(name: str) -> tuple[str, ...]:
    if name.endswith(".tiktoken.json"):
        raise FormatError(
            f"{name} is the name of the second file, besides the ranks; give the name that ends in .tiktoken"
        )
    return (f"{name}.json",)


def rank_lines(order: Iterable[tuple[bytes, int]]) -> bytes:
    """Return the content of a rank file.

    >>> rank_lines([(b"!", 0), (b"ab", 1)])
    b'IQ== 0\\nYWI= 1\\n'
    """
    return b"".join([b"%s %d\n" % (b64encode(token), rank) for token, rank in order])


def known_ranks(content: bytes) -> Published | None:
    """Return the published vocabulary that has the ranks of a file, whatever white space is in it; None for another."""
    if known := known_by_sum(sha256(content).hexdigest()):
        return known
    if content.count(b"\n") > MAX_LINES:
        return None
    rows = map(bytes.split, content.removeprefix(BOM_UTF8).splitlines())
    return known_by_sum(sha256(b"".join(b" ".join(row) + b"\n" for row in rows if row)).hexdigest())


def ranks_of_lines(content: bytes) -> list[tuple[bytes, int]]:
    """Return (token, rank) in the order of the ranks.

    >>> ranks_of_lines(b"YWI= 1\\nIQ== 0\\n")
    [(b'!', 0), (b'ab', 1)]
    """
    found: dict[bytes, int] = {}
    for number, line in enumerate(lines_of(content), 1):
        if not (fields := line.split()):
            continue
        encoded, rank = fields[0], " ".join(fields[1:])
        if not encoded.strip("="):  # Whisper's file gives an id to the empty token, which no text has
            continue
        try:
            token = a2b_base64(encoded, strict_mode=True)
        except ValueError:
            raise FormatError(f"line {number} does not start with a token in base64") from None
        if not token or token in found:
            raise FormatError(f"line {number} has {'a token of an earlier line' if token else 'an empty token'}")
        if not (rank.isascii() and rank.isdigit() and len(rank) < 7):  # making the names for errors takes time
            id_of(whole_number(rank, f"the rank in line {number}"), f"line {number}")
        found[token] = int(rank)
    if len(found) > MAX_MERGES:
        raise FormatError(f"the file has {len(found)} ranks; up to {MAX_MERGES} can be read")
    return sorted(found.items(), key=lambda row: row[1])


def tokenizer_of_ranks(order: Sequence[tuple[bytes, int]], pretokenizer: Pretokenizer, **more: Any) -> Tokenizer:
    """Return the tokenizer with these ids; `order`: (token, id) in the order of the ids.

    `more`: other fields of `Tokenizer`.

    >>> tokenizer_of_ranks([(b"a", 0), (b"b", 1), (b"ab", 2), (b"abab", 3)], PRETOKENIZERS["none"]).merges
    ((0, 1, 2), (2, 2, 3))
    """
    tokens, merges = _tokens_of(order), merges_of(order)
    if not _all_made(order, merges):
        more |= {"whole_words": True, "symbols": {token: i for token, i in order if len(token) == 1}}
    return checked(Tokenizer(tokens, merges, pretokenizer, **more))


def _tokens_of(order: Sequence[tuple[bytes, int]]) -> tuple[bytes, ...]:
    return by_id([token for token, _ in order], [i for _, i in order])


def _other_fields(content: bytes, pretokenizer: Pretokenizer | None, parts: Parts | None) -> dict[str, Any]:
    """Return the fields of `Tokenizer` that a rank file lacks.

    They come from the JSON file, from the published vocabulary with the SHA-256 sum of the ranks, or from the
    caller. `pretokenizer`: the pretokenizer that the caller chose. `parts`: the JSON file, parsed.
    """
    if parts is not None:
        names = kind_of(parts.get("special_tokens", {}), dict, "special_tokens")
        specials = {name: id_of(i, f"the special token {name!r:.60}") for name, i in names.items()}
        pattern = kind_of(parts.get("pat_str"), str, "pat_str")
        return {"pretokenizer": pretokenizer_of(pattern, from_rust), "special_tokens": specials}
    known = known_ranks(content)
    if known and pretokenizer in (None, PRETOKENIZERS[known.pretokenizer]):
        return {
            "pretokenizer": PRETOKENIZERS[known.pretokenizer],
            "special_tokens": known.special_tokens,
            "normalizers": known.normalizers,
            "kinds": known.kinds,
            "roles": known.tokens_by_role,
            "recognised": known.title,
        }
    if pretokenizer is None:
        raise FormatError(
            "a .tiktoken file does not say how text is split; choose a pretokenizer, or add its .json file"
        )
    return {"pretokenizer": pretokenizer}


def read_ranks(
    content: bytes, parts: Parts | None, pretokenizer: Pretokenizer | None, beside: Beside = NOTHING_BESIDE
) -> Tokenizer:
    """Return the tokenizer in a rank file; `FormatError` says what is wrong or missing.

    `parts`: the parsed JSON file that belongs to the rank file; None if there is none. `beside`: what the files of its
    model say, which may name more special tokens.

    >>> ranks = rank_lines([*((bytes([byte]), byte) for byte in range(256)), (b"ug", 256)])
    >>> read_ranks(ranks, {"pat_str": r"\\S+", "special_tokens": {"<s>": 257}}, None).ids("<s>hug", specials=True)
    [257, 104, 256]
    """
    order = ranks_of_lines(content)
    if sum(len(token) == 1 for token in _tokens_of(order)) < 256:
        raise FormatError("the rank file lacks some of the 256 bytes, and text may have them")
    more = _other_fields(content, pretokenizer, parts)
    return tokenizer_of_ranks(order, **(more | _named(order, more, beside)))


def _named(order: Sequence[tuple[bytes, int]], fields: Mapping[str, Any], beside: Beside) -> dict[str, Any]:
    """Return the fields of `Tokenizer` about special tokens, as the files of the model say them; {} if they say none.

    `fields`: the other fields. If the files give an id in them to a token, the id is that token's.
    """
    if not (beside.names_tokens or beside.says_around):
        return {}
    kinds = fields.get("kinds", {})
    known = {name: i for name, i in fields.get("special_tokens", {}).items() if i not in beside.added}
    rows = beside.token_parts(
        {token.decode("utf-8", "surrogateescape"): i for token, i in order},
        own=[(i, NamedToken(name, kinds.get(i) != ADDED)) for name, i in known.items()],
    )
    names = {row["content"]: row["id"] for row in rows}
    return {
        "special_tokens": names,
        "kinds": {row["id"]: ADDED for row in rows if not row["special"]},
        "around": Around(*map(tuple, beside.around(("", ""), names, {}))),
    }


TIKTOKEN = Format(
    "tiktoken ranks",
    "tiktoken",
    # tiktoken's own `load_tiktoken_bpe` caches the file by its name, and returns the old ranks after a change
    loaded_by="import base64, json, tiktoken\n"
    "ranks = {base64.b64decode(token): int(rank) for token, rank in map(str.split, open('tokenizer.tiktoken'))}\n"
    "mine = tiktoken.Encoding('mine', mergeable_ranks=ranks, **json.load(open('tokenizer.tiktoken.json')))",
    files=("tokenizer.tiktoken", "tokenizer.tiktoken.json"),
    ends=(".tiktoken", ".tiktoken.json"),
    kinds=({"ranks"}, {"split", "ranks"}),
    read=lambda contents, parts, beside: read_ranks(
        contents["ranks"], parts if "split" in contents else None, beside.chosen, beside
    ),
    write=_write,
    beside=_beside,
    also=("tiktoken",),
    other_names=(("tiktoken.model",), ("qwen.tiktoken",)),
)
