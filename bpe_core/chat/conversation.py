"""The requests of a conversation, and how much of each a server can keep from the request before.

A server keeps what it has computed for a prompt, and for the answer that it generated. The next request can use it as
far as its ids are the same:

    request 1      |system|user 1|answer:              and generated:  |thinking|answer 1|end|
    request 2      |system|user 1|answer:|answer 1|end|user 2|answer:
    kept           |<-    the same    ->|              the rest of request 2 is computed anew

"At most": servers keep blocks of tokens, for a limited time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import time
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from bpe_core import shortcuts
from bpe_core.by_name import GivenTokenizer
from bpe_core.chat.given_json import Tool
from bpe_core.chat.given_template import GivenTemplate, check_order
from bpe_core.chat.model_input import ModelInput, model_input, template_for
from bpe_core.chat.rendering import CLOCK, Chat, Rendered, chat_of, check_variables, render_chat
from bpe_core.chat.templates import ChatError, ChatTemplate, GivenTurn, Turn
from bpe_core.chat.tracked import DOCUMENTS, TEMPLATE
from bpe_core.files import opened
from bpe_core.text.beginnings import shared_beginning
from bpe_core.tokenizer.checks import whole_numbers
from bpe_core.tokenizer.tokenizer import Tokenizer

Why = Literal["thinking", "tokens", "turn", "tools", "documents", "template"]
DAY = 25 * 3600  # seconds: another hour too
_LONGEST_BEGINNING = 200  # characters at the end of a request that may begin the answer, such as "<think>"
_EMPTY = re.compile(r"<think>\s*</think>")
AnswerSource = Literal["ids", "template", "text"]


class Answer(NamedTuple):
    """An answer as it was generated.

    `turn`: its index among the turns. `source`: where the ids are from.

    "ids"         they were given
    "template"    the template wrote the answer as the last turn, and this text was encoded
    "text"        the template leaves out a part of the answer even there: its thinking and its text were encoded
    """

    turn: int
    ids: tuple[int, ...]
    text: str
    source: AnswerSource


class Break(NamedTuple):
    """The first token of a request that differs from what a server has.

    `at`: its index in the request. `had`, `sent`: the two ids that differ. `why`: what wrote them. The template drops
    the "thinking" of a turn; or it is the same text in other "tokens"; or the template writes a "turn", "tools" or
    "documents" in another way than before; or its own text is another ("template"). `turn`: the index of that turn;
    below 0 for none. `line`: the line of the template that wrote the token that is sent; None if it is not known.
    """

    at: int
    had: int
    sent: int
    why: Why
    turn: int
    line: int | None


@dataclass(frozen=True, eq=False)
class ChatRequest:
    """A request of a conversation.

    `turns`: how many turns it sends. `input`: what the model is given. `answer`: its answer; None for the last request,
    if it is not answered yet. `had`: how many tokens a server has from the request and the answer before. `kept`: how
    many tokens it can use again. `broken`: where it can use no more; None if it can use all.
    """

    turns: int
    input: ModelInput
    answer: Answer | None
    had: int
    kept: int
    broken: Break | None

    @property
    def sent(self) -> int:
        """How many tokens are sent."""
        return len(self.input.ids)

    @property
    def computed(self) -> int:
        """How many tokens are computed anew."""
        return self.sent - self.kept

    @property
    def lost(self) -> int:
        """How many computed tokens are of no use any more."""
        return self.had - self.kept


@dataclass(frozen=True, eq=False)
class Requests:
    """The requests of a conversation, the first first.

    `turns`: the turns of the conversation. `another_day`: how many tokens of the last request are the same on the next
    day; None if all are, as in most templates: they do not ask for the time.
    """

    turns: tuple[Turn, ...]
    all: tuple[ChatRequest, ...]
    another_day: int | None = None

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return what is sent and kept; the turns are too many to print."""
        return f"<Requests: {self.summary}>"

    @property
    def sent(self) -> int:
        """How many tokens are sent in all requests."""
        return sum(request.sent for request in self.all)

    @property
    def kept(self) -> int:
        """How many of the sent tokens a server can keep at most."""
        return sum(request.kept for request in self.all)

    @property
    def worst(self) -> int | None:
        """The index of the request that loses most; None if none loses anything."""
        lost = [request.lost for request in self.all]
        return lost.index(max(lost)) if any(lost) else None

    @property
    def summary(self) -> str:
        """What is sent, what can be kept, and which request loses most, in a sentence."""
        sent, size = f"{self.sent:,} token{'s' * (self.sent != 1)}", len(self.all)
        head = f"Of {sent} sent in {size} request{'s' * (size != 1)} at most {self.kept:,} can be kept"
        more = " The template writes no tools." if self.all[-1].input.rendered.lacks_tools else ""
        if size == 1:
            return f"{head}: it is the first request.{more}"
        if self.worst is None:
            return f"{head}: no request loses anything.{more}"
        lost, why = self.all[self.worst].lost, self.why(self.worst)
        most = "loses" if sum(request.lost > 0 for request in self.all) == 1 else "loses most,"
        return f"{head}; request {self.worst + 1} {most} {lost:,}, because {why}.{more}"

    @property
    def about_the_date(self) -> str:
        """What a template that writes the date costs on another day, in a sentence; "" if it writes none."""
        if self.another_day is None:
            return ""
        sent = self.all[-1].sent
        return (
            f"The template writes the date or the time: when that has changed, at most {self.another_day:,} of the "
            f"last request's {sent:,} tokens can be kept."
        )

    def why(self, index: int) -> str:
        """Return why a request loses tokens, as the end of a sentence; "" if it loses none."""
        broken = self.all[index].broken
        if broken is None:
            return ""
        line = f" (line {broken.line} of the template)" if broken.line else ""
        if broken.why in ("turn", "template"):
            before = self.all[index - 1]
            old = before.input.text + (before.answer.text if before.answer else "")
            new = self.all[index].input.text
            if _is_empty_thinking(old, new):
                return "the template drops the empty thinking, <think></think>, that was before an answer"
            if _is_empty_thinking(new, old):
                return f"the template writes an empty thinking, <think></think>, where there was none before{line}"
        role = f" ({self.turns[broken.turn].role})" if broken.turn >= 0 else ""
        turn = f"turn {broken.turn + 1}{role}"
        return {
            "thinking": f"the template drops the thinking of turn {broken.turn + 1}",
            "tokens": "the same text is encoded into other tokens than those of the request and its answer",
            "turn": f"the template writes {turn} in another way than before{line}",
            "tools": f"the template writes the tools at another place than before{line}",
            "documents": f"the template writes the documents at another place than before{line}",
            "template": f"the template writes {self._quoted(index, broken.sent)} where it wrote "
            f"{self._quoted(index, broken.had)} before{line}",
        }[broken.why]

    def _quoted(self, index: int, token_id: int) -> str:
        text = self.all[index].input.encoding.tokenizer.decode([token_id])
        return json.dumps(text, ensure_ascii=False)


def requests(
    tokenizer: GivenTokenizer,
    turns: Iterable[GivenTurn],
    template: GivenTemplate | None = None,
    *,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    variables: Mapping[str, Any] = MappingProxyType({}),
    trusted: bool = False,
    answers: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> Requests:
    """Return the requests that led to a conversation, and what a server can keep of each.

    There is a request for each turn of the assistant, which has all turns before it, and one more if the last turn is
    not the assistant's. `tokenizer`: a tokenizer, or what `load` takes. `template`: as in `render`; None for
    a vocabulary that ships, which has its own. `answers`: the ids that a model generated, by the index of the
    assistant's turn. Other answers are encoded: their text and their thinking.

    >>> from bpe_core import load
    >>> turns = [("user", "Hi"), ("assistant", "Hello!"), ("user", "Bye")]
    >>> found = requests(load("qwen"), turns, "chatml")
    >>> print(found.summary)
    Of 32 tokens sent in 2 requests at most 12 can be kept: no request loses anything.
    >>> [(request.sent, request.kept, request.computed) for request in found.all]
    [(9, 0, 9), (23, 12, 11)]
    """
    check_order(template, "requests(tokenizer, turns, template)")
    tokenizer = opened(tokenizer)
    chat = chat_of(turns, True, tools, documents, variables)
    found = template_for(tokenizer, template).given(trusted).for_tools(bool(chat.tools))
    check_variables(found, variables)
    return requests_of(tokenizer, found, chat, answers)


def requests_of(
    tokenizer: Tokenizer,
    template: ChatTemplate,
    chat: Chat,
    answers: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> Requests:
    """Return the requests of a chat: see `requests`."""
    template = template.for_tools(bool(chat.tools))
    answered = [at for at, turn in enumerate(chat.turns) if turn.role == "assistant" and at]
    ends = [*answered, len(chat.turns)] if not answered or answered[-1] < len(chat.turns) - 1 else answered
    if not chat.turns:
        raise ChatError("There are no turns, so there is no request.")
    _check_answers(answers, chat.turns, answered)
    found: list[ChatRequest] = []
    for end in ends:
        rendered = render_chat(template, replace(chat, turns=chat.turns[:end], begins_answer=True))
        given = model_input(tokenizer, rendered)
        answer = None
        if end in answered:
            answer = _answer(tokenizer, template, chat, end, rendered, answers.get(end))
        found.append(_compared(tokenizer, chat, found[-1] if found else None, end, given, answer))
    another_day = _on_another_day(tokenizer, template, chat, found[-1]) if CLOCK in template.source else None
    return Requests(chat.turns, tuple(found), another_day)


def _check_answers(answers: object, turns: Sequence[Turn], answered: Sequence[int]) -> None:
    """Raise `ChatError` for answers that are no ids of the assistant's turns. `answered`: the indexes of its turns."""
    if not isinstance(answers, Mapping):
        kind = type(answers).__name__
        raise ChatError(f"Answers are a dictionary from a turn to its ids, such as {{1: [9707]}}, and this is {kind}.")
    for at, ids in answers.items():
        if at not in answered:
            role = f" ({turns[at].role})" if isinstance(at, int) and 0 <= at < len(turns) else ""
            listed = ", ".join(map(str, answered)) or "none"
            raise ChatError(
                f"Turn {at!r:.20}{role} is no answer: the indexes of the answers in this chat are {listed}."
            )
        try:
            whole_numbers(ids, 9707)
        except TypeError as error:
            raise ChatError(f"The answer of turn {at}: {error}.") from None


def _on_another_day(tokenizer: Tokenizer, template: ChatTemplate, chat: Chat, request: ChatRequest) -> int | None:
    """Return how many tokens a request keeps if the template is told the time of the next day; None if all."""
    told = chat.variables.get(CLOCK)
    later = (told if isinstance(told, (int, float)) else time()) + DAY
    asked = replace(
        chat, turns=chat.turns[: request.turns], begins_answer=True, variables={**chat.variables, CLOCK: later}
    )
    ids = model_input(tokenizer, render_chat(template, asked)).ids
    return None if ids == request.input.ids else shared_beginning(request.input.ids, ids)


def _compared(
    tokenizer: Tokenizer,
    chat: Chat,
    before: ChatRequest | None,
    turns: int,
    given: ModelInput,
    answer: Answer | None,
) -> ChatRequest:
    if before is None:
        return ChatRequest(turns, given, answer, 0, 0, None)
    had = before.input.ids + (before.answer.ids if before.answer else ())
    kept = shared_beginning(had, given.ids)
    broken = None
    if kept < min(len(had), len(given.ids)):
        broken = _broken(tokenizer, chat, before, had, given, kept)
    return ChatRequest(turns, given, answer, len(had), kept, broken)


def _broken(
    tokenizer: Tokenizer, chat: Chat, before: ChatRequest, had: tuple[int, ...], given: ModelInput, kept: int
) -> Break:
    """Return the first token that differs, and what wrote it."""
    old = before.input.text + (before.answer.text if before.answer else "")
    new = given.text
    at = shared_beginning(old, new)
    found = Break(kept, had[kept], given.ids[kept], "template", TEMPLATE, given.rendered.line_at(at))
    if _same_text(tokenizer, had[kept:], given.ids[kept]):
        return found._replace(why="tokens", line=None)
    for turn in range(before.turns + 1):
        thinking = chat.turns[turn].thinking.strip() if turn < len(chat.turns) else ""
        if thinking and old.count(thinking) > new.count(thinking):
            return found._replace(why="thinking", turn=turn)
    source = given.rendered.source_at(at)
    if source >= 0:
        return found._replace(why="turn", turn=source)
    if source <= DOCUMENTS:
        return found._replace(why="documents" if source == DOCUMENTS else "tools")
    return found


def _same_text(tokenizer: Tokenizer, had: tuple[int, ...], sent: int) -> bool:
    """Return whether the text of ids begins with the text of a token. The spans of all tokens would take far longer."""
    text = tokenizer.token_bytes(sent) if sent >= 0 else b""
    begun = b"".join(tokenizer.token_bytes(i) for i in had[: len(text)] if i >= 0)
    return bool(text) and begun.startswith(text)


def _is_empty_thinking(text: str, other: str) -> bool:
    """Return whether an empty thinking of a text is where another text first differs, and has no thinking.

    >>> _is_empty_thinking("Hi <think>\\n</think>Yes", "Hi <tool>")
    True
    """
    at = shared_beginning(text, other)
    start = max(at - _LONGEST_BEGINNING, 0)
    return any(
        found.start() <= at - start < found.end() and not other.startswith("<think>", start + found.start())
        for found in _EMPTY.finditer(text[start : at + _LONGEST_BEGINNING])
    )


def _answer(
    tokenizer: Tokenizer,
    template: ChatTemplate,
    chat: Chat,
    turn: int,
    request: Rendered,
    ids: Sequence[int] | None,
) -> Answer:
    """Return the answer of a turn as it was generated."""
    if ids is not None:
        return Answer(turn, tuple(ids), tokenizer.decode(ids), "ids")
    given = chat.turns[turn]
    try:
        whole = render_chat(template, replace(chat, turns=chat.turns[: turn + 1], begins_answer=False))
    except ChatError:  # some templates refuse an answer as the last turn
        whole = Rendered("", None)
    source: AnswerSource
    text, source = _continued(tokenizer, request.text, whole, turn), "template"
    parts = [part for part in (given.thinking.strip(), _after_thinking(given)) if part]
    if text is None or any(part not in request.text[-_LONGEST_BEGINNING:] + text for part in parts):
        text, source = _plainly(given, request.text), "text"
    return Answer(turn, tuple(tokenizer.ids(text, specials=True)), text, source)


def _continued(tokenizer: Tokenizer, request: str, whole: Rendered, turn: int) -> str | None:
    """Return what a template writes for an answer after its request, up to the special token that ends the answer.

    None if the text with the answer does not begin with the request. What the template writes after that special token,
    such as a line end, is not generated.
    """
    if not whole.text.startswith(request):
        return None
    last, at = len(request), 0
    for length, source, _ in whole.runs or ():
        at += length
        last = max(last, at) if source == turn else last
    names = [name for name in tokenizer.special_tokens if name]
    ends = [found + len(name) for name in names if (found := whole.text.find(name, last)) >= 0]
    return whole.text[len(request) : min(ends, default=len(whole.text))]


def _after_thinking(turn: Turn) -> str:
    return turn.content.rpartition("</think>")[2].strip()


def _plainly(turn: Turn, request: str) -> str:
    """Return the text of an answer with its thinking in the usual tags. A request may end with the first tag."""
    thinking = turn.thinking
    if not thinking:
        return turn.content
    text = f"<think>\n{thinking.strip()}\n</think>\n\n{_after_thinking(turn)}"
    return text.removeprefix("<think>\n") if request.endswith("<think>\n") else text
