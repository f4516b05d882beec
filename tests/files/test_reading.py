"""Reading files: our own come back equal, other people's encode as in their library, broken ones are refused."""

import dataclasses
import gzip
import json
import pickle
import sys
import tracemalloc
from base64 import b64encode
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, UNKNOWN, FormatError, PatternError, Settings, Tokenizer, dumps, load, loads, train
from bpe_core.files.library_tokenizer import LibraryTokenizer
from tests.children import ran
from tests.files.driver import CARRIED, CORPUS, READ_AND_WRITTEN, carried_run
from tests.some import only, some
from tests.texts import EXAMPLE_TEXTS

ROOT = Path(__file__).parents[2]
FIELDS = [field.name for field in dataclasses.fields(Tokenizer) if field.compare]


def same(opened, tok):
    """Equal in every field, or, in the hands of a library, in what it knows and does."""
    if isinstance(opened, LibraryTokenizer):
        assert opened.tokens[: len(tok.tokens)] == tok.tokens
        assert (opened.merges, opened.alphabet) == (tok.merges, tok.alphabet)
        assert tok.special_tokens.items() <= opened.special_tokens.items()
        for text in (EXAMPLE_TEXTS["many-languages"], "a<|end|>b"):
            unknown = [UNKNOWN if i == opened.unknown_id else i for i in opened.ids(text, specials=True)]
            assert unknown == tok.ids(text, specials=True)
        return
    assert all(getattr(opened, name) == getattr(tok, name) for name in FIELDS)


@pytest.mark.parametrize(("name", "key", "alphabet", "special"), some(CARRIED))
def test_every_file_comes_back_equal(tmp_path, name, key, alphabet, special):
    run = carried_run(key, alphabet, special)
    for step in (0, run.steps):
        tok = run.tokenizer(step)
        same(load(tok.save(tmp_path, name)[0]), tok)
        renamed = {f"{i}": content for i, content in enumerate(dumps(tok, name).values())}
        same(loads(renamed), tok)


def changed(**parts):
    whole = json.loads(dumps(train("hug pug", Settings(vocab_size=258)).tokenizer())["tokenizer.json"])
    model = parts.pop("model", {})
    return json.dumps({**whole, **parts, "model": {**whole["model"], **model}}).encode()


def rank_lines(tokens):
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in enumerate(tokens))


BYTES = [bytes([i]) for i in range(256)]


def test_tekken_s_ids_follow_its_special_tokens():
    tok = loads({"a": tekken({"rank": 1, "token_str": "<s>"})})
    assert tok.special_tokens == {"<SPECIAL_0>": 0, "<s>": 1}
    assert tok.ids("<s>a", specials=True) == [1, 2 + ord("a")]


def test_ranks_alone_need_a_cut():
    content = dumps(train(CORPUS, Settings(vocab_size=400)).tokenizer(), ".tiktoken")["tokenizer.tiktoken"]
    with pytest.raises(FormatError, match=r"choose a pretokenizer, or add its \.json file"):
        loads({"x": content})
    assert loads({"x": content}, "cl100k").pretokenizer is PRETOKENIZERS["cl100k"]
    with pytest.raises(FormatError, match="pretokenizer 'gtp2' is unknown; choose one of whitespace, "):
        loads({"x": content}, "gtp2")


def many_specials(count):
    lines = b"".join(b"<%d> %d\n" % (i, i + 300) for i in range(count))
    return b"minbpe v1\n\\S+\n%d\n%s97 98\n" % (count, lines)


def nested(depth):
    return b'{"type":"Sequence","pretokenizers":[' * depth + b'{"type":"Digits"}' + b"]}" * depth


def cut_off_vocabulary():
    return json.dumps({"u": 0, "g": 1, "ug": 2, **{f"word{i}": i + 3 for i in range(1000)}}).encode()


def tekken(*specials):
    vocab = [{"rank": rank, "token_bytes": b64encode(token).decode()} for rank, token in enumerate(BYTES)]
    config = {"pattern": r"\S+", "default_num_special_tokens": 2, "default_vocab_size": 258}
    return json.dumps({"config": config, "vocab": vocab, "special_tokens": specials}).encode()


def test_millions_of_special_tokens_are_refused_before_they_are_named():
    config = {"pattern": r"\S+", "default_num_special_tokens": 2_097_151, "default_vocab_size": 2_097_151}
    content = json.dumps({"config": config, "vocab": [], "special_tokens": []}).encode()
    tracemalloc.start()
    with pytest.raises(FormatError, match="has 2,097,151 special tokens; 10,000 can be read"):
        loads({"tekken.json": content})
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 10_000_000


def ranks(**special_tokens):
    return {"a": rank_lines(BYTES), "b": json.dumps({"pat_str": r"\S+", "special_tokens": special_tokens}).encode()}


WHOLE = changed()
BROKEN = [
    ({"a": WHOLE, "b": WHOLE}, "'a' and 'b' do not belong to one tokenizer: remove one of them"),
    ({"a": b"u g\n", "b": b"{}", "c": b"u g\n"}, "'a' and 'c' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"minbpe v1\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"IQ== 0\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"u g\n"}, "'a' and 'b' do not belong to one tokenizer"),
    ({"a": WHOLE, "b": b"u g\n", "c": b"minbpe v1\n"}, "'a', 'b' and 'c' do not .* remove all but one of them"),
    ({"a": b"{}", "b": b"\x89PNG"}, "'b' is no part of a tokenizer: remove it"),
    ({}, "no file was chosen"),
    (
        {"vocab.json": b'{"h": 0, "e": 1, "he": 2}', "merges.txt": b"#version: 0.2\n"},
        "merges.txt has no merges: it is incom",
    ),
    ({"vocab.json": b'{"h": 0, "e": 1, "he": 2}', "merges.txt": b"#version: 0.2\n \n\n"}, "merges.txt has no merges"),
    (
        {"x/a.json": b"{}", "b.json": b"{}"},
        "^.a.json. and .b.json. do not belong to one tokenizer: remove one of them$",
    ),
    *(
        ({"a": changed(**{stage: [[]]})}, f"the {stage} has to be an object, and is list")
        for stage in ("normalizer", "decoder")
    ),
    ({"a": b""}, "this file is empty: download the file itself, or write it again"),
    ({"a": b"\x00\xff" * 100}, "this file is not a tokenizer. Files that open"),
    ({"a": b"{"}, "not whole JSON"),
    ({"a": b"{" + b'"a":[' * 100_000}, "nested too deeply|not whole JSON"),
    ({"a": b'{"model": ' + b"9" * 5000 + b"}"}, "not whole JSON: Exceeds the limit"),
    ({"a": b'{"model": {"vocab": {"a": 0, "a": 1}}}'}, "cannot use it"),
    ({"a": b'{"a": 1}'}, "without its merges"),
    ({"a": b"u g\n"}, "without their vocabulary"),
    ({"a": b"IQ== 0\nIQ== 1\n"}, "line 2 has a token of an earlier line"),
    ({"a": b"IQ== 0\nIg== 0\n"}, "id 0 is given twice"),
    ({"a": b"IQ== 0\n"}, "lacks some of the 256 bytes"),
    ({"a": b"IQ== 0\nI 1\n"}, "line 2 does not start with a token in base64"),
    (ranks(x=300, y=300), "the special tokens 'x' and 'y' have one id: 300"),
    (ranks(**{"": 300}), "the special token with id 300 has an empty name"),
    (ranks(x=5), "the special token 'x' has id 5, which is the id of b'.x05'"),
    ({"a": tekken("x")}, "a special token has to be an object, and is str"),
    ({"a": tekken({"rank": 5, "token_str": "<s>"})}, "the special token '<s>' has id 5, which is the id of b'.x03'"),
    ({"a": b"minbpe v1\n\\S+\n1\n<a> 97\n97 98\n"}, "the special token '<a>' has id 97, which is the id of b'a'"),
    ({"a": b"minbpe v1\n"}, "is incomplete"),
    ({"a": b"minbpe v1\n\\S+\n5\na 300\n"}, "is incomplete"),
    ({"a": b"minbpe v1\n(\n0\n97 98\n"}, "cannot be used"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 256\n"}, "needs two ids from 0 to 255"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 98\n97 98\n"}, "not for a second time"),
    ({"a": b"minbpe v1\n\\S+\n0\n97 97\n" + b"".join(b"%d %d\n" % (i, i) for i in range(256, 400))}, "longer tokens"),
    ({"a": b"\n" * 100 + b"minbpe v1"}, "minbpe model"),
    ({"a": b"minbpe v1\n" + b"a" * 3_000_000 + b"\n0\n97 98\n"}, "has 3,000,000 characters"),
    ({"a": b"minbpe v1\n" + b"(" * 9000 + b")" * 9000 + b"\n0\n97 98\n"}, "has 18,000 characters|cannot be used"),
    ({"a": b"minbpe v1\n\\S+\n2\n<a> 300\n<a> 301\n97 98\n"}, "is given twice"),
    ({"a": many_specials(30_000)}, "has 30,000 special tokens"),
    ({"a": gzip.compress(b"minbpe v1\n" * 10**6, mtime=0x0A6220)}, "this is a packed file: unpack it"),
    ({"a": pickle.dumps({"model": "x"})}, "this is a pickle, which could run any program"),
    ({"a": b'{"model": {"vocab": {%s, "5": 1}}}' % b",".join(b'"%d": 0' % i for i in range(10**5))}, "cannot use it"),
    (
        {"a": b'{"model": {"vocab": {}, "merges": []}, "pre_tokenizer": %s}' % nested(400)},
        "recursion limit exceeded",
    ),
    ({"a": b'{"model": {"vocab": {}, "merges": []}, "pre_tokenizer": %s}' % nested(2000)}, "nested too deeply"),
    ({"v": cut_off_vocabulary(), "m": b"u g\n"}, "1,000 tokens of vocab.json are made by no merge"),
    ({"../../etc/passwd": b"a b\n", "C:\\x": b"{}"}, "Token `a` out of vocabulary"),
    ({"v": b'{"a": 0, "b": 1}', "m": b"a b\n"}, "the merge 'a' 'b' makes 'ab', which vocab.json does not have"),
]


@pytest.mark.parametrize(("files", "reason"), BROKEN)
def test_broken_files_are_refused(files, reason):
    with pytest.raises(FormatError, match=reason) as caught:
        loads(files)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("error", [TypeError, IndexError, KeyError, ValueError, RecursionError, regex.error])
def test_what_no_check_foresaw_is_a_refusal_too(monkeypatch, error):
    def fail(*_):
        raise error("something")

    monkeypatch.setattr("bpe_core.files.minbpe.read_minbpe", fail)
    with pytest.raises(FormatError, match=r"its parts (do not fit together|are nested too deeply)"):
        loads({"a": b"minbpe v1\n"})


@pytest.mark.parametrize("name", READ_AND_WRITTEN)
def test_files_that_end_early_are_refused_or_have_fewer_merges(name):
    whole = train(CORPUS, Settings(vocab_size=400)).tokenizer()
    files = dumps(whole, name)
    for file, content in files.items():
        for end in {*range(0, len(content), max(len(content) // 60, 1)), len(content) - 1}:
            try:
                tok = loads({**files, file: content[:end]}, "gpt2")
            except FormatError:
                continue
            assert tok.merges == whole.merges[: len(tok.merges)]


def test_too_much_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("bpe_core.files.opening.MAX_BYTES", 1 << 20)
    path = tmp_path / "../evil" / "x"
    with pytest.raises(OSError, match="there is no such file"):
        load(path)
    (tmp_path / "big").write_bytes(b" " * (1 << 20) + b"{")
    with pytest.raises(FormatError, match="of more than 1 MB are not read"):
        load(tmp_path / "big")


MANY = 300_000


def many_merges():
    lines = b"".join(b"%d %d\n" % (i % 256, i // 256) for i in range(MANY))
    return b"minbpe v1\n\\S+\n0\n" + lines


def many_ranks():
    return rank_lines([*BYTES, *(i.to_bytes(3, "big") for i in range(MANY))])


def many_names():
    return b'{"model":{"vocab":{' + b",".join(b'"%d":%d' % (i, i) for i in range(MANY)) + b'},"merges":[]}}'


def many_pair_lines():
    return b"a b\n" * (15 << 20)


def many_objects():
    return b'{"model":[' + b"{}," * (20 << 20) + b"{}]}"


def many_numbers():
    return b'{"model":[' + b"1.5," * (15 << 20) + b"1]}"


def long_ranks():
    return rank_lines([*BYTES, *(b"a" * size for size in range(2, 1500))])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "content",
    only(
        [many_merges, many_ranks, many_names, many_pair_lines, many_objects, many_numbers, long_ranks],
        many_merges,
        many_numbers,
        long_ranks,
    ),
)
def test_many_entries_and_long_tokens_take_bounded_time_and_memory(content):
    script = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from bpe_core import FormatError, loads
try:
    content = sys.stdin.buffer.read()
    loads({"v": b'{"a": 0}', "x": content} if content.startswith(b"a b") else {"x": content}, "none")
except FormatError as error:
    print(error)
"""
    done = ran([sys.executable, "-c", script], input=content(), capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")


def good_files():
    tok = train("hug pug hug", Settings(vocab_size=259, special_tokens=("<s>",))).tokenizer()
    plain = train("hug pug hug", Settings(vocab_size=259)).tokenizer()
    return {name: dumps(plain if "vocab" in name else tok, name) for name in READ_AND_WRITTEN}


FILES = good_files()
SCRAPS = st.sampled_from(
    [b"", b"0", b"-1", b'"', b"{", b"}", b"[", b"]", b",", b"\n", b" ", b"null", b"\xff", b"97 97\n", b"1e9"]
)


@given(st.sampled_from(list(FILES)), st.data())
def test_mangled_files_are_refused_or_work(name, data):
    files = dict(FILES[name])
    for file in files:
        content = files[file]
        for _ in range(data.draw(st.integers(0, 3))):
            start = data.draw(st.integers(0, len(content)))
            end = data.draw(
                st.integers(start, min(start + data.draw(st.sampled_from([0, 1, 40, 10**6])), len(content)))
            )
            content = content[:start] + data.draw(SCRAPS) + content[end:]
        files[file] = content
    try:
        tok = loads(files)
    except FormatError:
        return
    for text in ("hug pug<s> \ud800é", ""):
        try:
            encoding = tok.encode(text, specials=True)
            tok.decode(i for i in encoding.ids if i >= 0)
            assert len(encoding.spans) == len(encoding.ids)
        except PatternError:
            pass
