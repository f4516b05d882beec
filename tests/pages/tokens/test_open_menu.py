"""Tokenizers in files: opened, named, compared, and refused."""

import json
from base64 import b64decode

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError, Settings, dumps, loads, train
from pages.parts.ui import elements, sentences
from pages.parts.vocabularies import page_vocabulary
from tests.files.class_files import TEXTS, class_files
from tests.files.driver import READ_AND_WRITTEN
from tests.files.other_files import others
from tests.gguf_files import of_bytes
from tests.pages.driver import APP, html, problems, sent, visit
from tests.pages.session import has_opened
from tests.some import only


def trained_files(format: str, **settings) -> dict[str, bytes]:
    return dumps(train("hug hug pug", Settings(vocab_size=258, **settings)).tokenizer(), format)


def opened(files: dict[str, bytes], at: AppTest | None = None, page: str = "tokens") -> AppTest:
    at = at or visit({"text": "hug pug"})
    at.file_uploader(key=f"{page}.files").set_value(
        [(name, content, "application/octet-stream") for name, content in files.items()]
    ).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("format", only(READ_AND_WRITTEN, ".tiktoken"))
def test_a_file_of_each_format_is_opened(format):
    at = opened(trained_files(format))
    data = sent(at)
    assert (data["text"], data["steps"], data["step"]) == ("hug pug", 2, 2)
    assert data["title"] == " + ".join(trained_files(format))
    assert "258 tokens from" in html(at)
    assert not problems(at)


def test_a_file_that_is_none_is_said_once_and_nothing_is_lost():
    at = opened(trained_files("minbpe"))
    opened({"**x**.json": b'{"model": {"type": "![](http://x/<b>.png)"}}'}, at)
    assert html(at).count("for which this file is made") == 1
    assert "<b>.png" not in html(at)
    assert (sent(at)["title"], sent(at)["text"]) == ("tokenizer.model", "hug pug")


def test_of_a_gguf_whose_tokenizer_was_not_sent_the_command_is_named(monkeypatch):
    whole = of_bytes(train("hug hug pug", Settings("gpt2", vocab_size=258)).tokenizer(), "gpt-2")
    content = whole[:2000]
    assert "The GGUF ends within its header: it is not whole." in html(opened({"model.gguf": content}))
    monkeypatch.setattr(page_vocabulary, "SENT", 2000)
    before = {"small.gguf": whole}
    at = opened(before | {"model.gguf": content}, opened(before))
    assert "mergescope convert model.gguf --out tokenizer.json" in html(at)
    assert sent(at)["title"] == "small.gguf"


def test_files_that_clash_are_named():
    one, other = trained_files("minbpe"), trained_files("tokenizer.json")
    assert "remove one of them" in html(opened(one | other))


def test_a_file_opened_after_another_replaces_it_where_they_do_not_belong_together():
    one, other = {"bad.json": b'{"foo": 1}'}, trained_files("minbpe")
    at = opened(one | {"photo.png": b"\x89PNG\0"}, opened(one))
    assert "photo.png&#x27; is no part of a tokenizer: remove it" in html(at).replace("&#39;", "&#x27;")
    at = opened(one | other, opened(one))
    assert sent(at)["title"] == "tokenizer.model"
    assert "remove it" not in html(at)
    assert "remove one" not in html(at)


def test_a_link_does_not_carry_a_file_and_the_page_says_so():
    at = visit({"tokenizer": "file tokenizer.json", "text": "hug"})
    assert "since neither a link nor a reload keeps it. Showing GPT-2 instead." in html(at)
    assert sent(at)["title"] == "GPT-2"


def test_ranks_alone_ask_for_a_pretokenizer():
    at = opened({"mine.tiktoken": trained_files(".tiktoken")["tokenizer.tiktoken"]})
    assert "choose a pretokenizer" in html(at)
    at.selectbox(key="tokens.cut").set_value("cl100k").run()
    assert sent(at)["title"] == "mine.tiktoken"
    assert "pretokenizer GPT-4 (cl100k)" in html(at)


def test_what_no_file_says_is_assumed_aloud_and_another_split_can_be_chosen():
    pair = {name: content for name, content in class_files("GPT2Tokenizer").items() if "config" not in name}
    at = opened(pair, visit({"text": "I'LL"}))
    assumed = "The files do not say how text is split: GPT-2’s split is assumed."
    assert assumed in html(at)
    at.selectbox(key="tokens.cut").set_value("qwen").run()
    assert not at.exception
    assert assumed not in html(at)
    assert "pretokenizer Qwen" in html(at)


def test_what_stands_beside_a_vocabulary_is_uploaded_with_it():
    qwen, texts = class_files("Qwen2Tokenizer"), [*TEXTS[:2], "hug<x>"]
    free = len(json.loads(qwen["vocab.json"])) + 2
    files = {"vocab.json": qwen["vocab.json"], "merges.txt": qwen["merges.txt"]} | {
        "tokenizer_config (1).json": qwen["tokenizer_config.json"],  # as a browser names it that has another one
        "added_tokens.json": json.dumps({"<x>": free}).encode(),
        "chat_template.jinja": b"{{ messages[-1].content }}",
        "tool_use.jinja": b"TOOLS {{ messages[-1].content }}",
    }
    at = opened(files, visit({"turns": json.dumps([["user", "".join(texts)]])}, page="chat"), "chat")
    theirs = loads(qwen | {"added_tokens.json": files["added_tokens.json"]})
    assert json.loads(at.code[1].value) == theirs.ids("".join(texts), specials=True)
    assert free in json.loads(at.code[1].value)
    assert "(default, tool_use) default is used, as for any chat" in html(at)
    assert "assumed" not in html(at)
    opened(files | {"tokenizer_config.json": b"{}"}, at, "chat")
    assert any(each.startswith("There are two files tokenizer_config.json, and only one") for each in problems(at))


def test_each_of_several_tokenizers_is_named_with_what_is_assumed_about_it():
    pair = {name: content for name, content in class_files("GPT2Tokenizer").items() if "config" not in name}
    at = opened(pair, visit({"view": "side-by-side", "text": "hug", "against": "none", "tokenizer": "gpt2"}))
    assert "vocab.json + merges.txt: The files do not say how text is split" in html(at)
    assert "GPT-2: The files" not in html(at)


def test_a_template_that_cannot_be_used_is_said():
    files = trained_files("tokenizer.json") | {"chat_template.jinja": b"x" * 200_001}
    at = opened(files, visit({"turns": '[["user", "hug"]]'}, page="chat"), "chat")
    assert "chat template cannot be used. The chat template has 200,001 characters" in html(at)
    assert "This is ChatML" in html(at)


def test_two_files_are_compared_also_under_one_name():
    at = visit({"view": "side-by-side", "text": "hug pug", "against": "none", "tokenizer": "gpt2"})
    for size in (257, 258):
        files = dumps(train("hug hug pug", Settings(vocab_size=size)).tokenizer(), "tokenizer.json")
        opened(files, at)
    assert [row["name"] for row in sent(at)["rows"]] == ["GPT-2", "tokenizer.json", "tokenizer.json (2)"]
    assert [row["figures"]["tokens"] for row in sent(at)["rows"]] == [4, 5, 4]


def test_what_the_view_is_told_of_a_space_put_before_and_of_bytes():
    vocab = {f"<0x{byte:02X}>": byte for byte in range(256)} | {"▁": 256, "h": 257, "i": 258, "hi": 259, "▁hi": 260}
    model = {"type": "BPE", "byte_fallback": True, "vocab": vocab, "merges": [["h", "i"], ["▁", "hi"]]}
    parts = {"model": model, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}}
    at = opened({"t.json": json.dumps(parts).encode()}, visit({"tokenizer": "file", "text": "hié"}))
    told = sent(at)
    assert told["alphabet"] == [[0xA9, "a9", 1], [0xC3, "c3", 1], [256, "20", 1], [257, "68", 1], [258, "69", 1]]
    assert unpacked(told["symbols"]) == [2, 3, 4, 1, 0]
    assert unpacked(told["moved"]) == [0, 0, 0]  # the space covers none of the text
    assert [unpacked(told[name]) for name in ("fallen", "steps_here", "made_here")] == [
        [2, 1, 0, 2, 2],
        [1, 2],
        [259, 260],
    ]


def unpacked(told: dict) -> list[int]:
    return np.frombuffer(b64decode(told["base64"]), f"<u{told['bits'] // 8}").tolist()


def test_white_space_that_a_special_token_takes_is_said_to_be_lost():
    files = trained_files("tokenizer.json", special_tokens=("<mask>",))
    parts = json.loads(files["tokenizer.json"])
    parts["added_tokens"][0]["lstrip"] = True
    at = visit({"tokenizer": "file", "text": "hug  <mask> pug"})
    opened({"tokenizer.json": json.dumps(parts).encode()}, at)
    data = sent(at)
    assert unpacked(data["moved"]) == [3, 3, 11]  # the special token and the spaces before it
    assert data["special_ids"] == [257]
    assert "Decoded: hug<mask> pug" in data["remarks"]


@pytest.mark.parametrize(
    ("page", "query", "question"),
    [
        ("", {"tokenizer": "file"}, "encode"),
        ("", {"tokenizer": "file"}, "decode"),
        ("tokenizers", {"tokenizer": "file"}, "ids_of_each"),
        ("pipeline", {"model": "file", "normalizers": ""}, "encode"),
        ("pipeline", {"model": "file", "normalizers": ""}, "decode"),
    ],
)
def test_a_text_that_an_opened_tokenizer_takes_too_long_for_is_a_sentence(monkeypatch, page, query, question):
    opened = page_vocabulary.opened(trained_files("tokenizer.json"), None)

    def refuse(*_):
        raise FormatError("this text took the tokenizer too long")

    monkeypatch.setattr(f"bpe_core.files.safely.Remote.{question}", refuse)
    at = AppTest.from_file(str(APP), default_timeout=300)
    if page:
        at.switch_page(f"pages/{page}.py")
    for name, value in {"text": "hug", **query}.items():
        at.query_params[name] = value
    has_opened(at, opened)
    at.run()
    assert not at.exception
    assert "This text took the tokenizer too long." in html(at)


@pytest.mark.parametrize("part", only(range(24), 0))
def test_of_what_is_no_tokenizer_the_page_says_the_same_as_the_library(part):
    at = None
    for content, _ in list(others().values())[part::24]:
        files = {"tokenizer.json": content}
        at = opened(files, at)
        with pytest.raises(FormatError) as caught:
            loads(files)
        assert html(at).count(elements.problem(sentences.problem(caught.value))) == 1
        at = opened({}, at)
