"""The tries at the questions of a lesson, and how a link spells the tries."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_core.kinds import whole_number
from pages.parts.learn.questions import Question, as_label, judge

MOST_TRIES = 2
SHOWN = "s"  # the try that means "Show me"

Tries = tuple[str, ...]  # the tries at one question, in order: labels, typed answers, or `SHOWN`


def write(asked: Iterable[Question], tries: Iterable[Tries]) -> str:
    """Return the tries at every question as a text.

    An option is written as its number, any other typed answer as "=" and the hex of its text. "-" separates tries,
    "." separates questions.

    >>> from pages.parts.learn.questions import wrong_answer, question
    >>> asked = question("How many?", 3, "Three.", wrong_answer(10, "Too many."))
    >>> write([asked, asked], [("10", "3"), ("7", SHOWN)])
    '1-0.=37-s'
    """
    rows = ("-".join(_spelt(one, entry) for entry in row) for one, row in zip(asked, tries, strict=True))
    return ".".join(rows).rstrip(".")


def _spelt(asked: Question, entry: str) -> str:
    if entry == SHOWN:
        return SHOWN
    label = as_label(asked, entry)
    if label in asked.labels:
        return str(asked.labels.index(label))
    return "=" + entry.encode("utf-8", "surrogatepass").hex()  # hex has neither of the separators


def read(asked: tuple[Question, ...], text: str) -> list[Tries]:
    """Return the tries in a text that `write` made. A try that does not fit its question is left out.

    >>> from pages.parts.learn.questions import wrong_answer, question
    >>> asked = question("How many?", 3, "Three.", wrong_answer(10, "Too many."))
    >>> read((asked, asked), "1-0.=37-s")
    [('10', '3'), ('7', 's')]
    >>> read((asked, asked), "0000009.=zz.1")
    [(), ()]
    """
    rows = text.split(".") if text else []
    return [
        tuple(entry for spelt in rows[at].split("-") if (entry := _entry(one, spelt)))[:MOST_TRIES]
        if at < len(rows)
        else ()
        for at, one in enumerate(asked)
    ]


def _entry(asked: Question, spelt: str) -> str:
    if spelt == SHOWN:
        return SHOWN
    if spelt.startswith("="):
        try:
            return bytes.fromhex(spelt[1:]).decode("utf-8", "surrogatepass")
        except ValueError:
            return ""
    number = whole_number(spelt)
    return asked.labels[number] if number is not None and number < len(asked.labels) else ""


def settled(asked: Question, tries: Tries) -> bool:
    """Return whether the right answer may be shown: it was found, asked for, or missed twice."""
    return len(tries) >= MOST_TRIES or any(entry == SHOWN or judge(asked, entry).counts for entry in tries)


def at_once(asked: Question, tries: Tries) -> bool:
    """Return whether the first try was right."""
    return bool(tries) and tries[0] != SHOWN and judge(asked, tries[0]).counts
