"""The pieces of a split text, beside the alternatives of the pattern that cut them, and where two splits differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from bpe_core.text.pattern_parts import Alternative, alternatives
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.encoding import SPECIAL_RULE
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.why_cut import cuts
from pages.parts.state import state
from pages.parts.ui import elements

SAMPLE = 4_000  # characters of a text whose pieces are shown
CHANGES = 30  # different places whose pieces are shown
_VIEW = Markup('<div class="cuts">{}<ol>{}</ol></div>')
_ALTERNATIVE = Markup(
    '<li tabindex="0" data-cut="{number}"><b>{name}</b>{words}<br><code>{pattern}</code>'
    '<br><span class="note">{count}{example}</span></li>'
)
_PIECE = Markup('<span data-cut="{}" tabindex="-1">{}</span>')
_CHANGES = Markup('<ol class="regions">{}</ol>')
_CHANGE = Markup("<li>{} instead of {}{}</li>")
_PIECES = Markup('<span class="tokens">{}</span>')

Place = tuple[tuple[str, ...], tuple[str, ...]]


def draw(tokenizer: Tokenizer, of: object, text: str, specials: bool, title: str) -> Sequence[Pretoken]:
    """Draw the pieces of a text's beginning, and what cut them; return the pieces.

    `of`: what the tokenizer is known by, for what is cached. `title`: what splits, for a sentence. Raise `PatternError`
    if a pattern takes too long.
    """
    sample, rows = text[:SAMPLE], alternatives(tokenizer.pretokenizer)
    found = state.latest("cuts", (of, sample, specials), lambda: cuts(tokenizer, sample, specials))
    st.html(elements.finding(sentence(rows, found, title)))
    st.html(pieces_and_alternatives(rows, found))
    if len(text) > SAMPLE:
        st.html(elements.note(f"Of the text’s first {SAMPLE:,} characters."))
    return found


def sentence(rows: Sequence[Alternative], found: Sequence[Pretoken], title: str) -> str:
    """Return a sentence on the split: how many pieces it makes, and by how many alternatives."""
    names = {row.name for row in rows}
    used = {pretoken.rule for pretoken in found} & names
    pieces = counted(len(found), "piece")
    if not used and found:
        return f"{title} cuts this text into {pieces}. The file’s own library does so, and does not say why."
    of = counted(len(rows), "alternative")
    return f"{title} cuts this text into {pieces}, by {len(used):,} of {of}; the first that fits is taken."


def pieces_and_alternatives(rows: Sequence[Alternative], found: Sequence[Pretoken]) -> Markup:
    """Return the pieces of the text, and a list of the alternatives. Pointing at either lights the other.

    Below each piece is the number of its alternative.
    """
    numbers = {row.name: number for number, row in enumerate(rows, 1)}
    counts = Counter(pretoken.rule for pretoken in found)
    first: dict[str, str] = {}
    for pretoken in found:
        first.setdefault(pretoken.rule, token_text(encode_text(pretoken.text)))
    listed = (
        _ALTERNATIVE.format(
            number=numbers[row.name],
            name=row.name,
            words=f": {row.words}" if row.words else "",
            pattern=row.pattern,
            count=counted(counts[row.name], "piece") if counts[row.name] else "no piece",
            example=f", such as ‘{first[row.name][:40]}’" if row.name in first else "",
        )
        for row in rows
    )
    shade = shades([encode_text(pretoken.text) for pretoken in found])
    pieces = html.joined(_piece(*each, numbers) for each in zip(found, shade, strict=True))
    return _VIEW.format(html.scroll_region(pieces, "pieces"), html.joined(listed))


def _piece(pretoken: Pretoken, shade: int, numbers: dict[str, int]) -> Markup:
    number, token = numbers.get(pretoken.rule), encode_text(pretoken.text)
    rule = pretoken.rule if number or pretoken.rule == SPECIAL_RULE else ""
    chip = html.chip(token, shade, title=rule, under=str(number) if number else "")
    return _PIECE.format(number or "", chip) + html.line_break(token)


def places(ours: Sequence[Pretoken], others: Sequence[Pretoken]) -> Iterator[Place]:
    """Yield the pieces of each place where two splits of a text differ: ours, and the others.

    A place is as short as it can be: it ends where no piece of either split goes on.

    >>> cut = lambda *ends: [Pretoken("abcd"[a:b], a, b, "") for a, b in zip((0, *ends), ends)]
    >>> list(places(cut(1, 3, 4), cut(1, 2, 4)))
    [(('bc', 'd'), ('b', 'cd'))]
    """
    both = sorted([*((each, 0) for each in ours), *((each, 1) for each in others)], key=lambda row: row[0].start)
    place, end = 0, 0
    numbered = []
    for each, side in both:
        place += each.start >= end
        end = max(end, each.end)
        numbered.append((place, side, each))
    for _, rows in groupby(numbered, key=lambda row: row[0]):
        found: tuple[list[Pretoken], list[Pretoken]] = ([], [])
        for _, side, each in rows:
            found[side].append(each)
        if [(each.start, each.end) for each in found[0]] != [(each.start, each.end) for each in found[1]]:
            yield tuple(each.text for each in found[0]), tuple(each.text for each in found[1])


def changes(ours: Sequence[Pretoken], others: Sequence[Pretoken], name: str) -> Markup:
    """Return where two splits of a text differ, the most frequent places first. `name`: the other split's."""
    found = Counter(places(ours, others))
    if not found:
        return Markup('<p class="note">{} cuts this text at the same places.</p>').format(name)
    number = sum(found.values())
    first = Markup("<p>{} cuts this text otherwise {}.</p>").format(
        name, "at 1 place" if number == 1 else f"at {number:,} places"
    )
    listed = html.joined(
        _CHANGE.format(_row(one), _row(other), f", {count:,} times" if count > 1 else "")
        for (one, other), count in found.most_common(CHANGES)
    )
    rest = len(found) - CHANGES
    more = f'<p class="note">And {counted(rest, "more", "more")}.</p>' if rest > 0 else ""
    return first + _CHANGES.format(listed) + Markup(more)


def _row(pieces: Sequence[str]) -> Markup:
    if not pieces:
        return Markup("nothing")
    return _PIECES.format(html.joined(html.chip(encode_text(piece)) for piece in pieces))
