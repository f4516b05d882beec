"""Which format files are in, by what is in them and not by their names."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from itertools import permutations
from pathlib import Path

import regex

from bpe_core.files import hub
from bpe_core.files.format import FormatError, Parts
from bpe_core.files.formats import READABLE
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.minbpe import FIRST_LINE
from bpe_core.files.reading import MAX_BYTES, checked, gc_paused, json_of
from bpe_core.files.sentencepiece_model import is_sentencepiece
from bpe_core.files.vocab_merges import MERGES, VOCAB
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

_RANK_LINE = regex.compile(rb"\A\s*[A-Za-z0-9+/]+=*+ \d+\s*?(?:\n|\Z)")
_PAIR_LINE = regex.compile(rb"\A(?:#version[^\n]*|\S+ \S+)(?:\r?\n|\Z)")


def kind_of_file(content: bytes) -> str:
    """One of "sentencepiece", "minbpe", "json", "ranks", "merges", "unknown".

    >>> kind_of_file(b"IQ== 0\\nIg== 1\\n")
    'ranks'
    """
    start = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if is_sentencepiece(content):
        return "sentencepiece"
    if start.startswith(FIRST_LINE.encode()):
        return "minbpe"
    if start.startswith(b"{"):
        return "json"
    if _RANK_LINE.match(start):
        return "ranks"
    return "merges" if _PAIR_LINE.match(start) else "unknown"


def _parts(content: bytes) -> Parts:
    parts = json_of(content)
    if not isinstance(parts, dict):
        raise FormatError("the file is JSON, and not a tokenizer")
    return parts


def loads(files: Mapping[str, bytes], pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """The tokenizer of one file, or of two that belong together, by what is in them: name → content.

    `pretokenizer` is for a format that does not say its own (a .tiktoken file alone). Raises `FormatError` for
    files that are damaged, too large, or have a part that is not supported.

    >>> from bpe_core import Settings, dumps, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> loads(dumps(tok, "minbpe")).ids("hug")
    [257]
    """
    if sum(map(len, files.values())) > MAX_BYTES:
        raise FormatError(f"files of more than {MAX_BYTES >> 20} MB are not read")
    if isinstance(pretokenizer, str) and pretokenizer not in PRETOKENIZERS:
        raise FormatError(f"pretokenizer {pretokenizer!r:.60} is unknown; choose one of {', '.join(PRETOKENIZERS)}")
    chosen = PRETOKENIZERS[pretokenizer] if isinstance(pretokenizer, str) else pretokenizer
    try:
        with gc_paused():
            tokenizer = _read(files, chosen)
        return tokenizer if isinstance(tokenizer, LibraryTokenizer) else checked(tokenizer)
    except FormatError:
        raise
    except RecursionError:
        raise FormatError("the file is not a tokenizer: its parts are nested too deeply") from None
    except (TypeError, ValueError, LookupError, regex.error) as error:
        raise FormatError(f"the file is damaged: its parts do not fit together ({type(error).__name__})") from None


def _read(files: Mapping[str, bytes], pretokenizer: Pretokenizer | None) -> Tokenizer:
    kinds = {name: kind_of_file(content) for name, content in files.items()}
    found = {kinds[name]: content for name, content in files.items()}
    possible = [form for form in READABLE.values() if found.keys() in form.kinds]
    if len(files) != len(found) or (len(files) != 1 and not possible):
        raise FormatError(_clash(kinds))
    parts = _parts(found["json"]) if "json" in found else None
    form = next((form for form in possible if form.fits(parts)), None)
    if form is None:
        raise FormatError(_clash(kinds) if len(files) > 1 else _no_tokenizer(found.keys(), parts))
    return form.read(found, parts, pretokenizer)


def _no_tokenizer(kinds: Collection[str], parts: Parts | None) -> str:
    """Why one file is not a tokenizer."""
    if "merges" in kinds:
        return f"these are merges without their vocabulary; add {VOCAB}"
    if parts is None:
        return f"this file is not a tokenizer. Files that open: {', '.join(READABLE)}"
    if parts and all(type(value) is int for value in parts.values()):
        return f"this is a vocabulary without its merges; add {MERGES}"
    return "the file is JSON, and not a tokenizer: it has no model"


def _clash(kinds: Mapping[str, str]) -> str:
    """Which of the files, name → kind, do not go together."""
    strange = [repr(Path(name).name[:40]) for name, kind in kinds.items() if kind == "unknown"]
    if strange:
        return f"{strange[0]} is no part of a tokenizer: remove it"
    alike = [name for name, kind in kinds.items() if [*kinds.values()].count(kind) > 1]
    names = [repr(Path(name).name[:40]) for name in alike or kinds]
    if not names:
        return "no file was chosen"
    *first, last = names[:4]
    which = "one" if len(names) == 2 else "all but one"
    return f"{', '.join(first)} and {last} do not belong to one tokenizer: remove {which} of them"


def _beside(path: Path) -> list[Path]:
    """The file that belongs to `path`, where there is one: by name, since it has to be found first."""
    name = path.name
    pairs = [pair for form in READABLE.values() if len(form.ends) == 2 for pair in permutations(form.ends)]
    others = [path.with_name(name.removesuffix(end) + other) for end, other in pairs if name.endswith(end)]
    return [other for other in others if other.is_file()]


def load(path: str | os.PathLike, pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return the tokenizer in the file `path`, or that of a model on the Hugging Face Hub: `hub:owner/model`.

    Where a format has two files, the second is found beside the first. Arguments and errors as for `loads`. Raises
    `OSError` where a file cannot be read, and `HubError` where the Hub does not give the model. What begins with
    `hub:` is a file if it is given as a `Path`.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import Settings, train
    >>> with TemporaryDirectory() as folder:
    ...     (path,) = train("hug hug pug", Settings(vocab_size=258)).tokenizer().save(folder)
    ...     load(path).ids("hug")
    [257]
    """
    if isinstance(path, str) and path.startswith(hub.PREFIX):
        return loads(hub.fetch(path.removeprefix(hub.PREFIX)), pretokenizer)
    return loads(_contents(Path(path)), pretokenizer)


def _contents(path: Path) -> dict[str, bytes]:
    """The contents of a file and of the one beside it, by name."""
    paths = [path, *_beside(path)]
    if sum(each.stat().st_size for each in paths) > MAX_BYTES:
        raise FormatError(f"files of more than {MAX_BYTES >> 20} MB are not read")
    files = {}
    for each in paths:
        with each.open("rb") as file:
            files[each.name] = file.read(MAX_BYTES + 1)
    return files
