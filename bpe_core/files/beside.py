"""What the files beside a vocabulary say, such as `tokenizer_config.json`: its class, its special and added tokens.

The names of the files and of their keys are those of transformers. `belonging` reads the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core.text.rules import Pretokenizer

CONFIG, ADDED_TOKENS, SPECIAL_TOKENS = "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"
NEIGHBOURS = (CONFIG, ADDED_TOKENS, SPECIAL_TOKENS)
"""The names of the files beside a vocabulary that say something about its ids."""
CHAT_TEMPLATE, OTHER_TEMPLATE = "chat_template.jinja", "chat_template.json"  # `bpe_core.chat.given_template` reads them
ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""What a special token can be to a model, in the order in which tokens without an id get one."""
MORE = ("additional_special_tokens", "extra_special_tokens")
RULES = ("lstrip", "rstrip", "single_word", "normalized")
SWITCHES = ("add_bos_token", "add_eos_token", "add_prefix_space", "legacy")
OF_CLASS = ("do_lower_case", "strip_accents", "tokenize_chinese_chars")  # see `CLASS_FIELDS`
_USUAL = (*NEIGHBOURS, CHAT_TEMPLATE, OTHER_TEMPLATE)
_STEMS = "|".join(dict.fromkeys(Path(name).stem for name in _USUAL))
_BESIDE = re.compile(rf"(?:.*[-_. ])?({_STEMS})(?: ?\(\d+\))?(\.json|\.jinja)")


class NamedToken(NamedTuple):
    """A token that the files name.

    `special`: whether its name is the token only if the caller says so. `rules`: those of its rules that are on, such
    as "lstrip"; None if no file says them. Then a token that is not special is found in the normalized text.
    """

    name: str
    special: bool = True
    rules: frozenset[str] | None = None

    def part(self, token_id: int) -> dict[str, Any]:
        """Return the token as a part of the `added_tokens` of a `tokenizer.json`.

        >>> NamedToken("<s>").part(1)["content"]
        '<s>'
        """
        on = ({"normalized"} if not self.special else set()) if self.rules is None else self.rules
        return {"id": token_id, "content": self.name, **{rule: rule in on for rule in RULES}, "special": self.special}


@dataclass(frozen=True)
class Beside:
    """What the files beside a vocabulary say, and what the caller chose.

    - `tokenizer_class`: the name of transformers' class; "" if no file says it.
    - `added`: the tokens that have an id in the files, by id.
    - `special`: the special tokens by their role, such as "bos_token"; None for a role that has none.
    - `more`: the special tokens without a role.
    - `switches`: those of `SWITCHES` that a file says.
    - `of_class`: those of `OF_CLASS` that a file says.
    - `chosen`: the pretokenizer that the caller chose.
    - `files`: the usual names of the files.
    """

    tokenizer_class: str = ""
    added: Mapping[int, NamedToken] = field(default_factory=dict)
    special: Mapping[str, NamedToken | None] = field(default_factory=dict)
    more: tuple[NamedToken, ...] = ()
    switches: Mapping[str, bool] = field(default_factory=dict)
    chosen: Pretokenizer | None = None
    files: tuple[str, ...] = ()
    of_class: Mapping[str, bool] = field(default_factory=dict)

    @property
    def names_tokens(self) -> bool:
        """Whether a file names a token."""
        return bool(self.added or self.more or any(self.special.values()))

    @property
    def says_around(self) -> bool:
        """Whether a file says if BOS and EOS are put around a text."""
        return "add_bos_token" in self.switches or "add_eos_token" in self.switches

    def token_parts(
        self,
        ids: Mapping[str, int],
        usual: Mapping[str, NamedToken] | None = None,
        own: Iterable[tuple[int, NamedToken]] = (),
    ) -> list[dict[str, Any]]:
        """Return all tokens that the files name, as the `added_tokens` of a `tokenizer.json`.

        `ids`: the vocabulary, token → id. `usual`: the special tokens by role that hold where no file says otherwise.
        `own`: the added tokens that the vocabulary's own file has, with their ids. A token that is in the vocabulary
        has its id there. A token without an id gets the next free one, as in transformers. So does a token whose id in
        the files is the id of another token.

        >>> Beside(added={9: NamedToken("<b>")}, special={"bos_token": NamedToken("<s>")}).token_parts({})[1]["id"]
        10
        >>> Beside(added={0: NamedToken("<b>")}).token_parts({"&": 0})[0]["id"]
        1
        """
        by_role: dict[str, NamedToken | None] = {**(usual or {}), **self.special}
        found: dict[str, int] = {}
        tokens: dict[str, NamedToken] = {}
        taken = {*ids.values()}
        free = max(taken, default=-1) + 1
        for i, token in (*own, *sorted(self.added.items())):
            if token.name not in found:
                found[token.name] = ids.get(token.name, free if i in taken else i)
                taken.add(found[token.name])
                free = max(free, found[token.name] + 1)
            if token.name not in tokens or token.rules is not None:
                tokens[token.name] = token
        later = count(free)
        for named in (*filter(None, map(by_role.get, ROLES)), *self.more):
            if named.name not in found:
                found[named.name] = ids[named.name] if named.name in ids else next(later)
            known = tokens.get(named.name, named)
            tokens[named.name] = known if known.special else known._replace(special=True)
        return [tokens[name].part(i) for name, i in sorted(found.items(), key=lambda row: row[1])]

    def around(
        self, usual: tuple[str, str], ids: Mapping[str, int], roles: Mapping[str, NamedToken]
    ) -> list[list[int]]:
        """Return the ids before and after a text.

        `usual`: what the class adds itself, whatever the files say: roles or names, with spaces between them. `roles`:
        the special tokens by role where no file says otherwise. `ids`: token → id.
        """
        wanted = [*usual]
        if self.says_around and not any(usual):
            wanted = [role if self.switches.get(f"add_{role}") else "" for role in ("bos_token", "eos_token")]
        tokens = {**roles, **self.special}
        names = [[token.name if (token := tokens.get(word)) else word for word in each.split()] for each in wanted]
        return [[ids[name] for name in each if name in ids] for each in names]


NOTHING_BESIDE = Beside()


def usual_name(name: str) -> str | None:
    """Return which of the files beside a vocabulary a file is, by its name; None for any other file.

    Something may be before the usual name, such as a model's name, or after it, such as what a browser adds.

    >>> usual_name("qwen-added_tokens.json"), usual_name("tokenizer_config (1).json"), usual_name("vocab.json")
    ('added_tokens.json', 'tokenizer_config.json', None)
    """
    found = _BESIDE.fullmatch(Path(name).name)
    usual = found[1] + found[2] if found else None
    return usual if usual in _USUAL else None


def is_template(name: str) -> bool:
    """Return whether a file can have nothing but a chat template.

    >>> [is_template(name) for name in ("more/rag.jinja", "chat_template (1).json", "tokenizer.json")]
    [True, True, False]
    """
    return name.endswith(".jinja") or usual_name(name) == OTHER_TEMPLATE
