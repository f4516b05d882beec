"""`chat`: turns to ids; each error is one sentence."""

import json

import pytest

from tests.cli.driver import ok, run

TURNS = json.dumps([{"role": "user", "content": "Hi"}]).encode()
CONFIG = {"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": {"content": "<|endoftext|>"}}
WRONG = [
    (["qwen"], b"[", "The turns are not JSON"),
    (["qwen"], b"5", "The turns are not a list"),
    (["qwen"], b'[{"role": "user"}]', "Turn 1 needs a role and a content"),
    (["tekken"], b'[["user", "a"], ["user", "b"]]', "The template refuses these turns"),
    (["gpt2"], TURNS, "no chat template of gpt2 is known here; --template gives one"),
    (["gpt2", "--template", "none.jinja"], TURNS, "none.jinja: there is no such file"),
]


def test_the_ids_of_a_chat_and_whose_the_tokens_are():
    printed = ok("chat", "qwen", "--add-generation-prompt", given=TURNS)
    assert printed == b"151644 872 198 13048 151645 198 151644 77091 198\n"
    found = json.loads(ok("chat", "qwen", "--json", given=TURNS))
    assert ok("chat", "gpt2", "--template", "chatml", given=TURNS).split()[0] == b"27"
    assert found["text"] == "<|im_start|>user\nHi<|im_end|>\n"
    assert dict(zip(found["tokens"], found["sources"], strict=True))["Hi"] == "yours"


@pytest.mark.parametrize("name", ["config.json", "own.jinja"])
def test_a_template_from_a_file(tmp_path, name):
    (tmp_path / name).write_text(json.dumps(CONFIG) if name == "config.json" else CONFIG["chat_template"])
    ids = ok("chat", "gpt2", "--template", tmp_path / name, given=TURNS).split()
    assert ids == [b"50256", b"17250"], "without a config it is GPT-2's only special token"


def test_the_template_beside_the_tokenizers_file(tmp_path):
    ok("convert", "gpt2", "--out", tmp_path / "tokenizer.json")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(CONFIG))
    assert ok("chat", tmp_path / "tokenizer.json", given=TURNS) == b"50256 17250\n"
    (tmp_path / "chat_template.jinja").write_text("{{ bos_token * 2 }}")
    assert ok("chat", tmp_path / "tokenizer.json", given=TURNS) == b"50256 50256\n"


@pytest.mark.parametrize(("arguments", "given", "expected"), WRONG)
def test_an_error_is_one_sentence(arguments, given, expected):
    done = run("chat", *arguments, given=given)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"bpe_core: {expected}")
    assert done.stderr.count(b"\n") == 1
