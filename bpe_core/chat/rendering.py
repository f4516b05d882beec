"""Rendering a chat with a template: what is given is checked, a sealed process answers, the answer is checked.

render            turns and a template, as callers give them
chat_of           the turns, tools, documents and variables, checked: a `Chat`
render_chat       asks the template's process (`template_process`), and returns a `Rendered`
variables_of      what a template asks for beside the turns
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from bpe_core import arguments
from bpe_core.chat.given_json import Tool, check, documents_of, name_of, tools_of
from bpe_core.chat.given_template import GivenTemplate, check_order, chosen
from bpe_core.chat.template_process import FOR_MANY, LIMITS, TemplateLimits, asked, sentences, watched
from bpe_core.chat.templates import SPECIAL, ChatError, ChatTemplate, GivenTurn, Turn, turns_of
from bpe_core.chat.tracked import FIRST_TOOL, SEVERAL, TEMPLATE, SourceRun, piece, runs_of, tool_source
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.in_words import listed


@dataclass(frozen=True)
class Rendered:
    """The text that a template makes of turns.

    `runs`: where the characters of the text come from (see `tracked`). If the template takes a content apart in a way
    that `tracked` cannot follow, `runs` is None.

    `lines`: how many characters each line of the template wrote, in the order of the text: (length, line). `learnt`:
    the spans of the text that `{% generation %}` marks for training; None if the template has no such tag.
    `lacks_tools`: whether there are tools, and the template writes none of them.
    """

    text: str
    runs: tuple[SourceRun, ...] | None
    lines: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    learnt: tuple[tuple[int, int], ...] | None = field(default=None, compare=False, repr=False)
    lacks_tools: bool = field(default=False, compare=False, repr=False)

    def line_at(self, at: int) -> int | None:
        """Return the line of the template that wrote a character; None if it is not known."""
        for length, line in self.lines:
            if (at := at - length) < 0:
                return line
        return None

    def source_at(self, at: int) -> int:
        """Return the turn of a character (see `SourceRun`); `SEVERAL` if it is not known."""
        for length, turn, _ in self.runs or ():
            if (at := at - length) < 0:
                return turn
        return SEVERAL

    def left_out(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return the positions of the turns that have a content, but no character in the text; () without `runs`.

        >>> Rendered("Hi", (SourceRun(2, 1, 0),)).left_out([Turn("system", "Be kind."), Turn("user", "Hi")])
        (0,)
        """
        seen = {run.turn for run in self.runs} if self.runs is not None else {SEVERAL}
        if SEVERAL in seen:
            return ()
        return tuple(at for at, turn in enumerate(turns) if turn.content.strip() and at not in seen)

    def parts_unread(self, turns: Sequence[Turn]) -> str:
        """Return a sentence on the turns whose content is a list of parts that the template does not read; "" for none.

        Such a template leaves the turn out, or writes the list itself into the text.

        >>> given = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
        >>> Rendered("[{'type': 'text', 'text': 'Hi'}]", None).parts_unread([Turn("user", "Hi", given)])[:40]
        'the content of turn 1 is a list of parts'
        """
        found = [str(at) for at, turn in enumerate(turns, 1) if not self._reads(turn.given.get("content"))]
        if not found:
            return ""
        which = f"turn {found[0]}" if len(found) == 1 else f"turns {listed(found[:MOST_NAMED])}"
        more = " and more" if len(found) > MOST_NAMED else ""
        return (
            f"the content of {which}{more} is a list of parts, and this template reads only a text; servers often "
            "join the parts first"
        )

    def _reads(self, content: object) -> bool:
        """Return whether the text has each text of a list of parts, and not the list itself."""
        if not isinstance(content, list):
            return True
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        lost = any(isinstance(each, str) and each.strip() not in self.text for each in texts)
        return not lost and str(content) not in self.text

    def calls_left_out(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return the positions of the turns that call a function whose name is not in the text.

        >>> call = {"function": {"name": "weather", "arguments": {}}}
        >>> Rendered("Hi", None).calls_left_out([Turn("assistant", "", {"tool_calls": [call]})])
        (0,)
        """
        return tuple(at for at, turn in enumerate(turns) if any(each["name"] not in self.text for each in turn.calls))

    def beginning(self, size: int) -> Rendered:
        """Return the first `size` characters of the text, with their runs."""
        return self.part(0, size)

    def part(self, start: int, end: int) -> Rendered:
        """Return the characters from `start` to `end`, with their runs.

        >>> Rendered("<a>Hi", (SourceRun(3, -1, 0), SourceRun(2, 0, 0))).part(2, 4)
        Rendered(text='>H', runs=(SourceRun(length=1, turn=-1, start=2), SourceRun(length=1, turn=0, start=0)))
        """
        runs = None if self.runs is None else runs_of(piece(self.text, self.runs)[start:end])
        return Rendered(self.text[start:end], runs)

    def first_of(self, turn: int) -> int | None:
        """Return the index of the first character of a turn (see `SourceRun`); None if it has none."""
        at = 0
        for length, source, _ in self.runs or ():
            if source == turn:
                return at
            at += length
        return None


FEW_TOOLS = 64  # of more tools, the process says how far it is
_GENERATION = re.compile(r"{%-?\s*generation\s*-?%}")
AT_ONCE, MOST_AT_ONCE = 200_000, 256  # characters, and chats, that a process is asked for at once
LEAST_TO_FIND = 4  # a content of fewer characters is not looked for in the template's text
LARGE = 1_000_000  # characters of all that a template is given, from which on it has the limits `FOR_MANY`


@dataclass(frozen=True, eq=False)
class Chat:
    """All that a template is rendered with.

    `turns`: the turns. `begins_answer`: whether the text ends with the beginning of an answer. `tools`, `documents`:
    values of JSON. `variables`: the template's other variables, by name: see `variables_of`.
    """

    turns: tuple[Turn, ...]
    begins_answer: bool = False
    tools: tuple[Tool, ...] = ()
    documents: tuple[Any, ...] = ()
    variables: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """About how many characters a template is given."""
        given = [[turn.message for turn in self.turns], self.tools, self.documents, dict(self.variables)]
        return len(json.dumps(given, default=str))

    @property
    def limits(self) -> TemplateLimits:
        """The limits of the process that renders it."""
        return LIMITS if self.size < LARGE and len(self.tools) <= FEW_TOOLS else FOR_MANY


def render(
    template: GivenTemplate,
    turns: Iterable[GivenTurn],
    add_generation_prompt: bool = False,
    limits: TemplateLimits | None = None,
    *,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    variables: Mapping[str, Any] = MappingProxyType({}),
    trusted: bool = False,
) -> Rendered:
    """Return the text that a template makes of turns, as `apply_chat_template` of `transformers` does.

    `template`: a `ChatTemplate`, a key of `CHAT_TEMPLATES`, Jinja as a text, "hub:owner/model", or the Path of a file
    or of a model's folder. `turns`: pairs of role and content, or messages as in OpenAI's API, also with tool calls and
    results. `add_generation_prompt`: whether the text ends with the beginning of an answer. `tools`: tools in OpenAI's
    form, or as an MCP server lists them. `documents`, `variables`: other values that the template asks for, such as
    `{"enable_thinking": False}`; `strftime_now`, if given, is the time that the template gets, in seconds since 1970. A
    template is a program. It runs in a sealed process, which one's templates share; with `trusted` in this process: in
    the same sandbox, faster, but without limits of time and memory. Raises `ChatError`, whose message is a sentence,
    and `UnknownTokenError` if the template cannot go on without a special token that it does not know, as in `eos_token
    + "!"`. Where it only writes one, as in `{{ eos_token }}`, nothing is written, as in `transformers`.

    >>> template = ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")
    >>> render(template, [Turn("user", "Hi")])
    Rendered(text='<user>Hi', runs=(SourceRun(length=6, turn=-1, start=0), SourceRun(length=2, turn=0, start=0)))
    >>> render("{{ day }}: {{ tools[0].function.name }}", [], tools=[{"name": "clock", "inputSchema": {}}],
    ...     variables={"day": "Monday"}).text
    'Monday: clock'
    """
    check_order(template, "render(template, turns)")
    chat = chat_of(turns, add_generation_prompt, tools, documents, variables)
    found = chosen(template).given(trusted).for_tools(bool(chat.tools))
    check_variables(found, variables)
    return render_chat(found, chat, limits)


def render_batch(
    template: GivenTemplate,
    chats: Iterable[Iterable[GivenTurn]],
    add_generation_prompt: bool = False,
    *,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    variables: Mapping[str, Any] = MappingProxyType({}),
    trusted: bool = False,
) -> list[Rendered]:
    """Return the texts that a template makes of many chats, far faster than one by one.

    `chats`: the turns of each. The other arguments are those of `render`, for all chats. A `ChatError` names the chat.

    >>> [found.text for found in render_batch("{{ messages[0].content }}!", [[("user", "Hi")], [("user", "Ho")]])]
    ['Hi!', 'Ho!']
    """
    check_order(template, "render_batch(template, chats)")
    rows = chats_of(chats, add_generation_prompt, tools, documents, variables)
    found = chosen(template).given(trusted)
    if rows:
        check_variables(found.for_tools(bool(rows[0].tools)), variables)
    return render_chats(found, rows)


def chats_of(
    chats: Iterable[Iterable[GivenTurn]],
    begins_answer: bool,
    tools: Iterable[Tool] | None,
    documents: Iterable[Any] | None,
    variables: Mapping[str, Any],
) -> list[Chat]:
    """Return many chats, which have the same tools, documents and variables, checked."""
    whole = chat_of((), begins_answer, tools, documents, variables)
    found = []
    for number, turns in enumerate(arguments.several(chats, "chats")):
        with _named(number):
            found.append(replace(whole, turns=turns_of(turns)))
    return found


@contextmanager
def _named(number: int) -> Iterator[None]:
    """Let an error name one of many chats."""
    try:
        yield
    except ChatError as error:
        raise ChatError(f"chats[{number}]: {error}") from None


def render_chats(template: ChatTemplate, chats: Sequence[Chat]) -> list[Rendered]:
    """Return the texts that a template makes of many chats. A process is asked for many at once."""
    found: list[Rendered] = []
    part, size = [], 0
    for chat in chats:
        part.append(chat)
        size += chat.size
        if size > AT_ONCE or len(part) == MOST_AT_ONCE:
            found += _rendered_together(template, part, len(found))
            part, size = [], 0
    return found + _rendered_together(template, part, len(found))


def _rendered_together(template: ChatTemplate, chats: Sequence[Chat], first: int) -> list[Rendered]:
    """Render some chats at once. If that fails, render them one by one: only one of them may be wrong, or long."""
    if len(chats) > 1:
        each = template.for_tools(bool(chats[0].tools))
        rows = [_given(each, chat)[1:] for chat in chats]
        with suppress(ChatError):
            answers = asked(each, LIMITS, "render_each", each.source, rows, LIMITS.seconds)
            with sentences(each, LIMITS):
                return [_told(answer, each, chat) for answer, chat in zip(answers, chats, strict=True)]
    found = []
    for number, chat in enumerate(chats, first):
        with _named(number):
            found.append(render_chat(template, chat))
    return found


def chat_of(
    turns: Iterable[GivenTurn],
    begins_answer: bool = False,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    variables: Mapping[str, Any] = MappingProxyType({}),
) -> Chat:
    """Return a chat of what was given, checked. Raises `ChatError`."""
    if not isinstance(variables, Mapping):
        kind = type(variables).__name__
        raise ChatError(f'Variables are a dictionary, such as {{"date": "Monday"}}, and this is {kind}.')
    check(dict(variables), "variables are")
    return Chat(turns_of(turns), begins_answer, tools_of(tools), documents_of(documents), dict(variables))


def render_chat(template: ChatTemplate, chat: Chat, limits: TemplateLimits | None = None) -> Rendered:
    """Return the text that a template makes of a chat: see `render`."""
    limits = limits or chat.limits
    template = template.for_tools(bool(chat.tools))
    found = asked(template, limits, "render", *_given(template, chat), limits.seconds)
    with sentences(template, limits):
        return _told(found, template, chat)


def _told(found: Any, template: ChatTemplate, chat: Chat) -> Rendered:
    """Return the answer of a process, with what is certain of its sources."""
    rendered = _checked(found, chat)
    learnt = rendered.learnt if _GENERATION.search(template.source) else None
    runs = rendered.runs if _all_found(rendered, template, chat) else None
    return replace(rendered, runs=runs, learnt=learnt, lacks_tools=bool(chat.tools) and _lacks_tools(rendered, chat))


def _lacks_tools(rendered: Rendered, chat: Chat) -> bool:
    """Return whether no text of a tool is in the result; if its sources are not known, whether no tool's name is."""
    if rendered.runs is None:
        return not any(name_of(tool) in rendered.text for tool in chat.tools)
    return not any(run.turn <= FIRST_TOOL for run in rendered.runs)


def render_without_tools(
    template: ChatTemplate, chat: Chat, whole: str, progress: Callable[[int, int], None] | None = None
) -> list[tuple[int, int, str]]:
    """Return how the text differs if a tool is left out, for each tool, and if all are: see `sandbox.without_tools`.

    `whole`: the text with all tools. `progress(done, total)`: called while the process waits or works, if there are
    more than `FEW_TOOLS`. If it raises an error, the question is given up.
    """
    limits = chat.limits
    question = ("without_tools", *_given(template, chat), limits.seconds)
    if progress is None or len(chat.tools) <= FEW_TOOLS or template.runs_in == "here":
        found = asked(template, limits, *question)
    else:

        def report(_: str, done: int, total: int) -> None:
            progress(done, total or len(chat.tools))

        found = watched(template, limits, question, report)
    with sentences(template, limits):
        rows = [(int(before), int(after), without_surrogates(text, "\ufffd")) for before, after, text in found]
        if len(rows) != len(chat.tools) + 1 or any(
            min(before, after) < 0 or before + after > len(whole) for before, after, _ in rows
        ):
            raise ValueError("an answer about another text")
    return rows


def _given(template: ChatTemplate, chat: Chat) -> tuple[str, list[dict[str, Any]], dict[str, Any]]:
    """Return what a process is asked to render: the source, the messages, and all other values by name."""
    more: dict[str, Any] = {
        **template.special_tokens,
        **chat.variables,
        "tools": [*chat.tools] or None,
        "documents": [*chat.documents] or None,
        "add_generation_prompt": chat.begins_answer,
    }
    return template.source, [turn.message for turn in chat.turns], more


def _checked(found: Any, chat: Chat) -> Rendered:
    """Return the answer of a process; raise `ValueError` if no template can have made such an answer.

    A lone surrogate, which only an escape can write, becomes U+FFFD: no model's tokenizer takes a lone surrogate.
    """
    text, runs = without_surrogates(found["text"], "\ufffd"), found["runs"]
    lines = tuple((int(length), int(line)) for length, line in found["lines"])
    learnt = tuple((int(start), int(end)) for start, end in found["learnt"])
    if any(not 0 <= start <= end <= len(text) for start, end in learnt):
        raise ValueError("a span is outside of the text")
    if runs is None:
        return Rendered(text, None, lines, learnt)
    read = tuple(SourceRun(int(length), int(turn), int(start)) for length, turn, start in runs)
    if sum(run.length for run in read) != len(text):
        raise ValueError("the runs are of another text")
    least = tool_source(len(chat.tools) - 1)
    if any(run.length < 1 or not least <= run.turn < len(chat.turns) for run in read):
        raise ValueError("a run has no source")
    return Rendered(text, read, lines, learnt)


def _all_found(rendered: Rendered, template: ChatTemplate, chat: Chat) -> bool:
    """Return whether no turn's content is in the runs that count as the template's text.

    A function of Jinja that `tracked` cannot follow may have copied a content to these runs. If the template's own
    source has the same text as a content, the content's text in these runs is no sign of such a copy.
    """
    if rendered.runs is None:
        return False
    at, parts = 0, []
    for length, turn, _ in rendered.runs:
        if turn == TEMPLATE:
            parts.append(rendered.text[at : at + length])
        at += length
    roles = (turn.role for turn in chat.turns)
    own = "\n".join([template.source, *template.special_tokens.values(), *map(str, chat.variables.values()), *roles])
    contents = [turn.content.strip() for turn in chat.turns]
    sought = [content for content in contents if len(content) >= LEAST_TO_FIND and content not in own]
    return not any(content in part for content in sought for part in parts)


CLOCK = "strftime_now"  # the function that tells a template the time
MOST_NAMED = 12  # variables in a sentence


class Variable(NamedTuple):
    """A variable of a template.

    `is_switch`: whether it is true or false. `default`: what the template sets where it is not given; None for nothing.
    """

    name: str
    is_switch: bool
    default: Any


def variables_of(template: GivenTemplate) -> tuple[Variable, ...]:
    """Return what a template asks for beside turns, tools, documents and special tokens, found by reading its syntax.

    >>> variables_of("{% if enable_thinking %}hm{% endif %}")
    (Variable(name='enable_thinking', is_switch=True, default=None),)
    """
    template = chosen(template)
    found = asked(template, LIMITS, "variables", template.source, LIMITS.seconds)
    with sentences(template, LIMITS):
        return tuple(Variable(str(row["name"]), bool(row["switch"]), row["default"]) for row in found)


def check_variables(template: ChatTemplate, variables: Mapping[str, Any], words: Sequence[str] = ()) -> None:
    """Raise `ChatError` if the template does not read one of the variables, which may be misspelt.

    `words`: what the caller reads itself, for the sentence.
    """
    if not (others := variables.keys() - {*SPECIAL, CLOCK}):
        return
    reads = [each.name for each in variables_of(template)]
    for name in sorted(others.difference(reads)):
        if name == "variables":
            raise ChatError("What the template reads is given by name here, such as enable_thinking=False.")
        near = get_close_matches(name, [*reads, *words], 1)
        known = ", ".join(reads[:MOST_NAMED]) + (", …" if len(reads) > MOST_NAMED else "")
        more = f"is it {near[0]!r}?" if near else f"it reads {known or 'no other variables'}."
        raise ChatError(f"The chat template does not read {name[:40]!r}: {more}")
