"""The lesson about requests: what a conversation sends again and again, and what a server can keep of it."""

from __future__ import annotations

import re
from functools import cached_property

from bpe_core.chat.templates import Turn, write_turns
from bpe_core.text.beginnings import shared_beginning
from bpe_core.text.in_words import counted
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, published
from pages.parts.learn.reveal_drawings import TextInTokens
from pages.parts.learn.texts import GPT2, TALK, THOUGHT
from pages.parts.state.chat_state import Chat

TURNS = 5  # three questions and two answers
LONGEST = 120  # characters of a turn
CHAT = "qwen"  # the key of a vocabulary whose model's template is published
_SENTENCE = re.compile(r"[^.!?\n]*[^\s.!?][^.!?\n]*[.!?]*")


class SentAgain(Lesson):
    """The lesson "Why does the third answer cost more?"."""

    sentences = lesson_text(__file__)
    own = TALK

    @cached_property
    def _said(self) -> list[str]:
        """The first sentences of the text, which are the turns of a conversation."""
        found = [" ".join(each.split()) for each in _SENTENCE.findall(self.text)]
        short = [each for each in found if each and len(each) <= LONGEST][:TURNS]
        if len(short) < TURNS:
            raise NoPoint()
        return short

    @property
    def _lines(self) -> list[tuple[str, str]]:
        """The turns, each with the name of the speaker and as the line that is sent."""
        names = ("User", "Model")
        return [(names[at % len(names)], f"{names[at % len(names)]}: {said}\n") for at, said in enumerate(self._said)]

    def _table(self) -> tuple[Table, list[int]]:
        sizes = [_size(line) for _, line in self._lines]
        rows = [
            (at, wording.text(line), size)
            for at, ((_, line), size) in enumerate(zip(self._lines, sizes, strict=True), 1)
        ]
        return Table(rows), sizes

    def third(self) -> Facts:
        """Add up the tokens of the third request."""
        turns, sizes = self._table()
        return Facts(
            sum(sizes),
            WrongAnswer(sizes[-1], "last"),
            WrongAnswer(sum(sizes[:: len(("question", "answer"))]), "questions"),
            turns=turns,
            sum=" + ".join(map(str, sizes)),
        )

    def kept(self) -> Facts:
        """Count what is new in the third request."""
        turns, sizes = self._table()
        return Facts(
            sizes[-1],
            WrongAnswer(sum(sizes), "all"),
            WrongAnswer(sum(sizes[-len(("answer", "question")) :]), "answer"),
            turns=turns,
            last=counted(sizes[-1], "token"),
        )

    def thinking(self) -> Facts:
        """Find where the second request departs from what the server has."""
        question, answer, further = (line for _, line in self._lines[: len(("question", "answer", "question"))])
        thought = f"Thinking: {THOUGHT}\n"
        has, sends = (question, thought, answer), (question, answer, further)
        kept = shared_beginning(*(published().ids("".join(lines), specials=True) for lines in (has, sends)))
        if kept != _size(question):
            raise NoPoint()
        return Facts(
            kept,
            WrongAnswer(kept + _size(answer), "skipped"),
            WrongAnswer(sum(map(_size, has)), "server"),
            has=_rows(has),
            sends=_rows(sends),
            kept=counted(kept, "token"),
        )

    @property
    def _requests(self) -> tuple[str, ...]:
        lines = [line for _, line in self._lines]
        return tuple("".join(lines[: at + 1]) for at in range(0, TURNS, len(("question", "answer"))))

    def reveal(self) -> tuple[TextInTokens, ...]:
        """Return the tokens of the three requests, one below the other."""
        try:
            return (TextInTokens(self._requests, ((GPT2, published()),)),)
        except NoPoint:
            return (TextInTokens((self.text,), ((GPT2, published()),)),)

    def taken(self) -> Phrase:
        """Return what the requests of the lesson's own conversation send."""
        own = SentAgain()
        sizes = [_size(line) for _, line in own._lines]
        questions = sum(sizes[:: len(("question", "answer"))])
        return Phrase(sent=sum(map(_size, own._requests)), questions=questions)

    def go_on(self) -> Chat:
        """Return a state of Chat with the requests of the conversation."""
        try:
            said = self._said
        except NoPoint:
            said = SentAgain()._said
        roles = ("user", "assistant")
        turns = write_turns([Turn(roles[at % len(roles)], each) for at, each in enumerate(said)])
        return Chat(tokenizer=CHAT, view="requests", turns=turns)


def _size(text: str) -> int:
    return published().count(text, specials=True)


def _rows(lines: tuple[str, ...]) -> Table:
    return Table([(line.partition(":")[0], wording.text(line), _size(line)) for line in lines])
