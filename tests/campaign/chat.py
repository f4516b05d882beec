"""Chat templates of strangers: programs without an end, programs that want out, and texts without a measure."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import monotonic

from bpe_core.chat.given_json import read_tools
from bpe_core.chat.rendering import render
from bpe_core.chat.template_process import LIMITS
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, Turn

Row = tuple[str, float, str, float | None]
ENDED, MEMORY, DEEP, NEVER = "was ended", "too much memory", "too deeply", "no chat template may do"
_LONG = "{% for a in range(99999) %}"
# name → the template, and what its sentence contains; None where it writes nothing
HOSTILE: dict[str, tuple[str, str | None]] = {
    "a loop without an end": (f"{_LONG * 3}{'{% endfor %}' * 3}", ENDED),
    "a number without a measure": ("{{ (9**9)**(9**9) }}", ENDED),
    "a long text": ("{{ 'a' * 10**9 }}", MEMORY),
    "a wide text": ("{{ 'a'.center(10**10) }}", MEMORY),
    "a wide number": ("{{ '%9999999999d' % 1 }}", MEMORY),
    "a long list": ("{{ [1] * 10**9 }}", MEMORY),
    "a million tokens": (f"{_LONG}{{{{ 'token ' * 99 }}}}{{% endfor %}}", "more than 1,000,000 characters"),
    "a range": ("{{ range(10**9)|list }}", "a range may have 100,000"),
    "a macro that calls itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", DEEP),
    "brackets": ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", DEEP),
    "lists": ("{{ " + "[" * 20000, DEEP),
    "loops in loops": ("{% for a in [] %}" * 30 + "{% endfor %}" * 30, "too many statically nested"),
    "a class": ("{{ ''.__class__.__mro__ }}", NEVER),
    "a function's globals": ("{{ lipsum.__globals__['os'].environ }}", NEVER),
    "a constructor": ("{{ cycler.__init__.__globals__.os.system('id') }}", NEVER),
    "a class in a format": ("{{ '{0.__class__.__mro__}'.format(messages) }}", NEVER),
    "a piece's method": ("{% set f = messages[0].content.split.__func__ %}{{ f and f.__globals__ }}", None),
    "a piece's runs": ("{{ messages[0].content._runs }}", None),
    "a change of the turns": ("{% set x = messages.append(1) %}", NEVER),
    "another template": ("{% include '/etc/passwd' %}", "no loader"),
    "an unfinished one": ("{% if", "cannot be read: line 1"),
    "tools that are not given": ("{% for tool in tools %}{% endfor %}", "needs tools, which the chat does not have"),
    "a token that nobody says": ("{{ 'a' + eos_token }}", "This template needs eos_token, which is not known"),
    "a name that is not there": ("{{ nothing.at_all }}", "needs the variable 'nothing', which was not given"),
}
TURNS = [Turn("system", "Be kind."), Turn("user", "Hello"), Turn("assistant", "Hi")]


# name → JSON that is no list of tools, or none that can be taken
HOSTILE_TOOLS = {
    "deep": "[" * 100_000,
    "just too deep": "[" * 70 + "]" * 70,
    "many values": "[" + "1," * 400_000 + "1]",
    "many tools": "[" + '{"name": "a"},' * 2_000 + '{"name": "a"}]',
    "long": " " * 8_000_001,
    "a long number": "9" * 10_000,
    "no names": "[{}]",
}


def refused(text: str) -> tuple[bool, float]:
    """Whether tools as JSON are refused in a sentence; and the seconds."""
    begun = monotonic()
    try:
        read_tools(text)
        return False, monotonic() - begun
    except ChatError as error:
        return "\n" not in str(error) and len(str(error)) < 400, monotonic() - begun


def outcome(source: str) -> tuple[str, float]:
    """What a template comes to: "rendered", "clear error" or the name of another one; and its seconds."""
    begun = monotonic()
    try:
        render(ChatTemplate(source), TURNS)
        ended = "rendered"
    except ChatError as error:
        ended = "clear error" if "\n" not in str(error) and len(str(error)) < 400 else "long error"
    except Exception as error:
        ended = type(error).__name__
    return ended, monotonic() - begun


def mutated(source: str, chance: Random) -> str:
    """A template with a few of its parts removed, doubled or exchanged."""
    for _ in range(chance.randint(1, 3)):
        at, other = sorted(chance.randrange(len(source) + 1) for _ in range(2))
        other = min(other, at + 40)
        part = source[at:other]
        source = source[:at] + chance.choice(["", part * 2, part[::-1], "{{", "%}", "'", "\ud800"]) + source[other:]
    return source


def measure() -> Iterator[Row]:
    """The hostile templates, and damaged ones: nothing but a text or a sentence, and in time."""
    chance, whole = Random(1), [row.template.source for row in CHAT_TEMPLATES.values()]
    tried = [source for source, _ in HOSTILE.values()]
    tried += [mutated(chance.choice(whole), chance) for _ in range(300)]
    found = [outcome(source) for source in tried]
    for kind in ("rendered", "clear error"):
        yield f"chat templates: {kind}", float(sum(ended == kind for ended, _ in found)), "", None
    yield "chat templates: anything else", float(sum(e not in ("rendered", "clear error") for e, _ in found)), "", 0.0
    tools = [refused(text) for text in HOSTILE_TOOLS.values()]
    yield "hostile tools that are not refused in a sentence", float(sum(not said for said, _ in tools)), "", 0.0
    yield "longest refusal of tools", max(seconds for _, seconds in tools), "s", 2.0
    yield "longest of them", max(seconds for _, seconds in found), "s", LIMITS.seconds + 5
