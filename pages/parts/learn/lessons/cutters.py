"""The lesson about patterns: which of their alternatives cut a text where it is cut."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TypeAlias

import regex

from bpe_core import PRETOKENIZERS
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from bpe_core.text.pattern_parts import Alternative, alternatives
from bpe_core.text.rules import Pretoken
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, on_tokens
from pages.parts.learn.reveal_drawings import Pretokens
from pages.parts.learn.texts import CL100K, CL100K_KEY, CUT, GPT2, GPT2_KEY
from pages.parts.state.tokens_state import Tokens

LONGEST, MOST_WORDS = 40, 6  # characters and words of the part of a line that is cut by hand
FEWEST_PIECES, MOST_PIECES = 3, 15
SURPRISING = ("contraction", "digits", "other")  # rules whose pieces are asked for first

Cut: TypeAlias = tuple[str, list[Pretoken]]


class Cutters(Lesson):
    """The lesson "Who cut this?"."""

    sentences = lesson_text(__file__)
    own = CUT

    @cached_property
    def _list(self) -> dict[str, Alternative]:
        """The alternatives of the published pattern, by name, in their order."""
        return {row.name: row for row in alternatives(PRETOKENIZERS[GPT2_KEY])}

    @cached_property
    def _cut(self) -> Cut:
        """The beginning of the first line that several alternatives cut, and its pieces."""
        for line in self.text.splitlines():
            part = line if len(line) <= LONGEST else ""
            for found in regex.finditer(r"\s*\S+", line):
                if found.end() > LONGEST or len(line[: found.end()].split()) > MOST_WORDS:
                    break
                part = line[: found.end()]
            pieces = PRETOKENIZERS[GPT2_KEY].split(part)
            if FEWEST_PIECES <= len(pieces) <= MOST_PIECES and len({piece.rule for piece in pieces}) > 1:
                return part, pieces
        raise NoPoint()

    def _table(self) -> Table:
        return Table([(str(number), row.words) for number, row in enumerate(self._list.values(), 1)])

    def which(self) -> Facts:
        """Find the alternative that takes a piece."""
        text, pieces = self._cut
        counts = Counter(piece.text for piece in pieces)
        alone = [piece for piece in pieces if counts[piece.text] == 1]
        if not alone:
            raise NoPoint()
        order = {name: place for place, name in enumerate(SURPRISING)}
        asked = min(alone, key=lambda piece: order.get(piece.rule, len(order)))
        names = [*self._list]
        at = names.index(asked.rule)
        wrong = (
            WrongAnswer(row.words, "later" if _fits(row, text, asked.start) else "no fit")
            for name, row in self._list.items()
            if name != asked.rule
        )
        return Facts(
            self._list[asked.rule].words,
            *wrong,
            steps=[
                Phrase("rule"),
                *(Phrase("fails", alternative=self._list[name].words) for name in names[:at]),
                Phrase("fits", alternative=self._list[asked.rule].words),
            ],
            piece=wording.tok(encode_text(asked.text)),
            text=wording.text(text),
            alternatives=self._table(),
        )

    def how_many(self) -> Facts:
        """Count the pieces of a text."""
        text, pieces = self._cut
        return Facts(
            len(pieces),
            WrongAnswer(len(text.split()), "words"),
            WrongAnswer(len({piece.rule for piece in pieces}), "kinds"),
            WrongAnswer(len(text), "characters"),
            steps=[
                *(
                    Phrase(
                        "piece", piece=wording.tok(encode_text(piece.text)), alternative=self._list[piece.rule].words
                    )
                    for piece in pieces
                ),
                Phrase("count", count=counted(len(pieces), "piece")),
            ],
            text=wording.text(text),
            alternatives=self._table(),
            pieces=wording.chips(encode_text(piece.text) for piece in pieces),
        )

    def reveal(self) -> tuple[Pretokens, ...]:
        """Return the pieces of the text under three patterns."""
        try:
            text, _ = self._cut
        except NoPoint:
            text = self.text[:LONGEST]
        return (Pretokens(text, ((GPT2, GPT2_KEY), (CL100K, CL100K_KEY), ("white space", "whitespace"))),)

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the pieces and the alternatives of the text."""
        return on_tokens(self.text, view="split")


def _fits(row: Alternative, text: str, start: int) -> bool:
    return bool(regex.compile(row.pattern).match(text, start))
