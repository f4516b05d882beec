"""Which files belong to one tokenizer: the files of its vocabulary, and those beside them, by their names.

`own_names` has the names under which the files of a vocabulary are published, in a folder and on the Hub. With a name
before them, such as `mine-vocab.json`, the other files have the same name before theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import permutations

from bpe_core.files.beside import NEIGHBOURS, is_template, usual_name
from bpe_core.files.format import Format, FormatError


def parted(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return (the files of the vocabulary, those of `NEIGHBOURS` by their usual names); `files`: name → content.

    If there is no file of a vocabulary, all files are taken for one, so that what they are is named.

    >>> parted({"a/vocab.json": b"{}", "a/mine-added_tokens.json": b"{}", "a/rag.jinja": b""})
    ({'a/vocab.json': b'{}'}, {'added_tokens.json': b'{}'})
    """
    roles = {name: usual_name(name) for name in files}
    own = {name: content for name, content in files.items() if roles[name] is None and not is_template(name)}
    if not own:
        return dict(files), {}
    beside = [role for role in roles.values() if role]
    if twice := next((role for role in beside if beside.count(role) > 1), None):
        raise FormatError(f"there are two files {twice}, and only one can belong to a tokenizer: remove one of them")
    return own, {role: files[name] for name, role in roles.items() if role in NEIGHBOURS}


def first_names(names: Collection[str], formats: Iterable[Format]) -> tuple[str, ...]:
    """Return the names of the first vocabulary among `names`, such as those in a folder; () if there is none.

    >>> from bpe_core.files.opening import READABLE
    >>> first_names(["merges.txt", "README.md", "vocab.json"], READABLE.values())
    ('vocab.json', 'merges.txt')
    """
    rows = list(formats)
    choices = [*(row.own_names[0] for row in rows), *(choice for row in rows for choice in row.other_names)]
    for choice in choices:
        if all(name in names for name in choice):
            return choice
    ends = tuple(row.ends[0] for row in rows if len(row.ends) == 1 or row.ends[0].startswith("."))
    alike = [name for name in sorted(names) if name.endswith(ends)]
    return (alike[0],) if len(alike) == 1 else ()


def names_beside(own: Iterable[str], formats: Iterable[Format]) -> list[str]:
    """Return the names that files beside the files `own` of a vocabulary can have: see `NEIGHBOURS`.

    >>> from bpe_core.files.opening import READABLE
    >>> names_beside(["b-vocab.json"], READABLE.values())[:2]
    ['b-tokenizer_config.json', 'b-added_tokens.json']
    """
    if any(map(usual_name, own)):
        return []
    return [f"{start}{name}" for start in before_usual(own, formats) or [""] for name in NEIGHBOURS]


def before_usual(own: Iterable[str], formats: Iterable[Format]) -> list[str]:
    """Return what the names of a vocabulary's files have before the usual names; [] if none has a usual name's end.

    >>> from bpe_core.files.opening import READABLE
    >>> before_usual(["b-vocab.json"], READABLE.values()), before_usual(["b.txt"], READABLE.values())
    (['b-'], [])
    """
    usual = sorted({name for row in formats for choice in row.own_names for name in choice}, key=len, reverse=True)
    ends = ((name, next((end for end in usual if name.endswith(end)), None)) for name in own)
    return sorted({name.removesuffix(end) for name, end in ends if end})


def others_of(name: str, formats: Iterable[Format]) -> list[str]:
    """Return the names of the files that may belong to a file of a vocabulary that has several.

    >>> from bpe_core.files.opening import READABLE
    >>> others_of("mine-encoder.json", READABLE.values())
    ['mine-vocab.bpe', 'mine-merges.txt']
    """
    choices = [choice for row in formats for choice in (row.ends, *row.own_names) if len(choice) == 2]
    pairs = dict.fromkeys(pair for choice in choices for pair in permutations(choice))
    return [name.removesuffix(end) + other for end, other in pairs if name.endswith(end)]
