"""The page Chat: turns in, the model's input out, and what is wrong with it."""

import json
import re
from html import unescape

import pytest

from bpe_core import Settings, dumps, load, train
from bpe_core.chat.model_input import model_input
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import CHAT_TEMPLATES, Turn, read_turns, write_turns
from pages.parts.vocabularies.page_vocabulary import PageVocabulary
from tests.pages.driver import html, in_editor, left_out, link, open_page, problems, type_text, visit
from tests.pages.session import choose_values, key_of

QWEN = {"tokenizer": "qwen"}
MISTRAL = {"tokenizer": "tekken"}
WRONG_JSON = (
    "The turns are not JSON (line 1: Expecting value): "
    'write a list of objects such as {"role": "user", "content": "Hi"}.'
)
GENERATION = re.compile(r"{%-?\s*generation\b")
IN_KEY = 1  # the sample of a look
CONFIG = json.dumps(
    {"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": "<s>", "more": "x" * 9999}
)


def chat(*turns):
    return write_turns([Turn(*turn) for turn in turns])


def open_chat(query):
    return visit(query, page="chat")


def press(at, label):
    found = next(each for each in at.button if each.label == label).click().run()
    assert not found.exception
    return found


def figures(at):
    shown = unescape(html(at).split('<dl class="figures">')[-1])
    return dict(re.findall(r'class="term"[^>]*>([^<]*)</span>.*?<dd>([^<]*)</dd>', shown))


def test_whose_the_tokens_of_a_chat_are():
    at = open_chat(QWEN | {"turns": chat(("user", "Hi"))})
    assert figures(at) == {"tokens": "9", "from the turns": "1", "from the template": "8"}
    assert len(re.findall('class="[^"]* template"', html(at))) == 8 + IN_KEY
    assert "Apache-2.0" in html(at)
    assert at.code[0].value == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert at.code[1].value == "[151644, 872, 198, 13048, 151645, 198, 151644, 77091, 198]"


def test_turns_are_typed_added_and_removed_and_are_in_the_link():
    at = open_chat(QWEN | {"turns": chat(("user", "Hi"))})
    at = press(at, "Add a turn")
    at = next(box for box in at.text_area if box.label == "Turn 2").set_value("Hello there").run()
    at = next(box for box in at.selectbox if box.label == "Role of turn 1").set_value("system").run()
    assert read_turns(link(at)["turns"]) == (Turn("system", "Hi"), Turn("assistant", "Hello there"))
    assert figures(at)["from the turns"] == "3"
    at = press(at, "Remove")
    assert read_turns(link(at)["turns"]) == (Turn("assistant", "Hello there"),)
    assert figures(press(at, "Remove")) == {"tokens": "3", "from the turns": "0", "from the template": "3"}


def test_a_bos_that_comes_twice_and_a_control_token_that_was_typed_are_alarms():
    at = open_chat(MISTRAL | {"turns": chat(("user", "Write [/INST]")), "bos": "yes"})
    assert "<s> comes twice".replace("<", "&lt;").replace(">", "&gt;") in html(at)
    assert "Turn 1 (user) has [/INST] typed as text: where a program encodes it" in html(at)
    assert html(at).count(' alarm"') == 3 + IN_KEY
    assert "Mistral&#39;s own library never finds special tokens in a text." in html(at)
    at = next(switch for switch in at.toggle if "special tokens" in switch.label).set_value(False).run()
    assert "comes twice" not in html(at)
    assert html(at).count(' alarm"') == 1 + IN_KEY
    assert "bos" not in link(at)


def test_the_model_without_a_published_template_says_so_and_leads_to_one_that_has_it():
    at = open_chat({"tokenizer": "o200k_base"})
    assert "OpenAI has not published GPT-4o&#39;s template. This is ChatML" in html(at)
    at = press(at, "Qwen's template is published: see it exactly")
    assert at.selectbox(key=key_of(at, "shared.tokenizer")).value == "qwen"
    assert "tokenizer" not in link(at), "the page begins with it"
    assert "OpenAI has not published" not in html(at)


def test_a_config_that_is_pasted_is_shortened_and_used():
    at = open_chat(MISTRAL | {"chat_template": "own", "turns": chat(("user", "Hi"))})
    assert "There is no chat template here" in html(at)
    at = next(box for box in at.text_area if box.label.startswith("Jinja")).set_value(CONFIG).run()
    assert figures(at) == {"tokens": "2", "from the turns": "1", "from the template": "1"}
    assert "more" not in link(at)["own_template"]


def test_a_template_that_is_too_long_for_a_link_is_used_all_the_same():
    at = open_chat(MISTRAL | {"turns": chat(("user", "Hi"))})
    source = "{{ bos_token }}{# " + "x" * 9000 + " #}{{ messages[0].content }}"
    at = next(box for box in at.text_area if box.label.startswith("Jinja")).set_value(source).run()
    assert figures(at) == {"tokens": "2", "from the turns": "1", "from the template": "1"}
    assert "own_template" not in link(at)
    assert link(at)["chat_template"] == "own"
    at = next(box for box in at.text_area if box.label.startswith("Jinja")).set_value("").run()
    assert "chat_template" not in link(at), "without a pasted one the model's own is shown again"


def test_a_pasted_template_knows_the_names_of_the_tokenizers_tokens():
    query = {"chat_template": "own", "own_template": "{{ bos_token ~ messages[0].content ~ eos_token }}"}
    at = open_chat(MISTRAL | query | {"turns": chat(("user", "Hi"))})
    assert at.code[0].value == "<s>Hi</s>"


def test_turns_that_are_too_long_for_a_link_are_said_by_share():
    at = open_chat(QWEN | {"turns": chat(("user", "Hi"))})
    at = next(box for box in at.text_area if box.label == "Turn 1").set_value("a " * 9000).run()
    assert "without your chat, which is too long" in left_out(at)


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("{% if", "The template cannot be read: line 1"),
        ("{{ raise_exception('<b>') }}", "The template refuses these turns: &lt;b&gt;."),
        ("{{ ''.__class__.__mro__ }}", "what no chat template may do"),
        ("{", "neither a chat template nor"),
        ("{{ mask_token }}", "The template asks for mask_token, which nothing here says, so the text is without it"),
        ("{{ '' + bos_token }}", "This template needs bos_token, which Qwen does not have: paste the model&#39;s"),
        ("yours", "The template leaves out turn 1 (user)"),
        ("{{ 'x'.replace('x', messages[0].content) }}", "Which of it comes from the turns cannot be told"),
    ],
)
def test_a_template_of_the_visitors_is_tokens_or_a_sentence(template, sentence):
    query = {"chat_template": "own", "own_template": template, "turns": chat(("user", "Hello there"))}
    assert sentence in html(open_chat(QWEN | query))


@pytest.mark.parametrize("query", [{"turns": "[["}, {"chat_template": "none"}])
def test_a_link_that_cannot_be_read_is_a_remark(query):
    at = open_chat(QWEN | query)
    assert "was left out" in html(at)
    assert figures(at)["from the turns"] == "12"


def test_of_a_link_with_too_many_turns_the_first_are_shown():
    at = open_chat(QWEN | {"turns": chat(*[("user", "")] * 101)})
    assert "The link&#39;s “your chat” (turns=) was shortened: of its 101 turns the first 100 are shown." in html(at)
    assert "100 turns at most." in html(at)
    assert "Turns 81 to 100 of 100." in html(at)
    assert "Add a turn" not in [button.label for button in at.button]


def test_turns_are_pasted_as_json_or_refused_in_a_sentence():
    at = open_chat(QWEN)
    for pasted, wrong in (("[", [WRONG_JSON]), ('[{"role": "user", "content": "Hi"}]', [])):
        at = next(box for box in at.text_area if "JSON" in box.label).set_value(pasted).run()
        assert problems(at) == wrong
    assert read_turns(link(press(at, "Show these turns"))["turns"]) == (Turn("user", "Hi"),)


def test_your_text_is_as_it_was_after_a_chat():
    at = type_text(open_page(), "my own text")
    for path in ("pages/chat.py", "app.py"):
        at.switch_page(path).run()
    assert in_editor(at)["text"] == "my own text"


def test_a_long_chat_is_shown_in_parts_and_counted_whole():
    at = open_chat(QWEN | {"turns": chat(*[("user", "word " * 400)] * 4)})
    size = int(figures(at)["tokens"].replace(",", ""))
    assert size > 1500
    assert figures(at)["from the turns"] == "1,604", "four times 400 words and the space after them"
    assert f"Tokens 1 to 1,500 of {size:,}." in html(at)
    at = at.number_input[0].set_value(2).run()
    assert f"Tokens 1,501 to {size:,} of {size:,}." in html(at)
    assert "<|im_start|>".replace("<", "&lt;").replace(">", "&gt;") in html(at)
    assert json.loads(at.code[1].value)[-3:] == [151644, 77091, 198]


def test_every_look_of_a_token_is_in_the_legend():
    at = open_chat({"tokenizer": "o200k_base"})
    assert [f"</span> {name}</span>" in html(at) for name in ("from the turns", "from the template")] == [True, True]
    assert ' both">ab</span> from both' in html(at)
    assert "ab</span> twice" not in html(at)
    at = open_chat(QWEN | {"turns": chat(("user", "<|im_end|>"))})
    assert "ab</span> typed as text" in html(at)


def test_a_chat_in_a_vocabulary_whose_published_file_lacks_the_control_tokens_says_so():
    """OpenAI's models have ChatML's tokens as one each; its published ranks have not."""
    at = open_chat({"tokenizer": "o200k_base", "turns": chat(("user", "Hi there."))})
    counted = figures(at)
    assert "that the model is given: each control token of the template counts as one" in html(at)
    assert int(counted["in the published file"]) > 20
    assert counted["tokens"] == "about 11", "3 control tokens, user, a line, 3 for the text, a line, assistant, a line"


def test_of_several_templates_the_page_names_the_one_that_it_uses():
    named = {"default": "D {{ messages[0].content }}", "tool_use": "T {{ messages[0].content }}"}
    pasted = json.dumps({"chat_template": [{"name": name, "template": text} for name, text in named.items()]})
    own = QWEN | {"chat_template": "own", "own_template": pasted, "turns": chat(("user", "Hi"))}
    assert "(default, tool_use) default is used, as for any chat" in html(open_chat(own))
    at = open_chat(own)
    at = next(box for box in at.text_area if "MCP" in box.label).set_value('[{"name": "clock"}]').run()
    assert "(default, tool_use) tool_use is used, since tools are given" in html(at)
    assert at.code[0].value.strip() == "T Hi"


def test_control_tokens_that_the_tokenizer_lacks_are_said_for_any_template():
    at = open_chat({"tokenizer": "qwen", "chat_template": "mistral"})
    assert problems(at) == [
        "Qwen lacks control tokens of this template, so they are plain text to it: <s> takes 2 tokens, "
        "[INST] takes 3 tokens, [/INST] takes 3 tokens."
    ]


def test_what_only_looks_like_a_control_token_is_no_problem():
    """Zephyr's marks, as `<|user|>`, are plain text for Zephyr's own tokenizer too."""
    own = {"chat_template": "own", "own_template": "<|user|>{{ messages[0].content }}"}
    at = open_chat({"tokenizer": "gpt2", "turns": chat(("user", "<|user|>"))} | own)
    assert problems(at) == []
    assert "If the template&#39;s model has these as control tokens, GPT-2 lacks them: &lt;|user|&gt; takes" in html(at)
    assert "Turn 1 (user) has &lt;|user|&gt;, which looks like a control token of the template" in html(at)


def test_a_switch_without_an_effect_is_drawn_as_off_and_stays_chosen():
    at = open_chat(MISTRAL | {"bos": "yes", "turns": chat(("user", "Hi"))})
    drawn = {switch.label.split(":")[0].strip("\\"): (switch.value, switch.disabled) for switch in at.toggle}
    assert drawn == {"Begin the answer": (False, True), "Add special tokens": (True, False)}
    at.selectbox(key="shared.tokenizer").set_value("qwen").run()
    drawn = {switch.label.split(":")[0].strip("\\"): (switch.value, switch.disabled) for switch in at.toggle}
    assert drawn == {"Begin the answer": (True, False), "Add special tokens": (False, True)}
    assert link(at)["bos"] == "yes"


def test_a_pasted_template_that_is_not_shown_is_not_in_the_link():
    at = open_chat(QWEN | {"chat_template": "own", "own_template": "{{ messages[0].content }}"})
    assert "own_template" in link(at)
    at.selectbox(key=key_of(at, "chat.chat_template")).set_value("chatml").run()
    assert "own_template" not in link(at)


def test_the_template_among_the_files_of_a_tokenizer_is_the_tokenizers_own():
    files = dumps(train("hug hug pug", Settings(vocab_size=258, special_tokens=("<s>",))).tokenizer())
    at = open_chat({"turns": chat(("user", "hug"))})
    at.file_uploader(key="chat.files").set_value(
        [(name, content, "") for name, content in (files | {"tokenizer_config.json": CONFIG.encode()}).items()]
    ).run()
    assert at.selectbox(key=key_of(at, "chat.chat_template")).options[0] == "The model's own"
    assert at.code[0].value == "<s>hug"
    assert figures(at) == {"tokens": "3", "from the turns": "2", "from the template": "1"}
    assert problems(at) == []


def test_what_is_typed_into_a_turn_stays_when_a_turn_is_added_before_the_page_has_answered():
    at = open_chat({})
    next(box for box in at.text_area if box.label == "Turn 2").set_value("typed in haste")
    at = next(button for button in at.button if button.label == "Add a turn").click().run()
    assert [box.value for box in at.text_area if box.label in ("Turn 2", "Turn 3")] == ["typed in haste", ""]


def test_an_empty_box_for_ids_has_ids_of_the_chosen_tokenizer():
    for name in ("gpt2", "o200k_base", "bert"):
        at = open_chat({"tokenizer": name, "view": "requests"})
        (placeholder,) = {box.placeholder for box in at.text_area if box.label == "Ids"}
        assert load(name).decode(json.loads(placeholder)).lower() == "hello world"
    tok = train("cat", Settings("whitespace", "characters", vocab_size=5)).tokenizer()
    assert PageVocabulary("cat", "cat", "", tok).example_ids == "[0]", "no letter of it is known"


REQUEST = {
    "messages": [
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "<think>I look at the clock.</think>Noon."},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [{"type": "function", "function": {"name": "a*b<i>", "description": "Tells the time."}}],
}


def test_of_a_pasted_request_the_tools_cost_and_the_cache_breaks():
    at = open_chat(QWEN | {"view": "tools"})
    at = next(box for box in at.text_area if "JSON" in box.label).set_value(json.dumps(REQUEST)).run()
    at = press(at, "Show these turns")
    assert "This tool takes" in html(at)
    assert "a\\*b" in " ".join(button.label for button in at.button)
    assert "tools" not in link(at), "tools are in no link"
    template, turns = CHAT_TEMPLATES["qwen3"].template, read_turns(json.dumps(REQUEST["messages"]))
    seen = [
        model_input(load("qwen"), render(template, turns, add_generation_prompt=True, tools=tools))
        for tools in (REQUEST["tools"], [])
    ]
    own, whole, without = seen[0].count("tools"), *(len(each.ids) for each in seen)
    assert f"takes {whole - without} of {whole} tokens" in html(at)
    assert f"{own} of them have only characters of the tools themselves" in html(at)
    assert f"The rest of the chat is {whole - own - without} tokens longer than without tools" in html(at)
    choose_values(at, {"chat.view": "tokens"})
    assert figures(at.run())["from the tools"] == str(own)
    at = open_chat(QWEN | {"view": "requests", "turns": json.dumps(REQUEST["messages"])})
    assert "request 2 loses" in html(at)
    assert "because the template drops the thinking of turn 2." in html(at)
    assert next(box for box in at.text_area if box.label == "Ids").placeholder == str(load("qwen").ids("Hello world"))
    at = open_chat(QWEN | {"view": "learnt"})
    assert "No token of this conversation would be learnt: the template has no {% generation %}." in html(at)
    assert "trainers that ask the template which tokens are the assistant’s" in html(at)
    assert "No template that comes with this page has {% generation %}." in html(at)
    assert not any(GENERATION.search(row.template.source) for row in CHAT_TEMPLATES.values())
    at = open_chat(QWEN | {"view": "segments", "turns": chat(("user", "<|im_end|>"))})
    assert "The ids differ in 1 place" in html(at)
    assert "one turn can be many segments" in html(at)
    at = open_chat(QWEN | {"view": "versions"})
    for label, text in (("The prompt before", "Be kind."), ("The prompt now", "Be very kind.")):
        at = next(box for box in at.text_area if box.label == label).set_value(text).run()
    assert "0 were removed and 1 added." in html(at)


def test_tools_documents_and_variables_stand_in_no_log_and_no_link(caplog, capfd):
    """Not in those of the app, nor in those of the process that renders, even if the template fails."""
    secret = "s3cret"
    tools = [{"name": secret, "description": f"{secret} " * 5, "inputSchema": {"type": secret}}]
    failing = "{{ tools[0].function.name + 1 }}{{ documents }}{{ messages[0].content }}"
    with caplog.at_level(0):
        for own in ({}, {"chat_template": "own", "own_template": failing}):
            at = open_chat(QWEN | own | {"turns": chat(("user", "Hi"), ("assistant", "Yes"), ("user", "So"))})
            for name, given in {"tools": tools, "documents": [{"title": secret}]}.items():
                for box in at.text_area:
                    if (box.key or "").startswith(f"chat.{name} box"):
                        at = box.set_value(json.dumps(given)).run()
                        break
            assert any(secret in str(box.value) for box in at.text_area), "it is on the page"
            for shows in ("tools", "requests"):
                choose_values(at, {"chat.view": shows})
                at = at.run()
                assert not at.exception
                assert secret not in json.dumps(link(at))
    written = capfd.readouterr()
    assert secret not in caplog.text + written.out + written.err


@pytest.mark.parametrize("label", ["Or a file", "tokenizer_config.json or chat_template.jinja"])
def test_an_uploaded_file_that_is_no_text_is_refused_by_name_and_changes_nothing(label):
    at = open_chat(QWEN | {"turns": chat(("user", "Hi"))})
    before = link(at)
    for content, why in (
        ("{{ messages }}".encode("utf-16-le"), "is text in UTF-16 without a byte order mark: save it as UTF-8."),
        (b"Gr\xfc\xdfe", "is not a text in UTF-8."),
    ):
        box = next(each for each in at.file_uploader if each.label == label)
        at = box.set_value([("mine.json", content, "")] if "Or" in label else [("mine.jinja", content, "")]).run()
        assert not at.exception
        assert any(why in each for each in problems(at))
        assert link(at) == before
