"""Two tokenizers in words and tables: the shortest text that shows a difference, and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.sameness.parts import Cell, PartState, Row, TokenizerPart
from bpe_core.sameness.two_tokenizers import NAMED, Sameness, character_name, unseen
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from pages.parts.server.limits import LIMITS
from pages.parts.ui import elements, sentences

if TYPE_CHECKING:
    import pandas as pd

MOST_IDS = 40  # of a text that are listed
WIDE = 300  # characters of a value
LIMITS_OF_SEARCH = "Only ids of texts are compared: a search can show that two differ, never that they are the same."
_TEXT = Markup('<p class="sentence">They differ. The shortest text found{}: <span class="tokens">{}</span></p>')
_IDS = Markup('<p class="sentence">Ids of {}: <code>{}</code></p>')
_TABLE = Markup(
    '<table class="parts"><thead><tr><th>part</th><th>compared</th><th>in what</th></tr></thead>'
    "<tbody>{}</tbody></table>"
)
_ROW = Markup('<tr><th scope="row">{}</th><td class="{}">{}</td><td>{}</td></tr>')
_MORE = Markup('<tr class="more"><td colspan="3">{}</td></tr>')
_OPENED = Markup("<details><summary>{}</summary>{}</details>")
_ROWS = Markup("<table><thead><tr><th>of</th><th>{}</th><th>{}</th></tr></thead><tbody>{}</tbody></table>")
_DIFFERENCE = Markup("<tr><td>{}</td><td>{}</td><td>{}</td></tr>")
_VALUE = Markup("<code>{}</code>")
_TOKENS = Markup('<span class="tokens">{}</span>')
_SHOWN_BY = Markup('<p class="note">The shortest text found for it: <span class="tokens">{}</span>{}</p>')


def in_line(before: int) -> str:
    """Return a sentence for a comparison that waits. `before`: how many wait before it.

    >>> in_line(0), in_line(2)
    ('The server works on 2 at a time: yours is next.', 'The server works on 2 at a time: 2 wait before yours.')
    """
    return f"The server works on {LIMITS.trainings:,} at a time: {sentences.place(before)}."


def shortest(found: Sameness, text: str, titles: tuple[str, str]) -> Markup:
    """Return the shortest text with its characters named, and its ids on both sides."""
    how = "" if found.specials else ", with names of special tokens read as text"
    refused = [side for side, ids in (("first", found.one_ids), ("second", found.other_ids)) if ids is None]
    said = [counted(len(text), "character") + _names(text), *(f"the {side} refuses it" for side in refused)]
    sides = zip(titles, (found.one_ids, found.other_ids), strict=True)
    ids = [_IDS.format(title, _listed(row)) for title, row in sides if row is not None]
    about = elements.note(f"{'; '.join(said)}. Of {found.texts:,} texts tried.")
    return _TEXT.format(how, _drawn(text)) + html.joined(ids) + about


def _listed(ids: Sequence[int]) -> str:
    more = f" and {len(ids) - MOST_IDS:,} more" if len(ids) > MOST_IDS else ""
    return (" ".join(map(str, ids[:MOST_IDS])) or "none") + more


def _names(text: str) -> str:
    """Return the names of the characters of a short text.

    >>> _names("é"), _names("hello")
    (': U+00E9 Latin small letter e with acute', '')
    """
    if len(text) > NAMED:
        return ""
    return ": " + ", ".join(map(character_name, text))


def _drawn(text: str) -> Markup:
    return Markup('<span class="token plain">{}</span>').format(html.inner(encode_text(text[:WIDE])))


def parts(found: Sameness, titles: tuple[str, str], glyphs: tuple[str, str]) -> Markup:
    """Return a table of the parts, in which the first differences of a part open; and llama.cpp's hash of both."""
    rows = [_part(part, titles, glyphs) for part in found.parts]
    sums = found.chkhsh
    state = PartState.EQUAL if sums[0] == sums[1] else PartState.DIFFERENT
    named = [f"{each.name or 'no name'}, {each.sum[:12]}…" for each in sums]
    told = named[0] if sums[0] == sums[1] else f"{named[0]} and {named[1]}"
    rows.append(_ROW.format("llama.cpp’s chkhsh", _class(state), state, told))
    return _TABLE.format(html.joined(rows))


def _class(state: PartState) -> str:
    return "note" if state is PartState.EQUAL else "different"


def _part(part: TokenizerPart, titles: tuple[str, str], glyphs: tuple[str, str]) -> Markup:
    """Return the row of a part and, if it has differences, a row below it in which they open."""
    row = _ROW.format(part.name, _class(part.state), part.state, part.about)
    shown_by = (
        Markup("")
        if part.text is None
        else _SHOWN_BY.format(_drawn(part.text), _names(part.text) if unseen(part.text) else "")
    )
    if part.rows:
        listed = _ROWS.format(*titles, html.joined(_difference(each, glyphs) for each in part.rows))
        told = "The difference" if len(part.rows) == 1 else f"The first {len(part.rows):,} differences"
        name = f"differences: {part.name}"
        shown_by += _OPENED.format(f"{told} in this part", html.scroll_region(listed, name, ""))
    return row + (_MORE.format(shown_by) if shown_by else Markup(""))


def _difference(row: Row, glyphs: tuple[str, str]) -> Markup:
    what, one, other = row
    named: Markup | str = what[:WIDE] if isinstance(what, str) else _chips(what, glyphs[0])
    return _DIFFERENCE.format(named, _cell(one, glyphs[0]), _cell(other, glyphs[1]))


def _chips(tokens: Sequence[bytes], glyph: str) -> Markup:
    return _TOKENS.format(Markup(" + ").join(html.chip(token[:WIDE], glyph=glyph) for token in tokens))


def _cell(value: Cell, glyph: str) -> Markup | str:
    if value is None:
        return "–"
    return _chips([value], glyph) if isinstance(value, bytes) else _VALUE.format(str(value)[:WIDE])


def parts_table(found: Sameness, titles: tuple[str, str]) -> pd.DataFrame:
    """Return a row for each difference that is listed, and for each part without one."""
    import pandas as pd

    def told(value: object) -> str:
        tokens = value if isinstance(value, tuple) else (value,)
        return " + ".join(
            "" if each is None else each.decode("utf-8", "backslashreplace") if isinstance(each, bytes) else str(each)
            for each in tokens
        )

    rows = [
        (part.name, str(part.state), part.about, *map(told, row))
        for part in found.parts
        for row in part.rows or [("", None, None)]
    ]
    rows += [("chkhsh", "", "", "", *(f"{each.sum} {each.name}".strip() for each in found.chkhsh))]
    return pd.DataFrame(rows, columns=["part", "compared", "in what", "of", *titles])
