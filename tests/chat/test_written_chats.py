"""A chat as programs write it: each form becomes the same messages, and what is no chat is none."""

import json

import pytest

from bpe_core import chat
from bpe_core.chat import ChatError, Turn
from bpe_core.chat.written_chats import chat_in, read_chat
from tests.some import later

CALL = {"id": "1", "type": "function", "function": {"name": "clock", "arguments": {"zone": "CET"}}}
OURS = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What time is it?"},
    {"role": "assistant", "content": "I look.", "reasoning_content": "A clock.", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "1", "content": "12:00"},
    {"role": "user", "content": "Thanks"},
]
THEIRS = {
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "A clock."},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "1", "name": "clock", "input": {"zone": "CET"}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "12:00"}]},
            {"type": "text", "text": "Thanks"},
        ]},
    ],
    "tools": [{"name": "clock", "input_schema": {"type": "object"}}],
}  # fmt: skip
RESPONSES = {
    "instructions": "Be brief.",
    "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "What time is it?"}]},
        {"type": "function_call", "call_id": "1", "name": "clock", "arguments": '{"zone": "CET"}'},
        {"type": "function_call_output", "call_id": "1", "output": "12:00"},
    ],
}


def test_blocks_become_messages_of_openai():
    found = chat_in(json.dumps(THEIRS))
    assert found.messages == OURS
    assert found.tools == THEIRS["tools"]
    assert [turn.thinking for turn in chat.read_turns(json.dumps(THEIRS))] == ["", "", "A clock.", "", ""]


def test_the_items_of_responses_become_messages():
    calls = [{**CALL, "function": {"name": "clock", "arguments": '{"zone": "CET"}'}}]
    assert chat_in(json.dumps(RESPONSES)).messages == [
        *OURS[:2],
        {"role": "assistant", "content": "", "tool_calls": calls},
        OURS[3],
    ]
    assert chat.read_turns(json.dumps(RESPONSES))[2].calls[0]["arguments"] == {"zone": "CET"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(OURS),
        json.dumps({"messages": OURS}),
        "\n".join(map(json.dumps, OURS)),
        "\ufeff" + "\r\n".join(map(json.dumps, OURS)) + "\r\n",
        "\n".join(json.dumps({"type": each["role"], "message": each}) for each in OURS) + '\n{"type": "end"}',
        "\n".join(json.dumps({"type": "response_item", "payload": each}) for each in OURS),
    ],
)  # fmt: skip
def test_lists_objects_and_lines_are_the_same_chat(text):
    assert chat_in(text).messages == OURS
    assert chat.read_turns(text)[1] == Turn("user", "What time is it?")


def test_several_chats_are_said_and_the_first_is_read():
    lines = "\n".join(json.dumps({"messages": OURS[:number]}) for number in (2, 1, 3))
    assert chat_in(lines) == (OURS[:2], [], 3)


def test_the_speakers_of_sharegpt_have_roles():
    said = [{"from": name, "value": name} for name in ("system", "human", "GPT", "function_call", "observation", "bot")]
    roles = [message["role"] for message in chat_in(json.dumps({"conversations": said})).messages]
    assert roles == ["system", "user", "assistant", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    "text",
    [
        "", "Hi", "[]", "{}", "[[]]", '[["red", "blue"]]', '[{"role": "nurse", "content": "Ada"}]', '{"messages": []}',
        '[{"role": "user"}]', '[{"role": "user", "content": 5}]', '{"messages": {"role": "user", "content": "Hi"}}',
        '[{"from": "Graz", "value": "Linz"}]', '[{"role": "user", "content": "Hi"}, 5]', "[" * 100_000,
        '{"role": "user", "content": "Hi"}\n{"id": 1}\n{"id": 2}', '{"messages": [{"role": "user", "content": "Hi"}]',
        '[{"role": "user", "content": "Hi", "n": 1e999999}, {"role": "nobody", "content": ""}]',
        later("[" + '{"role": "user", "content": "Hi"},' * 40_000 + "{}]"),
    ],
)  # fmt: skip
def test_what_is_no_chat_for_sure_is_none(text):
    assert chat_in(text) is None


@pytest.mark.parametrize("text", ["5", "[", '{"a": 1}', '{"a": 1}\n{"b": 2}', '{"messages": 5}'])
def test_reading_what_is_no_chat_is_an_error(text):
    with pytest.raises(ChatError, match="turns are"):
        read_chat(text)
