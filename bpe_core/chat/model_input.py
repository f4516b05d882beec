"""What a model is given of a chat: the tokens of the rendered text, and whose each of them is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Literal

import numpy as np

from bpe_core.chat.rendering import Rendered
from bpe_core.chat.templates import ChatTemplate
from bpe_core.chat.tracked import TEMPLATE
from bpe_core.display.in_words import counted
from bpe_core.text.arrays import Integers
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

Source = Literal["yours", "template", "both", "tokenizer", ""]  # "": it cannot be told

# What begins a text in the vocabularies of models, where nothing says it.
BOS = ("<|begin_of_text|>", "<s>", "<bos>", "<|startoftext|>", "<｜begin▁of▁sentence｜>", "<BOS_TOKEN>")
_MORE: dict[Source, str] = {"both": "of both", "tokenizer": "tokenizer"}  # sources that many chats have no token of
_NAMED = re.compile(r"\b(bos|eos|unk|sep|pad|cls|mask)_token\b")
# How control tokens are written: <|im_start|> <｜User｜> <start_of_turn> <bos> </s> [INST]
_CONTROL = re.compile(
    r"<\|[^\s<>|]{1,40}\|>|<｜[^\s<>｜]{1,40}｜>|<(?:start|end)_of_\w{1,30}>|<[be]os>|</?s>|\[/?[A-Z_]{3,30}\]"
)


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


def model_input(tokenizer: Tokenizer, rendered: Rendered, add_special_tokens: bool = False) -> ModelInput:
    """Return the tokens of a rendered chat.

    Control tokens are read as such, whoever wrote them: so do models' libraries. `add_special_tokens`: as in
    `Tokenizer.encode`. Mistral's tokenizer then puts `<s>` before a text, and Mistral's template writes one too:

    >>> from bpe_core import PUBLISHED
    >>> from bpe_core.chat.rendering import render
    >>> from bpe_core.chat.templates import CHAT_TEMPLATES, Turn
    >>> chat = render(CHAT_TEMPLATES["mistral"].template, [Turn("user", "Hi")])
    >>> found = model_input(PUBLISHED["tekken"].load(), chat, add_special_tokens=True)
    >>> found.ids, found.sources
    ((1, 1, 3, 37133, 4), ('tokenizer', 'template', 'template', 'yours', 'template'))
    >>> found.summary
    '5 tokens: yours 1, template 3, tokenizer 1'
    """
    return ModelInput(tokenizer.encode(rendered.text, specials=True, add_special_tokens=add_special_tokens), rendered)


@dataclass(frozen=True)
class ModelInput:
    """A rendered chat and its tokens. `encoding`: of the rendered text."""

    encoding: Encoding
    rendered: Rendered

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that the model is given."""
        return self.encoding.ids

    @cached_property
    def _turn_at(self) -> Integers:
        """For each character of the text its turn; below 0 if it is of none."""
        runs = self.rendered.runs or ()
        found: Integers = np.repeat(
            np.array([run.turn for run in runs], np.int64), np.array([run.length for run in runs], np.int64)
        )
        return found

    @cached_property
    def _own_before(self) -> Integers:
        """For each place between characters, how many characters before it are of contents."""
        return np.append(0, np.cumsum(self._turn_at != TEMPLATE))

    @cached_property
    def _spans(self) -> Integers:
        """The start and the end of each token, as rows."""
        return np.array(self.encoding.spans, np.int64).reshape(-1, 2)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """For each token the index of the turn whose content it has characters of; below 0 if of none."""
        if not len(self._turn_at):
            return (TEMPLATE,) * len(self.ids)
        first, after = self._own_before[self._spans].T
        own = np.append(self._turn_at[self._turn_at != TEMPLATE], TEMPLATE)
        return tuple(np.where(after > first, own[first], TEMPLATE).tolist())

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """For each token whose it is: of the contents, of the template, of both, or added by the tokenizer."""
        if self.rendered.runs is None:
            return tuple("" for _ in self.ids)
        start, end = self._spans.T
        first, after = self._own_before[self._spans].T
        names: tuple[Source, Source, Source] = ("template", "both", "yours")
        which = (after > first).astype(int) + ((after > first) & (after - first == end - start))
        found = [names[i] for i in which.tolist()]
        before, behind = map(len, self.encoding.around)
        for at in (*range(before), *range(len(found) - behind, len(found))):
            found[at] = "tokenizer"
        return tuple(found)

    def count(self, source: Source) -> int:
        """Return how many tokens have a source."""
        return self.sources.count(source)

    @property
    def summary(self) -> str:
        """How many tokens there are, and whose."""
        size = counted(len(self.ids), "token")
        if self.rendered.runs is None:
            return f"{size}; which of them are yours cannot be told, since the template rewrites what you wrote"
        parts = [f"yours {self.count('yours'):,}", f"template {self.count('template'):,}"]
        parts += [f"{name} {self.count(source):,}" for source, name in _MORE.items() if self.count(source)]
        return f"{size}: {', '.join(parts)}"

    @cached_property
    def doubled(self) -> tuple[int, ...]:
        """The positions, from 1 on, of a special token that begins the text and comes again at once: a double BOS."""
        first = self.ids[:1]
        if not first or first[0] not in self.special_names:
            return ()
        return tuple(range(1, sum(1 for _ in takewhile(lambda i: i == first[0], self.ids))))

    @property
    def special_names(self) -> Mapping[int, str]:
        """The name of each special token, by its id."""
        return self.encoding.walk.vocabulary.special_names

    @cached_property
    def typed(self) -> tuple[int, ...]:
        """The positions of the control tokens that were typed as text in a content."""
        pairs = enumerate(zip(self.ids, self.sources, strict=True))
        return tuple(at for at, (i, source) in pairs if source in ("yours", "both") and i in self.special_names)

    @cached_property
    def plain(self) -> Mapping[str, int]:
        """The control tokens of the template that the vocabulary lacks: name → how many tokens of plain text it is.

        >>> from bpe_core import PUBLISHED
        >>> from bpe_core.chat.tracked import Run
        >>> chat = Rendered("<|im_start|>", (Run(12, -1, 0),))
        >>> model_input(PUBLISHED["gpt2"].load(), chat).plain
        {'<|im_start|>': 7}
        """
        starts, ends = self._spans.T
        found: dict[str, int] = {}
        for each in _CONTROL.finditer(self.rendered.text):
            name, (start, end) = each.group(), each.span()
            typed = len(self._turn_at) and self._own_before[start] < self._own_before[end]
            if name not in found and not typed and name not in self.special_names.values():
                found[name] = int(((starts < end) & (ends > start)).sum())
        return {name: size for name, size in found.items() if size > 1}
