"""Reading the files beside a vocabulary, in every form in which transformers writes and reads them.

A token is written as a text, or as an object with its text and its rules. A key without a token is null or
empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpe_core.files.beside import (
    ADDED_TOKENS,
    CONFIG,
    MORE,
    OF_CLASS,
    ROLES,
    RULES,
    SPECIAL_TOKENS,
    SWITCHES,
    Beside,
    NamedToken,
)
from bpe_core.files.format import FormatError
from bpe_core.files.reading import check_number_of_specials, id_of, json_of, kind_of, whole_number
from bpe_core.files.recognition import recognised
from bpe_core.text.rules import Pretokenizer


def read_beside(contents: Mapping[str, bytes], chosen: Pretokenizer | None = None) -> Beside:
    """Return what the files beside a vocabulary say; `FormatError` names the file and the key that is wrong.

    `contents`: one of `NEIGHBOURS` → content. `chosen`: the pretokenizer that the caller chose.

    >>> read_beside({"tokenizer_config.json": b'{"tokenizer_class": "Qwen2Tokenizer"}'}).tokenizer_class
    'Qwen2Tokenizer'
    >>> read_beside({"tokenizer_config.json": b'{"bos_token": 1}'})
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: tokenizer_config.json: bos_token has to be text, and is int
    """
    config, listed, named = (_object(contents, name) for name in (CONFIG, ADDED_TOKENS, SPECIAL_TOKENS))
    in_order = [(CONFIG, config), (SPECIAL_TOKENS, named)]
    if "added_tokens_decoder" in config:  # beside such a config transformers reads no other file
        in_order.reverse()
    special: dict[str, NamedToken | None] = {}
    more: dict[str, NamedToken] = {}
    for file, values in in_order:
        for role in ROLES:
            if role in values:
                found = [*_tokens(values[role], f"{file}: {role}", role)]
                special[role] = found[0] if found else None
                more |= {token.name: token for token in found[1:]}
        for key in MORE:
            more |= {token.name: token for token in _tokens(values.get(key), f"{file}: {key}", key)}
    specials = {token.name for token in (*special.values(), *more.values()) if token}
    added = {
        id_of(i, f"{name!r:.60} in {ADDED_TOKENS}"): NamedToken(name, name in specials)
        for name, i in listed.items()
        if name
    } | dict(_decoder(config))
    check_number_of_specials(len(added) + len(more))
    tokenizer_class = config.get("tokenizer_class")
    return Beside(
        "" if tokenizer_class is None else kind_of(tokenizer_class, str, f"{CONFIG}: tokenizer_class"),
        added,
        special,
        tuple(more.values()),
        {name: kind_of(config[name], bool, f"{CONFIG}: {name}") for name in SWITCHES if config.get(name) is not None},
        chosen,
        tuple(contents),
        {name: config[name] for name in OF_CLASS if isinstance(config.get(name), bool)},
    )


def _object(contents: Mapping[str, bytes], name: str) -> dict[str, Any]:
    if name not in contents:
        return {}
    try:
        kind, file = recognised(contents[name])
        if kind.instead:
            raise FormatError(kind.sentence)
        return kind_of(json_of(file.content), dict, "it")
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def _decoder(config: dict[str, Any]) -> Iterator[tuple[int, NamedToken]]:
    """Yield id and token of a config's `added_tokens_decoder`."""
    for i, row in kind_of(config.get("added_tokens_decoder") or {}, dict, f"{CONFIG}: added_tokens_decoder").items():
        where = f"{CONFIG}: added_tokens_decoder of {i[:20]}"
        token_id = id_of(whole_number(i, f"{CONFIG}: each key of added_tokens_decoder"), where)
        for token in _tokens(row, where, "token"):
            yield token_id, token


def _tokens(value: object, where: str, key: str) -> Iterator[NamedToken]:
    """Yield the tokens that a key has: none, one, or those in a list or in an object by name."""
    if value is None or value == "":
        return
    if isinstance(value, list):
        for each in value:
            yield from _tokens(each, f"a token of {where}", key)
    elif isinstance(value, dict) and "content" not in value and key in MORE:
        for name, each in value.items():
            yield from _tokens(each, f"{where}: {name[:40]}", key)
    elif isinstance(value, dict):
        name = kind_of(value.get("content"), str, f"{where}: content")
        switches = {
            rule: kind_of(value[rule], bool, f"{where}: {rule}") for rule in (*RULES, "special") if rule in value
        }
        special = switches.pop("special", key != "token")
        switches.setdefault("normalized", not special)
        if name:
            yield NamedToken(name, special, frozenset(rule for rule, on in switches.items() if on))
    else:
        yield NamedToken(kind_of(value, str, where))
