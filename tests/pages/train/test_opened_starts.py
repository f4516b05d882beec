"""Train starts from a tokenizer that the visitor opened, and says why it cannot start from another one."""

import json
from dataclasses import replace
from html import unescape

import pytest

from bpe_core import Settings, SettingsError, dumps, load, loads, train
from bpe_core.pictures.shared.training_in_words import NEVER_SEEN, side_titles
from pages.parts.state.chosen_settings import GrownSettings
from pages.parts.trainings import chosen_start
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary
from tests.files.class_files import class_files
from tests.pages.driver import go, html, left_out, link, open_page, problems, said
from tests.pages.session import key_of

TEXT = "The parrot squawks, the parrots squawk."
MINE = train("the parrot, the cat", Settings("gpt2", vocab_size=262, special_tokens=("<|end|>",))).tokenizer()
FILE = dumps(MINE)["tokenizer.json"]
GROWN = train(TEXT, Settings(vocab_size=1000), start=MINE)


def opened(content: bytes, name: str = "mine.json", test=None):
    """Return Train after the file was opened to start from."""
    test = test or open_page("pages/train.py", text=TEXT)
    test.selectbox(key=key_of(test, "train.start")).set_value("file").run()
    test.file_uploader(key="train.files").set_value([(name, content, "application/json")]).run()
    assert not test.exception
    return test


def boxes(test) -> dict:
    return {box.label: (box.value, box.disabled) for box in test.selectbox}


def test_a_file_is_a_start_and_the_vocabulary_that_grows_from_it_is_on_all_pages():
    test = opened(FILE)
    assert boxes(test)["Start from"] == ("file mine.json", False)
    assert boxes(test)["Split by"] == ("GPT-2", True)
    assert "Training starts from the tokens of mine.json; text is split as there: GPT-2." in unescape(html(test))
    assert "Before any new merge: every word is written in the tokens of mine.json." in said(test)
    merge = GROWN.merges[0]
    assert said(go(test, 1)).startswith(f"Step 1 joined [{GROWN.ids[merge.left]}] + [{GROWN.ids[merge.right]}] → [262]")
    assert not problems(test)
    test.switch_page("app.py").run()
    test.selectbox(key=key_of(test, "shared.tokenizer")).set_value("trained").run()
    assert not problems(test)
    assert json.loads(link(test)["training"])["start"] == "file mine.json"


def test_what_is_assumed_about_a_start_is_said():
    pair = {name: content for name, content in class_files("GPT2Tokenizer").items() if "config" not in name}
    test = open_page("pages/train.py", text=TEXT)
    test.selectbox(key=key_of(test, "train.start")).set_value("file").run()
    test.file_uploader(key="train.files").set_value([(name, each, "") for name, each in pair.items()]).run()
    assert not test.exception
    assert boxes(test)["Start from"] == ("file vocab.json + merges.txt", False)
    assert "The files do not say how text is split: GPT-2’s split is assumed." in unescape(html(test))


def test_no_link_carries_a_file_and_both_sides_say_so():
    test = opened(FILE).run()
    assert left_out(test) == "without the file of “Start from”, which no link can carry: send it separately"
    there = open_page("pages/train.py", **link(test))
    (sentence,) = problems(there)
    assert sentence == (
        "The tokenizer's file is not open here: open it again, since neither a link nor a reload keeps it. "
        "Training starts from the alphabet instead."
    )
    assert "start" not in link(there)


def without_space(parts: dict) -> dict:
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    stages = [{"type": "WhitespaceSplit"}, to_bytes]
    return parts | {"pre_tokenizer": {"type": "Sequence", "pretokenizers": stages}}


def stripping(parts: dict) -> dict:
    return parts | {"added_tokens": [parts["added_tokens"][0] | {"lstrip": True}]}


def unigram(_: dict) -> dict:
    return {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0]], "byte_fallback": False}}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (unigram, "its model is Unigram, which has no merges$"),
        (lambda _: json.loads(dumps(load("bert"))["tokenizer.json"]), "its model is WordPiece, which has no merges$"),
        (without_space, "its split drops text"),
        (stripping, "its added token '<.end.>' has rules of its own$"),
    ],
    ids=["unigram", "wordpiece", "drops-text", "rules"],
)
def test_what_no_training_can_start_from_is_refused_with_the_reason(change, reason, monkeypatch):
    theirs = loads({"tokenizer.json": json.dumps(change(json.loads(FILE))).encode()})
    found = {"file theirs": PageVocabulary("file theirs", "theirs", "", theirs)}
    monkeypatch.setattr(opened_vocabularies, "opened", lambda: found)
    with pytest.raises(SettingsError, match=f"^training cannot start from this tokenizer: {reason}"):
        chosen_start.check("file theirs")


def test_a_refused_start_changes_nothing_but_the_sentence():
    test = opened(json.dumps(unigram({})).encode(), "theirs.json")
    assert problems(test) == ["Training cannot start from this tokenizer: its model is Unigram, which has no merges."]
    assert boxes(test)["Start from"] == ("none", False)
    assert link(test) == {"text": TEXT}


def test_two_files_of_one_name_are_two_starts():
    found = [GrownSettings(start="given", opened="file a", title="a", content=content) for content in (1, 2, 1)]
    assert found[0] == found[2] != found[1]
    titles = side_titles(found[0], Settings("gpt2", vocab_size=1000))
    assert titles == ("GPT-2’s split, grown from the tokens of a", "GPT-2’s split, within words")
    kept = replace(found[0], min_count=NEVER_SEEN)
    assert side_titles(kept, Settings())[0] == "a, as it is", "not GPT-2, whose split it has"


def test_disabled_controls_say_why():
    test = opened(FILE)
    disabled = [box for box in test.selectbox if box.disabled]
    assert len(disabled) == 4
    for box in disabled:
        assert "Training starts from the tokens of mine.json, which prescribe it" in box.help.replace("\\", "")


def test_the_name_of_a_start_is_text_in_the_help_of_a_disabled_control():
    test = opened(FILE, "my*model*[x](y).json")
    (split,) = [box for box in test.selectbox if box.label == "Split by"]
    assert r"my\*model\*\[x\]\(y\)" in split.help
