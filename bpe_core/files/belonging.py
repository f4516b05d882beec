"""Which files belong to one tokenizer: the files of its vocabulary, and those beside them.

`own_names` has the names under which the files of a vocabulary are published, in a folder and on the Hub. With a name
before them, such as `mine-vocab.json`, the other files have the same name before theirs. Files with other names are
found by their contents: a vocabulary and merges belong together if the vocabulary has the tokens that are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice, permutations
from pathlib import Path

from bpe_core.files.beside import NEIGHBOURS, is_template, usual_name
from bpe_core.files.format import Format, FormatError
from bpe_core.files.reading import MAX_BYTES
from bpe_core.files.recognition import part_of, recognised
from bpe_core.files.signs import START, File, is_like_json, merged_tokens

SMALL = 1 << 20  # bytes; a file beside a vocabulary that is larger is known by its name alone
MOST_FILES = 200  # of a folder that are looked into
PAIRS = ({"vocabulary", "merges"}, {"ranks", "split"})


def parted(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return (the files of the vocabulary, those of `NEIGHBOURS` by their usual names); `files`: name → content.

    A file beside a vocabulary is known by its name, or else by its content. If there is no file of a vocabulary, all
    files are taken for one, so that what they are is named.

    >>> parted({"a/vocab.json": b"{}", "a/mine-added_tokens.json": b"{}", "a/rag.jinja": b""})
    ({'a/vocab.json': b'{}'}, {'added_tokens.json': b'{}'})
    >>> parted({"a": b"{}", "b": b'{"tokenizer_class": "CLIPTokenizer"}'})[1].keys()
    dict_keys(['tokenizer_config.json'])
    """
    roles = {name: usual_name(name) or _role(content) for name, content in files.items()}
    own = {name: content for name, content in files.items() if roles[name] is None and not is_template(name)}
    if not own:
        return dict(files), {}
    beside = [role for role in roles.values() if role]
    if twice := next((role for role in beside if beside.count(role) > 1), None):
        raise FormatError(f"there are two files {twice}, and only one can belong to a tokenizer: remove one of them")
    return own, {role: files[name] for name, role in roles.items() if role in NEIGHBOURS}


def _role(content: bytes) -> str | None:
    """Return which of `NEIGHBOURS` a file is by its content; None for another file."""
    if len(content) > SMALL or not is_like_json(content):
        return None
    part = part_of(content)
    return part if part in NEIGHBOURS else None


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


def needs_another(content: bytes) -> bool:
    """Return whether a file is a part of a tokenizer that has two files.

    >>> needs_another(b'{"h": 0}'), needs_another(b"minbpe v1\\n")
    (True, False)
    """
    part = part_of(content)
    return any(part in pair for pair in PAIRS)


class Folder:
    """The files of a folder, or of a model on the Hub, that are small enough to be looked into.

    `sizes`: name → size. `read(name, most)`: returns the first bytes of a file, at most so many.
    """

    def __init__(self, sizes: Mapping[str, int], read: Callable[[str, int], bytes]) -> None:
        """Take the smallest files, as long as all together are no larger than what is read of a tokenizer."""
        self._read, self._parts, left = read, dict[str, str](), MAX_BYTES
        for name, size in islice(sorted(sizes.items(), key=lambda row: (row[1], row[0])), MOST_FILES):
            if 0 < size <= left and not usual_name(name) and not is_template(name):
                start = read(name, START)
                if whole := is_like_json(start):
                    left -= size
                if part := part_of(read(name, size) if whole else start):
                    self._parts[name] = part

    def others(self, name: str, content: bytes) -> list[str]:
        """Return the file that belongs to a file, if its format has two: [name], or [].

        Raises `FormatError` if several may belong to it.
        """
        part = part_of(content)
        wanted = next((pair - {part} for pair in PAIRS if part in pair), set())
        found = [other for other, kind in sorted(self._parts.items()) if kind in wanted and other != name]
        if wanted <= {"vocabulary", "merges"}:
            found = [other for other in found if _fit(content, self._whole(other))]
        found = alike if len(alike := [other for other in found if _stem(other) == _stem(name)]) == 1 else found
        if len(found) > 1 and part != "ranks":  # ranks open without their split
            which = " or ".join(repr(each[:40]) for each in found[:4])
            raise FormatError(f"{which} may belong to {name[:40]!r}: copy the two that do into a folder of their own")
        return found if len(found) == 1 else []

    def tokenizers(self, formats: Iterable[Format]) -> Iterator[tuple[str, ...]]:
        """Yield the names of the files of each tokenizer."""
        alone = [kinds for row in formats if row.read for kinds in row.kinds if len(kinds) == 1]
        for name, part in sorted(self._parts.items()):
            if {part} in alone or part == "vocabulary":
                others = self.others(name, self._whole(name))
                if others or {part} in alone:
                    yield (name, *others)

    def incomplete(self) -> str:
        """Return a sentence about the first file that is a part of a tokenizer; "" if there is none."""
        for name in sorted(self._parts):
            return f"{name[:40]!r}: {recognised(self._whole(name)).kind.sentence}"
        return ""

    def _whole(self, name: str) -> bytes:
        return self._read(name, MAX_BYTES)


def _fit(one: bytes, other: bytes) -> bool:
    """Return whether one of two files has merges of tokens that the other file, a vocabulary, has."""
    files = File(one), File(other)
    vocabulary, merges = files if is_like_json(one) else files[::-1]
    return vocabulary.object.keys() >= set(merged_tokens(merges))


def _stem(name: str) -> str:
    """Return what is before the usual end of a name, or before its last dot.

    >>> _stem("mine-vocab.json"), _stem("mine.txt")
    ('mine', 'mine')
    """
    ends = ("vocab.json", "merges.txt", "encoder.json", "vocab.bpe", ".tiktoken.json")
    end = next((end for end in ends if name.endswith(end)), Path(name).suffix)
    return name.removesuffix(end).rstrip("-_. ")
