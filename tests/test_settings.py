"""A setting is one field of `Settings`: its type, its row, its docstring and the command line agree."""

from dataclasses import replace
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from bpe_core import NORMALIZERS, PRETOKENIZERS, PUBLISHED, Settings, SettingsError
from bpe_core.cli.grammar import parser
from bpe_core.cli.training import settings_of
from bpe_core.kinds import OneOf, PairsAtSteps, Several, Text
from bpe_core.settings import SETTINGS, STARTS, AcrossKey, NormalizerKey, PretokenizerKey
from tests.holes import holes

# A value of each setting that is not its default.
OTHER: dict[str, Any] = {
    "pretokenizer": "digits",
    "alphabet": "characters",
    "word_marker": "end",
    "tie_rule": "greatest",
    "vocab_size": 300,
    "min_count": 2,
    "special_tokens": ("<a>", "<b>"),
    "pattern": r"\w+",
    "normalizers": ("nfd", "lowercase"),
    "forced": {2: (b"e", b"s"), 7: (b"lo", b"w\xff")},
    "start": "gpt2",
    "then_across_words_from": 280,
    "then_split_by": "none",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_type_of_a_setting_has_the_keys_of_its_table(name: str):
    kind, hint = SETTINGS[name].kind, get_type_hints(Settings)[name]
    if isinstance(kind, OneOf):
        assert get_args(hint) == tuple(kind.table)
    elif isinstance(kind, Several):
        assert get_args(get_args(hint)[0]) == tuple(kind.one.table)
    else:
        assert isinstance(OTHER[name], getattr(hint, "__origin__", hint))


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_said_of_a_setting_and_of_each_of_its_values_has_no_hole(name: str):
    row = SETTINGS[name]
    kind = row.kind.one if isinstance(row.kind, Several) else row.kind
    options = list(kind.options.values()) if isinstance(kind, OneOf) else []
    assert holes([row.title, row.about, row.kind.takes, *(text for each in options for text in each)]) == []
    assert [each.title for each in options if not each.about.endswith(".")] == []


def test_the_tables_are_those_that_a_training_looks_into():
    assert get_args(PretokenizerKey) == (*PRETOKENIZERS, "custom")
    assert get_args(NormalizerKey) == tuple(NORMALIZERS)
    assert set(get_args(AcrossKey)) == {key for key, row in PRETOKENIZERS.items() if row.lossless}
    assert [*STARTS] == ["none", *(key for key, row in PUBLISHED.items() if row.model == "BPE"), "given"]


def test_the_docstring_lists_what_every_setting_takes():
    lines = " ".join((Settings.__doc__ or "").split()).split("- `")
    for name, row in SETTINGS.items():
        assert any(line.startswith(f"{name}`: {row.kind.takes}.") for line in lines), name


@pytest.mark.parametrize("name", SETTINGS)
def test_a_value_is_read_back_from_its_text(name: str):
    row = SETTINGS[name]
    assert OTHER[name] != getattr(Settings(), name)
    for value in (OTHER[name], getattr(Settings(), name)):
        assert row.read(row.write(value)) == value


WRONG = [None, True, 2.5, 300.0, "300", b"gpt2", ["gpt2", 3], {1: 2}]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [(name, value) for name, row in SETTINGS.items() for value in WRONG if (type(row.kind), value) != (Text, "300")],
)
def test_a_value_of_another_type_is_refused_by_the_name_of_the_setting(name: str, wrong: object):
    with pytest.raises(SettingsError, match=rf"^{name} ") as caught:
        Settings(**{name: wrong})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("vocab_size", "300", "vocab_size has to be a whole number, and is '300'"),
        ("min_count", 0, "min_count 0 is below 1"),
        ("alphabet", "bits", "alphabet 'bits' is unknown; choose one of bytes, characters"),
        ("forced", {1: (b"a",)}, r"forced has to map steps to pairs of tokens, and has the pair \(b'a',\)"),
    ],
)
def test_a_wrong_value_is_named_in_one_sentence(name: str, wrong: object, message: str):
    with pytest.raises(SettingsError, match=f"^{message}$"):
        Settings(**{name: wrong})


def test_numbers_of_numpy_become_plain_ones():
    chosen = Settings(vocab_size=np.int32(300))
    assert (chosen, type(chosen.vocab_size), hash(chosen)) == (Settings(vocab_size=300), int, hash(replace(chosen)))


def test_a_row_that_is_added_to_a_table_can_be_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PRETOKENIZERS, "mine", PRETOKENIZERS["none"])
    assert Settings(pretokenizer="mine").splitter is PRETOKENIZERS["none"]  # type: ignore[arg-type]


# A branch is made on the screen.
@pytest.mark.parametrize("name", [name for name, row in SETTINGS.items() if not isinstance(row.kind, PairsAtSteps)])
def test_the_command_line_gives_a_setting(name: str):
    row, value = SETTINGS[name], OTHER[name]
    texts = value if isinstance(value, tuple) else [row.write(value)]
    option = f"--{name.replace('_', '-')}"
    given = [word for text in texts for word in (option, text)]
    chosen = settings_of(parser().parse_args(["steps", "story.txt", "--vocab-size", "300", *given]))
    more = {"pretokenizer": "custom"} if name == "pattern" else {}
    assert chosen == Settings(**({"vocab_size": 300, name: value} | more))


def test_a_pattern_belongs_to_the_custom_split():
    with pytest.raises(SettingsError, match="pattern is for pretokenizer=\"custom\", and pretokenizer is 'gpt2'"):
        Settings(pattern=r"\w+")
    assert Settings("custom", pattern=PRETOKENIZERS["cl100k"].pattern).splitter == PRETOKENIZERS["cl100k"]
