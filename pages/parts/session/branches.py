"""Choices of the learner: "at step 12 take this pair instead", as they stand in a link.

One choice is `step:left.right`, the tokens' bytes in hex; several are joined by commas.
"""

from __future__ import annotations

MOST = 100


def parse(text: str) -> dict[int, tuple[bytes, bytes]]:
    """The choices by step; raises `ValueError` for anything else.

    >>> parse("2:65.73,7:6c6f.77")
    {2: (b'e', b's'), 7: (b'lo', b'w')}
    """
    choices = {}
    for choice in filter(None, text.split(",")):
        step, _, pair = choice.partition(":")
        choices[int(step)] = pair_of(pair)
    return choices


def pair_of(text: str) -> tuple[bytes, bytes]:
    """One pair.

    >>> pair_of("6c6f.77")
    (b'lo', b'w')
    """
    left, _, right = text.partition(".")
    return bytes.fromhex(left), bytes.fromhex(right)


def write(choices: dict[int, tuple[bytes, bytes]]) -> str:
    """The other way round.

    >>> write({7: (b"lo", b"w"), 2: (b"e", b"s")})
    '2:65.73,7:6c6f.77'
    """
    return ",".join(f"{step}:{left.hex()}.{right.hex()}" for step, (left, right) in sorted(choices.items()))


def read(text: str) -> str:
    """Choices from a link, checked; `ValueError` says what is wrong with them."""
    try:
        choices = parse(text)
    except ValueError:
        raise ValueError("its choices of pairs cannot be read") from None
    if len(choices) > MOST or not all(step >= 1 and left and right for step, (left, right) in choices.items()):
        raise ValueError("its choices of pairs cannot be read")
    return write(choices)
