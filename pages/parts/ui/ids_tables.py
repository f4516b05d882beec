"""Ids in words and tables: how they differ from what the tokenizer writes, and how they arrive in a stream."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from bpe_core import Tokenizer
from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.drift import Drift, Region, reason
from bpe_core.tokenizer.stream import Arrival
from bpe_core.tokenizer.ways import roughly
from pages.parts.ui import elements

SHOWN = 400  # tokens in a row
REGIONS = 50  # regions whose reason is told
ARRIVALS = 100  # tokens in the table of a stream
BEFORE = 3  # how many of them stand before the first that waits
DIGITS = 4_000  # of a number that is written out; Python refuses to write more than 4,300
NAMED = 10  # ids that a sentence names
BROKEN = "\ufffd"  # what is printed for bytes that are no character

_ROW = Markup('<p class="title">{}</p>{}')
_REGIONS = Markup('<ol class="regions">{}</ol>')
_REGION = Markup("<li>{} not {}: {}</li>")
_FEW = Markup('<span class="tokens">{}</span>')
_STREAM = Markup(
    '<table class="stream"><thead><tr><th>token</th><th>can be shown</th><th>waits</th><th>without waiting</th>'
    "</tr></thead><tbody>{}</tbody></table>"
)
_ARRIVAL = Markup('<tr class="tokens"><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>')


def missing(tokenizer: Tokenizer, lacking: Sequence[int]) -> str:
    """Return a sentence that names the ids that a vocabulary lacks.

    >>> from bpe_core import load
    >>> missing(load("gpt2"), [60000, -5])
    'This vocabulary lacks 2 ids, which are left out: 60000, -5. Its ids end at 50256.'
    """
    named = ", ".join(f"{token_id}" for token_id in lacking[:NAMED]) + (" …" if len(lacking) > NAMED else "")
    out = counted(len(lacking), "id, which is", "ids, which are")
    return f"This vocabulary lacks {out} left out: {named}. Its ids end at {tokenizer.n_vocab - 1}."


def ids_of_text(count: int, name: str) -> str:
    """Return a sentence on the ids of a text that is no list of ids. `count`: how many; `name`: of the tokenizer.

    >>> ids_of_text(0, "BERT")
    'Your text is no list of ids, and BERT writes no ids for it. Paste ids to check them; one alone as [2024].'
    """
    if not count:
        written = f"and {name} writes no ids for it"
    else:
        written = f"so {'this is its id' if count == 1 else 'these are its ids'} with {name}"
    return f"Your text is no list of ids, {written}. Paste ids to check them; one alone as [2024]."


def both_rows(drift: Drift, glyph: str, name: str) -> Markup:
    """Return a row with the given ids and, if they differ, a row with the ids that the tokenizer, `name`, writes."""
    given = [region.given for region in drift.regions]
    if not given:
        return _row(drift, f"{counted(len(drift.given), 'token')}", drift.given, [], glyph)
    own = [region.own for region in drift.regions]
    return _row(drift, f"These ids: {counted(len(drift.given), 'token')}", drift.given, given, glyph) + _row(
        drift, f"As {name} writes the same text: {counted(len(drift.own), 'token')}", drift.own, own, glyph
    )


def _row(drift: Drift, title: str, ids: Sequence[int], spans: Sequence[tuple[int, int]], glyph: str) -> Markup:
    marks = [("", "")] * len(ids)
    for number, (start, end) in enumerate(spans, 1):
        marks[start:end] = [("soft", f"region {number:,}")] * (end - start)
    tokens = [drift.tokenizer.vocabulary.drawn_bytes(token_id) for token_id in ids[:SHOWN]]
    drawn = html.text_tokens(tokens, ids[:SHOWN], glyph, marks=marks[:SHOWN])
    more = elements.note(f"… and {len(ids) - SHOWN:,} more") if len(ids) > SHOWN else Markup("")
    return _ROW.format(title, html.scroll_region(drawn + more, title))


def regions(drift: Drift, glyph: str) -> Markup:
    """Return a list of the regions that differ: the given tokens, the tokenizer's tokens, and the reason."""
    listed = html.joined(_region(drift, region, glyph) for region in drift.regions[:REGIONS])
    rest = len(drift.regions) - REGIONS
    return _REGIONS.format(listed) + (elements.note(f"And {counted(rest, 'region')} more.") if rest > 0 else Markup(""))


def _region(drift: Drift, region: Region, glyph: str) -> Markup:
    given, own = drift.given[slice(*region.given)], drift.own[slice(*region.own)]
    why = (
        part if isinstance(part, str) else _FEW.format(html.chip(part, glyph=glyph)) for part in reason(drift, region)
    )
    return _REGION.format(_few(drift, given, glyph), _few(drift, own, glyph), html.joined(why))


def _few(drift: Drift, ids: Sequence[int], glyph: str) -> Markup:
    """Draw the tokens of a region; of many, the first."""
    tokens = [(drift.tokenizer.vocabulary.drawn_bytes(token_id), str(token_id)) for token_id in ids[:NAMED]]
    more = [" …"] if len(ids) > NAMED else []
    return _FEW.format(html.joined([*(html.chip(token, glyph=glyph, under=under) for token, under in tokens), *more]))


def in_ways(number: int) -> Markup:
    """Return a sentence on the number of ways to write a text. The exact number opens on request.

    >>> print(in_ways(16).striptags())
    The tokens of this vocabulary can write this text in 16 ways, if the split is ignored.
    """
    ways = "in 1 way" if number == 1 else f"in {roughly(number)} ways" if number else "in no way"
    sentence = elements.note(f"The tokens of this vocabulary can write this text {ways}, if the split is ignored.")
    if number < 1_000_000:
        return sentence
    exact = f"{number:,}" if number < 10**DIGITS else f"It has more than {DIGITS:,} digits."
    return sentence + elements.more("The exact number", exact)


def stream_summary(found: Sequence[Arrival], rest: int) -> str:
    """Return how many tokens end within a character, and how often a decoder prints U+FFFD, waiting or not.

    `rest`: how many tokens follow those that are in `found`.
    """
    if not found:
        return "There is no token."
    one = len(found) + rest == 1
    of = f"Of the first {counted(len(found), 'token')}" if rest else f"Of {counted(len(found), 'token')}"
    waiting = sum(bool(arrival.waiting) for arrival in found)
    at_once = sum(arrival.alone.count(BROKEN) for arrival in found)
    after_all = sum(arrival.shown.count(BROKEN) for arrival in found)
    if not waiting and not at_once:
        end = "ends with a whole character, so {} can be shown when it arrives."
        return f"The token {end.format('it')}" if one else f"{of} each {end.format('each')}"
    if one:
        end = f"The token {'ends within a character' if waiting else 'does not have to wait'}"
    else:
        ends = counted(waiting, "ends within a character", "end within a character")
        end = f"{of} {ends if waiting else 'none has to wait'}"
    prints = f"A decoder that does not wait for the rest prints {BROKEN} {times(at_once)}"
    if after_all:  # the bytes are no character, or the text has a U+FFFD
        prints += f", and one that waits prints it {times(after_all)}"
    return f"{end}. {prints}."


def stream_table(found: Sequence[Arrival], tokens: Sequence[bytes], glyph: str) -> Markup:
    """Return a table of the tokens as they arrive, from shortly before the first that waits."""
    first = next((n for n, arrival in enumerate(found) if arrival.waiting), 0)
    start = max(0, first - BEFORE)
    rows = [
        _ARRIVAL.format(
            html.chip(token, glyph=glyph, under=str(arrival.id)),
            _plain(arrival.shown),
            Markup('<span class="note">{}</span>').format(arrival.waiting.hex(" ").upper()),
            _plain(arrival.alone, "soft" if BROKEN in arrival.alone else ""),
        )
        for token, arrival in zip(tokens[start : start + ARRIVALS], found[start : start + ARRIVALS], strict=True)
    ]
    where = f"From token {start + 1:,} on. " if start else ""
    rest = len(found) - start - len(rows)
    more = where + (f"{counted(rest, 'more follows', 'more follow')}." if rest else "")
    table = html.scroll_region(_STREAM.format(html.joined(rows)), "the tokens as they arrive", "")
    return table + (elements.note(more) if more else Markup(""))


def _plain(text: str, mark: str = "") -> Markup:
    """Draw a text in a frame without a colour; nothing for no text."""
    if not text:
        return Markup("")
    return Markup('<span class="token plain {}">{}</span>').format(mark, html.inner(encode_text(text)))
