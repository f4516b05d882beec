"""The search for the shortest text on which two tokenizers differ. It is seeded, and limited in texts and in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice, takewhile
from math import inf
from time import monotonic

from bpe_core.files.format import FormatError
from bpe_core.sameness.candidates import around_names, at_random, built, of_all_kinds
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import PartState, TokenizerPart, differences
from bpe_core.text.rules import PatternError
from bpe_core.text.special_tokens import segments
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(eq=False)
class Proofs:
    """What texts show of the differences between two tokenizers.

    part                        the text shows it if
    special and added tokens    it contains a name that differs, and the rest of it has the same ids on both sides
    split                       its pretokens have other ends
    normalization               its tokens have other bytes, and nothing is lost
    vocabulary                  it has a token that one side lacks, or that has another id there
    merges, scores              its pretokens are the same, and have other tokens, or are lost on one side only
    model                       the same, if its tables are equal; else it is lost on one side only
    """

    one: Composition
    other: Composition

    def shows(self, part: str, text: str, specials: bool) -> bool:
        """Return whether a text shows the difference of a part. `text`: one whose ids differ."""
        try:
            return _SHOWS[part](self, text, specials) if part in _SHOWS else False
        except (FormatError, PatternError, ValueError):  # a side refuses the text, so that only its ids are known
            return False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The special and added tokens that differ."""
        lacking, added, changed = differences(self.one.names, self.other.names)
        return tuple(sorted((*lacking, *added, *changed), key=len, reverse=True))

    @cached_property
    def tokens(self) -> frozenset[bytes]:
        """The tokens that one side lacks, or that have other ids."""
        return frozenset().union(*differences(self.one.ids, self.other.ids))

    def encodings(self, text: str, specials: bool) -> tuple[Encoding, Encoding]:
        """Return the tokens of a text on both sides."""
        one, other = (side.tokenizer.encode(text, specials=specials) for side in (self.one, self.other))
        return one, other


def _names(proofs: Proofs, text: str, specials: bool) -> bool:
    names = tuple(name for name in proofs.names if name in text)
    if not (names and specials):
        return False
    rest = [piece for piece, _, name in segments(text, names) if not name]
    sides = [side.tokenizer.ids_batch(rest, specials=specials) for side in (proofs.one, proofs.other)]
    return [*map(list, sides[0])] == [*map(list, sides[1])]


def _split(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = ([each.text for each in side.pretokens] for side in proofs.encodings(text, specials))
    return one != other and "".join(one) == "".join(other)


def _normalization(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = proofs.encodings(text, specials)
    return not any((*one.lost, *other.lost)) and b"".join(one.tokens) != b"".join(other.tokens)


def _vocabulary(proofs: Proofs, text: str, specials: bool) -> bool:
    sides = zip((proofs.one, proofs.other), proofs.encodings(text, specials), strict=True)
    return any(side.bytes_of.get(i) in proofs.tokens for side, encoding in sides for i in encoding.ids)


def _merging(proofs: Proofs, text: str, specials: bool) -> bool:
    one, other = proofs.encodings(text, specials)
    if [each.text for each in one.pretokens] != [each.text for each in other.pretokens]:
        return False
    return any(one.lost) != any(other.lost) or one.tokens != other.tokens


def _model(proofs: Proofs, text: str, specials: bool) -> bool:
    """Return whether a text shows the options of models. Where tables differ too, only one lost on one side does."""
    one, other = proofs.encodings(text, specials)
    has_other_tables = proofs.one.merges != proofs.other.merges or bool(proofs.tokens)
    return any(one.lost) != any(other.lost) or (not has_other_tables and _merging(proofs, text, specials))


_SHOWS: dict[str, Callable[[Proofs, str, bool], bool]] = {
    "special and added tokens": _names,
    "split": _split,
    "normalization": _normalization,
    "vocabulary": _vocabulary,
    "merges": _merging,
    "scores": _merging,
    "model": _model,
}


WHOLE = 40  # characters; all parts of a text up to this length are tried at once
Differing = Callable[[Sequence[str]], Iterable[bool]]

MOST = 200_000  # texts
BATCH = 1_000
SHRUNK = 3  # texts of a part, the shortest that differ
OTHER_NAMES = 300  # special tokens that are equal on both sides, and are tried too
LONGEST = 2_000  # characters of a text; a hostile file may have a token of a million
MOMENT = 0.1  # seconds between two looks at the clock, if the texts of a moment take no longer

Report = Callable[[str, int, int], None]


class _TimeUp(Exception):  # noqa: N818 (not an error: the search ends)
    """The time of a search is used up."""


def ids_or_none(
    tokenizer: Tokenizer, texts: Sequence[str], specials: bool, until: float = inf
) -> list[list[int] | None]:
    """Return the ids of each text; None for a text that the tokenizer refuses.

    Many texts that are refused may take long: after `until`, on the clock of `monotonic`, raise `_TimeUp`.
    """
    if monotonic() > until:
        raise _TimeUp
    try:
        return [*tokenizer.ids_batch(texts, specials=specials)]
    except (FormatError, PatternError):
        if len(texts) == 1:
            return [None]
        return [ids_or_none(tokenizer, [text], specials, until)[0] for text in texts]


@dataclass(eq=False)
class Search:
    """A search. `seconds`: how long it may take. `shortest`: the shortest text found, and how it was read; or None.

    `found`: for each part the shortest text found that shows the difference of this part: see `Proofs`.

    `specials`: whether names of special tokens are read as tokens; a file whose library finds no names in a text reads
    them as text, and then so does the other side.
    """

    one: Composition
    other: Composition
    seconds: float
    report: Report = lambda phase, done, total: None
    texts: int = 0
    found: dict[str, tuple[str, bool]] = field(default_factory=dict)
    shortest: tuple[str, bool] | None = None

    def __post_init__(self) -> None:
        """Begin to count the seconds."""
        self._until = monotonic() + self.seconds
        self._at_once = 8  # texts that are encoded between two looks at the clock: as many as take a moment
        self._proofs = Proofs(self.one, self.other)
        self.specials = all(getattr(side.tokenizer, "finds_names", True) for side in (self.one, self.other))

    @property
    def stopped(self) -> bool:
        """Whether the time or the texts are used up."""
        return self.texts >= MOST or monotonic() > self._until

    def run(self, parts: Sequence[TokenizerPart]) -> None:
        """Search, until the shortest text is found or time or texts are used up."""
        open_parts = [part.name for part in parts if part.state is not PartState.EQUAL]
        for name, texts in built(self.one, self.other, open_parts):
            both = (True, False) if name == "special and added tokens" and self.specials else (self.specials,)
            listed = list(islice(self._in_time(texts), MOST // 4))
            for specials in both:
                self._try(name, listed, specials)
        equal = self.one.names.keys() & self.other.names.keys()
        self._try("special and added tokens", around_names(sorted(equal)[:OTHER_NAMES]), self.specials)
        for name, texts in of_all_kinds():
            part = name if name in open_parts else ""
            self._try(part, texts if part and part not in self.found else self._short_enough(texts), self.specials)
        if not self.shortest:
            self._try("", at_random(self.one, self.other), self.specials)

    def _in_time(self, texts: Iterable[str]) -> Iterable[str]:
        """Yield texts as long as there is time, since making them takes time too; leave out the longest."""
        return (text for text in takewhile(lambda _: not self.stopped, texts) if len(text) <= LONGEST)

    def _short_enough(self, texts: Iterable[str]) -> Iterable[str]:
        """Yield the texts that are shorter than the shortest text found."""
        most = len(self.shortest[0]) if self.shortest else None
        return (text for text in texts if most is None or len(text) < most)

    def _try(self, part: str, texts: Iterable[str], specials: bool) -> None:
        """Try texts, up to the first few that differ. Keep the shortest text, and the shortest that shows the part."""
        texts, differ = iter(self._in_time(texts)), list[str]()
        while (
            not self.stopped
            and len(differ) < BATCH
            and (some := [*dict.fromkeys(islice(texts, min(BATCH, MOST - self.texts)))])
        ):
            differ += self._that_differ(some, specials)
            self.report("comparing", self.texts, MOST)
            if differ and not part:
                break
        texts_that_differ = sorted(set(differ), key=simplicity)
        for text in texts_that_differ[:SHRUNK]:
            self._keep(shrunk(text, partial(self._differing, specials=specials)), specials)
        for text in islice((text for text in texts_that_differ if self._shows(part, text, specials)), SHRUNK):
            short = shrunk(text, partial(self._showing, part, specials=specials))
            self._keep(short, specials)
            if part not in self.found or simplicity(short) < simplicity(self.found[part][0]):
                self.found[part] = short, specials

    def _keep(self, text: str, specials: bool) -> None:
        """Keep a text if it is the shortest. Among equally short texts, prefer one whose names are read as tokens."""

        def order(row: tuple[str, bool]) -> tuple[object, ...]:
            return simplicity(row[0])[:2], not row[1], row[0]

        if self.shortest is None or order((text, specials)) < order(self.shortest):
            self.shortest = text, specials

    def _shows(self, part: str, text: str, specials: bool) -> bool:
        return monotonic() <= self._until and self._proofs.shows(part, text, specials)

    def _showing(self, part: str, texts: Sequence[str], specials: bool) -> Iterator[bool]:
        """Yield for each text whether the ids differ, and because of the part."""
        for text, differs in zip(texts, self._differing(texts, specials), strict=True):
            yield differs and self._shows(part, text, specials)

    def _that_differ(self, texts: Sequence[str], specials: bool) -> list[str]:
        return [text for text, differs in zip(texts, self._differing(texts, specials), strict=True) if differs]

    def _differing(self, texts: Sequence[str], specials: bool) -> list[bool]:
        """Return for each text whether the ids differ; False for the last ones if there is no time left for them."""
        found: list[bool] = []
        while len(found) < len(texts):
            some, began = texts[len(found) : len(found) + self._at_once], monotonic()
            try:
                one, other = (
                    ids_or_none(side.tokenizer, some, specials, self._until) for side in (self.one, self.other)
                )
            except _TimeUp:
                break
            found += [ids != theirs for ids, theirs in zip(one, other, strict=True)]
            quick = monotonic() - began < MOMENT
            self._at_once = min(self._at_once * 2, BATCH) if quick else max(self._at_once // 4, 1)
        self.texts += len(found)
        return found + [False] * (len(texts) - len(found))


def simplicity(text: str) -> tuple[int, bool, str]:
    """Return a key that sorts texts: the shortest first, and among equally short texts the visible ones.

    >>> sorted(["b", "\\0", "a", ""], key=simplicity)
    ['', 'a', 'b', '\\x00']
    """
    return len(text), not text.isprintable(), text


def shrunk(text: str, differing: Differing) -> str:
    """Return the shortest text found that has only characters of `text`, in their order, and still differs.

    `differing`: says of each of many texts whether the tokenizers differ on it. No character can be left out of the
    result, nor can it be cut to a shorter part.

    >>> shrunk("say: an apple a day", lambda texts: ["a" in text and "d" in text for text in texts])
    'da'
    """
    size = len(text) // 2
    while size and len(text) > WHOLE:
        shorter = _first([text[:at] + text[at + size :] for at in range(0, len(text), size)], differing)
        text, size = (shorter, min(size, len(shorter) // 2)) if shorter is not None else (text, size // 2)
    while (shorter := _first(_shorter(text), differing)) is not None:
        text = shorter
    return text


def _shorter(text: str) -> list[str]:
    """Return the parts of a text, and the text without one or two of its characters; the shortest come first."""
    sizes = range(len(text) + 1)
    parts = {text[at : at + size] for size in sizes[1:-1] for at in sizes} if len(text) <= WHOLE else set()
    without = {text[:at] + text[at + 1 :] for at in range(len(text))}
    two = {each[:at] + each[at + 1 :] for each in without for at in range(len(each))} if len(text) <= WHOLE else set()
    return sorted((parts | without | two) - {text, ""}, key=simplicity)


def _first(texts: list[str], differing: Differing) -> str | None:
    return next((text for text, differs in zip(texts, differing(texts), strict=True) if differs), None)
