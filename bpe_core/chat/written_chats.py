"""A chat as programs write it: the bodies of requests, ShareGPT's lists, the JSON lines of an agent.

All become messages in the form of OpenAI's API, which chat templates are written for:

    OpenAI's      [{"role": "user", "content": "Hi"}], or an object that has them as "messages", with "tools"
    Responses     {"instructions": "Be brief.", "input": [{"role": "user", "content": [{"type": "input_text", …}]}]}
    Anthropic's   {"system": "Be brief.", "messages": [{"role": "user", "content": [{"type": "tool_result", …}]}]}
    ShareGPT      {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]}
    JSON lines    a message a line, alone or within the line of an agent's log; or a chat a line

A role and a text in a list, `["user", "Hi"]`, is a message too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bpe_core.chat.given_json import MOST_CHARACTERS, ChatError, Tool, check, read_json, tools_of
from bpe_core.text.encodings import without_mark

ROLES = ("system", "developer", "user", "assistant", "tool", "function", "model")
LONGEST = 1_000_000  # characters of a text in which a chat is recognised
_FORM = 'write a list of objects such as {"role": "user", "content": "Hi"}'
_LISTS = ("messages", "conversations", "conversation", "input")  # the names of the messages in an object
_SYSTEM = ("system", "instructions")  # the names of a text that comes before all messages
_WITHIN = ("message", "payload")  # the names of a message in the line of an agent's log
_FROM = {  # the speakers of ShareGPT and of programs that write like it
    "human": "user", "user": "user", "gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant",
    "model": "assistant", "bot": "assistant", "system": "system", "function_call": "assistant", "tool": "tool",
    "observation": "tool", "function_response": "tool",
}  # fmt: skip
# What every chat has: a role, a speaker, or a pair of a role and a text.
_SIGN = re.compile(rf'"(?:role|from|call_id)"\s*:|\[\s*"(?:{"|".join(ROLES)})"')
_TEXTS = ("text", "input_text", "output_text")  # the types of a part that is a text


class WrittenChat(NamedTuple):
    """A chat in OpenAI's form. `tools`: as they are written. `chats`: how many the text has; this is the first."""

    messages: list[Any]
    tools: list[Any]
    chats: int = 1


def read_chat(text: str) -> WrittenChat:
    """Return the chat in JSON or in JSON lines; `ChatError` for any other text. Its messages are not checked.

    >>> read_chat('{"conversations": [{"from": "human", "value": "Hi"}]}').messages
    [{'role': 'user', 'content': 'Hi'}]
    >>> read_chat('{"role": "user", "content": "Hi"}\\n{"role": "assistant", "content": "Hello"}').messages[1]
    {'role': 'assistant', 'content': 'Hello'}
    """
    lines = _lines(text) if isinstance(text, str) and not _is_one_value(text) else []
    found = _in_lines(lines) if lines else _in_value(read_json(text, "turns are", _FORM))
    if found is None:
        raise ChatError("The turns are not a list of objects with a role and a content.")
    return found


def tools_in_request(text: str) -> tuple[Tool, ...]:
    """Return the tools in a request as JSON, beside its messages; () if it has none.

    >>> tools_in_request('{"messages": [], "tools": [{"name": "clock", "parameters": {}}]}')
    ({'name': 'clock', 'parameters': {}},)
    """
    return tools_of(read_chat(text).tools)


def chat_in(text: str) -> WrittenChat | None:
    """Return the chat that a text surely is; None for any other text, and for one of more than `LONGEST` characters.

    Each message has a role that chats have, and says something. A list of other objects with roles is no chat.

    >>> chat_in('[["user", "Hi"], ["assistant", "Hello"]]').messages
    [['user', 'Hi'], ['assistant', 'Hello']]
    >>> chat_in('[["red", "blue"]]'), chat_in('[{"role": "nurse", "content": "Ada"}]'), chat_in("Hi")
    (None, None, None)
    """
    if len(text) > LONGEST or without_mark(text).lstrip()[:1] not in ("[", "{") or not _SIGN.search(text):
        return None
    try:
        found = read_chat(text)
        tools_of(found.tools)
    except ChatError:
        return None
    return found if found.messages and all(map(_is_sure, found.messages)) else None


def _is_one_value(text: str) -> bool:
    """Return whether a text is one value of JSON, and not one on each line."""
    begun = without_mark(text).strip()
    return begun[:1] != "{" or "\n" not in begun or not begun.partition("\n")[0].rstrip().endswith("}")


def _lines(text: str) -> list[Any]:
    """Return the values of JSON lines; [] if a line is no object."""
    found: list[Any] = []
    for line in without_mark(text).strip().split("\n") if len(text) <= MOST_CHARACTERS else ():
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                return []
    check(found, "turns are")
    return found if all(isinstance(each, dict) for each in found) else []


def _in_lines(lines: list[Any]) -> WrittenChat | None:
    found = [message for line in lines if (message := _within(line)) is not None]
    is_log = any(not _is_message(line) for line in lines)  # the log of an agent has other lines too
    if len(found) == len(lines) or (is_log and 2 * len(found) >= len(lines)):
        return WrittenChat([*_openai(found)], []) if found else None
    chats = [chat for line in lines if (chat := _in_value(line)) is not None]
    return chats[0]._replace(chats=len(chats)) if len(chats) == len(lines) else None


def _within(line: Mapping[str, Any]) -> Any:
    """Return the message of a line; None if it has none."""
    inner = (line.get(name) for name in _WITHIN)
    return next((each for each in (line, *inner) if isinstance(each, Mapping) and _is_message(each)), None)


def _in_value(value: Any) -> WrittenChat | None:
    """Return the chat in a value of JSON; None if there is none."""
    tools = None
    before: list[Any] = []
    if isinstance(value, Mapping):
        if _is_message(value):
            return WrittenChat([*_openai([value])], [])
        tools = value.get("tools")
        said = next((value[name] for name in _SYSTEM if value.get(name)), None)
        before = [{"role": "system", "content": _joined(said)}] if isinstance(said, (str, list)) else []
        value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(value, list):
        return None
    return WrittenChat([*before, *_openai(value)], tools if isinstance(tools, list) else [])


def _is_message(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a message in one of the forms."""
    if isinstance(value.get("role"), str):
        return "content" in value or "tool_calls" in value
    if isinstance(value.get("from"), str) and isinstance(value.get("value"), str):
        return True
    return value.get("type") in ("function_call", "function_call_output") and isinstance(value.get("call_id"), str)


def _openai(messages: Iterable[Any]) -> Iterator[Any]:
    """Yield messages in OpenAI's form. What has none of the forms stays as it is."""
    for each in messages:
        if not isinstance(each, Mapping):
            yield each
        elif "role" not in each and isinstance(each.get("from"), str) and "value" in each:
            yield {"role": _FROM.get(each["from"].lower(), each["from"]), "content": each["value"]}
        elif "role" not in each and each.get("type") == "function_call":
            yield _calling("", [_call(each.get("call_id"), each.get("name"), each.get("arguments"))])
        elif "role" not in each and each.get("type") == "function_call_output":
            yield {"role": "tool", "tool_call_id": each.get("call_id"), "content": _joined(each.get("output"))}
        elif isinstance(each.get("content"), list) and any(map(_is_block, each["content"])):
            yield from _of_blocks(each)
        else:
            yield each


def _is_block(part: Any) -> bool:
    """Return whether a part of a content is written as OpenAI's chat API does not write it."""
    kinds = ("input_text", "output_text", "tool_use", "tool_result", "thinking")
    return isinstance(part, Mapping) and part.get("type") in kinds


def _of_blocks(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a message whose content is in blocks of Anthropic's or of Responses: results of tools, then the rest."""
    blocks = [part for part in message["content"] if isinstance(part, Mapping)]
    by_type: dict[Any, list[Mapping[str, Any]]] = {}
    for part in blocks:
        by_type.setdefault(part.get("type"), []).append(part)
    for part in by_type.get("tool_result", ()):
        yield {"role": "tool", "tool_call_id": part.get("tool_use_id"), "content": _joined(part.get("content"))}
    said = _joined(blocks)
    thought = "\n".join(str(part.get("thinking", "")) for part in by_type.get("thinking", ()))
    calls = [_call(part.get("id"), part.get("name"), part.get("input")) for part in by_type.get("tool_use", ())]
    if said or thought or calls or "tool_result" not in by_type:
        rest = {"role": message["role"], "content": said, **({"reasoning_content": thought} if thought else {})}
        yield {**rest, **({"tool_calls": calls} if calls else {})}


def _call(call_id: object, name: object, given: object) -> dict[str, Any]:
    """Return a call of a tool in OpenAI's form."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": given}}


def _calling(said: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": "assistant", "content": said, "tool_calls": calls}


def _joined(content: object) -> str:
    """Return the text of a content: a text, or the texts among its parts, on lines of their own.

    >>> _joined([{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}]), _joined({"a": 1})
    ('a\\nb', '{"a": 1}')
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, Mapping) and part.get("type") in _TEXTS)
        return "\n".join(str(part.get("text", "")) for part in parts)
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def _is_sure(message: Any) -> bool:
    """Return whether a message in OpenAI's form has a role that chats have, and a content that can be read."""
    if isinstance(message, list):
        return len(message) == 2 and message[0] in ROLES and isinstance(message[1], str)
    if not isinstance(message, Mapping) or message.get("role") not in ROLES:
        return False
    content = message.get("content")
    is_said = isinstance(content, (str, list)) or (content is None and "content" in message)
    return is_said or bool(message.get("tool_calls"))
