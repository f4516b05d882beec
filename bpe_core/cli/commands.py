"""The commands of `python -m bpe_core`, one function each. `main` reads the command line and calls them."""

from __future__ import annotations

import csv
import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from io import StringIO
from pathlib import Path
from typing import Any

from bpe_core.chat.model_input import ModelInput
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatTemplate, fitting, read_template, read_turns, template_of
from bpe_core.chat.templates import FILES as CHAT_FILES
from bpe_core.corpus.text_files import TextFile
from bpe_core.display.drawing import Appearance, Drawing, encoding_drawing, step_drawing, token_drawing
from bpe_core.display.in_words import counted, lost_pieces
from bpe_core.display.pictures import PICTURES, picture
from bpe_core.display.terminal import barred, coloured, has_colours, progress_bar, readable, table
from bpe_core.display.token_text import glyph_in, glyph_of
from bpe_core.files import FormatError, check_writable, dumps, format_for, hub, load, paths_of
from bpe_core.files.writing import write_files
from bpe_core.live.gallery import write_gallery
from bpe_core.published import named
from bpe_core.record.all_stages import Stages
from bpe_core.record.recording import train
from bpe_core.record.run import Run
from bpe_core.saved_page import Page
from bpe_core.settings import CUSTOM, SETTINGS, STARTS, Settings
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.comparison import compare
from bpe_core.tokenizer.cost_curve import Cost
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.trimming import trim

_COMPARED = (
    "pretokens",
    "different pretokens",
    "merges",
    "tokens",
    "characters each",
    "thrown away",
    "ended because",
)


PAIR = ("whitespace", "gpt2")  # the pretokenizers that `compare` compares if none are given
FIRST_DIFFERENCES = 10  # that `compare` lists


class InputError(ValueError):
    """An input that cannot be used; the message names it and the reason."""


def _text_file(name: str) -> TextFile:
    """Return a file, or standard input for `-`."""
    return TextFile("standard input", sys.stdin.buffer) if name == "-" else TextFile(name)


def read_text(name: str) -> str:
    """Read a file as text, or standard input for `-`."""
    return "".join(block for block, _ in _text_file(name).blocks())


def settings_of(given: Namespace, **fixed: Any) -> Settings:
    """Return the settings that the options ask for; a pattern is a pretokenizer. `fixed`: values without an option."""
    values = {name: vars(given)[name] for name in SETTINGS if name in given and name != "start"}
    row = named(given.start) if "start" in given else None
    if row and row.name in STARTS:
        values["start"] = row.name
    return Settings(**(values | ({"pretokenizer": CUSTOM} if "pattern" in given else {}) | fixed))


def trained(given: Namespace, settings: Settings) -> Run:
    """Train on the given files, with a progress bar in a terminal."""
    for name in given.files:
        if name != "-":
            Path(name).stat()  # raises for a missing file, before a long training
    texts = [_text_file(name) for name in given.files]
    with progress_bar(sys.stderr) as progress:
        return train(texts, settings, progress, given.workers, given.dask, _start(given, settings))


def _start(given: Namespace, settings: Settings) -> Tokenizer | None:
    """Return the tokenizer to start from, if it is none that the settings name."""
    return None if settings.start != "none" or given.start == "none" else _tokenizer(given.start)


def _write_text(text: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(encode_text(text))


def train_command(given: Namespace) -> None:
    """Train on files and write the tokenizer. If it cannot be written, raise an error before training."""
    settings, out = settings_of(given), Path(given.out)
    check_not_read([out], given.files)
    format_name = format_for(out, given.format)
    dumps(train("", settings, start=_start(given, settings)).tokenizer(), format_name)
    check_out(given.out, paths_of(out, format_name), given.files, given.force)
    run = trained(given, settings)
    tokenizer = run.tokenizer()
    names = " and ".join(map(str, tokenizer.save(out, format_name)))
    merges = Stages(run).steps
    print(f"{names}: {tokenizer.vocab_size:,} tokens, {merges:,} merges, {run.stop_reason}", file=sys.stderr)
    if not len(run.pretokens):
        print("the texts have no words, so nothing was learnt", file=sys.stderr)


def convert_command(given: Namespace) -> None:
    """Write a tokenizer in another format."""
    out = Path(given.out)
    format_name = format_for(out, given.format)
    check_out(given.out, paths_of(out, format_name), [given.tokenizer], given.force)
    tokenizer = opened(given)
    names = " and ".join(map(str, tokenizer.save(out, format_name)))
    print(f"{names}: {tokenizer.vocab_size:,} tokens", file=sys.stderr)


def trim_command(given: Namespace) -> None:
    """Write the tokens that texts use as a tokenizer of their own, and the ids before and after."""
    out = Path(given.out)
    read = [given.tokenizer, *given.files]
    check_not_read([out], read)
    format_name = format_for(out, given.format)
    check_out(given.out, paths_of(out, format_name), read, given.force)
    if given.ids:
        check_out(given.ids, [Path(given.ids)], read, given.force)
    tokenizer = opened(given)
    trimmed = trim(tokenizer, map(read_text, given.files))
    names = trimmed.tokenizer.save(out, format_name)
    if given.ids:
        write_files({Path(given.ids): _csv([["before", "after"], *trimmed.ids.items()]).encode()})
    sizes = f"{tokenizer.vocab_size:,} tokens became {trimmed.tokenizer.vocab_size:,}"
    print(f"{' and '.join(map(str, names))}: {sizes}", file=sys.stderr)


def vocab_command(given: Namespace) -> None:
    """Print the tokens of a tokenizer with their ids, and the steps that made them."""
    tokenizer, sought = opened(given), encode_text(given.search)
    glyph, quote = glyph_in(tokenizer.vocabulary), "{}" if given.csv else "‘{}’"
    special = {i: encode_text(name) for name, i in tokenizer.special_tokens.items()}
    rows: list[Sequence[object]] = []
    for token_id, token in sorted([*((i, t) for i, t in enumerate(tokenizer.tokens) if t), *special.items()]):
        if sought in token and (token_id not in special or token == special[token_id]):
            made = None if token_id in special else tokenizer.origin(token_id)
            rows.append([token_id, quote.format(readable(token, glyph)), len(token), made[2] if made else ""])
    head = ["id", "token", "bytes", "step"]
    if given.csv:
        _write_csv([head, *rows])
    else:
        _write_text(table(head, rows, {0, 2, 3}) + "\n")


def check_out(out: str, paths: list[Path], read: list[str], force: bool) -> None:
    """Raise the errors that writing to `paths` would raise, and `InputError` if it would overwrite a file in `read`.

    Without `force`, `InputError` also if it would overwrite any other file.
    """
    folder = Path(out) if out.endswith(("/", os.sep)) else paths[0].parent
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder to write to")
    check_not_read(paths, read)
    for path in paths:
        if path.is_file() and not force:
            raise InputError(f"{path} is there already; --force overwrites it")
    check_writable(paths)


def check_not_read(paths: Iterable[Path], read: Iterable[str]) -> None:
    """Raise `InputError` if one of `paths` is a file in `read`."""
    texts = [Path(name) for name in read if name != "-" and Path(name).is_file()]
    for path in paths:
        if path.is_file() and any(path.samefile(text) for text in texts):
            raise InputError(f"{path} is read by this command, and would be overwritten")


def opened(given: Namespace) -> Tokenizer:
    """Open the tokenizer of the command line: a published vocabulary, a file, or a model on the Hub."""
    return _tokenizer(given.tokenizer, given.pretokenizer)


def _tokenizer(name: str, pretokenizer: str | None = None) -> Tokenizer:
    try:
        return load(name, pretokenizer)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def encode_command(given: Namespace) -> None:
    """Print the ids of each file, a line a file; or their number, or JSON."""
    tokenizer = opened(given)
    for name in given.files:
        text = read_text(name)
        if given.count:
            print(tokenizer.count(text, given.specials))
        elif given.json:
            found = tokenizer.encode(text, given.specials)
            tokens = [token.decode("utf-8", "replace") for token in found.tokens]
            row = {"ids": found.ids, "tokens": tokens, "spans": found.spans}
            raw = [token.hex() for token in found.tokens]  # of a part of a character the token is U+FFFD
            print(json.dumps({**row, "bytes": raw}, ensure_ascii=False))
        else:
            print(*tokenizer.ids(text, given.specials))


def _is_number(word: str) -> bool:
    number = word.removeprefix("-")
    return number.isascii() and number.isdigit() and len(number) < 10


def chat_command(given: Namespace) -> None:
    """Print the ids that a model is given of the turns of a chat, or JSON."""
    turns = read_turns(read_text(given.file))
    template = _chat_template(given.tokenizer, given.template)
    tokenizer = opened(given)
    found = ModelInput(tokenizer, render(template, turns, given.add_generation_prompt))
    if given.json:
        tokens = [token.decode("utf-8", "replace") for token in found.encoding.tokens]
        sources = [source or None for source in found.sources]
        shown = {"ids": found.ids, "tokens": tokens, "sources": sources, "text": found.rendered.text}
        print(json.dumps(shown, ensure_ascii=False))
    else:
        print(*found.ids)


def _chat_template(tokenizer: str, file: str | None) -> ChatTemplate:
    """Return the template of the key or in the file; without one, that of the tokenizer."""
    row, folder = named(tokenizer), Path(tokenizer).parent
    key = file or (fitting(row.name) if row else "")
    if key in CHAT_TEMPLATES:
        return CHAT_TEMPLATES[key].template
    if file is not None:
        return read_template(read_text(file))
    if tokenizer.startswith(hub.PREFIX):
        files = hub.fetch_files(tokenizer.removeprefix(hub.PREFIX), CHAT_FILES)
    else:
        beside = [] if row is not None else [folder / name for name in CHAT_FILES]
        files = {path.name: path.read_bytes() for path in beside if path.is_file()}
    found = template_of(files)
    if found is None:
        raise InputError(f"no chat template of {tokenizer} is known here; --template gives one")
    return found


def token_id(word: str) -> int:
    """Read an id from the command line."""
    if not _is_number(word):
        raise InputError(f"{word[:40]!r} is not an id; ids are whole numbers with spaces between them")
    return int(word)


def decode_command(given: Namespace) -> None:
    """Print the exact text of ids, which are arguments or standard input."""
    ids = [token_id(word) for word in given.ids or read_text("-").split()]
    _write_text(opened(given).decode(ids))
    if sys.stdout.isatty():
        print()


def show_command(given: Namespace) -> None:
    """Print the tokens of each file, in colour where the terminal has colours."""
    tokenizer = opened(given)
    glyph = glyph_in(tokenizer.vocabulary)
    draw = coloured if has_colours(sys.stdout) else barred
    for name in given.files:
        encoding = tokenizer.encode(read_text(name), given.specials)
        name_of = tokenizer.vocabulary.lost_name.encode()
        rows = zip(encoding.ids, encoding.drawn, encoding.lost, strict=True)
        shown = draw([name_of if is_lost and i >= 0 else token for i, token, is_lost in rows], glyph)
        _write_text(shown if shown.endswith("\n") else shown + "\n")
        sizes = (f"{len(encoding.ids):,} tokens", f"{len(encoding.text):,} characters", lost_pieces(sum(encoding.lost)))
        print(*filter(None, sizes), sep=", ", file=sys.stderr)


def steps_command(given: Namespace) -> None:
    """Print the merges of a training, as a table or as CSV."""
    settings = settings_of(given)
    run = trained(given, settings)
    head = ["step", "left", "right", "token", "count", "tied"]
    quote = "{}" if given.csv else "‘{}’"
    glyph = glyph_of(settings.word_marker)
    rows = [
        [step, *(quote.format(readable(token, glyph)) for token in merge[:3]), merge.count, merge.tied]
        for step, merge in enumerate(Stages(run).merges, 1)
    ]
    if given.csv:
        _write_csv([head, *rows])
    else:
        _write_text(table(head, rows, {0, 4, 5}) + "\n")


def _write_csv(rows: Iterable[Sequence[object]]) -> None:
    _write_text(_csv(rows))


def _csv(rows: Iterable[Sequence[object]]) -> str:
    lines = StringIO(newline="")
    csv.writer(lines).writerows(rows)
    return lines.getvalue()


def compare_command(given: Namespace) -> None:
    """Print figures of one file under two pretokenizers, each trained on it, or under two tokenizers."""
    text = read_text(given.file)
    if given.tokenizers:
        if given.pretokenizers:
            raise InputError("--pretokenizers trains on the text, and --tokenizers does not: choose one of them")
        _compare_tokenizers(text, given.tokenizers, given.specials)
        return
    if given.specials is not None:
        raise InputError("--specials and --no-specials are for --tokenizers: pretokenizers know no special tokens")
    keys = given.pretokenizers or PAIR
    head, columns = ["", *keys], [_compared(text, key, given) for key in keys]
    _write_text(table(head, zip(_COMPARED, *columns, strict=True), {1, 2}) + "\n")


def _compare_tokenizers(text: str, names: Sequence[str], specials: bool | None) -> None:
    """Print how many tokens two tokenizers make of a text, and the first spans in which their tokens differ."""
    one, other = map(_tokenizer, names)
    found = compare(one, other, text, specials)
    sides = (found.one, found.other)
    rows: list[Sequence[object]] = [
        ["tokens", *map(len, sides)],
        ["characters a token", *(f"{len(text) / max(len(side), 1):.2f}" for side in sides)],
        ["spans that differ", *[len(found.differences)] * 2],
    ]
    _write_text(table(["", *names], rows, {1, 2}) + "\n")
    if found.differences:
        spans = [[span.start, *map(_quoted, span[2:])] for span in found.differences[:FIRST_DIFFERENCES]]
        _write_text("\n" + table(["at character", *names], spans, {0}) + "\n")


def _quoted(tokens: Iterable[bytes]) -> str:
    return " ".join(f"‘{readable(token, '_')}’" for token in tokens)


def _compared(text: str, key: str, given: Namespace) -> list[object]:
    with progress_bar(sys.stderr) as progress:
        run = train((text,), settings_of(given, pretokenizer=key), progress)
    counts = run.pretoken_counts
    kept = sum(len(word) * count for word, count in zip(run.pretokens, counts.tolist(), strict=True))
    cost = Cost(int(run.corpus_tokens[-1]), kept, len(text) - kept)
    dropped = counted(cost.dropped, "character")
    return [int(counts.sum()), len(counts), run.steps, cost.tokens, f"{cost.each:.2f}", dropped, run.stop_reason]


def film_command(given: Namespace) -> None:
    """Write a training as a page."""
    settings = settings_of(given)
    check_out(given.out, [Path(given.out)], given.files, given.force)
    if given.beside:
        runs = _trained_beside(given, settings, dict(given.beside))
        page = runs[0].page(given.step, given.title, runs[1])
    else:
        page = trained(given, settings).page(given.step, given.title)
    _write_page(page, given.out)


def _trained_beside(given: Namespace, settings: Settings, values: dict[str, Any]) -> list[Run]:
    """Train twice on the given files, which are read as a whole. `values`: the second training's other settings."""
    pattern = {"pretokenizer": CUSTOM} if "pattern" in values else {"pattern": ""} if "pretokenizer" in values else {}
    both = settings, replace(settings, **values | pattern)
    texts = [read_text(name) for name in given.files]
    with progress_bar(sys.stderr) as progress:
        return [train(texts, each, progress, given.workers, given.dask) for each in both]


def page_command(given: Namespace) -> None:
    """Write the tokens of a text as a page."""
    check_out(given.out, [Path(given.out)], [given.file, given.tokenizer], given.force)
    _write_page(opened(given).encode(_one_text(given), given.specials).page(given.tokenizer), given.out)


def gallery_command(given: Namespace) -> None:
    """Write the gallery into a folder."""
    index, *pages = write_gallery(given.folder)
    size = sum(path.stat().st_size for path in (index, *pages))
    print(f"{index} leads to {len(pages)} pages, {size / 1e6:.1f} MB in all", file=sys.stderr)


def _write_page(page: Page, out: str) -> None:
    print(f"{page.save(out)}: {page.title}", *filter(None, [page.remark]), sep=". ", file=sys.stderr)


def _write_picture(drawing: Drawing, given: Namespace) -> None:
    write_files({Path(given.out): picture(drawing, picture_kind(given.out), _appearance(given))})
    print(f"{given.out}: {drawing.title}", file=sys.stderr)


def _appearance(given: Namespace) -> Appearance:
    """Return how the picture is to look; `InputError` for an option that its kind of file does not take."""
    chosen = {field.name: getattr(given, field.name) for field in fields(Appearance) if field.name in given}
    for name in chosen:
        titles = [kind.title for kind in PICTURES.values() if name in kind.options]
        if PICTURES[picture_kind(given.out)].title not in titles:
            raise InputError(f"--{name} is for {' and '.join(titles)}, not for {given.out}")
    return Appearance(**chosen)


def check_picture(given: Namespace, read: list[str]) -> None:
    """Raise the errors that writing the picture would raise, and those of `check_out` for the files in `read`."""
    _appearance(given)
    check_out(given.out, [Path(given.out)], read, given.force)


def picture_kind(out: str) -> str:
    """Return the kind of picture of a file's name; "" if there is none.

    >>> picture_kind("tokens.SVG"), picture_kind("tokens.gif")
    ('svg', '')
    """
    kind = Path(out).suffix[1:].lower()
    return kind if kind in PICTURES else ""


def draw_tokens_command(given: Namespace) -> None:
    """Draw the tokens of a text with their ids."""
    check_picture(given, [given.file, given.tokenizer])
    tokenizer = opened(given)
    encoding = tokenizer.encode(_one_text(given), given.specials)
    heading = f"{counted(len(encoding), 'token')}, {given.tokenizer.removeprefix('hub:')}" if given.title else ""
    _write_picture(encoding_drawing(encoding, not given.no_ids, heading), given)


def _one_text(given: Namespace) -> str:
    """Return the text of the command line; of standard input without the last newline, which `echo` adds."""
    if given.text is not None:
        return str(given.text)
    text = read_text(given.file)
    return text.removesuffix("\n") if given.file == "-" else text


def draw_token_command(given: Namespace) -> None:
    """Draw the tree of merges that made a token."""
    check_picture(given, [given.tokenizer])
    tokenizer = opened(given)
    chosen = token_id(given.id) if _is_number(given.id) else tokenizer.token_to_id(given.id)
    if chosen is None:
        raise InputError(f"{given.id[:40]!r} is neither an id nor a token of {given.tokenizer}")
    _write_picture(token_drawing(tokenizer, chosen, glyph_in(tokenizer.vocabulary)), given)


def draw_step_command(given: Namespace) -> None:
    """Draw the merge of a step, and the words that it changed."""
    settings = settings_of(given)
    check_picture(given, given.files)
    run = trained(given, settings)
    step = run.steps if given.step is None else given.step
    _write_picture(step_drawing(run, step, glyph_of(settings.word_marker)), given)
