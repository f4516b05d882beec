"""Files of strangers: what their library does to its process leaves this one as it was."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bpe_core import FormatError, Settings, dumps, loads, train
from bpe_core.files import safely
from bpe_core.files.safely import FileLimits, open_safely
from tests.shapes import file_of

OWN = train("hug hug pug", Settings(vocab_size=258)).tokenizer()


def test_it_is_opened_as_by_loads_and_only_once():
    files = {"a": file_of("llama3")}
    tok, plain = open_safely(files), loads(files)
    text = "The keeper's tale é"
    assert (tok.ids(text), tok.encode(text).spans) == (plain.ids(text), plain.encode(text).spans)
    assert tok.decode(tok.ids(text)) == text
    assert (tok.merges, tok.tokens, tok.special_tokens) == (plain.merges, plain.tokens, plain.special_tokens)
    assert open_safely(dict(files)) is tok
    assert dumps(tok) == {"tokenizer.json": files["a"]}


def test_a_refusal_is_the_same_sentence():
    with pytest.raises(FormatError, match=r"choose a pretokenizer, or add its \.json file") as caught:
        open_safely(ranks())
    assert caught.value.args  # whose traceback holds what was started
    assert not is_running(lambda given: given.files == ranks())


def is_running(test):
    """Whether a process runs that was given such files."""
    remotes = (each for each in safely.POOL._children if isinstance(each, safely.Remote))
    return any(remote.runs and test(remote.given) for remote in remotes)


def ranks():
    return {"a": dumps(OWN, ".tiktoken")["tokenizer.tiktoken"]}


def test_a_format_of_ours_needs_its_process_no_longer():
    tok = open_safely(ranks(), "gpt2")
    assert tok.ids("hug") == [257]
    assert not is_running(lambda given: given.pretokenizer == "gpt2")


def test_a_text_that_takes_too_long_is_a_sentence_and_the_next_is_answered():
    tok = open_safely(dumps(OWN))
    tok.library.limits = FileLimits(seconds=0.0)
    with pytest.raises(FormatError, match="more than 0 seconds or 1,024 MB of memory, or crashed it"):
        tok.ids("hug pug " * 500_000)
    tok.library.limits = FileLimits()
    assert tok.ids("hug") == [257]


def test_a_process_that_dies_is_started_again():
    tok = open_safely({"a": file_of("wordpiece")})
    before = tok.ids("the tale")
    tok.library._child.kill()
    assert tok.ids("the tale") == before


def test_a_file_that_needs_too_much_memory_is_a_sentence():
    with pytest.raises(FormatError, match="64 MB of memory"):
        open_safely({"a": file_of("llama3") + b" " * 40_000_000}, limits=FileLimits(memory=64 << 20))


def files(number):
    return [dumps(train("hug hug pug", Settings("none", vocab_size=257 + i)).tokenizer()) for i in range(number)]


def test_few_processes_run_however_many_are_wanted_at_once(monkeypatch):
    started, running = [], []

    class Counted(safely.Child):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)
            running.append(sum(each.runs for each in started))

    monkeypatch.setattr(safely, "Child", Counted)
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda each: open_safely(each, limits=FileLimits(processes=2)), files(3) * 2))
        assert list(pool.map(lambda tok: tok.ids("ug"), opened)) == [[256]] * 6
    assert [*map(id, opened[:3])] == [*map(id, opened[3:])]
    assert max(running) == 2


def test_who_waits_too_long_for_a_process_is_told_so():
    first, second = files(2)
    tok = open_safely(first)
    with (
        safely.POOL.turn_of(tok.library),
        pytest.raises(FormatError, match="too many opened files are in use at once"),
    ):
        open_safely(second, limits=FileLimits(processes=1, seconds=0.0))
    assert open_safely(second, limits=FileLimits(processes=1)).ids("ug") == [256]
    assert not tok.library.runs
