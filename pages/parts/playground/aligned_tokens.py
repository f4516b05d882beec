"""Two tokenizers on one text as HTML: both cuts aligned, what differs marked, and the difference in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from markupsafe import Markup

from bpe_core.display.colours import shades
from bpe_core.display.html import chip, scroll_region
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.alignment import Alignment, align
from bpe_core.tokenizer.token_table import TokenTable, token_table
from pages.parts.session.vocabularies import Vocabulary

BLOCKS = 300  # on the screen; every figure counts all


@dataclass(frozen=True, eq=False)
class Comparison:
    """A text under two vocabularies, each after a number of merges. Made by `compare`."""

    raw: bytes
    names: tuple[str, str]
    vocabularies: tuple[Vocabulary, Vocabulary]
    tables: tuple[TokenTable, TokenTable]
    found: Alignment

    @property
    def places(self) -> tuple[int, int]:
        """(how many blocks differ, how many there are)."""
        return int(self.found.differs.sum()), len(self.found.differs)


def compare(
    text: str, specials: bool, left: tuple[Vocabulary, int], right: tuple[Vocabulary, int]
) -> Comparison | None:
    """Cut `text` both ways, each with a vocabulary after so many merges, and align the cuts.

    None where the two normalize it in different ways, so that no text is common to them.
    """
    found = [vocabulary.finder.find(text, specials) for vocabulary, _ in (left, right)]
    if found[0].text != found[1].text:
        return None
    raw = encode_text(found[0].text)
    tables = tuple(
        token_table(vocabulary.tokenizer, each, step)
        for (vocabulary, step), each in zip((left, right), found, strict=True)
    )
    names = tuple(
        vocabulary.title if step == vocabulary.steps else f"{vocabulary.title} after {step:,} merges"
        for vocabulary, step in (left, right)
    )
    return Comparison(raw, names, (left[0], right[0]), tables, align(len(raw), *tables))


def difference(made: Comparison) -> str:
    """The difference in numbers, in one sentence of HTML."""
    one, other = map(len, made.tables)
    first, second = (f"<strong>{escape(name)}</strong>" for name in made.names)
    differing, places = made.places
    said = f"{first} needs {one:,} tokens, {second} {other:,}"
    if one != other:
        more = abs(other - one)
        said += f": {more:,} {'more' if other > one else 'fewer'} ({more / max(one, 1):.1%})"
    same = f"They cut alike at {places - differing:,} of {places:,} places, and differ at {differing:,}."
    if differing == 0:
        same = "Both cut the text alike."
    return f'<p class="sentence">{said}. {same}</p>'


def aligned(made: Comparison, only_differing: bool = False) -> str:
    """The blocks in reading order, the first vocabulary above the second."""
    blocks = np.flatnonzero(made.found.differs) if only_differing else np.arange(len(made.found.differs))
    html = [_block(made, int(k)) for k in blocks[:BLOCKS]]
    return scroll_region(Markup("".join(html)), "both cuts")


def window(made: Comparison, only_differing: bool = False) -> str:
    """How much of it is on the screen."""
    differing, places = made.places
    total = differing if only_differing else places
    shown = f"Showing {BLOCKS:,} of {total:,} places; every figure counts all. " if total > BLOCKS else ""
    return f"{shown}Above: {made.names[0]}. Below: {made.names[1]}. A frame marks where they differ."


def _block(made: Comparison, k: int) -> str:
    rows = []
    sides = zip(made.vocabularies, made.tables, (made.found.left, made.found.right), strict=True)
    for vocabulary, table, bounds in sides:
        tokens = [_token(made, vocabulary, table, t) for t in range(bounds[k], bounds[k + 1])]
        chips = [
            chip(token, shade, vocabulary.shown_glyph, title=f"id {i}" if i >= 0 else "unknown")
            for token, i, shade in zip(tokens, table.ids[bounds[k] : bounds[k + 1]], shades(tokens), strict=True)
        ]
        rows.append(f"<span>{''.join(chips) or '<i>dropped</i>'}</span>")
    mark = ' differs" title="the two cuts differ here' if made.found.differs[k] else ""
    breaks = b"\n" in made.raw[made.found.edges[k] : made.found.edges[k + 1]]
    return f'<span class="block{mark}">{"".join(rows)}</span>{"<br>" if breaks else ""}'


def _token(made: Comparison, vocabulary: Vocabulary, table: TokenTable, t: int) -> bytes:
    token_id = int(table.ids[t])
    return vocabulary.tokenizer.token_bytes(token_id) if token_id >= 0 else made.raw[table.starts[t] : table.ends[t]]
