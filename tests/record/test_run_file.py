"""A run that is saved is the run that is loaded, whatever its names and texts; a file that is none is one sentence."""

import json

import pytest

from bpe_core import Run, Settings, SettingsError, load, train, train_counts
from bpe_core.record.run_file import RunFileError

HALVES = "\ud83d\ude42"  # two surrogates side by side, which are not the character 🙂
GROWN = {
    "settings": Settings(vocab_size=262, start="given"),
    "start": train("hug hug", Settings(vocab_size=258)).tokenizer(),
}
RUNS = {
    **{
        f"special token {name!r}": lambda name=name: train(
            f"ab {name} b ab", Settings(special_tokens=(name,), vocab_size=262)
        )
        for name in ("a b", " ", " a", "x\ty", "a\nb", "\u00a0", "\u2028")
    },
    "a normalizer twice": lambda: train("Ab", Settings(normalizers=("nfc", "lowercase", "nfc"), vocab_size=258)),
    "surrogates": lambda: train(f"{HALVES} {HALVES} 🙂 \ud800", Settings(vocab_size=262)),
    "counted surrogates": lambda: train_counts({HALVES: 2, "🙂": 1, "\ud800": 3}, Settings(vocab_size=262)),
    "from a file's tokens": lambda: train("a parrot two", **GROWN),
    "from a loaded vocabulary": lambda: train(
        "a parrot, two parrots", Settings(vocab_size=50258, start="given"), start=load("gpt2")
    ),
    "from a name": lambda: train("a parrot, two parrots", Settings(vocab_size=50258, start="gpt2")),
}
CONTENT = {"mergescope run": 1, "settings": {}}
DAMAGED = {
    "a number for a text": {"texts": [5]},
    "one text": {"texts": "low low"},
    "texts by name": {"texts": {"a": 1}},
    "no texts": {},
    "True for a count": {"words": {"low": True}},
    "a count beyond 64 bits": {"words": {"low": 10**30}},
    "settings in a list": {"texts": ["low"], "settings": []},
    "an unknown start": {"texts": ["low"], "start": "gpt-9"},
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_what_is_saved_is_what_is_loaded(tmp_path, run):
    made = run()
    assert Run.load(made.save(tmp_path / "run.json")) == made


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_one_sentence(tmp_path, damage):
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**CONTENT, **damage}))
    with pytest.raises(RunFileError, match=r"run\.json: the file is damaged"):
        Run.load(path)


def test_a_damaged_start_is_one_sentence(tmp_path):
    """No id is believed: a merge may name no token, and nobody gets room for two thousand million ids."""
    path = train("a parrot two", **GROWN).save(tmp_path / "run.json")
    whole = json.loads(path.read_bytes())
    for name, value in (
        ("merges", [[104, 117, -1]]),
        ("merges", [[104, 117, 2**31]]),
        ("special_tokens", {"<b>": 2**31}),
        ("tokens", None),
    ):
        path.write_text(json.dumps({**whole, "start": {**whole["start"], name: value}}))
        with pytest.raises(RunFileError, match=r"is damaged .*tokenizer that it starts from is not written as"):
            Run.load(path)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"mergescope run": true}', "\ud800", "5"])
def test_a_file_of_something_else_is_no_run(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(RunFileError, match="this file is not a run that Mergescope saved"):
        Run.load(tmp_path / "run.json")


@pytest.mark.parametrize("given", [{"min_count": 10**12}, {"vocab_size": 10**30}, {"forced": {2**40: (b"l", b"o")}}])
def test_no_number_is_taken_that_cannot_be_saved(given):
    with pytest.raises(SettingsError, match=r"is above|has so many steps"):
        Settings(**given)


def test_counts_that_64_bits_cannot_add_up_are_refused():
    """Three words of 2 to the power of 62: their common pair would be counted as a negative number."""
    with pytest.raises(ValueError, match="the counted words have up to"):
        train_counts({"low": 2**62, "lo": 2**62, "lox": 2**62}, Settings(vocab_size=259))
    assert train_counts({"low": 2**55}, Settings(vocab_size=258)).merges[0].count == 2**55
