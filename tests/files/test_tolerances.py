"""What a file may have beside what its format says: the same for every format, and as its library reads it."""

import json
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256

import pytest
import tiktoken
import tokenizers
from tiktoken.load import load_tiktoken_bpe

from bpe_core import FormatError, Settings, dumps, load, loads, train
from bpe_core.files.safely import open_safely
from bpe_core.files.tiktoken_ranks import known_ranks
from bpe_core.published import KNOWN_RANKS
from tests.texts import EXAMPLE_TEXTS

TOK = train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=300)).tokenizer()
TEXT = "The keeper's model é 12"
IDS = tokenizers.Tokenizer.from_buffer(dumps(TOK)["tokenizer.json"]).encode(TEXT).ids


def tekken(*more):
    rows = [{"rank": i, "token_bytes": b64encode(each).decode()} for i, each in enumerate((*TOK.tokens, *more))]
    config = {"pattern": TOK.pretokenizer.pattern, "default_vocab_size": len(rows), "default_num_special_tokens": 0}
    return {"tekken.json": json.dumps({"config": config, "vocab": rows}, indent=1).encode()}


def pretty(files):
    """Files of JSON over many lines, so that white space can be put between these."""
    return {
        name: json.dumps(json.loads(content), indent=1, ensure_ascii=False).encode() if content[:1] == b"{" else content
        for name, content in files.items()
    }


FORMATS = {
    "tokenizer.json": pretty(dumps(TOK)),
    "vocab.json + merges.txt": pretty(dumps(TOK, "vocab.json + merges.txt")),
    ".tiktoken": pretty(dumps(TOK, ".tiktoken")),
    "minbpe": dumps(TOK, "minbpe"),
    "tekken.json": tekken(),
}


def by_line(change):
    return lambda content: b"\n".join(change(line) if line else line for line in content.split(b"\n"))


TOLERANCES = {
    "byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "CR": lambda content: content.replace(b"\n", b"\r"),
    "mark and CRLF": lambda content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
    "blank lines before": lambda content: b"\n\n" + content,
    "blank lines within": lambda content: b"\n\n".join(content.rsplit(b"\n", 3)),
    "blank lines behind": lambda content: content + b"\n\n",
    "lines of spaces": lambda content: content + b"  \n  \n",
    "spaces before": by_line(lambda line: b"  " + line),
    "spaces behind": by_line(lambda line: line + b"  "),
    "tabs behind": by_line(lambda line: line + b"\t"),
}


def theirs(format, files, folder):
    """The ids that a format's library has for files; None if it refuses them, or is not installed."""
    paths = [folder / name for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    try:
        if format == "tokenizer.json":
            return tokenizers.Tokenizer.from_file(str(paths[0])).encode(TEXT).ids
        if format == "vocab.json + merges.txt":
            text = paths[1].read_text(encoding="utf-8")  # in transformers a line may end with CR too
            paths[1].write_text(text, encoding="utf-8")
            vocabulary, merges = tokenizers.models.BPE.read_file(*map(str, paths))
            model = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
            model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
            return model.encode(TEXT).ids
        if format == ".tiktoken":
            ranks, more = load_tiktoken_bpe(str(paths[0])), json.loads(files[paths[1].name])
            return tiktoken.Encoding("x", mergeable_ranks=ranks, **more).encode(TEXT)
    except Exception:
        return None
    return None


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_tolerance_holds_for_every_format(tmp_path, monkeypatch, tolerance):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    for format, files in FORMATS.items():
        for name in files:
            changed = {**files, name: TOLERANCES[tolerance](files[name])}
            assert changed != files
            assert theirs(format, changed, tmp_path) in (None, IDS), (format, name)
            assert loads(changed).ids(TEXT, specials=False) == IDS, (format, name)


def test_the_library_reads_most_of_them_too(tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    read = {
        (format, tolerance)
        for format, files in FORMATS.items()
        for tolerance, change in TOLERANCES.items()
        if theirs(format, {name: change(content) for name, content in files.items()}, tmp_path) == IDS
    }
    assert {("tokenizer.json", "CRLF"), (".tiktoken", "byte order mark"), (".tiktoken", "CR")} <= read
    assert {(".tiktoken", name) for name in ("spaces before", "tabs behind")} <= read
    assert ("vocab.json + merges.txt", "CRLF") in read


@pytest.mark.parametrize("space", [b"\t", b"   ", b" \t "])
def test_ranks_are_read_in_every_spacing_that_tiktoken_reads(tmp_path, monkeypatch, space):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    files = FORMATS[".tiktoken"]
    changed = {**files, "tokenizer.tiktoken": files["tokenizer.tiktoken"].replace(b" ", space)}
    assert theirs(".tiktoken", changed, tmp_path) == loads(changed).ids(TEXT) == IDS


def test_published_ranks_are_recognised_in_every_spacing(monkeypatch):
    content = FORMATS[".tiktoken"]["tokenizer.tiktoken"]
    row = next(iter(KNOWN_RANKS.values()))
    monkeypatch.setitem(KNOWN_RANKS, row.name, replace(row, sha256=sha256(content).hexdigest()))
    assert {getattr(known_ranks(change(content)), "name", "") for change in TOLERANCES.values()} == {row.name}
    assert known_ranks(content.replace(b"IQ==", b"IQ= =")) is None


def with_empty_token():
    whole = json.loads(FORMATS["tokenizer.json"]["tokenizer.json"])
    whole["model"]["vocab"][""] = 300
    pair = FORMATS["vocab.json + merges.txt"]
    vocabulary = {**json.loads(pair["vocab.json"]), "": 300}
    ranks = FORMATS[".tiktoken"]
    return {
        "tokenizer.json": {"tokenizer.json": json.dumps(whole).encode()},
        "vocab.json + merges.txt": {**pair, "vocab.json": json.dumps(vocabulary).encode()},
        ".tiktoken": {**ranks, "tokenizer.tiktoken": ranks["tokenizer.tiktoken"] + b"= 300\n"},
        "tekken.json": tekken(b""),
    }


@pytest.mark.parametrize("format", with_empty_token())
def test_an_empty_token_is_no_text_s_and_no_special_token(tmp_path, monkeypatch, format):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    files = with_empty_token()[format]
    tok = loads(files)
    assert theirs(format, files, tmp_path) in ([None] if format == "tekken.json" else [IDS])
    assert tok.ids(TEXT) == IDS
    assert (tok.special_tokens, len(tok)) == ({}, 300)


def test_the_library_gets_the_bytes_that_are_read():
    """Also in the process of its own, and when the file is written again."""
    content = FORMATS["tokenizer.json"]["tokenizer.json"]
    marked = {"tokenizer.json": b"\xef\xbb\xbf" + content}
    assert open_safely(marked).ids(TEXT) == IDS
    assert dumps(open_safely(marked)) == dumps(loads(marked)) == {"tokenizer.json": content}


COMMENTS = dict.fromkeys(FORMATS, b"# a comment\n") | {"vocab.json + merges.txt": b"# a comment\n"}


@pytest.mark.parametrize("format", COMMENTS)
def test_a_comment_is_refused_in_every_format_as_by_its_library(tmp_path, monkeypatch, format):
    """The line with the version of merges is no comment: it may stand anywhere, as in the library."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    files = FORMATS[format]
    for name, content in files.items():
        lines = content.split(b"\n")
        changed = {**files, name: b"\n".join([*lines[:1], b"# a comment", *lines[1:]])}
        assert theirs(format, changed, tmp_path) is None
        with pytest.raises(FormatError):
            loads(changed)
    if format == "vocab.json + merges.txt":
        again = {**files, "merges.txt": files["merges.txt"] + b"#version: 0.2\n"}
        assert theirs(format, again, tmp_path) == loads(again).ids(TEXT) == IDS


def test_a_folder_s_file_with_a_mark_is_opened(tmp_path):
    (tmp_path / "tokenizer.json").write_bytes(b"\xef\xbb\xbf" + FORMATS["tokenizer.json"]["tokenizer.json"])
    assert load(tmp_path).ids(TEXT) == IDS
