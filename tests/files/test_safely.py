"""Files of strangers: what their library does to its process leaves this one as it was."""

import os
import signal

import pytest

from bpe_core import FormatError, Settings, dumps, loads, train
from bpe_core.files import safely
from bpe_core.files.safely import Limits, open_safely
from tests.shapes import SHAPES

OWN = train("hug hug pug", Settings(vocab_size=258)).tokenizer()


def test_it_is_opened_as_by_loads_and_only_once():
    files = {"a": SHAPES["llama3"]().to_str().encode()}
    tok, plain = open_safely(files), loads(files)
    text = "The keeper's tale é"
    assert (tok.ids(text), tok.encode(text).spans) == (plain.ids(text), plain.encode(text).spans)
    assert tok.decode(tok.ids(text)) == text
    assert (tok.merges, tok.tokens, tok.special_tokens) == (plain.merges, plain.tokens, plain.special_tokens)
    assert open_safely(dict(files)) is tok
    assert dumps(tok) == {"tokenizer.json": files["a"]}


def test_a_refusal_is_the_same_sentence():
    with pytest.raises(FormatError, match=r"choose a pretokenizer, or add its \.json file"):
        open_safely(ranks())


def ranks():
    return {"a": dumps(OWN, ".tiktoken")["tokenizer.tiktoken"]}


def test_a_format_of_ours_needs_its_process_no_longer():
    tok = open_safely(ranks(), "gpt2")
    assert tok.ids("hug") == [257]
    assert not any(remote.runs and "gpt2" in remote._opening for remote in safely._remotes)


def test_a_text_that_takes_too_long_is_a_sentence_and_the_next_is_answered():
    tok = open_safely(dumps(OWN))
    tok.library.limits = Limits(seconds=0.0)
    with pytest.raises(FormatError, match="more than 0 seconds or 1,024 MB of memory, or crashed it"):
        tok.ids("hug pug " * 500_000)
    tok.library.limits = Limits()
    assert tok.ids("hug") == [257]


def test_a_process_that_dies_is_started_again():
    tok = open_safely({"a": SHAPES["wordpiece"]().to_str().encode()})
    before = tok.ids("the tale")
    os.kill(tok.library._process._child.pid, signal.SIGKILL)
    with pytest.raises(FormatError, match="crashed it"):
        tok.ids("the tale")
    assert tok.ids("the tale") == before


def test_a_file_that_needs_too_much_memory_is_a_sentence():
    with pytest.raises(FormatError, match="64 MB of memory"):
        open_safely({"a": SHAPES["llama3"]().to_str().encode() + b" " * 40_000_000}, limits=Limits(memory=64 << 20))


def test_few_processes_run():
    files = [dumps(train("hug hug pug", Settings("none", vocab_size=257 + i)).tokenizer()) for i in range(3)]
    opened = [open_safely(each, limits=Limits(processes=2)) for each in files]
    assert sum(remote.runs for remote in safely._remotes) <= 2
    assert [tok.ids("ug") for tok in opened] == [[256]] * 3
