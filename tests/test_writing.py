"""Files are written whole or not at all, where they were asked for."""

import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from bpe_core import FORMATS, Format, FormatError, Settings, dumps, load, train
from bpe_core.files import format_of


@pytest.mark.parametrize(
    ("name", "first", "others"),
    [
        ("tokenizer.json", "mine.json", []),
        ("vocab.json + merges.txt", "mine-vocab.json", ["mine-merges.txt"]),
        (".tiktoken", "mine.tiktoken", ["mine.tiktoken.json"]),
        ("minbpe", "mine.model", []),
    ],
)
def test_save_replaces_whole_files_and_leaves_nothing_else(tmp_path, name, first, others):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    (tmp_path / first).write_text("old")
    (tmp_path / first).chmod(0o640)
    written = tok.save(tmp_path / first, name)
    assert [path.name for path in written] == [first, *others]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([first, *others])
    assert [path.read_bytes() for path in written] == list(dumps(tok, name).values())
    assert stat.S_IMODE(written[0].stat().st_mode) == 0o640


def test_a_vocabulary_that_its_merges_cannot_be_found_from(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    with pytest.raises(FormatError, match=r"mine\.json has to end in vocab\.json"):
        tok.save(tmp_path / "mine.json", "vocab.json + merges.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    path = tmp_path / "tokenizer.json"
    path.write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        tok.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


PAIR = "vocab.json + merges.txt"


def test_a_pair_is_written_whole_or_not_at_all(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    (tmp_path / "vocab.json").write_text("old")
    (tmp_path / "merges.txt").mkdir()
    with pytest.raises(IsADirectoryError, match=r"/merges\.txt'$"):
        tok.save(tmp_path / "vocab.json", PAIR)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merges.txt", "vocab.json"]
    assert (tmp_path / "vocab.json").read_text() == "old"


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed(tmp_path, exists):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    target, link = tmp_path / "elsewhere" / "real.json", tmp_path / "link.json"
    target.parent.mkdir()
    if exists:
        target.write_text("old")
    link.symlink_to(target)
    tok.save(link)
    assert link.is_symlink()
    assert load(target).merges == tok.merges
    assert [path.name for path in target.parent.iterdir()] == ["real.json"]


def test_a_pipe_and_a_device_stay_what_they_are(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    tok.save(pipe)
    reader.join(60)
    assert read == list(dumps(tok).values())
    assert pipe.is_fifo()
    tok.save("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_what_cannot_be_written_is_called_by_its_own_name(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    path = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="x" * 300):
        tok.save(path)
    with pytest.raises(OSError, match=r"/no: there is no such folder to write to$"):
        tok.save(tmp_path / "no" / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_two_formats_have_no_file_name_in_common():
    names = [name for row in FORMATS.values() for name in row.files]
    assert len(names) == len(set(names))


def test_a_format_may_be_one_that_is_only_written(tmp_path, monkeypatch):
    row = Format("Vocabulary", "none", ("mine.vocab",), (".vocab",), write=lambda tok: tok.tokens[:1])
    monkeypatch.setitem(FORMATS, "vocabulary", row)
    assert format_of("mine.vocab") == "vocabulary"
    (path,) = train("hug", Settings(vocab_size=257)).tokenizer().save(tmp_path, "vocabulary")
    assert path.read_bytes() == b"\0"
    with pytest.raises(FormatError, match="this file is not a tokenizer"):
        load(path)
