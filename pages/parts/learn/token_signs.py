"""The signs in drawn tokens, such as · for a space. A lesson explains a sign at the first question that has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from markupsafe import Markup

from bpe_core.files.tokenizer_json_write import CONTINUING
from bpe_core.pictures.shared.token_text import MARKS
from pages.parts.learn.questions import Question
from pages.parts.ui import elements

_MARK = '<span class="mark">{}</span>'
# The HTML by which a sign is recognized → the sentence about it.
SIGNS: Final = {
    _MARK.format("_"): "_ marks the end of a word. It is a symbol like a letter, so a merge can include it.",
    _MARK.format(MARKS[" "]): f"{MARKS[' ']} is a space.",
    _MARK.format(MARKS["\n"]): f"{MARKS[chr(10)]} is the end of a line.",
    _MARK.format(MARKS["\t"]): f"{MARKS[chr(9)]} is a tab.",
    _MARK.format(CONTINUING): f"{CONTINUING} begins a token that continues a word.",
    '<span class="hex">': "Two signs such as F0 are a byte, written in hexadecimal. Such a token is only a part of a "
    "character.",
}


def with_signs(asked: Iterable[Question]) -> list[Question]:
    """Return the questions, each with a note on the signs that no earlier question has."""
    known: set[str] = set()
    found = []
    for one in asked:
        new = [sign for sign in signs_of(one) if sign not in known]
        known.update(new)
        found.append(_with_note(one, " ".join(SIGNS[sign] for sign in new)) if new else one)
    return found


def signs_of(one: Question) -> list[str]:
    """Return the signs in a question: in its look, its words and steps, and the verdicts on its answers."""
    shown = "".join((one.look, one.ask, *one.steps, *(option.why for option in one.options)))
    return [sign for sign in SIGNS if sign in shown]


def _with_note(one: Question, text: str) -> Question:
    note = elements.note(text)
    paper = one.paper
    if paper and paper.look:
        paper = replace(paper, look=Markup(paper.look) + note)
    return replace(one, look=one.look + note, paper=paper)
