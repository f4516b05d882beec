"""The variables of a template, and whether it reads those that it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from bpe_core.chat.given_template import GivenTemplate, chosen
from bpe_core.chat.template_process import LIMITS, asked, sentences
from bpe_core.chat.templates import SPECIAL, ChatError, ChatTemplate

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
        near = get_close_matches(name, [*reads, *words], 1)
        listed = ", ".join(reads[:MOST_NAMED]) + (", …" if len(reads) > MOST_NAMED else "")
        more = f"is it {near[0]!r}?" if near else f"it reads {listed or 'no other variables'}."
        raise ChatError(f"The chat template does not read {name[:40]!r}: {more}")
