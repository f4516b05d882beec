"""Ids as people paste them: a list, JSON, a printed tensor, one a line, and other forms in which programs print them.

A row of `FORMS` says what a printed text begins with, and where the ids are in the rest. What is left are numbers with
white space, commas and brackets around them:

    tensor([[15496, 995]], device='cuda:0')     →   [[15496, 995]]
    {"input_ids": [15496, 995]}                 →   [15496, 995]
    15496 -> 'Hello'\\n  995 -> ' world'         →   15496, 995
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import regex

from bpe_core.text.encodings import without_mark

_IDS = (
    r"(?:(?:prompt|input|output|completion|response|generated|new|decoder|decoder_input|generated_token|prompt_token"
    r"|output_token|completion_token|input_token|token)_)?ids|(?:input|token|promptToken|outputToken)Ids"
)
_NAME = r"[A-Za-z_][\w.]*!?"
# What stands before a list in C, C++, C#, Go, Java, JavaScript and Rust.
_TYPE = (
    r"&?\s*vec!|&(?:mut\s+)?|(?:Big)?(?:Ui|I)nt(?:8|16|32|64)(?:Clamped)?Array(?:\(\d+\))?|Array\(\d+\)"
    r"|(?:new\s+)?\w*\[\d*\]\w*(?:\[\])?|(?:std::)?\w+<[\w:, ]+>(?:\(\d+\))?"
)
_ASSIGNED = r"(?:\[\d*\])?\s*[:=]\s*(?:new\s+)?"
_BRACKET = regex.compile(r"[\[\](){}]")
# A list of numbers. After a name, such as in shape=(1, 2), it is not the list of ids.
_FIRST = rf"(?:-?\d|\.\.|…|{_NAME}\(-?\d)"
_LIST = regex.compile(
    rf"(?<![\w\"'][=:]\s?)(?:\[\s*\]|\[\s*(?:[\[({{]\s*){{0,8}}{_FIRST}|(?<!\w)[({{]\s*(?:[({{]\s*){{0,8}}{_FIRST})"
)
_NAMED = rf"(?<![\w-])(?:{_IDS})[\"']?{_ASSIGNED}"
_VALUE = regex.compile(
    rf"""(?<![\w-])(?:
        ["']?(?:{_IDS})["']?{_ASSIGNED}(?:(?:{_TYPE})\s*(?=[\[{{])|(?:{_NAME}\s*|<[\w.]+[\s:][^\[]*)(?=[(\[]))?(?=[\[({{])
        | ["'](?:input|prompt)["']\s*:\s*(?=\[\s*(?:\[\s*)?-?\d)
        | ["']id["']\s*:\s*(?P<one>-?\d+)
    )""",
    regex.VERBOSE,
)
_ID = r"-?\d+(?:\.0*)?"  # 15496. or 15496.0 in an array of floats
# What comes after a name without brackets: up to a bracket, the next name or a line without numbers.
_BARE = regex.compile(
    rf"""{_NAMED}["']?(?P<ids>-?\d(?:(?![\s,]*["']?[A-Za-z_]\w*["']?\s*[:=]|\s*\n\s*[^\s\d.…-])[^{{}}()\[\]"'])*)"""
)
_WRAPPED = regex.compile(rf"\s*,?\s*{_NAME}\s*(?=[({{])")


_YAML_ROW = rf"\s*-[ \t]+(?:-[ \t]+)*(?P<ids>{_ID}|\.\.+)[ \t]*(?:\n|\Z)\s*|(?P<ids>)\w+:(?s:.*)\Z"


class PrintedForm(NamedTuple):
    """A form of printed ids. `example`: a text of this form, whose ids are 15496 and 995.

    `begins`: what a text of this form begins with. `lists`: given the text and the end of that beginning, yields the
    parts that consist of ids alone, or raises `ValueError`. `surely`: whether a text of this form is meant as ids, and
    not as a text. `ends`: what the end of the text has, if that has to be looked at too.
    """

    title: str
    example: str
    begins: regex.Pattern[str]
    lists: Callable[[str, int], Iterator[str]]
    surely: bool = True
    ends: str = ""


def _inside(text: str, start: int) -> str:
    """Return what is in the bracket at `start`, brackets included; all of the rest if no bracket closes it.

    >>> _inside("f([1, [2]], x)", 2)
    '[1, [2]]'
    """
    depth = 0
    for match in _BRACKET.finditer(text, start):
        depth += 1 if match[0] in "[({" else -1
        if depth == 0:
            return text[start : match.end()]
    return text[start:]


def _lists_within(text: str) -> Iterator[str]:
    """Yield the lists of numbers in what a program printed of an object, such as a tensor."""
    end = 0
    while found := _LIST.search(text, end):
        yield (inside := _inside(text, found.start()))
        end = found.start() + len(inside)


def _arguments(text: str, start: int) -> Iterator[str]:
    """Yield the lists in the arguments of calls, one call after the other, or between `<` and `>`."""
    if text.startswith("<", start) and text.endswith(">"):
        yield from _lists_within(text[start + 1 : -1])
        return
    while start < len(text):
        match = _WRAPPED.match(text, start)
        if not match:
            raise ValueError(f"{text[start : start + 40].strip()!r} is not an id; ids are whole numbers")
        inside = _inside(text, match.end())
        start = match.end() + len(inside)
        found = [*_lists_within(inside)]
        yield from found or [inside]


def _named(text: str, start: int) -> Iterator[str]:
    """Yield the lists of numbers that have one of the names of ids, such as `input_ids`, in their order."""
    found, end = False, start
    while match := _VALUE.search(text, end):
        end, found = match.end(), True
        if match["one"]:  # the id of one token, such as {"id": 198, "piece": "a"}
            yield match["one"]
        else:
            inside = _inside(text, end)
            end += len(inside)
            inner = _LIST.search(inside)
            yield _inside(inside, inner.start()) if inner else inside
    if not found:
        yield from _after_names(text, start)


def _after_names(text: str, start: int) -> Iterator[str]:
    """Yield the numbers after each name of ids, without brackets."""
    found = [match["ids"] for match in _BARE.finditer(text, start)]
    if not found:
        raise ValueError("there is no list of ids with the name ids, input_ids or token_ids")
    yield from found


def _rows(row: str) -> Callable[[str, int], Iterator[str]]:
    """Return a function that yields the ids of row after row; `row`: its pattern, with the ids in the group "ids"."""
    pattern = regex.compile(row)

    def lists(text: str, start: int) -> Iterator[str]:
        while start < len(text):
            match = pattern.match(text, start)
            if not match or match.end() == start:
                raise ValueError(f"{text[start : start + 40].strip()!r} is not an id; ids are whole numbers")
            if match["ids"]:
                yield match["ids"]
            start = match.end()

    return lists


def _rest(text: str, start: int) -> Iterator[str]:
    """Yield what comes after a heading."""
    yield text[start:]


def _form(
    title: str,
    example: str,
    begins: str,
    lists: Callable[[str, int], Iterator[str]],
    surely: bool = True,
    ends: str = "",
) -> PrintedForm:
    return PrintedForm(title, example, regex.compile(begins), lists, surely, ends)


FORMS = (
    _form(
        "a listing with pieces, as llama.cpp prints it",
        " 15496 -> 'Hello'\n   995 -> ' world\n'\n",
        r"(?:(?!\s*\d+ -> ')[^\n]*\n)?(?=\s*\d+ -> ')",
        _rows(r"\s*(?P<ids>\d+) -> '(?s:.*?)'(?=\s*\n\s*\d+ -> '|\s*\Z)\s*"),
    ),
    _form(
        "a list of pieces and ids, as in the logs of llama.cpp",
        "[ 'Hello':15496, ' world':995 ]",
        r"(?:[^\n\[]*:)?\s*\[\s*(?='[^\n]*':\d)",
        _rows(r"'(?s:.*?)':(?P<ids>\d+)(?=\s*(?:,\s*'|\]))(?:\s*,\s*|\s*\]\s*)"),
    ),
    _form(
        "a series of pandas",
        "0    15496\n1      995\nName: ids, dtype: int64",
        rf"(?=\w+[ \t]+{_ID}[ \t]*\n)",
        _rows(rf"[ \t]*(?:\S+[ \t]+)?(?P<ids>{_ID}|\.\.+)[ \t]*(?:\n|\Z)|(?P<ids>)(?:\w+: [^\n,]*, )*dtype: \w+\s*"),
        ends=r"\bdtype: \w+\s*\Z",
    ),
    _form(
        "a series of polars",
        "shape: (2,)\nSeries: 'ids' [i64]\n[\n\t15496\n\t995\n]",
        r"shape: \([\d_,]+\)\s*Series: '[^\n]*' \[\w+\]\s*(?=\[)",
        _rest,
    ),
    _form(
        "a vector of Julia",
        "2-element Vector{Int64}:\n 15496\n   995",
        r"\d+-element (?:Vector\{\w+\}|Array\{\w+,\s*1\}):\s*",
        _rest,
    ),
    _form(
        "a vector of R",
        " [1] 15496   995\n",
        r"(?=\[1\][ \t]+-?\d)",
        _rows(r"\s*\[\d+\](?P<ids>(?:[ \t]+-?\d+)+)\s*"),
    ),
    _form(
        "an array of PHP",
        "Array\n(\n    [0] => 15496\n    [1] => 995\n)\n",
        r"[Aa]rray\s*\((?=\s*\[?\d+\]? => )",
        _rows(r"\s*\[?\d+\]? => (?P<ids>-?\d+),?\s*|(?P<ids>)\)\s*"),
    ),
    _form(
        "a list of YAML with its name",
        "input_ids:\n  - 15496\n  - 995\nattention_mask:\n  - 1\n  - 1\n",
        rf"(?>\w+:[^\n]*\n){{0,40}}?(?:{_IDS}):[ \t]*\n(?=\s*-[ \t]+(?:-[ \t]+)*-?\d)",
        _rows(_YAML_ROW),
    ),
    _form("a list of YAML", "- 15496\n- 995\n", r"(?=-[ \t]+(?:-[ \t]+)*-?\d)", _rows(_YAML_ROW), surely=False),
    _form(
        "a list after its name, without brackets",
        "input_ids: 15496 995",
        rf"(?=[\"']?{_NAMED}-?\d)",
        _after_names,
        surely=False,
    ),
    _form(
        "a mapping, an object or a log that names its lists",
        '{"input_ids": [[15496, 995]], "attention_mask": [[1, 1]]}',
        rf"(?=\[?\s*\{{(?!\s*[-\d{{])|[\"']?{_NAMED}"
        rf"|(?:{_NAME}\(|INFO|DEBUG|WARNING)(?s:.{{0,100000}}?){_NAMED})",
        _named,
    ),
    _form("a text that names a list", "of ids=[15496, 995]", rf"(?=(?s:.{{0,4000}}?){_NAMED})", _named, surely=False),
    _form("a list after its type", "Uint32Array(2) [ 15496, 995 ]", rf"(?:{_TYPE})\s*(?=[\[{{]\s*(?:-?\d|\.))", _rest),
    _form(
        "a tensor or an array",
        "tensor([[15496, 995]], device='cuda:0')",
        rf"(?=<{_NAME}[\s:]|{_NAME}\s*\(\s*(?:'\w', )?(?:{_NAME}\(\s*)?\[|(?:Tensor|Array)\s*[({{])",
        _arguments,
    ),
    _form(
        "a list of tensors",
        "[tensor([15496, 995], device='cuda:0'), tensor([], device='cuda:0')]",
        rf"(?=\[\s*{_NAME}\(\s*\[)",
        lambda text, start: _lists_within(text[start:]),
    ),
    _form("the arguments of a call", "List(15496, 995)", rf"(?={_NAME}\(\s*-?\d)", _arguments, surely=False),
)  # fmt: skip
"""All forms but the plain ones: numbers with white space, commas or line breaks between them, in brackets or not."""


def form_of(text: str) -> PrintedForm | None:
    """Return the first form that a text begins like; None for plain numbers and for any other text.

    >>> form_of("tensor([15496, 995])").title, form_of("15496 995")
    ('a tensor or an array', None)
    """
    begun = (form for form in FORMS if form.begins.match(text))
    return next((form for form in begun if not form.ends or regex.search(form.ends, text[-300:])), None)


def lists_in(text: str) -> Iterator[str]:
    """Yield the parts of a text that consist of ids alone, as its form has them; the whole text if it has no form.

    >>> [*lists_in("tensor([15496, 995], device='cuda:0')")], [*lists_in("15496, 995")]
    (['[15496, 995]'], ['15496, 995'])
    """
    form = form_of(text)
    begun = form and form.begins.match(text)
    return form.lists(text, begun.end()) if form and begun else iter([text])


# A text that is nothing but numbers may still be meant as text, such as "1 2 3". From this number on they are taken
# for ids, in brackets and without brackets.
LEAST_IN_BRACKETS, LEAST_BARE = 2, 8
GLANCED = 4_000  # characters that are read in a few milliseconds, whatever they are
GLANCED_AT = 2_000_000  # characters of a plain list
_ROW_ID, _PIECE = re.compile("[\"']id[\"']\\s*:"), re.compile("[\"'](?:piece|token|logprob)[\"']\\s*:")
_PLAIN_LIST = re.compile(r"\s*\[[ \n]?[0-9]{1,9}(?:,[ \n]{0,2}[0-9]{1,9})+[ \n]?\]\s*")
_BEGINS_LIST = re.compile(r"\s*[\[{]")
_BEGINS_BARE = re.compile(r"[\s(]*-?[0-9]|\s*- |\s*[A-Za-z_][\w.]*\(-?[0-9]")
# A number, or what stands in its place: np.int64(5), tensor(5), 5u32, 5n, and 5. or 5.0 in an array of floats.
_WORD = re.compile(
    r"(?:[A-Za-z_][\w.]*\(\s*(-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)(?:\s*,[^()]*)?\s*\)|([^\s,;\[\](){}]+))"
)
_CALLED = re.compile(r"[A-Za-z_][\w.]*\(\s*(-?[0-9]+)[^()]*\)")
_INNER = re.compile(r"\[[^][(){}]*]|\([^][(){}]*\)|\{[^][(){}]*}")  # a list that has no list
_NUMBER = re.compile(r"(-?[0-9]{1,9})(?:n|L|\.0*|[iu](?:8|16|32|64|size))?")
_POWER = re.compile(r"-?[0-9]\.([0-9]*)e\+?([0-9]{1,2})", re.IGNORECASE)  # 1.51904e+05
_CUT = re.compile(
    r"-?[0-9]*(?:\.{2,}|[.…⋮⋯]+)|[<+][0-9]+|more>?|truncated", re.IGNORECASE
)  # "..., 9", "... 5 more items"
_GROUPED = re.compile(r"\s*-?[0-9]{1,3}(?:,[0-9]{3})+\s*")  # one number, such as 1,234


def read_ids(text: str, most: int | None = None) -> list[int]:
    """Return the ids in a text; raise `ValueError` for a text that is anything else.

    The ids of several lists come one after the other. A negative number counts as an id that no vocabulary has.
    `most`: the most ids that are read; what comes after them is ignored.

    >>> read_ids("[15496, 995]"), read_ids("tensor([[15496,   995]], device='cuda:0')"), read_ids("15496\\n995")
    ([15496, 995], [15496, 995], [15496, 995])
    >>> read_ids("[15496.   995.]"), read_ids("input_ids: 15496 995")
    ([15496, 995], [15496, 995])
    >>> read_ids('{"ids": [15496, 995], "tokens": ["Hello", " world"]}'), read_ids("[np.int64(15496), np.int64(995)]")
    ([15496, 995], [15496, 995])
    >>> read_ids("[15496, 99.5]")
    Traceback (most recent call last):
        ...
    ValueError: '99.5' is not an id; ids are whole numbers with spaces between them
    """
    return _read(text, most, points=True)


def read_batch(text: str) -> list[list[int]]:
    """Return the lists of ids in a text, such as the rows of a matrix; one list if it has no list in a list.

    Raises `ValueError` as `read_ids` does.

    >>> read_batch("[[464, 262], [3290]]"), read_batch("[15496, 995]")
    ([[464, 262], [3290]], [[15496, 995]])
    """
    ids, parts = read_ids(text), [*lists_in(without_mark(text).strip())]
    if len(parts) > 1 and text.lstrip().startswith("[") and all(map(_BEGINS_LIST.match, parts)):
        return [read_ids(part) for part in parts]
    inner = [list_ for part in parts for list_ in _INNER.findall(_CALLED.sub(r"\1", part))]
    return [read_ids(list_) for list_ in inner] if len(parts) == 1 and len(inner) > 1 else [ids]


def _read(text: str, most: int | None, points: bool) -> list[int]:
    """Return the ids in a text; `points`: whether a whole number with a point, such as "5." or "5.0", is an id."""
    lists: list[str] = []
    found = _kept(lists_in(without_mark(text).strip()), lists)
    ids = [*islice((_id(word, points) for each in found for word in _WORD.finditer(each)), most)]
    if any(each.count(opening) != each.count(closing) for each in lists for opening, closing in ("[]", "()", "{}")):
        raise ValueError("a bracket is missing; paste all of the list of ids")
    return ids


def _kept(lists: Iterable[str], kept: list[str]) -> Iterator[str]:
    """Yield each list, and add it to `kept`."""
    for each in lists:
        kept.append(each)
        yield each


def _id(word: re.Match[str], points: bool) -> int:
    number = _NUMBER.fullmatch(word[1] or word[2])
    if number and (points or "." not in number[0]):
        return int(number[1])
    if points and (power := _POWER.fullmatch(word[1] or word[2])):
        if len(power[1]) < int(power[2]):  # PyTorch prints 151904 as 1.5190e+05
            raise ValueError(f"{word[0][:40]!r} may be rounded; print the ids as whole numbers")
        if (value := float(power[0])).is_integer():
            return int(value)
    if _CUT.fullmatch(word[0]):
        raise ValueError("the list of ids is cut short; paste all of it")
    raise ValueError(f"{word[0][:40]!r} is not an id; ids are whole numbers with spaces between them")


def ids_listed(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is written as a list: in brackets, or as two numbers or more; None for one number.

    Raises `ValueError` as `read_ids` does. `most`: as for `read_ids`.

    >>> ids_listed("15496 995"), ids_listed("[15496]"), ids_listed("2024"), ids_listed("1,234"), ids_listed("[]")
    ([15496, 995], [15496], None, None, None)
    """
    text = without_mark(text)
    ids = read_ids(text, most)
    is_list = _is_list(text) or (len(ids) > 1 and not _GROUPED.fullmatch(text))
    return ids if ids and is_list else None


def ids_alone(text: str, most: int | None = None) -> list[int] | None:
    """Return the ids in a text that is surely meant as ids; None for any other text. `most`: as for `read_ids`.

    >>> ids_alone("[15496, 995]"), ids_alone("1 2 3"), ids_alone("[a, b]")
    ([15496, 995], None, None)
    """
    text = without_mark(text)
    is_list = _is_list(text)
    if not is_list and not _BEGINS_BARE.match(text):
        return None
    try:
        ids = _read(text, most, points=False)  # numbers with a point may be meant as text
    except ValueError:
        return None
    return ids if len(ids) >= (LEAST_IN_BRACKETS if is_list else LEAST_BARE) else None


def ids_at_a_glance(text: str) -> list[int] | None:
    """Return what `ids_alone` returns, in little time: of a text of more than `GLANCED` characters, only a plain list.

    None for a text of more than `GLANCED_AT` characters.

    Objects with an "id" are the rows of a table, unless they also have the text of that id.

    >>> ids_at_a_glance("[15496, 995]"), ids_at_a_glance("1 2 3"), len(ids_at_a_glance("[" + "7, " * 5000 + "7]"))
    ([15496, 995], None, 5001)
    """
    if len(text) <= GLANCED:
        return None if _ROW_ID.search(text) and not _PIECE.search(text) else ids_alone(text)
    is_plain = len(text) <= GLANCED_AT and _PLAIN_LIST.fullmatch(text)
    return [*map(int, text.strip()[1:-1].split(","))] if is_plain else None


def _is_list(text: str) -> bool:
    """Return whether a text has brackets or a form that only ids have."""
    form = form_of(text.strip())
    return form.surely if form else bool(_BEGINS_LIST.match(text))
