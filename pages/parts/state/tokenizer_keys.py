"""The keys of tokenizers in the session and in links."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_core.files import HubError, hub
from bpe_core.kinds import choice, names
from bpe_core.published import PUBLISHED, named
from bpe_core.settings import GIVEN, STARTS
from pages.parts.server.limits import LIMITS
from pages.parts.texts.examples import EXAMPLES

TRAINED, OPENED = "trained", "file"  # the keys of the Train page's tokenizer, and of the tokenizer in the last file
TOKENIZERS = [*PUBLISHED, TRAINED, OPENED, *EXAMPLES]
FAVOURITE = "o200k_base"  # the tokenizer with which most pages begin
SHOWS_ONE = "qwen"  # the tokenizer with which Chat begins: the chat template of its model is published
BESIDE = ["cl100k_base", "gpt2", SHOWS_ONE]  # the tokenizers with which pages first compare `FAVOURITE`


def tokenizer(value: str) -> str:
    """Return the key of a tokenizer from a link; raise `ValueError` if there is no such key.

    A link may name a model instead of its tokenizer. The key of a file is returned unchecked, since it is not known
    here whether the file is open.

    >>> tokenizer("gpt2"), tokenizer("gpt-4o"), tokenizer("hub:openai-community/gpt2")
    ('gpt2', 'o200k_base', 'hub:openai-community/gpt2')
    """
    if value.startswith(hub.PREFIX):
        try:
            return hub.PREFIX + hub.model_name(value.removeprefix(hub.PREFIX))
        except HubError:
            raise ValueError(f"{hub.PREFIX} needs the name of a model as on the Hub, owner/model") from None
    if in_file(value) or value in TOKENIZERS:
        return value
    row = named(value)
    return choice(*TOKENIZERS).read(row.name if row else value)


def start(value: str) -> str:
    """Return the key of what a training starts from: a key of `STARTS`, the key of a file, or the key of a Hub model.

    Raise `ValueError` if there is no such key.

    >>> start("gpt2"), start("gpt-4o"), start("hub:openai-community/gpt2")
    ('gpt2', 'o200k_base', 'hub:openai-community/gpt2')
    """
    if value.startswith(hub.PREFIX) or in_file(value) or (value not in STARTS and named(value)):
        value = tokenizer(value)
    if value.startswith(hub.PREFIX) or in_file(value):
        return value
    return choice(*(key for key in STARTS if key != GIVEN)).read(value)


def tokenizers(value: str) -> list[str]:
    """Return the keys in a text from a link: keys with spaces between them, or "none".

    Raise `ValueError` if a key does not exist. Raise it also for too many files and models of the Hub: together with
    the page's own tokenizer they may be `LIMITS.opened_tokenizers`.
    """
    given = [] if value == "none" else value.split()
    chosen, most = list(names(" ".join(map(tokenizer, given)))), LIMITS.opened_tokenizers - 1
    if sum(name.startswith(hub.PREFIX) or in_file(name) for name in chosen) > most:
        raise ValueError(f"it has more than {most:,} tokenizers from the Hub or from files")
    return chosen


def in_file(key: object) -> bool:
    """Return whether a value is the key of a tokenizer in a file. A link cannot carry such a key.

    >>> in_file("file"), in_file("file my.json"), in_file("files")
    (True, True, False)
    """
    return isinstance(key, str) and (key == OPENED or key.startswith(f"{OPENED} "))


def without_files(keys: Iterable[str]) -> str:
    """Return the keys as text for a link. Keys of files are left out, since a link cannot carry files."""
    return " ".join(key for key in keys if not in_file(key)) or "none"
