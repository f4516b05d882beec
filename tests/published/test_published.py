"""Published vocabularies: the ids are the publisher's, and a damaged or missing table is one clear sentence."""

import gzip
import sys
import types

import pytest
import tiktoken
from hypothesis import given

from bpe_core import PRETOKENIZERS
from bpe_core.files.tiktoken_ranks import tokenizer_of_ranks
from bpe_core.published import PUBLISHED, PublishedError, gpt2
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

GPT2 = gpt2.load_gpt2()
# Built from the same table without a network; tiktoken cuts and merges on its own.
THEIRS = tiktoken.Encoding(
    "gpt2-offline",
    pat_str=r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    mergeable_ranks={token: i for i, token in enumerate(GPT2.tokens)},
    special_tokens={gpt2.END_OF_TEXT: 50256},
)


def test_known_ids():
    assert GPT2.vocab_size == 50257
    assert GPT2.encode("hello world").ids == (31373, 995)
    assert GPT2.encode("<|endoftext|>").ids == (50256,)
    assert len(GPT2.encode("<|endoftext|>", specials=False).ids) == 7


@pytest.mark.parametrize("text", [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE])
def test_ids_equal_tiktokens(text):
    ours = GPT2.encode(text, specials=False)
    assert list(ours.ids) == THEIRS.encode(text, disallowed_special=())
    assert list(GPT2.encode(text).ids) == THEIRS.encode(text, allowed_special="all")
    assert GPT2.decode(ours.ids) == text


@given(TEXTS)
def test_ids_equal_tiktokens_on_any_text(text):
    text = text.encode("utf-8", "replace").decode()
    assert list(GPT2.encode(text, specials=False).ids) == THEIRS.encode(text, disallowed_special=())


def test_merges_come_back_from_ranks():
    order = sorted(THEIRS._mergeable_ranks.items(), key=lambda row: row[1])
    again = tokenizer_of_ranks(order, PRETOKENIZERS["gpt2"], THEIRS._special_tokens)
    assert (again.tokens, again.merges, again.special_tokens) == (GPT2.tokens, GPT2.merges, GPT2.special_tokens)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw: raw[:1000], "cannot be read"),
        (lambda raw: b"not gzip", "cannot be read"),
        (lambda raw: gzip.compress(gzip.decompress(raw)[:-9]), "not the one that OpenAI published"),
        (lambda raw: gzip.compress(gzip.decompress(raw).replace(b"h e\n", b"e h\n", 1)), "not the one"),
    ],
)
def test_damaged_table(tmp_path, change, message):
    table = tmp_path / "table.gz"
    table.write_bytes(change(gpt2.TABLE.read_bytes()))
    with pytest.raises(PublishedError, match=message):
        gpt2.load_gpt2(table)


def test_missing_table(tmp_path):
    with pytest.raises(PublishedError, match="cannot be read"):
        gpt2.load_gpt2(tmp_path / "none.gz")


def pretend(monkeypatch, get_encoding):
    monkeypatch.setitem(sys.modules, "tiktoken", types.SimpleNamespace(get_encoding=get_encoding))


def test_fetched_through_tiktoken(monkeypatch):
    pretend(monkeypatch, lambda name: THEIRS)
    assert PUBLISHED["p50k_base"].load().encode(" newest 12").ids == GPT2.encode(" newest 12").ids


def refuse(error):
    def get_encoding(name):
        raise error

    return get_encoding


def test_a_fetched_token_that_no_merge_makes_is_found_whole(monkeypatch):
    ranks = {token: i for i, token in enumerate([bytes([byte]) for byte in range(256)] + [b"th", b"xyzzy", b"xy"])}
    theirs = tiktoken.Encoding("odd", pat_str=PRETOKENIZERS["o200k"].pattern, mergeable_ranks=ranks, special_tokens={})
    pretend(monkeypatch, lambda name: theirs)
    ours = PUBLISHED["o200k_base"].load()
    for text in ("xyzzy", "xyzzyth", "the xyzzy", "xxyzzy"):
        assert ours.ids(text) == theirs.encode(text)


@pytest.mark.parametrize(
    ("get_encoding", "message"),
    [
        (refuse(ConnectionError("no route")), "cl100k_base could not be fetched: there is no way to OpenAI's server"),
        (refuse(ValueError("Hash mismatch\nfor data")), "cl100k_base could not be loaded by tiktoken: Hash mismatch$"),
    ],
)
def test_tiktoken_that_cannot_fetch(monkeypatch, get_encoding, message):
    pretend(monkeypatch, get_encoding)
    with pytest.raises(PublishedError, match=message):
        PUBLISHED["cl100k_base"].load()


def test_tiktoken_that_takes_too_long(monkeypatch):
    from threading import Event

    never = Event()
    pretend(monkeypatch, lambda name: never.wait())
    monkeypatch.setattr("bpe_core.published.openai.FETCH_SECONDS", 0.05)
    with pytest.raises(PublishedError, match=r"could not be fetched within 0\.05 seconds"):
        PUBLISHED["o200k_base"].load()
    never.set()


def test_no_tiktoken(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(PublishedError, match="needs tiktoken"):
        PUBLISHED["o200k_base"].load()
