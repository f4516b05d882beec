"""Which files belong to one tokenizer: the files of its vocabulary, and the files in the same folder, read here.

`own_names` has the names under which the files of a vocabulary are published, in a folder and on the Hub. With a name
before them, such as `mine-vocab.json`, the other files have the same name before theirs. Files with other names are
found by their contents: a vocabulary and merges belong together if the vocabulary has the tokens that are merged.

`read_beside` reads every form in which transformers writes the files beside a vocabulary. A token is written as a text,
or as an object with its text and its rules. A key without a token is null or empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Any

from bpe_core.files.beside import (
    ADDED_TOKENS,
    CONFIG,
    MORE,
    NEIGHBOURS,
    OF_CLASS,
    OTHER_TEMPLATE,
    ROLES,
    RULES,
    SPECIAL_TOKENS,
    SWITCHES,
    Beside,
    NamedToken,
    is_template,
    usual_name,
)
from bpe_core.files.format import Format, FormatError
from bpe_core.files.reading import MAX_BYTES, check_number_of_specials, id_of, json_of, kind_of, whole_number
from bpe_core.files.recognition import part_of, recognised
from bpe_core.files.signs import START, File, is_like_json, merged_tokens
from bpe_core.text.rules import Pretokenizer

SMALL = 1 << 20  # bytes; a file beside a vocabulary that is larger is known by its name alone
_MODEL = re.compile(rb'"(?:model|config)"\s*:\s*\{')  # no vocabulary has that: its values are numbers
MOST_FILES = 200  # that are looked into in a folder


def parted(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return (the files of the vocabulary, the `NEIGHBOURS` by their usual names). `files`: name → content.

    A file beside a vocabulary is known by its name, or else by its content. If there is no file of a vocabulary, all
    files are taken for one, so that what they are is named.

    >>> parted({"a/vocab.json": b"{}", "a/mine-added_tokens.json": b"{}", "a/rag.jinja": b""})
    ({'a/vocab.json': b'{}'}, {'added_tokens.json': b'{}'})
    >>> parted({"a": b"{}", "b": b'{"tokenizer_class": "CLIPTokenizer"}'})[1].keys()
    dict_keys(['tokenizer_config.json'])
    """
    roles = {name: _role(name, content) for name, content in files.items()}
    own = {name: content for name, content in files.items() if roles[name] is None and not is_template(name)}
    if not own:
        return dict(files), {}
    beside = [role for role in roles.values() if role]
    if twice := next((role for role in beside if beside.count(role) > 1), None):
        raise FormatError(f"there are two files {twice}, and only one can belong to a tokenizer: remove one of them")
    return own, {role: files[name] for name, role in roles.items() if role in NEIGHBOURS}


def _role(name: str, content: bytes) -> str | None:
    """Return which of the files beside a vocabulary a file is, by its name or its content; None for any other file."""
    named = usual_name(name)
    part = part_of(content) if len(content) <= SMALL and (named or is_like_json(content)) else ""
    if named and part in ("", "vocabulary", *NEIGHBOURS, OTHER_TEMPLATE):
        return named
    return part if part in NEIGHBOURS else None


def first_names(names: Collection[str], formats: Iterable[Format]) -> tuple[str, ...]:
    """Return the usual names of the first vocabulary among `names`, such as those in a folder; () if there is none.

    >>> from bpe_core.files.opening import READABLE
    >>> first_names(["merges.txt", "README.md", "vocab.json"], READABLE.values())
    ('vocab.json', 'merges.txt')
    """
    rows = list(formats)
    choices = [*(row.own_names[0] for row in rows), *(choice for row in rows for choice in row.other_names)]
    return next((choice for choice in choices if all(name in names for name in choice)), ())


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


class Folder:
    """The files of a folder or of a model on the Hub. Some are known by their contents.

    `sizes`: name → size. `read(name, most)`: returns the first `most` bytes of a file. JSON is read whole, and all
    files of JSON together are no larger than a tokenizer may be: the others are not looked into.
    """

    def __init__(self, sizes: Mapping[str, int], read: Callable[[str, int], bytes], formats: Iterable[Format]) -> None:
        """Take the files whose names have an end that a format has, and then the smallest."""
        rows = [row for row in formats if row.read]
        self._kinds = [kinds for row in rows for kinds in row.kinds]
        usual = (name for row in rows for names in (row.ends, *row.own_names) for name in names)
        ends = tuple({name[name.rindex(".") :] for name in usual})
        names = [name for name in sizes if sizes[name] and not usual_name(name) and not is_template(name)]
        names.sort(key=lambda name: (not name.endswith(ends), sizes[name], name))
        self._sizes, self._read, self._starts, left = sizes, read, dict[str, bytes](), MAX_BYTES
        for name in sorted(names[:MOST_FILES], key=lambda name: (not name.endswith(ends), name)):
            with suppress(OSError):  # a file that may not be read
                start = read(name, START)
                size = sizes[name] if is_like_json(start) else 0
                if size <= left:
                    self._starts[name], left = start, left - size
        self._parts: dict[str, str] = {}

    def _whole(self, name: str) -> bytes:
        """Return a whole file of JSON. Of another file return the beginning, which says what it is."""
        start = self._starts[name]
        return self._read(name, MAX_BYTES) if is_like_json(start) else start

    def _with_parts(self, most: int = MAX_BYTES, json: bool | None = None) -> Iterator[tuple[str, str]]:
        """Yield name and part of all files, or of the files with or without JSON. `most`: bytes of a file of JSON."""
        for name, start in self._starts.items():
            like_json = is_like_json(start)
            if json in (None, like_json) and (not like_json or self._sizes[name] <= most):
                if name not in self._parts:
                    self._parts[name] = part_of(self._whole(name))
                yield name, self._parts[name]

    def others(self, name: str, content: bytes) -> tuple[str, ...]:
        """Return the file that belongs to a file, if a format has two: (name,), or ().

        Raises `FormatError` if several may belong to it.
        """
        part = part_of(content)
        wanted = {other for kinds in self._kinds if part in kinds for other in kinds - {part}}
        most = SMALL if part == "ranks" else MAX_BYTES  # what says how ranks are split is small
        kinds = self._with_parts(most, json=not is_like_json(content))
        found = [other for other, kind in kinds if kind in wanted and other != name]
        if wanted & {"vocabulary", "merges"}:
            found = [other for other in found if _fit(content, self._whole(other))]
        alike = [other for other in found if _stem(other) == _stem(name)]
        found = alike if len(alike) == 1 else found
        if len(found) > 1 and {part} not in self._kinds:
            which = " or ".join(repr(each[:40]) for each in found[:4])
            raise FormatError(f"{which} may belong to {name[:40]!r}: copy the two that do into a folder of their own")
        return tuple(found) if len(found) == 1 else ()

    def tokenizer(self) -> tuple[str, ...]:
        """Return the names of the files of the only tokenizer; `FormatError` if there are several, and () if none."""
        found = list[tuple[str, ...]]()
        for name, part in self._with_parts():
            own = (name, *(self.others(name, self._whole(name)) if part in ("vocabulary", "ranks") else ()))
            if len(own) > 1 or {part} in self._kinds:
                found.append(own)
        if len(found) > 1:
            names = ", ".join(" + ".join(each) for each in found[:4]) + ", …" * (len(found) > 4)
            raise FormatError(f"there are several tokenizers: {names}; name a file of one")
        return found[0] if found else ()

    def incomplete(self) -> str:
        """Return a sentence about the first file that is a part of a tokenizer; "" if there is none."""
        name = next((name for name, part in self._with_parts() if part), "")
        return f"{name[:40]!r}: {recognised(self._whole(name)).kind.sentence}" if name else ""


def needs_another(content: bytes, formats: Iterable[Format]) -> bool:
    """Return whether a file is a part of a tokenizer that may have two files.

    >>> from bpe_core.files.opening import READABLE
    >>> needs_another(b'{"h": 0}', READABLE.values()), needs_another(b"minbpe v1", READABLE.values())
    (True, False)
    """
    if _MODEL.search(content):  # parsing a large one takes a second
        return False
    part = part_of(content)
    return any(part in kinds and len(kinds) > 1 for row in formats for kinds in row.kinds)


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


def read_beside(contents: Mapping[str, bytes], chosen: Pretokenizer | None = None) -> Beside:
    """Return what the files beside a vocabulary say; `FormatError` names the file and the key that is wrong.

    `contents`: one of `NEIGHBOURS` → content. `chosen`: the pretokenizer that the caller chose.

    >>> read_beside({"tokenizer_config.json": b'{"tokenizer_class": "Qwen2Tokenizer"}'}).tokenizer_class
    'Qwen2Tokenizer'
    >>> read_beside({"tokenizer_config.json": b'{"bos_token": 1}'})
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: tokenizer_config.json: bos_token has to be text, and is int
    """
    config, listed, named = (_object(contents, name) for name in (CONFIG, ADDED_TOKENS, SPECIAL_TOKENS))
    in_order = [(CONFIG, config), (SPECIAL_TOKENS, named)]
    if "added_tokens_decoder" in config:  # beside such a config transformers reads no other file
        in_order.reverse()
    special: dict[str, NamedToken | None] = {}
    more: dict[str, NamedToken] = {}
    for file, values in in_order:
        for role in ROLES:
            if role in values:
                found = [*_tokens(values[role], f"{file}: {role}", role)]
                special[role] = found[0] if found else None
                more |= {token.name: token for token in found[1:]}
        for key in MORE:
            more |= {token.name: token for token in _tokens(values.get(key), f"{file}: {key}", key)}
    specials = {token.name for token in (*special.values(), *more.values()) if token}
    added = {
        id_of(i, f"{name!r:.60} in {ADDED_TOKENS}"): NamedToken(name, name in specials)
        for name, i in listed.items()
        if name
    } | dict(_decoder(config))
    check_number_of_specials(len(added) + len(more))
    tokenizer_class = config.get("tokenizer_class")
    return Beside(
        "" if tokenizer_class is None else kind_of(tokenizer_class, str, f"{CONFIG}: tokenizer_class"),
        added,
        special,
        tuple(more.values()),
        {name: kind_of(config[name], bool, f"{CONFIG}: {name}") for name in SWITCHES if config.get(name) is not None},
        chosen,
        tuple(contents),
        {name: config[name] for name in OF_CLASS if isinstance(config.get(name), bool)},
    )


def _object(contents: Mapping[str, bytes], name: str) -> dict[str, Any]:
    if name not in contents:
        return {}
    try:
        kind, file = recognised(contents[name])
        if kind.instead:
            raise FormatError(kind.sentence)
        return kind_of(json_of(file.content), dict, "it")
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def _decoder(config: dict[str, Any]) -> Iterator[tuple[int, NamedToken]]:
    """Yield id and token of a config's `added_tokens_decoder`."""
    for i, row in kind_of(config.get("added_tokens_decoder") or {}, dict, f"{CONFIG}: added_tokens_decoder").items():
        where = f"{CONFIG}: added_tokens_decoder of {i[:20]}"
        token_id = id_of(whole_number(i, f"{CONFIG}: each key of added_tokens_decoder"), where)
        for token in _tokens(row, where, "token"):
            yield token_id, token


def _tokens(value: object, where: str, key: str) -> Iterator[NamedToken]:
    """Yield the tokens that a key has: none, one, or those in a list or in an object by name."""
    if value is None or value == "":
        return
    if isinstance(value, list):
        for each in value:
            yield from _tokens(each, f"a token of {where}", key)
    elif isinstance(value, dict) and "content" not in value and key in MORE:
        for name, each in value.items():
            yield from _tokens(each, f"{where}: {name[:40]}", key)
    elif isinstance(value, dict):
        name = kind_of(value.get("content"), str, f"{where}: content")
        switches = {
            rule: kind_of(value[rule], bool, f"{where}: {rule}") for rule in (*RULES, "special") if rule in value
        }
        special = switches.pop("special", key != "token")
        switches.setdefault("normalized", not special)
        if name:
            yield NamedToken(name, special, frozenset(rule for rule, on in switches.items() if on))
    else:
        yield NamedToken(kind_of(value, str, where))
