"""Text that knows where each of its characters comes from, whatever a template does with it.

A template receives the content of a turn as a `TrackedText`, called a piece below. A piece reads, compares and tests
like plain text, so the template decides as it would with plain text. A part that the template cuts out of a piece is a
piece again, and so is a piece joined with other text:

    "<|im_start|>user\\n" + content("Hi ", 0).strip()     text "<|im_start|>user\\nHi"
                                                         runs (17, TEMPLATE, 0), (2, turn 0, from character 0)

Where a template changes a content's characters, such as in `content.upper()`, the turn of the result is still known,
but not the characters that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index
from typing import Any, NamedTuple, SupportsIndex

TEMPLATE, SEVERAL = -1, -2  # as a turn: the template's own text; text of several sources that cannot be told apart
DOCUMENTS, FIRST_TOOL = -3, -4  # as a turn: the documents; the first tool, before which the others count downwards
CHANGED = -1  # as a start: the template changed the characters


class SourceRun(NamedTuple):
    """Characters in a row that come from one source.

    `turn`: the index of their turn, or `TEMPLATE`, `SEVERAL`, `DOCUMENTS` or a tool's `tool_source`. `start`: the index
    of the first character in the content of the turn, or `CHANGED`.
    """

    length: int
    turn: int
    start: int


class TrackedText(str):
    """A text with the runs (`SourceRun`) that it consists of, called a piece."""

    _runs: tuple[SourceRun, ...] = ()  # a sandbox lets no template read a name that begins with "_"

    def __str__(self) -> str:
        """Return this text itself, so that `str` does not make it a plain text."""
        return self

    def __add__(self, other: str) -> str:
        """Join a text to the end."""
        return joined((self, other)) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> str:
        """Join a text to the beginning."""
        return joined((other, self)) if isinstance(other, str) else NotImplemented

    def __mul__(self, times: SupportsIndex) -> str:
        """Repeat the piece."""
        return piece(str.__mul__(self, times), self._runs * max(index(times), 0))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> str:
        """Return the piece with values put in. The result counts as changed."""
        return changed(str.__mod__(self, values), self)

    def __rmod__(self, form: str) -> str:
        """Return another text with this piece put in. The result counts as changed."""
        return changed(form.__mod__(self[:]), self) if isinstance(form, str) else NotImplemented

    def __iter__(self) -> Iterator[str]:
        """Yield the characters."""
        return (self._cut(at, at + 1) for at in range(len(self)))

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        """Return a character or a slice."""
        if not isinstance(at, slice):
            start = range(len(self))[index(at)]
            return self._cut(start, start + 1)
        found = range(len(self))[at]
        if found.step == 1:
            return self._cut(found.start, max(found.start, found.stop))
        return joined(self._cut(start, start + 1) for start in found)

    def _cut(self, start: int, end: int) -> str:
        runs, at = [], 0
        for length, turn, first in self._runs:
            left, right = max(start - at, 0), min(end - at, length)
            if left < right:
                runs.append(SourceRun(right - left, turn, first if first == CHANGED else first + left))
            at += length
        return piece(str.__getitem__(self, slice(start, end)), runs)

    def _in_order(self, parts: Iterable[str]) -> list[str]:
        """Return `parts` as pieces of this text, which contains them in this order."""
        found, at = [], 0
        for part in parts:
            start = str.find(self, part, at)
            at = start + len(part)
            found.append(self._cut(start, at))
        return found

    def _apart(self, parts: Iterable[str], between: int) -> list[str]:
        """Return `parts` as pieces of this text, which has `between` characters between each two parts."""
        found, at = [], 0
        for part in parts:
            found.append(self._cut(at, at + len(part)))
            at += len(part) + between
        return found

    def lstrip(self, chars: str | None = None) -> str:
        """Return the piece with the given characters stripped from its beginning."""
        return self._cut(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None) -> str:
        """Return the piece with the given characters stripped from its end."""
        return self._cut(0, len(str.rstrip(self, chars)))

    def strip(self, chars: str | None = None) -> str:
        """Return the piece with the given characters stripped from both ends."""
        end = len(str.rstrip(self, chars))
        return self._cut(min(len(self) - len(str.lstrip(self, chars)), end), end)

    def removeprefix(self, prefix: str) -> str:
        """Return the piece without `prefix` at its beginning."""
        return self._cut(len(self) - len(str.removeprefix(self, prefix)), len(self))

    def removesuffix(self, suffix: str) -> str:
        """Return the piece without `suffix` at its end."""
        return self._cut(0, len(str.removesuffix(self, suffix)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """Return the parts between separators."""
        parts = str.split(self, sep, maxsplit)
        return self._in_order(parts) if sep is None else self._apart(parts, len(sep))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """Return the parts between separators, which are found from the end."""
        parts = str.rsplit(self, sep, maxsplit)
        return self._in_order(parts) if sep is None else self._apart(parts, len(sep))

    def splitlines(self, keepends: bool = False) -> list[str]:
        """Return the lines."""
        whole = self._apart(str.splitlines(self, keepends=True), 0)
        return whole if keepends else [line[: len(str.splitlines(line)[0])] for line in whole]

    def partition(self, sep: str) -> tuple[str, str, str]:
        """Return what is before the first separator, the separator, and what is after it."""
        before, found, after = self._apart(str.partition(self, sep), 0)
        return before, found, after

    def rpartition(self, sep: str) -> tuple[str, str, str]:
        """Return what is before the last separator, the separator, and what is after it."""
        before, found, after = self._apart(str.rpartition(self, sep), 0)
        return before, found, after

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        """Return the piece with `new` in place of `old`."""
        if not old:
            return changed(str.replace(self, old, new, count), self)
        return joined(_between(self.split(old, count), new))

    def join(self, parts: Iterable[str], /) -> str:
        """Return the parts with the piece between each two."""
        return joined(_between(list(parts), self))


def _changing(name: str) -> Any:
    plain = getattr(str, name)

    def method(self: TrackedText, *arguments: Any, **more: Any) -> str:
        return changed(plain(self, *arguments, **more), self)

    method.__name__, method.__doc__ = name, plain.__doc__
    return method


for _name in ("capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "rjust", "swapcase", "title"):
    setattr(TrackedText, _name, _changing(_name))
for _name in ("translate", "upper", "zfill"):
    setattr(TrackedText, _name, _changing(_name))


def piece(text: str, runs: Iterable[SourceRun]) -> str:
    """Return a text with its runs. If no character comes from a turn, it is a plain text."""
    found: list[SourceRun] = []
    for run in runs:
        if found and run.turn == found[-1].turn and _goes_on(found[-1], run):
            found[-1] = SourceRun(found[-1].length + run.length, run.turn, found[-1].start)
        elif run.length:
            found.append(run)
    if all(run.turn == TEMPLATE for run in found):
        return text
    made = TrackedText(text)
    made._runs = tuple(found)
    return made


def _goes_on(before: SourceRun, run: SourceRun) -> bool:
    if run.turn == TEMPLATE or before.start == run.start == CHANGED:
        return True
    return CHANGED not in (before.start, run.start) and run.start == before.start + before.length


def content(text: str, turn: int) -> str:
    """Return the content of a turn as a `TrackedText`.

    >>> found = "<user> " + content(" Hi! ", 0).strip()
    >>> found, runs_of(found)
    ('<user> Hi!', (SourceRun(length=7, turn=-1, start=0), SourceRun(length=3, turn=0, start=1)))
    """
    return piece(text, [SourceRun(len(text), turn, 0)])


def tool_source(index: int) -> int:
    """Return what stands for a tool in the place of a turn, in the runs of its text, and back again.

    >>> tool_source(0), tool_source(2), tool_source(tool_source(2))
    (-4, -6, 2)
    """
    return FIRST_TOOL - index


def inside(value: Any, source: int) -> Any:
    """Return a value of JSON whose texts are pieces of one source. Only the source of their characters is known.

    >>> runs_of("<" + inside({"city": ["Oslo"]}, 3)["city"][0])
    (SourceRun(length=1, turn=-1, start=0), SourceRun(length=4, turn=3, start=-1))
    """
    if isinstance(value, str):
        return piece(value, [SourceRun(len(value), source, CHANGED)])
    if isinstance(value, dict):
        return {inside(key, source): inside(each, source) for key, each in value.items()}
    return [inside(each, source) for each in value] if isinstance(value, list) else value


def runs_of(text: str) -> tuple[SourceRun, ...]:
    """Return the runs of any text. A plain text is one run, and the template wrote it."""
    return text._runs if isinstance(text, TrackedText) else (SourceRun(len(text), TEMPLATE, 0),) if text else ()


def joined(parts: Iterable[Any]) -> str:
    """Join texts, and other values as Python writes them."""
    texts = [str(part) for part in parts]
    whole = "".join(texts)
    if not any(isinstance(text, TrackedText) for text in texts):
        return whole
    return piece(whole, (run for text in texts for run in runs_of(text)))


def changed(text: str, *sources: str) -> str:
    """Return a text made of `sources` as one run: the turn of the sources, or `SEVERAL`, and the start `CHANGED`.

    >>> runs_of(changed("HI", content("hi", 3)))
    (SourceRun(length=2, turn=3, start=-1),)
    """
    turns = {run.turn for source in sources for run in runs_of(source) if run.turn != TEMPLATE}
    if not turns:
        return text
    return piece(text, [SourceRun(len(text), turns.pop() if len(turns) == 1 else SEVERAL, CHANGED)])


def _between(parts: list[str], separator: str) -> Iterator[str]:
    for number, part in enumerate(parts):
        if number:
            yield separator
        yield part
