"""minbpe's `.model` files: lines with the version, the pattern, the special tokens, and the pairs of ids to merge.

The id of a byte is its value, and new ids follow in the order of merges, so a new id is not written. minbpe strips
white space from both ends of a line. The methods `save` and `load` of minbpe's `Tokenizer` define the format.
"""

from __future__ import annotations

import regex

from bpe_core.files.format import Format, FormatError, base_bytes, in_unicode, only_plain_bytes
from bpe_core.files.reading import (
    MAX_BYTES,
    MAX_MERGES,
    MAX_TOKEN,
    checked,
    id_of,
    lines_of,
    pretokenizer_of,
    whole_number,
)
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

FIRST_LINE = "minbpe v1"


def _pattern_line(pattern: str) -> str:
    """Return a line with the pattern, and no white space at its ends; `FormatError` for groups or line breaks."""
    in_unicode(pattern, "the pattern")
    if regex.compile(pattern).groups:
        raise FormatError("minbpe would take the groups of a pattern for pretokens; write (?:…) instead of (…)")
    if pattern.splitlines() != [pattern]:
        raise FormatError("a minbpe model holds its pattern in one line, and this pattern has a line break")
    return pattern if pattern == pattern.strip() else f"(?:{pattern})"


def _special_lines(special_tokens: dict[str, int]) -> list[str]:
    """Return the lines of the special tokens, the longest first: minbpe takes the first name that fits."""
    for name in special_tokens:
        in_unicode(name, "the special token")
        if len(name.split()) != 1 or name != name.strip():
            raise FormatError(f"a minbpe model cannot hold the special token {name!r}, which has white space")
    return [f"{name} {special_tokens[name]}" for name in sorted(special_tokens, key=len, reverse=True)]


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, "minbpe")
    in_order = all(new == 256 + k for k, (_, _, new) in enumerate(tokenizer.merges))
    if not in_order or any(token != bytes([i]) for token, i in base_bytes(tokenizer).items()):
        raise FormatError("minbpe numbers bytes by their values and then the merges, and this vocabulary has other ids")
    lines = [FIRST_LINE, _pattern_line(tokenizer.pretokenizer.pattern), str(len(tokenizer.special_tokens))]
    lines += _special_lines(dict(tokenizer.special_tokens))
    lines += [f"{left} {right}" for left, right, _ in tokenizer.merges]
    return (("\n".join(lines) + "\n").encode(),)


def _pretokenizer(line: str) -> Pretokenizer:
    if not line:  # minbpe's BasicTokenizer
        return PRETOKENIZERS["none"]
    stripped = (row for row in PRETOKENIZERS.values() if _pattern_line(row.pattern) == line)
    return next(stripped, None) or pretokenizer_of(_unwrapped(line))


def _unwrapped(line: str) -> str:
    """Return the pattern in a line, without the (?:…) that `_pattern_line` puts around white space at its ends."""
    inner = line[len("(?:") : -len(")")]
    try:
        return inner if inner != inner.strip() and _pattern_line(inner) == line else line
    except (regex.error, RecursionError, FormatError):  # the brackets at the ends are not one pair
        return line


def _specials(lines: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        name, number = [*line.split(maxsplit=1), "", ""][:2]
        what = f"the special token {name!r:.60}"
        i = id_of(whole_number(number.strip(), f"the id of {what}"), what)
        if name in found:
            raise FormatError(f"the special token {name!r:.60} is given twice")
        found[name] = i
    return dict(sorted(found.items(), key=lambda row: row[1]))


def _merged(lines: list[str]) -> tuple[tuple[bytes, ...], tuple[tuple[int, int, int], ...]]:
    """Return (tokens, merges) from lines with two ids each."""
    tokens = [bytes([byte]) for byte in range(256)]
    merges: dict[tuple[int, int], int] = {}
    size = 0
    for line in lines:
        if not (halves := line.split()):
            continue
        ids = [whole_number(half, f"each half of the merge {line[:60]!r}") for half in halves]
        if len(ids) != 2 or max(ids) >= len(tokens) or (ids[0], ids[1]) in merges:
            raise FormatError(
                f"the merge {line[:60]!r} needs two ids from 0 to {len(tokens) - 1}, and not for a second time"
            )
        left, right = ids
        merges[left, right] = len(tokens)
        tokens.append(tokens[left] + tokens[right])
        size += len(tokens[-1])
        if len(tokens[-1]) > MAX_TOKEN or size > MAX_BYTES or len(merges) > MAX_MERGES:
            raise FormatError(f"the merge {line[:60]!r} makes more or longer tokens than can be read")
    return tuple(tokens), tuple((left, right, new) for (left, right), new in merges.items())


def read_minbpe(content: bytes) -> Tokenizer:
    """Return the tokenizer in a minbpe model; `FormatError` says what is wrong.

    >>> read_minbpe(b"minbpe v1\\n\\n0\\n117 103\\n").ids("hug")  # no pattern, no special tokens, u + g
    [104, 256]
    """
    lines = lines_of(content.lstrip())
    if lines[0].strip() != FIRST_LINE:
        raise FormatError(f"a minbpe model starts with the line {FIRST_LINE!r}, and this file does not")
    if len(lines) < 4 or lines.pop():
        raise FormatError("the minbpe model is incomplete: its last line has no end; if nothing is missing, add one")
    count = whole_number(lines[2].strip(), "the number of special tokens in line 3")
    if count > len(lines) - 3:
        raise FormatError(f"the minbpe model is incomplete: it has fewer than its {count} special tokens")
    tokens, merges = _merged(lines[3 + count :])
    specials = _specials(lines[3 : 3 + count])
    return checked(Tokenizer(tokens, merges, _pretokenizer(lines[1].strip()), special_tokens=specials))


MINBPE = Format(
    "minbpe model",
    "minbpe",
    # `load` reads the pattern but does not compile it. Without the last statement, minbpe splits with GPT-4's pattern.
    loaded_by="import minbpe, regex\n"
    "mine = minbpe.RegexTokenizer()\n"
    "mine.load('tokenizer.model')\n"
    "mine.compiled_pattern = regex.compile(mine.pattern)",
    files=("tokenizer.model",),
    ends=(".model",),
    also=(".model", "model"),
    kinds=({"minbpe"},),
    read=lambda contents, _parts, _beside: read_minbpe(contents["minbpe"]),
    write=_write,
)
