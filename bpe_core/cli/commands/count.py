"""`count`: the tokens of files, folders and tables, by file, or of the same data in other notations."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from bpe_core.by_name import published
from bpe_core.cli.command import Command, Form, InputError
from bpe_core.cli.forms import write_csv, write_json, write_text
from bpe_core.cli.inputs import TOKENIZER, add_split, open_tokenizers
from bpe_core.cli.training import number_of
from bpe_core.counting import Counts, FileCount, count_files, file_rows
from bpe_core.counting.counts import NOT_KNOWN
from bpe_core.counting.file_rows import TABLES
from bpe_core.counting.found_files import LEFT_OUT, FoundFile, FoundFileError, LeftOut, in_paths
from bpe_core.counting.other_notations import ENDINGS, Notations, notations
from bpe_core.counting.prices import NO_PRICE, cost, price_of, why_no_price
from bpe_core.counting.written_data import data_in
from bpe_core.kinds import WholeNumber
from bpe_core.pictures.paper.terminal import aligned_columns, progress_bar, readable
from bpe_core.text.encodings import NO_TEXT
from bpe_core.text.in_words import counted, lost_pieces
from bpe_core.tokenizer.tokenizer import Tokenizer

QUANTILES = {"half have at most": 0.5, "90%": 0.9, "99%": 0.99}
KEYS = 10  # the most keys of data that are listed
_EACH = "each tokenizer has its own --tokenizer, such as --tokenizer gpt-4o --tokenizer qwen"
NAMED = 5  # the most files that are named one by one; the others are only counted


class _Notated(NamedTuple):
    """The data of files in several notations. `files`: for each file by its name, what each tokenizer needs."""

    names: list[str]
    files: Mapping[str, Sequence[Notations]]


class _Measured(NamedTuple):
    """The counts, and the options of the command. `prices`: a million tokens' price for each tokenizer; may be ()."""

    names: list[str]
    counts: Counts
    limit: int | None
    prices: tuple[float, ...]

    @property
    def files(self) -> list[FileCount]:
        """The files with the fewest tokens first, so that the largest stand right above the total."""
        return sorted(self.counts.files, key=lambda file: (file.tokens, file.name))

    @property
    def sums(self) -> list[int]:
        """The tokens of all files, for each tokenizer."""
        return [self.counts.total(tokenizer) for tokenizer in range(len(self.names))]

    @property
    def costs(self) -> list[float]:
        """The price of all tokens, for each tokenizer; [] without prices."""
        return [total * price / 1e6 for total, price in zip(self.sums, self.prices, strict=False)]


def _price(text: str) -> float:
    price = price_of(text)
    if price is None:
        why = "" if why_no_price(text) == NO_PRICE else f": {why_no_price(text)}"
        raise ArgumentTypeError(f"{text[:20]!r} is not a price of a million tokens, such as 2.50{why}")
    return price


def _add_count(parser: ArgumentParser) -> None:
    about = "files and folders; tables: .jsonl, .csv, .tsv, .tab, .parquet; - is standard input"
    parser.add_argument("paths", nargs="*", default=["-"], metavar="PATH", help=about)
    several = f"{TOKENIZER} (default gpt-4o); repeat it for several"
    parser.add_argument("--tokenizer", action="append", metavar="TOKENIZER", help=several)
    add_split(parser)
    of_table = "of a table: what counts of each record; without it a record counts as it stands in the file, but for "
    of_table += "its line end, and a header does not count; what headers and line ends take is said below"
    parser.add_argument("--column", default="", metavar="NAME", help=of_table)
    how_many = "say how many rows have more tokens than this; a text is one row, a table has a row for each record"
    parser.add_argument("--limit", type=number_of(WholeNumber(0)), metavar="TOKENS", help=how_many)
    price = "say what the tokens cost at this price of a million; with several tokenizers one price, or one for each"
    parser.add_argument("--price", type=_price, action="append", default=[], metavar="PRICE", help=price)
    about = (
        "say instead what the data in the files costs as JSON, YAML, CSV and TOON; a file without an ending of data "
    )
    about += "is recognised by its content"
    parser.add_argument("--notations", action="store_true", help=about)
    strict = "end with exit code 1 also for pictures, archives and other data in a folder that is no text"
    parser.add_argument("--strict", action="store_true", help=strict)
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="count on the Dask cluster at tcp://HOST:PORT; needs the extra dask",
    )


def _count(given: Namespace) -> Iterator[_Measured | _Notated]:
    names = given.tokenizer or ["gpt-4o"]
    if any("," in name and all(map(published, name.split(","))) for name in names):
        raise InputError(_EACH)
    if len(given.price) not in (0, 1, len(names)):
        raise InputError(f"there are {counted(len(names), 'tokenizer')} and {counted(len(given.price), 'price')}")
    if "" in given.paths:
        raise InputError("the name of a file is empty; - is standard input")
    prices = given.price * len(names) if len(given.price) == 1 else given.price
    if given.dask and given.pretokenizer:
        raise InputError("--pretokenizer is not for --dask: save the tokenizer with it first, with convert")
    tokenizers = open_tokenizers(names, given)  # an error is named before anything is read
    if given.notations:
        yield from _notated(given.paths, names, tokenizers)
        return
    with progress_bar(sys.stderr) as progress:
        counts = count_files(given.paths, names if given.dask else tokenizers, given.column, progress, given.dask)
    yield _Measured(names, counts, given.limit, tuple(prices))
    for name, why in islice(counts.problems.items(), NAMED):
        print(f"{readable(name.encode())}: {why}", file=sys.stderr)
    if len(counts.problems) > NAMED:
        print(f"and {counted(len(counts.problems) - NAMED, 'more file')}; --json names all", file=sys.stderr)
    if any(map(published, counts.problems)):
        print(_EACH, file=sys.stderr)
    if given.column and counts.files and not any(file.name.lower().endswith((*TABLES, ".gz")) for file in counts.files):
        print("--column: none of these files is a table, so each counts as a whole", file=sys.stderr)
    if any("is not text in UTF-8" in why for why in counts.problems.values()):
        print("a text in another encoding is counted once it is saved as UTF-8", file=sys.stderr)
    no_text = sum(counts.left_out.get(kind, 0) for kind in NO_TEXT) if given.strict else 0
    failed = {"could not be counted, or only in part": len(counts.problems), "left out as no text": no_text}
    if said := [f"{counted(number, 'file')} {why}" for why, number in failed.items() if number]:
        raise InputError("; ".join(said))


def _notated(paths: Sequence[str], names: list[str], tokenizers: Sequence[Tokenizer]) -> Iterator[_Notated]:
    """Yield the notations of the files that have data. Raises `InputError` at the end if one could not be read."""
    failed, costs = 0, dict[str, Sequence[Notations]]()
    for file in in_paths(paths):
        try:
            if isinstance(file, LeftOut):
                if file.is_problem:
                    raise FoundFileError(file.why)
            elif found := file if file.ending in ENDINGS else _as_data(file):
                costs[file.name] = [notations(found, each) for each in tokenizers]
        except (FoundFileError, OSError) as error:
            print(f"{readable(file.name.encode())}: {error}", file=sys.stderr)
            failed += 1
    if costs:
        yield _Notated(names, costs)
    if failed:
        raise InputError(f"{counted(failed, 'file')} could not be read as data")
    if not costs:
        raise InputError("none of these files is data")


def _as_data(file: FoundFile) -> FoundFile | None:
    """Return a file under a name that ends as its data does; None if it is none, or too long to be recognised."""
    text = "".join(part.text for part in file_rows.rows(file))
    data = data_in(text)
    return data and FoundFile(f"{file.name}{data.ending}", len(text), lambda: BytesIO(text.encode()))


def _write_notations(found: _Notated) -> None:
    """Print how many tokens the data of each file takes in each notation, the fewest first, and its dearest keys."""
    head = [*(found.names if len(found.names) > 1 else ["tokens"]), "notation"]
    for name, costs in found.files.items():
        first = costs[0]
        write_text(f"{readable(name.encode())}{f', its first {first.cut:,} records' if first.cut else ''}\n")
        fewest = sorted(first.tokens, key=first.tokens.__getitem__)
        table = [[*(each.tokens[notation] for each in costs), notation] for notation in fewest]
        write_text(aligned_columns(head, table, set(range(len(costs)))) + "\n")
        write_text("".join(f"no {notation}: {why}\n" for notation, why in first.missing.items()))
        keys = [[cost.tokens, cost.of_name, cost.times, cost.key or "(outside all keys)"] for cost in first.keys[:KEYS]]
        shown = [[*row[:-1], readable(str(row[-1]).encode(errors="surrogatepass"))] for row in keys]
        write_text(aligned_columns(["tokens", "of the name", "times", "dearest keys"], shown, {0, 1, 2}) + "\n")


def _notated_json(found: _Notated) -> list[dict[str, object]]:
    return [
        {
            "file": name,
            "notations": {each: dict(cost.tokens) for each, cost in zip(found.names, costs, strict=True)},
            "missing": dict(costs[0].missing),
            "cut": costs[0].cut,
            "keys": [cost._asdict() for cost in costs[0].keys],
        }
        for name, costs in found.files.items()
    ]


def _rows(found: _Measured) -> Iterator[list[object]]:
    for file in found.files:
        yield [*file.tokens, file.characters, file.rows, file.name]


def _write_text(found: _Measured | _Notated) -> None:
    if isinstance(found, _Notated):
        _write_notations(found)
        return
    size, rows = sum(file.characters for file in found.files), found.counts.rows
    head = [*(found.names if len(found.names) > 1 else ["tokens"]), "characters", "rows", "file"]
    total = [*found.sums, size, rows, f"total of {counted(len(found.files), 'file')}"]
    table = [*([*row[:-1], readable(str(row[-1]).encode())] for row in _rows(found)), total]
    write_text(aligned_columns(head, table, set(range(len(head) - 1))) + "\n")
    write_text("".join(f"{line}\n" for line in _sentences(found)))


def _sentences(found: _Measured) -> Iterator[str]:
    """Yield what there is to say besides the table."""
    counts = found.counts
    for number, name in enumerate(found.names):
        of = f"{name}: " if len(found.names) > 1 else ""
        if counts.whole(number) != counts.total(number):
            more = counts.whole(number) - counts.total(number)
            yield f"{of}headers and line ends of tables take {more:,} tokens; all of the files {counts.whole(number):,}"
        if said := lost_pieces(counts.lost[number]):
            yield f"{of}{said}"
        if counts.rows > 1:
            lengths = counts.quantiles([*QUANTILES.values()], number)
            shares = zip(QUANTILES, lengths, strict=True)
            said = ", ".join(f"{share} {length:,.0f}" for share, length in shares)
            most, row = counts.tokens[number].largest()
            file, place = counts.place(row)
            named = file.row_name(place)
            longest = readable(named.encode()) + ("," if named != file.name else "")
            yield f"{of}tokens of a row: {said}; the longest, {longest} has {most:,}"
        if found.limit is not None:
            yield f"{of}{counts.longer_said(found.limit, number)}"
        if found.prices:
            whole = counts.whole(number) * found.prices[number] / 1e6
            of_whole = f"; of all of the files {cost(whole)}" if counts.whole(number) != counts.total(number) else ""
            yield f"{of}cost at {found.prices[number]:g} a million tokens: {cost(found.costs[number])}{of_whole}"
    if unknown := sum(not file.whole for file in counts.files):
        yield f"not known: what header and line ends take in {counted(unknown, *NOT_KNOWN)}"
    for encoding in sorted({*counts.read_as.values()}):
        read = [readable(name.encode()) for name, each in counts.read_as.items() if each == encoding]
        others = f" and {counted(len(read) - NAMED, 'more file')}" if len(read) > NAMED else ""
        yield f"read as {encoding}: {', '.join(read[:NAMED])}{others}"
    if counts.left_out:
        yield "left out: " + ", ".join(counted(n, *LEFT_OUT[why]) for why, n in counts.left_out.items())


def _write_csv(found: _Measured | _Notated) -> None:
    if isinstance(found, _Notated):
        rows = [
            [*(each.tokens[notation] for each in costs), notation, name]
            for name, costs in found.files.items()
            for notation in costs[0].tokens
        ]
        write_csv([[*found.names, "notation", "file"], *rows])
        return
    write_csv([[*found.names, "characters", "rows", "file"], *_rows(found)])


def _write_json(found: _Measured | _Notated) -> None:
    if isinstance(found, _Notated):
        write_json(_notated_json(found))
        return
    counts, names = found.counts, found.names
    figures: dict[str, Any] = {"tokens": dict(zip(names, found.sums, strict=True)), "rows": counts.rows}
    figures["quantiles"] = {
        name: dict(zip(map(str, QUANTILES.values()), counts.quantiles([*QUANTILES.values()], number), strict=False))
        for number, name in enumerate(names)
    }
    if found.limit is not None:
        figures["limit"] = found.limit
        figures["longer"] = {name: counts.longer_than(found.limit, number) for number, name in enumerate(names)}
    if found.prices:
        figures["cost"] = dict(zip(names, found.costs, strict=True))
    figures["files"] = [
        {
            "file": file.name,
            "tokens": dict(zip(names, file.tokens, strict=True)),
            "characters": file.characters,
            "rows": file.rows,
            "whole": dict(zip(names, file.whole, strict=True)) if file.whole else None,
        }
        for file in found.files
    ]
    figures["whole"] = {name: counts.whole(number) for number, name in enumerate(names)}
    if any(counts.lost):
        figures["lost"] = dict(zip(names, counts.lost, strict=True))
    about = {"left_out": counts.left_out, "problems": counts.problems, "read_as": counts.read_as}
    write_json(figures | {name: dict(each) for name, each in about.items()})


COUNT = Command(
    _count,
    _add_count,
    "how many tokens files, folders and tables have",
    (
        "{} count docs README.md",
        "{} count answers.json --notations",
        "{} count data.jsonl --column text --tokenizer gpt-4o --tokenizer qwen --limit 8192 --price 2.50",
    ),
    {
        "text": Form(_write_text),
        "csv": Form(_write_csv, "print CSV instead: a line for each file"),
        "json": Form(_write_json, "print JSON instead: the sums, and an object for each file"),
    },
)
