"""GGUF files, written by llama.cpp's own Python package from tokenizers that are known here."""

from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import sentencepiece
from gguf import GGUFWriter, TokenType
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from bpe_core import load
from bpe_core.text.alphabet import in_letters
from tests.texts import EXAMPLE_TEXTS

TEMPLATE = "{{ bos_token }}{% for message in messages %}{{ message['content'] }}{{ eos_token }}{% endfor %}"


def written(model, tokens, *, architecture="llama", **values):
    """The content of a GGUF; `values`: the model's `name`, its chat `template`, and what is under `tokenizer.ggml.`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.gguf"
        writer = GGUFWriter(path, architecture)
        writer.add_tokenizer_model(model)
        writer.add_token_list(tokens)
        name = values.pop("name", None)
        template = values.pop("template", None)
        if name:
            writer.add_name(name)
        if template:
            writer.add_chat_template(template)
        for key, value in values.items():
            _add(writer, f"tokenizer.ggml.{key}", value)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path.read_bytes()


def _add(writer, key, value):
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    else:
        writer.add_array(key, value)


def of_bytes(tokenizer, pre, **values):
    """A GGUF of a tokenizer with merges of bytes, as llama.cpp's converter writes it."""
    size = max(len(tokenizer.tokens), 1 + max(tokenizer.special_tokens.values(), default=-1))
    tokens, types = [f"[PAD{i}]" for i in range(size)], [TokenType.UNUSED] * size
    for i, token in enumerate(tokenizer.tokens):
        if token:
            tokens[i], types[i] = in_letters(token), TokenType.NORMAL
    for name, i in tokenizer.special_tokens.items():
        tokens[i], types[i] = name, TokenType.CONTROL
    merges = [f"{tokens[left]} {tokens[right]}" for left, right, _ in tokenizer.merges]
    return written("gpt2", tokens, pre=pre, token_type=list(map(int, types)), merges=merges, **values)


@cache
def gpt2():
    return of_bytes(load("gpt2"), "gpt-2", bos_token_id=50256, eos_token_id=50256, template=TEMPLATE)


@cache
def sentencepiece_model(kind, rule):
    """A SentencePiece model, trained on the example texts."""
    model = BytesIO()
    lines = [line for text in EXAMPLE_TEXTS.values() for line in text[:5000].splitlines() if line]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, vocab_size=900, model_type=kind, character_coverage=0.99,
        normalization_rule_name=rule, byte_fallback=kind == "bpe", remove_extra_whitespaces=kind == "unigram",
        user_defined_symbols=["<user>"], hard_vocab_limit=False, minloglevel=2, num_threads=1,
    )  # fmt: skip
    return model.getvalue()


def of_sentencepiece(content, **values):
    """A GGUF of a SentencePiece model, as llama.cpp's converter writes it.

    `values`: what is other than in the model, among it the kind, "llama" or "t5", as `model`.
    """
    model = ModelProto.FromString(content)
    charsmap = model.normalizer_spec.precompiled_charsmap
    if values["model"] == "t5":
        values = {"add_space_prefix": True, "remove_extra_whitespaces": True} | values
    if values["model"] == "t5" and charsmap:
        values = {"precompiled_charsmap": charsmap} | values
    given = {
        "token_type": [piece.type for piece in model.pieces],  # the numbers of the types are the same
        "scores": [piece.score for piece in model.pieces],
        "unknown_token_id": model.trainer_spec.unk_id,
        "bos_token_id": model.trainer_spec.bos_id,
        "eos_token_id": model.trainer_spec.eos_id,
    }
    return written(tokens=[piece.piece for piece in model.pieces], **given | values)


def of_tokenizer_json(parts, pre, **values):
    """A GGUF of a parsed `tokenizer.json` with merges of bytes, as llama.cpp's converter writes it."""
    added = parts["added_tokens"]
    ids = parts["model"]["vocab"] | {row["content"]: row["id"] for row in added}
    size = max(ids.values()) + 1
    tokens, types = [f"[PAD{i}]" for i in range(size)], [TokenType.UNUSED] * size
    for token, i in ids.items():
        tokens[i], types[i] = token, TokenType.NORMAL
    for row in added:
        types[row["id"]] = TokenType.CONTROL if row["special"] else TokenType.USER_DEFINED
    merges = [pair if isinstance(pair, str) else " ".join(pair) for pair in parts["model"]["merges"]]
    return written("gpt2", tokens, pre=pre, token_type=list(map(int, types)), merges=merges, **values)


def bert_tokens(tokenizer):
    """BERT's vocabulary as a GGUF has it: with a letter where a word begins, and without hashes elsewhere."""
    names = {i: name for name, i in tokenizer.special_tokens.items()}
    within = tokenizer.vocabulary.within
    return [
        names.get(i) or (token.decode() if i in within or token.startswith(b"[unused") else f"▁{token.decode()}")
        for i, token in enumerate(tokenizer.tokens)
    ]


def of_bert(tokenizer, **values):
    """A GGUF of BERT's vocabulary."""
    special = set(tokenizer.special_tokens.values())
    tokens = bert_tokens(tokenizer)
    types = [int(TokenType.CONTROL if i in special else TokenType.NORMAL) for i in range(len(tokens))]
    return written("bert", tokens, token_type=types, architecture="bert", **values)
