"""How a value is read from a link, which is not to be trusted: each reader gives the value or raises `ValueError`.

The error's message says what is wrong, as the end of a sentence: "there is no such choice".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

MOST_DIGITS = 12  # of a number; the largest of the app's has ten


def choice(options: Iterable[str]) -> Callable[[str], str]:
    """One of the options.

    >>> choice(["end", "start"])("middle")
    Traceback (most recent call last):
        ...
    ValueError: there is no such choice
    """
    options = list(options)

    def read(value: str) -> str:
        if value not in options:
            raise ValueError("there is no such choice")
        return value

    return read


def several(one: Callable[[str], str]) -> Callable[[str], list[str]]:
    """Any number of values, separated by spaces, none twice; `one` reads each.

    >>> several(choice(["nfc", "lowercase"]))("lowercase nfc")
    ['lowercase', 'nfc']
    """

    def read(value: str) -> list[str]:
        chosen = [one(name) for name in value.split()]
        if len(set(chosen)) < len(chosen):
            raise ValueError("it has a name twice")
        return chosen

    return read


def whole_number(text: str) -> int | None:
    """A whole number in ASCII digits, of at most twelve; None for any other text.

    >>> whole_number("0000009"), whole_number("2.5"), whole_number("9" * 13)
    (9, None, None)
    """
    return int(text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdigit() else None


def number(least: int, most: int) -> Callable[[str], int]:
    """A whole number in ASCII digits.

    >>> number(0, 10)("7")
    7
    >>> number(0, 10)("00000000000199999999")
    Traceback (most recent call last):
        ...
    ValueError: it is not a whole number from 0 to 10
    """

    def read(value: str) -> int:
        found = whole_number(value)
        if found is None or not least <= found <= most:
            raise ValueError(f"it is not a whole number from {least:,} to {most:,}")
        return found

    return read


def text(most: int) -> Callable[[str], str]:
    """Any text of up to `most` characters.

    >>> text(3)("low")
    'low'
    """

    def read(value: str) -> str:
        if len(value) > most:
            raise ValueError(f"it is longer than {most:,} characters")
        return value

    return read


def spelt(letters: str, most: int) -> Callable[[str], str]:
    """A text of these letters only.

    >>> spelt("01", 8)("0110")
    '0110'
    """

    def read(value: str) -> str:
        if len(value) > most or set(value) - set(letters):
            raise ValueError("it cannot be read")
        return value

    return read


def name(value: str) -> str:
    """The key of a row in a table that is not known here, such as a page's view.

    >>> name("held-out")
    'held-out'
    """
    if not value.replace("-", "").isalnum() or not value.isascii() or len(value) > 30:
        raise ValueError("it is not a name")
    return value


def price(value: str) -> str:
    """An amount of money as it was written; "" for none. The view says where it is not a number.

    >>> price("2,50 €")
    '2,50 €'
    """
    if len(value) > 20:
        raise ValueError("it is not an amount such as 2.50")
    return value


def of_kind(value: Any, default: Any) -> Any:
    """A value from a widget, of a list the texts; the default where it is of another kind: it comes from a browser.

    >>> of_kind(["nfc", 5], []), of_kind([], "low"), of_kind(None, "low")
    (['nfc'], 'low', None)
    """
    if isinstance(value, list):
        value = [each for each in value if isinstance(each, str)]
    return value if value is None or default is None or isinstance(value, type(default)) else default
