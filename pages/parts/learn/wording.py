"""Tokens, words, merges and counts in the sentences of lessons: functions from values to escaped HTML.

The functions return plain strings of HTML and not `Markup`. Lessons put them together with f-strings, and an f-string
would make a plain string of a `Markup`, which would then be escaped a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from bpe_core import Run
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.in_words import counted
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.record.run import Record
from bpe_core.text.alphabet import encode_text
from pages.parts.learn.questions import BAR
from pages.parts.learn.word_merges import MergeStep, WordState, states
from pages.parts.ui import elements

MOST_PARTS = 4  # words in the sum of a count
EXCERPT = 240  # the most characters of an excerpt
_OPENED = Markup('<details class="text"><summary>{}</summary><div class="line">{}</div></details>')
_TABLE = Markup('<table class="given"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>')
_HEAD, _CELL, _ROW = Markup("<th>{}</th>"), Markup("<td>{}</td>"), Markup("<tr>{}</tr>")
_MERGE = Markup('<li><span class="step">{}</span> {}</li>')
_MERGE_INSIDE = Markup('<span class="merge"><span class="step">{}</span> {}</span>')
_BAR = Markup('<span class="bar" style="width:{:.2f}rem"></span> {}')
_LONGEST_BAR = 9  # rem
_COLUMNS = Markup('<table class="columns"><thead><tr><th>split</th>{}</tr></thead><tbody>{}</tbody></table>')
_GROUP, _EMPTY = Markup('<th colspan="{}">{}</th>'), Markup('<td colspan="{}"></td>')
_DIGITS = Markup('<td colspan="{}">{}</td>')
_LINES = Markup("<tr{}><td>{}</td>{}</tr>")
_PLACES = ("ones", "thousands", "millions", "billions")


def tok(token: bytes, glyph: str = "_") -> str:
    """Return a token as a chip."""
    return str(html.chip(token, glyph=glyph))


def row(tokens: Sequence[bytes], glyph: str = "_") -> str:
    """Return tokens as chips in a row."""
    return str(Markup('<span class="pair">{}</span>').format(html.row(list(tokens), glyph)))


def text(shown: str) -> str:
    """Return a text as one chip, which is not split into tokens."""
    return str(html.chip(encode_text(shown), mark="plain"))


def sentence(content: str) -> str:
    """Return a sentence as a paragraph; `content`: HTML in which every text is escaped."""
    return str(elements.sentence(Markup(content)))


def note(content: str) -> str:
    """Return a line in quiet colour; `content`: HTML in which every text is escaped."""
    return str(elements.note(Markup(content)))


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


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as an enumeration. `last`: the word before the last name.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', '')
    """
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def corpus(run: Record, step: int, glyph: str = "_") -> str:
    """Return the words of a corpus after a step, with their counts."""
    words = run.words(step)
    name = f"words after {counted(step, 'merge')}: {split_label(words[0][0], glyph) if words else 'none'} …"
    return str(html.words(words, [False] * len(words), glyph, name=name))


def excerpt(whole: str) -> str:
    """Return the beginning of a text, up to the end of a word."""
    begun = whole if len(whole) <= EXCERPT else (whole[:EXCERPT].rpartition(" ")[0] or whole[:EXCERPT]) + " …"
    return str(Markup('<p class="line">{}</p>').format(begun))


def text_to_open(title: str, whole: str) -> str:
    """Return a line with the title of a text. A click on the line opens the text."""
    return str(_OPENED.format(f"Read {title}, {counted(len(whole), 'character')}", whole))


def html_table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table. A cell that is a number gets commas between its thousands; other cells are HTML."""
    body = (_ROW.format(html.joined(_CELL.format(_cell(each)) for each in one)) for one in rows)
    return str(_TABLE.format(html.joined(map(_HEAD.format, heads)), html.joined(body)))


def _cell(content: object) -> Markup:
    return Markup(f"{content:,}" if isinstance(content, int) else str(content))


def columns(splits: Mapping[str, Sequence[Sequence[bytes]]], group: int) -> str:
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
    return str(_COLUMNS.format(heads, html.joined(rows)))


def _line(tokens: Sequence[bytes], places: int) -> Markup:
    """Return the cells of a number with at most `places` digits. The digits are at the right of the line."""
    empty = places - sum(map(len, tokens))
    chips = (html.chip(token, shade) for token, shade in zip(tokens, shades(tokens), strict=True))
    cells = (_DIGITS.format(len(token), drawn) for token, drawn in zip(tokens, chips, strict=True))
    return html.joined([_EMPTY.format(empty) if empty else Markup(), *cells])


def bar(count: int, most: int) -> str:
    """Return a bar and its count; `most`: the count that has the longest bar.

    The width is in rem. As a share of the cell it would differ from table to table, and the cell's limit would cut it
    off.

    >>> bar(1110, 1867)
    '<span class="bar" style="width:5.35rem"></span> 1,110'
    """
    return str(_BAR.format(_LONGEST_BAR * count / max(most, 1), f"{count:,}"))


def merge_list(merges: Iterable[MergeStep], glyph: str = "_", name: str = "") -> str:
    """Return merges in the order of their steps. `name`: a sentence before the merges."""
    items = (_MERGE.format(f"{merge.step:,}", Markup(row(merge[1:], glyph))) for merge in merges)
    listing = Markup('<ol class="learnt">{}</ol>').format(html.joined(items))
    return f"{sentence(name) if name else ''}{listing}"


def merges_inside(pieces: Iterable[tuple[str, Iterable[MergeStep]]]) -> str:
    """Return a table of pieces of a text. Beside a piece are the merges inside it, the oldest first."""
    rows = [(tok(encode_text(piece)), _inline(merges)) for piece, merges in pieces]
    return html_table(("piece", "merges inside it, each with the step that learnt it, the oldest first"), rows)


def _inline(merges: Iterable[MergeStep]) -> str:
    found = (_MERGE_INSIDE.format(f"{merge.step:,}", Markup(row(merge[1:]))) for merge in merges)
    return " ".join(found) or "none"


def way(symbols: Sequence[bytes], merges: Iterable[MergeStep], glyph: str = "_") -> list[str]:
    """Return the way from the symbols of a word to its tokens: a sentence for each merge that applies."""
    found = states(symbols, merges)
    ways = [f"Before any merge: {row(symbols, glyph)}", *(_after(state, glyph) for state in found)]
    last = found[-1].tokens if found else tuple(symbols)
    return [*ways, f"No other merge fits: {counted(len(last), 'token')}."]


def _after(state: WordState, glyph: str) -> str:
    return (
        f"The oldest merge that fits is {state.merge.step:,}, {row(state.merge[1:], glyph)}: {row(state.tokens, glyph)}"
    )


def sum_of(run: Run, step: int, left: bytes, right: bytes, glyph: str = "_") -> str:
    """Return the summands of a pair's count, as in "10 in hug, 5 in pug and 5 in hugs"."""
    parts = run.contributions(step, left, right)
    named = [f"{part.count:,} in {row(part.tokens, glyph)}" for part in parts[:MOST_PARTS]]
    if rest := parts[MOST_PARTS:]:
        named.append(f"{sum(part.count for part in rest):,} in {counted(len(rest), 'more word').replace(',', '')}")
    return listed(named)


def visible(shown: str) -> str:
    """Return a text as a label: its spaces stay, and other invisible characters become glyphs.

    >>> visible("two words\\t")
    'two words→'
    """
    return " ".join(token_text(encode_text(word)) for word in shown.split(" "))
