"""The keys that tokenizers have in the session and in a link."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_core.files import HubError, hub
from bpe_core.kinds import choice, names
from bpe_core.published import PUBLISHED
from pages.parts.session.budget import BUDGET
from pages.parts.session.examples import EXAMPLES

TRAINED, OPENED = "trained", "file"  # the Train page's, and the one in a file that was opened
TOKENIZERS = [*PUBLISHED, TRAINED, OPENED, *EXAMPLES]
FAVOURITE = "o200k_base"  # what the Playground opens with
BESIDE = ["cl100k_base", "gpt2", "qwen"]  # what it compares that with


def tokenizer(value: str) -> str:
    """A tokenizer's key; one in a file is known by its name only while the file is open.

    >>> tokenizer("gpt2"), tokenizer("hub:openai-community/gpt2")
    ('gpt2', 'hub:openai-community/gpt2')
    """
    if value.startswith(hub.PREFIX):
        try:
            return hub.PREFIX + hub.model_name(value.removeprefix(hub.PREFIX))
        except HubError:
            raise ValueError(f"{hub.PREFIX} needs the name of a model as on the Hub, owner/model") from None
    return value if value.startswith(OPENED) else choice(*TOKENIZERS).read(value)


def tokenizers(value: str) -> list[str]:
    """Several of these keys, separated by spaces, or "none"; no more than can be open beside the page's own."""
    given = [] if value == "none" else value.split()
    chosen, most = list(names(" ".join(map(tokenizer, given)))), BUDGET.opened_tokenizers - 1
    if sum(name.startswith((hub.PREFIX, OPENED)) for name in chosen) > most:
        raise ValueError(f"it has more than {most:,} tokenizers from the Hub or from files")
    return chosen


def without_files(keys: Iterable[str]) -> str:
    """The keys as a link has them: files do not travel."""
    return " ".join(key for key in keys if not key.startswith(OPENED)) or "none"
