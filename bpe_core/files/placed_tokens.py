"""Where the tokens of a text are, in a file whose library gives wrong offsets.

The BPE model of `tokenizers` counts the bytes of the symbols that it has. So its offsets are wrong in three cases, and
in them each token is placed by its symbols instead:

- A character is not in the vocabulary, and there is no unknown token: the model drops the character.
- A character becomes bytes in a file with a word marker: the marker's bytes are counted too.
- An unknown character comes before a character that becomes bytes: its unknown token is put after those bytes.

A second tokenizer finds the symbols. It has the same file but another model, of the 256 bytes and without merges:

    text          m u g ␠ 🦜 ␠ h u g      split at white space; the vocabulary has h, u, g, ug and hug
    symbols       m u g   🦜   h u g      of the words 0, 1 and 2
    kept          - x x   -    x x x
    tokens          ug         hug        each takes the symbols that it consists of
    fallen        m       🦜              what no token takes
    library       mu           hug        where the library's offsets put the tokens

If several unknown characters come one after the other, the Unigram model gives each byte the span of all. Here each
byte has the span of its character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from bpe_core.files.library_losses import Seen
from bpe_core.text.alphabet import BYTE_OF, LETTER_OF

Span = tuple[int, int]
BYTE_NAMES = {f"<0x{byte:02X}>": byte for byte in range(256)}
_NAMES = [*BYTE_NAMES]
_FIRST_ID = 1 << 30  # the second tokenizer has its bytes from here on; smaller ids are added tokens


class Placed(NamedTuple):
    """Where tokens are. `spans`: the characters of each token. `fallen`: the bytes of the text that no token has.

    `pretokens`: start, end and number of tokens of each pretoken.
    """

    spans: list[Span]
    fallen: list[Span]
    pretokens: list[tuple[int, int, int]]


Place = Callable[[str, Any, bool], Placed | None]  # takes a text, its encoding, and whether special tokens are found


class _Symbol(NamedTuple):
    """A character of a pretoken, or a letter that stands for a byte.

    `span`: the characters of the text that it comes from. `raw`: its bytes. `pieces`: how the model writes it; none for
    an unknown character. `text`: the character as the model sees it.
    """

    span: Span
    raw: bytes
    pieces: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Placing:
    """Places the tokens of a BPE model. `second`: the second tokenizer.

    `vocabulary`: token → id. `unknown`: the unknown token, or "". `prefix`, `suffix`: what marks tokens within a word
    and at its end. `byte_fallback`: whether unknown characters become bytes. `fuses`: whether unknown characters in a
    row have one unknown token. `whole_words`: whether a word that is a token is not merged. `in_letters`: whether
    letters stand for bytes.
    """

    second: Any
    vocabulary: Mapping[str, int]
    unknown: str
    prefix: str
    suffix: str
    byte_fallback: bool
    fuses: bool
    whole_words: bool
    in_letters: bool

    def placed(self, text: str, found: Any, specials: bool) -> Placed | None:
        """Return where the tokens of an encoding are; None if nothing fell and all offsets are right."""
        self.second.encode_special_tokens = not specials
        other = self.second.encode(text, add_special_tokens=False)
        theirs = dict(_by_word(found))
        before = [0, *accumulate(len(character.encode()) for character in text)]
        placed = Placed([], [], [])
        for word, rows in _by_word(other):
            own = theirs.get(word, [])
            spans, (start, end) = [token.span for token in own], rows[0].span
            if rows[0].id >= _FIRST_ID:
                symbols = self._symbols(rows)
                start, end = _joined(symbols)
                if self._is_wrong(symbols):
                    spans, taken = self._taken(symbols, [token.name for token in own])
                    placed.fallen.extend(_fallen(text, before, symbols, taken))
            placed.spans.extend(spans)
            placed.pretokens.append((start, end, len(own)))
        return placed if placed.fallen or placed.spans != found.offsets else None

    def _symbols(self, rows: Sequence[_Row]) -> list[_Symbol]:
        """Return the symbols of a pretoken, whose bytes the second tokenizer has found."""
        written = bytes(BYTE_NAMES[row.name] for row in rows).decode()
        symbols, at = list[_Symbol](), 0
        for number, character in enumerate(written):
            form = self.prefix * (number > 0) + character + self.suffix * (number == len(written) - 1)
            raw = bytes([BYTE_OF[ord(character)]]) if self.in_letters else character.encode()
            symbols.append(_Symbol(rows[at].span, raw, self._pieces(form), character))
            at += len(character.encode())
        return symbols

    def _pieces(self, form: str) -> tuple[str, ...]:
        """Return the tokens that the model writes for a character with its marks."""
        if form in self.vocabulary:
            return (form,)
        names = tuple(_NAMES[byte] for byte in form.encode()) if self.byte_fallback else ()
        return names if all(name in self.vocabulary for name in names) else ()

    def _is_wrong(self, symbols: Sequence[_Symbol]) -> bool:
        """Return whether the library's offsets of a word may be wrong."""
        if self.whole_words and "".join(symbol.text for symbol in symbols) in self.vocabulary:
            return False
        unknown = any(not symbol.pieces for symbol in symbols)
        as_bytes = any(symbol.pieces and symbol.pieces[0] in BYTE_NAMES for symbol in symbols)
        return (unknown and not self.unknown) or (as_bytes and (unknown or bool(self.prefix or self.suffix)))

    def _taken(self, symbols: Sequence[_Symbol], tokens: Sequence[str]) -> tuple[list[Span], set[int]]:
        """Return the spans of a word's tokens, and the indexes of the symbols that have a token."""
        pieces = [(piece, number) for number, symbol in enumerate(symbols) for piece in symbol.pieces]
        ranges: list[tuple[int, int] | None] = []  # each token's first symbol, and the one after its last
        at = 0
        for token in tokens:
            if at == len(pieces) or (token == self.unknown and pieces[at][0] != token):
                ranges.append(None)
                continue
            first, joined = at, pieces[at][0]
            while joined != token and at + 1 < len(pieces):
                at += 1
                joined += pieces[at][0].removeprefix(self.prefix)
            at += 1
            ranges.append((pieces[first][1], pieces[at - 1][1] + 1))
        return self._with_unknown(symbols, ranges)

    def _with_unknown(
        self, symbols: Sequence[_Symbol], ranges: Sequence[tuple[int, int] | None]
    ) -> tuple[list[Span], set[int]]:
        """Give the unknown tokens, which have no range, the unknown characters that are at their place."""
        taken = {number for number, symbol in enumerate(symbols) if symbol.pieces}
        spans: list[Span] = []
        reached = 0  # the symbol after all that tokens have so far
        for index, found in enumerate(ranges):
            if found is None:
                following = next((after[0] for after in ranges[index:] if after), len(symbols))
                here = [number for number in range(reached, following) if number not in taken]
                alone = not self.fuses and ranges[index + 1 : index + 2] == [None]
                mine = here[:1] if alone else here
                taken |= {*mine}
                found = (mine[0], mine[-1] + 1) if mine else None
            if found is None:
                at = symbols[reached - 1].span[1] if reached else symbols[0].span[0]
                spans.append((at, at))
            else:
                spans.append(_joined(symbols[slice(*found)]))
                reached = max(reached, found[1])
        return spans, taken


def _joined(symbols: Sequence[_Symbol]) -> Span:
    return symbols[0].span[0], max(symbol.span[1] for symbol in symbols)


def _fallen(text: str, before: Sequence[int], symbols: Sequence[_Symbol], taken: set[int]) -> Iterator[Span]:
    """Yield the bytes of the text that no symbol with a token comes from. `before`: the bytes before each character.

    Several symbols come from one character if letters stand for bytes, or if a prefix space stands before it.
    """
    for span, group in groupby(range(len(symbols)), lambda number: symbols[number].span):
        numbers = [*group]
        typed, written = text[slice(*span)].encode(), b"".join(symbols[number].raw for number in numbers)
        if not written.endswith(typed):  # the text was changed
            if not taken.intersection(numbers) and typed:
                yield before[span[0]], before[span[1]]
            continue
        at = before[span[1]] - len(written)
        for is_taken, same in groupby(numbers, taken.__contains__):
            size = sum(len(symbols[number].raw) for number in same)
            start = max(at, before[span[0]])
            at += size
            if not is_taken and start < at:
                yield start, at


class _Row(NamedTuple):
    """A token of an encoding."""

    id: int
    name: str
    span: Span


def _by_word(found: Any) -> Iterator[tuple[int | None, list[_Row]]]:
    """Yield the tokens of each word of an encoding."""
    rows = zip(found.word_ids, map(_Row, found.ids, found.tokens, found.offsets), strict=True)
    for word, group in groupby(rows, lambda row: row[0]):
        yield word, [row for _, row in group]


def placing_of(copy: Callable[[], Any], model: Mapping[str, Any], kind: str, in_letters: bool) -> Place | None:
    """Return what places the tokens of a file; None if the library's offsets are always right.

    `copy`: opens the file once more. `model`: the file's model, of this `kind`. `in_letters`: whether letters stand for
    bytes.
    """
    if kind == "Unigram" and model.get("byte_fallback"):
        return _with_byte_spans
    if kind != "BPE":
        return None
    vocabulary: Mapping[str, int] = model["vocab"]
    prefix, suffix = model.get("continuing_subword_prefix") or "", model.get("end_of_word_suffix") or ""
    unknown, fallback = model.get("unk_token") or "", bool(model.get("byte_fallback"))
    all_bytes = fallback and not prefix and not suffix and BYTE_NAMES.keys() <= vocabulary.keys()
    forms = {(before, after) for before in ("", prefix) for after in ("", suffix)}
    all_letters = in_letters and all(
        before + letter + after in vocabulary for letter in LETTER_OF.values() for before, after in forms
    )
    if all_bytes or all_letters or (unknown and not fallback):
        return None
    second = with_bytes_alone(copy())
    fuses, whole_words = bool(model.get("fuse_unk")), bool(model.get("ignore_merges"))
    return Placing(second, vocabulary, unknown, prefix, suffix, fallback, fuses, whole_words, in_letters).placed


def with_bytes_alone(theirs: Any) -> Any:
    """Return a tokenizer of `tokenizers` with the model of the 256 bytes, and nothing around a text."""
    from tokenizers import models

    theirs.model = models.BPE({name: _FIRST_ID + byte for name, byte in BYTE_NAMES.items()}, [], byte_fallback=True)
    theirs.post_processor = None
    return theirs


def seen_by(found: Any, text: str) -> list[Seen]:
    """Return the characters that a tokenizer with bytes alone has found, each with the span that it comes from."""
    seen: list[Seen] = []
    for _, rows in _by_word(found):
        if rows[0].id < _FIRST_ID:  # an added token
            seen += [Seen(text[slice(*row.span)], row.span) for row in rows]
            continue
        at = 0
        for character in bytes(BYTE_NAMES[row.name] for row in rows).decode():
            seen.append(Seen(character, rows[at].span))
            at += len(character.encode())
    return seen


def _with_byte_spans(text: str, found: Any, specials: bool) -> Placed | None:
    return Placed(byte_spans(text, found.tokens, found.offsets), [], [])


def byte_spans(text: str, tokens: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """Return the spans of a Unigram model's tokens, in which each byte has the span of its character.

    >>> names = ["a", "<0xC3>", "<0xA9>", "<0xC3>", "<0xA8>"]
    >>> byte_spans("aéè", names, [(0, 1), (1, 3), (1, 3), (1, 3), (1, 3)])
    [(0, 1), (1, 2), (1, 2), (2, 3), (2, 3)]
    """
    found: list[Span] = []
    rows = zip(spans, (name in BYTE_NAMES for name in tokens), tokens, strict=True)
    for (span, is_byte), group in groupby(rows, lambda row: row[:2]):
        names = [name for _, _, name in group]
        typed = text[slice(*span)]
        if is_byte and bytes(map(BYTE_NAMES.__getitem__, names)) == typed.encode():
            at = span[0]
            for character in typed:
                found += [(at, at + 1)] * len(character.encode())
                at += 1
        else:
            found += [span] * len(names)
    return found
