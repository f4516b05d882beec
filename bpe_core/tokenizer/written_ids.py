"""Ids as people paste them: a list, JSON, a dictionary with a list named `input_ids`, a printed tensor, one a line."""

from __future__ import annotations

import re
from itertools import islice

from bpe_core.text.encodings import without_mark

# A text that is nothing but ids may still be meant as text, such as "1 2 3". In brackets, so many ids are taken for
# ids; without brackets, so many.
LEAST_IN_BRACKETS, LEAST_BARE = 2, 8
_TENSOR = re.compile(r"[A-Za-z_][\w.]*\(\s*(?P<list>\[.*\])\s*(?:,[^\[\]()]*)?\)", re.DOTALL)
_NAMED = re.compile(
    r"""["'](?:ids|input_ids|token_ids)["']\s*:\s*(?:[A-Za-z_][\w.]*\(\s*)?(?P<list>\[[^A-Za-z"'{}]*\])"""
)
_BEGINS_LIST = re.compile(r"\s*(?:\[|\{|[A-Za-z_][\w.]*\(\s*\[)")
_BEGINS_BARE = re.compile(r"[\s(]*-?[0-9]")
_WORD = re.compile(r"[^\s,;\[\]()]+")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_GROUPED = re.compile(r"\s*-?[0-9]{1,3}(?:,[0-9]{3})+\s*")  # one number, such as 1,234


def read_ids(text: str, most: int | None = None) -> list[int]:
    """Return the ids in a text; raise `ValueError` for a text that is anything else.

    The ids of several lists come one after the other. A negative number counts as an id that no vocabulary has.
    `most`: only so many ids are read, whatever comes after them.

    >>> read_ids("[15496, 995]"), read_ids("tensor([[15496,   995]], device='cuda:0')"), read_ids("15496\\n995")
    ([15496, 995], [15496, 995], [15496, 995])
    >>> read_ids('{"ids": [15496, 995], "tokens": ["Hello", " world"]}')
    [15496, 995]
    >>> read_ids("[15496, 99.5]")
    Traceback (most recent call last):
        ...
    ValueError: '99.5' is not an id; ids are whole numbers with spaces between them
    """
    lists = _lists(without_mark(text).strip())
    ids = []
    for word in islice((match[0] for each in lists for match in _WORD.finditer(each)), most):
        if not _NUMBER.fullmatch(word):
            if word.strip(".…") == "":
                raise ValueError("the list of ids is cut short; paste all of it")
            raise ValueError(f"{word[:40]!r} is not an id; ids are whole numbers with spaces between them")
        ids.append(int(word))
    if any(each.count(opening) != each.count(closing) for each in lists for opening, closing in ("[]", "()")):
        raise ValueError("a bracket is missing; paste all of the list of ids")
    return ids


def _lists(text: str) -> list[str]:
    """Return the lists in a text, without what is around them: names, the signs of a tensor."""
    if text.startswith("{"):
        found = [match["list"] for match in _NAMED.finditer(text)]
        if not found:
            raise ValueError("there is no list of ids with the name ids, input_ids or token_ids")
        return found
    tensor = _TENSOR.fullmatch(text)
    return [tensor["list"] if tensor else text]


def ids_listed(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is written as a list: in brackets, or as two numbers or more; None for one number.

    Raises `ValueError` as `read_ids` does. `most`: as for `read_ids`.

    >>> ids_listed("15496 995"), ids_listed("[15496]"), ids_listed("2024"), ids_listed("1,234"), ids_listed("[]")
    ([15496, 995], [15496], None, None, None)
    """
    text = without_mark(text)
    ids = read_ids(text, most)
    is_list = _BEGINS_LIST.match(text) or (len(ids) > 1 and not _GROUPED.fullmatch(text))
    return ids if ids and is_list else None


def ids_alone(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is surely meant as ids; None for any other text. `most`: as for `read_ids`.

    >>> ids_alone("[15496, 995]"), ids_alone("1 2 3"), ids_alone("[a, b]")
    ([15496, 995], None, None)
    """
    text = without_mark(text)
    is_list = _BEGINS_LIST.match(text)
    if not is_list and not _BEGINS_BARE.match(text):
        return None
    try:
        ids = read_ids(text, most)
    except ValueError:
        return None
    return ids if len(ids) >= (LEAST_IN_BRACKETS if is_list else LEAST_BARE) else None
