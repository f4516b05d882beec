"""Why a chat template renders no text: from the error that ended it to its kind, and from the kind to a sentence.

Most errors of Jinja say what they are about in their class and their message: `BY_MESSAGE`. Of a value that is missing
the message says little. It is found in the error's traceback, with the object that lacks it: `_of_missing`. And what an
error says may be true but no reason: "'NoneType' object is not iterable" is the chat's fault only if the template
renders once the chat has tools. That is tried: `SUPPOSITIONS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, Literal, NamedTuple, TypeAlias

from jinja2.exceptions import UndefinedError
from jinja2.runtime import Undefined
from jinja2.sandbox import MAX_RANGE
from jinja2.utils import missing as no_object

from bpe_core.chat.templates import SPECIAL

Message: TypeAlias = Mapping[str, Any]  # a turn as a template is given it
Kind = Literal[
    "raised", "filter", "test", "function", "syntax", "statement", "forbidden", "other template", "token", "variable",
    "turn", "content", "part", "null", "type", "value", "wrong type", "tools", "documents", "texts", "parts",
    "characters", "range", "memory", "depth", "error",
]  # fmt: skip
SENTENCES: Mapping[Kind, str] = {
    "raised": "the template refuses these turns: {message}",
    "filter": "the template uses the filter {name}, which no chat template has{line}",
    "test": "the template uses the test {name}, which no chat template has{line}",
    "function": "the template calls {name}, a function that no chat template has",
    "syntax": "the template cannot be read: line {line_number}: {message}",
    "statement": "the template cannot go on: {message}",
    "forbidden": "the template does what no chat template may do: {message}",
    "other template": "the template takes its text from another template, and a chat template has no other: {message}",
    "token": "the template needs the special token {name}",
    "variable": "the template needs the variable {name}, which was not given",
    "turn": "{owner} has no {name}, which the template needs",
    "content": "{owner} has no content, which the template needs: give it one, such as an empty text",
    "part": "{owner} lacks {name}, which the template needs",
    "null": "the template asks for {name} of a value that is null",
    "type": "the template asks for {name} of {type}, which has none",
    "value": "the template uses a value that is missing: {message}",
    "wrong type": "the template takes a value for another type than it has: {message}",
    "tools": "the template needs tools, which the chat does not have",
    "documents": "the template needs documents, which the chat does not have",
    "texts": "the template takes each content as a text, and a content of this chat is a list of parts",
    "parts": 'the template takes each content as a list of parts, such as [{{"type": "text", "text": "Hi"}}], '
    "and a content of this chat is a text",
    "characters": "the template writes more than {name} characters",
    "range": f"the template uses too large a number: a range may have {MAX_RANGE:,} of them",
    "memory": "the template needs too much memory",
    "depth": "the template is nested too deeply, or calls itself without an end",
    "error": "the template fails: {message}",
}
"""The end of a sentence for each kind."""


class ErrorKind(NamedTuple):
    """A row of `BY_MESSAGE`.

    `error`: the name of a class; its subclasses count too. `pattern`: found in the message; it may have a `name`.
    """

    error: str
    pattern: str
    kind: Kind


BY_MESSAGE: Sequence[ErrorKind] = (  # the first row that fits counts
    ErrorKind("RaisedError", "", "raised"),
    # Jinja raises the first where it compiles the template, and the second where a condition came before.
    *(
        ErrorKind(error, rf"No {kind} named '(?P<name>.*?)'", kind)
        for error in ("TemplateAssertionError", "TemplateRuntimeError")
        for kind in ("filter", "test")
    ),
    ErrorKind("TemplateSyntaxError", "", "syntax"),
    ErrorKind("SecurityError", "", "forbidden"),
    ErrorKind("UndefinedError", "", "value"),  # where `_of_missing` does not know more
    ErrorKind("TypeError", "no loader", "other template"),
    ErrorKind("TemplateError", "", "statement"),
    ErrorKind("OverflowError", "[Rr]ange", "range"),
    ErrorKind("MemoryError", "", "memory"),
    ErrorKind("RecursionError", "", "depth"),
    ErrorKind("TypeError", "Undefined", "value"),
    ErrorKind("TypeError", "", "wrong type"),
    ErrorKind("AttributeError", "", "wrong type"),  # of a filter, such as `dictsort` of a text
    ErrorKind("Exception", "", "error"),
)


class RenderError(ValueError):
    """A template that cannot be rendered; the message is the end of a sentence. `kind`: a key of `SENTENCES`."""

    def __init__(self, kind: Kind, **facts: object) -> None:
        """Write the sentence. `facts`: what fills its holes."""
        super().__init__(SENTENCES[kind].format(**facts))
        self.kind: Kind = kind


class Supposition(NamedTuple):
    """What a chat may lack. `given`: the turns and all else, as if the chat had it; None if it has it already."""

    kind: Kind
    given: Callable[[Sequence[Message], Mapping[str, Any]], tuple[Sequence[Message], Mapping[str, Any]] | None]


def _with(name: str, messages: Sequence[Message], more: Mapping[str, Any]) -> Any:
    return None if more.get(name, 0) is not None else (messages, {**more, name: []})


def _with_texts(messages: Sequence[Message], more: Mapping[str, Any]) -> Any:
    if not any(isinstance(each.get("content"), list) for each in messages):
        return None
    texts = [{**each, "content": ""} if isinstance(each.get("content"), list) else each for each in messages]
    return texts, more


def _with_parts(messages: Sequence[Message], more: Mapping[str, Any]) -> Any:
    if not any(isinstance(each.get("content"), str) for each in messages):
        return None
    parts = [
        {**each, "content": [{"type": "text", "text": each["content"]}]}
        if isinstance(each.get("content"), str) else each
        for each in messages
    ]  # fmt: skip
    return parts, more


SUPPOSITIONS: Sequence[Supposition] = (
    Supposition("tools", lambda messages, more: _with("tools", messages, more)),
    Supposition("documents", lambda messages, more: _with("documents", messages, more)),
    Supposition("texts", _with_texts),
    Supposition("parts", _with_parts),
)
# Kinds that do not say whether the chat or the template is wrong.
_SUPPOSED: set[Kind] = {"type", "value", "wrong type", "null", "error"}
_NAMES_OWNER: set[Kind] = {"turn", "content", "part"}


def refusal(
    error: Exception,
    messages: Sequence[Message],
    more: Mapping[str, Any],
    again: Callable[[Sequence[Message], Mapping[str, Any]], object],
) -> RenderError:
    """Return why a template has failed. `again(messages, more)`: renders it with other values."""
    found = _of_missing(error, messages, more) or _by_message(error)
    number = _turn_at(error, messages)
    if found.kind in _SUPPOSED:
        for supposed in SUPPOSITIONS:
            given = supposed.given(messages, more)
            if given and _renders(again, *given):
                return RenderError(supposed.kind)
    if number and found.kind not in _NAMES_OWNER:
        found.args = (f"{str(found).removesuffix('.')} (turn {number})",)
    return found


def _renders(again: Callable[..., object], *given: object) -> bool:
    try:
        again(*given)
    except Exception:
        return False
    return True


def _by_message(error: Exception) -> RenderError:
    """Return the sentence of the first row of `BY_MESSAGE` that fits an error."""
    classes, message = {each.__name__ for each in type(error).__mro__}, str(error)
    row, match = next(
        (row, match) for row in BY_MESSAGE if row.error in classes and (match := re.search(row.pattern, message))
    )
    line = getattr(error, "lineno", None)
    short = _short(message) if row.kind in ("raised", "syntax", "forbidden") else _short(f"{_name_of(error)}{message}")
    return RenderError(
        row.kind, message=short, name=quoted(match.groupdict().get("name", "")), line_number=line,
        line=f" (line {line})" if line else "",
    )  # fmt: skip


def _name_of(error: Exception) -> str:
    """Return the name of an error that is Python's own, before its message; Jinja's messages are sentences."""
    return "" if type(error).__module__.startswith("jinja2") else f"{type(error).__name__}: "


def _of_missing(error: Exception, messages: Sequence[Message], more: Mapping[str, Any]) -> RenderError | None:
    """Return what an error says that a missing value has caused; None for any other error, and for one that says all.

    Jinja's `Undefined` knows its name, and the object that lacks it.
    """
    missing, called = _missing(error)
    if missing is None or missing._undefined_hint:
        return None
    name, owner = missing._undefined_name, missing._undefined_obj
    facts = {"name": quoted(name) if isinstance(name, str) else f"element {name!r:.20}"}
    if owner is no_object:  # a name of its own
        if called:
            return RenderError("function", **facts)
        return RenderError("token", name=name) if name in SPECIAL else RenderError("variable", **facts)
    if owner is None:
        return RenderError("null", **facts)
    if not isinstance(owner, Mapping) or called:
        return RenderError("type", **facts, type=_type_of(owner))
    place = next(_places(owner, messages, more), None)
    if place is None:
        return RenderError("part", **facts, owner="an object that the template made")
    kind: Kind = "part" if place.startswith("a ") else "content" if name == "content" else "turn"
    return RenderError(kind, **facts, owner=place)


def _missing(error: Exception) -> tuple[Undefined | None, bool]:
    """Return the missing value that has raised an error, and whether the template called it as a function."""
    if not isinstance(error, UndefinedError) and "Undefined" not in str(error):
        return None, False
    frames = [*_frames(error)]
    # `self` of the method that has raised; `o`: what `json` could not write
    own = (frame.f_locals.get(name) for frame in reversed(frames) for name in ("self", "o"))
    found = next((each for each in own if isinstance(each, Undefined)), None)
    called = any(frame.f_locals.get("_SandboxedEnvironment__obj") is found for frame in frames)
    return found, found is not None and called


def _frames(error: Exception) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _places(owner: object, messages: Sequence[Message], more: Mapping[str, Any]) -> Iterator[str]:
    """Yield where an object is among what was given: "turn 2", or "a part of tool 1"."""
    for what, rows in (("turn", messages), ("tool", more.get("tools")), ("document", more.get("documents"))):
        for number, row in enumerate(rows or (), 1):
            if row is owner:
                yield f"{what} {number}"
            elif any(each is owner for each in _inside(row)):
                yield f"a part of {what} {number}"


def _inside(value: object) -> Iterator[object]:
    """Yield all that is in a value of JSON."""
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ():
        yield each
        yield from _inside(each)


def _turn_at(error: Exception, messages: Sequence[Message]) -> int | None:
    """Return the number of the turn at which a template failed, from 1 on; None if no loop was at a turn."""
    numbers, found = {id(message): number for number, message in enumerate(messages, 1)}, None
    for frame in _frames(error):
        values = frame.f_locals
        # Jinja's compiler writes a variable of the loop `for message in …` as `l_1_message`.
        loops = [name for name, value in values.items() if id(value) in numbers and re.match("l_[1-9]", name)]
        found = numbers[id(values[max(loops)])] if loops else found
    return found


def _type_of(value: object) -> str:
    """Return how JSON calls the type of a value."""
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", tuple: "a list"}
    found = next((name for kind, name in names.items() if isinstance(value, kind)), "")
    return found or ("an object" if isinstance(value, Mapping) else "a function or a namespace")


def quoted(name: str) -> str:
    """Return a name in quotes, shortened."""
    return f"'{_short(name, 60)}'"


def _short(text: str, most: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]} …"
