"""The text that a template makes of turns, with what is known of its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bpe_core.chat.templates import Turn
from bpe_core.chat.tracked import SEVERAL, SourceRun, piece, runs_of


@dataclass(frozen=True)
class Rendered:
    """The text that a template makes of turns.

    `runs`: where the characters of the text come from (see `tracked`). If the template takes a content apart in a way
    that `tracked` cannot follow, `runs` is None.

    `lines`: how many characters each line of the template wrote, in the order of the text: (length, line). `learnt`:
    the spans of the text that `{% generation %}` marks for training; None if the template has no such tag.
    """

    text: str
    runs: tuple[SourceRun, ...] | None
    lines: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    learnt: tuple[tuple[int, int], ...] | None = field(default=None, compare=False, repr=False)

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

    def calls_left_out(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return the positions of the turns that call a function whose name is not in the text.

        >>> call = {"function": {"name": "weather", "arguments": {}}}
        >>> Rendered("Hi", None).calls_left_out([Turn("assistant", "", {"tool_calls": [call]})])
        (0,)
        """
        return tuple(at for at, turn in enumerate(turns) if any(each["name"] not in self.text for each in turn.calls))

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
