"""GPT-2's two files: `vocab.json`, token → id, and `merges.txt`, a pair of tokens in each line.

The files contain neither the pretokenizer nor the special tokens. The pretokenizer is GPT-2's, or CLIP's if words end
in `</w>`. The special tokens are the tokens that are neither a base symbol nor made by a
merge.
"""

from __future__ import annotations

import json
from typing import Any

from bpe_core.files.format import Format, FormatError, Parts, in_unicode, only_plain_bytes
from bpe_core.files.hugging_face_parts import Part, special_token_parts
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.reading import id_of, lines_of
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.text.gpt2_bytes import in_letters
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

NAME = "vocab.json + merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
FIRST_LINE = "#version: 0.2"
_END_OF_WORD = "</w>"
_LETTERS = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
GPT2: dict[str, Any] = {"normalizer": None, "pre_tokenizer": _LETTERS, "decoder": _LETTERS, "model": {}}
# The same parts as in transformers' CLIPTokenizerFast.
CLIP: dict[str, Any] = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {
                "type": "Split",
                "pattern": {"Regex": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"},
                "behavior": "Removed",
                "invert": True,
            },
            {**_LETTERS, "use_regex": False},
        ],
    },
    "decoder": {
        "type": "Sequence",
        "decoders": [
            _LETTERS,
            {"type": "Replace", "pattern": {"String": _END_OF_WORD}, "content": " "},
            {"type": "Strip", "content": " ", "start": 0, "stop": 1},
        ],
    },
    "model": {"end_of_word_suffix": _END_OF_WORD, "unk_token": "<|endoftext|>"},
}
MOST_SPECIALS = 300  # the special tokens are guessed; a published tokenizer of this format has 256 at most


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, NAME)
    if tokenizer.pretokenizer != PRETOKENIZERS["gpt2"]:
        raise FormatError(
            f"{NAME} is read with GPT-2's pretokenizer, and this vocabulary has “{tokenizer.pretokenizer.title}”"
        )
    written = [in_letters(token) for token in tokenizer.tokens]
    vocabulary = {token: i for i, token in enumerate(written) if token}
    for name, i in tokenizer.special_tokens.items():
        in_unicode(name, "the special token")
        if len(name) == 1 or name in vocabulary:
            raise FormatError(f"{NAME} cannot say that {name!r:.60} is special: it is written like an ordinary token")
        vocabulary[name] = i
    if len(tokenizer.special_tokens) > MOST_SPECIALS:
        raise FormatError(f"{NAME} cannot say which of more than {MOST_SPECIALS} tokens are special")
    lines = [FIRST_LINE, *(f"{written[left]} {written[right]}" for left, right, _ in tokenizer.merges)]
    return json.dumps(vocabulary, ensure_ascii=False).encode(), ("\n".join(lines) + "\n").encode()


def _beside(name: str) -> tuple[str, ...]:
    if not name.endswith(VOCAB):
        raise FormatError(f"{name} has to end in {VOCAB}, so that its {MERGES} can be found beside it")
    return (name.removesuffix(VOCAB) + MERGES,)


def read_vocab_merges(vocabulary: Parts, merges: bytes) -> LibraryTokenizer:
    """Return the tokenizer in the two files. A token that is no base symbol and made by no merge is special.

    `vocabulary`: the parsed `vocab.json`. `merges`: the content of `merges.txt`. The two files become one
    `tokenizer.json`: GPT-2's, or CLIP's if words end in `</w>`.

    >>> read_vocab_merges({"h": 0, "u": 1, "hu": 2}, b"h u\\n").ids("hu")
    [2]
    """
    ids = {token: id_of(i, repr(token[:60])) for token, i in vocabulary.items()}
    lines = [line for line in lines_of(merges) if line and not line.startswith("#version")]
    pairs = [line.split(" ") for line in lines]
    wrong = next((line for line, pair in zip(lines, pairs, strict=True) if len(pair) != 2), None)
    if wrong is not None:
        raise FormatError(f"a line of {MERGES} has to be two tokens, and is {wrong[:60]!r}")
    shape = CLIP if any(right.endswith(_END_OF_WORD) for _, right in pairs) else GPT2
    model = {"type": "BPE", "vocab": ids, "merges": pairs, **shape["model"]}
    parts = {**shape, "version": "1.0", "added_tokens": _special(ids, pairs, shape), "model": model}
    return read_tokenizer_json(json.dumps(parts).encode(), parts)


def _special(ids: dict[str, int], pairs: list[list[str]], shape: dict[str, Any]) -> list[Part]:
    """Return the tokens that are no base symbols and made by no merge, as special tokens."""
    made = {left + right for left, right in pairs}
    end = shape["model"].get("end_of_word_suffix", "")
    base = {token for token in ids if len(token.removesuffix(end)) == 1}
    specials = {token: i for token, i in ids.items() if token not in made and token not in base}
    if len(specials) > MOST_SPECIALS:
        raise FormatError(
            f"{len(specials):,} tokens of {VOCAB} are made by no merge: {MERGES} is incomplete, or another vocabulary's"
        )
    if "" in ids or len(set(ids.values())) < len(ids):
        raise FormatError(f"{VOCAB} has an empty token, or one id twice")
    return special_token_parts(specials)


VOCAB_MERGES = Format(
    "GPT-2's vocab.json and merges.txt",
    "tokenizers, transformers",
    "tokenizers.ByteLevelBPETokenizer('vocab.json', 'merges.txt')",
    files=(VOCAB, MERGES),
    ends=(VOCAB, MERGES),
    kinds=({"json", "merges"},),
    read=lambda contents, parts, _pretokenizer: read_vocab_merges(parts, contents["merges"]),
    write=_write,
    beside=_beside,
    also=(VOCAB, MERGES),
)
