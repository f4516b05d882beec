"""What the files beside a vocabulary say, such as `tokenizer_config.json`: its class, its special and added tokens.

The names of the files and of their keys are those of transformers. `beside_read` reads the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core.text.rules import Pretokenizer

CONFIG, ADDED_TOKENS, SPECIAL_TOKENS, TEMPLATE = (
    "tokenizer_config.json",
    "added_tokens.json",
    "special_tokens_map.json",
    "chat_template.jinja",
)
NEIGHBOURS = (CONFIG, ADDED_TOKENS, SPECIAL_TOKENS, TEMPLATE)
"""The names of the files that may be beside a vocabulary."""
ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""What a special token can be to a model, in the order in which tokens without an id get one."""
MORE = ("additional_special_tokens", "extra_special_tokens")
RULES = ("lstrip", "rstrip", "single_word", "normalized")
_STEMS = "|".join(Path(name).stem for name in NEIGHBOURS)
_NEIGHBOUR = re.compile(rf"(?:.*[-_. ])?({_STEMS})(?: ?\(\d+\))?(\.json|\.jinja)")
SWITCHES = ("add_bos_token", "add_eos_token", "add_prefix_space", "legacy")


class NamedToken(NamedTuple):
    """A token that the files name. `rules`: those of its rules that are on, such as "lstrip".

    `special`: whether its name is the token only if the caller says so.
    """

    name: str
    special: bool = True
    rules: frozenset[str] = frozenset()

    def part(self, token_id: int) -> dict[str, Any]:
        """Return the token as a part of the `added_tokens` of a `tokenizer.json`.

        >>> NamedToken("<s>").part(1)["content"]
        '<s>'
        """
        rules = {rule: rule in self.rules for rule in RULES}
        return {"id": token_id, "content": self.name, **rules, "special": self.special}


@dataclass(frozen=True)
class Beside:
    """What the files beside a vocabulary say, and what the caller chose.

    - `tokenizer_class`: the name of transformers' class; "" if no file says it.
    - `added`: the tokens that have an id in the files, by id.
    - `special`: the special tokens by their role, such as "bos_token"; None for a role that has none.
    - `more`: the special tokens without a role.
    - `switches`: those of `SWITCHES` that a file says.
    - `chosen`: the pretokenizer that the caller chose.
    - `contents`: name → content of the files, such as of a chat template.
    """

    tokenizer_class: str = ""
    added: Mapping[int, NamedToken] = field(default_factory=dict)
    special: Mapping[str, NamedToken | None] = field(default_factory=dict)
    more: tuple[NamedToken, ...] = ()
    switches: Mapping[str, bool] = field(default_factory=dict)
    chosen: Pretokenizer | None = None
    contents: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def names_tokens(self) -> bool:
        """Whether a file names a token."""
        return bool(self.added or self.more or any(self.special.values()))

    def token_parts(
        self, ids: Mapping[str, int], usual: Mapping[str, NamedToken] | None = None
    ) -> list[dict[str, Any]]:
        """Return all tokens that the files name, as the `added_tokens` of a `tokenizer.json`.

        `ids`: the vocabulary, token → id. `usual`: the special tokens by role that hold where no file says otherwise. A
        token that is in the vocabulary has its id there. A token without an id gets the next free one.

        >>> Beside(added={9: NamedToken("<b>")}, special={"bos_token": NamedToken("<s>")}).token_parts({})[1]["id"]
        10
        """
        by_role: dict[str, NamedToken | None] = {**(usual or {}), **self.special}
        found = {token.name: ids.get(token.name, i) for i, token in sorted(self.added.items())}
        tokens = {token.name: token for token in self.added.values()}
        free = count(max((*ids.values(), *found.values()), default=-1) + 1)
        for token in (*(token for role in ROLES if (token := by_role.get(role))), *self.more):
            if token.name not in found:
                found[token.name] = ids[token.name] if token.name in ids else next(free)
            own = tokens.get(token.name, token)
            tokens[token.name] = own if own.special else own._replace(special=True)
        return [tokens[name].part(i) for name, i in sorted(found.items(), key=lambda row: row[1])]

    def around(
        self, usual: tuple[str, str], ids: Mapping[str, int], roles: Mapping[str, NamedToken]
    ) -> list[list[int]]:
        """Return the ids before and after a text.

        `usual`: what is added where no file says whether BOS and EOS are: roles or names, with spaces between them.
        `roles`: the special tokens by role where no file says otherwise. `ids`: token → id.
        """
        if "add_bos_token" in self.switches or "add_eos_token" in self.switches:
            wanted = [
                "bos_token" if self.switches.get("add_bos_token") else "",
                "eos_token" if self.switches.get("add_eos_token") else "",
            ]
        else:
            wanted = [*usual]
        tokens = {**roles, **self.special}
        names = [[token.name if (token := tokens.get(word)) else word for word in each.split()] for each in wanted]
        return [[ids[name] for name in each if name in ids] for each in names]


NOTHING_BESIDE = Beside()


def is_template(name: str) -> bool:
    """Return whether a file can have nothing but a chat template, which `bpe_core.chat.template_files` reads.

    >>> [is_template(name) for name in ("more/rag.jinja", "chat_template.json", "tokenizer.json")]
    [True, True, False]
    """
    return name.endswith(".jinja") or Path(name).name == "chat_template.json"


def neighbour_of(name: str) -> str | None:
    """Return which of `NEIGHBOURS` a file is by its name; None if it is none of them.

    Something may be before the usual name, such as a model's name, or after it, such as what a browser adds.

    >>> neighbour_of("qwen-added_tokens.json"), neighbour_of("tokenizer_config (1).json"), neighbour_of("vocab.json")
    ('added_tokens.json', 'tokenizer_config.json', None)
    """
    found = _NEIGHBOUR.fullmatch(Path(name).name)
    usual = found[1] + found[2] if found else None
    return usual if usual in NEIGHBOURS else None
