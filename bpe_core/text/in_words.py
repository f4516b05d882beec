"""Numbers that people see: "once", "1,200 tokens", "34%", "a, b and c".

The browser has some of these functions in `pictures/shared/numbers.js`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor


def times(count: int) -> str:
    """Return a count of occurrences in words.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun; `many`: the plural, if the plural is not `one` with an s.

    >>> counted(1, "token"), counted(1200, "token"), counted(2, "word is", "words are")
    ('1 token', '1,200 tokens', '2 words are')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def size(count: int) -> str:
    """Return a number of bytes in bytes, kB or MB.

    >>> size(1), size(812), size(37_589), size(1_234_567), size(45_000_000_000)
    ('1 byte', '812 bytes', '38 kB', '1.2 MB', '45,000 MB')
    """
    if count < 1_000:
        return counted(count, "byte")
    unit, name = (1_000, "kB") if count < 999_500 else (1_000_000, "MB")
    return f"{count / unit:,.{0 if count >= 10 * unit else 1}f} {name}"


def percent(part: float, whole: float = 1) -> str:
    """Return a share in percent. Only nothing is "0%", and only all is "100%".

    Half a unit of the last place is rounded up, as in the browser.

    >>> [percent(share) for share in (0, 0.34, 0.056, 0.0034, 0.0003, 0.00001, 0.9999, 1, 2.5)]
    ['0%', '34%', '5.6%', '0.3%', '0.03%', '< 0.01%', '> 99%', '100%', '250%']
    >>> percent(1, 8)
    '13%'
    """
    share = part / whole if whole else 0.0
    if 0.995 <= share < 1:
        return "> 99%"
    if 0 < share < 0.0001:
        return "< 0.01%"
    places = 0 if share >= 0.1 or not share else 1 if share >= 0.001 else 2
    return f"{floor(100 * 10**places * share + 0.5) / 10**places:.{places}f}%"


def percents(shares: Sequence[float]) -> list[str]:
    """Return shares of one whole that stand side by side, all with the same number of places, so that they add up.

    >>> percents([0.966, 0.031, 0.002, 0.001])
    ['96.6%', '3.1%', '0.2%', '0.1%']
    >>> percents([0.75, 0.25]), percents([0.99999, 0.00001]), percents([1.0])
    (['75%', '25%'], ['> 99.9%', '< 0.1%'], ['100%'])
    """
    places = 1 if any(0 < share < 0.1 for share in shares) else 0
    least = 10.0**-places  # percent
    return [
        f"< {least:.{places}f}%"
        if 0 < 100 * share < least / 2
        else f"> {100 - least:.{places}f}%"
        if 100 - least / 2 <= 100 * share < 100
        else f"{floor(100 * share / least + 0.5) * least:.{places}f}%"
        for share in shares
    ]


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names in a row.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def lost_pieces(count: int) -> str:
    """Return a clause: how many pieces of a text are lost, since the vocabulary cannot write them; "" for no piece.

    >>> lost_pieces(6), lost_pieces(1), lost_pieces(0)
    ('6 pieces of the text are lost', '1 piece of the text is lost', '')
    """
    return f"{counted(count, 'piece')} of the text {'is' if count == 1 else 'are'} lost" if count else ""
