"""What `transformers` 5.24 gives a chat template, and nothing else, beside what Jinja itself has.

    the sandbox       Jinja's immutable one, with `trim_blocks` and `lstrip_blocks`
    statements        `break` and `continue`; the tag `generation`, which marks what is learnt
    a filter          `tojson`, which escapes nothing of HTML
    functions         `raise_exception(message)`, `strftime_now(format)`, and a `dict` and a `namespace` of its own

`~` and `join` keep track of where each character comes from: see `tracked`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import jinja2
import jinja2.ext
import jinja2.sandbox
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser

from bpe_core.chat import tracked


class RaisedError(jinja2.TemplateError):
    """What a template raises itself, with `raise_exception`."""


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
        assert isinstance(environment, Environment)
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


class Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
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
        self.globals |= {
            "raise_exception": _raise, "strftime_now": _strftime_now, "dict": _Dict(), "namespace": _Namespace,
        }  # fmt: skip


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
    raise RaisedError(str(message))


def now(form: str, seconds: float | None = None) -> str:
    """Return the time as a template wants it: now, or that of a timestamp, in seconds since 1970."""
    return (datetime.now() if seconds is None else datetime.fromtimestamp(seconds)).strftime(form)


def _strftime_now(format: str) -> str:
    return now(format)


class _Dict:
    """The function `dict`. It has no other attribute of the class than `fromkeys`."""

    def __call__(self, *arguments: Any, **more: Any) -> dict[Any, Any]:
        """Return a dictionary."""
        return dict(*arguments, **more)

    def fromkeys(self, *arguments: Any) -> dict[Any, Any]:
        """Return a dictionary with these keys."""
        return dict.fromkeys(*arguments)


class _Namespace(jinja2.utils.Namespace):
    """The function `namespace`. No name in it begins with "_"."""

    def __init__(*arguments: Any, **more: Any) -> None:
        """Set the names."""
        found = dict(*arguments[1:], **more)
        for name in found:
            _check_name(name)
        jinja2.utils.Namespace.__init__(arguments[0], found)

    def __setitem__(self, name: str, value: Any) -> None:
        """Set a name."""
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"a namespace has no name such as {name!r:.60}, which begins with _")


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
def _join(environment: Environment, value: Any, d: str = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        value = map(jinja2.filters.make_attrgetter(environment, attribute), value)
    return tracked.joined(tracked._between(list(value), d))
