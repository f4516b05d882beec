"""Rendering a chat template in a process of its own: a template is a program, and mostly a stranger's program.

The sealed child of `rendering` calls `answer`. A template finds there what `apply_chat_template` of the library
`transformers` gives it: Jinja's immutable sandbox, `raise_exception`, `strftime_now`, `tojson`, `break` and `continue`,
and the tag `generation`.
"""

from __future__ import annotations

import html  # noqa: F401 (this and others are loaded now: when the process is sealed, no file can be read)
import json
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias, cast

import jinja2
import jinja2.constants
import jinja2.debug
import jinja2.ext
import jinja2.meta
import jinja2.sandbox
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser

from bpe_core.chat import tracked
from bpe_core.chat.templates import GIVEN

MOST_CHARACTERS = 1_000_000  # of the result
MOST_WITH_TOOLS = 8_000_000  # of the result for a chat with tools: 741 tools take 2 million
RAISED = "the template refuses these turns: "
Message: TypeAlias = Mapping[str, Any]  # a turn as a template is given it


class RenderError(ValueError):
    """A template that cannot be rendered; the message is the end of a sentence."""


class _Generation(jinja2.ext.Extension):
    """The tag `generation`, which marks the text of an answer that is learnt in training."""

    tags = {"generation"}  # noqa: RUF012 (as Jinja declares it)

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node of the tag."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller: Callable[[], str]) -> str:
        """Write the text inside, and note its span. Within a macro the span counts from the macro's call, as theirs."""
        text, environment = caller(), self.environment
        assert isinstance(environment, _Environment)
        environment.learnt.append((environment.written, environment.written + len(text)))
        return text


class _Generator(CodeGenerator):
    """Jinja's compiler, with an operator `~` that keeps the runs of a `TrackedText`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write the code of `~`."""
        self.write("concat((")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write("))")


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """Jinja's sandbox, with the filters and functions that `transformers` gives to a template."""

    code_generator_class = _Generator
    concat = staticmethod(tracked.joined)  # it joins texts, with their runs

    def __init__(self, cached: Sequence[object] = ()) -> None:
        """Make the environment. `cached`: values whose JSON is written only once; they do not change meanwhile."""
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols], cache_size=0
        )
        self.written, self.learnt = 0, list[tuple[int, int]]()
        self.filters |= {"tojson": _cached_json(cached) if cached else _as_json, "join": _join}
        self.globals |= {"raise_exception": _raise, "strftime_now": _now}


def _cached_json(values: Sequence[object]) -> Callable[..., str]:
    """Return the filter `tojson`, which writes each of the given values only once in the same form."""
    known, found = {id(value) for value in values}, dict[tuple[object, ...], str]()

    def written(value: Any, *form: Any, **more: Any) -> str:
        if id(value) not in known:
            return _as_json(value, *form, **more)
        key = (id(value), *form, *more.items())
        if key not in found:
            found[key] = _as_json(value, *form, **more)
        return found[key]

    return written


def _raise(message: object) -> None:
    raise jinja2.TemplateError(str(message))


def _now(form: str, seconds: float | None = None) -> str:
    """Return the time as a template wants it: now, or at so many seconds since 1970."""
    return (datetime.now() if seconds is None else datetime.fromtimestamp(seconds)).strftime(form)


def _as_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    form = {"ensure_ascii": ensure_ascii, "indent": indent, "separators": separators, "sort_keys": sort_keys}
    return _written(value, form, 0)


def _written(value: Any, form: Mapping[str, Any], depth: int) -> str:
    """Return a value as JSON. A list or an object with texts of several sources is joined from its parts.

    The parts' text is what `json.dumps` writes; if it ever were not, no sources would be told: see `_render`.
    """
    sources = {run.turn for text in _texts_in(value) for run in tracked.runs_of(text)} - {tracked.TEMPLATE}
    indent = form["indent"]
    if len(sources) < 2 or not isinstance(value, (list, tuple, dict)) or not isinstance(indent, (int, type(None))):
        written = json.dumps(value, **form)
        if indent is not None:
            written = written.replace("\n", "\n" + " " * (indent * depth))
        return tracked.changed(written, *_texts_in(value))
    comma, colon = form["separators"] or (", " if indent is None else ",", ": ")
    line, last = ("", "") if indent is None else ("\n" + " " * (indent * at) for at in (depth + 1, depth))
    parts: list[str] = []
    if isinstance(value, dict):
        rows = sorted(value.items()) if form["sort_keys"] else value.items()
        for key, each in rows:
            parts += [comma + line, _written(key, form, 0), colon, _written(each, form, depth + 1)]
        return tracked.joined(["{" + line, *parts[1:], last + "}"])
    for each in value:
        parts += [comma + line, _written(each, form, depth + 1)]
    return tracked.joined(["[" + line, *parts[1:], last + "]"])


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value of JSON, the keys of objects too."""
    if isinstance(value, str):
        yield value
    inner = (*value, *value.values()) if isinstance(value, Mapping) else value
    for each in inner if isinstance(inner, (list, tuple)) else ():
        yield from _texts_in(each)


@jinja2.pass_environment
def _join(environment: _Environment, value: Any, d: str = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        value = map(jinja2.filters.make_attrgetter(environment, attribute), value)
    return tracked.joined(tracked._between(list(value), d))


def answer(task: str, *question: Any, progress: Callable[[str, int, int], None]) -> Any:
    """Answer a question of `rendering`. `task`: a key of `TASKS`."""
    return TASKS[task](*question, progress=progress)


def render_source(
    source: str, messages: Sequence[Message], more: Mapping[str, Any], seconds: float, progress: object = None
) -> dict[str, Any]:
    """Render a template. Return the text, its runs, its lines and what is learnt.

    `messages`: the turns. `more`: the template's other variables. `seconds`: one second after this time the process
    ends itself, if its parent has not ended it before. Raises `RenderError`.

    The runs are None if they cannot be told. `lines`: how many characters each line of the template wrote, in the order
    of the text: (length, line). `learnt`: the spans that the tag `generation` marks.

    >>> turns = [{"role": "user", "content": " Hi"}]
    >>> found = render_source("{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}{% endfor %}", turns, {}, 5)
    >>> found["text"], found["runs"]
    ('<user>Hi', (SourceRun(length=6, turn=-1, start=0), SourceRun(length=2, turn=0, start=1)))
    """
    with _limited(source, messages, more, seconds):
        return _render(source, messages, more)


def without_tools(
    source: str,
    messages: Sequence[Message],
    more: Mapping[str, Any],
    seconds: float,
    progress: Callable[[str, int, int], None] = lambda phase, done, total: None,
) -> list[tuple[int, int, str]]:
    """Render a template without each of its tools, and without any. Return how the texts differ from the whole text.

    That is, for each: how many characters from the beginning are the same, how many from the end, and the text between.

    >>> tools = [{"name": "clock"}, {"name": "map"}]
    >>> without_tools("{% for tool in tools or [] %}<{{ tool.name }}>{% endfor %}.", [], {"tools": tools}, 5)
    [(1, 5, ''), (7, 1, ''), (0, 1, '')]
    """
    tools = more["tools"]
    with _limited(source, messages, more, seconds):
        template = _Environment(cached=[*tools, *messages]).from_string(source)
        whole = _text(template, messages, more).text
        found = []
        for left_out in range(len(tools) + 1):
            rest = [tool for at, tool in enumerate(tools) if at != left_out] if left_out < len(tools) else []
            found.append(_difference(whole, _text(template, messages, {**more, "tools": rest or None}).text))
            progress("tools", left_out, len(tools))
        return found


def _difference(one: str, other: str) -> tuple[int, int, str]:
    """Return how many characters two texts share at both ends, and what the other has between."""
    before = _shared(one, other)
    after = min(_shared(one[::-1], other[::-1]), min(len(one), len(other)) - before)
    return before, after, other[before : len(other) - after]


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def variables(source: str, seconds: float, progress: object = None) -> list[dict[str, Any]]:
    """Return the variables that a template takes beside its turns, tools, documents and special tokens.

    Each has its name, whether it is a "switch", and its default: the constant that the template sets where the variable
    is not given, or None.

    >>> variables("{% if think is not defined %}{% set think = true %}{% endif %}{{ day if think }}", 5)
    [{'name': 'day', 'switch': False, 'default': None}, {'name': 'think', 'switch': True, 'default': True}]
    """
    with _limited(source, (), {}, seconds):
        tree = _Environment().parse(source)
        names = jinja2.meta.find_undeclared_variables(tree) - GIVEN
        defaults: dict[str, Any] = {}
        for each in tree.find_all(nodes.Assign):
            if isinstance(each.target, nodes.Name) and isinstance(each.node, nodes.Const):
                defaults.setdefault(each.target.name, each.node.value)
        asked = {each.name for test in _conditions(tree) for each in _asked(test)}
        used = Counter(each.name for each in tree.find_all(nodes.Name) if each.ctx == "load")
        tested = Counter(each.name for test in _conditions(tree) for each in test.find_all(nodes.Name))
        tested += Counter(test.name for test in _conditions(tree) if isinstance(test, nodes.Name))
        return [
            {
                "name": name,
                "switch": isinstance(defaults.get(name), bool)
                or (name not in defaults and name in asked and used[name] == tested[name]),
                "default": defaults.get(name),
            }
            for name in sorted(names)
        ]


def _conditions(tree: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the conditions in a template."""
    yield from (each.test for each in tree.find_all(nodes.If))
    yield from (each.test for each in tree.find_all(nodes.CondExpr))


def _asked(test: nodes.Node) -> Iterator[nodes.Name]:
    """Yield the variables whose truth decides a condition."""
    if isinstance(test, nodes.Name):
        yield test
    elif isinstance(test, nodes.Test):
        if test.name in ("true", "false") and isinstance(test.node, nodes.Name):
            yield test.node
    elif isinstance(test, (nodes.And, nodes.Or, nodes.Not)):
        for each in test.iter_child_nodes():
            yield from _asked(each)


TASKS: dict[str, Callable[..., Any]] = {"render": render_source, "without_tools": without_tools, "variables": variables}


@contextmanager
def _limited(source: str, messages: Sequence[Message], more: Mapping[str, Any], seconds: float) -> Iterator[None]:
    """Limit the time of a block, and turn every error in it into a `RenderError`, with the turn if one is known."""
    alarm = getattr(signal, "setitimer", None)  # not on every system
    if alarm:
        alarm(signal.ITIMER_REAL, seconds + 1)
    try:
        yield
    except RenderError:
        raise
    except Exception as error:
        number = _turn_at(error)
        raise RenderError(_why(error, source, more) + (f" (turn {number})" if number else "")) from None
    finally:
        if alarm:
            alarm(signal.ITIMER_REAL, 0)


def _why(error: Exception, source: str, more: Mapping[str, Any]) -> str:
    match error:
        case jinja2.TemplateSyntaxError():
            return f"the template cannot be read: line {error.lineno}: {_short(error)}"
        case jinja2.exceptions.SecurityError():
            return f"the template does what no chat template may do: {_short(error)}"
        case jinja2.UndefinedError():
            return f"the template asks for what neither the turns nor a config say: {_short(error)}"
        case jinja2.TemplateError():
            return RAISED + _short(error)
        case OverflowError():
            most = f"{jinja2.sandbox.MAX_RANGE:,}"
            return f"the template uses too large a number: a range may have {most} of them"
        case MemoryError():
            return "the template needs too much memory"
        case RecursionError():
            return "the template is nested too deeply, or calls itself without an end"
    absent = [name for name, value in more.items() if value is None and re.search(rf"\b{name}\b", source)]
    if absent and "NoneType" in str(error):
        return f"the template needs {' and '.join(absent)}, which the chat does not have"
    return f"the template fails: {type(error).__name__}: {_short(error)}"


_messages: Sequence[Message] = ()  # the turns that were last rendered: `_text` sets them, `_turn_at` finds them


def _turn_at(error: Exception) -> int | None:
    """Return the number of the turn at which a template failed, from 1 on; None if no loop was at a turn."""
    numbers = {id(message): number for number, message in enumerate(_messages, 1)}
    trace, found = error.__traceback__, None
    while trace is not None:
        values = trace.tb_frame.f_locals
        # Jinja's compiler writes a variable of the loop `for message in …` as `l_1_message`.
        loops = [name for name, value in values.items() if id(value) in numbers and re.match("l_[1-9]", name)]
        found = numbers[id(values[max(loops)])] if loops else found
        trace = trace.tb_next
    return found


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else f"{text[:200]} …"


class _Text(NamedTuple):
    """A rendered text, the lines of the template that wrote it, and the spans that are learnt: see `render_source`."""

    text: str
    lines: list[tuple[int, int]]
    learnt: list[tuple[int, int]]


def _render(source: str, messages: Sequence[Message], more: Mapping[str, Any]) -> dict[str, Any]:
    template = _Environment().from_string(source)
    text, lines, learnt = _text(template, messages, more)
    # The text of plain contents is right in any case. If tracked contents give another text or an error, they have
    # changed what the template does.
    found: dict[str, Any] = {"text": text, "runs": None, "lines": lines, "learnt": learnt}
    try:
        followed = _text(template, *_marked(messages, more)).text
    except Exception:
        return found
    return {**found, "runs": tracked.runs_of(followed) if str.__eq__(followed, text) else None}


def _marked(messages: Sequence[Message], more: Mapping[str, Any]) -> tuple[list[Message], dict[str, Any]]:
    """Return what a template is given, with its texts as `TrackedText`."""
    turns: list[Message] = [
        {
            key: tracked.content(value, turn) if key == "content" and isinstance(value, str)
            else value if key == "role" else tracked.inside(value, turn)
            for key, value in message.items()
        }
        for turn, message in enumerate(messages)
    ]  # fmt: skip
    sources = {"documents": tracked.inside(more.get("documents"), tracked.DOCUMENTS)}
    if tools := more.get("tools"):
        sources["tools"] = [tracked.inside(tool, tracked.tool_source(at)) for at, tool in enumerate(tools)]
    return turns, {**more, **{name: value for name, value in sources.items() if name in more}}


def _text(template: jinja2.Template, messages: Sequence[Message], more: Mapping[str, Any]) -> _Text:
    """Return the text of a template, up to `MOST_CHARACTERS`, or up to `MOST_WITH_TOOLS` if it is given tools."""
    global _messages
    environment = template.environment
    assert isinstance(environment, _Environment)
    _messages = [*map(dict, messages)]
    most = MOST_WITH_TOOLS if more.get("tools") else MOST_CHARACTERS
    parts: list[str] = []
    lines: list[tuple[int, int]] = []
    environment.written, environment.learnt = 0, []
    if isinstance(clock := more.get("strftime_now"), (int, float)):
        more = {**more, "strftime_now": partial(_now, seconds=clock)}
    writing = cast(Any, template.root_render_func(template.new_context({"messages": _messages, **more})))
    line_of = lru_cache(maxsize=None)(template.get_corresponding_lineno)
    for part in writing:
        environment.written += len(part)
        if environment.written > most:
            raise RenderError(f"the template writes more than {most:,} characters")
        parts.append(part)
        line = line_of(writing.gi_frame.f_lineno)
        if lines and lines[-1][1] == line:
            lines[-1] = (lines[-1][0] + len(part), line)
        elif part:
            lines.append((len(part), line))
    return _Text(tracked.joined(parts), lines, environment.learnt)


def _warm_up() -> None:
    """Render small templates, so that Jinja loads further modules now: a sealed process cannot load them."""
    _now("%d %b %Y %H:%M")
    variables("{% if a %}{{ b }}{% endif %}", 5)
    for source in ("{{ 'a\\n' ~ nothing.at_all }}", "{{ raise_exception('') }}", "{% if %}", "{{ [1]|tojson }}"):
        try:
            _render(source, [], {})
        except jinja2.TemplateError:
            continue


_warm_up()
