"""`film`, `page`, `gallery` and `site`: pages that need no server of their own."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

from bpe_core.cli.command import Command, InputError
from bpe_core.cli.forms import add_force, check_out
from bpe_core.cli.inputs import (
    add_one_text,
    one_text,
    one_text_name,
    read_text,
    text_name,
    tokenizer_name,
    tokenizer_of,
)
from bpe_core.cli.training import (
    add_training,
    by_source,
    files_of,
    report_no_words,
    setting_and_value,
    settings_of,
    start_of,
    train_on_files,
)
from bpe_core.corpus.counting import Progress
from bpe_core.pictures.paper.terminal import progress_bar
from bpe_core.pictures.saved.gallery import write_gallery
from bpe_core.pictures.saved.page_file import SavedPage
from bpe_core.pictures.saved.saved_page import film_title, text_title
from bpe_core.pictures.site.site import INDEX, write_site
from bpe_core.record.run import Run
from bpe_core.record.run_training import train
from bpe_core.settings import CUSTOM, Settings
from bpe_core.tokenizer.tokenizer import Tokenizer


def _add_film(parser: ArgumentParser) -> None:
    add_training(parser, 300)
    parser.add_argument("--step", type=int, default=0, metavar="STEP", help="where it begins (default 0)")
    parser.add_argument("--title", default="", help="of the page (default: with the name of the file)")
    parser.add_argument(
        "--beside",
        action="append",
        type=setting_and_value,
        metavar="SETTING=VALUE",
        help="play a second training on the text beside the first one, with another value of a setting, such as "
        "pretokenizer=gpt2; repeat it for several. The text is read as a whole",
    )
    _add_page_out(parser)


def _film(given: Namespace) -> None:
    settings = settings_of(given)
    check_out(given.out, [Path(given.out)], files_of(given), given.force)
    start = start_of(given, settings)
    with progress_bar(sys.stderr) as progress:  # until the page is written
        if given.beside:
            run, beside = _trained_beside(given, settings, dict(given.beside), progress, start)
        else:
            run, beside = train_on_files(given, settings, progress, start), None
        title = given.title or film_title(run, beside, text_name(files_of(given)))
        page = run.page(given.step, title, beside, progress)
        page.save(given.out)
    _print_page(page, given.out)
    report_no_words(run)


def _trained_beside(
    given: Namespace, settings: Settings, values: dict[str, Any], progress: Progress, start: Tokenizer | None
) -> tuple[Run, Run]:
    """Train twice on the files, each read as a whole: with `settings`, and with `values` in place of some settings.

    `start`: the tokenizer that both start from, unless `values` has another start.
    """
    pattern = {"pretokenizer": CUSTOM} if "pattern" in values else {"pattern": ""} if "pretokenizer" in values else {}
    both = settings, replace(settings, **values | pattern)
    texts = by_source(given, read_text)
    starts = start, None if "start" in values else start
    first, second = (
        train(texts, each, progress, given.workers, given.dask, begun) for each, begun in zip(both, starts, strict=True)
    )
    return first, second


def _add_page(parser: ArgumentParser) -> None:
    add_one_text(parser)
    parser.add_argument("--title", default="", help="of the page (default: with the name of the file)")
    _add_page_out(parser)


def _page(given: Namespace) -> None:
    check_out(given.out, [Path(given.out)], [given.file or "-", given.tokenizer], given.force)
    name = tokenizer_name(given)
    title = given.title or text_title(name, one_text_name(given))
    page = tokenizer_of(given).encode(one_text(given), specials=given.specials).page(name, title)
    page.save(given.out)
    _print_page(page, given.out)


def _add_page_out(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=_page_to_write, required=True, metavar="PATH", help="the page to write; it contains the text"
    )
    add_force(parser)


def _page_to_write(text: str) -> str:
    if not text.lower().endswith((".html", ".htm")):
        raise ArgumentTypeError(f"{text!r} has to end in .html, as it becomes a page")
    return text


def _print_page(page: SavedPage, out: str) -> None:
    print(f"{out}: {page.title}", *filter(None, [page.remark]), sep=". ", file=sys.stderr)


def _add_gallery(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to write them into, which is made")
    add_force(parser)


def _gallery(given: Namespace) -> None:
    _check_index(given)
    index, *pages = write_gallery(given.folder)
    size = sum(path.stat().st_size for path in (index, *pages))
    print(f"{index} leads to {len(pages)} pages, {size / 1e6:.1f} MB in all; open it in a browser", file=sys.stderr)


def _check_index(given: Namespace) -> None:
    """Raise `InputError` if the folder has an index page that `gallery` or `site` did not write."""
    index = Path(given.folder) / INDEX
    if not given.force and index.is_file() and b"Mergescope" not in index.read_bytes():
        raise InputError(f"{index} is there already and is none of ours; --force overwrites it")


def _add_site(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to write the site into, which is made")
    parser.add_argument(
        "--pyodide",
        metavar="DIR",
        help="a folder with the files of Pyodide, the browser's Python, to copy beside the page (default: the page "
        "fetches them from their makers)",
    )
    add_force(parser)


def _site(given: Namespace) -> None:
    _check_index(given)
    sizes = write_site(given.folder, given.pyodide)
    index = Path(given.folder) / INDEX
    print(f"{index} and {len(sizes) - 1} files, {sum(sizes.values()) / 1e6:.1f} MB in all", file=sys.stderr)
    served = f"{quote(sys.executable)} -m http.server --bind localhost --directory {quote(given.folder)}"
    print(f"To look at it on http://localhost:8000: {served}", file=sys.stderr)


FILM = Command(
    _film,
    _add_film,
    "a training as one HTML page that plays it, without a server",
    (
        "{} film book.txt --vocab-size 600 --out film.html",
        "{} film book.txt --pretokenizer whitespace --beside pretokenizer=gpt2 --out two.html",
    ),
)
PAGE = Command(
    _page,
    _add_page,
    "a text as one HTML page that melts into its tokens, without a server",
    ('{} page gpt-4o --text "Hello there" --out tokens.html',),
)
SITE = Command(
    _site,
    _add_site,
    "a page for any static host that encodes and trains in the reader's browser",
    ("{} site my-site",),
)
GALLERY = Command(_gallery, _add_gallery, "films and texts as pages, with an index page", ("{} gallery my-films",))
