"""The table of formats, and opening files. The contents of files, not their names, decide their format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import regex

from bpe_core.arguments import file_at
from bpe_core.files.belonging import Folder, first_names, names_beside, needs_another, others_of, parted, read_beside
from bpe_core.files.beside import Beside
from bpe_core.files.conversion import opened_as_ours
from bpe_core.files.format import Format, FormatError, KnownSplitError
from bpe_core.files.gguf import GGUF
from bpe_core.files.gguf_header import MAGIC, header_of, is_gguf
from bpe_core.files.minbpe import MINBPE
from bpe_core.files.reading import MAX_BYTES, gc_paused, pretokenizer_of
from bpe_core.files.recognition import UNKNOWN, Recognised, Sort, recognised
from bpe_core.files.sentencepiece_model import SENTENCEPIECE
from bpe_core.files.tekken import TEKKEN
from bpe_core.files.tiktoken_ranks import TIKTOKEN
from bpe_core.files.tokenizer_classes import usual_roles
from bpe_core.files.tokenizer_json_write import TOKENIZER_JSON
from bpe_core.files.vocab_merges import NAME, VOCAB_MERGES
from bpe_core.text.in_words import listed
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

ALL_FORMATS: dict[str, Format] = {
    "tokenizer.json": TOKENIZER_JSON,
    NAME: VOCAB_MERGES,
    "SentencePiece .model": SENTENCEPIECE,
    ".tiktoken": TIKTOKEN,
    "tekken.json": TEKKEN,
    "minbpe": MINBPE,
    "GGUF": GGUF,
}
READABLE = {name: row for name, row in ALL_FORMATS.items() if row.read}
"""The formats of files that can be opened, by name."""
FORMATS = {name: row for name, row in ALL_FORMATS.items() if row.write}
"""The formats of files that can be written, by the name that `save` and `dumps` take."""

_NAME = regex.compile(r"[\w -]*")  # the name of a pretokenizer, and no pattern


def format_of(name: str) -> str:
    """Return the format for writing a file with this name: a key of `FORMATS`.

    A name without an ending is for a "tokenizer.json"; raises `FormatError` for an ending that no format has.

    >>> format_of("mine.tiktoken"), format_of("mine.json"), format_of("mine")
    ('.tiktoken', 'tokenizer.json', 'tokenizer.json')
    """
    found = next((key for key, row in FORMATS.items() if name.endswith(row.ends)), None)
    if found is None and (only_read := next((key for key, row in READABLE.items() if name.endswith(row.ends)), None)):
        raise FormatError(f"{only_read} files are read and not written: name a file that ends in tokenizer.json")
    if found is None and Path(name).suffix not in ("", ".json"):
        ends = ", ".join(row.ends[0] for row in FORMATS.values())
        raise FormatError(f"the end of {name!r:.80} names no format: it can be {ends}; or choose a format")
    return found or "tokenizer.json"


def format_named(name: str) -> str:
    """Return the key in `FORMATS` of a format's name; `FormatError` if no format has this name.

    >>> format_named("JSON"), format_named("tiktoken")
    ('tokenizer.json', '.tiktoken')
    """
    found = next((key for key, row in FORMATS.items() if str(name).lower() in (key, *row.also)), None)
    if found is None:
        raise FormatError(f"format {name!r} is unknown; choose one of {', '.join(FORMATS)}")
    return found


def loads(files: Mapping[str, bytes], pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return the tokenizer in one file, or in two that belong together; `files`: name → content.

    One that has no other parts than ours is our own, with all its methods and its speed, and is saved as the file that
    it was. Any other is encoded and decoded by the file's library.

    Files that models have beside these are read too: `tokenizer_config.json`, `added_tokens.json` and
    `special_tokens_map.json`. What no file says is assumed: `assumptions` of the tokenizer has a sentence for each.

    `pretokenizer` is for files that do not contain their pretokenizer, such as `vocab.json` and `merges.txt`, or a
    .tiktoken file alone: a key of `PRETOKENIZERS`, or a pattern of your own. Raises `FormatError` if files are damaged
    or too large, have another pretokenizer than `pretokenizer`, or have a part that is not supported.

    >>> from bpe_core import Settings, dumps, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> loads(dumps(tok, "minbpe")).ids("hug")
    [257]
    """
    with gc_paused():
        return opened_as_ours(read(files, pretokenizer))


def read(files: Mapping[str, bytes], pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return the tokenizer in files, as `loads` does, with the file's library wherever there is one."""
    if not isinstance(files, Mapping):
        raise TypeError(f"loads takes files as a dictionary, name → content, and this is {type(files).__name__}")
    for name, content in files.items():
        if not (isinstance(name, str) and isinstance(content, bytes)):
            kinds = f"{type(name).__name__} and {type(content).__name__}"
            raise TypeError(f"loads takes names as str and contents as bytes, and this is {kinds}")
    if sum(map(len, files.values())) > MAX_BYTES:
        raise FormatError(f"files of more than {MAX_BYTES >> 20} MB are not read")
    chosen = chosen_of(pretokenizer)
    try:
        with gc_paused():
            own, beside = parted(files)
            said = read_beside(beside, chosen)
            return _with_roles(split_by(_read(own, said), chosen), said)
    except FormatError:
        raise
    except RecursionError:
        raise FormatError("the file is not a tokenizer: its parts are nested too deeply") from None
    except (TypeError, ValueError, LookupError, regex.error) as error:
        raise FormatError(f"the file is damaged: its parts do not fit together ({type(error).__name__})") from None


def _with_roles(tokenizer: Tokenizer, beside: Beside) -> Tokenizer:
    """Return the tokenizer with the roles that the files beside it say, or their class where they say nothing."""
    roles = {**usual_roles(beside.tokenizer_class), **beside.special}
    return (
        replace(tokenizer, roles={role: token.name for role, token in roles.items() if token}) if roles else tokenizer
    )


def chosen_of(pretokenizer: str | Pretokenizer | None) -> Pretokenizer | None:
    """Return the pretokenizer that a caller names, or whose pattern a caller gives; `FormatError` if there is none.

    >>> chosen_of("qwen").title, chosen_of(r"\\S+|\\s+").title
    ('Qwen', 'Custom')
    """
    if pretokenizer is None or isinstance(pretokenizer, Pretokenizer):
        return pretokenizer
    if not isinstance(pretokenizer, str):
        kind = type(pretokenizer).__name__
        raise TypeError(f"a pretokenizer is a key or a row of PRETOKENIZERS, or a pattern, and this is {kind}")
    if pretokenizer in PRETOKENIZERS:
        return PRETOKENIZERS[pretokenizer]
    if _NAME.fullmatch(pretokenizer):
        raise FormatError(
            f"pretokenizer {pretokenizer!r:.60} is unknown; choose one of {', '.join(PRETOKENIZERS)}, or give a pattern"
        )
    return pretokenizer_of(pretokenizer, whose="")


def split_by(tokenizer: Tokenizer, chosen: Pretokenizer | None) -> Tokenizer:
    """Return `tokenizer`; raise `KnownSplitError` if it has another pretokenizer than the caller chose."""
    if chosen not in (None, tokenizer.pretokenizer):
        own = tokenizer.pretokenizer.title
        raise KnownSplitError(f"this vocabulary says itself how text is split (“{own}”): leave the pretokenizer out")
    return tokenizer


def _read(files: Mapping[str, bytes], beside: Beside) -> Tokenizer:
    found = {name: _recognised(name, content, len(files)) for name, content in files.items()}
    parts = {each.kind.part: each.file for each in found.values()}
    row = next((row for row in READABLE.values() if parts.keys() in row.kinds), None)
    if len(parts) != len(found) or row is None or row.read is None:
        raise FormatError(_refusal({Path(name).name[:40]: each.kind for name, each in found.items()}))
    contents = {part: file.content for part, file in parts.items()}
    return row.read(contents, next(filter(None, (file.object for file in parts.values())), {}), beside)


def _recognised(name: str, content: bytes, number: int) -> Recognised:
    """Return a file with its kind. If there are several files (`number`), an error names the damaged one."""
    try:
        return recognised(content)
    except FormatError as error:
        raise FormatError(f"{Path(name).name[:40]!r}: {error}" if number > 1 else str(error)) from None


def _refusal(kinds: Mapping[str, Sort]) -> str:
    """Return the error for files that are not the parts of one tokenizer; `kinds`: name → kind."""
    if not kinds:
        return "no file was chosen"
    if len(kinds) == 1:
        kind = next(iter(kinds.values()))
        return f"{kind.sentence}. Files that open: {', '.join(READABLE)}" if kind is UNKNOWN else kind.sentence
    for name, kind in kinds.items():
        if kind.instead or (not kind.part and _is_usual(name)):
            return f"{name!r}: {kind.sentence}"
    if strange := next((name for name, kind in kinds.items() if not kind.part), None):
        return f"{strange!r} is no part of a tokenizer: remove it"
    parts = [kind.part for kind in kinds.values()]
    alike = [name for name, kind in kinds.items() if parts.count(kind.part) > 1]
    names = listed([*map(repr, alike or kinds)][:4])
    which = "one" if len(alike or kinds) == 2 else "all but one"
    return f"{names} do not belong to one tokenizer: remove {which} of them"


def _is_usual(name: str) -> bool:
    """Return whether a part of a tokenizer usually has this name, so that the file is in the place of that part."""
    rows = READABLE.values()
    return name.endswith(tuple(end for row in rows for ends in (row.ends, *row.other_names) for end in ends))


def contents_at(path: Path) -> dict[str, bytes]:
    """Return name → content for a file, the other file of its format, and the files beside them in the folder.

    `path`: the path of the file, or of a folder that has the file under its usual name. Raises `FormatError` if the
    folder has no such file or the files are too large, and `OSError` if a file cannot be read.
    """
    formats = READABLE.values()
    folder, name = (path, "") if path.is_dir() else (path.parent, file_at(path).name)
    own = (name,) if name else first_names([each.name for each in folder.iterdir() if each.is_file()], formats)
    own = (*own, *(other for name in own for other in others_of(name, formats) if (folder / other).is_file()))
    contents = {name: _content_at(folder / name) for name in dict.fromkeys(own)}
    if not contents:
        contents = {name: _content_at(folder / name) for name in _by_content(path)}
    elif len(contents) == 1 and needs_another(content := next(iter(contents.values())), formats):
        contents |= {other: _content_at(folder / other) for other in _folder(folder).others(own[0], content)}
    if not any(map(is_gguf, contents.values())):  # a GGUF says all itself
        beside = [name for name in names_beside(own, formats) if (folder / name).is_file()]
        contents |= {name: _content_at(folder / name) for name in beside}
    if sum(map(len, contents.values())) > MAX_BYTES:
        raise FormatError(f"files of more than {MAX_BYTES >> 20} MB are not read")
    return contents


def _folder(path: Path) -> Folder:
    """Return the files of a folder. Where the beginning of a file says what it is, no more is read."""

    def read(name: str, most: int) -> bytes:
        with (path / name).open("rb") as file:
            return file.read(most)

    sizes = {each.name: each.stat().st_size for each in path.iterdir() if each.is_file()}
    return Folder(sizes, read, READABLE.values())


def _by_content(path: Path) -> tuple[str, ...]:
    """Return the names of the files of the only tokenizer in a folder; `FormatError` if there is none, or several."""
    folder = _folder(path)
    try:
        found = folder.tokenizer()
    except FormatError as error:
        raise FormatError(f"in this folder {error}") from None
    if not found:
        usual = dict.fromkeys(row.own_names[0] for row in READABLE.values())
        why = f"; {part}" if (part := folder.incomplete()) else f": none of {', '.join(map(' + '.join, usual))}"
        raise FormatError(f"this folder has no tokenizer{why}")
    return found


def _content_at(path: Path) -> bytes:
    """Return the content of a file, or one byte more than a file may have. A GGUF gives its header alone."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
        file.seek(0)
        return header_of(file) if is_gguf(start) else file.read(MAX_BYTES + 1)
