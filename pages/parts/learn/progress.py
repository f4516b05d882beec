"""The open lesson and its answers in the page's state, and how a link spells the tries at its questions.

Most functions take a state and return the next state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bpe_core.kinds import whole_number
from pages.parts.learn.lessons import Lesson, lesson
from pages.parts.learn.mixed_questions import MIXED, NAMES, MixedFive
from pages.parts.learn.questions import Question, as_label, judge
from pages.parts.state.learn_state import LESSON_CHARACTERS, Learn
from pages.parts.state.values import changed
from pages.parts.texts.corpora import CorpusError

MOST_TRIES = 2
LAST_WORD = 200  # characters at the end of a long text, of which a part of a word may be cut off
SHOWN = "s"  # the try that means "Show me"

Tries = tuple[str, ...]  # the tries at one question, in order: labels, typed answers, or `SHOWN`


def as_text(asked: Iterable[Question], tries: Iterable[Tries]) -> str:
    """Return the tries at every question as a text.

    An option is written as its number, any other typed answer as "=" and the hex of its text. "-" separates tries,
    "." separates questions.

    >>> from pages.parts.learn.questions import wrong_answer, question
    >>> asked = question("How many?", 3, "Three.", wrong_answer(10, "Too many."))
    >>> as_text([asked, asked], [("10", "3"), ("7", SHOWN)])
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


def tries_in(asked: tuple[Question, ...], text: str) -> list[Tries]:
    """Return the tries in a text that `as_text` made. A try that does not fit its question is left out.

    >>> from pages.parts.learn.questions import wrong_answer, question
    >>> asked = question("How many?", 3, "Three.", wrong_answer(10, "Too many."))
    >>> tries_in((asked, asked), "1-0.=37-s")
    [('10', '3'), ('7', 's')]
    >>> tries_in((asked, asked), "0000009.=zz.1")
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


TITLE = "lesson"  # the id of the lesson's title on the page
TOP = "top"  # the page's beginning, which gets no focus


def lesson_of(now: Learn) -> Lesson:
    """Return the open lesson; raise `CorpusError` if the visitor's text is only white space."""
    if now.lesson == MIXED:
        return MixedFive(now.seed)
    if now.text and not now.text.strip():
        raise CorpusError("The text is only white space: add a few words to ask about.")
    return lesson(now.lesson, now.text)


def without_unknown(now: Learn) -> Learn:
    """Return the state without unknown lessons in `done`: a link may name lessons that do not exist."""
    return replace(now, done=tuple(key for key in now.done if key in NAMES))


def tries(now: Learn, made: Lesson) -> list[Tries]:
    """Return the tries at each question."""
    return tries_in(made.questions, now.answers)


def answer(now: Learn, made: Lesson, number: int, entry: str) -> Learn:
    """Return the state with one more try, an answer or `SHOWN`, unless the question is settled."""
    rows, asked = tries(now, made), made.questions
    if settled(asked[number], rows[number]):
        return now
    rows[number] = (*rows[number], entry)
    if all(map(settled, asked, rows)):
        now = replace(now, done=tuple(dict.fromkeys([*now.done, now.lesson])))
    return _with_answers(now, as_text(asked, rows))


def again(now: Learn) -> Learn:
    """Return the state without the open lesson's answers, and with new widgets for the lesson's questions."""
    return focus(_with_answers(replace(now, round=now.round + 1), ""), TITLE)


def opened(now: Learn) -> Learn:
    """Return the state after the choice of a lesson, text or seed, with any earlier answers for that choice."""
    return replace(now, answers=dict(now.former).get(_subject(now), ""))


def chosen(now: Learn) -> Learn:
    """Return the state after the choice of another lesson, and move the page to its top."""
    return focus(opened(now), TOP)


def within(text: str) -> str:
    """Return the beginning of a text: as much as a lesson takes, up to the end of a word.

    >>> within("low lower"), len(within("a" * 9000)), len(within(" " + "a" * 9000)), within("ab " * 9000)[-4:]
    ('low lower', 5000, 5000, 'b ab')
    """
    if len(text) <= LESSON_CHARACTERS:
        return text
    last = text[LESSON_CHARACTERS - LAST_WORD : LESSON_CHARACTERS + 1]
    at = max(last.rfind(" "), last.rfind("\n"))
    return text[: LESSON_CHARACTERS - LAST_WORD + at] if at >= 0 else text[:LESSON_CHARACTERS]


def with_text(now: Learn, text: str) -> Learn:
    """Return the state with a text. A long text is cut to as much as a lesson takes."""
    taken = within(text)
    return opened(replace(now, text=taken, pasted=len(text) if taken != text else 0))


def with_typed_text(now: Learn) -> Learn:
    """Return the state after a text was typed or pasted."""
    return with_text(now, now.text)


def go(now: Learn, **values: object) -> Learn:
    """Return the state with another lesson, text or seed, and the focus on the lesson's title."""
    return focus(opened(changed(now, values)), TITLE)


def focus(now: Learn, element: str) -> Learn:
    """Return the state that makes the page, when next drawn, move the focus to the element with the id `element`."""
    return replace(now, focus=element, moves=now.moves + 1)


def _with_answers(now: Learn, given: str) -> Learn:
    former = dict(now.former) | {_subject(now): given}
    return replace(now, answers=given, former=tuple(former.items()))


def _subject(now: Learn) -> tuple[str, str, int]:
    return now.lesson, now.text, now.seed
