"""The optional libraries of the package: the sentences for a library that is not installed, or is too new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

TOO_NEW = {"tokenizers": 1}  # the first version of a library that lacks what is used of it; see also pyproject.toml


class MissingExtraError(ImportError):
    """A library that is not installed; the message is one sentence that says how to install it."""


@contextmanager
def needed(extra: str, what: str) -> Iterator[None]:
    """Raise `MissingExtraError` if an import in the block finds no library.

    `extra`: the extra of the package that installs the library. `what`: what needs the library; the error's sentence
    begins with these words.

    >>> with needed("png", "a PNG"):
    ...     import no_library
    Traceback (most recent call last):
        ...
    bpe_core.extras.MissingExtraError: a PNG needs no_library, which is not installed: in a checkout of \
Mergescope, pip install ".[png]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(missing(extra, what, error.name or "a library"), name=error.name) from None


def missing(extra: str, what: str, library: str) -> str:
    """Return the sentence that says how to install a library."""
    install = f'in a checkout of Mergescope, pip install ".[{extra}]"'
    return f"{what} needs {library}, which is not installed: {install}"


def too_new(what: str, library: str, version: str) -> str:
    """Return the sentence for a version of a library that is too new; "" for a version that is not.

    >>> too_new("opening this file", "tokenizers", "0.23.3")
    ''
    >>> print(too_new("opening this file", "tokenizers", "1.0.0-rc.3"))
    opening this file needs tokenizers before version 1, and version 1.0.0-rc.3 is installed: \
pip install "tokenizers<1"
    """
    first = TOO_NEW[library]
    if int(version.partition(".")[0]) < first:
        return ""
    install = f'pip install "{library}<{first}"'
    return f"{what} needs {library} before version {first}, and version {version} is installed: {install}"
