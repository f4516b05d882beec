"""Kinds of values. A kind says which values it takes, checks them, reads them from a text and writes them as a text.

`check` takes a value that a program gives, and returns it in the kind's type: a list becomes a tuple. `read` takes any
text, from a link or a command line, and returns the value that the text writes. Both raise `ValueError`, whose message
is a part of a sentence. The message of `check` goes after the name of the value: "has to be a whole number, and is
2.5". The message of `read` is a clause: "it is not a whole number from 1 to 10".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from bpe_core.arguments import is_whole

V = TypeVar("V")
MOST_DIGITS = 12  # of a number in a text
LARGEST = 10**MOST_DIGITS - 1  # so that every value can be written and read
Pair = tuple[bytes, bytes]


class Option(NamedTuple):
    """One of the values to choose from: its title on a screen, and a sentence about it."""

    title: str
    about: str = ""


class Kind(ABC, Generic[V]):
    """A kind of value."""

    @property
    @abstractmethod
    def takes(self) -> str:
        """A noun that describes the values of the kind: "a whole number from 1 on"."""

    @abstractmethod
    def check(self, value: object) -> V:
        """Return a program's value in the type of the kind; `ValueError` if it is no value of the kind."""

    @abstractmethod
    def read(self, text: str) -> V:
        """Return the value that is written in a text; `ValueError` if it is no value of the kind."""

    def write(self, value: V) -> str:
        """Return the text that `read` turns into this value, if a text can write it: no name with a space is in one."""
        return str(value)


def _untitled(key: str, _row: Any) -> Option:
    return Option(key)


@dataclass(frozen=True)
class OneOf(Kind[str]):
    """A kind whose values are the keys of a table.

    `describe(key, row)` returns the option for a key; by default, the key is its title.

    The table is read at every call, so a row that is added later can be chosen.

    >>> end = OneOf({"end": "a mark closes every word", "start": "a mark opens every word"})
    >>> end.takes, end.read("end")
    ('one of end, start', 'end')
    >>> end.read("middle")
    Traceback (most recent call last):
        ...
    ValueError: there is no such choice
    """

    table: Mapping[str, Any]
    describe: Callable[[str, Any], Option] = _untitled

    @property
    def options(self) -> dict[str, Option]:
        """Every key, with its title and a sentence about it."""
        return {key: self.describe(key, row) for key, row in self.table.items()}

    @property
    def takes(self) -> str:
        """A description of the values: "one of", and all keys."""
        return f"one of {', '.join(self.table)}"

    def check(self, value: object) -> str:
        """Return the value if it is a key of the table; raise `ValueError` for any other value."""
        if not isinstance(value, str) or value not in self.table:
            raise ValueError(f"{value!r:.60} is unknown; choose {self.takes}")
        return value

    def read(self, text: str) -> str:
        """Return the text if it is a key of the table; raise `ValueError` for any other text."""
        if text not in self.table:
            raise ValueError("there is no such choice")
        return text


@dataclass(frozen=True)
class Several(Kind[tuple[str, ...]]):
    """A kind whose values are any number of keys, in order. In a text, spaces separate the keys and no key comes twice.

    >>> forms = Several(choice("nfc", "lowercase"))
    >>> forms.read("lowercase nfc"), forms.write(("nfc",)), forms.check(["nfc", "nfc"])
    (('lowercase', 'nfc'), 'nfc', ('nfc', 'nfc'))
    """

    one: OneOf

    @property
    def takes(self) -> str:
        """A description of the values: "any of", and all keys."""
        return f"any of {', '.join(self.one.table)}, in order"

    def check(self, value: object) -> tuple[str, ...]:
        """Return several keys as a tuple; raise `ValueError` for an unknown key."""
        return tuple(self.one.check(key) for key in _texts(value))

    def read(self, text: str) -> tuple[str, ...]:
        """Return the keys that spaces separate; raise `ValueError` for an unknown key, or if a key comes twice."""
        return tuple(map(self.one.read, names(text)))

    def write(self, value: tuple[str, ...]) -> str:
        """Join the keys by spaces."""
        return " ".join(value)


@dataclass(frozen=True)
class WholeNumber(Kind[int]):
    """A whole number from `least` to `most`. In a text it is written in ASCII digits.

    >>> WholeNumber(1).takes, WholeNumber(0, 10).read("007")
    ('a whole number from 1 on', 7)
    >>> WholeNumber(0, 10).read("2.5")
    Traceback (most recent call last):
        ...
    ValueError: it is not a whole number from 0 to 10
    """

    least: int
    most: int | None = None

    @property
    def takes(self) -> str:
        """A description of the values: the range."""
        return f"a whole number from {self.least:,} {'on' if self.most is None else f'to {self.most:,}'}"

    def check(self, value: object) -> int:
        """Return the value as an `int`; raise `ValueError` outside the range, and for True and 2.0."""
        if not is_whole(value):
            raise ValueError(f"has to be a whole number, and is {value!r:.60}")
        number, most = int(value), LARGEST if self.most is None else self.most
        if number < self.least:
            raise ValueError(f"{number} is below {self.least}")
        if number > most:
            raise ValueError(f"{number:.4g} is above {most:,}" if self.most is None else f"{number} is above {most}")
        return number

    def read(self, text: str) -> int:
        """Return the number that a text writes; raise `ValueError` for a number outside the range."""
        number = whole_number(text)
        if number is None or number < self.least or (self.most is not None and number > self.most):
            raise ValueError(f"it is not {self.takes}")
        return number


@dataclass(frozen=True)
class Text(Kind[str]):
    """Any text of up to `most` characters.

    >>> Text(3).read("low")
    'low'
    """

    most: int | None = None

    @property
    def takes(self) -> str:
        """A description of the values: "a text", whatever the limit `most`."""
        return "a text"

    def check(self, value: object) -> str:
        """Return the value if it is a text that is not too long; raise `ValueError` for any other value."""
        if not isinstance(value, str):
            raise ValueError(f"has to be a text, and is {value!r:.60}")
        if self.most is not None and len(value) > self.most:
            raise ValueError(f"is longer than {self.most:,} characters")
        return value

    def read(self, text: str) -> str:
        """Return the text; raise `ValueError` if it is longer than `most` characters."""
        try:
            return self.check(text)
        except ValueError as error:
            raise ValueError(f"it {error}") from None


@dataclass(frozen=True)
class Tokens(Kind[tuple[str, ...]]):
    """A kind whose values are tuples of different texts, none empty.

    A tuple can be written as one text, which has up to `most` characters: spaces separate its texts.

    >>> Tokens().read("<a> <b> <a>"), Tokens().write(("<a>", "<b>"))
    (('<a>', '<b>'), '<a> <b>')
    """

    most: int | None = None

    @property
    def takes(self) -> str:
        """A description of the texts."""
        return "different texts"

    def check(self, value: object) -> tuple[str, ...]:
        """Return several texts as a tuple; raise `ValueError` if one is empty or comes twice."""
        tokens = _texts(value)
        if "" in tokens or len(set(tokens)) < len(tokens):
            raise ValueError("must be different and not empty")
        return tokens

    def read(self, text: str) -> tuple[str, ...]:
        """Return the texts between spaces, each once."""
        return tuple(dict.fromkeys(Text(self.most).read(text).split()))

    def write(self, value: tuple[str, ...]) -> str:
        """Join the texts by spaces."""
        return " ".join(value)


@dataclass(frozen=True)
class PairsAtSteps(Kind[dict[int, Pair]]):
    """A kind whose values are pairs of tokens by step.

    In a text, commas separate the pairs; `step:left.right` has the tokens' bytes in hex.

    >>> pairs = PairsAtSteps().read("2:65.73,7:6c6f.77")
    >>> pairs
    {2: (b'e', b's'), 7: (b'lo', b'w')}
    >>> PairsAtSteps().write(pairs)
    '2:65.73,7:6c6f.77'
    """

    @property
    def takes(self) -> str:
        """A description of the steps and the pairs."""
        return "steps from 1 on, each with its pair of tokens"

    def check(self, value: object) -> dict[int, Pair]:
        """Return step → pair; raise `ValueError` if a step is below 1, and for any other value."""
        if not isinstance(value, Mapping):
            raise ValueError(f"has to map steps to pairs of tokens, and is {value!r:.60}")
        for step in value:
            if not is_whole(step) or step < 1:
                raise ValueError(f"has a pair at step {step!r:.60}: the first step is 1")
            if step > LARGEST:
                raise ValueError(f"has a pair at step {step:.4g}: no training has so many steps")
        return {int(step): _pair(pair) for step, pair in value.items()}

    def read(self, text: str) -> dict[int, Pair]:
        """Return step → pair; raise `ValueError` for any other text."""
        pairs: dict[int, Pair] = {}
        for part in filter(None, text.split(",")):
            step, _, pair = part.partition(":")
            left, _, right = pair.partition(".")
            try:
                pairs[whole_number(step) or 0] = bytes.fromhex(left), bytes.fromhex(right)
            except ValueError:
                raise ValueError("its choices of pairs cannot be read") from None
        if 0 in pairs or not all(map(all, pairs.values())):
            raise ValueError("its choices of pairs cannot be read")
        return pairs

    def write(self, value: Mapping[int, Pair]) -> str:
        """Write the pairs in the order of their steps."""
        return ",".join(f"{step}:{left.hex()}.{right.hex()}" for step, (left, right) in sorted(value.items()))


def whole_number(text: str) -> int | None:
    """Return a whole number in ASCII digits, twelve at most; None for any other text.

    >>> whole_number("0000009"), whole_number("2.5"), whole_number("9" * 13)
    (9, None, None)
    """
    return int(text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdigit() else None


def names(text: str) -> tuple[str, ...]:
    """Return the names that spaces separate in a text; raise `ValueError` if a name comes twice.

    >>> names("lowercase nfc")
    ('lowercase', 'nfc')
    """
    found = tuple(text.split())
    if len(set(found)) < len(found):
        raise ValueError("it has a name twice")
    return found


def choice(*keys: str) -> OneOf:
    """Return the kind whose values are these keys. Each key is its own title."""
    return OneOf(dict.fromkeys(keys))


def _texts(value: object) -> tuple[str, ...]:
    """Return several texts as a tuple. A single text is refused: its letters would be taken for the texts."""
    texts = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (None,)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"has to be a tuple of names, and is {value!r:.60}")
    return texts


def _pair(value: object) -> Pair:
    match value:
        case [bytes(left), bytes(right)]:
            return left, right
    raise ValueError(f"has to map steps to pairs of tokens, and has the pair {value!r:.60}")
