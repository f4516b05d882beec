"""Which format files are in, by what is in them and not by their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import regex

from bpe_core.files.format import FormatError
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.minbpe import FIRST_LINE, read_minbpe
from bpe_core.files.reading import MAX_BYTES, checked, gc_paused, json_of
from bpe_core.files.sentencepiece_model import is_sentencepiece, read_sentencepiece
from bpe_core.files.tekken import is_tekken, read_tekken
from bpe_core.files.tiktoken_ranks import read_ranks
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.files.vocab_merges import MERGES, VOCAB, read_vocab_merges
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

_RANK_LINE = regex.compile(rb"\A\s*[A-Za-z0-9+/]+=*+ \d+\s*?(?:\n|\Z)")
_PAIR_LINE = regex.compile(rb"\A(?:#version[^\n]*|\S+ \S+)(?:\r?\n|\Z)")

PAIRS = ({"json", "merges"}, {"json", "ranks"})


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


def _parts(content: bytes) -> dict[str, object]:
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
    if not (len(files) == 1 or (len(files) == len(found) and set(found) in PAIRS)):
        raise FormatError(_clash(kinds))
    parts = _parts(found["json"]) if "json" in found else None
    if set(found) == {"json"}:
        return _of_json(found["json"], parts)
    if parts and isinstance(parts.get("model"), dict):  # a tokenizer.json, which is whole
        raise FormatError(_clash(kinds))
    if set(found) == {"json", "merges"}:
        return read_vocab_merges(parts, found["merges"])
    if "ranks" in found:
        return read_ranks(found["ranks"], parts, pretokenizer)
    if set(found) == {"minbpe"}:
        return read_minbpe(found["minbpe"])
    if set(found) == {"sentencepiece"}:
        return read_sentencepiece(found["sentencepiece"])
    if set(found) == {"merges"}:
        raise FormatError(f"these are merges without their vocabulary; add {VOCAB}")
    raise FormatError(
        "this file is not a tokenizer. Files that open: tokenizer.json, vocab.json + merges.txt, "
        "SentencePiece .model, .tiktoken, tekken.json, minbpe"
    )


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


def _of_json(content: bytes, parts: dict[str, object]) -> Tokenizer:
    if "model" in parts:
        return read_tokenizer_json(content, parts)
    if is_tekken(parts):
        return read_tekken(parts)
    if parts and all(type(value) is int for value in parts.values()):
        raise FormatError(f"this is a vocabulary without its merges; add {MERGES}")
    raise FormatError("the file is JSON, and not a tokenizer: it has no model")


def _beside(path: Path) -> list[Path]:
    """The file that belongs to `path`, where there is one: by name, since it has to be found first."""
    name = path.name
    pairs = [(VOCAB, MERGES), (MERGES, VOCAB), (".tiktoken", ".tiktoken.json"), (".tiktoken.json", ".tiktoken")]
    others = [path.with_name(name.removesuffix(end) + other) for end, other in pairs if name.endswith(end)]
    return [other for other in others if other.is_file()]


def load(path: str | os.PathLike, pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """The tokenizer in the file `path` and, where the format has two files, in the one beside it.

    Arguments and errors as for `loads`. Raises `OSError` where the file cannot be read.
    """
    paths = [Path(path), *_beside(Path(path))]
    if sum(each.stat().st_size for each in paths) > MAX_BYTES:
        raise FormatError(f"files of more than {MAX_BYTES >> 20} MB are not read")
    files = {}
    for each in paths:
        with each.open("rb") as file:
            files[each.name] = file.read(MAX_BYTES + 1)
    return loads(files, pretokenizer)
