"""Make the tables in README.md and tests/benchmarks/README.md from results: `python -m tests.benchmarks.readme`.

    python -m tests.benchmarks.readme             # from release-bench.jsonl and release-campaign.jsonl
    python -m tests.benchmarks.readme RESULTS…    # of a `make bench` or `make campaign`: they replace these files first

A table is between two comments, `<!-- made from results: peers -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from tests.benchmarks.corpora import BOOK, LARGE, MANY, SIZES
from tests.benchmarks.figures import verdict
from tests.benchmarks.peers import ENCODERS, TRAINERS
from tests.benchmarks.sheet import Results, read

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCUMENTS = (ROOT / "README.md", HERE / "README.md")
PEERS = list(dict.fromkeys([*TRAINERS, *ENCODERS]))
EASIER = "¹ Splits at white space and works on characters, which is easier."
# The columns that have another heading, and what is said about it below the table.
HEADINGS = {
    "fast": ("with `fast`", "`fast` is the extra that compiles the loop of a training."),
    "sentencepiece": ("sentencepiece¹", EASIER),
    "YouTokenToMe": ("YouTokenToMe¹", EASIER),
    "Hugging Face, by line": ("Hugging Face²", "² By line; the whole text at once takes longer."),
}
# The corpora, as they are called in a document.
TEXTS = {
    LARGE: "40 MB of English documentation and sources",
    BOOK: "0.4 MB of it",
    MANY: "40 MB in many languages",
}
# Which rows of a campaign are quoted, in this order.
VISITORS = (
    r": the server's processor$",
    r"^\d+ .*95th percentile$",
    r"^a step while nobody .*95th percentile$",
    r"^a step while .*95th percentile, of that$",
    r"^memory with every vocabulary",
)


def made_on(results: Results) -> str:
    """Return what was measured, when and on what, and which figures are not to be relied on.

    >>> about = {"version": "1.1", "at": "2026-11-23", "cores": 2, "python": "3.11", "processor": None}
    >>> made_on(Results(about))
    'Version 1.1, 23 November 2026: 2 cores, which processor was not recorded; Python 3.11.'
    """
    about = results.about
    processor = about["processor"] or "which processor was not recorded"
    said = f"{version_and_day(results)}: {about['cores']} cores, {processor}; Python {about['python']}"
    said += "".join(f", {name} {version}" for name, version in about.get("libraries", {}).items()) + "."
    if about.get("note"):
        said += f" {about['note']}"
    if busy := results.busy():
        said += f" The machine was busy with other work, so these figures tell little: {', '.join(busy)}."
    if results.failed:
        said += f" Not measured to the end: {', '.join(results.failed)}."
    return said


def version_and_day(results: Results) -> str:
    """Return which version was measured, and when."""
    day = datetime.fromisoformat(results.about["at"])
    return f"Version {results.about['version']}, {day.day} {day:%B %Y}"


def peers_table(results: Results, texts: Sequence[str] = (LARGE, BOOK, MANY)) -> str:
    """Return how many times as long each library takes for a task; libraries without a figure have no column."""
    lines = []
    for name in texts:
        size = f"{SIZES[name]:,}"
        ours, fast = (results.figure(f"train, {name}, to {size}: ours{more}") for more in ("", " with fast"))
        if ours:
            beside = [results.figure(f"train, {name}: {peer} / ours") for peer in PEERS]
            cells = [written(ours, "s"), written(fast, "s"), *map(written, beside)]
            lines.append([f"learn {size} tokens from {TEXTS[name]}", *cells])
    for name in texts:
        ours = results.figure(f"encode, {name}, first sight: ours")
        if ours:
            beside = [results.figure(f"encode, {name}, first sight: ours / {peer}") for peer in PEERS]
            cells = [written(ours, "MB/s"), "", *map(written, beside)]
            lines.append([f"encode {TEXTS[name]}, never seen before", *cells])
    names = ["", "Mergescope", "fast", *PEERS]
    used = [at for at in range(len(names)) if at == 0 or any(line[at] for line in lines)]
    heads, notes = zip(*(HEADINGS.get(name, (name, "")) for name in names), strict=True)
    said = " ".join(dict.fromkeys(notes[at] for at in used if notes[at]))
    return markdown([[line[at] for at in used] for line in [heads, *lines]]) + f"\n\n{said}".rstrip()


def steps(results: Results) -> str:
    """Return a table of what is read from the record of the large run, and of a file larger than memory."""
    names = {
        "steps of the large run": "steps of the 40 MB",
        "200 words at a random step, median": "200 words of the corpus at any step",
        "15 most frequent pairs at a random step, median": "the 15 most frequent pairs at any step",
        "index of all pair counts, once a run": "their index, made once",
        "1,000 MB file to 32,000, 2 threads": "a file of 1 GB, two threads, on the wall",
        "1,000 MB file to 32,000, 2 threads: peak memory": "its memory at most",
    }
    found = {row["what"]: written(row["figure"], row["unit"]) for row in results.rows}
    return markdown([["", ""], *([said, found[what]] for what, said in names.items() if what in found)])


def goals(results: Results) -> str:
    """Return a table of all rows that have a goal."""
    rows = [row for row in results.rows if row["goal"] is not None]
    if not rows:
        return "These results have none of them."
    lines = [["", "", "goal"]]
    for row in rows:
        said = verdict(row["figure"], row["unit"], row["goal"], row["others"]).removeprefix("goal ")
        lines.append([row["what"], written(row["figure"], row["unit"]), said.replace("NOT REACHED", "**not reached**")])
    return markdown(lines)


def visitors(results: Results) -> str:
    """Return a table: how long crowds wait, what they cost, and what others do to them."""
    found = [row for kind in VISITORS for row in results.rows if re.search(kind, row["what"])]
    lines = [[row["what"], written(row["figure"], row["unit"])] for row in found]
    return markdown([["", ""], *lines])


def written(figure: float | None, unit: str = "x") -> str:
    """Return a figure with two digits that count, all digits before the point, and its unit.

    >>> written(1.04), written(0.122, "s"), written(31744, ""), written(59.4, "ms"), written(0.0), written(None)
    ('1.0', '0.12 s', '31,744', '59 ms', '0', '')
    """
    if figure is None:
        return ""
    digits = f"{figure:,.0f}" if abs(figure) >= 9.95 or not figure or isinstance(figure, int) else f"{figure:#.2g}"
    return digits if unit in ("", "x") else f"{digits} {unit}"


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return a table. Its first line has the headings."""
    head, *rest = ["|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|" for line in lines]
    return "\n".join([head, "|" + "---|" * len(lines[0]), *rest])


# The tables by their names in a document: the results that they are made from, and how.
TABLES: dict[str, tuple[str, Callable[[Results], str]]] = {
    "made-on": ("bench", made_on),
    "peers": ("bench", peers_table),
    "peers-short": ("bench", lambda results: f"{peers_table(results, (LARGE, BOOK))} {version_and_day(results)}."),
    "steps": ("bench", steps),
    "goals": ("bench", goals),
    "visitors-made-on": ("campaign", made_on),
    "visitors": ("campaign", visitors),
}
BLOCK = re.compile(r"(<!-- made from results: (\S+) -->\n\n)(.*?)(\n\n<!-- end -->)", re.S)


def released(of: str) -> Path:
    """Return the file with the results that the documents quote."""
    return HERE / f"release-{of}.jsonl"


def renewed(document: str) -> str:
    """Return a document whose tables are made anew."""

    def table(found: re.Match[str]) -> str:
        of, make = TABLES[found[2]]
        return f"{found[1]}{make(read(released(of)))}{found[4]}"

    return BLOCK.sub(table, document)


def main(paths: Sequence[str]) -> None:
    """Take results as those of the release, and write the tables into the documents."""
    for path in map(Path, paths):
        shutil.copyfile(path, released(read(path).about["of"]))
    for document in DOCUMENTS:
        document.write_text(renewed(document.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
