"""Our WordPiece and Unigram models as Hugging Face's `tokenizer.json`."""

from __future__ import annotations

import json
from typing import Any

from bpe_core.files.format import FormatError
from bpe_core.files.hugging_face_parts import normalizer_json, special_tokens_json, whole_text
from bpe_core.files.pretokenizers_written import to_hugging_face
from bpe_core.models.unigram import Unigram
from bpe_core.models.wordpiece import WordPiece
from bpe_core.text.alphabet import MARKER

CONTINUING = "##"  # how a token that continues a word is written
UNKNOWN_NAMES = {"WordPiece": "[UNK]", "Unigram": "<unk>"}


def dumps_model(model: WordPiece | Unigram, normalizers: tuple[str, ...] = ()) -> dict[str, bytes]:
    """The file of a model, by its name. Ids are the model's own; the last is for what the vocabulary lacks.

    `normalizers`: keys of `NORMALIZERS`, which the model itself does not know. Where several unknown characters follow
    each other, Hugging Face's Unigram makes one token of them. Raises `FormatError` for what the file cannot carry.

    >>> from bpe_core import Settings
    >>> from bpe_core.models.wordpiece import train_counts
    >>> run = train_counts({"hug": 10, "hugs": 5}, Settings("whitespace", "characters", vocab_size=6))
    >>> list(json.loads(dumps_model(run.tokenizer())["tokenizer.json"])["model"]["vocab"])
    ['h', '##g', '##s', '##u', 'hu', 'hug', '[UNK]']
    """
    described = _wordpiece(model) if isinstance(model, WordPiece) else _unigram(model)
    unknown = UNKNOWN_NAMES[described["type"]]
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special_tokens_json({unknown: len(model.tokens)}),
        "normalizer": normalizer_json(normalizers),
        "pre_tokenizer": to_hugging_face(model.pretokenizer, "characters"),
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": CONTINUING, "cleanup": False}
        if isinstance(model, WordPiece)
        else {"type": "Fuse"},
        "model": described,
    }
    return {"tokenizer.json": json.dumps(parts, ensure_ascii=False, indent=1).encode()}


def _wordpiece(model: WordPiece) -> dict[str, Any]:
    written = [
        CONTINUING + whole_text(token.removeprefix(MARKER)) if token.startswith(MARKER) else whole_text(token)
        for token in model.tokens
    ]
    written.append(UNKNOWN_NAMES["WordPiece"])
    vocabulary = {token: i for i, token in enumerate(written)}
    if len(vocabulary) < len(written):
        raise FormatError(f"a token of this vocabulary begins with {CONTINUING}, which is how others are marked there")
    return {
        "type": "WordPiece",
        "unk_token": UNKNOWN_NAMES["WordPiece"],
        "continuing_subword_prefix": CONTINUING,
        "max_input_chars_per_word": model.longest_word,
        "vocab": vocabulary,
    }


def _unigram(model: Unigram) -> dict[str, Any]:
    rows = [[whole_text(token), score] for token, score in zip(model.tokens, model.logs, strict=True)]
    if any(text == UNKNOWN_NAMES["Unigram"] for text, _ in rows):
        raise FormatError("the vocabulary has a token <unk>, which stands for unknown characters there")
    least = min(model.logs, default=0.0)  # so that unknown characters are as unlikely as in ours
    return {
        "type": "Unigram",
        "unk_id": len(rows),
        "vocab": [*rows, [UNKNOWN_NAMES["Unigram"], least]],
        "byte_fallback": False,
    }
