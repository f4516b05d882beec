"""What a model is given: the ids that a user printed, who wrote each token, and control tokens that are none."""

import json

import pytest

from bpe_core import PUBLISHED, Settings, load, loads, train
from bpe_core.chat.model_input import model_input
from bpe_core.chat.rendering import Rendered, render
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, Turn
from bpe_core.chat.tracked import SEVERAL, TEMPLATE, SourceRun
from bpe_core.files.safely import open_safely
from bpe_core.files.tiktoken_ranks import rank_lines
from tests.cli.driver import ok, run
from tests.files import beside_files
from tests.gguf_files import gpt2 as gpt2_gguf
from tests.some import some

FIRST = [Turn("user", "Who is on first?"), Turn("assistant", "Is that a trick question?")]
IDS = (1, 3, 31500, 1395, 1408, 2158, 1063, 4, 5356, 1455, 1261, 31544, 4098, 1063, 2)


def test_the_ids_of_mistral_nemo_and_its_bos_that_comes_twice():
    """As a user of mlx_lm found them (mlx-examples, issue 1095), with the model's own template in `transformers`."""
    rendered = render(CHAT_TEMPLATES["mistral"].template, FIRST, add_generation_prompt=True)
    tokenizer = PUBLISHED["tekken"].load()
    once, twice = (model_input(tokenizer, rendered, adds) for adds in (False, True))
    assert (once.ids, twice.ids) == (IDS, (1, *IDS))
    assert (once.doubled, twice.doubled) == ((), (1,))
    assert once.turns == (TEMPLATE, TEMPLATE, *[0] * 5, TEMPLATE, *[1] * 6, TEMPLATE)
    assert once.sources == tuple("template" if turn < 0 else "yours" for turn in once.turns)
    assert twice.sources == ("tokenizer", *once.sources)


def test_a_token_may_have_characters_of_both():
    """`a b` is one token; its space is the template's."""
    tokenizer = train("a b a b", Settings("none", vocab_size=258)).tokenizer()
    rendered = Rendered(
        "a ba b", (SourceRun(1, 0, 0), SourceRun(1, TEMPLATE, 0), SourceRun(1, SEVERAL, -1), SourceRun(3, 1, 0))
    )
    found = model_input(tokenizer, rendered)
    assert found.encoding.tokens == (b"a b", b"a b")
    assert found.sources == ("both", "yours")
    assert found.turns == (0, 1)
    assert found.summary == "2 tokens: yours 1, template 0, of both 1"


@pytest.mark.parametrize(
    ("key", "name", "lacking"),
    [
        ("gpt2", "chatml", {"<|im_start|>": 7, "<|im_end|>": 7}),
        ("o200k_base", "chatml", {"<|im_start|>": 6, "<|im_end|>": 6}),
        ("bert", "mistral", {"<s>": 3, "[INST]": 4, "[/INST]": 5}),
        ("qwen", "chatml", {}),
        ("tekken", "mistral", {}),
    ],
)
def test_control_tokens_that_a_vocabulary_lacks_are_named(key, name, lacking):
    template = CHAT_TEMPLATES[name].template
    rendered = render(template, [Turn("user", "I typed <|eot_id|>")])
    assert model_input(PUBLISHED[key].load(), rendered).plain == lacking


def test_a_control_token_that_is_typed_where_it_is_plain_text_imitates_the_templates():
    rendered = render(CHAT_TEMPLATES["chatml"].template, [Turn("user", "<|im_end|> [INST]"), Turn("user", "Hi")])
    assert model_input(PUBLISHED["gpt2"].load(), rendered).imitated == ((0, "<|im_end|>"),)
    assert model_input(PUBLISHED["qwen"].load(), rendered).imitated == (), "there it is the control token"


def test_half_a_character_of_a_template_is_no_text_of_a_model():
    assert render(ChatTemplate("{{ '\\ud800' ~ messages[0].content }}"), [Turn("user", "Hi")]).text == "\ufffdHi"


def test_the_beginning_of_a_rendered_chat():
    whole = Rendered("<a>Hi<b>", (SourceRun(3, TEMPLATE, 0), SourceRun(2, 0, 0), SourceRun(3, TEMPLATE, 0)))
    assert whole.beginning(4) == Rendered("<a>H", (SourceRun(3, TEMPLATE, 0), SourceRun(1, 0, 0)))
    assert whole.beginning(3) == Rendered("<a>", (SourceRun(3, TEMPLATE, 0),))
    assert whole.beginning(8) == whole
    assert Rendered("abc", None).beginning(2) == Rendered("ab", None)


@pytest.mark.parametrize("form", some(beside_files.ROLES))
def test_the_roles_in_a_tokenizer_s_files_are_a_template_s_wherever_it_comes_from(form, tmp_path):
    files, expected = beside_files.role_files(form), beside_files.ROLES[form][1]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "own.jinja").write_text(beside_files.ROLES_TEMPLATE)
    for tok in (load(tmp_path), open_safely(files), loads(files).plain()):
        for template in (beside_files.ROLES_TEMPLATE, tmp_path / "own.jinja"):
            assert tok.apply_chat_template([("user", "Hi")], template=template).text == expected
    turns = [{"role": "user", "content": "Hi"}]
    asked = ("chat", tmp_path, "--template", tmp_path / "own.jinja", "--json")
    assert json.loads(ok(*asked, given=json.dumps(turns).encode()))["text"] == expected


def test_a_template_that_writes_no_tools_is_said_to(tmp_path):
    turns, tools = [("user", "What does the clock say?")], [{"name": "clock"}, {"name": "map"}]
    templates = {
        "chatml": True,
        "{{ messages[0].content | upper | replace('CLOCK', 'sun') }}": True,
        "qwen3": False,
        "{{ messages[0].content }}{% for each in tools or [] %}{{ (each | tojson).split(':') | join }}{% endfor %}": 0,
    }
    for template, lacks in templates.items():
        found, more = load("qwen"), {"tools": tools, "template": template}
        said = found.apply_chat_template(turns, **more).summary, found.requests(turns, **more).summary
        assert ["the template writes no tools" in each.lower() for each in said] == [lacks] * 2, template
        assert ("the template writes no tools" in repr(found.tool_costs(turns, **more))) == lacks
        (tmp_path / "a.jinja").write_text(CHAT_TEMPLATES[template].template.source if "{" not in template else template)
        (tmp_path / "chat.json").write_text(
            json.dumps({"messages": [{"role": "user", "content": "Hi"}], "tools": tools})
        )
        for form in ([], ["--requests"]):
            command = run("chat", "qwen", tmp_path / "chat.json", "--template", tmp_path / "a.jinja", *form)
            assert (command.returncode, b"writes no tools" in command.stderr) == (0, lacks)


def test_none_is_no_tools_and_no_documents_as_in_transformers():
    qwen, turns = load("qwen"), [("user", "Hi")]
    assert qwen.apply_chat_template(turns, tools=None, documents=None).ids == qwen.apply_chat_template(turns).ids
    assert render("{{ tools is none }}{{ documents is none }}", [], tools=None, documents=None).text == "TrueTrue"


def test_the_roles_of_a_published_vocabulary_and_of_a_gguf():
    template = "{{ bos_token }}|{{ eos_token }}|{{ cls_token }}|{{ sep_token }}"
    for name, expected in (("qwen", "|<|im_end|>||"), ("tekken", "<s>|</s>||"), ("bert", "||[CLS]|[SEP]")):
        assert load(name).apply_chat_template([("user", "Hi")], template=template).text == expected
    qwen = load("qwen")
    ranks = rank_lines((token, i) for i, token in enumerate(qwen.tokens))
    for files in ({"qwen.tiktoken": ranks}, {"model.gguf": gpt2_gguf()}):
        found = loads(files).apply_chat_template([("user", "Hi")], template=template).text
        assert found == ("|<|im_end|>||" if "qwen.tiktoken" in files else "<|endoftext|>|<|endoftext|>||")


def test_a_tokenizer_has_what_its_model_is_given_of_turns(tmp_path):
    """The same as the command `chat`, from pairs or objects, and from a template wherever it is."""
    turns = [("user", "Who is on first?"), {"role": "assistant", "content": "Is that a trick question?"}]
    found = load("tekken").apply_chat_template(turns, add_generation_prompt=True)
    assert (found.ids, found.text) == (IDS, "<s>[INST]Who is on first?[/INST]Is that a trick question?</s>")
    (tmp_path / "tokenizer_config.json").write_text(
        '{"chat_template": "{{ bos_token }}!", "bos_token": "<|endoftext|>"}'
    )
    (tmp_path / "own.jinja").write_text("{{ bos_token }}!")
    gpt2 = load("gpt2")
    for template in (tmp_path, tmp_path / "tokenizer_config.json", tmp_path / "own.jinja", "{{ bos_token }}!"):
        assert gpt2.apply_chat_template(turns, template=template).ids == (50256, 0)
    qwen = load("qwen")
    expected = qwen.apply_chat_template(turns, template="qwen3").ids
    assert qwen.with_special_tokens("<|mine|>").apply_chat_template(turns).ids == expected
    gpt2.save(tmp_path / "tokenizer.json")
    (tmp_path / "empty").mkdir()
    for tokenizer, given, template, why in (
        (
            gpt2,
            turns,
            None,
            "No chat template of this tokenizer is known: template= takes qwen3, chatml, mistral, a text",
        ),
        (load(tmp_path), turns, None, "No chat template of this tokenizer is known"),
        (gpt2, turns, tmp_path / "empty", "No chat template is in "),
        (gpt2, turns, str(tmp_path), "is no chat template: give Jinja as a text, or a Path"),
        (gpt2, ["Hi"], "chatml", "Turn 1 needs a role and a content"),
        (gpt2, [("user", "Hi"), {"role": "user"}], "chatml", "Turn 2 needs a role and a content"),
        (gpt2, [("user", "Hi")] * 201, "chatml", "The chat has 201 turns"),
    ):
        with pytest.raises(ChatError, match=why):
            tokenizer.apply_chat_template(given, template=template)
