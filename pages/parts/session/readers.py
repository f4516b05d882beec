"""How the values that only pages have are read from a link, which is not to be trusted.

Each reader returns the value or raises `ValueError` with the end of a sentence: "it is not a name". The readers that
the settings have too are in `bpe_core.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def listed(read: Callable[[str], tuple[str, ...]]) -> Callable[[str], list[str]]:
    """Return the same reader for a list, which a menu of several choices gives.

    >>> from bpe_core.kinds import Several, choice
    >>> listed(Several(choice("nfc", "lowercase")).read)("lowercase nfc")
    ['lowercase', 'nfc']
    """
    return lambda text: list(read(text))


def spelt(letters: str, most: int) -> Callable[[str], str]:
    """Return a reader of texts of these letters.

    >>> spelt("01", 8)("0110")
    '0110'
    """

    def read(value: str) -> str:
        if len(value) > most or set(value) - set(letters):
            raise ValueError("it cannot be read")
        return value

    return read


def name(value: str) -> str:
    """Return a key of a table that is not known here, such as a page's view.

    >>> name("held-out")
    'held-out'
    """
    if not value.replace("-", "").isalnum() or not value.isascii() or len(value) > 30:
        raise ValueError("it is not a name")
    return value


def price(value: str) -> str:
    """Return an amount of money as it was written, "" for none; the view says when it is not a number.

    >>> price("2,50 €")
    '2,50 €'
    """
    if len(value) > 20:
        raise ValueError("it is not an amount such as 2.50")
    return value


def of_kind(value: Any, default: Any) -> Any:
    """Return a value that a browser sends, of a list only the texts; the default if it is of another type.

    >>> of_kind(["nfc", 5], []), of_kind([], "low"), of_kind(None, "low")
    (['nfc'], 'low', None)
    """
    if isinstance(value, list):
        value = [each for each in value if isinstance(each, str)]
    return value if value is None or default is None or isinstance(value, type(default)) else default
