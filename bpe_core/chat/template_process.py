"""The sealed processes that render chat templates of unknown origin, with limits of memory and time.

Where the turns are of several people, as in the app, a process renders one template only, so that a template that
breaks out of its sandbox finds no turns of another template. A script's own turns are rendered by one process for all
its templates. The process stays for the next question. Only a few processes are kept; the process that has waited
longest ends first. A template that the caller trusts runs in this process, in the same sandbox, without limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from bpe_core.chat.templates import ChatError, ChatTemplate, UnknownTokenError, unknown_tokens
from bpe_core.extras import needed
from bpe_core.processes.child import AnswerError, Child, EndedError
from bpe_core.processes.pool import BusyError, KeptChild, Pool, ProcessLimits
from bpe_core.text.alphabet import without_surrogates


@dataclass(frozen=True)
class TemplateLimits(ProcessLimits):
    """The limits of the processes that render templates."""

    processes: int = 2
    memory: int = 256 << 20
    seconds: float = 5.0
    wait: float = 2.0


@dataclass(frozen=True)
class ManyToolsLimits(TemplateLimits):
    """The limits of a process for many tools or a long chat. It has a pool of its own, so that no small chat waits."""

    processes: int = 1
    memory: int = 512 << 20
    seconds: float = 180.0


LIMITS, FOR_MANY = TemplateLimits(), ManyToolsLimits()


class Renderer(KeptChild):
    """The sealed process (see `Child`) that renders one template, or all that may share it."""

    def new_child(self) -> Child:
        """Return a sealed process, which has loaded Jinja before it is sealed."""
        with needed("files", "rendering a chat template"):
            import jinja2  # noqa: F401
        from bpe_core.chat.sandbox import answer

        return Child(answer, self.limits.memory, quiet=True, sealed=True)


_pool, _pool_for_many = Pool(), Pool()
_renderers: dict[tuple[str, TemplateLimits], Renderer] = {}  # by the template's source; "" for a shared one
_lock = Lock()
_here = Lock()  # the sandbox is for one template at a time


def _renderer(template: ChatTemplate, limits: TemplateLimits) -> Renderer:
    """Return the process of a template. Forget the processes that have ended."""
    source = "" if template.runs_in == "shared" else template.source
    with _lock:
        if (source, limits) not in _renderers:
            for key in [key for key, each in _renderers.items() if not (each.answers or each.runs)]:
                del _renderers[key]
            _renderers[source, limits] = Renderer(_pool_for_many if limits == FOR_MANY else _pool, limits)
        return _renderers[source, limits]


def asked(template: ChatTemplate, limits: TemplateLimits, *question: Any) -> Any:
    """Return the answer of a template's process, or raise `ChatError`. The last of the question is its seconds."""
    with sentences(template, limits):
        if template.runs_in == "here":
            return _answered_here(*question[:-1])
        return _renderer(template, limits).ask(*question)


def _answered_here(*question: Any) -> Any:
    with needed("files", "rendering a chat template"):
        import jinja2  # noqa: F401
    from bpe_core.chat.sandbox import answer

    try:
        with _here:
            return answer(*question, None, progress=lambda phase, done, total: None)
    except Exception as error:
        raise AnswerError(str(error) or type(error).__name__) from None


@contextmanager
def sentences(template: ChatTemplate, limits: TemplateLimits) -> Iterator[None]:
    """Turn the errors of a process, and those of a strange answer, into `ChatError`."""
    try:
        yield
    except BusyError:
        raise ChatError("Too many chat templates are rendered at once: try again in a moment.") from None
    except AnswerError as error:
        why = str(error)
        for name in unknown_tokens(template):
            if f"the special token {name}" in why:  # as `refusals` says it
                raise UnknownTokenError(name) from None
        raise ChatError(_sentence(why)) from None
    except ChatError:
        raise
    except (LookupError, TypeError, ValueError):
        raise ChatError("The template's process gave a wrong answer: the template may have broken it.") from None
    except EndedError:
        memory = limits.memory >> 20
        why = f"the template took more than {limits.seconds:g} seconds or {memory} MB of memory, and was ended"
        raise ChatError(_sentence(why)) from None


def _sentence(clause: str) -> str:
    clause = without_surrogates(clause, "\ufffd")
    return f"{clause[:1].upper()}{clause[1:]}{'' if clause.endswith(('.', '!', '?', '…')) else '.'}"


def watched(
    template: ChatTemplate, limits: TemplateLimits, question: tuple[Any, ...], report: Callable[[str, int, int], None]
) -> Any:
    """Return what `asked` does for a template that a process renders; meanwhile call `report`: see `KeptChild`."""
    with sentences(template, limits):
        return _renderer(template, limits).watched(report, *question)
