"""`same`: the parts of two tokenizers, and the shortest text found on which they differ."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from bpe_core.cli.command import COMPARISON, Command, DifferentError
from bpe_core.cli.forms import FIGURES, Said, text_of
from bpe_core.cli.inputs import TOKENIZER, add_split, open_tokenizers
from bpe_core.files import opened
from bpe_core.pictures.paper.terminal import aligned_columns, progress_bar, readable
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import Cell, Row, TokenizerPart
from bpe_core.sameness.two_tokenizers import SECONDS, Sameness, sameness, template_text, written

SHOWN = 5  # differences of a part in the table
WIDE = 60  # characters of a value in the table


def _add_same(parser: ArgumentParser) -> None:
    for name, metavar in (("one", "A"), ("other", "B")):
        parser.add_argument(name, metavar=metavar, help=TOKENIZER if name == "one" else "another one")
    add_split(parser)
    parser.epilog = COMPARISON.format("no difference was found", "a text or a part differs")


def _same(given: Namespace) -> Iterator[Said]:
    names = given.one, given.other
    sides = open_tokenizers(names, given, opened)
    one, other = (Composition(each, template_text(name)) for name, each in zip(names, sides, strict=True))
    with progress_bar(sys.stderr) as progress:
        found = sameness(one, other, SECONDS, progress)
    sign = next(filter(None, (glyph_in(each.vocabulary) for each in sides)), "_")
    yield Said(_in_words(found, names, sign), _figures(found, names))
    if found.is_different:
        raise DifferentError


def _in_words(found: Sameness, names: Sequence[str], sign: str) -> str:
    """Return what is known in lines. `sign`: what is drawn for the word marker."""
    lines = [found.summary]
    if found.text is not None:
        lines += [
            f"  {name}: {'refuses it' if ids is None else ' '.join(map(str, ids)) or 'no ids'}"
            for name, ids in zip(names, (found.one_ids, found.other_ids), strict=True)
        ]
    lines += ["", aligned_columns(["part", "", ""], [[part.name, part.state, part.about] for part in found.parts], ())]
    for part in found.parts:
        if part.rows:
            rows = [[_cell(cell, sign) for cell in row] for row in part.rows[:SHOWN]]
            lines += ["", aligned_columns([part.name, *names], rows, ())]
            lines += [f"shown by {written(part.text)}"] if part.text is not None else []
    sums = [
        f"{each.sum} {each.name or '(llama.cpp has no name for it)'}" if each.sum else "refuses the text of the hash"
        for each in found.chkhsh
    ]
    lines += ["", aligned_columns(["chkhsh", ""], zip(names, sums, strict=True), ())]
    return "\n".join(lines) + "\n"


def _cell(cell: Cell | tuple[bytes, ...], sign: str) -> str:
    if isinstance(cell, tuple):
        return " + ".join(f"‘{readable(token, sign)}’" for token in cell)[:WIDE]
    if isinstance(cell, bytes):
        return readable(cell, sign)[:WIDE]
    return "–" if cell is None else readable(str(cell).encode(), sign)[:WIDE]


def _figures(found: Sameness, names: Sequence[str]) -> dict[str, object]:
    return {
        "text": found.text,
        "specials": found.specials,
        "texts": found.texts,
        "summary": found.summary,
        "tokenizers": [
            {"tokenizer": name, "ids": ids, "chkhsh": each.sum, "llama.cpp": each.name, "assumptions": assumed}
            for name, ids, each, assumed in zip(
                names, (found.one_ids, found.other_ids), found.chkhsh, found.assumptions, strict=True
            )
        ],
        "parts": [_part(part) for part in found.parts],
    }


def _part(part: TokenizerPart) -> dict[str, object]:
    rows = [_json_row(row) for row in part.rows]
    return {"part": part.name, "state": part.state, "about": part.about, "text": part.text, "differences": rows}


def _json_row(row: Row) -> dict[str, object]:
    what, one, other = row
    tokens = isinstance(what, tuple)
    named: dict[str, object] = {"of": [*map(text_of, what)] if isinstance(what, tuple) else what}
    return (
        named
        | ({"of_hex": [token.hex() for token in what if isinstance(token, bytes)]} if tokens else {})
        | {
            "one": one,
            "other": other,
        }
    )


SAME = Command(
    _same,
    _add_same,
    "the parts of two tokenizers, and the shortest text found on which they differ",
    ("{} same tokenizer.json hub:owner/model", "{} same model.gguf tokenizer.json --json"),
    FIGURES,
    compares=lambda given: True,
)
