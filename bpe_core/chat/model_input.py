"""What a model is given of a chat: the tokens of the rendered text, and whose each of them is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bpe_core.chat.rendering import Rendered
from bpe_core.chat.templates import ChatTemplate
from bpe_core.chat.tracked import TEMPLATE
from bpe_core.display.in_words import counted
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

Source = Literal["yours", "template", "both", ""]  # "": it cannot be told

# What begins a text in the vocabularies of models, where nothing says it.
BOS = ("<|begin_of_text|>", "<s>", "<bos>", "<|startoftext|>", "<｜begin▁of▁sentence｜>", "<BOS_TOKEN>")
_NAMED = re.compile(r"\b(bos|eos|unk|sep|pad|cls|mask)_token\b")


def bos_of(template: ChatTemplate, tokenizer: Tokenizer) -> str:
    """Return the text of the token that begins a text; "" if none is known.

    >>> from bpe_core import PUBLISHED
    >>> bos_of(ChatTemplate(""), PUBLISHED["tekken"].load())
    '<s>'
    """
    names = (template.special_tokens.get("bos_token", ""), *BOS)
    return next((name for name in names if name in tokenizer.special_tokens), "")


def with_bos(template: ChatTemplate, bos: str) -> ChatTemplate:
    """Return a template that knows a text as `bos_token`, unless it has one or there is none."""
    if not bos or "bos_token" in template.special_tokens:
        return template
    return ChatTemplate(template.source, {**template.special_tokens, "bos_token": bos})


def not_said(template: ChatTemplate) -> list[str]:
    """Return the names of the special tokens that a template writes and does not say.

    >>> not_said(ChatTemplate("{{ bos_token }}{{ eos_token }}", {"bos_token": "<s>"}))
    ['eos_token']
    """
    return sorted({found.group() for found in _NAMED.finditer(template.source)} - template.special_tokens.keys())


@dataclass(frozen=True)
class ModelInput:
    """A rendered chat and its tokens. Control tokens are read as such, whoever wrote them: so do models' libraries.

    >>> from bpe_core import PUBLISHED
    >>> from bpe_core.chat.rendering import render
    >>> from bpe_core.chat.templates import CHAT_TEMPLATES, Turn
    >>> chat = render(CHAT_TEMPLATES["chatml"].template, [Turn("user", "Hi")])
    >>> found = ModelInput(PUBLISHED["qwen"].load(), chat)
    >>> found.ids, found.sources
    ((151644, 872, 198, 13048, 151645, 198), ('template', 'template', 'template', 'yours', 'template', 'template'))
    >>> found.summary
    '6 tokens: yours 1, template 5'
    """

    tokenizer: Tokenizer
    rendered: Rendered
    bos: str = ""

    @cached_property
    def encoding(self) -> Encoding:
        """The tokens of the text."""
        return self.tokenizer.encode(self.rendered.text, specials=True)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that the model is given."""
        return self.encoding.ids

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """For each token the index of the turn whose content it has characters of; below 0 if of none."""
        runs = self.rendered.runs or ()
        turn_at = np.repeat([run.turn for run in runs] or [TEMPLATE], [run.length for run in runs] or [0])
        found = []
        for start, end in self.encoding.spans:
            own = turn_at[start:end][turn_at[start:end] != TEMPLATE]
            found.append(int(own[0]) if len(own) else TEMPLATE)
        return tuple(found)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """For each token whose characters it has: of the contents, of the template, or of both."""
        runs = self.rendered.runs
        if runs is None:
            return tuple("" for _ in self.encoding.ids)
        own = np.repeat([run.turn != TEMPLATE for run in runs] or [False], [run.length for run in runs] or [0])
        before = np.concatenate([[0], np.cumsum(own)])
        names: list[Source] = []
        for start, end in self.encoding.spans:
            yours = int(before[end] - before[start])
            names.append("template" if not yours else "yours" if yours == end - start else "both")
        return tuple(names)

    @property
    def summary(self) -> str:
        """How many tokens there are, and whose."""
        size = counted(len(self.ids), "token")
        if self.rendered.runs is None:
            return f"{size}; which of them are yours cannot be told, since the template rewrites what you wrote"
        parts = [f"{name} {self.sources.count(name):,}" for name in ("yours", "template")]
        if shared := self.sources.count("both"):
            parts.append(f"of both {shared:,}")
        return f"{size}: {', '.join(parts)}"

    @cached_property
    def doubled(self) -> tuple[int, ...]:
        """The positions of the tokens at which BOS comes a second time in a row."""
        bos = self.tokenizer.special_tokens.get(self.bos, -1)
        return tuple(at for at in range(1, len(self.ids)) if bos == self.ids[at] == self.ids[at - 1] and bos >= 0)

    @cached_property
    def typed(self) -> tuple[int, ...]:
        """The positions of the control tokens that were typed as text in a content."""
        special = set(self.tokenizer.special_tokens.values())
        pairs = enumerate(zip(self.ids, self.sources, strict=True))
        return tuple(at for at, (i, source) in pairs if i in special and source in ("yours", "both"))
