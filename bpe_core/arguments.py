"""Checks of what callers give. Each returns the value, or raises an error whose message is a sentence.

The values of settings are checked by their kinds (`kinds`), ids and `specials` in `tokenizer.checks`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
LONGEST_NAME = 255  # characters of a file's name, as most systems have it


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number, Python's own or a library's. True is not a number here."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole(value: int, what: str, hint: str = "") -> int:
    """Return a whole number as an `int`; raise `TypeError` for any other value. `hint`: a clause for the error's end.

    >>> whole(7, "a step")
    7
    >>> whole("x", "an id", "token_to_id gives the id of a token")
    Traceback (most recent call last):
        ...
    TypeError: an id is a whole number, and this is 'x'; token_to_id gives the id of a token
    """
    if type(value) is int:
        return value
    if not is_whole(value):
        raise TypeError(f"{what} is a whole number, and this is {value!r:.60}{hint and '; ' + hint}")
    return int(value)


def text(value: str, what: str = "a text") -> str:
    """Return a str; raise `TypeError` for any other value.

    >>> text(5, "a text to encode")
    Traceback (most recent call last):
        ...
    TypeError: a text to encode is a str, and this is int
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, and this is {type(value).__name__}")
    return value


def several(value: Iterable[T], what: str) -> Iterable[T]:
    """Return an iterable of several values; raise `TypeError` for a str and for any other value.

    >>> several(5, "paths")
    Traceback (most recent call last):
        ...
    TypeError: paths are several in a list, and this is int
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{what} are several in a list, and this is {type(value).__name__}")
    return value


def of_kind(value: object, kind: type, what: str) -> None:
    """Raise `TypeError` for a value that is not of a kind. `what`: a clause that says what is.

    >>> of_kind(5, str, "a title is a str")
    Traceback (most recent call last):
        ...
    TypeError: a title is a str, and this is int
    """
    if not isinstance(value, kind):
        raise TypeError(f"{what}, and this is {type(value).__name__}")


def number(value: float, what: str) -> float:
    """Return a number; raise `TypeError` for any other value.

    >>> number("5", "seconds")
    Traceback (most recent call last):
        ...
    TypeError: seconds is a number, and this is '5'
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{what} is a number, and this is {value!r:.60}")
    return float(value)


def function(value: F | None, what: str) -> F | None:
    """Return a function, or None; raise `TypeError` for a value that cannot be called.

    >>> function(5, "progress")
    Traceback (most recent call last):
        ...
    TypeError: progress is a function, and this is 5
    """
    if value is not None and not callable(value):
        raise TypeError(f"{what} is a function, and this is {value!r:.60}")
    return value


def path(value: str | os.PathLike[str]) -> Path:
    """Return the path of a file; raise `TypeError` for a value that is no name, `ValueError` for an empty name.

    >>> path("story.txt").name
    'story.txt'
    >>> path(" ")
    Traceback (most recent call last):
        ...
    ValueError: the name of a file is empty
    """
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"the name of a file is a str or a Path, and this is {type(value).__name__}")
    if not os.fspath(value).strip():
        raise ValueError("the name of a file is empty")
    return Path(value)


def file_at(value: str | os.PathLike[str]) -> Path:
    """Return the path of a file that is there; raise `FileNotFoundError` or `IsADirectoryError` if it is not.

    >>> file_at("no-such-file.txt")
    Traceback (most recent call last):
        ...
    FileNotFoundError: no-such-file.txt: there is no such file
    """
    found = path(value)
    if found.is_dir():
        raise IsADirectoryError(f"{found}: this is a folder, and a file is needed")
    if not found.exists():
        raise FileNotFoundError(f"{found}: there is no such file")
    return found


def twice_in(names: Iterable[str]) -> str | None:
    """Return the first name that comes twice; None if there is none.

    >>> twice_in(["a", "b", "b"]), twice_in(["a", "b"])
    ('b', None)
    """
    all_of_them = [*names]
    if len(set(all_of_them)) == len(all_of_them):  # the usual case, quickly
        return None
    return next(name for name, number in Counter(all_of_them).items() if number > 1)


def may_be_path(text: str) -> bool:
    r"""Return whether a text could be the path of a file: one line, and no name that is longer than systems allow.

    >>> may_be_path("notes/story.txt"), may_be_path("two\nlines"), may_be_path("a" * 256)
    (True, False, False)
    """
    return text.isprintable() and max(map(len, text.split(os.sep))) <= LONGEST_NAME


def file_to_write(value: str | os.PathLike[str]) -> Path:
    """Return a path that a file can have: its folder is there. Raises errors as `file_at` does.

    >>> file_to_write("no-such-folder/run.json")
    Traceback (most recent call last):
        ...
    FileNotFoundError: no-such-folder: there is no such folder to write to
    """
    found = path(value)
    if found.is_dir():
        raise IsADirectoryError(f"{found}: this is a folder, and the name of a file is needed")
    folder_to_write(found.parent)
    return found


def folder_to_write(folder: Path) -> None:
    """Raise `FileNotFoundError` for a folder that is not there.

    >>> folder_to_write(Path("no-such-folder"))
    Traceback (most recent call last):
        ...
    FileNotFoundError: no-such-folder: there is no such folder to write to
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder to write to")
