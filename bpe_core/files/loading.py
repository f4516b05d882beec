"""A tokenizer by its name or its path. Only a file, or a name that is not known, needs the formats of files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_core import by_name
from bpe_core.arguments import may_be_path

if TYPE_CHECKING:
    from bpe_core.by_name import GivenTokenizer
    from bpe_core.text.rules import Pretokenizer
    from bpe_core.tokenizer.tokenizer import Tokenizer

_OWNER_AND_MODEL = re.compile(r"\w[\w.-]*/\w[\w.-]*")


def load(path: str | os.PathLike[str], pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return a tokenizer by its name or its path.

    `path` is one of
    - a vocabulary that ships with the project, such as `o200k_base`, or a model that uses one, such as `gpt-4o` (see
      `PUBLISHED`),
    - a model on the Hugging Face Hub: `hub:owner/model`,
    - a file. If its format has two files, the second is read from the same folder: the one with a usual name, or else
      the one that fits by its content.
    - a folder that has such files, under their usual names or as the only tokenizer under any names.

    Of a model and of a file, what is beside it is read too: see `loads`.

    Ids are of the text alone. What a file adds around a text, such as `[CLS]`, comes with `add_special_tokens=True`.
    Truncation, padding and dropout that a file asks for are left out, and `assumptions` of the tokenizer says so.

    The three named vocabularies that were asked for last stay in memory, 270 MB if they are the largest.
    So `load("gpt-4o").ids(text)` may stand in a loop. A file is opened anew at each call.

    A `Path` is always a file, and so is a str with a folder in it, such as `./gpt2`. Arguments and errors are as for
    `loads`. In addition, raises `OSError` if a file cannot be read, and `HubError` if the Hub does not have the model.

    >>> load("gpt-4o").ids("Hello world")
    [13225, 2375]
    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import Settings, train
    >>> with TemporaryDirectory() as folder:
    ...     (path,) = train("hug hug pug", Settings(vocab_size=258)).tokenizer().save(folder)
    ...     load(path).ids("hug")
    [257]
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"load takes a name or a path, and this is {type(path).__name__}; loads takes contents")
    published = by_name.published(path) if isinstance(path, str) else None
    if published and pretokenizer is None:
        return published.load()
    from bpe_core.files import hub, opening
    from bpe_core.files.format import FormatError

    if published:
        return opening.split_by(published.load(), opening.chosen_of(pretokenizer))
    if not os.fspath(path).strip():
        raise FormatError("a name is needed, such as gpt-4o, or a file; for this folder say '.'")
    if isinstance(path, str) and path.startswith(hub.PREFIX):
        return opening.loads(hub.fetch(path.removeprefix(hub.PREFIX)), pretokenizer)
    if isinstance(path, str) and not os.path.exists(path):
        _check_name(path)
    return opening.loads(opening.contents_at(Path(path)), pretokenizer)


def _check_name(path: str) -> None:
    """Raise `FileNotFoundError` if the path of a file that is not there looks like the name of a tokenizer."""
    from bpe_core.files.opening import READABLE
    from bpe_core.published import PUBLISHED, near

    if not may_be_path(path):
        raise FileNotFoundError(
            f"no tokenizer and no file has the name {f'{path:.40}…'!r}: it has {len(path):,} characters"
        )
    ends = tuple(end[end.rindex(".") :] for row in READABLE.values() for end in row.ends)
    if _OWNER_AND_MODEL.fullmatch(path) and not path.endswith(ends):
        raise FileNotFoundError(f"{path}: there is no such file; if it is a model on the Hub, say hub:{path}")
    if path.count("/") <= 1 and Path(path).suffix not in ends:
        is_it = f"Is it {' or '.join(names)}? " if (names := near(path)) else ""
        raise FileNotFoundError(
            f"{path}: there is no such file, and no vocabulary of this name. {is_it}There are "
            f"{', '.join(PUBLISHED)}; these by the names of their models too, such as gpt-4o; and a model of the "
            "Hub as hub:owner/model"
        )


def opened(tokenizer: GivenTokenizer, pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return the tokenizer that a caller means; `TypeError` for anything else.

    `tokenizer`: a tokenizer, a run, what `load` takes, or the path of a run that `Run.save` wrote. `pretokenizer`: as
    for `load`.

    >>> opened("gpt2") is opened(load("gpt2"))
    True
    """
    from bpe_core.files.format import FormatError
    from bpe_core.record.run import Run
    from bpe_core.tokenizer.tokenizer import Tokenizer

    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if isinstance(tokenizer, Run):
        return tokenizer.tokenizer()
    if not isinstance(tokenizer, (str, os.PathLike)):
        raise TypeError(f"a tokenizer or its name is needed, such as 'gpt2', and this is {type(tokenizer).__name__}")
    try:
        return load(tokenizer, pretokenizer)
    except FormatError as error:
        if "Run.load" not in str(error):
            raise
    from bpe_core.files.opening import chosen_of, split_by

    return split_by(Run.load(tokenizer).tokenizer(), chosen_of(pretokenizer))


def opened_beside(tokenizer: GivenTokenizer, other: object, order: str) -> Tokenizer:
    """Return the tokenizer that a caller means, in a call that takes something else beside it.

    `other`: what the caller gave in the other's place. If that is a tokenizer, the two are swapped: the error says the
    `order`, such as "savings(texts, tokenizer)". Any other error names the file.

    >>> opened_beside("a text", "gpt2", "savings(texts, tokenizer)")
    Traceback (most recent call last):
        ...
    TypeError: 'a text' stands where the tokenizer belongs: the order is savings(texts, tokenizer)
    """
    from bpe_core.files.format import FormatError
    from bpe_core.record.run import Run
    from bpe_core.tokenizer.tokenizer import Tokenizer

    try:
        return opened(tokenizer)
    except (FormatError, OSError, TypeError) as error:
        if isinstance(other, (Tokenizer, Run)) or (isinstance(other, str) and by_name.published(other)):
            given = (
                str(tokenizer)
                if isinstance(tokenizer, os.PathLike)
                else repr(tokenizer if len(str(tokenizer)) <= 40 else f"{tokenizer!s:.40}…")
            )
            raise TypeError(f"{given} stands where the tokenizer belongs: the order is {order}") from None
        if isinstance(error, FormatError) and not isinstance(tokenizer, (Tokenizer, Run)):
            raise FormatError(f"{os.fspath(tokenizer)}: {error}") from None
        raise
