"""Public names, and what they can be called with: those of a module as it is imported, and those of an object."""

from collections.abc import Callable
from contextlib import suppress
from inspect import Parameter, Signature, isclass, signature
from types import SimpleNamespace
from typing import Any

from bpe_core import Format
from bpe_core.models.all_models import Models
from bpe_core.models.unigram import UnigramRun
from bpe_core.record.run import Record
from tests.version_3.expressions import evaluated
from tests.version_3.record import Answer

ASKED_BY_NOTEBOOKS = "_repr_html_"
MADE_BY_OTHERS = BaseException, Format, Record, UnigramRun, Models  # users get these, and do not make them
PLAIN = int, float, str, type(None)  # defaults that are recorded; any other is recorded as `...`
EITHER_WAY, BY_NAME = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
NEEDED = Parameter.empty


def answer(question: str) -> Answer:
    """Return the names of an import line or of an object, each with its signature where it can be called."""
    found = _found(question)
    fields = getattr(found, "__dataclass_fields__", ())
    return [name + ("" if name in fields else _signature(_value(found, name))) for name in _public(found)]


def lost(question: str, recorded: Answer) -> Answer:
    """Return what of the recorded names is gone, or cannot be called any more as it could."""
    found, missing = _found(question), []
    for line in recorded:
        name, bracket, parameters = line.partition("(")
        try:
            now = _value(found, name)
        except AttributeError:
            missing.append(f"{line}: it is gone")
            continue
        if bracket and not _is_made_by_others(now):
            before = signature(eval(f"lambda {parameters.removesuffix(')')}: None"))
            missing += [f"{line}: {why}" for why in (*_refused(now, before), *_another_default(now, before))]
    return missing


def _found(question: str) -> Any:
    """Return the object that an expression gives, or one that has what an import line brings."""
    if not question.startswith("from "):
        return evaluated(question)
    space: dict[str, Any] = {}
    exec(question, space)
    return SimpleNamespace(**space)


def _public(found: Any) -> list[str]:
    """Return the public names of an object, without what every tuple has: only its own fields."""
    inherited = {*dir(tuple)} - {*getattr(found, "_fields", ())} if isinstance(found, tuple) else set()
    return [name for name in dir(found) if (name not in inherited and name[0] != "_") or name == ASKED_BY_NOTEBOOKS]


def _value(found: Any, name: str) -> Any:
    """Return what is under a name; None where it cannot be worked out for this object."""
    with suppress(ValueError):
        return getattr(found, name)


def _signature(value: Any) -> str:
    """Return how a value is called, without types; "" for one that is not called."""
    if not callable(value) or _is_made_by_others(value):
        return ""
    parameters = [one.replace(annotation=NEEDED, default=_default(one)) for one in signature(value).parameters.values()]
    return str(Signature(parameters)).replace("'...'", "...")


def _is_made_by_others(value: Any) -> bool:
    return isclass(value) and issubclass(value, MADE_BY_OTHERS)


def _default(one: Parameter) -> Any:
    return one.default if one.default in (NEEDED, ()) or isinstance(one.default, PLAIN) else "..."


def _refused(now: Callable[..., Any], before: Signature) -> Answer:
    """Return why a call that was right is not any more: all arguments by position, all by name, as few as can be.

    >>> before = signature(lambda text, specials=True: None)
    >>> _refused(lambda *given, **named: None, before), _refused(lambda text, specials=True, most=0: None, before)
    ([], [])
    >>> _refused(lambda specials, text="": None, before)[0], _refused(lambda text: None, before)[0]
    ('text is taken for specials', 'too many positional arguments')
    """
    known = before.parameters.values()
    needed = [one for one in known if one.default is NEEDED]
    calls = [
        ([one.name for one in known if one.kind == EITHER_WAY], [one.name for one in needed if one.kind == BY_NAME]),
        ([], [one.name for one in known if one.kind in (EITHER_WAY, BY_NAME)]),
        ([one.name for one in needed if one.kind == EITHER_WAY], [one.name for one in needed if one.kind == BY_NAME]),
    ]
    why = []
    for by_position, by_name in calls:
        try:
            taken = signature(now).bind(*by_position, **{name: name for name in by_name}).arguments
        except TypeError as error:
            why.append(str(error))
        else:
            wrong = [(name, given) for name, given in taken.items() if isinstance(given, str) and given != name]
            why += [f"{given} is taken for {name}" for name, given in wrong]
    return why


def _another_default(now: Callable[..., Any], before: Signature) -> Answer:
    """Return the arguments that mean something else where they are left out."""
    known = signature(now).parameters
    defaults = [(one.name, one.default, known.get(one.name, one).default) for one in before.parameters.values()]
    return [f"{name} is {new!r} where it is left out" for name, old, new in defaults if old not in (NEEDED, ..., new)]
