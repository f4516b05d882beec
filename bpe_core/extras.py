"""The optional libraries of the package. The error for a missing library names the extra that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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
