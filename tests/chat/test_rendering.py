"""Rendering: who wrote each character, what a hostile template comes to, and what its process cannot do."""

import os
from pathlib import Path

import jinja2
import pytest

from bpe_core import load
from bpe_core.chat import sandbox, template_process
from bpe_core.chat.rendering import chat_of, render, render_batch, render_chat
from bpe_core.chat.sandbox import MOST_CHARACTERS
from bpe_core.chat.template_process import LIMITS, TemplateLimits
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, Turn
from bpe_core.processes.child import AnswerError, Child
from tests.campaign.chat import ENDED, HOSTILE
from tests.some import some

TURNS = [Turn("system", "Be kind."), Turn("user", "  Hello \n"), Turn("assistant", "<think>a</think>\n\nhi there")]
ALL = "{% for m in messages %}"
FAST = {ENDED: TemplateLimits(seconds=0.4)}


def own(source, turns=TURNS, **more):
    """The characters of the contents in brackets; None where that cannot be told."""
    found = render(ChatTemplate(source, more), turns)
    if found.runs is None:
        return None
    parts, at = [], 0
    for length, turn, _ in found.runs:
        part = found.text[at : at + length]
        parts.append(f"[{part}]" if turn >= 0 else part)
        at += length
    return "".join(parts)


THINKING = "<think>a</think>\n\nhi there"
WHOSE = {
    ALL + "<{{ m['role'] }}>{{ m['content'] }}{% endfor %}": (
        f"<system>[Be kind.]<user>[  Hello \n]<assistant>[{THINKING}]"
    ),
    ALL + "{{ '<' + m.role + '>' + m.content.strip() + eos_token }}{% endfor %}": (
        f"<system>[Be kind.]E<user>[Hello]E<assistant>[{THINKING}]E"
    ),
    ALL
    + "{{ m.content.split('</think>')[-1].lstrip('\\n') ~ '|' }}{% endfor %}": "[Be kind.]|[  Hello \n]|[hi there]|",
    ALL + "{% set c %}({{ m.content|trim }}){% endset %}{{ c }}{% endfor %}": f"([Be kind.])([Hello])([{THINKING}])",
    "{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f(messages[0].content) }}": "<[Be kind.]>",
    "{% set n = namespace(a='') %}" + ALL + "{% set n.a = n.a ~ m.content[:2] %}{% endfor %}{{ n.a }}": "[Be][  ][<t]",
    "{{ messages|map(attribute='content')|join('/') }}": f"[Be kind.]/[  Hello \n]/[{THINKING}]",
    "{{ messages[0].content|upper }} {{ messages[0]|tojson }}": (
        '[BE KIND.] [{"role": "system", "content": "Be kind."}]'
    ),
    "{% generation %}{{ messages[2].content }}{% endgeneration %}": f"[{THINKING}]",
    ALL + "{% if loop.index == 2 %}{% break %}{% endif %}{{ m.content }}{% endfor %}": "[Be kind.]",
    "{{ 'x y'.replace('y', messages[0].content) }}": None,
    "{{ messages[0].content|safe }}": None,
    "{% set c = messages[0].content %}{{ c is string and 'kind' in c and c == 'Be kind.' }}": "True",
}


@pytest.mark.parametrize(("source", "expected"), WHOSE.items())
def test_whose_the_characters_are(source, expected):
    assert own(source, eos_token="E") == expected


@pytest.mark.parametrize(("name", "row"), CHAT_TEMPLATES.items())
def test_the_templates_that_come_with_the_project(name, row):
    found = render(row.template, TURNS[1:2], add_generation_prompt=True)
    assert (
        found.text
        == {
            "qwen3": "<|im_start|>user\n  Hello \n<|im_end|>\n<|im_start|>assistant\n",
            "chatml": "<|im_start|>user\n  Hello \n<|im_end|>\n<|im_start|>assistant\n",
            "mistral": "<s>[INST]  Hello \n[/INST]",
        }[name]
    )
    assert render(row.template, [Turn("user", "")]).text


def test_mistrals_system_turn_stands_in_the_last_user_turn_and_turns_alternate():
    template = CHAT_TEMPLATES["mistral"].template
    turns = [Turn("system", "S"), Turn("user", "a"), Turn("assistant", "b"), Turn("user", "c")]
    assert render(template, turns).text == "<s>[INST]a[/INST]b</s>[INST]S\n\nc[/INST]"
    with pytest.raises(ChatError, match=r"^The template refuses these turns: .* take turns \(turn 2\)\.$"):
        render(template, [Turn("user", "a"), Turn("user", "b")])


@pytest.mark.parametrize("name", some(HOSTILE, 2))
def test_a_hostile_template_is_one_sentence(name):
    source, expected = HOSTILE[name]
    if expected is None:
        assert render(ChatTemplate(source), TURNS).text == ""
        return
    with pytest.raises(ChatError) as caught:
        render(ChatTemplate(source), TURNS, limits=FAST.get(expected, LIMITS))
    sentence = str(caught.value)
    assert expected in sentence
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 400
    assert "Errno" not in sentence


def test_a_text_that_is_too_long_is_refused_and_the_longest_is_not():
    template = ChatTemplate("{{ messages[0].content }}")
    assert len(render(template, [Turn("user", "x" * MOST_CHARACTERS)]).text) == MOST_CHARACTERS
    with pytest.raises(ChatError, match="1,000,000 characters"):
        render(template, [Turn("user", "x" * (MOST_CHARACTERS + 1))])


def escaped(way, *_question, progress=None):
    """What a template that broke out of its sandbox would try."""
    import socket
    import subprocess

    ways = {
        "secrets": lambda: os.environ.get("HF_TOKEN", "none") + os.environ.get("HOME", ""),
        "file": lambda: Path("/etc/hostname").read_text(),
        "write": lambda: Path("written").write_text("x"),
        "network": lambda: socket.socket().connect(("127.0.0.1", 9)),
        "process": lambda: subprocess.run(["true"]).returncode,
    }
    return ways[way]()


def test_a_sealed_process_has_no_secret_and_opens_nothing(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    child = Child(escaped, sealed=True)
    assert child.ask(20.0, "secrets") == "none"
    for way in ("file", "write", "network", "process"):
        with pytest.raises(AnswerError, match=r"Errno|not permitted|unavailable"):
            child.ask(20.0, way)
    child.end()


def test_every_filter_of_jinja_is_loaded_before_the_process_is_sealed():
    child, ended = Child(sandbox.render_source, LIMITS.memory, quiet=True, sealed=True), []
    for name in jinja2.Environment().filters:
        try:
            source = "{{ messages[0].content|" + name + " }}"
            ended.append(child.ask(20.0, source, [turn.message for turn in TURNS], {}, 20.0)["text"])
        except AnswerError as error:
            ended.append(str(error))
    child.end()
    assert "BE KIND." in ended
    assert not [sentence for sentence in ended if "Errno" in sentence]


def test_where_all_processes_are_busy_a_sentence_says_so():
    busy = TemplateLimits(processes=1, seconds=0.02)
    other = template_process._renderer(ChatTemplate("another template"), busy)
    with template_process._pool.turn_of(other), pytest.raises(ChatError, match="at once: try again"):
        render(ChatTemplate(""), [], limits=busy)


def test_processes_are_few_and_of_one_template_each():
    for number in range(5):
        assert render_chat(ChatTemplate(f"{number}"), chat_of([])).text == str(number)
    running = [each for each in template_process._renderers.values() if each.runs and each.limits == LIMITS]
    assert 1 <= len(running) <= template_process.LIMITS.processes
    child = template_process._renderer(ChatTemplate("4"), template_process.LIMITS)._child
    assert child.runs
    assert render_chat(ChatTemplate("4"), chat_of([])).text == "4"
    assert template_process._renderer(ChatTemplate("4"), template_process.LIMITS)._child is child


def test_many_chats_at_once_are_those_one_by_one():
    """In a sealed process and in this one, whatever their number and their size."""
    chats = [[Turn("user", f"{number} " + "long " * (number % 7 * 2000))] for number in range(300)]
    one_by_one = [render(CHAT_TEMPLATES["qwen3"].template, chat) for chat in chats[:9]]
    for trusted in (False, True):
        found = render_batch("qwen3", chats, trusted=trusted)
        assert found[:9] == one_by_one
        assert [each.learnt for each in found[:9]] == [each.learnt for each in one_by_one]
        assert [each.text.split()[1] for each in found] == [str(number) for number in range(300)]
        assert render_batch("qwen3", [], trusted=trusted) == []
    tok = load("qwen")
    inputs = tok.apply_chat_template_batch(chats[:9], add_generation_prompt=True, enable_thinking=False)
    assert [each.ids for each in inputs] == [
        tok.apply_chat_template(chat, add_generation_prompt=True, enable_thinking=False).ids for chat in chats[:9]
    ]


@pytest.mark.parametrize("trusted", [False, True])
def test_two_surrogates_side_by_side_are_two(trusted):
    """A process answers in JSON, whose escapes would make one character of them."""
    turns = [("user", "\ud83d\ude42 \ud800")]
    assert render("<{{ messages[0].content }}>", turns, trusted=trusted).text == "<\ufffd\ufffd \ufffd>"


def test_trusted_is_true_or_false():
    with pytest.raises(TypeError, match="trusted is True or False, and this is 'no'"):
        render("{{ 1 }}", [], trusted="no")


def test_of_many_chats_the_wrong_one_is_named():
    template = "{% if messages[0].content == 'b' %}{{ raise_exception('no b') }}{% endif %}"
    for trusted in (False, True):
        with pytest.raises(ChatError, match=r"^chats\[1\]: The template refuses these turns: no b.$"):
            render_batch(template, [[("user", "a")], [("user", "b")]], trusted=trusted)
        with pytest.raises(ChatError, match=r"^chats\[1\]: Turn 1 needs a role"):
            render_batch(template, [[("user", "a")], [("user", 5)]], trusted=trusted)


def test_one_process_renders_the_templates_of_a_script_and_a_trusted_one_none(monkeypatch):
    started = []
    new = template_process.Renderer.new_child
    monkeypatch.setattr(template_process, "_renderers", {})
    monkeypatch.setattr(template_process.Renderer, "new_child", lambda self: started.append(1) or new(self))
    for number in range(4):
        assert render(f"{{{{ messages[0].content }}}} {number}", [("user", "Hi")], trusted=True).text == f"Hi {number}"
    assert not started
    for number in range(4):
        assert render(f"{{{{ messages[0].content }}}} {number}", [("user", "Hi")]).text == f"Hi {number}"
    assert started == [1]
    for number in range(2):  # where turns are of several people, each template has its own
        apart = ChatTemplate(f"{{{{ messages[0].content }}}} {number}")
        assert render_chat(apart, chat_of([("user", "Hi")])).text == f"Hi {number}"
    assert started == [1] * 3


def test_a_trusted_template_stays_in_the_sandbox():
    with pytest.raises(ChatError):
        render("{{ ''.__class__.__mro__ }}", [], trusted=True)
    root = Path(__file__).parents[2]
    sources = [root / "app.py", *root.glob("pages/**/*.py")]
    assert not [path for path in sources if "trusted=" in path.read_text(encoding="utf-8")], "the app trusts none"
