"""A model with several chat templates: the one that `transformers` uses, in every form in which files have several.

`tests/published/real_chats.py` asks `transformers` for the same `FORMS`. Beside them, what a chat's calls refuse.
"""

import json

import pytest
from gguf import GGUFWriter

from bpe_core import load
from bpe_core.chat import ChatError, ChatTemplate, read_template, render, requests, tool_costs, variables_of
from bpe_core.chat.given_template import template_of_model
from tests import gguf_files
from tests.chat.template_forms import CONFIG, DEFAULT, FORMS, NAMED, TOOLS, TURNS, WRITE, config_with, listed
from tests.cli.driver import ok, run


def begins(template, tools):
    try:
        return render(template, TURNS, tools=tools).text
    except ChatError:
        return None


@pytest.mark.parametrize("form", FORMS)
def test_the_template_for_tools_is_the_one_that_transformers_uses(form, tmp_path):
    files, with_tools, without = FORMS[form]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    template = template_of_model(tmp_path)
    for tools, expected in ((TOOLS, with_tools), ([], without)):
        found = begins(template, tools)
        assert found is None if expected is None else found.startswith(expected)


def test_a_gguf_and_a_processor_have_several_too(tmp_path):
    writer = GGUFWriter(tmp_path / "m.gguf", "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(["a"])
    writer.add_chat_template(listed(**NAMED))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "chat_template.json").write_text(json.dumps({"chat_template": NAMED}))
    for model in (tmp_path / "m.gguf", tmp_path / "other"):
        found = template_of_model(model)
        assert {**found.named} == NAMED
        assert begins(found, TOOLS).startswith("TOOLS")
        assert begins(found, []).startswith("[")


def test_a_template_is_chosen_by_its_name_and_the_answer_names_it(tmp_path):
    config = tmp_path / CONFIG
    config.write_text(config_with(listed(**NAMED))[CONFIG])
    turns, tools = tmp_path / "turns.json", tmp_path / "tools.json"
    turns.write_text(json.dumps([{"role": "user", "content": "What time is it?"}]))
    tools.write_text(json.dumps(TOOLS))
    asked = ["chat", "gpt2", turns, "--template", config, "--tools", tools, "--json"]
    done = run(*asked)
    assert json.loads(done.stdout)["text"].startswith("TOOLS")
    assert b"(default, rag, tool_use) tool_use is used" in done.stderr
    assert json.loads(ok(*asked, "--template-name", "rag"))["text"].startswith("RAG")
    wrong = run(*asked, "--template-name", "rags")
    assert wrong.returncode
    assert b"no chat template named 'rags': it has default, rag, tool_use" in wrong.stderr


def test_tools_cost_what_the_template_for_tools_adds_to_the_default():
    template, gpt2 = read_template(config_with(NAMED)[CONFIG]), load("gpt2")
    costs = tool_costs(gpt2, template, TURNS, TOOLS)
    counted = [len(gpt2.ids(render(template, TURNS, tools=tools).text, specials=True)) for tools in (TOOLS, [])]
    assert [costs.tokens, costs.without] == counted
    assert costs.together == counted[0] - counted[1] > 0


def test_costs_and_requests_have_the_tokenizers_own_special_tokens():
    """As `apply_chat_template` and the command count them."""
    gpt2, template = load("gpt2"), "{{ bos_token }}{{ tools | tojson if tools }}" + WRITE + "{{ eos_token }}"
    whole = len(gpt2.apply_chat_template(TURNS, template=template, tools=TOOLS).ids)
    assert tool_costs(gpt2, template, TURNS, TOOLS).tokens == whole
    assert requests(gpt2, TURNS, template, tools=TOOLS).sent == whole
    assert gpt2.apply_chat_template(TURNS, template=template).ids[0] == 50256


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"enable_thnking": False}, "does not read 'enable_thnking': is it 'enable_thinking'?"),
        ({"chat_template": "x"}, "does not read 'chat_template': is it 'template'?"),
        ({"tokenize": False}, "does not read 'tokenize': it reads enable_thinking."),
    ],
)
def test_a_word_that_nobody_reads_is_refused(words, said):
    qwen = load("qwen")
    with pytest.raises(ChatError, match=f".*{said.replace('?', '[?]')}"):
        qwen.apply_chat_template(TURNS, **words)
    if "chat_template" not in words:
        for ask in (
            lambda: render("qwen3", TURNS, variables=words),
            lambda: requests(qwen, TURNS, variables=words),
            lambda: tool_costs(qwen, "qwen3", TURNS, TOOLS, variables=words),
        ):
            with pytest.raises(ChatError, match="does not read"):
                ask()


def test_the_words_of_transformers_that_a_template_reads_are_taken():
    qwen = load("qwen")
    assert qwen.apply_chat_template(TURNS, add_generation_prompt=True, enable_thinking=False).text.endswith(
        "</think>\n\n"
    )
    assert render("{{ bos_token }}", [], variables={"bos_token": "<b>"}).text == "<b>"
    assert render("{{ strftime_now('%Y') }}", [], variables={"strftime_now": 0}).text == "1970"


def test_a_name_that_is_no_template_is_refused():
    for ask in (
        lambda: render("qwen-3", TURNS),
        lambda: tool_costs("qwen", "qwen-3", TURNS, TOOLS),
        lambda: requests("qwen", TURNS, "qwen-3"),
    ):
        with pytest.raises(ChatError, match=r"'qwen-3' is no chat template: is it 'qwen3'\?"):
            ask()


def test_a_missing_content_is_no_word():
    """`transformers` 5.24 leaves out what a message has as null; a template then meets a value that is missing."""
    turns = [{"role": "assistant", "content": None, "name": None, "tool_calls": [{"function": {"name": "clock"}}]}]
    source = "{% for m in messages %}{{ m.keys() | list }}{{ m.content }}|{{ m.name is defined }}{% endfor %}"
    assert render(source, turns).text == "['role', 'tool_calls']|False"
    assert render(ChatTemplate(source), [{"role": "user", "content": None}]).text == "['role']|False"


def test_the_template_of_files_with_a_name_before_theirs_has_that_name_too(tmp_path):
    """As `load` reads what is beside `mine-vocab.json`; where no file has the name, the usual ones are the model's."""
    for name in ("mine-vocab.json", "yours-vocab.json"):
        (tmp_path / name).touch()
    (tmp_path / "chat_template.jinja").write_text("usual")
    (tmp_path / "mine-tokenizer_config.json").write_text('{"chat_template": "mine"}')
    assert template_of_model(tmp_path / "mine-vocab.json").source == "mine"
    assert template_of_model(tmp_path / "yours-vocab.json").source == "usual"
    assert template_of_model(tmp_path).source == "usual"


def test_a_template_goes_wherever_one_is_taken_as_a_path(tmp_path):
    """A Path may lead to a GGUF, a file of Jinja, one of the two JSON files, a tokenizer beside them, or the folder."""
    config = {"chat_template": DEFAULT, "bos_token": "<s>"}
    (tmp_path / "folder").mkdir()
    paths = {
        tmp_path / "m.gguf": gguf_files.written("gpt2", ["a", "<s>"], bos_token_id=1, template=DEFAULT),
        tmp_path / "t.jinja": DEFAULT.replace("bos_token", "'<s>'").encode(),
        tmp_path / "folder" / CONFIG: json.dumps(config).encode(),
        tmp_path / "folder" / "tokenizer.json": b'{"model": {}}',
    }
    for path, content in paths.items():
        path.write_bytes(content)
    chat = [("user", "Hi"), ("assistant", "Ho")]
    tokenizer = load("gpt2")
    expected = render(DEFAULT.replace("bos_token", "'<s>'"), chat).text
    for path in (*paths, tmp_path / "folder"):
        assert render(path, chat).text == expected, path.name
        assert variables_of(path) == ()
        assert tokenizer.apply_chat_template(chat, template=path).text == expected
        assert requests(tokenizer, chat, path).all[0].input.text.startswith("<s>[user]")
        assert tool_costs(tokenizer, path, chat, TOOLS).tokens
    out = ok("chat", "gpt2", "-", "--template", tmp_path / "m.gguf", "--json", given=b'[["user", "Hi"]]')
    assert json.loads(out)["text"] == "<s>[user]Hi"
    for path in (tmp_path / "no.gguf", tmp_path / "no.jinja"):
        with pytest.raises(OSError, match="no such file"):
            render(path, chat)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ChatError, match="No chat template is in"):
        render(tmp_path / "empty", chat)
