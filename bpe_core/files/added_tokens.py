"""Our special tokens as the `added_tokens` of a `tokenizer.json`, and back; what we cannot do is refused by name.

Hugging Face looks for those with `normalized` after all the others, in the normalized text between them. Here all are
looked for at once, in the text as it came; so they are read where that is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.files.format import FormatError
from bpe_core.files.reading import check_specials, flag_of, id_of, kind_of
from bpe_core.text.special_tokens import WHITE_SPACE, Flags
from bpe_core.tokenizer.tokenizer import Tokenizer

Added = tuple[dict[str, int], dict[str, Flags]]


def added_json(tokenizer: Tokenizer) -> list[dict]:
    """The `added_tokens` of a tokenizer."""
    specials = sorted(tokenizer.special_tokens.items(), key=lambda row: row[1])
    flags = {name: tokenizer.special_flags.get(name, Flags())._asdict() for name, _ in specials}
    return [{"id": i, "content": name, **flags[name], "normalized": False, "special": True} for name, i in specials]


def read_added(added: object, ids: dict[str, int], kept: frozenset[str] | None) -> Added:
    """The added tokens: name → id, and name → flags of those that have some.

    `ids`: the model's vocabulary. `kept`: the characters that normalizing leaves as they are; None: all.
    """
    specials: dict[str, int] = {}
    flags: dict[str, Flags] = {}
    late = set()
    for row in kind_of(added, list, "added_tokens"):
        row = kind_of(row, dict, "an added token")
        name = kind_of(row.get("content"), str, "the content of an added token")
        if not name:
            raise FormatError("an added token has no text, which is not supported")
        how = Flags(*(flag_of(row, flag, "an added token") for flag in Flags._fields))
        if flag_of(row, "normalized", "an added token"):
            _check_normalized(name, how, kept)
            late.add(name)
        number = id_of(row.get("id"), f"the added token {name!r:.60}")
        if name in specials or ids.get(name, number) != number:
            raise FormatError(f"the added token {name!r:.60} has two ids")
        specials[name] = number
        if any(how):
            flags[name] = how
    check_specials(specials)
    _check_order({*specials} - late, late)
    _check_flags(specials, flags, late)
    _check_ids(specials, ids)
    return specials, flags


def _check_normalized(name: str, how: Flags, kept: frozenset[str] | None) -> None:
    """Raise `FormatError` for a token that is looked for in normalized text, where that is another text."""
    if kept is not None and (any(how) or not kept.issuperset(name)):
        raise FormatError(f"the added token {name!r:.60} is looked for in normalized text, which is not supported")


def _check_order(early: set[str], late: set[str]) -> None:
    """Raise `FormatError` where it counts that tokens in normalized text are looked for after all the others."""
    starts = {name[:end] for name in early for end in range(1, len(name))} if late else set()
    lengths = set(map(len, early))
    for name in late:
        places = range(len(name))
        over = any(name[k:] in starts for k in places[1:])
        if over or any(name[k : k + length] in early for k in places for length in lengths):
            raise FormatError(f"the added token {name!r:.60} overlaps one that is looked for before it: not supported")


def _check_flags(names: Mapping[str, int], flags: Mapping[str, Flags], late: set[str]) -> None:
    """Raise `FormatError` where flags make it count when a token is looked for.

    Behind a token with `rstrip`, Hugging Face finds the white space of another's name for a second time.
    """
    starting = next((name for name in names if name[0] in WHITE_SPACE), None)
    ending = next((name for name in late if name[-1] in WHITE_SPACE), None)
    for name, how in flags.items():
        other = (how.rstrip and starting) or (how.lstrip and name not in late and ending)
        if other:
            raise FormatError(
                f"the added token {name!r:.60} takes the white space that {other!r:.60} is made of: not supported"
            )
        if how.single_word and 0 < len(late) < len(names):
            raise FormatError(f"the added token {name!r:.60} has single_word beside normalized ones: not supported")


def _check_ids(specials: Mapping[str, int], ids: Mapping[str, int]) -> None:
    """Raise `FormatError` for ids that are given twice, or that added tokens do not get: they are numbered on."""
    taken = {i: token for token, i in ids.items() if specials.get(token) != i}
    twice = next((name for name, i in specials.items() if i in taken), None)
    if twice or len(set(specials.values())) < len(specials):
        raise FormatError(f"the id of the added token {twice or 'list'!r:.60} is given twice")
    new = (name for name in specials if name not in ids)
    for given, name in enumerate(new, len(ids)):
        if specials[name] != given:
            raise FormatError(
                f"the added token {name!r:.60} has the id {specials[name]}, and would be loaded with {given}"
            )
