"""The engine as one file for the reader's tab: its modules, and replacements for libraries that are not there.

    engine.zip   bpe_core/                       the chapters that the tab uses
                 bpe_core/text/class_rules.table the class of every character, from this machine's `regex`
                 regex.py, classes.json          `regex_stand_in`, and the characters of the classes that it knows
                 markupsafe/                     the library in pure Python

Only the tables of the vocabularies are missing: the tab fetches the one that its reader chooses. Equal sources give an
equal file, so a browser that has the file need not fetch it again.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from pathlib import Path

import markupsafe
import regex

from bpe_core.pictures.site import regex_stand_in
from bpe_core.text import class_rules

PACKAGE = Path(__file__).parents[2]
# What the tab never uses, by the beginning of the path.
_LEFT_OUT = (
    "app/", "cli/", "counting/", "chat/", "sameness/", "__main__.py", "pictures/editor/",
    "pictures/paper/", "pictures/saved/", "pictures/site/engine.py", "pictures/site/regex_stand_in.py",
    "pictures/site/pyodide.py", "pictures/site/site",
)  # fmt: skip
_READ = {".py", ".pyi", ".css", ".html"}  # what the modules are, and read when they are imported
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the time of all files in the zip
_LAST = sys.maxunicode + 1


def engine_zip() -> bytes:
    """Return the engine as a zip file."""
    contents = {f"bpe_core/{name}": (PACKAGE / name).read_bytes() for name in _modules()}
    contents["regex.py"] = Path(regex_stand_in.__file__).read_bytes()
    contents["classes.json"] = json.dumps(explicit_classes(b"\n".join(contents.values()).decode())).encode()
    contents["bpe_core/text/class_rules.table"] = class_rules.class_table(_LAST).tobytes()
    for path in Path(markupsafe.__file__).parent.glob("*.py"):
        contents[f"markupsafe/{path.name}"] = path.read_bytes()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as files:
        for name in sorted(contents):
            files.writestr(zipfile.ZipInfo(name, _LONG_AGO), contents[name], zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _modules() -> list[str]:
    paths = (path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.suffix in _READ)
    return [path for path in paths if not path.startswith(_LEFT_OUT)]


def explicit_classes(source: str) -> dict[str, str]:
    """Return the characters of each class that the patterns in a source name, as the inside of a class for `re`.

    >>> explicit_classes(r"\\p{Lt}")[r"\\p{Lt}"][:10]
    '\\\\U000001c5'
    """
    named = {*re.findall(r"\\[pP]\{[A-Za-z_=]+\}", source), *(rf"\p{{{kind}}}" for kind in "LMNPSZ")}
    points = "".join(map(chr, range(_LAST)))

    def inside(name: str) -> str:
        runs = [(run.start(), run.end() - 1) for run in regex.finditer(f"{name}+", points)]
        return "".join(f"\\U{first:08x}" + (f"-\\U{last:08x}" if last > first else "") for first, last in runs)

    return {name: inside(name) for name in sorted(named | {r"\s", r"\S", r"\d", r"\D", r"\w", r"\W"})}
