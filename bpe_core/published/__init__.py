"""Published vocabularies: the tokenizers that ship with the project, and those that it recognises.

rows                   each is one row, with all that the project knows about it
published_vocabulary   what a row says, and how its table becomes a tokenizer
merge_table            the tables of merges or of tokens, made by `files.make_table` from what was published

BPE vocabularies are published as rank files, which have a line for each token: its bytes in base64, and its rank. BERT
has a list of tokens. A rank file is recognised by its SHA-256 sum. The licences of the tables are in NOTICE.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from bpe_core.published.merge_table import PublishedError
from bpe_core.published.published_vocabulary import Published, name_of
from bpe_core.published.rows import KNOWN_RANKS, NAMED, PUBLISHED

__all__ = [
    "KNOWN_RANKS", "NAMED", "PUBLISHED", "Published", "PublishedError", "known_by_sum", "name_of", "named", "near",
]  # fmt: skip

_BETWEEN = str.maketrans("", "", "-_ ")
_DATED = re.compile(r"(?!.*\.[a-z]\w*$)[\w.:-]+")  # a name of a model, and not of a file


def named(name: str) -> Published | None:
    """Return the vocabulary of this name that ships with the project, or None.

    A name that ends like the name of a file is not the name of a vocabulary. Capital letters do not matter. Hyphens,
    underscores and spaces do not matter either, unless the name only begins like a model's (`begins`).

    >>> named("GPT4o").name, named("gpt-4o-2024-08-06").name, named("gpt-4o-mine.json")
    ('o200k_base', 'o200k_base', None)
    """
    name = name.lower()
    found = next((row for row in NAMED if _letters(name) in map(_letters, row.names)), None)
    if found or not _DATED.fullmatch(name):
        return found
    begun = [(start, row) for row in NAMED for start in row.begins.split() if name.startswith(start)]
    return max(begun, key=lambda found: len(found[0]))[1] if begun else None


def near(name: str) -> list[str]:
    """Return up to three names of vocabularies that begin with a name, have it in them, or are spelt almost like it.

    >>> near("gpt-oss"), near("p50k"), near("gtp-4o"), near("parrot")
    (['gpt-oss-20b', 'gpt-oss-120b'], ['p50k_base', 'p50k_edit'], ['gpt-4o'], [])
    """
    names, wanted = {_letters(each): each for row in NAMED for each in row.names}, _letters(name.lower())
    begun = [letters for letters in names if len(wanted) > 2 and letters.startswith(wanted)]
    within = [letters for letters in names if len(wanted) > 2 and wanted in letters]
    found = begun or within or get_close_matches(wanted, names, 3, 0.8)
    return [names[letters] for letters in found[:3]]


def _letters(name: str) -> str:
    """Return a name without hyphens, underscores and spaces: `gpt4o` for `gpt-4o`."""
    return name.translate(_BETWEEN)


def known_by_sum(sha256: str) -> Published | None:
    """Return the vocabulary whose rank file has this SHA-256 sum, or None.

    >>> known_by_sum("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069").pretokenizer
    'gpt2'
    """
    return next((row for row in KNOWN_RANKS.values() if row.sha256 == sha256), None)
