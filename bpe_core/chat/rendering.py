"""Rendering chat templates of unknown origin, each in a process that can open nothing, with limits of memory and time.

A process renders one template only, so that a template that breaks out of its sandbox finds no turns of another
template. The process stays for the next question about its template, since somebody may be typing. Only a few processes
are kept; the process that has waited longest ends first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from threading import Lock
from typing import Any

from bpe_core.chat.templates import ChatError, ChatTemplate, Turn, UnknownTokenError, unknown_tokens
from bpe_core.chat.tracked import SEVERAL, TEMPLATE, SourceRun
from bpe_core.extras import needed
from bpe_core.processes.child import AnswerError, Child, EndedError
from bpe_core.processes.pool import BusyError, KeptChild, Pool, ProcessLimits
from bpe_core.text.alphabet import without_surrogates

LEAST_TO_FIND = 4  # a content of fewer characters is not looked for in the template's text


@dataclass(frozen=True)
class TemplateLimits(ProcessLimits):
    """The limits of the processes that render templates."""

    processes: int = 2
    memory: int = 256 << 20
    seconds: float = 5.0
    wait: float = 2.0


LIMITS = TemplateLimits()


@dataclass(frozen=True)
class Rendered:
    """The text that a template makes of turns.

    `runs`: where the characters of the text come from (see `tracked`). If the template takes a content apart in a way
    that `tracked` cannot follow, `runs` is None.
    """

    text: str
    runs: tuple[SourceRun, ...] | None

    def left_out(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return the positions of the turns that have a content, but no character in the text; () without `runs`.

        >>> Rendered("Hi", (SourceRun(2, 1, 0),)).left_out([Turn("system", "Be kind."), Turn("user", "Hi")])
        (0,)
        """
        seen = {run.turn for run in self.runs} if self.runs is not None else {SEVERAL}
        if SEVERAL in seen:
            return ()
        return tuple(at for at, turn in enumerate(turns) if turn.content.strip() and at not in seen)

    def beginning(self, size: int) -> Rendered:
        """Return the first `size` characters of the text, with their runs."""
        if self.runs is None or size >= len(self.text):
            return Rendered(self.text[:size], self.runs)
        ends = accumulate(run.length for run in self.runs)
        lengths = (run.length - max(end - size, 0) for run, end in zip(self.runs, ends, strict=True))
        found = (run._replace(length=length) for run, length in zip(self.runs, lengths, strict=True) if length > 0)
        return Rendered(self.text[:size], tuple(found))


class Renderer(KeptChild):
    """The sealed process (see `Child`) that renders one template."""

    def new_child(self) -> Child:
        """Return a sealed process, which has loaded Jinja before it is sealed."""
        with needed("files", "rendering a chat template"):
            import jinja2  # noqa: F401
        from bpe_core.chat.sandbox import render

        return Child(render, self.limits.memory, quiet=True, sealed=True)


_pool = Pool()
_renderers: dict[tuple[str, TemplateLimits], Renderer] = {}  # by the template's source; each renders one template only
_lock = Lock()


def _renderer(source: str, limits: TemplateLimits) -> Renderer:
    """Return the process of a template. Forget the processes that have ended."""
    with _lock:
        if (source, limits) not in _renderers:
            for key in [key for key, each in _renderers.items() if not (each.asked or each.runs)]:
                del _renderers[key]
            _renderers[source, limits] = Renderer(_pool, limits)
        return _renderers[source, limits]


def render(
    template: ChatTemplate, turns: Sequence[Turn], add_generation_prompt: bool = False, limits: TemplateLimits = LIMITS
) -> Rendered:
    """Return the text that a template makes of turns, as `apply_chat_template` of `transformers` does.

    `add_generation_prompt`: whether the text ends with the beginning of an answer. Raises `ChatError`, whose message is
    a sentence, and `UnknownTokenError` if the template needs a special token that it does not know.

    >>> template = ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")
    >>> render(template, [Turn("user", "Hi")])
    Rendered(text='<user>Hi', runs=(SourceRun(length=6, turn=-1, start=0), SourceRun(length=2, turn=0, start=0)))
    """
    more: Mapping[str, Any] = {"tools": None, "documents": None, "add_generation_prompt": add_generation_prompt}
    values = {**template.special_tokens, **more}
    try:
        renderer = _renderer(template.source, limits)
        found = renderer.ask(template.source, [tuple(turn) for turn in turns], values, limits.seconds)
        rendered = _checked(found, len(turns))
    except BusyError:
        raise ChatError("Too many chat templates are rendered at once: try again in a moment.") from None
    except AnswerError as error:
        why = str(error)
        for name in unknown_tokens(template):
            if f"'{name}' is undefined" in why:  # Jinja's words
                raise UnknownTokenError(name) from None
        raise ChatError(_sentence(why)) from None
    except (EndedError, LookupError, TypeError, ValueError):
        memory = limits.memory >> 20
        why = f"the template took more than {limits.seconds:g} seconds or {memory} MB of memory, and was ended"
        raise ChatError(_sentence(why)) from None
    return rendered if _all_found(rendered, template, turns) else Rendered(rendered.text, None)


def _sentence(clause: str) -> str:
    clause = without_surrogates(clause, "\ufffd")
    return f"{clause[:1].upper()}{clause[1:]}{'' if clause.endswith(('.', '!', '?', '…')) else '.'}"


def _checked(found: Any, turns: int) -> Rendered:
    """Return the answer of a process; raise `ValueError` if no template can have made such an answer.

    A lone surrogate, which only an escape can write, becomes U+FFFD: no model's tokenizer takes a lone surrogate.
    """
    text, runs = without_surrogates(found["text"], "\ufffd"), found["runs"]
    if runs is None:
        return Rendered(text, None)
    read = tuple(SourceRun(int(length), int(turn), int(start)) for length, turn, start in runs)
    if sum(run.length for run in read) != len(text):
        raise ValueError("the runs are of another text")
    if any(run.length < 1 or not -2 <= run.turn < turns for run in read):
        raise ValueError("a run has no source")
    return Rendered(text, read)


def _all_found(rendered: Rendered, template: ChatTemplate, turns: Iterable[Turn]) -> bool:
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
    own = "\n".join([template.source, *template.special_tokens.values(), *(turn.role for turn in turns)])
    contents = [turn.content.strip() for turn in turns]
    sought = [content for content in contents if len(content) >= LEAST_TO_FIND and content not in own]
    return not any(content in part for content in sought for part in parts)
