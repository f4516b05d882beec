"""The view "Why was it cut there?": the pretokens of the text, and the alternatives of the pattern that found them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.in_words import counted
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.alternatives import Alternative, alternatives
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.cuts import cuts
from bpe_core.tokenizer.encoding import SPECIAL_RULE
from pages.parts.ui import elements
from pages.parts.ui.terms import lesson_about
from pages.parts.vocabularies.tokenizer_choice import problems_shown
from pages.parts.vocabularies.tokens_view import TokensRequest

SAMPLE = 4_000  # characters of the text whose pretokens are shown
_VIEW = Markup('<div class="cuts">{}<ol>{}</ol></div>')
_ALTERNATIVE = Markup(
    '<li tabindex="0" data-cut="{number}"><b>{name}</b>{words}<br><code>{pattern}</code>'
    '<br><span class="note">{count}{example}</span></li>'
)
_PIECE = Markup('<span data-cut="{}" tabindex="-1">{}</span>')


def split_view(request: TokensRequest) -> None:
    """Draw the pretokens of the text beside the alternatives of the pattern of the chosen tokenizer."""
    text, tokenizer = request.text[:SAMPLE], request.chosen.tokenizer
    with problems_shown():
        rows = alternatives(tokenizer.pretokenizer)
        found = cuts(tokenizer, text, request.specials)
        st.html(elements.sentence(sentence(rows, found, tokenizer.pretokenizer.title)))
        st.html(pieces_and_alternatives(rows, found))
        if len(request.text) > SAMPLE:
            st.html(elements.note(f"Of the text’s first {SAMPLE:,} characters."))
        st.html(lesson_about("A lesson: where no merge may go", "cuts"))


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
            count=counted(counts[row.name], "piece") if counts[row.name] else "no piece of this text",
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
