"""What the web modules of a picture ask of its markup, read from both without a browser.

    find(root, "#price", HTMLInputElement)     asks for an <input id="price">
    const part = (id) => find(root, `#${id}`, HTMLElement);
    part("bytes");                             asks for the element with the id "bytes"
    for (const kind of ["svg", "png"]) this.#part(kind)     asks for both
    element("section", "column pairs")         makes an element, its tag and its classes

A selector that is put together in another way cannot be read: `asks` returns it as `unread`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from bpe_core.pictures.shared.view import FOLDER

VOID = {"input", "br", "meta", "link", "img", "hr"}
_QUOTED = r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`'
_TEXT = re.compile(_QUOTED)
_COMMENT = re.compile(rf"({_QUOTED})|//[^\n]*|/\*.*?\*/", re.S)
_HOLE = re.compile(r"\$\{([^}]*)\}")
_FUNCTION = re.compile(
    r"const (?P<arrow>\w+) = (?:async )?\((?P<taken>[^()]*)\) =>"
    r"|^  (?:async )?(?P<method>#?\w+)\((?P<given>.*)\) \{$"
    r"|^(?:export )?(?:async )?function (?P<name>\w+)\((?P<named>.*)\) \{$",
    re.M,
)
_LOOP = re.compile(r"for \(const (\[[\w, ]+\]|\w+) of ")
# The functions that take a selector: the number of the argument, and what is before and after it in the selector.
_SELECTS = {
    "find": (1, "", ""),
    "around": (1, "", ""),
    ".querySelector": (0, "", ""),
    ".querySelectorAll": (0, "", ""),
    ".closest": (0, "", ""),
    ".matches": (0, "", ""),
    ".getElementById": (0, "#", ""),
}


class Ask(NamedTuple):
    """An element that a module asks for. `kind`: its class, such as "HTMLInputElement"; "" for any.

    `of`: "document" for an element of the page around the picture. `unread`: the code of a selector that cannot be
    read.
    """

    module: str
    selector: str
    kind: str = ""
    of: str = ""
    unread: str = ""


@dataclass
class Element:
    """An element of a markup, with its parent; and the shadow root or document that it is in."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    scope: int = 0

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class Markup(HTMLParser):
    """The elements of a markup. The content of each shadow root is a scope of its own; 0 is the document.

    `misplaced`: tags that are closed and not open, or open at the end.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.misplaced: list[str] = []
        self._open: list[Element] = []
        self._scopes = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parent = self._open[-1] if self._open else None
        scope = parent.scope if parent else 0
        if parent and parent.tag == "template":
            self._scopes += 1
            parent.attributes.setdefault("scope", str(self._scopes))
            scope = int(parent.attributes["scope"])
        made = Element(tag, {name: value or "" for name, value in reversed(attrs)}, parent, scope)
        self.elements.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open[-1].tag != tag:
            self.misplaced.append(tag)
        else:
            self._open.pop()

    def close(self) -> None:
        super().close()
        self.misplaced += [each.tag for each in self._open]


@dataclass
class Made:
    """What the modules of a picture make: tags, classes, attributes with the values that are known, and ids."""

    tags: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)  # a hole is "${…}"


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Return the web modules of a picture, as paths in the folder of pictures: its entry and all that it imports."""
    found = [entry]
    for name in found:
        for path in re.findall(r'^import .*from "(.*)";$', code(name), re.M):
            inner = (FOLDER / name).parent.joinpath(path).resolve().relative_to(FOLDER.resolve()).as_posix()
            if inner not in found:
                found.append(inner)
    return tuple(found)


@cache
def code(module: str) -> str:
    """Return a web module without its comments."""
    return without_comments((FOLDER / module).read_text(encoding="utf-8"))


def without_comments(text: str) -> str:
    """Return code without its comments; what only looks like one, in quotes, stays."""
    return _COMMENT.sub(lambda found: found[1] or "", text)


@cache
def asks(module: str, text: str) -> tuple[Ask, ...]:
    """Return what a module asks for. `text`: its code without comments."""
    return tuple(_asks(module, text))


def _asks(module: str, text: str) -> Iterator[Ask]:
    selects = dict(_SELECTS)
    kinds: dict[str, tuple[str, str]] = {}  # of a function of the module: the class of elements, and where they are
    todo = list(selects)
    while todo:
        name = todo.pop()
        number, before, after = selects[name]
        for at, given in _calls(text, name):
            if len(given) <= number:
                continue  # `find` of an array
            kind, of = kinds.get(name, ("", ""))
            if name == "find":
                kind = given[2]
            of = "document" if text[:at].endswith("document") else of
            for parts in _written(text, at, given[number]):
                if parts is None:
                    yield Ask(module, "", unread=given[number])
                    continue
                if isinstance(parts, str):
                    yield Ask(module, before + parts + after, kind, of)
                    continue
                caller, argument, start, end = parts
                taker = (argument, before + start, end + after)
                # A function may put its argument into several selectors: each is a function of its own here.
                while selects.get(caller, taker) != taker:
                    caller += " "
                if caller not in selects:
                    selects[caller], kinds[caller] = taker, (kind, of)
                    todo.append(caller)


def _calls(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each call of a function: where its name begins, and its arguments."""
    name = name.strip()
    if name.startswith("."):
        pattern = re.escape(name)
    elif name.startswith("#"):
        pattern = rf"this\.{name}"
    else:
        pattern = rf"(?<![\w.#]){name}"
    for found in re.finditer(rf"{pattern}\(", text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end()]
        if not re.search(r"\bfunction \w+\($", line):
            yield found.start(), arguments(text, found.end() - 1)


def arguments(text: str, opening: int) -> list[str]:
    """Return what stands between a bracket and the bracket that closes it, split at its commas.

    >>> arguments('find(root, `#${id}`, f(1, 2)) + 3', 4)
    ['root', '`#${id}`', 'f(1, 2)']
    """
    parts, depth, begin, at = [], 0, opening + 1, opening
    while at < len(text):
        if quoted := _TEXT.match(text, at):
            at = quoted.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if not depth or (depth == 1 and text[at] == ","):
            parts.append(text[begin:at].strip())
            begin = at + 1
        if not depth:
            break
        at += 1
    return parts if parts[-1] else parts[:-1]


def _written(text: str, at: int, argument: str) -> Iterator[str | tuple[str, int, str, str] | None]:
    """Yield the texts that an argument at a place of the code may be; None if it cannot be read.

    Where it has a parameter of the function around it, yield that function, the parameter's number, and what is before
    and after the parameter.
    """
    if re.fullmatch(rf"(?:{_QUOTED})(?:\s*\+\s*(?:{_QUOTED}))*", argument) and "${" not in argument:
        yield "".join(each[1:-1] for each in _TEXT.findall(argument))
        return
    template = re.fullmatch(r"`([^$`]*)\$\{(#?\w+)\}([^$`]*)`", argument)
    start, hole, end = template.groups() if template else ("", argument, "")
    if not re.fullmatch(r"\w+", hole):
        yield None
    elif (values := _looped(text, at, hole)) is not None:
        yield from (start + value + end for value in values)
    elif constant := re.search(rf"^const {hole} =\s*(.*?);$", text, re.M | re.S):
        yield from _written(text, at, constant[1])
    elif taker := _parameter(text, at, hole):
        yield *taker, start, end
    else:
        yield None


def _parameter(text: str, at: int, name: str) -> tuple[str, int] | None:
    """Return the function around a place of the code whose parameter has a name, and its number; or None."""
    for found in reversed(list(_FUNCTION.finditer(text, 0, at))):
        taken = found["taken"] or found["given"] or found["named"] or ""
        if found["arrow"] and ";\n" in text[found.end() : at]:
            continue  # the arrow has ended before
        parameters = [each.partition(" =")[0] for each in arguments(f"({taken})", 0)]
        if name in parameters:
            return found["arrow"] or found["method"] or found["name"], parameters.index(name)
        if not found["arrow"]:
            break
    return None


def _looped(text: str, at: int, name: str) -> list[str] | None:
    """Return the texts that a loop's variable goes through; None if no loop around the place has that variable."""
    loops = [found for found in _LOOP.finditer(text, 0, at) if name in re.findall(r"\w+", found[1])]
    if not loops:
        return None
    loop = loops[-1]
    indentation = re.search(r" *$", text[: loop.start()])
    if indentation and f"\n{indentation[0]}}}\n" in text[loop.end() : at]:
        return None  # the loop has ended before
    (over,) = arguments(text, text.rindex("(", 0, loop.start() + 5))
    over = over.partition(" of ")[2].strip().removeprefix("(").removesuffix(")")
    if re.fullmatch(r"\w+", over):
        constant = re.search(rf"^const {over} = (\[.*?\]);$", text, re.M | re.S)
        over = constant[1] if constant else over
    if not over.startswith("["):
        return None
    items = arguments(over, 0)
    if loop[1].startswith("["):
        number = re.findall(r"\w+", loop[1]).index(name)
        items = [arguments(item, 0)[number] for item in items]
    return [item[1:-1] for item in items] if all(re.fullmatch(r'"[^"]*"', item) for item in items) else None


@cache
def makes(text: str) -> Made:
    """Return what a module makes. `text`: its code without comments."""
    made = Made()
    for name in ("element", "svgElement"):
        for _, given in _calls(text, name):
            if given and given[0].startswith('"'):
                made.tags.add(given[0][1:-1])
                for written in given[1:2]:
                    made.classes |= _words(written)
    for name in ("buttonOf", ".classList.add", ".classList.toggle", "chipOf", "tokenChip"):
        made.tags |= {"button"} if name == "buttonOf" else set()
        for _, given in _calls(text, name):
            made.classes |= {word for each in given for word in _words(each)}
    for written in re.findall(r"\.className = (.*?);", text, re.S):
        made.classes |= _words(written)
    for name, value in re.findall(r'[{ ]"?([a-z][a-z-]*)"?: ("[^"]*")?', text):
        made.attributes.add((name, value[1:-1]))
    for name, value in re.findall(r'setAttribute\("([\w-]+)", ("[^"]*"\))?', text):
        made.attributes.add((name, value[1:-2]))
    made.attributes |= {(f"data-{_dashed(name)}", "") for name in re.findall(r"\.dataset\.(\w+) = ", text)}
    made.ids |= {each[1:-1] for each in re.findall(rf"\.id = ({_QUOTED})", text)}
    made.ids |= {each[1:-1] for each in re.findall(rf"[{{ ]id: ({_QUOTED})", text)}
    return made


def _words(written: str) -> set[str]:
    """Return the words of the quoted texts in a piece of code."""
    return {word for quoted in _TEXT.findall(written) for word in _HOLE.sub("", quoted[1:-1]).split()}


def _dashed(name: str) -> str:
    return re.sub("[A-Z]", lambda found: f"-{found[0].lower()}", name)


def read_data(text: str) -> set[str]:
    """Return the attributes that a module reads as `dataset.x`."""
    return {f"data-{_dashed(name)}" for name in re.findall(r"\.dataset\.(\w+)(?! = |\w)", text)}


def alternatives(selector: str) -> list[str]:
    """Return the parts of a selector between its commas."""
    return [each.strip() for each in selector.split(",")]


def is_there(selector: str, kind: str, elements: Sequence[Element], made: Made) -> bool:
    """Return whether the markup has an element of a kind that a selector matches, or a module may make one."""
    compounds = [each for each in selector.split() if each != ">"]
    if any(_matches(each, compounds) and _is_kind(each.tag, kind) for each in elements):
        return True
    *outer, last = compounds
    return (
        any(_is_kind(tag, kind) for tag in made.tags)
        and _is_made(last, made)
        and all(_is_made(each, made) or any(_matches_one(one, each) for one in elements) for each in outer)
    )


def _matches(element: Element, compounds: Sequence[str]) -> bool:
    """Return whether an element matches the last compound of a selector, and elements around it the others."""
    *outer, last = compounds
    if not _matches_one(element, last):
        return False
    around = element.parent
    while outer and around:
        if _matches_one(around, outer[-1]):
            outer.pop()
        around = around.parent
    return not outer


def _simple(compound: str) -> list[tuple[str, str, str]]:
    """Return the parts of a compound selector as (sign, name, value): `input#end[type=range]`."""
    compound = re.sub(r":[\w-]+(\([^)]*\))?", "", compound)
    return re.findall(r"([#.\[]?)([\w-]+)(?:=\"?([\w-]*)\"?)?\]?", compound)


def _matches_one(element: Element, compound: str) -> bool:
    return all(
        name == element.tag
        if not sign
        else name == element.attributes.get("id")
        if sign == "#"
        else name in element.classes
        if sign == "."
        else name in element.attributes and value in ("", element.attributes[name])
        for sign, name, value in _simple(compound)
    )


def _is_made(compound: str, made: Made) -> bool:
    return all(
        name in made.tags
        if not sign
        else any(re.fullmatch(_HOLE.sub(".+", each), name) for each in made.ids)
        if sign == "#"
        else name in made.classes
        if sign == "."
        else any(name == key and value in ("", given) for key, given in made.attributes)
        for sign, name, value in _simple(compound)
    )


def _is_kind(tag: str, kind: str) -> bool:
    named = kind.removeprefix("HTML").removesuffix("Element").lower()
    return not named or named == tag
