"""Texts as lines with marks: the text before and after each normalizer, with marks on what each changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, repeat, zip_longest
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from bpe_core import NORMALIZERS, Encoding, Normalized, normalize
from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import encode_text
from bpe_core.text.normalizers import joined

SHOWN = 400  # the most characters, pretokens or tokens of a text on the screen
TYPED = "Text"  # the title of the text before any normalizer
# (new, gone) → the element around a character. New: not in the text before. Gone: not in the text after.
_MARKS = {
    (False, False): "",
    (True, False): Markup("<ins>{}</ins>"),
    (False, True): Markup("<del>{}</del>"),
    (True, True): Markup("<ins><del>{}</del></ins>"),
}
_LINE = Markup('<span class="line">{}{}</span>')
_MORE = Markup(' <span class="note">… the first {:,} of {:,} characters</span>')
_ROW = Markup("<dt>{}</dt><dd>{}</dd>")
_ROWS = Markup('<dl class="facts">{}</dl>')
_AS_BEFORE = Markup('<span class="note">changes nothing here</span>')


class Step(NamedTuple):
    """The title of a normalizer, and its result."""

    title: str
    result: Normalized


def steps(encoding: Encoding) -> Iterator[Step]:
    """Yield the result of each normalizer, in order; special tokens are not normalized."""
    parts = [(part.typed, part.special is None) for part in encoding.segments]
    for key in encoding.tokenizer.pipeline.normalizers:
        results = [normalize(text, (key,) if plain else ()) for text, plain in parts]
        yield Step(NORMALIZERS[key].title, joined(results))
        parts = [(result.text, plain) for result, (_, plain) in zip(results, parts, strict=True)]


def drawing(encoding: Encoding) -> Markup:
    """Return the text, and below it the result of each normalizer.

    In a result, the characters that its normalizer made are underlined, and the characters that the next normalizer
    removes are struck through.
    """
    return named_rows((step.title, _text(step, after)) for step, after in _rows(encoding))


def legend(encodings: Iterable[Encoding]) -> str:
    """Return what the marks on the screen mean, or that nothing is normalized."""
    rows = [row for encoding in encodings for row in _rows(encoding)]
    if all(after is None for _, after in rows):
        return "The text stays as it is: choose normalizers to change it."
    meanings = {
        "Underlined: new.": any(any(_new(step.result)) for step, _ in rows),
        "Struck through: removed next.": any(after is not None and any(_gone(after.result)) for _, after in rows),
    }
    return " ".join(meaning for meaning, is_seen in meanings.items() if is_seen)


def _rows(encoding: Encoding) -> Iterator[tuple[Step, Step | None]]:
    """Yield the text and the result of each normalizer, each with the result after it."""
    rows = [Step(TYPED, normalize(encoding.text, ())), *steps(encoding)]
    yield from zip_longest(rows, rows[1:])


def _text(step: Step, following: Step | None) -> Markup:
    """Return the result of a step, with marks."""
    new = _new(step.result)
    gone = _gone(following.result) if following else [False] * len(new)
    unchanged = step.title != TYPED and step.result.original == step.result.text
    if unchanged and not any(gone):
        return _AS_BEFORE
    return marked(step.result.text, [_MARKS[pair] for pair in zip(new, gone, strict=True)])


def _new(result: Normalized) -> list[bool]:
    """Return for each character of the result whether it is new."""
    flags: list[bool] = []
    for before, after in result.aligned:
        at = after.find(before) if before else -1
        flags += [before != after and not at <= k < at + len(before) for k in range(len(after))]
    return flags


def _gone(result: Normalized) -> list[bool]:
    """Return for each character of the original text whether nothing of it is left."""
    return [not after for before, after in result.aligned for _ in before]


# --- a text as a line, and lines with names ---


def marked(text: str, marks: Iterable[str] = repeat("")) -> Markup:
    """Return the beginning of a text as HTML.

    `marks`: one entry for each character: HTML with `{}` where the character goes, or "" for no mark. A marked
    character is drawn alone, so that an accent stands on a dotted circle and not on the letter before the accent.

    >>> marked("a\\n", ["", Markup("<del>{}</del>")])
    Markup('<span class="line">a<del><span class="mark">⏎</span><br></del></span>')
    """
    drawn = []
    for mark, run in groupby(zip(text[:SHOWN], marks, strict=False), itemgetter(1)):
        characters = "".join(char for char, _ in run)
        drawn.append(mark.format(_written(characters)) if mark else _written(characters.splitlines(keepends=True)))
    more = _MORE.format(SHOWN, len(text)) if len(text) > SHOWN else ""
    return _LINE.format(html.joined(drawn), more)


def _written(parts: Iterable[str]) -> Markup:
    """Return parts of a text in a row, each drawn alone."""
    return html.joined(html.inner(encode_text(part)) + html.line_break(encode_text(part)) for part in parts)


def named_rows(rows: Iterable[tuple[str, Markup]]) -> Markup:
    """Return a list of drawings with their names.

    >>> named_rows([("Text", Markup("<b>a</b>"))])
    Markup('<dl class="facts"><dt>Text</dt><dd><b>a</b></dd></dl>')
    """
    return _ROWS.format(html.joined(_ROW.format(*row) for row in rows))
