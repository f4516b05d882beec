"""Making a text as short as it can be, while two tokenizers still differ on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

WHOLE = 40  # characters of a text of which all parts are tried at once

Differing = Callable[[Sequence[str]], Iterable[bool]]


def simplicity(text: str) -> tuple[int, bool, str]:
    """Return a key that sorts texts: the shortest first, of equally short ones those that can be seen.

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
