"""A chat as a link has it: what is none is refused in a clause, whatever it is."""

import json
from html import unescape

import pytest

from bpe_core import load
from bpe_core.chat.model_input import model_input
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatTemplate, Turn, read_turns
from pages.parts.chat import chat_tokens, chat_turns
from pages.parts.state import chat_values
from pages.parts.state.chat_state import Chat
from pages.parts.state.values import PartlyReadError

MANY = json.dumps([["user", "Hi"]] * 10_000)
LONG = "a" * (chat_values.MOST_CONTENT + 1)
NO_LIST = "it is not a list of turns"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("nonsense", NO_LIST),
        ("[[", NO_LIST),
        ("[" * 100_000, NO_LIST),
        ("null", NO_LIST),
        ('{"messages": 5}', NO_LIST),
        ("[1, 2]", NO_LIST),
        ('[["user"]]', NO_LIST),
        ('[[1, "Hi"]]', NO_LIST),
        ('[["user", null]]', NO_LIST),
        ('[{"role": {}, "content": []}]', NO_LIST),
        ("9" * 5000, NO_LIST),
        (MANY, NO_LIST),
        (json.dumps([["u" * 41, "Hi"]]), "a role in it is too long"),
        (json.dumps([["user", LONG]]), "a turn in it is longer than 200,000 characters"),
        (json.dumps([["user", LONG[1:]]] * 6), "its turns have more than 1,000,000 characters together"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_chat_is_refused_in_a_clause(given, why):
    with pytest.raises(ValueError, match=f"^{why}$"):
        chat_values.read(given)


def test_of_too_many_turns_the_first_are_read():
    with pytest.raises(PartlyReadError, match=r"^of its 101 turns the first 100 are shown$") as caught:
        chat_values.read(json.dumps([["user", str(number)] for number in range(101)]))
    assert chat_values.read(caught.value.value) == caught.value.value
    assert caught.value.value.endswith('["user","99"]]')


def test_half_a_character_is_none_that_a_page_can_show():
    assert chat_values.read(r'[["\ud800", "a\udfff"]]') == '[["\ufffd","a\ufffd"]]'


def test_a_template_that_is_too_long_is_refused():
    assert chat_values.read_template("{" * chat_values.MOST_TEMPLATE)
    with pytest.raises(ValueError, match="longer than 2,000,000 characters"):
        chat_values.read_template("{" * (chat_values.MOST_TEMPLATE + 1))


TURN = Turn("user", "ow newest")
DOCUMENT = {"title": "low", "text": "low"}


@pytest.mark.parametrize(
    ("source", "called", "meaning", "title"),
    [
        ("l{{ messages[0].content }}", "from both", "a character of a turn", "from turn 1 and the template in one"),
        (
            "s{{ documents[0].title }}l{{ messages[0].content }}",
            "from tools and template",
            "a character of a tool or a document",
            "from a tool or a document, and the template, in one",
        ),
    ],
)
def test_a_token_of_two_sources_names_both_in_the_figure_the_legend_and_its_title(source, called, meaning, title):
    found = model_input(load("gpt2"), render(ChatTemplate(source, {}), [TURN], documents=[DOCUMENT]))
    assert found.sources[0] == "both"
    (figure,) = [about for _, name, about in chat_tokens.figures(found) if name == called]
    assert meaning in figure
    assert f"</span> {called}</span>" in unescape(chat_tokens.legend(found))
    assert f'· {title}"' in unescape(chat_tokens.drawing(found, ""))


def test_calls_that_a_template_does_not_write_are_named():
    call = {"tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}]}
    turns = [Turn("user", "Rain?"), Turn("assistant", "I look.", {"role": "assistant", "content": "I look.", **call})]
    template = ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")
    said = [*chat_tokens.about_text(render(template, turns), template, turns)]
    assert said == ["The template leaves out the calls of turn 2 (assistant): the model is not given them."]
    writes = ChatTemplate(template.source.replace("{% endfor", "{{ m.tool_calls | tojson if m.tool_calls }}{% endfor"))
    assert [*chat_tokens.about_text(render(writes, turns), writes, turns)] == []


PARTS = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]


@pytest.mark.parametrize("key", ["qwen3", "chatml"])
def test_a_template_that_reads_no_parts_is_said_to(key):
    """One leaves the turn out, the other writes the list itself."""
    template = CHAT_TEMPLATES[key].template
    turns = read_turns(json.dumps(PARTS))
    said = [*chat_tokens.about_text(render(template, turns), template, turns)]
    assert any(one.startswith("The content of turn 1 is a list of parts") for one in said)
    plain_turns = [Turn("user", "Hi")]
    assert not any(
        "parts" in one for one in chat_tokens.about_text(render(template, plain_turns), template, plain_turns)
    )


@pytest.mark.parametrize(("pasted", "left"), [('{"messages": [["user", "Hi"]]}', ""), ('[["user", "Hi"]]', "[1]")])
def test_a_pasted_request_says_all_also_that_there_are_no_tools(pasted, left, monkeypatch):
    monkeypatch.setattr(chat_turns.state, "sent", lambda key: pasted)
    assert chat_turns._with_pasted(Chat(tools="[1]"), "key").tools == left


def test_a_template_that_reads_parts_is_not_blamed():
    """Such a template may write the parts side by side, where the box of the page has a line for each."""
    reads = "{% for m in messages %}{% for part in m.content %}{{ part.text | trim }}{% endfor %}{% endfor %}"
    turns = read_turns(json.dumps([{"role": "user", "content": [{"type": "text", "text": f"{n} "} for n in "ab"]}]))
    assert render(ChatTemplate(reads), turns).parts_unread(turns) == ""
