"""A file is recognised by its structure: whatever it is called, it has its library's ids or its right sentence."""

import json
import re
from base64 import b64encode
from contextlib import suppress
from functools import cache
from itertools import chain
from time import process_time

import pytest
import sentencepiece
import tiktoken
import tokenizers

from bpe_core import FormatError, Settings, dumps, load, loads, train
from bpe_core.files import READABLE
from bpe_core.files.beside import NEIGHBOURS
from bpe_core.files.recognition import ROWS, UNKNOWN, recognised
from bpe_core.files.tiktoken_ranks import rank_lines
from bpe_core.text.alphabet import in_letters
from tests.files.class_files import class_files
from tests.files.driver import READ_AND_WRITTEN
from tests.files.other_files import others
from tests.gguf_files import of_bytes, of_sentencepiece, sentencepiece_model
from tests.some import some
from tests.texts import EXAMPLE_TEXTS

TEXT = "The keeper's model é 12"
NAMES = sorted({*chain(*(row.files for row in READABLE.values())), *NEIGHBOURS, "model", "x.txt"})


@cache
def genuine() -> dict[str, tuple[dict[str, bytes], list[int]]]:
    """Files of each format, and the ids of `TEXT` in the library that the format is for."""
    tok = train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=400)).tokenizer()
    whole = dumps(tok)["tokenizer.json"]
    ids = tokenizers.Tokenizer.from_buffer(whole).encode(TEXT).ids
    assert tiktoken.Encoding(
        "x", pat_str=tok.pretokenizer.pattern, mergeable_ranks={token: i for i, token in enumerate(tok.tokens)},
        special_tokens={},
    ).encode(TEXT) == ids  # fmt: skip
    rows = [{"rank": i, "token_bytes": b64encode(token).decode()} for i, token in enumerate(tok.tokens)]
    config = {"pattern": tok.pretokenizer.pattern, "default_vocab_size": 400, "default_num_special_tokens": 0}
    pieces = sentencepiece_model("bpe", "identity")
    theirs = sentencepiece.SentencePieceProcessor(model_proto=pieces).encode(TEXT)
    ours = {name: (dumps(tok, name), ids) for name in READ_AND_WRITTEN}
    return ours | {
        "tekken.json": ({"tekken.json": json.dumps({"config": config, "vocab": rows}).encode()}, ids),
        "GGUF": ({"model.gguf": of_bytes(tok, "gpt-2")}, ids),
        "GGUF of pieces": ({"model.gguf": of_sentencepiece(pieces, model="llama")}, theirs),
        "SentencePiece .model": ({"tokenizer.model": pieces}, theirs),
    }


def test_each_format_is_tried():
    assert {name.removesuffix(" of pieces") for name in genuine()} == READABLE.keys()


@pytest.mark.parametrize("format", [*genuine()])
def test_files_under_the_name_of_another_format_have_the_ids_of_their_library(tmp_path, format):
    files, ids = genuine()[format]
    for at, name in enumerate(NAMES):
        other = NAMES[at - 1]
        renamed = dict(zip((name, other), files.values(), strict=False))
        if len(files) > 1 and {name, other} & {*NEIGHBOURS}:
            continue  # two files of integers by name: which of them is beside the other is what the name says
        assert loads(renamed).ids(TEXT) == ids, renamed.keys()
        if len(files) == 1 or format == "vocab.json + merges.txt":
            folder = tmp_path / str(at)
            folder.mkdir()
            for each, content in renamed.items():
                (folder / each).write_bytes(content)
            for path in (*(folder / each for each in renamed), folder):
                if path != folder or name not in NEIGHBOURS:
                    assert load(path).ids(TEXT) == ids, path.name


@pytest.mark.parametrize("kind", some(others(), 2))
def test_what_is_no_tokenizer_has_one_sentence_under_every_name(tmp_path, kind):
    content, words = others()[kind]
    for name in NAMES:
        (tmp_path / name).write_bytes(content)
        for use in (lambda name: loads({name: content}), lambda name: load(tmp_path / name)):
            with pytest.raises(FormatError) as caught:
                use(name)
            assert re.search(words, str(caught.value)), name
            assert len(str(caught.value)) < 300
            assert "\n" not in str(caught.value)
        (tmp_path / name).unlink()


def test_no_row_is_behind_another_one_that_takes_its_files(tmp_path):
    seen = {recognised(content).kind for content, _ in others().values()}
    seen |= {recognised(content).kind for files, _ in genuine().values() for content in files.values()}
    run = tmp_path / "run.json"
    train("hug", Settings(vocab_size=257)).save(run)
    for content in (run.read_bytes(), b"{}", b"<?xml version='1.0'?><a/>", b"[1, 2.5]", b"\x85\xadprefix_search\xa1x"):
        seen.add(recognised(content).kind)
    assert {row.what for row in ROWS} | {UNKNOWN.what} == {row.what for row in seen}


@pytest.mark.parametrize("word", ["model", "config", "vocab", "error", "pat_str", "chat_template", "mergescope run"])
def test_a_token_is_no_key(word):
    pair = {name: content for name, content in class_files("GPT2Tokenizer").items() if "config" not in name}
    vocabulary = json.loads(pair["vocab.json"])
    ids = loads(pair).ids(TEXT, specials=False)
    pair["vocab.json"] = json.dumps({**vocabulary, word: len(vocabulary)}).encode()
    assert loads(pair).ids(TEXT, specials=False) == ids
    with pytest.raises(FormatError, match=r"a vocabulary without its merges: add merges\.txt"):
        loads({"tokenizer.json": pair["vocab.json"]})


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"version": "2.0"}, "version '2.0'"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Newest"}]}}, "the pre_tokenizer 'Newest'"),
        ({"decoder": {"type": "Newest"}}, "the decoder 'Newest'"),
    ],
)
def test_a_part_that_the_library_does_not_know_is_named(part, named):
    parts = json.loads(genuine()["tokenizer.json"][0]["tokenizer.json"]) | part
    with pytest.raises(Exception, match=r"Unknown|did not match"):
        tokenizers.Tokenizer.from_str(json.dumps(parts))
    version = re.escape(tokenizers.__version__)
    with pytest.raises(FormatError, match=f"{version} does not know {named}; if a newer one wrote the file, update"):
        loads({"tokenizer.json": json.dumps(parts).encode()})


def test_a_file_in_the_place_of_a_part_is_named_and_not_removed():
    vocabulary = {"vocab.json": json.dumps({in_letters(bytes([byte])): byte for byte in range(256)}).encode()}
    for kind in ("Git LFS", "page", "empty", "S3", "JSON of an error"):
        content, words = others()[kind]
        with pytest.raises(FormatError, match=f"'merges.txt': .*{words}"):
            loads(vocabulary | {"merges.txt": content})
        with pytest.raises(FormatError, match=f"^tokenizer_config.json: .*{words}"):
            loads(genuine()["tokenizer.json"][0] | {"tokenizer_config.json": content})


@pytest.mark.parametrize("kind", ["ids as texts", "ranks without padding", "words", "picture"])
@pytest.mark.parametrize(
    ("name", "other"),
    [("vocab.json", "merges.txt"), ("mine.tiktoken", "mine.tiktoken.json"), ("merges.txt", "vocab.json")],
)
def test_the_file_that_was_asked_for_is_never_to_be_removed(tmp_path, kind, name, other):
    content, words = others()[kind]
    files = {
        "merges.txt": others()["merges.txt alone"][0],
        "vocab.json": others()["vocab.json alone"][0],
        "mine.tiktoken.json": others()["split of ranks"][0],
    }
    (tmp_path / name).write_bytes(content)
    (tmp_path / other).write_bytes(files[other])
    for path in (tmp_path / name, tmp_path) if name != "mine.tiktoken" else (tmp_path / name,):
        with pytest.raises(FormatError, match=f"^'{name}': .*{words.removesuffix('. Files that open: ')}"):
            load(path)


def test_what_is_wrong_with_a_given_split_is_not_said_of_a_file():
    for files in (genuine()["tokenizer.json"][0], {"mine.tiktoken": b"IQ== 0\n"}):
        with pytest.raises(
            TypeError, match=r"a pretokenizer is a key or a row of PRETOKENIZERS, or a pattern, and this is int"
        ):
            loads(files, 3)
        with pytest.raises(FormatError, match=r"^the pattern '\(' cannot be used: "):
            loads(files, "(")
    with pytest.raises(FormatError, match=r"^the pattern '\(' of the file cannot be used: "):
        loads(
            {
                "mine.tiktoken": rank_lines((bytes([i]), i) for i in range(256)),
                "mine.tiktoken.json": json.dumps({"pat_str": "("}).encode(),
            }
        )


LONG = [
    b"<!---->",
    b"<!--",
    b"<?xml ",
    b"# a ",
    b"a b\n",
    b"---\n",
    b"'\" ",
    b"9",
    b"\t",
    b"[",
    b"[1],",
    b"a\t0\n",
    b"= ",
]


def test_no_sign_takes_long_to_look_for():
    begun = process_time()
    for piece in LONG:
        with suppress(FormatError):
            recognised(piece * (1 << 18) + b"x")
    assert process_time() - begun < 10
