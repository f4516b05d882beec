"""Writing Hugging Face's `tokenizer.json`: normalizer, pretokenizer, ids, merges and special tokens in one file.

Bytes are written as GPT-2's letters (see `in_letters`), characters as they are. `<unk>` is for characters that the
vocabulary lacks. The format is the serialized form of `tokenizers.Tokenizer`.
"""

from __future__ import annotations

import json
from functools import singledispatch

from bpe_core.files.format import Format, FormatError, in_unicode
from bpe_core.files.hugging_face_parts import (
    BYTE_LEVEL,
    Part,
    normalizer_part,
    post_processor_part,
    pretokenizer_part,
    special_token_parts,
)
from bpe_core.files.tokenizer_json_read import read_with_neighbours
from bpe_core.models.unigram import Unigram
from bpe_core.models.wordpiece import WordPiece
from bpe_core.models.wordpiece_tokenizer import CONTINUING as CONTINUING
from bpe_core.models.wordpiece_tokenizer import WordPieceTokenizer
from bpe_core.text.alphabet import MARKER, in_letters
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.vocabulary import UNKNOWN_TEXT

UNKNOWN_NAMES = {"WordPiece": "[UNK]", "Unigram": "<unk>"}
_DECODERS: dict[str, Part] = {
    "bytes": {**BYTE_LEVEL, "use_regex": True},
    "characters": {"type": "Fuse"},
    "WordPiece": {"type": "WordPiece", "prefix": CONTINUING, "cleanup": False},
}


def _file(
    model: Part,
    special_tokens: list[Part],
    normalizer: Part | None,
    pretokenizer: Part | None,
    decoder: Part,
    post_processor: Part | None = None,
) -> bytes:
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special_tokens,
        "normalizer": normalizer,
        "pre_tokenizer": pretokenizer,
        "post_processor": post_processor,
        "decoder": decoder,
        "model": model,
    }
    return json.dumps(parts, ensure_ascii=False, indent=1).encode()


@singledispatch
def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    if tokenizer.word_marker != "none":
        raise FormatError(
            "tokenizer.json has no word marker that is a symbol of its own, only a suffix glued to the last letter; "
            "train with the word marker “none”"
        )
    content = _file(
        _bpe(tokenizer),
        special_token_parts(tokenizer.special_tokens, tokenizer.vocabulary.added),
        normalizer_part(tokenizer.normalizers),
        pretokenizer_part(tokenizer.pretokenizer, tokenizer.alphabet),
        _DECODERS[tokenizer.alphabet],
        post_processor_part(tokenizer.around, tokenizer.special_tokens, tokenizer.around_two),
    )
    return (content,)


@_write.register
def _write_wordpiece(tokenizer: WordPieceTokenizer) -> tuple[bytes, ...]:
    within = tokenizer.vocabulary.within
    names = {_text(token): i for i, token in enumerate(tokenizer.tokens) if token and i not in within}
    names |= tokenizer.special_tokens
    names |= {CONTINUING + _text(tokenizer.tokens[i]): i for i in sorted(within)}
    unknown = next((name for name, i in names.items() if i == tokenizer.unknown_id), None)
    if unknown is None:
        raise FormatError("tokenizer.json needs a token for unknown words, and this vocabulary has none")
    content = _file(
        _wordpiece_part(names, unknown, tokenizer.longest_word),
        special_token_parts(tokenizer.special_tokens, tokenizer.vocabulary.added),
        normalizer_part(tokenizer.normalizers),
        pretokenizer_part(tokenizer.pretokenizer, tokenizer.alphabet),
        {**_DECODERS["WordPiece"], "cleanup": True},
        post_processor_part(tokenizer.around, tokenizer.special_tokens, tokenizer.around_two),
    )
    return (content,)


def _bpe(tokenizer: Tokenizer) -> Part:
    """Return the part `model` of a tokenizer."""
    in_file = in_letters if tokenizer.alphabet == "bytes" else _text
    written = [in_file(token) for token in tokenizer.tokens]
    vocabulary = _vocabulary(tokenizer, written)
    added = _added(tokenizer)
    for name in added:
        vocabulary[name] = max(vocabulary.values(), default=-1) + 1
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": added[0] if added else None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": tokenizer.whole_words,
        "vocab": vocabulary,
        "merges": [[written[left], written[right]] for left, right, _ in tokenizer.merges],
    }


def _vocabulary(tokenizer: Tokenizer, written: list[str]) -> dict[str, int]:
    """Return text → id of every token, special tokens included. `written`: the texts of the other tokens, by id."""
    vocabulary = {token: i for i, token in enumerate(written) if token}
    if len(vocabulary) < sum(map(bool, written)):
        raise FormatError("tokenizer.json contains every token once, and this vocabulary has a token with two ids")
    for name, i in tokenizer.special_tokens.items():
        in_unicode(name, "the special token")
        if len(name) == 1 and tokenizer.normalizers:
            raise FormatError(f"the special token {name!r} is a character that normalizing may make: not supported")
        if vocabulary.get(name, i) != i:
            raise FormatError(f"the special token {name!r} is written like an ordinary token, and can have no other id")
        vocabulary[name] = i
    return vocabulary


def _added(tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens that the file has besides the tokenizer's own: one for characters that the vocabulary lacks.

    >>> from bpe_core import Settings, train
    >>> [_added(train("hug", Settings("whitespace", alphabet)).tokenizer()) for alphabet in ("characters", "bytes")]
    [('<unk>',), ()]
    """
    if tokenizer.alphabet != "characters":
        return ()
    name, taken = UNKNOWN_TEXT, {*tokenizer.tokens, *(special.encode() for special in tokenizer.special_tokens)}
    while name.encode() in taken:
        name = f"<{name}>"
    return (name,)


def _text(token: bytes) -> str:
    """Return the text of a token; raise `FormatError` if it has a lone surrogate.

    >>> _text(b"hug")
    'hug'
    """
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise FormatError("tokenizer.json holds text, and a token has half a character (a lone surrogate)") from None


def dumps_model(model: WordPiece | Unigram, normalizers: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Return the file of a WordPiece or Unigram model, name → content. The ids are the model's own.

    `normalizers`: keys of `NORMALIZERS`; the model itself has none. The file has one token more than the model: the
    unknown token, which has the last id. Where a text has the name of this token, `[UNK]` or `<unk>`, the library reads
    the name as the token; our model reads it as text. Hugging Face's Unigram makes one token of several unknown
    characters in a row. Raises `FormatError` if the file cannot contain the model.

    >>> from bpe_core import Settings
    >>> from bpe_core.models.wordpiece import train_counts
    >>> run = train_counts({"hug": 10, "hugs": 5}, Settings("whitespace", "characters", vocab_size=6))
    >>> list(json.loads(dumps_model(run.tokenizer())["tokenizer.json"])["model"]["vocab"])
    ['h', '##g', '##s', '##u', 'hu', 'hug', '[UNK]']
    """
    if isinstance(model, WordPiece):
        name, part, decoder = "WordPiece", _wordpiece(model), _DECODERS["WordPiece"]
    else:
        name, part, decoder = "Unigram", _unigram(model), _DECODERS["characters"]
    content = _file(
        part,
        special_token_parts({UNKNOWN_NAMES[name]: len(model.tokens)}),
        normalizer_part(normalizers),
        pretokenizer_part(model.pretokenizer, "characters"),
        decoder,
    )
    return {"tokenizer.json": content}


def _wordpiece(model: WordPiece) -> Part:
    written = [
        CONTINUING + _text(token.removeprefix(MARKER)) if token.startswith(MARKER) else _text(token)
        for token in model.tokens
    ]
    if UNKNOWN_NAMES["WordPiece"] in written:
        raise FormatError("the vocabulary has a token [UNK], which is the name for unknown characters in the file")
    written.append(UNKNOWN_NAMES["WordPiece"])
    vocabulary = {token: i for i, token in enumerate(written)}
    if len(vocabulary) < len(written):
        raise FormatError(
            f"a token of this vocabulary begins with {CONTINUING}, the mark of tokens that continue a word"
        )
    return _wordpiece_part(vocabulary, UNKNOWN_NAMES["WordPiece"], model.longest_word)


def _wordpiece_part(vocabulary: dict[str, int], unknown: str, longest_word: int) -> Part:
    return {
        "type": "WordPiece",
        "unk_token": unknown,
        "continuing_subword_prefix": CONTINUING,
        "max_input_chars_per_word": longest_word,
        "vocab": vocabulary,
    }


def _unigram(model: Unigram) -> Part:
    rows = [(_text(token), score) for token, score in zip(model.tokens, model.logs, strict=True)]
    if any(text == UNKNOWN_NAMES["Unigram"] for text, _ in rows):
        raise FormatError("the vocabulary has a token <unk>, which is the name for unknown characters in the file")
    least = min(model.logs, default=0.0)  # unknown characters are as unlikely as in our model
    return {
        "type": "Unigram",
        "unk_id": len(rows),
        "vocab": [*rows, (UNKNOWN_NAMES["Unigram"], least)],
        "byte_fallback": False,
    }


TOKENIZER_JSON = Format(
    "Hugging Face tokenizer.json",
    "tokenizers, transformers",
    loaded_by="import tokenizers\nmine = tokenizers.Tokenizer.from_file('tokenizer.json')",
    files=("tokenizer.json",),
    ends=("tokenizer.json",),
    kinds=({"tokenizer"},),
    read=lambda contents, parts, beside: read_with_neighbours(contents["tokenizer"], parts, beside),
    write=_write,
    adds=_added,
    also=("json", "huggingface"),
)
