"""Which files belong together is found by what they are, whatever they are called, wherever they are opened."""

import json
import os

import pytest
import tokenizers

from bpe_core import FormatError, Settings, dumps, load, loads, train
from bpe_core.files.safely import open_safely
from tests.cli.driver import ok
from tests.some import later
from tests.texts import EXAMPLE_TEXTS

TEXT = "The keeper's model é 12"


def trained(text):
    tok = train(EXAMPLE_TEXTS[text], Settings("gpt2", vocab_size=330)).tokenizer()
    ids = tokenizers.Tokenizer.from_buffer(dumps(tok)["tokenizer.json"]).encode(TEXT).ids
    return tok, [*dumps(tok, "vocab.json + merges.txt").values()], ids


(ONE, PAIR, IDS), (_, OTHER, OTHER_IDS) = trained("short-story"), trained("python-code")
RANKS, SPLIT = dumps(ONE, ".tiktoken").values()
NAMES = [
    ("encoder.json", "vocab.bpe"),
    ("mine.json", "mine.txt"),
    ("a", "b"),
    ("vocabulary of GPT.json", "codes.merges"),
    ("merges.txt", "vocab.json"),
    ("tokenizer.json", "tokenizer.model"),
]


def put(folder, **files):
    for name, content in files.items():
        (folder / name).write_bytes(content)


@pytest.mark.parametrize("names", [NAMES[0], *(later((names,)) for names in NAMES[1:])])
def test_a_vocabulary_and_its_merges_are_found_under_any_names(tmp_path, names):
    files = dict(zip(names, PAIR, strict=True))
    put(tmp_path, **files, **{"README.md": b"# Notes\n\nNot Found\n", "config.json": b'{"model_type": "x"}'})
    opened = [loads(files), open_safely(files), load(tmp_path), *(load(tmp_path / name) for name in names)]
    assert [tok.ids(TEXT, specials=False) for tok in opened] == [IDS] * 5
    for path in (tmp_path, tmp_path / names[1]):
        assert [*map(int, ok("encode", path, "--quiet", given=TEXT.encode()).split())] == IDS


def test_a_split_and_its_ranks_are_found_under_any_names(tmp_path):
    for names in (("mine.tiktoken", "mine.tiktoken.json"), ("mine.txt", "mine.json"), ("x", "tokenizer_x.json")):
        folder = tmp_path / names[0]
        folder.mkdir()
        put(folder, **dict(zip(names, (RANKS, SPLIT), strict=True)))
        for path in (folder, *(folder / name for name in names)):
            assert load(path).ids(TEXT) == IDS


def test_of_several_pairs_the_merges_are_those_of_the_vocabulary_s_tokens(tmp_path):
    put(tmp_path, **{"1.json": PAIR[0], "x.txt": PAIR[1], "2.json": OTHER[0], "y.txt": OTHER[1]})
    for name, ids in {"1.json": IDS, "x.txt": IDS, "2.json": OTHER_IDS, "y.txt": OTHER_IDS}.items():
        assert load(tmp_path / name).ids(TEXT, specials=False) == ids
    with pytest.raises(FormatError, match=r"several tokenizers: 1.json \+ x.txt, 2.json \+ y.txt; name a file of one"):
        load(tmp_path)


def test_of_several_that_fit_the_one_with_the_same_name_or_none(tmp_path):
    put(tmp_path, **{"mine.json": PAIR[0], "mine.txt": PAIR[1], "short.txt": PAIR[1][:200]})
    assert load(tmp_path / "mine.json").ids(TEXT, specials=False) == IDS
    assert load(tmp_path).ids(TEXT, specials=False) == IDS
    os.rename(tmp_path / "mine.txt", tmp_path / "long.txt")
    for path in (tmp_path / "mine.json", tmp_path):
        with pytest.raises(FormatError, match=r"'long.txt' or 'short.txt' may belong to 'mine.json': copy the two"):
            load(path)
    with pytest.raises(FormatError, match="'a' and 'c' do not belong to one tokenizer: remove one of them"):
        loads({"a": PAIR[0], "b": PAIR[1], "c": OTHER[0]})


def test_a_file_beside_a_vocabulary_is_known_by_its_content_too():
    config = json.dumps({"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "add_bos_token": True}).encode()
    added = json.dumps({"a": 1}).encode()
    named = loads({"vocab.json": PAIR[0], "merges.txt": PAIR[1], "tokenizer_config.json": config})
    found = loads({"a.json": PAIR[0], "b.txt": PAIR[1], "c.json": config})
    assert found.ids(TEXT, add_special_tokens=True) == named.ids(TEXT, add_special_tokens=True) == [330, *IDS]
    assert loads({"added_tokens.json": dumps(ONE)["tokenizer.json"], "tokenizer_config.json": config}).ids(TEXT) == IDS
    assert loads({"vocab.json": PAIR[0], "merges.txt": PAIR[1], "added_tokens.json": added})


def test_what_a_folder_lacks_is_said(tmp_path):
    put(tmp_path, **{"mine.json": PAIR[0], "notes.txt": b"Not Found"})
    with pytest.raises(FormatError, match=r"has no tokenizer; 'mine.json': this is a vocabulary without its"):
        load(tmp_path)
    with pytest.raises(FormatError, match="this is a vocabulary without its merges"):
        load(tmp_path / "mine.json")


def test_large_and_unreadable_files_are_not_looked_into(tmp_path, monkeypatch):
    put(tmp_path, **{"mine.json": PAIR[0], "mine.txt": PAIR[1], "empty.json": b"", "locked.json": b"{}"})
    with (tmp_path / "weights.safetensors").open("wb") as large, (tmp_path / "large.json").open("wb") as json_too:
        large.truncate(8 << 30)
        json_too.write(b"{")
        json_too.truncate(1 << 30)
    for number in range(300):
        (tmp_path / f"{number}.log").write_bytes(b"a b\n" * 20)
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere")
    read, total = type(tmp_path).open, []

    def counted(path, *arguments, **options):
        if path.name == "locked.json":
            raise PermissionError(path.name)
        total.append(path.name)
        return read(path, *arguments, **options)

    monkeypatch.setattr(type(tmp_path), "open", counted)
    assert load(tmp_path).ids(TEXT, specials=False) == IDS
    assert len(set(total)) <= 210
    assert load(tmp_path / "mine.json").ids(TEXT, specials=False) == IDS
