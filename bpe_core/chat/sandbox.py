"""What the sealed process does: it renders chat templates. A template is a program, and mostly a stranger's program.

The sealed child of `rendering` calls `answer`. What a template finds there is in `environment`, and why it fails in
`refusals`.
"""

from __future__ import annotations

import html  # noqa: F401 (this and others are loaded now: when the process is sealed, no file can be read)
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

import jinja2
import jinja2.constants
import jinja2.debug
import jinja2.meta
from jinja2 import nodes

from bpe_core.chat import tracked
from bpe_core.chat.environment import Environment, now
from bpe_core.chat.refusals import Message, RenderError, refusal
from bpe_core.chat.templates import GIVEN
from bpe_core.text.beginnings import shared_beginning

MOST_CHARACTERS = 1_000_000  # of the result
MOST_WITH_TOOLS = 8_000_000  # of the result for a chat with tools: 741 tools take 2 million


def answer(task: str, *question: Any, progress: Callable[[str, int, int], None]) -> Any:
    """Answer a question of `rendering`. `task`: a key of `TASKS`."""
    return TASKS[task](*question, progress=progress)


def render_source(
    source: str, messages: Sequence[Message], more: Mapping[str, Any], seconds: float | None, progress: object = None
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


def render_each(
    source: str,
    chats: Sequence[tuple[Sequence[Message], Mapping[str, Any]]],
    seconds: float | None,
    progress: object = None,
) -> list[dict[str, Any]]:
    """Render a template for each of several chats: see `render_source`.

    >>> turns = [[{"role": "user", "content": text}] for text in ("Hi", "Ho")]
    >>> [found["text"] for found in render_each("<{{ messages[0].content }}>", [(each, {}) for each in turns], 5)]
    ['<Hi>', '<Ho>']
    """
    with _limited(source, (), {}, seconds):
        return [_render(source, messages, more) for messages, more in chats]


def without_tools(
    source: str,
    messages: Sequence[Message],
    more: Mapping[str, Any],
    seconds: float | None,
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
        template = Environment(cached=[*tools, *messages]).from_string(source)
        whole = _text(template, messages, more).text
        found = []
        for left_out in range(len(tools) + 1):
            rest = [tool for at, tool in enumerate(tools) if at != left_out] if left_out < len(tools) else []
            found.append(_difference(whole, _text(template, messages, {**more, "tools": rest or None}).text))
            progress("tools", left_out, len(tools))
        return found


def _difference(one: str, other: str) -> tuple[int, int, str]:
    """Return how many characters two texts share at both ends, and what the other has between."""
    before = shared_beginning(one, other)
    after = min(shared_beginning(one[::-1], other[::-1]), min(len(one), len(other)) - before)
    return before, after, other[before : len(other) - after]


def variables(source: str, seconds: float | None, progress: object = None) -> list[dict[str, Any]]:
    """Return the variables that a template takes beside its turns, tools, documents and special tokens.

    Each has its name, whether it is a "switch", and its default: the constant that the template sets where the variable
    is not given, or None.

    >>> variables("{% if think is not defined %}{% set think = true %}{% endif %}{{ day if think }}", 5)
    [{'name': 'day', 'switch': False, 'default': None}, {'name': 'think', 'switch': True, 'default': True}]
    """
    with _limited(source, (), {}, seconds):
        tree = Environment().parse(source)
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


TASKS: dict[str, Callable[..., Any]] = {
    "render": render_source, "render_each": render_each, "without_tools": without_tools, "variables": variables
}  # fmt: skip


@contextmanager
def _limited(
    source: str, messages: Sequence[Message], more: Mapping[str, Any], seconds: float | None
) -> Iterator[None]:
    """Limit the time of a block, and turn every error in it into a `RenderError`, with the turn if one is known.

    `seconds`: None for no limit.
    """
    alarm = getattr(signal, "setitimer", None) if seconds is not None else None  # not on every system
    if alarm and seconds is not None:
        alarm(signal.ITIMER_REAL, seconds + 1)
    try:
        yield
    except RenderError:
        raise
    except Exception as error:
        # Its turns, which the traceback has, are those that were last rendered.
        raise refusal(error, _messages, more, partial(_again, source)) from None
    finally:
        if alarm:
            alarm(signal.ITIMER_REAL, 0)


_messages: Sequence[Message] = ()  # the turns that were last rendered: `_text` sets them


def _again(source: str, messages: Sequence[Message], more: Mapping[str, Any]) -> None:
    _text(_template(source), messages, more)


@lru_cache(maxsize=8)
def _template(source: str) -> jinja2.Template:
    """Return a compiled template. Most processes have one only."""
    return Environment().from_string(source)


@lru_cache(maxsize=8)
def _lines(template: jinja2.Template) -> Callable[[int], int]:
    """Return the function from a line of a template's code to the template's own line; each line is looked up once."""
    return lru_cache(maxsize=None)(template.get_corresponding_lineno)


class _Text(NamedTuple):
    """A rendered text, the lines of the template that wrote it, and the spans that are learnt: see `render_source`."""

    text: str
    lines: list[tuple[int, int]]
    learnt: list[tuple[int, int]]


def _render(source: str, messages: Sequence[Message], more: Mapping[str, Any]) -> dict[str, Any]:
    template = _template(source)
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
    assert isinstance(environment, Environment)
    _messages = [*map(dict, messages)]
    most = MOST_WITH_TOOLS if more.get("tools") else MOST_CHARACTERS
    parts: list[str] = []
    lines: list[tuple[int, int]] = []
    environment.written, environment.learnt = 0, []
    if isinstance(clock := more.get("strftime_now"), (int, float)):
        more = {**more, "strftime_now": partial(now, seconds=clock)}
    writing = cast(Any, template.root_render_func(template.new_context({"messages": _messages, **more})))
    line_of = _lines(template)
    for part in writing:
        environment.written += len(part)
        if environment.written > most:
            raise RenderError("characters", name=f"{most:,}")
        parts.append(part)
        line = line_of(writing.gi_frame.f_lineno)
        if lines and lines[-1][1] == line:
            lines[-1] = (lines[-1][0] + len(part), line)
        elif part:
            lines.append((len(part), line))
    return _Text(tracked.joined(parts), lines, environment.learnt)


def _warm_up() -> None:
    """Render small templates, so that Jinja loads further modules now: a sealed process cannot load them."""
    now("%d %b %Y %H:%M")
    variables("{% if a %}{{ b }}{% endif %}", 5)
    for source in ("{{ 'a\\n' ~ nothing.at_all }}", "{{ raise_exception('') }}", "{% if %}", "{{ [1]|tojson }}"):
        try:
            _render(source, [], {})
        except jinja2.TemplateError:
            continue


_warm_up()
