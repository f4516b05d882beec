"""Tokens, words, merges and counts in the sentences of lessons: functions from values to escaped HTML.

A lesson explains a sign, such as · for a space, at the first question that has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from markupsafe import Markup, escape

from bpe_core import Run
from bpe_core.files.tokenizer_json_write import CONTINUING
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.token_text import MARKS, token_text
from bpe_core.record.record import Steps
from bpe_core.text.alphabet import encode_text, without_surrogates
from bpe_core.text.in_words import counted
from pages.parts.learn.questions import BAR, Question
from pages.parts.learn.word_merges import MergeStep, states
from pages.parts.ui import elements

MOST_PARTS = 4  # words in the sum of a count
EXCERPT = 240  # the most characters of an excerpt
_OPENED = Markup('<details class="text"><summary>{}</summary><div class="line">{}</div></details>')
_TABLE = Markup('<table class="given"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>')
_HEAD, _CELL, _ROW = Markup("<th>{}</th>"), Markup("<td>{}</td>"), Markup("<tr>{}</tr>")
_MERGE = Markup('<li><span class="step">{}</span> {}</li>')
_MERGEINSIDE = Markup('<span class="merge"><span class="step">{}</span> {}</span>')
_BAR = Markup('<span class="bar" style="width:{:.2f}rem"></span> {}')
_LONGEST_BAR = 9  # rem
_COLUMNS = Markup('<table class="columns"><thead><tr><th>split</th>{}</tr></thead><tbody>{}</tbody></table>')
_GROUP, _EMPTY = Markup('<th colspan="{}">{}</th>'), Markup('<td colspan="{}"></td>')
_DIGITS = Markup('<td colspan="{}">{}</td>')
_LINES = Markup("<tr{}><td>{}</td>{}</tr>")
_AFTER = Markup("The oldest merge that fits is {}, {}: {}")
_IN = Markup("{} in {}")
_PLACES = ("ones", "thousands", "millions", "billions")


def tok(token: bytes, glyph: str = "_") -> Markup:
    """Return a token as a chip."""
    return html.chip(token, glyph=glyph)


def row(tokens: Sequence[bytes], glyph: str = "_") -> Markup:
    """Return tokens as chips in a row."""
    return Markup('<span class="pair">{}</span>').format(html.row(list(tokens), glyph))


def chips(tokens: Iterable[bytes], glyph: str = "_") -> Markup:
    """Return tokens as chips with spaces between them."""
    return Markup(" ").join(tok(token, glyph) for token in tokens)


def text(shown: str) -> Markup:
    """Return a text as one chip, which is not split into tokens."""
    return html.chip(encode_text(shown), mark="plain")


def pair_label(left: bytes, right: bytes, glyph: str = "_") -> str:
    """Return the label of a pair, for an option.

    >>> pair_label(b"u", b"g"), pair_label(b"t", b"\\xff")
    ('u + g', 't + _')
    """
    return f"{token_text(left, glyph)} + {token_text(right, glyph)}"


def split_label(tokens: Iterable[bytes], glyph: str = "_") -> str:
    """Return the label of a split, for an option.

    >>> split_label([b"l", b"ighthouse"])
    'l|ighthouse'
    """
    return BAR.join(token_text(token, glyph) for token in tokens)


def listed(names: Sequence[str], last: str = "and") -> Markup:
    """Return names as an enumeration. `last`: the word before the last name.

    >>> print(listed(["a", "b", "c"]))
    a, b and c
    """
    if len(names) <= 1:
        return Markup().join(names)
    return Markup("{} {} {}").format(Markup(", ").join(names[:-1]), last, names[-1])


def corpus(run: Steps, step: int, glyph: str = "_") -> Markup:
    """Return the words of a corpus after a step, with their counts."""
    words = run.words(step)
    name = f"words after {counted(step, 'merge')}: {split_label(words[0][0], glyph) if words else 'none'} …"
    return html.words(words, [False] * len(words), glyph, name=name)


def excerpt(whole: str) -> Markup:
    """Return the beginning of a text, up to the end of a word."""
    begun = whole if len(whole) <= EXCERPT else (whole[:EXCERPT].rpartition(" ")[0] or whole[:EXCERPT]) + " …"
    return Markup('<p class="line">{}</p>').format(without_surrogates(begun, "\ufffd"))


def text_to_open(title: str, whole: str) -> Markup:
    """Return a line with the title of a text. A click on the line opens the text."""
    return _OPENED.format(f"Read {title}, {counted(len(whole), 'character')}", without_surrogates(whole, "\ufffd"))


def html_table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Markup:
    """Return a table. In cells, a number gets commas between its thousands, and a text is escaped."""
    body = (_ROW.format(html.joined(_CELL.format(_cell(each)) for each in one)) for one in rows)
    return _TABLE.format(html.joined(map(_HEAD.format, heads)), html.joined(body))


def _cell(content: object) -> Markup:
    return escape(f"{content:,}" if isinstance(content, int) else content)


def columns(splits: Mapping[str, Sequence[Sequence[bytes]]], group: int) -> Markup:
    """Return a table with a column for each decimal place, and a heading over every `group` places.

    `splits`: name of a split → its numbers. Each number is a sequence of tokens, and has a line of the table.
    """
    groups = max(-(-sum(map(len, tokens)) // group) for lines in splits.values() for tokens in lines)
    heads = html.joined(_GROUP.format(group, name) for name in reversed(_PLACES[:groups]))
    rows = (
        _LINES.format(
            Markup(' class="first"') if not number else "", "" if number else name, _line(tokens, group * groups)
        )
        for name, lines in splits.items()
        for number, tokens in enumerate(lines)
    )
    return _COLUMNS.format(heads, html.joined(rows))


def _line(tokens: Sequence[bytes], places: int) -> Markup:
    """Return the cells of a number with at most `places` digits. The digits are at the right of the line."""
    empty = places - sum(map(len, tokens))
    chips = (html.chip(token, shade) for token, shade in zip(tokens, shades(tokens), strict=True))
    cells = (_DIGITS.format(len(token), drawn) for token, drawn in zip(tokens, chips, strict=True))
    return html.joined([_EMPTY.format(empty) if empty else Markup(), *cells])


def bar(count: int, most: int) -> Markup:
    """Return a bar and its count; `most`: the count that has the longest bar.

    The width is in rem. As a share of the cell it would differ from table to table, and the cell's limit would cut it
    off.

    >>> print(bar(1110, 1867))
    <span class="bar" style="width:5.35rem"></span> 1,110
    """
    return _BAR.format(_LONGEST_BAR * count / max(most, 1), f"{count:,}")


def merge_list(merges: Iterable[MergeStep], glyph: str = "_") -> Markup:
    """Return merges in the order of their steps."""
    items = (_MERGE.format(f"{merge.step:,}", Markup(row(merge[1:], glyph))) for merge in merges)
    return Markup('<ol class="learnt">{}</ol>').format(html.joined(items))


def merges_inside(pieces: Iterable[tuple[str, Iterable[MergeStep]]]) -> Markup:
    """Return a table of pieces of a text. Beside a piece are the merges inside it, the oldest first."""
    rows = [(tok(encode_text(piece)), _inline(merges)) for piece, merges in pieces]
    return html_table(("piece", "merges inside it, each with the step that learnt it, the oldest first"), rows)


def _inline(merges: Iterable[MergeStep]) -> Markup:
    found = (_MERGEINSIDE.format(f"{merge.step:,}", Markup(row(merge[1:]))) for merge in merges)
    return Markup(" ").join(found) or Markup("none")


def way(symbols: Sequence[bytes], merges: Iterable[MergeStep], glyph: str = "_") -> list[Markup]:
    """Return the way from the symbols of a word to its tokens: a sentence for each merge that applies."""
    found = states(symbols, merges)
    last = found[-1].tokens if found else tuple(symbols)
    return [
        Markup("Before any merge: {}").format(row(symbols, glyph)),
        *(_AFTER.format(f"{merge.step:,}", row(merge[1:], glyph), row(tokens, glyph)) for merge, tokens in found),
        Markup(f"No other merge fits: {counted(len(last), 'token')}."),
    ]


def sum_of(run: Run, step: int, left: bytes, right: bytes, glyph: str = "_") -> Markup:
    """Return the summands of a pair's count, as in "10 in hug, 5 in pug and 5 in hugs"."""
    parts = run.contributions(step, left, right)
    named = [_IN.format(f"{part.count:,}", row(part.tokens, glyph)) for part in parts[:MOST_PARTS]]
    if rest := parts[MOST_PARTS:]:
        more = counted(len(rest), "more word").replace(",", "")
        named.append(_IN.format(f"{sum(part.count for part in rest):,}", more))
    return listed(named)


def visible(shown: str) -> str:
    """Return a text as a label: its spaces stay, and other invisible characters become glyphs.

    >>> visible("two words\\t")
    'two words⇥'
    """
    return " ".join(token_text(encode_text(word)) for word in shown.split(" "))


_MARK = '<span class="mark">{}</span>'
# The HTML by which a sign is recognised → the sentence about it.
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
