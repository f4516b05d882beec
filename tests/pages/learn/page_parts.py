"""What a learner sees of a question, read from its HTML: words with their counts, merges, tables, tokens, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.text.alphabet import MARKER, encode_text
from pages.parts.learn.word_merges import MergeStep

CHARACTERS = {mark: encode_text(char) for char, mark in MARKS.items()} | {"_": MARKER, "##": MARKER}


@dataclass
class Node:
    """An element with its classes and what is in it."""

    tag: str = ""
    classes: list[str] = field(default_factory=list)
    inside: list[Node | str] = field(default_factory=list)

    def all(self, tag: str = "", css: str = "") -> Iterator[Node]:
        """Yield the elements inside with a tag and a class, in their order; nothing inside one of them."""
        for each in self.inside:
            if isinstance(each, Node):
                if (not tag or each.tag == tag) and (not css or css in each.classes):
                    yield each
                else:
                    yield from each.all(tag, css)

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.inside)

    @property
    def prose(self) -> str:
        """The text with □ for each token, and without the texts that can be opened."""
        if "token" in self.classes:
            return "□"
        if self.tag == "details":
            return ""
        return "".join(each if isinstance(each, str) else each.prose for each in self.inside)

    @property
    def tokens(self) -> list[bytes]:
        return [_token(chip) for chip in self.all(css="token")]

    @property
    def words(self) -> dict[tuple[bytes, ...], int]:
        """The words of the corpus, with their counts."""
        (region,) = self.all(css="words")
        counts = [int(re.sub(r"\D", "", count.text)) for count in region.all(css="count")]
        found: dict[tuple[bytes, ...], int] = {}
        for word, count in zip(region.all(css="word"), counts, strict=True):
            found[tuple(word.tokens)] = found.get(tuple(word.tokens), 0) + count
        return found

    @property
    def merges(self) -> list[MergeStep]:
        """The merges of a list, or of a cell of a table."""
        pairs = [pair.tokens for pair in self.all(css="pair")]
        steps = [int(step.text.replace(",", "")) for step in self.all(css="step")]
        return [MergeStep(step, *pair) for step, pair in zip(steps, pairs, strict=True)]

    @property
    def rows(self) -> list[list[Node]]:
        """The cells of the table, by row."""
        (body,) = self.all("tbody")
        return [list(row.all("td")) for row in body.all("tr")]


def _token(chip: Node) -> bytes:
    raw = b""
    for part in chip.inside:
        if isinstance(part, str):
            raw += encode_text(re.sub("^◌(?=.)", "", part))
        elif "hex" in part.classes:
            raw += bytes.fromhex(part.text)
        elif "mark" in part.classes:
            raw += CHARACTERS.get(part.text) or encode_text(chr(int(part.text.strip("⟨⟩"), 16)))
    return raw


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node()]

    def handle_starttag(self, tag, attributes):
        node = Node(tag, (dict(attributes).get("class") or "").split())
        self.open[-1].inside.append(node)
        if tag not in ("br", "img"):
            self.open.append(node)

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].inside.append(data)


def read(html: str) -> Node:
    """Return the elements of HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1
    return reader.open[0]
