"""What a server sees of a conversation: tools, requests, what is learnt; and JSON that is refused."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import load
from bpe_core.chat import (
    ChatError,
    ChatTemplate,
    Turn,
    read_tools,
    read_turns,
    render,
    requests,
    tool_costs,
    variables_of,
)
from bpe_core.chat.cost import ALIKE, MARGIN, _CutText, tokens_at
from bpe_core.chat.given_json import MOST_TOOLS, read_json
from bpe_core.chat.model_input import model_input
from bpe_core.chat.tracked import tool_source

QWEN = load("qwen")
THOUGHT = "I look at the clock. " * 9
TURNS = [
    {"role": "user", "content": "What time is it?"},
    {"role": "assistant", "reasoning_content": THOUGHT, "content": "", "tool_calls": [
        {"type": "function", "function": {"name": "clock", "arguments": {"zone": "CET"}}}]},
    {"role": "tool", "content": "12:00"},
    {"role": "assistant", "reasoning_content": "Noon.", "content": "It is noon."},
    {"role": "user", "content": "Thanks"},
]  # fmt: skip
TOOLS = [
    {"type": "function", "function": {"name": name, "description": f"Tells the {name}. " * size, "parameters": {}}}
    for name, size in (("clock", 4), ("date", 9), ("moon", 1))
]


def textbook(one, other):
    """The longest common prefix, by hand."""
    at = 0
    while at < len(one) and at < len(other) and one[at] == other[at]:
        at += 1
    return at


def test_requests_are_compared_with_the_request_and_the_answer_before():
    found = requests(QWEN, TURNS, "qwen3", tools=TOOLS)
    assert [each.turns for each in found.all] == [1, 3, 5]
    for before, each in zip(found.all, found.all[1:], strict=False):
        had = before.input.ids + before.answer.ids
        assert each.kept == textbook(had, each.input.ids)
        assert (each.had, each.lost, each.computed) == (len(had), len(had) - each.kept, len(each.input.ids) - each.kept)
    first, second, third = found.all
    assert second.broken is None, "the thinking stays until the next question"
    assert second.lost == 0
    assert (third.broken.why, third.broken.turn) == ("thinking", 1)
    assert third.kept == len(first.input.ids), "all after the first request is lost"
    assert third.broken.had == QWEN.special_tokens["<think>"]
    assert "because the template drops the thinking of turn 2." in found.summary
    assert [each.answer and each.answer.source for each in found.all] == ["template", "template", None]


def test_an_answer_is_its_ids_if_they_are_given_else_its_text_with_its_thinking():
    turns = [("user", "Hi"), ("assistant", "<think>hm</think>Pantom"), ("user", "Why?")]
    plain = "{% for m in messages %}<{{ m.role }}>{{ m.content.split('</think>')[-1] }}{% endfor %}" + (
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    found = requests(QWEN, turns, plain)
    assert found.all[0].answer.source == "text"
    assert "hm" in found.all[0].answer.text
    assert found.all[1].broken.why == "thinking"
    drifted = requests(
        QWEN, [("user", "Hi"), ("assistant", " Pantom"), ("user", "Why?")], "chatml", answers={1: [53122, 316]}
    )
    assert drifted.all[0].answer.source == "ids"
    broken = drifted.all[1].broken
    assert broken.why == "tokens", "the text is the same, its tokens are others"
    assert (broken.had, broken.sent) == (53122, 393), "as a trainer found them (trl, issue 5224)"
    assert "into other tokens" in drifted.summary


def test_a_tool_costs_the_tokens_with_all_less_those_without_it():
    found = tool_costs(QWEN, "qwen3", TURNS, TOOLS)
    count = lambda tools: len(QWEN.ids(render("qwen3", TURNS, tools=tools).text, specials=True))  # noqa: E731
    whole = count(TOOLS)
    for at, cost in enumerate(found.tools):
        assert cost.tokens == whole - count(TOOLS[:at] + TOOLS[at + 1 :])
    assert (found.tokens, found.without) == (whole, count([]))
    assert found.shared == whole - count([]) - sum(cost.tokens for cost in found.tools)
    assert [cost.name for cost in found.largest_first] == ["date", "clock", "moon"]
    seen = model_input(QWEN, render("qwen3", TURNS, tools=TOOLS))
    assert {tool_source(0), tool_source(1), tool_source(2)} <= set(seen.turns), "the tokens of each tool are followed"
    assert seen.count("tools") > 0


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(["", ",", "x y"]))
def test_what_is_counted_in_a_window_is_what_the_whole_text_has(seed, between):
    chance, words = Random(seed), ["the", " cat", "\n", "{", '"a": ', "é", "<|im_end|>", "  ", "12345", "𝄞"]
    text = "".join(chance.choices(words, k=8 * MARGIN))
    before = chance.randrange(len(text))
    end = min(len(text), before + chance.randrange(500))
    found = _CutText(QWEN, text).without(before, len(text) - end, between)
    assert found == len(QWEN.ids(text[:before] + between + text[end:], specials=True))


def test_the_tokens_of_a_part_of_a_long_text_are_those_of_the_whole():
    rendered = render("qwen3", TURNS, tools=TOOLS * 20)
    whole = model_input(QWEN, rendered)
    for number in (0, 1, 31, 59):
        source = tool_source(number)
        start, part = tokens_at(QWEN, rendered, rendered.first_of(source), 5, 60)
        size = len(part.ids) - ALIKE
        assert whole.ids[start : start + size] == part.ids[:size]
        assert whole.turns[start : start + size] == part.turns[:size]
        assert source in part.turns[5:8]
    assert rendered.first_of(tool_source(60)) is None


def test_what_an_empty_thinking_costs_is_said():
    turns = [("user", "Hi"), ("assistant", "Hello"), ("user", "Why?")]
    assert "the template drops the empty thinking" in requests(QWEN, turns, "qwen3").summary
    odd = "{{ messages|length }} {% for m in messages %}{{ m.content }} {% endfor %}"
    assert (
        'the template writes "3" where it wrote "1" before (line 1 of the template)'
        in requests(QWEN, turns, odd).summary
    )


def test_an_empty_thinking_that_is_there_only_once_is_named_whatever_its_tokens_are():
    """GPT-4o has no token <think>: what differs first is a part of the tag."""
    turns = [("user", "Hi"), ("assistant", "Hello"), ("user", "Why?")]
    found = requests(load("gpt-4o"), turns, "qwen3")
    assert found.all[1].input.encoding.tokenizer.decode([found.all[1].broken.had]) != "<think>"
    assert found.why(1) == "the template drops the empty thinking, <think></think>, that was before an answer"
    writes = (
        "{% for m in messages %}{% if m.role == 'assistant' and not loop.last %}{{ '<think>\\n\\n</think>' }}"
        "{% endif %}{{ m.content }} .{% endfor %}"
    )
    why = "the template writes an empty thinking, <think></think>, where there was none before (line 1 of the template)"
    for tokenizer in (QWEN, load("gpt-4o")):
        assert requests(tokenizer, turns, writes).why(1) == why
    fills = writes.replace("'<think>", "'<think>a</think><think>")
    assert "empty" not in requests(QWEN, turns, fills).why(1)


def test_what_is_learnt_is_what_the_tag_marks():
    marked = "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}"
    source = "{% for m in messages %}<{{ m.role }}>" + marked + "{% endif %}{% endfor %}"
    chat = model_input(QWEN, render(source, [("user", "Hi"), ("assistant", "Hello you"), ("user", "Bye")]))
    learnt = "".join(token.decode() for token, mark in zip(chat.encoding.tokens, chat.learnt, strict=True) if mark)
    assert "Hello you" in learnt
    assert "Bye" not in learnt
    assert model_input(QWEN, render("qwen3", [("user", "Hi")])).learnt is None


def test_in_segments_a_typed_control_token_is_text():
    chat = model_input(QWEN, render("chatml", [("user", "<|im_end|>")]))
    assert chat.ids.count(151645) == 2
    assert chat.in_segments.count(151645) == 1
    assert QWEN.decode(chat.in_segments) == chat.text
    assert model_input(QWEN, render("chatml", [("user", "Hi")])).in_segments == (151644, 872, 198, 13048, 151645, 198)


def test_the_variables_of_a_template_are_found_in_its_syntax():
    found = variables_of(
        "{% if think %}{{ day }}{% endif %}{% set n = namespace() %}{{ tools }}{{ bos_token }}{{ messages }}"
    )
    assert [(each.name, each.is_switch) for each in found] == [("day", False), ("think", True)]
    assert render("{{ day }}", [], variables={"day": "Monday"}).text == "Monday"


def test_a_template_that_asks_for_the_time_says_what_is_kept_on_another_day():
    dated = "Be kind. {{ strftime_now('%d %b %Y') }}. {% for m in messages %}{{ m.content }}. {% endfor %}"
    found = requests(QWEN, TURNS, dated, variables={"strftime_now": 0})
    assert found.all[-1].input.text.startswith("Be kind. 01 Jan 1970. ")
    other = QWEN.ids(found.all[-1].input.text.replace("01 Jan", "02 Jan"), specials=True)
    assert found.another_day == textbook(found.all[-1].input.ids, other)
    assert f"at most {found.another_day} of the last request's" in found.about_the_date
    undated = requests(QWEN, TURNS, "qwen3")
    assert (undated.another_day, undated.about_the_date) == (None, "")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[\n{]", r"not JSON \(line 2: "),
        ('[{"name": "a", "name": "b"}]', "an object has the name “name” twice"),
        ("[" * 100_000, "nested more than 60 deep"),
        ("[" * 70 + "]" * 70, "nested more than 60 deep"),
        ("[" + "1," * 400_000 + "1]", "more than 400,000 values"),
        ("5", "no tools here"),
        ("[{}]", "Tool 1 has no name"),
        (json.dumps([{"name": "a"}] * (MOST_TOOLS + 1)), "2,000 can be read"),
        ('[{"name": 5}]', "Tool 1 has no name"),
        (" " * 8_000_001, "too long"),
    ],
)
def test_tools_that_cannot_be_read_are_a_sentence(text, sentence):
    with pytest.raises(ChatError, match=sentence):
        read_tools(text)


def test_arguments_are_read_as_servers_read_them_and_a_failing_template_names_the_turn():
    calls = [{"function": {"name": "add", "arguments": '{"a": 1}'}}]
    turn = read_turns(json.dumps([{"role": "assistant", "content": None, "tool_calls": calls}]))[0]
    assert turn.given["tool_calls"][0]["function"]["arguments"] == {"a": 1}
    template = ChatTemplate("{% for m in messages %}{{ m.content + 1 }}{% endfor %}")
    with pytest.raises(ChatError, match=r"^The template takes .* TypeError: .* \(turn 1\)\.$"):
        render(template, [Turn("user", "Hi")])
    with pytest.raises(ChatError, match="not values of JSON"):
        render("{{ a }}", [], variables={"a": object()})
    assert read_json('{"a": [1]}', "tools are", "") == {"a": [1]}
