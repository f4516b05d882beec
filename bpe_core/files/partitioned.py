"""Special tokens that a library does not find itself: the text between them is all that the library is given.

llama.cpp and transformers search a text for the names of special tokens first. llama.cpp takes the longest name first.
Each part between two names is then a text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from bpe_core.files.libraries import Library, LibraryTokens
from bpe_core.files.library_losses import Seen

_ASCII_SPACE = " \t\n\v\f\r"
_SPACES = re.compile(f"[{_ASCII_SPACE}]*")


class Partitioned:
    """A library that is only given what is between the special tokens of a text. It is a `Library` itself."""

    def __init__(
        self,
        library: Library,
        always: Mapping[str, int],
        specials: Mapping[str, int],
        strips: Mapping[str, str],
        later: Library | None = None,
        named: bool = False,
        spaces: tuple[str, ...] = (),
    ) -> None:
        """Store the library, and the special tokens: those that are always found, and those found on demand.

        `strips`: name → "lstrip", "rstrip" or both with a space between them, for tokens that take the white space
        before or after them. `later`: the library for what comes after a special token, if it is another one. `named`:
        whether decoding writes the names of the special tokens; the library decodes them if it does not. `spaces`: what
        files beside the library's say about the space before a text, such as "legacy: false".
        """
        self.spaces = spaces
        self._library, self._later, self._strips = library, later or library, strips
        self._names = {i: name for name, i in {**always, **specials}.items()} if named else {}
        self._ids = {False: _longest_first(always), True: _longest_first({**always, **specials})}

    def _parts(self, text: str, specials: bool) -> Iterator[tuple[int, int, int | None]]:
        """Yield start, end and id of each special token. For what is between two special tokens the id is None."""
        parts: list[tuple[int, int, int | None]] = [(0, len(text), None)]
        for name, token_id in self._ids[specials].items():
            if name in text:
                parts = [new for part in parts for new in self._cut(text, part, name, token_id)]
        return iter(parts)

    def _cut(
        self, text: str, part: tuple[int, int, int | None], name: str, token_id: int
    ) -> Iterator[tuple[int, int, int | None]]:
        start, end, known = part
        strips = self._strips.get(name, "")
        while known is None and (at := text.find(name, start, end)) >= 0:
            before, after = at, at + len(name)
            if "lstrip" in strips:
                before = start + len(text[start:at].rstrip(_ASCII_SPACE))
            if "rstrip" in strips and (spaces := _SPACES.match(text, after, end)):
                after = spaces.end()
            if before > start:
                yield start, before, None
            yield at, at + len(name), token_id
            start = after
        if end > start:
            yield start, end, known

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text."""
        found = [LibraryTokens.of(text, [], [], [])]
        counted, offset = 0, 0  # characters, and their bytes
        for word, (start, end, token_id) in enumerate(self._parts(text, specials)):
            counted, offset = start, offset + len(text[counted:start].encode())
            if token_id is None:
                library = self._later if start else self._library
                ids, starts, ends, _, fallen, pretokens = library.encode(text[start:end], specials)
                words, at = np.full(len(ids), word), np.int32(start)
                pretokens = pretokens + np.array([start, start, 0])
                found.append(LibraryTokens(ids, starts + at, ends + at, words, fallen + offset, pretokens))
            else:
                found.append(LibraryTokens.of(text, [token_id], [(start, end)], [word]))
        return LibraryTokens(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, special tokens recognised."""
        return [self.encode(text, True).ids.tolist() for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens included."""
        if self._names.keys().isdisjoint(ids):
            return self._library.decode(ids)
        found = ""
        for name, part in groupby(ids, self._names.get):
            several, library = [*part], self._later if found else self._library
            found += library.decode(several) if name is None else name * len(several)
        return found

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the parts of a text after its normalization, and the parts that are in pretokens."""
        found: tuple[list[Seen], list[Seen]] = ([], [])
        for start, end, token_id in self._parts(text, specials):
            part, library = text[start:end], self._later if start else self._library
            name = [Seen(part, (0, len(part)))]
            both = (name, name) if token_id is not None else library.before_model(part, specials)
            for all_of, some in zip(found, both, strict=True):
                all_of += [Seen(seen, (a + start, b + start)) for seen, (a, b) in some]
        return found


def _longest_first(names: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(names.items(), key=lambda row: -len(row[0].encode())))


def overlapping(names: Iterable[str]) -> bool:
    """Return whether a name can begin within another one and end after it, so that it matters which is found first.

    >>> overlapping(["<|a|>", "<|b|>"]), overlapping(["<|a|>", "|><|b|>"])
    (False, True)
    """
    beginnings = {name[:size] for name in names for size in range(1, len(name))}
    return any(name[-size:] in beginnings for name in names for size in range(1, len(name)))
