"""Checks of what callers give to a tokenizer: texts, ids and `specials`. Each error says what the tokenizer takes."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Set
from numbers import Integral
from operator import index
from typing import TypeVar

from bpe_core import arguments
from bpe_core.text.special_tokens import first_in

T = TypeVar("T")
Specials = bool | Collection[str] | None  # which names of special tokens in a text are tokens: see `Tokenizer`


class SpecialTokenError(ValueError):
    """A text has the name of a special token, and the caller did not say whether that name is the token."""


def recognised(text: str, names: tuple[str, ...], specials: Specials, known: Container[str] = ()) -> bool:
    """Return whether the names of special tokens in a text are tokens.

    Raises `SpecialTokenError` if the text has one of `names` and the caller did not say: `specials` is None, or a
    collection without this name. Raises `TypeError` if `text` is not a str or `specials` is of another type, and
    `ValueError` if the collection has a name that is not in `known`.

    >>> recognised("low", ("<|end|>",), None), recognised("low<|end|>", ("<|end|>",), True)
    (False, True)
    >>> recognised("low<|end|>", ("<|end|>", "<|pad|>"), {"<|end|>"}, ("<|end|>", "<|pad|>"))
    True
    """
    arguments.text(text, "a text to encode")
    if isinstance(specials, bool):
        return specials
    allowed = _names(specials, known)
    found = first_in(text, tuple(name for name in names if name not in allowed) if allowed else names)
    if found:
        add = f"add it to {set(allowed)!r:.60}, or say specials=True" if allowed else "say specials=True"
        raise SpecialTokenError(
            f"the text has the special token {found[0]!r:.60} at character {found.start()}; {add} to "
            "make it one token, or specials=False to read it as text"
        )
    return bool(allowed)


def _names(specials: Collection[str] | None, known: Container[str]) -> frozenset[str]:
    """Return the names of a collection.

    >>> _names("<|end|>", ())
    Traceback (most recent call last):
        ...
    TypeError: specials is True for all special tokens, False for none, a set of their names, or None; it is no str
    """
    if specials is None:
        return frozenset()
    if not isinstance(specials, (Set, list, tuple)) or not all(isinstance(name, str) for name in specials):
        kind = type(specials).__name__
        raise TypeError(
            f"specials is True for all special tokens, False for none, a set of their names, or None; it is no {kind}"
        )
    wrong = next((name for name in specials if name not in known), None)
    if wrong is not None:
        raise ValueError(f"specials has {wrong!r:.60}, which is no special token of this tokenizer")
    return frozenset(specials)


def several(batch: Iterable[T], method: str, of_one: str) -> list[T]:
    """Return as a list a batch of texts or of lists of ids; raise `TypeError` for one text or one list of ids.

    The error names two methods. `method`: the method that takes the batch. `of_one`: the method that takes one text or
    one list of ids.

    >>> several("low", "ids_batch", "ids")
    Traceback (most recent call last):
        ...
    TypeError: ids_batch takes several, such as a list, and this is only one: give it to ids
    """
    if not isinstance(batch, Iterable):
        raise TypeError(f"{method} takes several, such as a list, and this is {type(batch).__name__}")
    rows: list[T] = [] if isinstance(batch, (str, bytes)) else list(batch)
    if isinstance(batch, (str, bytes)) or isinstance(next(iter(rows), None), Integral):
        raise TypeError(f"{method} takes several, such as a list, and this is only one: give it to {of_one}")
    return rows


def whole_numbers(ids: Iterable[int], example: int) -> list[int]:
    """Return ids as Python's ints; raise `TypeError` if an id is not a whole number. `example`: an id for the error.

    >>> whole_numbers([1, 2.5], 7)
    Traceback (most recent call last):
        ...
    TypeError: ids are whole numbers, such as [7], and these are not all
    """
    _check_list(ids, example)
    try:
        numbers = [*ids]
        kinds = [*map(type, numbers)]
        if kinds.count(int) == len(numbers):
            return numbers
        if bool in kinds:  # True is no id, though Python counts with it
            raise TypeError
        return [*map(index, numbers)]
    except TypeError:
        raise TypeError(f"ids are whole numbers, such as [{example}], and these are not all") from None


def each_whole_number(ids: Iterable[int], example: int) -> Iterator[int]:
    """Yield ids while they arrive; errors as for `whole_numbers`.

    >>> list(each_whole_number(iter([1, 2]), 7))
    [1, 2]
    """
    _check_list(ids, example)
    for i in ids:
        yield i if type(i) is int else whole_numbers([i], example)[0]


def _check_list(ids: Iterable[int], example: int) -> None:
    if isinstance(ids, (str, bytes)):
        raise TypeError(f"ids are whole numbers, such as [{example}]; this is {type(ids).__name__}")
    if isinstance(ids, Integral):
        raise TypeError(f"ids are a list, such as [{ids}], and this is one number")
    if not isinstance(ids, Iterable):
        raise TypeError(f"ids are a list, such as [{example}], and this is {type(ids).__name__}")
