"""What is given as JSON: tools, documents and whole requests, checked before any template is rendered with them.

Tools come in several forms. All become the form of OpenAI's API, which chat templates are written for:

    OpenAI's      {"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}
    Responses     {"type": "function", "name": …, "description": …, "parameters": {…}}
    MCP           {"name": …, "description": …, "inputSchema": {…}}       in an answer to `tools/list`
    Anthropic's   {"name": …, "description": …, "input_schema": {…}}

Any other object stays as it is, since a template may have been written for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from bpe_core import arguments
from bpe_core.text.encodings import without_mark

MOST_CHARACTERS = 8_000_000  # of a JSON text
MOST_VALUES = 400_000  # in a JSON text: texts, numbers, lists, objects
MOST_DEPTH = 60  # of lists and objects in each other
MOST_TOOLS = 2_000
MOST_DOCUMENTS = 200
Tool: TypeAlias = Mapping[str, Any]
_SCHEMAS = ("parameters", "inputSchema", "input_schema")


class ChatError(ValueError):
    """Turns, tools or a template that cannot be used; the message is one sentence for the screen."""


def read_json(text: str, what: str, form: str) -> Any:
    """Return the value in a JSON text; `ChatError` if it is no JSON, too long, too deep or has too many values.

    `what`: what it is, in the sentence; `form`: what to write instead, with a verb.

    >>> read_json("[1,\\n2", "tools are", "paste a list")
    Traceback (most recent call last):
        ...
    bpe_core.chat.given_json.ChatError: The tools are not JSON (line 2: Expecting ',' delimiter): paste a list.
    """
    text = without_mark(arguments.text(text, "JSON"))
    if len(text) > MOST_CHARACTERS:
        raise ChatError(f"The {what} too long: {len(text):,} characters of JSON, and {MOST_CHARACTERS:,} can be read.")
    try:
        found = json.loads(text, object_pairs_hook=partial(_object, what))
    except ChatError:
        raise
    except json.JSONDecodeError as error:
        raise ChatError(f"The {what} not JSON (line {error.lineno}: {error.msg}): {form}.") from None
    except RecursionError:
        raise ChatError(f"The {what} nested more than {MOST_DEPTH} deep.") from None
    except ValueError:  # a number of thousands of digits
        raise ChatError(f"The {what} not JSON that can be read: {form}.") from None
    check(found, what)
    return found


def _object(what: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if (twice := arguments.twice_in(name for name, _ in pairs)) is not None:
        raise ChatError(f"The {what} not clear: an object has the name “{twice[:40]}” twice.")
    return dict(pairs)


def check(value: object, what: str) -> None:
    """Raise `ChatError` if a value of JSON is nested too deeply, has too many values, or a value that JSON has not."""
    level, values = [value], 0
    for _ in range(MOST_DEPTH):
        values += len(level)
        if values > MOST_VALUES:
            raise ChatError(f"The {what} too large: more than {MOST_VALUES:,} values.")
        inner: list[object] = []
        for each in level:
            if each is None or isinstance(each, (str, int, float)):
                continue
            if isinstance(each, Mapping):
                inner += [*each.keys(), *each.values()]
            elif isinstance(each, (list, tuple)):
                inner += each
            else:
                raise ChatError(f"The {what} not values of JSON: {type(each).__name__} is none.")
        level = inner
        if not level:
            return
    raise ChatError(f"The {what} nested more than {MOST_DEPTH} deep.")


def read_tools(text: str) -> tuple[Tool, ...]:
    """Return the tools in a JSON text: a list of tools, a request with "tools", or an MCP server's answer.

    >>> read_tools('{"result": {"tools": [{"name": "clock", "inputSchema": {"type": "object"}}]}}')
    ({'type': 'function', 'function': {'name': 'clock', 'parameters': {'type': 'object'}}},)
    """
    found = read_json(text, "tools are", "paste a list of tools, a request with tools, or an MCP server's tools/list")
    if isinstance(found, Mapping) and isinstance(found.get("result"), Mapping):
        found = found["result"]
    if isinstance(found, Mapping):
        found = found.get("tools", found.get("functions", [found] if "name" in found or "function" in found else None))
    if not isinstance(found, list):
        raise ChatError("There are no tools here: paste a list of tools, a request with tools, or an MCP answer.")
    return tools_of(found)


def tools_of(given: Iterable[object] | None) -> tuple[Tool, ...]:
    """Return tools in OpenAI's form, () for None; see the forms at the head of this file. Raises `ChatError`."""
    if isinstance(given, Mapping):
        has = ', the one under its "tools"' if "tools" in given else ""
        raise ChatError(f'Tools are a list, such as [{{"name": "clock"}}]{has}, and this is {type(given).__name__}.')
    tools = []
    for number, tool in enumerate(arguments.several(() if given is None else given, "tools"), 1):
        if not isinstance(tool, Mapping) or not name_of(tool):
            raise ChatError(f"Tool {number} has no name: a tool is an object with a name, a description and a schema.")
        tools.append(_openai(tool))
    if len(tools) > MOST_TOOLS:
        raise ChatError(f"There are {len(tools):,} tools; {MOST_TOOLS:,} can be read.")
    check(tools, "tools are")
    return tuple(tools)


def name_of(tool: Tool) -> str:
    """Return the name of a tool; "" if it has none.

    >>> name_of({"type": "function", "function": {"name": "clock"}}), name_of({"name": "map"})
    ('clock', 'map')
    """
    inner = tool.get("function")
    name = (inner if isinstance(inner, Mapping) else tool).get("name")
    return name if isinstance(name, str) else ""


def _openai(tool: Mapping[str, Any]) -> Tool:
    is_flat = "function" not in tool
    if not is_flat or not (tool.get("type") == "function" or {"inputSchema", "input_schema"} & tool.keys()):
        return dict(tool)
    schema = next((tool[name] for name in _SCHEMAS if name in tool), None)
    parts = {"name": tool["name"], "description": tool.get("description"), "parameters": schema}
    return {"type": "function", "function": {name: value for name, value in parts.items() if value is not None}}


def read_documents(text: str) -> tuple[Any, ...]:
    """Return the documents in a JSON text: a list, or an object with "documents".

    >>> read_documents('[{"title": "A", "text": "B"}]')
    ({'title': 'A', 'text': 'B'},)
    """
    found = read_json(text, "documents are", 'paste a list such as [{"title": "…", "text": "…"}]')
    if isinstance(found, Mapping):
        found = found.get("documents")
    if not isinstance(found, list):
        raise ChatError('There are no documents here: paste a list such as [{"title": "…", "text": "…"}].')
    return documents_of(found)


def documents_of(given: Iterable[Any] | None) -> tuple[Any, ...]:
    """Return documents, checked, and () for None. Raises `ChatError`."""
    documents = tuple(arguments.several(() if given is None else given, "documents"))
    if len(documents) > MOST_DOCUMENTS:
        raise ChatError(f"There are {len(documents):,} documents; {MOST_DOCUMENTS} can be read.")
    check(documents, "documents are")
    return documents


def as_served(messages: list[Any]) -> list[Any]:
    """Return messages as servers give them to a template: the arguments of a call as an object, not as a text of JSON.

    OpenAI's API writes the arguments as a text. Templates are written for objects, so vLLM and others read the text.

    >>> as_served([{"role": "assistant", "tool_calls": [{"function": {"name": "add", "arguments": '{"a": 1}'}}]}])
    [{'role': 'assistant', 'tool_calls': [{'function': {'name': 'add', 'arguments': {'a': 1}}}]}]
    """
    return [_served(message) for message in messages]


def _served(message: Any) -> Any:
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [_served_call(call) for call in calls]}


def _served_call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
        return call
    try:
        arguments = json.loads(function["arguments"] or "{}")
    except (ValueError, RecursionError):
        return call
    return {**call, "function": {**function, "arguments": arguments}} if isinstance(arguments, dict) else call
