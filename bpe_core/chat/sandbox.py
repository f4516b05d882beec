"""Rendering a chat template in a process of its own: a template is a program, and mostly a stranger's program.

The sealed child of `rendering` calls `render`. A template finds there what `apply_chat_template` of the library
`transformers` gives it: Jinja's immutable sandbox, `raise_exception`, `strftime_now`, `tojson`, `break` and `continue`,
and the tag `generation`.
"""

from __future__ import annotations

import html  # noqa: F401 (this and others are loaded now: when the process is sealed, no file can be read)
import json
import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import jinja2
import jinja2.constants
import jinja2.debug
import jinja2.ext
import jinja2.sandbox
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser

from bpe_core.chat import tracked

MOST_CHARACTERS = 1_000_000  # of the result
RAISED = "the template refuses these turns: "


class RenderError(ValueError):
    """A template that cannot be rendered; the message is the end of a sentence."""


class _Generation(jinja2.ext.Extension):
    """The tag `generation`, which marks an assistant's answer for training. Here only the text inside counts."""

    tags = {"generation"}  # noqa: RUF012 (as Jinja declares it)

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node of the tag."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller: Callable[[], str]) -> str:
        return caller()


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

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols], cache_size=0
        )
        self.filters |= {"tojson": _as_json, "join": _join}
        self.globals |= {"raise_exception": _raise, "strftime_now": _now}


def _raise(message: object) -> None:
    raise jinja2.TemplateError(str(message))


def _now(form: str) -> str:
    return datetime.now().strftime(form)


def _as_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    written = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    return tracked.changed(written, *_texts_in(value))


def _texts_in(value: Any) -> Iterator[str]:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    if isinstance(value, str):
        yield value
    for each in inner:
        yield from _texts_in(each)


@jinja2.pass_environment
def _join(environment: _Environment, value: Any, d: str = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        value = map(jinja2.filters.make_attrgetter(environment, attribute), value)
    return tracked.joined(tracked._between(list(value), d))


def render(
    source: str, turns: Sequence[tuple[str, str]], more: Mapping[str, Any], seconds: float, progress: object = None
) -> dict[str, Any]:
    """Render a template. Return the text and its runs; the runs are None if they cannot be told.

    `turns`: the (role, content) of each turn. `more`: the template's other variables. `seconds`: one second after this
    time the process ends itself, if its parent has not ended it before. Raises `RenderError`.

    >>> render("{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}{% endfor %}", [("user", " Hi")], {}, 5)
    ... # doctest: +NORMALIZE_WHITESPACE
    {'text': '<user>Hi',
     'runs': (SourceRun(length=6, turn=-1, start=0), SourceRun(length=2, turn=0, start=1))}
    """
    alarm = getattr(signal, "setitimer", None)  # not on every system
    if alarm:
        alarm(signal.ITIMER_REAL, seconds + 1)
    try:
        return _render(source, turns, more)
    except RenderError:
        raise
    except jinja2.TemplateSyntaxError as error:
        raise RenderError(f"the template cannot be read: line {error.lineno}: {_short(error)}") from None
    except jinja2.exceptions.SecurityError as error:
        raise RenderError(f"the template does what no chat template may do: {_short(error)}") from None
    except jinja2.UndefinedError as error:
        raise RenderError(f"the template asks for what neither the turns nor a config say: {_short(error)}") from None
    except jinja2.TemplateError as error:
        raise RenderError(RAISED + _short(error)) from None
    except OverflowError:
        most = f"{jinja2.sandbox.MAX_RANGE:,}"
        raise RenderError(f"the template uses too large a number: a range may have {most} of them") from None
    except MemoryError:
        raise RenderError("the template needs too much memory") from None
    except RecursionError:
        raise RenderError("the template is nested too deeply, or calls itself without an end") from None
    except Exception as error:
        absent = [name for name, value in more.items() if value is None and re.search(rf"\b{name}\b", source)]
        if absent and "NoneType" in str(error):
            raise RenderError(f"the template needs {' and '.join(absent)}, which cannot be given here") from None
        raise RenderError(f"the template fails: {type(error).__name__}: {_short(error)}") from None
    finally:
        if alarm:
            alarm(signal.ITIMER_REAL, 0)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else f"{text[:200]} …"


def _render(source: str, turns: Sequence[tuple[str, str]], more: Mapping[str, Any]) -> dict[str, Any]:
    template = _Environment().from_string(source)
    text = _text(template, turns, more)
    marked = [(role, tracked.content(content, number)) for number, (role, content) in enumerate(turns)]
    # The text of plain contents is right in any case. If tracked contents give another text or an error, they have
    # changed what the template does.
    try:
        followed = _text(template, marked, more)
    except Exception:
        return {"text": text, "runs": None}
    return {"text": text, "runs": tracked.runs_of(followed) if str.__eq__(followed, text) else None}


def _text(template: jinja2.Template, turns: Sequence[tuple[str, str]], more: Mapping[str, Any]) -> str:
    """Return the text of a template, up to `MOST_CHARACTERS`."""
    messages = [{"role": role, "content": content} for role, content in turns]
    parts, length = [], 0
    for part in template.generate(messages=messages, **more):
        length += len(part)
        if length > MOST_CHARACTERS:
            raise RenderError(f"the template writes more than {MOST_CHARACTERS:,} characters")
        parts.append(part)
    return tracked.joined(parts)


def _warm_up() -> None:
    """Render small templates, so that Jinja loads further modules now: a sealed process cannot load them."""
    _now("%d %b %Y %H:%M")
    for source in ("{{ 'a\\n' ~ nothing.at_all }}", "{{ raise_exception('') }}", "{% if %}", "{{ [1]|tojson }}"):
        try:
            _render(source, [], {})
        except jinja2.TemplateError:
            continue


_warm_up()
