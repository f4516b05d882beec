"""Files that are no tokenizer or a part of one, often called like one: each with words of its right sentence."""

from __future__ import annotations

import gzip
import json
import pickle
import struct
from base64 import b64encode
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import numpy as np
import sentencepiece
from tokenizers import models

from tests.texts import EXAMPLE_TEXTS

S3 = b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
WORDS = sorted({word for word in EXAMPLE_TEXTS["short-story"].split() if word.isalpha()})[:80]


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _saved(model: models.Model) -> dict[str, bytes]:
    """Return the files that the library writes for a model alone."""
    with TemporaryDirectory() as folder:
        return {Path(name).name: Path(name).read_bytes() for name in model.save(folder)}


def _piece_list() -> bytes:
    """Return the `.vocab` that SentencePiece writes beside a model."""
    with TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(EXAMPLE_TEXTS["short-story"].splitlines()), model_prefix=f"{folder}/m",
            vocab_size=300, model_type="bpe", minloglevel=2, hard_vocab_limit=False,
        )  # fmt: skip
        return Path(folder, "m.vocab").read_bytes()


def _zip(name: str) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w") as archive:
        archive.writestr(name, pickle.dumps({}))
    return written.getvalue()


def _npy() -> bytes:
    written = BytesIO()
    np.save(written, np.zeros(3))
    return written.getvalue()


def _vectors(rows: int, size: int, header: bool) -> bytes:
    lines = [f"{rows} {size}"] if header else []
    lines += [" ".join([word, *(f"{0.01 * at:.3f}" for at in range(size))]) for word in WORDS[:rows]]
    return ("\n".join(lines) + "\n").encode()


def _safetensors() -> bytes:
    header = _json({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})
    return struct.pack("<Q", len(header)) + header + bytes(4)


def _youtokentome() -> bytes:
    """Return a model as youtokentome writes it: characters with their ids, rules, and the ids of special tokens."""
    characters = [f"{ord(char)} {at + 4}" for at, char in enumerate("ethuga")]
    return "\n".join([f"{len(characters)} 2", *characters, "5 6 10", "10 4 11", "1 0 2 3", ""]).encode()


@cache
def others() -> dict[str, tuple[bytes, str]]:
    """Return kind → (content, words that its refusal has)."""
    pair = _saved(models.BPE({"u": 0, "g": 1, "h": 2, "ug": 3, "model": 4}, [("u", "g")]))
    wordpiece = _saved(models.WordPiece({"[UNK]": 0, "hug": 1, "##s": 2, "##ing": 3}, unk_token="[UNK]"))
    unigram = _saved(models.Unigram([("<unk>", 0.0), ("hug", -1.0)], 0))
    counts = "\n".join(f"{word} {900 - 7 * at}" for at, word in enumerate(WORDS)) + "\n"
    codes = "t h\nth e</w>\na n\nan d</w>\n"
    return {
        "vocab.json alone": (pair["vocab.json"], "a vocabulary without its merges: add merges.txt"),
        "merges.txt alone": (pair["merges.txt"], "merges without their vocabulary: add vocab.json"),
        "added_tokens.json": (_json({"<x>": 500, "<y>": 501}), "added tokens without their vocabulary"),
        "vocab.json of WordPiece": (_json({"[UNK]": 0, "hug": 1, "##s": 2}), "a vocabulary of WordPiece"),
        "vocab.json of Marian": (_json({"</s>": 0, "▁the": 1, "s": 2}), "SentencePiece's pieces.*open the .model"),
        "vocab.json of words": (_json({word: at for at, word in enumerate(WORDS)}), "whole words, which has no merges"),
        "ids to tokens": (_json({str(at): word for at, word in enumerate(WORDS)}), "gives a token to each id"),
        "ids as texts": (_json({chr(97 + at): str(at) for at in range(20)}), "ids are texts.*write its ids as"),
        "ranks without padding": (
            b"".join(b"%s %d\n" % (b64encode(bytes([i])).rstrip(b"="), i) for i in range(256)), "lack the = at the end"
        ),
        "params.json": (_json({"dim": 4096, "n_heads": 32, "n_layers": 32, "vocab_size": -1}), "numbers by name"),
        "ranks.json": (_json({b64encode(bytes([i])).decode(): i for i in range(256)}), "write them as lines of a"),
        "wav2vec2": (_json({"<pad>": 0, "|": 1, **{letter: ord(letter) for letter in "ETAOINSH"}}), "of letters"),
        "words.json": (_json(WORDS), "a list of texts"),
        "unigram.json": (unigram["unigram.json"], "the part “model” of a tokenizer.json"),
        "split of ranks": (_json({"pat_str": r"\S+", "special_tokens": {}}), "split text: add the .tiktoken file"),
        "js-tiktoken": (_json({"pat_str": "x", "special_tokens": {}, "bpe_ranks": "! 0 IQ=="}), "js-tiktoken"),
        "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 499723\n", "`git lfs pull`"),
        "page": (b"<!DOCTYPE html>\n<html><head><title>Log in</title></head></html>", "a web page.*download"),
        "page with a comment": (b"<!-- saved\nfrom -->\n<html></html>", "a web page"),
        "page of XHTML": (b'<?xml version="1.0"?>\n<html xmlns="x"></html>', "a web page"),
        "S3": (S3, "the answer of a server.*download"),
        "JSON of an error": (_json({"error": "Repository not found"}), "the answer of a server.*download"),
        "JSON of a message": (_json({"message": "Not Found", "status": "404"}), "the answer of a server"),
        **{f"answer {text}": (text, "the answer of a server.*download") for text in (
            b"Not Found", b"404: Not Found\n", b"Access denied", b"Entry not found", b"Bad Gateway",
            b"Invalid username or password.", b"Access to model a/b is restricted and you are not logged in.",
        )},
        "redirection": (b"Found. Redirecting to https://cdn.example/" + b"a" * 900, "another address: follow it"),
        "empty": (b"\n \n", "this file is empty"),
        "UTF-16": ('{"version": "1.0"}'.encode("utf-16"), "text in UTF-16: save the file in UTF-8"),
        "Keras": (_json({"class_name": "Tokenizer", "config": {"word_index": "{}"}}), "Keras"),
        "Keras twice": (_json('{"class_name": "Tokenizer", "config": {}}'), "Keras"),
        "tokenizer_config.json": (_json({"tokenizer_class": "GPT2Tokenizer"}), "a tokenizer_config.json without its"),
        "special_tokens_map.json": (_json({"bos_token": "<s>"}), "a special_tokens_map.json without its"),
        "config.json": (_json({"model_type": "gpt2", "vocab_size": 9}), "the config of a model.*open the tok"),
        "generation_config.json": (_json({"bos_token_id": 1, "transformers_version": "4.3"}), "config"),
        "index": (_json({"metadata": {}, "weight_map": {"a": "b"}}), "weights"),
        "chat template": (_json({"chat_template": "{{ messages }}"}), "a chat template without a vocabulary"),
        "model card": (b"---\nlicense: mit\n---\n\n# A model\n", "a document, such as a model card"),
        "spaCy": (_json({"lang": "en", "name": "x", "pipeline": []}), "spaCy"),
        "config.cfg of spaCy": (b'[paths]\ntrain = null\n\n[nlp]\nlang = "en"\n', "spaCy"),
        "subword-nmt": (b"#version: 0.2\n" + codes.encode(), "codes of byte-pair encoding, as subword-nmt"),
        "subword-nmt without a header": (codes.encode(), "codes of byte-pair encoding, as subword-nmt"),
        "subword-nmt of Polish": ("ł o\nż y</w>\nt ą\n".encode(), "codes of byte-pair encoding, as subword-nmt"),
        "merges of CLIP": ("i n\nâ ģ</w>\ne r</w>\n".encode(), "merges without their vocabulary: add vocab.json"),
        "fastBPE": (b"t h 812\nth e</w> 700\n", "codes of fastBPE, with counts"),
        "youtokentome": (_youtokentome(), "youtokentome"),
        "CLIP": (b'"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\nt h\nin g</w>\n', "CLIP's merges"),
        "word2vec": (_vectors(20, 5, True), "vectors of words"),
        "GloVe": (_vectors(20, 50, False), "vectors of words"),
        "word2vec, binary": (b"2 3\nthe " + np.array([0.5, -1.25, 3], "<f4").tobytes() + b"\n", "vectors of words"),
        "fastText": (struct.pack("<ii", 793712314, 12) + bytes(60), "vectors of words"),
        "gensim": (pickle.dumps({"gensim.models.word2vec": "Word2Vec"}), "vectors of words"),
        "SentencePiece .vocab": (_piece_list(), "SentencePiece writes beside its model: open the .model"),
        "WordPiece vocab.txt": (wordpiece["vocab.txt"], "a vocabulary of WordPiece, one token a line"),
        "words": ("\n".join(WORDS).encode(), "a list of words"),
        "counts of words": (counts.encode(), "words with their counts"),
        "RWKV": (b"1 '\\x00' 1\n2 '\\x01' 1\n256 b'\\xff' 1\n257 '\\t\\t' 2\n", "RWKV"),
        "minbpe .vocab": (b"[\\u0000] 0\n[a] 97\n[a][b] -> [ab] 256\n", "the .vocab that minbpe writes"),
        "pickle": (pickle.dumps({"model": "x"}), "a pickle, which could run any program"),
        "PyTorch": (_zip("archive/data.pkl"), "weights"),
        "zip": (_zip("tokenizer.bin"), "a packed file: unpack it"),
        "gzip": (gzip.compress(b"minbpe v1\n" * 9), "a packed file: unpack it"),
        "safetensors": (_safetensors(), "weights.*open the tokenizer.json"),
        "ONNX": (b"\x08\x08\x12\x07pytorch" + bytes(9), "weights"),
        "HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(9), "HDF5"),
        "NumPy": (_npy(), "NumPy"),
        "GGML": (b"lmgg" + bytes(40), "before GGUF: convert it"),
        "text": (EXAMPLE_TEXTS["short-story"].encode(), "this file is not a tokenizer. Files that open: "),
        "picture": (b"\x89PNG\r\n\x1a\n" + bytes(20), "this file is not a tokenizer. Files that open: "),
        "base64": (b64encode(bytes(range(256))), "this file is not a tokenizer. Files that open: "),
    }  # fmt: skip
