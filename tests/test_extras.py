"""Without an extra, or with a library that is too new: what needs the library says in a sentence what to install."""

import json
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest
import sentencepiece
from packaging.requirements import Requirement
from tokenizers import ByteLevelBPETokenizer

from bpe_core import PRETOKENIZERS, FormatError, Settings, dumps, load, loads, train
from bpe_core.cli import mergescope
from bpe_core.cli.main import main
from bpe_core.counting.file_rows import columns_of
from bpe_core.counting.found_files import FoundFile
from bpe_core.counting.other_notations import NOTATIONS
from bpe_core.extras import TOO_NEW, MissingExtraError
from bpe_core.pictures.paper.pictures import picture
from bpe_core.pictures.shared.drawing import Drawing
from tests.texts import NASTY_UNICODE

ROOT = Path(__file__).parents[1]
FILES = dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer())
FOREIGN = {"tokenizer.json": FILES["tokenizer.json"].replace(b'"dropout": null', b'"dropout": 0.1')}
MODEL = BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(["hug hug pug"]), model_writer=MODEL, vocab_size=9, model_type="bpe", minloglevel=2
)
NEEDED = [
    ("files", "tokenizers", "opening this file", lambda: loads(FOREIGN)),
    ("files", "sentencepiece", "opening a SentencePiece model", lambda: loads({"a.model": MODEL.getvalue()})),
    ("files", "huggingface_hub", "fetching a model from the Hugging Face Hub", lambda: load("hub:owner/model")),
    ("files", "pyarrow", "a Parquet file", lambda: columns_of(FoundFile("a.parquet", 0, BytesIO))),
    ("files", "yaml", "YAML", lambda: NOTATIONS["YAML"]([])),
    ("png", "vl_convert", "a PNG", lambda: picture(Drawing("", ()), "png")),
    ("dask", "distributed", "counting on a Dask cluster", lambda: train("low", Settings(), dask="tcp://127.0.0.1:9")),
]


def without(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "bpe_core.counting.parquet_rows", raising=False)  # it may have been imported


@pytest.mark.parametrize(("extra", "library", "what", "do"), NEEDED, ids=[row[1] for row in NEEDED])
def test_the_extra_of_a_missing_library_is_named(monkeypatch, extra, library, what, do):
    without(monkeypatch, library)
    with pytest.raises(MissingExtraError) as caught:
        do()
    install = f'in a checkout of Mergescope, pip install ".[{extra}]"'
    assert str(caught.value) == f"{what} needs {library}, which is not installed: {install}"


SPLITS = [key for key, row in PRETOKENIZERS.items() if row.hugging_face is not None]


def trained_by_the_library(split):
    """A file that `tokenizers` has trained and written, with an added token; `split` changes nothing."""
    theirs = ByteLevelBPETokenizer()
    theirs.train_from_iterator(["The keeper's dog, the keeper's 12,345 lamps."], 300, show_progress=False)
    theirs.add_special_tokens(["<s>", "<new>"])
    return {"tokenizer.json": theirs._tokenizer.to_str().encode()}


def trained_here(split):
    settings = Settings(split, vocab_size=300, special_tokens=("<s>", "a|b"), normalizers=("nfkc", "lowercase"))
    return dumps(train("The keeper's dog, the keeper's 12,345 lamps. ИЙ ﬁ\n", settings).tokenizer())


@pytest.mark.parametrize(("make", "split"), [(trained_by_the_library, ""), *((trained_here, key) for key in SPLITS)])
def test_a_tokenizer_json_that_is_opened_as_ours_needs_no_library(monkeypatch, make, split):
    files = make(split)
    with_library = loads(files)
    without(monkeypatch, "tokenizers")
    found = loads(files)
    assert found == with_library
    assert dumps(found) == files
    for text in (*NASTY_UNICODE, "<s>The dogs ﬁnd 12,345,678<s>"):
        assert found.ids(text, specials=True) == with_library.ids(text, specials=True)


@pytest.mark.parametrize(
    "changed",
    [
        {"post_processor": {"type": "BertProcessing", "sep": ["a", 97], "cls": ["b", 98]}},
        {"added_tokens": [{"id": 999, "content": "<s>", "special": True}]},
        {"decoder": None},
    ],
    ids=" ".join,
)
def test_any_other_is_left_to_the_library(monkeypatch, changed):
    parts = json.loads(FILES["tokenizer.json"]) | changed
    without(monkeypatch, "tokenizers")
    with pytest.raises(MissingExtraError):
        loads({"tokenizer.json": json.dumps(parts).encode()})


def version_1():
    """A module with the names that `tokenizers` 1.0.0rc3 has."""
    module = ModuleType("tokenizers")
    vars(module).update({name: type(name, (), {}) for name in ("Encoding", "Padding", "Tokenizer", "Truncation")})
    module.__version__ = "1.0.0-rc.3"
    return module


OWN_PATTERN = Settings("custom", pattern=r"\p{L}+|\p{N}", vocab_size=257)
ASK_TOKENIZERS = {
    "opening this file": lambda: loads(FILES),
    "writing a pattern of your own into a tokenizer.json": lambda: dumps(train("hug hug", OWN_PATTERN).tokenizer()),
}


@pytest.mark.parametrize("what", ASK_TOKENIZERS)
def test_a_library_that_is_too_new_is_named_with_what_to_install(monkeypatch, what):
    monkeypatch.setitem(sys.modules, "tokenizers", version_1())
    with pytest.raises(FormatError) as caught:
        ASK_TOKENIZERS[what]()
    sentence = f"{what} needs tokenizers before version 1, and version 1.0.0-rc.3 is installed"
    assert str(caught.value) == f'{sentence}: pip install "tokenizers<1"'
    monkeypatch.undo()
    assert ASK_TOKENIZERS[what]()


def test_what_is_too_new_is_not_installed_with_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [Requirement(line) for extra in project["optional-dependencies"].values() for line in extra]
    for library, first in TOO_NEW.items():
        allowed = [line.specifier for line in lines if line.name == library]
        assert allowed
        for specifier in allowed:
            assert specifier.contains(version(library))
            assert not specifier.contains(f"{first}.0.0", prereleases=True)
            assert not specifier.contains(f"{first}.0.0rc3", prereleases=True)


@pytest.mark.parametrize("library", mergescope._LIBRARIES)
def test_the_command_that_opens_the_app_names_the_extra(monkeypatch, library):
    without(monkeypatch, library)
    monkeypatch.setattr(sys, "argv", ["mergescope"])
    with pytest.raises(SystemExit, match=rf'^mergescope: the app needs {library}, .* "\.\[app\]"$'):
        mergescope.main()


def test_a_command_ends_with_the_sentence(monkeypatch, tmp_path, capsys):
    without(monkeypatch, "tokenizers")
    (tmp_path / "tokenizer.json").write_bytes(FOREIGN["tokenizer.json"])
    assert main(["show", str(tmp_path / "tokenizer.json")], "mergescope") == 1
    assert capsys.readouterr().err.startswith("mergescope: opening this file needs tokenizers, which is not")


def test_every_library_is_in_the_extra_that_its_sentence_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    homes = packages_distributions()
    for extra, library in [(row[0], row[1]) for row in NEEDED] + [("app", name) for name in mergescope._LIBRARIES]:
        brought = [Requirement(line).name for line in extras[extra]]
        if extra == "app":
            brought += [Requirement(line).name for line in extras["png"] + extras["files"]]
        assert set(homes[library.partition(".")[0]]) & set(brought), library
