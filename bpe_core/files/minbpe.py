"""minbpe's `.model` files: a line that says so, the pattern, the special tokens, and the merges as pairs of ids.

Bytes have their values as ids and merges follow in order, so no id is written. minbpe takes the white space off both
ends of a line. Format: `save` and `load` of minbpe's `Tokenizer`.
"""

from __future__ import annotations

import regex

from bpe_core.files.format import Format, FormatError, base_bytes, in_unicode, only_plain_bytes
from bpe_core.tokenizer import Tokenizer

FIRST_LINE = "minbpe v1"


def _pattern_line(pattern: str) -> str:
    """The pattern in one line that neither starts nor ends with white space, without capturing groups."""
    if regex.compile(pattern).groups:
        raise FormatError("minbpe takes the groups of a pattern for its pieces; write (?:…) instead of (…)")
    if pattern.splitlines() != [pattern]:
        raise FormatError("a minbpe model holds its pattern in one line, and this pattern has a line break")
    return pattern if pattern == pattern.strip() else f"(?:{pattern})"


def _special_lines(special_tokens: dict[str, int]) -> list[str]:
    """The longest first: minbpe takes the first that fits."""
    for name in special_tokens:
        in_unicode(name, "the special token")
        if len(name.split()) != 1 or name != name.strip():
            raise FormatError(f"a minbpe model cannot hold the special token {name!r}, which has white space")
    return [f"{name} {special_tokens[name]}" for name in sorted(special_tokens, key=len, reverse=True)]


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, "minbpe")
    in_order = all(new == 256 + k for k, (_, _, new) in enumerate(tokenizer.merges))
    if not in_order or any(token != bytes([i]) for token, i in base_bytes(tokenizer).items()):
        raise FormatError("minbpe numbers bytes by their values and then the merges, and these ids are others")
    lines = [FIRST_LINE, _pattern_line(tokenizer.pretokenizer.pattern), str(len(tokenizer.special_tokens))]
    lines += _special_lines(dict(tokenizer.special_tokens))
    lines += [f"{left} {right}" for left, right, _ in tokenizer.merges]
    return (("\n".join(lines) + "\n").encode(),)


MINBPE = Format(
    "minbpe model", "minbpe", "minbpe.RegexTokenizer().load('tokenizer.model')", ("tokenizer.model",), _write
)
