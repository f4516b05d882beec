"""What a format cannot carry is refused in one sentence."""

from dataclasses import replace

import pytest

from bpe_core import NORMALIZERS, PRETOKENIZERS, FormatError, Settings, dumps, train
from tests.files.driver import CORPUS

REFUSED = [
    ("tokenizer.json", Settings("whitespace", word_marker="end"), "no word marker that is a symbol of its own"),
    *(
        ("tokenizer.json", Settings("custom", pattern=pattern), "may split otherwise by the pattern")
        for pattern in (r"\w+|\W", "(?i)a|.", "(?>a)|.", "a$|.", "^a|.", "[a-z&&[b]]|.", "a++|.", "a{2}?|.", r"\bthe|.")
    ),
    ("tokenizer.json", Settings(special_tokens=("q",)), "'q' is written like an ordinary token"),
    ("tokenizer.json", Settings(special_tokens=("\ud800",)), "half a character"),
    ("vocab.json + merges.txt", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    (".tiktoken", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    ("minbpe", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    ("vocab.json + merges.txt", Settings("cl100k"), "read with GPT-2's pretokenizer"),
    ("vocab.json + merges.txt", Settings(special_tokens=("é",)), "cannot say that 'é' is special"),
    ("vocab.json + merges.txt", Settings(special_tokens=tuple(map(str, range(10, 500)))), "which of more than 300"),
    ("vocab.json + merges.txt", Settings(alphabet="characters"), "this vocabulary from characters"),
    (".tiktoken", Settings("whitespace"), "“Whitespace” drops some"),
    *(
        (".tiktoken", Settings("custom", pattern=pattern), "tiktoken may split otherwise by the pattern")
        for pattern in ("(?i)a|.", "a$|.", "^a|.", "[a-z&&[b]]|.", r"a\h|.")
    ),
    (".tiktoken", Settings("custom", pattern="\ud800|."), "half a character"),
    (".tiktoken", Settings(alphabet="characters"), "this vocabulary from characters"),
    (".tiktoken", Settings(word_marker="start"), "no word marker"),
    (".tiktoken", Settings(special_tokens=("<a>", "<b>", "<a><b>")), "'<a><b>' begins with '<a>'"),
    (
        "tokenizer.json",
        Settings("whitespace", "characters", special_tokens=("é",), normalizers=("nfc",)),
        "'é' is a character that normalizing may make",
    ),
    ("minbpe", Settings(word_marker="end"), "no word marker"),
    ("minbpe", Settings(alphabet="characters"), "this vocabulary from characters"),
    ("minbpe", Settings(special_tokens=("a b",)), "which has white space"),
    ("minbpe", Settings("custom", pattern="(a)|b"), "groups"),
    ("minbpe", Settings("custom", pattern="a|\n"), "line break"),
    ("minbpe", Settings("custom", pattern="\ud800|."), "half a character"),
    ("nonsense", Settings(), "format 'nonsense' is unknown; choose one of tokenizer.json, "),
]


@pytest.mark.parametrize(("name", "chosen", "reason"), REFUSED)
def test_what_a_format_cannot_carry_is_refused_and_nothing_written(tmp_path, name, chosen, reason):
    tok = train(CORPUS, chosen).tokenizer()
    with pytest.raises(FormatError, match=reason) as caught:
        tok.save(tmp_path / "vocab.json", name)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_characters_that_no_file_can_hold():
    tok = train("\ud800a", Settings(alphabet="characters")).tokenizer()
    with pytest.raises(FormatError, match="half a character"):
        dumps(tok)


def test_a_row_without_a_spelling_is_refused_in_a_sentence(monkeypatch):
    row = replace(PRETOKENIZERS["whitespace"], title="New", rules=(("word", r"\S+|\s"),), hugging_face=None)
    monkeypatch.setitem(PRETOKENIZERS, "new", row)
    with pytest.raises(FormatError, match="have no pre_tokenizer like New"):
        dumps(train("low", Settings("new")).tokenizer(), "tokenizer.json")
    monkeypatch.setitem(NORMALIZERS, "new", replace(NORMALIZERS["nfc"], title="New", hugging_face=None))
    with pytest.raises(FormatError, match="have no normalizer like New"):
        dumps(train("low", Settings("none", normalizers=("new",))).tokenizer(), "tokenizer.json")
