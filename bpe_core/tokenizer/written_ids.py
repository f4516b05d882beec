"""Ids as people paste them: a list, JSON, a printed tensor, one a line, and the other forms of `printed_forms`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from bpe_core.text.encodings import without_mark
from bpe_core.tokenizer.printed_forms import form_of, lists_in

# A text that is nothing but ids may still be meant as text, such as "1 2 3". In brackets, so many ids are taken for
# ids; without brackets, so many.
LEAST_IN_BRACKETS, LEAST_BARE = 2, 8
_BEGINS_LIST = re.compile(r"\s*[\[{]")
_BEGINS_BARE = re.compile(r"[\s(]*-?[0-9]|\s*- |\s*[A-Za-z_][\w.]*\(-?[0-9]")
# A number, or what stands in its place: np.int64(5), tensor(5), 5u32, 5n, and 5. or 5.0 in an array of floats.
_WORD = re.compile(
    r"(?:[A-Za-z_][\w.]*\(\s*(-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)(?:\s*,[^()]*)?\s*\)|([^\s,;\[\](){}]+))"
)
_CALLED = re.compile(r"[A-Za-z_][\w.]*\(\s*(-?[0-9]+)[^()]*\)")
_INNER = re.compile(r"\[[^][(){}]*]|\([^][(){}]*\)|\{[^][(){}]*}")  # a list that has no list
_NUMBER = re.compile(r"(-?[0-9]{1,9})(?:n|L|\.0*|[iu](?:8|16|32|64|size))?")
_POWER = re.compile(r"-?[0-9]\.([0-9]*)e\+?([0-9]{1,2})", re.IGNORECASE)  # 1.51904e+05
_CUT = re.compile(
    r"-?[0-9]*(?:\.{2,}|[.…⋮⋯]+)|[<+][0-9]+|more>?|truncated", re.IGNORECASE
)  # "..., 9", "... 5 more items"
_GROUPED = re.compile(r"\s*-?[0-9]{1,3}(?:,[0-9]{3})+\s*")  # one number, such as 1,234


def read_ids(text: str, most: int | None = None) -> list[int]:
    """Return the ids in a text; raise `ValueError` for a text that is anything else.

    The ids of several lists come one after the other. A negative number counts as an id that no vocabulary has.
    `most`: the most ids that are read; what comes after them is ignored.

    >>> read_ids("[15496, 995]"), read_ids("tensor([[15496,   995]], device='cuda:0')"), read_ids("15496\\n995")
    ([15496, 995], [15496, 995], [15496, 995])
    >>> read_ids("[15496.   995.]"), read_ids("input_ids: 15496 995")
    ([15496, 995], [15496, 995])
    >>> read_ids('{"ids": [15496, 995], "tokens": ["Hello", " world"]}'), read_ids("[np.int64(15496), np.int64(995)]")
    ([15496, 995], [15496, 995])
    >>> read_ids("[15496, 99.5]")
    Traceback (most recent call last):
        ...
    ValueError: '99.5' is not an id; ids are whole numbers with spaces between them
    """
    return _read(text, most, points=True)


def read_batch(text: str) -> list[list[int]]:
    """Return the lists of ids in a text, such as the rows of a matrix; one list if it has no list in a list.

    Raises `ValueError` as `read_ids` does.

    >>> read_batch("[[464, 262], [3290]]"), read_batch("[15496, 995]")
    ([[464, 262], [3290]], [[15496, 995]])
    """
    ids, parts = read_ids(text), [*lists_in(without_mark(text).strip())]
    if len(parts) > 1 and text.lstrip().startswith("[") and all(map(_BEGINS_LIST.match, parts)):
        return [read_ids(part) for part in parts]
    inner = [list_ for part in parts for list_ in _INNER.findall(_CALLED.sub(r"\1", part))]
    return [read_ids(list_) for list_ in inner] if len(parts) == 1 and len(inner) > 1 else [ids]


def _read(text: str, most: int | None, points: bool) -> list[int]:
    """Return the ids in a text; `points`: whether a whole number with a point, such as "5." or "5.0", is an id."""
    lists: list[str] = []
    found = _kept(lists_in(without_mark(text).strip()), lists)
    ids = [*islice((_id(word, points) for each in found for word in _WORD.finditer(each)), most)]
    if any(each.count(opening) != each.count(closing) for each in lists for opening, closing in ("[]", "()", "{}")):
        raise ValueError("a bracket is missing; paste all of the list of ids")
    return ids


def _kept(lists: Iterable[str], kept: list[str]) -> Iterator[str]:
    """Yield each list, and add it to `kept`."""
    for each in lists:
        kept.append(each)
        yield each


def _id(word: re.Match[str], points: bool) -> int:
    number = _NUMBER.fullmatch(word[1] or word[2])
    if number and (points or "." not in number[0]):
        return int(number[1])
    if points and (power := _POWER.fullmatch(word[1] or word[2])):
        if len(power[1]) < int(power[2]):  # PyTorch prints 151904 as 1.5190e+05
            raise ValueError(f"{word[0][:40]!r} may be rounded; print the ids as whole numbers")
        if (value := float(power[0])).is_integer():
            return int(value)
    if _CUT.fullmatch(word[0]):
        raise ValueError("the list of ids is cut short; paste all of it")
    raise ValueError(f"{word[0][:40]!r} is not an id; ids are whole numbers with spaces between them")


def ids_listed(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is written as a list: in brackets, or as two numbers or more; None for one number.

    Raises `ValueError` as `read_ids` does. `most`: as for `read_ids`.

    >>> ids_listed("15496 995"), ids_listed("[15496]"), ids_listed("2024"), ids_listed("1,234"), ids_listed("[]")
    ([15496, 995], [15496], None, None, None)
    """
    text = without_mark(text)
    ids = read_ids(text, most)
    is_list = _is_list(text) or (len(ids) > 1 and not _GROUPED.fullmatch(text))
    return ids if ids and is_list else None


def ids_alone(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is surely meant as ids; None for any other text. `most`: as for `read_ids`.

    >>> ids_alone("[15496, 995]"), ids_alone("1 2 3"), ids_alone("[a, b]")
    ([15496, 995], None, None)
    """
    text = without_mark(text)
    is_list = _is_list(text)
    if not is_list and not _BEGINS_BARE.match(text):
        return None
    try:
        ids = _read(text, most, points=False)  # numbers with a point may be meant as text
    except ValueError:
        return None
    return ids if len(ids) >= (LEAST_IN_BRACKETS if is_list else LEAST_BARE) else None


def _is_list(text: str) -> bool:
    """Return whether a text has brackets or a form that only ids have."""
    form = form_of(text.strip())
    return form.surely if form else bool(_BEGINS_LIST.match(text))
