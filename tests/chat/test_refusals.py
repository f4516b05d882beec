"""Why a template renders no text: each kind of reason beside the error that Jinja raises of the same template."""

import re
from typing import get_args

import jinja2
import jinja2.ext
import pytest
from jinja2.exceptions import SecurityError, TemplateAssertionError, TemplateRuntimeError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from bpe_core.chat import ChatError, ChatTemplate, render
from bpe_core.chat.refusals import BY_MESSAGE, SENTENCES, SUPPOSITIONS, Kind, RenderError
from bpe_core.chat.sandbox import render_source

CALL = {"type": "function", "function": {"name": "clock", "arguments": {"zone": None, "hours": 2}}}
TURNS = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [CALL]}]
PARTS = [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
TOOLS = [{"type": "function", "function": {"name": "clock"}}]
EACH = "{% for m in messages %}"
END = "{% endfor %}"
# kind → the template, the turns, the error of Jinja, and what the sentence names
ROWS = [
    ("raised", "{{ raise_exception('No filter named x') }}", TURNS, jinja2.TemplateError, "No filter named x"),
    ("filter", "\n{{ 'a'|fromjson }}", TURNS, TemplateAssertionError, "which no chat template has (line 2)"),
    ("filter", "{% if true %}{{ 'a'|fromjson }}{% endif %}", TURNS, TemplateRuntimeError, "'fromjson'"),
    ("filter", EACH + "{% if loop.last %}{{ m|b64 }}{% endif %}" + END, TURNS, TemplateRuntimeError, "'b64'"),
    ("test", "{{ 'a' is jsonic }}", TURNS, TemplateAssertionError, "'jsonic'"),
    ("test", "{% if true %}{{ 'a' is jsonic }}{% endif %}", TURNS, TemplateRuntimeError, "'jsonic'"),
    ("function", "{{ strptime('1') }}", TURNS, UndefinedError, "'strptime'"),
    ("syntax", "a\n{% if", TURNS, jinja2.TemplateSyntaxError, "line 2"),
    ("syntax", "{% call_me %}", TURNS, jinja2.TemplateSyntaxError, "call_me"),
    ("statement", "{% set x = 'a' %}{% set x.y = 1 %}", TURNS, TemplateRuntimeError, "non-namespace"),
    ("forbidden", "{{ messages.append(1) }}", TURNS, SecurityError, "'append'"),
    ("forbidden", "{{ ''.__class__.__mro__ }}", TURNS, SecurityError, "'__class__'"),
    ("other template", "{% include 'a' %}", TURNS, TypeError, "no loader"),
    ("token", "{{ 'a' + eos_token }}", TURNS, UndefinedError, "eos_token"),
    ("variable", "{{ 'a' + date }}", TURNS, UndefinedError, "'date'"),
    ("variable", "{{ datetime.now() }}", TURNS, UndefinedError, "'datetime'"),
    ("turn", EACH + "{{ m.name + ':' }}" + END, TURNS, UndefinedError, "Turn 1 has no 'name'"),
    ("content", EACH + "{{ m.content + '.' }}" + END, TURNS, UndefinedError, "Turn 2 has no content"),
    ("content", EACH + "{{ m['content']|tojson }}" + END, TURNS, TypeError, "Turn 2 has no content"),
    ("part", "{{ tools[0].function.parameters.type }}", TURNS, UndefinedError, "part of tool 1 lacks 'parameters'"),
    ("part", "{{ messages[1].tool_calls[0].id + '' }}", TURNS, UndefinedError, "part of turn 2 lacks 'id'"),
    ("part", "{{ {'a': 1}.b.c }}", TURNS, UndefinedError, "template made lacks 'b'"),
    ("turn", "{{ tools[0].description + '' }}", TURNS, UndefinedError, "Tool 1 has no 'description'"),
    ("null", "{{ messages[1].tool_calls[0].function.arguments.zone.x.y }}", TURNS, UndefinedError, "'x'"),
    ("type", EACH + "{{ m.content.items() }}" + END, TURNS, UndefinedError, "a text, which has none (turn 1)"),
    ("type", "{{ dict.from_keys(messages) }}", TURNS, UndefinedError, "'from_keys'"),
    ("value", "{{ []|first + 'a' }}", TURNS, UndefinedError, "No first item"),
    ("wrong type", "{{ 'a' + messages[1].tool_calls[0].function.arguments.hours }}", TURNS, TypeError, '"int"'),
    ("wrong type", "{% if tools %}{% endif %}{{ 'a' + none }}", TURNS[:1], TypeError, '"NoneType"'),
    ("wrong type", "{{ messages[0].content|dictsort }}", TURNS, AttributeError, "'items'"),
    ("tools", "{% for tool in tools %}{% endfor %}", TURNS[:1], TypeError, "needs tools"),
    ("documents", "{{ documents|length }}", TURNS, TypeError, "needs documents"),
    ("texts", EACH + "{{ m.content + '.' }}" + END, PARTS, TypeError, "list of parts"),
    ("texts", EACH + "{{ m.content.strip() }}" + END, PARTS, UndefinedError, "list of parts"),
    ("parts", EACH + "{{ m.content[0].text.strip() }}" + END, TURNS[:1], UndefinedError, "list of parts"),
    ("characters", "{% for a in range(99999) %}{{ 'token ' * 99 }}{% endfor %}", TURNS[:1], None, "1,000,000"),
    ("range", "{{ range(10**9)|list }}", TURNS, OverflowError, "100,000"),
    ("depth", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", TURNS, RecursionError, "itself"),
    ("error", "{{ 1 / 0 }}", TURNS, ZeroDivisionError, "division by zero"),
    ("error", "{{ 'a'.index('b') }}", TURNS, ValueError, "substring not found"),
]  # fmt: skip
ELSEWHERE = {"memory"}  # only in a process with a limit: `HOSTILE` in tests/campaign/chat.py


def given(turns):
    """What else the template is given."""
    return {"tools": TOOLS if len(turns) > 1 else None, "documents": None}


def of_jinja(source, turns):
    """The error of Jinja alone, with what `transformers` adds."""

    def refuse(message):
        raise jinja2.TemplateError(message)

    environment = ImmutableSandboxedEnvironment(extensions=[jinja2.ext.loopcontrols], trim_blocks=True)
    environment.filters["tojson"] = jinja2.filters.do_tojson
    environment.globals |= {"raise_exception": refuse, "dict": object()}  # theirs has no `from_keys` either
    try:
        environment.from_string(source).render(messages=turns, **given(turns))
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(("kind", "source", "turns", "error", "names"), ROWS)
def test_a_reason_is_that_of_the_error(kind, source, turns, error, names):
    raised = of_jinja(source, turns)
    assert type(raised) is (error or type(None))
    with pytest.raises(RenderError) as caught:
        render_source(source, turns, given(turns), 5.0)
    sentence = str(caught.value)
    assert caught.value.kind == kind
    assert names.lower() in sentence.lower()
    name = re.search(r"named '(.*?)'|attribute '(.*?)'|^'(.*?)' is undefined", str(raised))
    assert kind in ("raised", "texts", "parts") or not name or next(filter(None, name.groups())) in sentence


@pytest.mark.parametrize(("kind", "source", "turns", "error", "names"), ROWS[::5])
def test_a_sealed_process_says_the_same_as_a_sentence(kind, source, turns, error, names):
    with pytest.raises(RenderError) as caught:
        render_source(source, turns, given(turns), 5.0)
    with pytest.raises(ChatError) as whole:
        render(ChatTemplate(source), turns, tools=given(turns)["tools"] or [])
    said, sentence = str(caught.value), str(whole.value)
    assert sentence == said[0].upper() + said[1:] + ("" if said.endswith(".") else ".")


def test_every_kind_has_a_sentence_and_a_row():
    kinds = {*get_args(Kind)}
    assert SENTENCES.keys() == kinds
    assert {row.kind for row in BY_MESSAGE} | {row.kind for row in SUPPOSITIONS} <= kinds
    assert {kind for kind, *_ in ROWS} == kinds - ELSEWHERE


@pytest.mark.parametrize("source", ["{{ strftime_now('%Y')|length }}", "{{ strftime_now(format='%Y')|length }}"])
def test_the_time_is_told_as_transformers_tells_it(source):
    assert render(source, []).text == "4"
    with pytest.raises(ChatError, match="takes"):
        render("{{ strftime_now('%Y', 5) }}", [])


def test_a_dict_and_a_namespace_are_those_of_transformers():
    assert render("{{ dict(a=1)|tojson }}{{ dict.fromkeys('ab')|length }}", []).text == '{"a": 1}2'
    assert render("{% set n = namespace(self=1, b=2) %}{% set n.b = 3 %}{{ n.self }}{{ n.b }}", []).text == "13"
    for source in ("{{ namespace(_a=1) }}", "{% set n = namespace() %}{% set n._a = 1 %}", "{{ dict.__class__ }}"):
        with pytest.raises(ChatError, match="no chat template may do"):
            render(source + "{{ dict.__class__.x }}", [])
