"""The text of a lesson: a file of sentences, with holes for what the lesson computes.

The first lines are about the lesson; a line such as `[second]` begins the sentences of a question. Before a sentence is
its kind and, if several of a kind differ, a name by which the lesson chooses among them. A sentence goes on in lines
that begin with spaces. `{pair}` is a hole; what fills it is escaped, but the sentence itself may have HTML in it.

    [second]
    ask: {merged} is one token now. Which pair is merged next?
    above: {words}
    wrong (fewer): {pair} is seen {times}. That is {fewer} fewer
      than the best pair.

Sentences that several questions use are among the first lines.

name, title, can, opening   what the lesson says of itself; in the opening a [term] is explained
take away                   what to remember
ask, above, note            a question; the lines above it: sentences, drawings (a hole alone), and notes in grey
right, wrong, step          why an answer is right or wrong; a step of the way to the right one
answer                      an answer in words
part                        what fills a hole of another sentence
table                       the heads of a table, with bars between them
left out                    why the question has no point on a text, as the end of a sentence
paper ask, paper above, …    what a worksheet prints instead
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HEAD: Final = ("name", "title", "can", "opening")  # what each lesson says of itself, once and without holes
SEVERAL: Final = ("above", "note", "paper above", "paper note", "step")  # may stand several times without a name
KINDS: Final = (
    "ask", "right", "wrong", "answer", "part", "table", "left out", "take away", "paper ask", *SEVERAL,
)  # fmt: skip
_SECTION = re.compile(r"\[(\w+)\]")
_SENTENCE = re.compile(r"([a-z ]+?)(?: \(([^()]+)\))?: (.+)")
_HOLE = re.compile(r"\{([a-z][a-z_]*)\}")


class LessonTextError(ValueError):
    """Something is wrong in a lesson's text. The message has the file and the line."""


@dataclass
class SentenceWithHoles:
    """A sentence with holes, and the line of the file in which it begins."""

    text: str
    file: str
    line: int

    @property
    def holes(self) -> list[str]:
        """The names of the holes."""
        return _HOLE.findall(self.text)

    @property
    def is_hole(self) -> bool:
        """Whether the sentence is a hole and nothing else."""
        return _HOLE.fullmatch(self.text) is not None

    def error(self, message: str) -> LessonTextError:
        """Return an error with the file and the line."""
        return LessonTextError(f"{self.file}:{self.line}: {message}")


Key = tuple[str, str]  # the kind of a sentence and its name


class LessonText:
    """The sentences of a lesson.

    `questions`: the names of the lesson's questions, in their order.
    """

    def __init__(self, text: str, file: str) -> None:
        """Read a text; raise `LessonTextError` if it does not have the form that the module describes."""
        self.file = file
        self._sections: dict[str, dict[Key, list[SentenceWithHoles]]] = {"": {}}
        section, latest = "", None
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                latest = None
            elif line[0] == " " and latest:
                latest.text += f" {line.strip()}"
            elif begun := _SECTION.fullmatch(line):
                section, latest = begun[1], None
                if section in self._sections:
                    raise LessonTextError(f"{file}:{number}: a second [{section}]")
                self._sections[section] = {}
            else:
                latest = self._add(section, SentenceWithHoles(line, file, number))
        for name in HEAD:
            self.head(name)
        for _, (kind, _), template in self.sentences():
            if kind in HEAD and template.holes:
                raise template.error(f"a hole in the {kind}, which is the same on every text")
            if set("{}") & set(_HOLE.sub("", template.text)):
                raise template.error("a brace that is not of a hole, such as {pair}")
        self.questions = tuple(name for name in self._sections if name)

    def _add(self, section: str, added: SentenceWithHoles) -> SentenceWithHoles:
        """Add a sentence, given as the line that begins it."""
        found = _SENTENCE.fullmatch(added.text)
        if not found:
            raise added.error("neither a sentence after its kind, nor a question, nor a line that goes on")
        kind, name, added.text = found[1], found[2] or "", found[3]
        if kind not in (KINDS if section else (*HEAD, *KINDS)):
            raise added.error(f"no sentence is called “{kind}”")
        same = self._sections[section].setdefault((kind, name), [])
        if same and (name or kind not in SEVERAL):
            raise added.error(f"a second “{_named(kind, name)}”")
        same.append(added)
        return added

    def head(self, name: str) -> str:
        """Return one of the sentences that the lesson says of itself."""
        return self.find("", name).text

    def find(self, section: str, kind: str, name: str = "") -> SentenceWithHoles:
        """Return the sentence of a kind and name in a section or, if the section has none, before all sections."""
        for found in (self._sections[section], self._sections[""]):
            if (kind, name) in found:
                return found[kind, name][0]
        raise LessonTextError(f"{self.file}: no sentence “{_named(kind, name)}” in [{section}]")

    def several(self, section: str, *kinds: str) -> list[tuple[str, SentenceWithHoles]]:
        """Return the sentences of some kinds without a name in a section, in their order, each with its kind."""
        found = [
            (kind, template) for _, (kind, name), template in self.sentences(section) if kind in kinds and not name
        ]
        return sorted(found, key=lambda each: each[1].line)

    def sentences(self, *sections: str) -> Iterator[tuple[str, Key, SentenceWithHoles]]:
        """Yield the sentences of sections, or of all sections, as (section, (kind, name), sentence)."""
        for section in sections or self._sections:
            for key, templates in self._sections[section].items():
                for template in templates:
                    yield section, key, template


def _named(kind: str, name: str) -> str:
    return f"{kind} ({name})" if name else kind


def lesson_text(module: str) -> LessonText:
    """Return the text of the lesson in a Python file: the file of the same name that ends in .txt."""
    path = Path(module).with_suffix(".txt")
    return LessonText(path.read_text(encoding="utf-8"), path.name)
