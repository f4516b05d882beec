"""A library's `tokenizer.json` made into something else: our own `Tokenizer`, or a file with fewer tokens.

Our `Tokenizer` can be written in any format. A file becomes one if our `Tokenizer` has each part of it: a byte-level
BPE model, a pretokenizer and normalizers of our tables, and special tokens without rules of their own. Both tokenizers
then give the same ids for every text.

A file that is not converted can still be trimmed: the tokens that are not wanted go, and all else stays as it is. Such
a file lacks some of the 256 bytes, for example, and the library drops what it has no token for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bpe_core.files.format import FormatError, MergesError, Parts
from bpe_core.files.libraries import NotInstalled
from bpe_core.files.library_tokenizer import LaterMerges, LibraryTokenizer, OwnMerges
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.text.normalizers import NORMALIZERS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.encoding import NOTHING
from bpe_core.tokenizer.tokenizer import ADDED, Tokenizer

# The beginning of an error.
REFUSED = "this does not work with this tokenizer: "
_RULES = ("lstrip", "rstrip", "single_word")  # of an added token; each is off for a plain special token
# Options of a BPE model that `Tokenizer` does not have.
_OPTIONS = ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback")


def as_ours(tokenizer: Tokenizer) -> Tokenizer:
    """Return a `Tokenizer` with the same ids for every text; `MergesError` says which part of the file prevents that.

    >>> from bpe_core import Settings, dumps, train
    >>> from bpe_core.files.opening import read
    >>> tok = train("hug hug pug", Settings("gpt2", vocab_size=258)).tokenizer()
    >>> as_ours(read(dumps(tok))) == tok
    True
    """
    if not isinstance(tokenizer, LibraryTokenizer):
        return tokenizer
    parts = tokenizer.parts
    reason = _obstacle(tokenizer, parts)
    if reason:
        raise MergesError(f"{REFUSED}{reason}")
    merges, tokens = tokenizer.merges, [*tokenizer.tokens]
    for i in tokenizer.special_tokens.values():
        if i < len(tokens):
            tokens[i] = b""
    while tokens and not tokens[-1]:
        tokens.pop()
    return Tokenizer(
        tokens=tuple(tokens),
        merges=OwnMerges(len(merges), lambda: merges.rows) if isinstance(merges, LaterMerges) else merges,
        pretokenizer=tokenizer.pretokenizer,
        special_tokens=tokenizer.special_tokens,
        normalizers=_normalizers(parts.get("normalizer")) or (),
        kinds=dict.fromkeys(tokenizer.vocabulary.added, ADDED),
        around=tokenizer.around,
        around_two=tokenizer.around_two,
        roles=tokenizer.roles,
        whole_words=bool(parts["model"].get("ignore_merges")),
        by_rank=True,  # a file may list its merges in any order
        assumptions=tokenizer.assumptions,
        recognised=tokenizer.recognised,
    )


def with_merges(tokenizer: Tokenizer) -> Tokenizer:
    """Return a `Tokenizer` with merges and with the same ids for every text; `MergesError` says what prevents that.

    >>> from bpe_core import load
    >>> with_merges(load("bert"))
    Traceback (most recent call last):
        ...
    bpe_core.files.format.MergesError: this does not work with this tokenizer: its model is WordPiece, which has no \
merges
    """
    ours = as_ours(tokenizer)
    if not ours.model.has_merges:
        raise MergesError(f"{REFUSED}{_no_merges(ours)}")
    return ours


def _no_merges(tokenizer: Tokenizer) -> str:
    return f"its model is {tokenizer.model}, which has no merges"


def opened_as_ours(tokenizer: Tokenizer) -> Tokenizer:
    """Return our own tokenizer with the same ids and the same decoding, or `tokenizer` where there is none.

    Its `content` is the file, which saving writes again. Raises `MissingExtraError` where the library is needed and not
    installed.

    >>> from bpe_core import Settings, dumps, train
    >>> from bpe_core.files.opening import read
    >>> tok = read(dumps(train("hug", Settings("gpt2", vocab_size=257)).tokenizer()))
    >>> tok.needs_library, opened_as_ours(tok).needs_library
    (True, False)
    """
    if not isinstance(tokenizer, LibraryTokenizer):
        return tokenizer
    try:
        found = as_ours(tokenizer) if tokenizer.decodes_as_ours else None
    except MergesError:
        found = None
    if found is None:
        if isinstance(tokenizer.library, NotInstalled):
            raise tokenizer.library.error
        return tokenizer
    object.__setattr__(found, "content", tokenizer.content)
    return found


def opens_alone(tokenizer: Tokenizer) -> bool:
    """Return whether the `tokenizer.json` of a trained tokenizer opens where the library is not installed.

    Then it is our own tokenizer again (see `_obstacle`). The other formats always are.

    >>> from bpe_core import Settings, train
    >>> [opens_alone(train("hug", Settings("none", each)).tokenizer()) for each in ("bytes", "characters")]
    [True, False]
    """
    plain = tokenizer.alphabet == "bytes" and tokenizer.pretokenizer in PRETOKENIZERS.values()
    return plain and tokenizer.around == NOTHING and not tokenizer.around_two


def _obstacle(tokenizer: LibraryTokenizer, parts: Parts) -> str:
    """Return the part of a file that `Tokenizer` does not have; "" if there is none."""
    model: dict[str, Any] = parts.get("model") or {}
    if not tokenizer.model.has_merges:
        return _no_merges(tokenizer)
    if not parts:
        return "its tokens are SentencePiece's"
    if tokenizer.alphabet != "bytes" or tokenizer.byte_ids:
        return "its base symbols are characters"
    if len(tokenizer.symbols or ()) < 256:
        return "it lacks some of the 256 bytes"
    odd = [name for name in _OPTIONS if model.get(name)]
    if odd:
        return f"its model has {odd[0]}"
    if tokenizer.pretokenizer not in PRETOKENIZERS.values():
        return f"its pretokenizer is {tokenizer.pretokenizer.title}"
    if not _writes_bytes(parts):
        return "its pretokenizer does not end with ByteLevel, so its base symbols are characters"
    if _normalizers(parts.get("normalizer")) is None:
        return f"its normalizer is {parts['normalizer'].get('type')}"
    found, added = tokenizer.special_tokens, parts.get("added_tokens") or []
    # Without a normalizer "normalized" says only which names are looked for first.
    alike = not parts.get("normalizer") and len({bool(row.get("normalized")) for row in added}) < 2
    rules = _RULES if alike else (*_RULES, "normalized")
    ruled = [row["content"] for row in added if row["content"] not in found or any(map(row.get, rules))]
    return f"its added token {ruled[0]!r:.60} has rules of its own" if ruled else ""


def _writes_bytes(parts: Parts) -> bool:
    """Return whether the file's pretokenizer turns pretokens into bytes. A decoder from bytes is no proof of that."""
    components = _components(parts.get("pre_tokenizer"), "pretokenizers")
    return bool(components) and components[-1].get("type") == "ByteLevel"


def _normalizers(part: Parts | None) -> tuple[str, ...] | None:
    """Return the keys of a file's normalizers; None if `NORMALIZERS` lacks one."""
    components = _components(part, "normalizers")
    keys = [next((key for key, row in NORMALIZERS.items() if row.hugging_face == stage), None) for stage in components]
    return None if None in keys else tuple(key for key in keys if key)


def _components(part: Parts | None, name: str) -> list[Parts]:
    """Return the parts in a sequence, or a single part in a list. `name`: the key of the sequence's list.

    >>> _components({"type": "NFC"}, "normalizers"), _components(None, "normalizers")
    ([{'type': 'NFC'}], [])
    """
    if not part:
        return []
    return list(part[name]) if part.get("type") == "Sequence" else [part]


_IDS = ("ids", "sep", "cls")  # where a `post_processor` has ids


def trimmed_file(tokenizer: Tokenizer, ids: Mapping[int, int]) -> LibraryTokenizer:
    """Return the tokenizer with the tokens in `ids` alone: old id → new id.

    Raises `FormatError` if the file is no `tokenizer.json`, or if its library gives an added token another id.

    >>> from bpe_core import Settings, dumps, loads, train
    >>> tok = loads(dumps(train("hug hug", Settings("none", "characters", vocab_size=6)).tokenizer()))
    >>> [*map(tok.id_to_token, tok.ids("hug"))]
    [b'hug']
    >>> len(trimmed_file(tok, {i: new for new, i in enumerate(i for i in range(6) if tok.id_to_token(i) != b" ")}))
    5
    """
    if not tokenizer.content.startswith(b"{"):
        raise FormatError("only the tokens of a tokenizer.json are taken out of it: this file has another format")
    parts = json.loads(tokenizer.content)
    model = parts["model"]
    vocab = {token: ids[i] for token, i in model["vocab"].items() if i in ids}
    pairs = [pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]]
    prefix = model.get("continuing_subword_prefix") or ""
    kept = [(left, right) for left, right in pairs if {left, right, left + right.removeprefix(prefix)} <= vocab.keys()]
    added = [{**row, "id": ids[row["id"]]} for row in parts.get("added_tokens") or [] if row["id"] in ids]
    padding = parts.get("padding") or {}
    changed = {
        **parts,
        "added_tokens": added,
        "padding": {**padding, "pad_id": ids.get(padding["pad_id"], 0)}
        if "pad_id" in padding
        else parts.get("padding"),
        "post_processor": _renumbered(parts.get("post_processor"), ids),
        "model": {**model, "vocab": vocab, "merges": kept},
    }
    found = read_tokenizer_json(json.dumps(changed).encode(), changed)
    moved = [row["content"] for row in added if found.special_tokens.get(row["content"], row["id"]) != row["id"]]
    if moved:
        raise FormatError(f"the added token {moved[0]!r:.60} would not have its place among the tokens that are left")
    return found


def _renumbered(part: Any, ids: Mapping[int, int]) -> Any:
    """Return a part of a file with new ids.

    >>> _renumbered({"type": "BertProcessing", "sep": ["[SEP]", 7], "cls": ["[CLS]", 8]}, {7: 1, 8: 2})
    {'type': 'BertProcessing', 'sep': ['[SEP]', 1], 'cls': ['[CLS]', 2]}
    """
    if isinstance(part, list):
        return [_renumbered(each, ids) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: [ids[i] if isinstance(i, int) else i for i in value] if key in _IDS else _renumbered(value, ids)
        for key, value in part.items()
    }
