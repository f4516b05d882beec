"""GPT-2's pair of files: `vocab.json`, token → id, and `merges.txt`, a pair of tokens a line.

They say nothing of the cut or of special tokens: whoever reads them cuts as GPT-2 does.
"""

from __future__ import annotations

import json
from typing import Any

from bpe_core.files.format import Format, FormatError, only_plain_bytes
from bpe_core.files.reading import id_of, lines_of
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.text.gpt2_bytes import in_letters
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

NAME = "vocab.json + merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
FIRST_LINE = "#version: 0.2"
MOST_SPECIALS = 300  # what the files do not say is guessed: the most of a published one are 256


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


def read_vocab_merges(vocabulary: dict[str, Any], merges: bytes) -> Tokenizer:
    """The tokenizer of the two, the first parsed, with GPT-2's cut; a token that no merge makes is a special one."""
    ids = {token: id_of(i, repr(token[:60])) for token, i in vocabulary.items()}
    lines = [line for line in lines_of(merges) if line and not line.startswith("#version")]
    pairs = [tuple(line.split(" ")) for line in lines]
    wrong = next((line for line, pair in zip(lines, pairs, strict=True) if len(pair) != 2), None)
    if wrong is not None:
        raise FormatError(f"a line of {MERGES} has to be two tokens, and is {wrong[:60]!r}")
    made = {left + right for left, right in pairs}
    specials = {token: i for token, i in ids.items() if len(token) > 1 and token not in made}
    if len(specials) > MOST_SPECIALS:
        raise FormatError(
            f"{len(specials):,} tokens of {VOCAB} are made by no merge: {MERGES} is cut off, or another vocabulary's"
        )
    if "" in ids or len(set(ids.values())) < len(ids):
        raise FormatError(f"{VOCAB} has an empty token, or one id twice")
    cut = {"type": "ByteLevel", "add_prefix_space": False}
    added = [{"id": i, "content": name, "special": True} for name, i in specials.items()]
    model = {"vocab": ids, "merges": [list(pair) for pair in pairs]}
    return read_tokenizer_json({"model": model, "pre_tokenizer": cut, "added_tokens": added})


VOCAB_MERGES = Format(
    "GPT-2's vocab.json and merges.txt",
    "tokenizers, transformers",
    "tokenizers.ByteLevelBPETokenizer('vocab.json', 'merges.txt')",
    (VOCAB, MERGES),
    _write,
    _beside,
)
