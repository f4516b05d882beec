"""A word with several tokenizers, in three places of a text: its tokens, and how often each token has a letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
from markupsafe import Markup

from bpe_core import Encoding
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.drawing import Chip, Drawing, Row, Whole, chips
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.letters import count, letters, spelled
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

PLACES = {"at the start of a text": "{}", "after a space": " {}", "in quotes": '"{}"'}
_TABLE = Markup('<table class="spellings"><thead><tr><th>tokenizer</th>{}</tr></thead><tbody>{}</tbody></table>')
_PLACE, _ROW = Markup('<th scope="col">{}</th>'), Markup('<tr><th scope="row">{}</th>{}</tr>')
_CELL = Markup('<td><b title="tokens">{:,}</b> <span class="tokens">{}</span></td>')
_TOGETHER = Markup('<span class="whole">{}<span class="of">{}</span></span>')


@dataclass(frozen=True, eq=False)
class Cell:
    """A word in a place of a text, as a tokenizer encodes it.

    `title`: the tokenizer's name. `place`: a key of `PLACES`. `text`: the word and what is around it in this place.
    """

    title: str
    place: str
    text: str
    encoding: Encoding
    glyph: str

    def counts(self, letter: str) -> list[tuple[int, int, int]]:
        """Return (first, end, count) for each span of tokens: `end` is excluded, `count` is how often it has a letter.

        Most often a span is a single token. Tokens that share a letter are one span. A token for what the tokenizer
        does not know has no letter.
        """
        parts = spelled(self.encoding.walk.tokens(len(self.encoding.walk.vocabulary.merges)))
        lost = self.encoding.lost
        return [(first, end, 0 if lost[first] else count(letter, found)) for first, end, found in parts]

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The tokens as they are written on the screen."""
        return tuple(token_text(token, self.glyph) for token in self.encoding.drawn)

    def parts(self, word: str) -> tuple[tuple[int, int], ...]:
        """Return for each token the part of the word that it has, as (start, end) in the word."""
        first = PLACES[self.place].index("{}")
        in_word = ((start - first, end - first) for start, end in self.encoding.spans)
        return tuple((max(start, 0), min(end, len(word))) for start, end in in_word if end > 0 and start < len(word))


def cells(vocabularies: Iterable[PageVocabulary], word: str) -> list[list[Cell]]:
    """Return a row for each vocabulary: the word in each of the `PLACES`."""
    return [
        [
            Cell(each.title, place, text, each.tokenizer.encode(text, specials=False), each.glyph)
            for place, written in PLACES.items()
            for text in [written.format(word)]
        ]
        for each in vocabularies
    ]


def letters_table(rows: Sequence[Sequence[Cell]], letter: str) -> Markup:
    """Return the table as HTML. Below a token that has the letter is a number: how often it has the letter."""
    body = (_ROW.format(row[0].title, html.joined(_cell(cell, letter) for cell in row)) for row in rows)
    return _TABLE.format(html.joined(map(_PLACE.format, PLACES)), html.joined(body))


def _cell(cell: Cell, letter: str) -> Markup:
    found, encoding = [], cell.encoding
    shade = shades(encoding.drawn)

    def chip(n: int, under: str) -> Markup:
        mark = html.UNKNOWN_MARK if encoding.lost[n] else ""
        return html.chip(encoding.drawn[n], shade[n], cell.glyph, f"id {encoding.ids[n]}", mark, under)

    for first, end, number in cell.counts(letter):
        under = f"{number:,}" if number else ""
        if end == first + 1:
            found.append(chip(first, under))
        else:
            found.append(_TOGETHER.format(html.joined(chip(n, "") for n in range(first, end)), under))
    return _CELL.format(len(encoding.ids), html.joined(found))


def drawing(rows: Sequence[Sequence[Cell]], word: str, letter: str) -> Drawing:
    """Return the table as a picture: a row for each tokenizer, and below each token how often it has the letter.

    If tokens share a letter, the number is below the last of these tokens.
    """
    drawn: list[Row] = [(summary(rows, word, letter),)]
    for row in rows:
        items: list[Chip | Whole | str] = []
        for cell in row:
            below = [""] * len(cell.encoding.ids)
            for _, end, number in cell.counts(letter):
                below[end - 1] = f"{number:,}" if number else ""
            items += (f"{cell.place}:", *chips(cell.encoding.drawn, below))
        drawn += ((row[0].title,), tuple(items))
    return Drawing(
        f"“{word}” in tokens", tuple(drawn), next((cell.glyph for row in rows for cell in row if cell.glyph), "")
    )


def summary(rows: Sequence[Sequence[Cell]], word: str, letter: str) -> str:
    """Return the word's count of the letter, its number of splits, and how many cells have the word in one token."""
    every = [cell for row in rows for cell in row]
    has = f"“{word}” has “{letter}” {times(count(letter, letters(word)))}. " if letter else ""
    whole = sum(cell.parts(word) == ((0, len(word)),) and not any(cell.encoding.lost) for cell in every)
    if whole == len(every):
        return f"{has}With {counted(len(rows), 'tokenizer')} one token has the whole word, in all {whole:,} cases."
    ways = len({cell.parts(word) for cell in every})
    one = f"in {whole:,} of {len(every):,} cases one token has the whole word" if whole else "no token has it whole"
    return f"{has}{counted(len(rows), 'tokenizer splits', 'tokenizers split')} it in {counted(ways, 'way')}; {one}."


def given(rows: Sequence[Sequence[Cell]]) -> str:
    """Return sentences on the ids that the first tokenizer gives a model for the word."""
    ids = rows[0][0].encoding.ids
    only = f"id{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"
    return (
        f"At the start of a text a model with {rows[0][0].title} is given only the {only}. "
        "An id does not say its letters: a model can only have learnt them."
    )


def sheet(rows: Sequence[Sequence[Cell]], letter: str) -> pd.DataFrame:
    """Return the table that a visitor saves: a row for each tokenizer and each place of the word (see `PLACES`)."""
    return pd.DataFrame(
        {
            "tokenizer": cell.title,
            "place": cell.place,
            "text": cell.text,
            "tokens": len(cell.encoding.ids),
            "split": "|".join(cell.shown),
            "ids": " ".join(map(str, cell.encoding.ids)),
            "letter": letter,
            "count": "|".join(str(number) for _, _, number in cell.counts(letter)),
        }
        for row in rows
        for cell in row
    )
