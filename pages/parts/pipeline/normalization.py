"""Normalization as a drawing: the text before and after each normalizer, with marks on what each changes. Values in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from bpe_core import NORMALIZERS, Encoding, Normalized, normalize
from bpe_core.text.normalized_text import joined
from pages.parts.pipeline.marked_text import marked, named_rows

TYPED = "Text"  # the title of the text before any normalizer
# (new, gone) → the element around such a character: new since the text before, gone in the text behind
_MARKS = {
    (False, False): "",
    (True, False): Markup("<ins>{}</ins>"),
    (False, True): Markup("<del>{}</del>"),
    (True, True): Markup("<ins><del>{}</del></ins>"),
}
_AS_BEFORE = Markup('<span class="note">changes nothing here</span>')


class Step(NamedTuple):
    """A normalizer's title, and what it does to the text that the one before it left."""

    title: str
    done: Normalized


def steps(encoding: Encoding) -> Iterator[Step]:
    """What each normalizer does to the text, one behind the other; special tokens stay as they are."""
    parts = [(part.typed, part.special is None) for part in encoding.segments]
    for key in encoding.tokenizer.normalizers:
        done = [normalize(text, (key,) if plain else ()) for text, plain in parts]
        yield Step(NORMALIZERS[key].title, joined(done))
        parts = [(part.text, plain) for part, (_, plain) in zip(done, parts, strict=True)]


def drawing(encoding: Encoding) -> Markup:
    """The text, and below it what each normalizer leaves: what it made is underlined, what the next removes struck."""
    start = Step(TYPED, normalize(encoding.text, ()))
    rows = [start, *steps(encoding), None]  # None: no normalizer behind the last
    return named_rows((step.title, _text(step, behind)) for step, behind in pairwise(rows))


def legend(encoding: Encoding) -> str:
    """What the marks mean, or that nothing is normalized."""
    if encoding.tokenizer.normalizers:
        return "Underlined: made by this normalizer. Struck through: removed by the next."
    return "The text stays as it is: choose normalizers to change it."


def _text(step: Step, behind: Step | None) -> Markup:
    """The text that a step leaves, with marks."""
    new = _new(step.done)
    gone = _gone(behind.done) if behind else [False] * len(new)
    unchanged = step.title != TYPED and step.done.original == step.done.text
    if unchanged and not any(gone):
        return _AS_BEFORE
    return marked(step.done.text, [_MARKS[pair] for pair in zip(new, gone, strict=True)])


def _new(done: Normalized) -> list[bool]:
    """For each character of the result, whether it was not there before."""
    flags: list[bool] = []
    for before, after in done.aligned:
        at = after.find(before) if before else -1
        flags += [before != after and not at <= k < at + len(before) for k in range(len(after))]
    return flags


def _gone(done: Normalized) -> list[bool]:
    """For each character of the text before, whether nothing of it is left."""
    return [not after for before, after in done.aligned for _ in before]
