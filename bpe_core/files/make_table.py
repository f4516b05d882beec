"""The command that makes the table of a published vocabulary from the file that was published.

    python -m bpe_core.files.make_table o200k_base o200k_base.tiktoken

The file is the `source` of a row of `PUBLISHED`. Nothing is written unless the file's ranks have the row's `sha256`.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from bpe_core.files.merges_of_ranks import merges_of
from bpe_core.files.reading import json_of
from bpe_core.files.tekken import tekken_ranks
from bpe_core.files.tiktoken_ranks import rank_lines, ranks_of_lines
from bpe_core.models.wordpiece_tokenizer import CONTINUING
from bpe_core.published import PUBLISHED
from bpe_core.published.merge_table import written, written_tokens


def main(name: str, source: str) -> None:
    """Read the published file `source` and write the table of the vocabulary `name`."""
    content = Path(source).read_bytes()
    if not PUBLISHED[name].model.has_merges:
        return _write_tokens(name, json_of(content))
    order = tekken_ranks(json_of(content))[0] if source.endswith(".json") else ranks_of_lines(content)
    row = PUBLISHED[name]
    if sha256(rank_lines(order)).hexdigest() != row.sha256:
        sys.exit(f"{source} is not the file that was published as {name}")
    number = {token: k for k, (token, _) in enumerate(order)}
    of_rank = {rank: k for k, (_, rank) in enumerate(order)}
    pairs = [(of_rank[left], of_rank[right]) for left, right, _ in merges_of(order)]
    base = b"".join([token for token, _ in order if len(token) == 1])
    if [number[bytes([byte])] for byte in base] != [*range(256)]:
        sys.exit("the single bytes do not have the lowest ranks, which a table needs")
    row.table.write_bytes(written(base, pairs))
    print(f"{row.table}: {len(pairs):,} merges, {row.table.stat().st_size:,} bytes")


def _write_tokens(name: str, listed: list[str]) -> None:
    """Write the table of a WordPiece vocabulary. TensorFlow.js's list has `▁the` for `the`, and `ing` for `##ing`."""
    row, tokens = PUBLISHED[name], [*map(_as_published, listed)]
    tokens[1] = "[unused0]"  # TensorFlow.js's list has ▁ alone instead
    if sha256("".join(f"{token}\n" for token in tokens).encode()).hexdigest() != row.sha256:
        sys.exit(f"this is not the list that was published as {name}")
    row.table.write_bytes(written_tokens(tokens))
    print(f"{row.table}: {len(tokens):,} tokens, {row.table.stat().st_size:,} bytes")


def _as_published(token: str) -> str:
    """Return a token as Google writes it.

    >>> [_as_published(token) for token in ("▁the", "ing", "[CLS]")]
    ['the', '##ing', '[CLS]']
    """
    named = len(token) > 2 and (token[0], token[-1]) == ("[", "]")
    return token if named else token[1:] if token.startswith("▁") else CONTINUING + token


if __name__ == "__main__":
    main(*sys.argv[1:])
