"""GPT-2's pair of files: `vocab.json`, token → id, and `merges.txt`, a pair of tokens a line.

They say nothing of the cut or of special tokens: whoever reads them cuts as GPT-2 does.
"""

from __future__ import annotations

import json

from bpe_core.files.byte_letters import in_letters
from bpe_core.files.format import Format, FormatError, only_plain_bytes
from bpe_core.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer import Tokenizer

NAME = "vocab.json + merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
FIRST_LINE = "#version: 0.2"


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, NAME)
    if tokenizer.pretokenizer != PRETOKENIZERS["gpt2"]:
        raise FormatError(
            f"{NAME} is read with GPT-2's cut, and this vocabulary has the cut “{tokenizer.pretokenizer.title}”"
        )
    if tokenizer.special_tokens:
        raise FormatError(f"{NAME} cannot say which tokens are special; choose tokenizer.json")
    written = [in_letters(token) for token in tokenizer.tokens]
    vocabulary = {token: i for i, token in enumerate(written) if token}
    lines = [FIRST_LINE, *(f"{written[left]} {written[right]}" for left, right, _ in tokenizer.merges)]
    return json.dumps(vocabulary, ensure_ascii=False).encode(), ("\n".join(lines) + "\n").encode()


def _beside(name: str) -> tuple[str, ...]:
    if not name.endswith(VOCAB):
        raise FormatError(f"{name} has to end in {VOCAB}, so that its {MERGES} can be found beside it")
    return (name.removesuffix(VOCAB) + MERGES,)


VOCAB_MERGES = Format(
    "GPT-2's vocab.json and merges.txt",
    "tokenizers, transformers",
    "tokenizers.ByteLevelBPETokenizer('vocab.json', 'merges.txt')",
    (VOCAB, MERGES),
    _write,
    _beside,
)
