"""Reading `tokenizer.json`: the common shapes of byte-pair encoding; what we cannot do is refused by name.

What puts special tokens around a text is left out: it is not part of cutting text into tokens.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import regex

from bpe_core.files.added_tokens import read_added
from bpe_core.files.byte_level_cuts import check_apart
from bpe_core.files.format import FormatError
from bpe_core.files.pretokenizers_read import Cut, from_hugging_face
from bpe_core.files.reading import by_id, flag_of, id_of, kind_of, merges_from
from bpe_core.text.alphabet import encode_text
from bpe_core.text.gpt2_bytes import from_letters
from bpe_core.tokenizer.tokenizer import Tokenizer

_NEVER_IN_UTF8 = {0xC0, 0xC1, *range(0xF5, 0x100)}
_INERT = frozenset(" \t\n")  # no normal form changes these, or makes one of something else
_BYTE = regex.compile("<0x[0-9A-F]{2}>")
_WITHOUT = ("dropout", "continuing_subword_prefix", "end_of_word_suffix")


def read_tokenizer_json(parts: dict[str, Any]) -> Tokenizer:
    """The tokenizer of a `tokenizer.json`, parsed; `FormatError` names the part that is wrong or not supported."""
    model = kind_of(parts.get("model"), dict, "the model")
    if model.get("type", "BPE") != "BPE":
        raise FormatError(f"the model is of the type {model.get('type')!r:.40}, and not BPE")
    for name in _WITHOUT:
        if model.get(name):
            raise FormatError(f"the model has a {name}, which is not supported")
    for name in ("truncation", "padding"):
        if parts.get(name) is not None:
            raise FormatError(f"the file asks for {name} of texts, which is not supported; it can be set to null")
    cut = from_hugging_face(parts.get("normalizer"), parts.get("pre_tokenizer"))
    ids = {token: id_of(i, repr(token[:60])) for token, i in kind_of(model.get("vocab"), dict, "the vocab").items()}
    pairs = _pairs(model.get("merges"))
    merges = merges_from(pairs, ids)
    if cut.apart:
        check_apart(pairs)
        if model.get("ignore_merges"):
            raise FormatError("the model has ignore_merges, and Digits after ByteLevel, which is not supported")
    specials, flags = read_added(parts.get("added_tokens") or [], ids, _kept(cut, parts))
    unknown = kind_of(model.get("unk_token") or "", str, "the unk_token")
    in_use = set(chain.from_iterable(merges))
    idle = {name for name in (*specials, unknown) if len(name) > 1 and ids.get(name) not in in_use}
    # with ignore_merges, text that is one token of the vocabulary becomes that token, added or not
    look_up = flag_of(model, "ignore_merges", "the model")
    ordinary = {token: i for token, i in ids.items() if look_up or token not in idle or _BYTE.fullmatch(token)}
    build = _in_bytes if cut.in_bytes else _in_characters
    alike = {"merges": merges, "pretokenizer": cut.pretokenizer, "normalizers": cut.normalizers}
    alike |= {"special_tokens": specials, "special_flags": flags}
    alike |= {"prefix_space": cut.prefix_space, "whole_words": look_up}
    return build(ordinary, model, cut, alike)


def _pairs(merges: object) -> list[tuple[str, str]]:
    """The merges as pairs of text; older files write a pair as one text with a space."""
    pairs = []
    for merge in kind_of(merges, list, "merges"):
        halves = merge.split(" ") if isinstance(merge, str) else merge
        if not isinstance(halves, list) or len(halves) != 2 or not all(isinstance(half, str) for half in halves):
            raise FormatError(f"a merge has to be two tokens, and is {merge!r:.60}")
        pairs.append((halves[0], halves[1]))
    return pairs


def _kept(cut: Cut, parts: dict[str, Any]) -> frozenset[str] | None:
    """The characters that no normalizer of the file touches; None where there is no normalizer."""
    if not cut.normalizers and not (cut.space and parts.get("normalizer")):
        return None
    return _INERT if set(cut.normalizers) <= {"nfc", "nfd"} and not cut.space else frozenset()


def _in_bytes(ids: dict[str, int], model: dict, cut: Cut, alike: dict) -> Tokenizer:
    written = [(from_letters(token), i) for token, i in ids.items()]
    foreign = {i for token, i in written if not token}
    if not foreign.isdisjoint(chain.from_iterable(alike["merges"])):
        raise FormatError("a merge has a token that is not written in the letters that stand for bytes")
    tokens = by_id((token, i) for token, i in written if token)
    missing = {*range(256)} - _NEVER_IN_UTF8 - {token[0] for token in tokens if len(token) == 1}
    if missing:
        raise FormatError(
            f"the vocab lacks {len(missing)} of the bytes, as {min(missing):#04x}, and text may have them"
        )
    return Tokenizer(tokens, **alike)


def _in_characters(ids: dict[str, int], model: dict, cut: Cut, alike: dict) -> Tokenizer:
    fallback = flag_of(model, "byte_fallback", "the model")
    byte_ids = tuple(ids.get(f"<0x{byte:02X}>", -1) for byte in range(256)) if fallback else ()
    if -1 in byte_ids:
        raise FormatError("the model has byte_fallback, and the vocab lacks some of <0x00> to <0xFF>")
    if not fallback and not model.get("unk_token"):
        raise FormatError("the model has neither byte_fallback nor an unk_token: it drops unknown characters silently")
    if not fallback and flag_of(model, "fuse_unk", "the model"):
        raise FormatError("the model has fuse_unk, which is not supported")
    if not cut.space and not fallback:
        return Tokenizer(by_id((encode_text(token), i) for token, i in ids.items()), alphabet="characters", **alike)
    byte_of = {i: bytes([byte]) for byte, i in enumerate(byte_ids)}
    space = cut.space or " "
    if fallback and space != " " and space not in ids:
        raise FormatError(f"the vocab lacks {space!r:.10}, which spaces are written as: not supported")
    tokens = by_id((byte_of.get(i, encode_text(token.replace(space, " "))), i) for token, i in ids.items())
    symbols = {encode_text(token): i for token, i in ids.items() if len(token) == 1}
    if cut.space:
        symbols.pop(b" ", None)
        symbols |= {b" ": ids[space]} if space in ids else {}
    return Tokenizer(tokens, alphabet="characters", symbols=symbols, byte_ids=byte_ids, **alike)
