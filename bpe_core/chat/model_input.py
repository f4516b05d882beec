"""What a model is given of a chat: the tokens of the rendered text, and the source of each token.

`model_input` has the rendered text already; `chat_input` goes all the way from turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, takewhile
from typing import Any, Literal

import numpy as np

from bpe_core import shortcuts
from bpe_core.chat.given_json import Tool
from bpe_core.chat.given_template import GivenTemplate, chosen, template_of_model
from bpe_core.chat.rendering import Rendered, chat_of, chats_of, check_variables, render_chat, render_chats
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, GivenTurn, fitting
from bpe_core.chat.tracked import DOCUMENTS, TEMPLATE
from bpe_core.published import PUBLISHED
from bpe_core.text.arrays import Integers
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

Source = Literal["yours", "tools", "documents", "template", "both", "tokenizer", ""]  # "": the source is not known

# Known names of the special token that begins a text, for a vocabulary without a config.
BOS = ("<|begin_of_text|>", "<s>", "<bos>", "<|startoftext|>", "<｜begin▁of▁sentence｜>", "<BOS_TOKEN>")
EOS = ("</s>", "<eos>", "<｜end▁of▁sentence｜>")  # known names of the special token that ends a text
BOTH = "<|endoftext|>"  # begins and ends a text where it is the only special token, as in GPT-2's vocabulary
NO_TOOLS_WRITTEN = "; the template writes no tools"
_WORDS = ("template", "tools", "documents", "add_generation_prompt", "trusted")  # what a call reads itself
_MORE: dict[Source, str] = {
    "tools": "tools",
    "documents": "documents",
    "both": "of both",
    "tokenizer": "tokenizer",
}  # sources that have no token in many chats
# How control tokens are written: <|im_start|> <｜User｜> <start_of_turn> <bos> </s> [INST]
_CONTROL = re.compile(
    r"<\|[^\s<>|]{1,40}\|>|<｜[^\s<>｜]{1,40}｜>|<(?:start|end)_of_\w{1,30}>|<[be]os>|</?s>|\[/?[A-Z_]{3,30}\]"
)


def with_own_tokens(template: ChatTemplate, tokenizer: Tokenizer) -> ChatTemplate:
    """Return the template with the special tokens of the tokenizer's `roles`, such as `eos_token`.

    A template that has special tokens, such as that of a whole config, keeps them. If neither has any, `bos_token` is
    set if exactly one special token of the tokenizer has a name known for it; so is `eos_token`.

    >>> from bpe_core import PUBLISHED
    >>> with_own_tokens(ChatTemplate(""), PUBLISHED["qwen"].load()).special_tokens
    {'eos_token': '<|im_end|>', 'pad_token': '<|endoftext|>'}
    """
    if template.special_tokens or tokenizer.roles:  # a role that both lack stays unknown: `transformers` writes nothing
        return replace(template, special_tokens={**tokenizer.roles, **template.special_tokens})
    has = set(tokenizer.special_tokens)
    both = has & {BOTH} if len(has) == 1 else set()
    known = {"bos_token": has & {*BOS} | both, "eos_token": has & {*EOS} | both}
    return replace(template, special_tokens={role: names.pop() for role, names in known.items() if len(names) == 1})


def model_input(tokenizer: Tokenizer, rendered: Rendered, add_special_tokens: bool = False) -> ModelInput:
    """Return the tokens of a rendered chat.

    The name of a control token becomes that token, whoever wrote it, as in models' libraries. `add_special_tokens`: as
    in `Tokenizer.encode`. With it, Mistral's tokenizer puts `<s>` before a text, although Mistral's template has
    already written `<s>`:

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
    """A rendered chat and its tokens. `encoding`: the encoding of the rendered text."""

    encoding: Encoding
    rendered: Rendered

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return how many tokens there are; they are too many to print."""
        return f"<ModelInput: {self.summary}>"

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that the model is given."""
        return self.encoding.ids

    @property
    def text(self) -> str:
        """The text that the template made of the turns."""
        return self.rendered.text

    @cached_property
    def _turn_at(self) -> Integers:
        """For each character of the text, the index of the turn that it comes from, or `TEMPLATE`, or `SEVERAL`."""
        runs = self.rendered.runs or ()
        found: Integers = np.repeat(
            np.array([run.turn for run in runs], np.int64), np.array([run.length for run in runs], np.int64)
        )
        return found

    @cached_property
    def _own_before(self) -> Integers:
        """For each offset in the text, how many characters before it come from contents of turns."""
        return np.append(0, np.cumsum(self._turn_at != TEMPLATE))

    @cached_property
    def _spans(self) -> Integers:
        """The start and the end of each token, as rows."""
        return np.array(self.encoding.spans, np.int64).reshape(-1, 2)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """For each token the index of the turn whose content it contains; below 0 if it contains no turn's content.

        A token of a tool has the tool's `tool_source`.
        """
        if not len(self._turn_at):
            return (TEMPLATE,) * len(self.ids)
        first, after = self._own_before[self._spans].T
        own = np.append(self._turn_at[self._turn_at != TEMPLATE], TEMPLATE)
        return tuple(np.where(after > first, own[first], TEMPLATE).tolist())

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The source of each token: the contents ("yours"), the template, both, or the tokenizer that added it."""
        if self.rendered.runs is None:
            return tuple("" for _ in self.ids)
        start, end = self._spans.T
        first, after = self._own_before[self._spans].T
        names: tuple[Source, Source, Source] = ("template", "both", "yours")
        which = (after > first).astype(int) + ((after > first) & (after - first == end - start))
        found = [names[i] for i in which.tolist()]
        before, behind = map(len, self.encoding.around)
        turns = self.turns
        for at, turn in enumerate(turns):
            if turn <= DOCUMENTS and found[at] == "yours":
                found[at] = "documents" if turn == DOCUMENTS else "tools"
        for at in (*range(before), *range(len(found) - behind, len(found))):
            found[at] = "tokenizer"
        return tuple(found)

    def count(self, source: Source) -> int:
        """Return how many tokens come from `source`."""
        return self.sources.count(source)

    @property
    def summary(self) -> str:
        """How many tokens there are, in all and from each source, and whether the template writes no tools."""
        size = "1 token" if len(self.ids) == 1 else f"{len(self.ids):,} tokens"
        more = NO_TOOLS_WRITTEN if self.rendered.lacks_tools else ""
        if self.rendered.runs is None:
            return f"{size}; which of them are yours cannot be told, since the template rewrites what you wrote{more}"
        parts = [f"yours {self.count('yours'):,}", f"template {self.count('template'):,}"]
        parts += [f"{name} {self.count(source):,}" for source, name in _MORE.items() if self.count(source)]
        return f"{size}: {', '.join(parts)}{more}"

    @cached_property
    def doubled(self) -> tuple[int, ...]:
        """The positions, from 1 on, at which the special token that begins the text is repeated: a double BOS."""
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
        """The positions of the special tokens whose names were typed as text in the content of a turn."""
        pairs = enumerate(zip(self.ids, self.sources, strict=True))
        return tuple(at for at, (i, source) in pairs if source in ("yours", "both") and i in self.special_names)

    @cached_property
    def learnt(self) -> tuple[bool, ...] | None:
        """For each token, whether it is learnt in training: `{% generation %}` marks one of its characters.

        None if the template has no such tag: then `transformers` says that no token is learnt, or that all are.
        """
        if self.rendered.learnt is None:
            return None
        marked = np.zeros(len(self.text) + 1, np.int64)
        for start, end in self.rendered.learnt:
            marked[start:end] = 1
        before = np.append(0, np.cumsum(marked))
        start, end = self._spans.T
        return tuple((before[end] > before[start]).tolist())

    @cached_property
    def in_segments(self) -> tuple[int, ...] | None:
        """The ids if each source is encoded by itself, and a name of a special token is one only in the template.

        So a control token that somebody typed stays text. None if the sources cannot be told.
        """
        if self.rendered.runs is None:
            return None
        found: list[int] = []
        for text, own in self._parts():
            found += self.encoding.tokenizer.pipeline.ids(text, not own)
        return tuple(self.encoding.around.put(found))

    def _parts(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in parts, each with whether it is the template's own or of turns, tools or documents."""
        at = 0
        for own, runs in groupby(self.rendered.runs or (), lambda run: run.turn):
            size = sum(run.length for run in runs)
            yield self.text[at : at + size], own != TEMPLATE
            at += size

    @cached_property
    def plain(self) -> Mapping[str, int]:
        """The control tokens of the template that the vocabulary lacks: name → how many tokens the name becomes.

        >>> from bpe_core import PUBLISHED
        >>> from bpe_core.chat.tracked import SourceRun
        >>> chat = Rendered("<|im_start|>", (SourceRun(12, -1, 0),))
        >>> model_input(PUBLISHED["gpt2"].load(), chat).plain
        {'<|im_start|>': 7}
        """
        starts, ends = self._spans.T
        found: dict[str, int] = {}
        for name, start, end, turn in self._marks:
            if name not in found and turn is None:
                found[name] = int(((starts < end) & (ends > start)).sum())
        return {name: size for name, size in found.items() if size > 1}

    @cached_property
    def if_control(self) -> int:
        """How many tokens the text would have if each of the control tokens in `plain` were one token.

        >>> from bpe_core import PUBLISHED
        >>> from bpe_core.chat.tracked import SourceRun
        >>> chat = Rendered("<|im_start|>Hi", (SourceRun(12, -1, 0), SourceRun(2, 0, 0)))
        >>> model_input(PUBLISHED["gpt2"].load(), chat).if_control
        2
        """
        text, at, size = self.text, 0, sum(map(len, self.encoding.around))
        for _, start, end, turn in self._marks:
            if turn is None:
                size += len(self.encoding.tokenizer.pipeline.ids(text[at:start], True)) + 1
                at = end
        return size + len(self.encoding.tokenizer.pipeline.ids(text[at:], True))

    @cached_property
    def imitated(self) -> tuple[tuple[int, str], ...]:
        """The control tokens that the vocabulary lacks (see `plain`) and that somebody typed into a turn.

        Each entry is (index of the turn, name). No entry comes twice.
        """
        found = ((turn, name) for name, _, _, turn in self._marks if turn is not None and name in self.plain)
        return tuple(dict.fromkeys(found))

    @cached_property
    def _marks(self) -> tuple[tuple[str, int, int, int | None], ...]:
        """The parts of the text that look like control tokens, but are no special tokens of the tokenizer.

        Each part is (its text, start, end, index of its turn). The turn is None for the template's own text.
        """
        found: list[tuple[str, int, int, int | None]] = []
        names = set(self.special_names.values())
        for each in _CONTROL.finditer(self.rendered.text):
            start, end = each.span()
            own = [turn for turn in self._turn_at[start:end].tolist() if turn != TEMPLATE]
            if each.group() not in names:
                found.append((each.group(), start, end, own[0] if own else None))
        return tuple(found)


def chat_input(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    *,
    add_generation_prompt: bool = False,
    template: GivenTemplate | None = None,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    trusted: bool = False,
    **variables: Any,
) -> ModelInput:
    """Return what a model is given of turns: see `Tokenizer.apply_chat_template`."""
    chat = chat_of(turns, add_generation_prompt, tools, documents, variables)
    found = template_for(tokenizer, template).given(trusted).for_tools(bool(chat.tools))
    check_variables(found, variables, _WORDS)
    return model_input(tokenizer, render_chat(found, chat))


def chat_inputs(
    tokenizer: Tokenizer,
    chats: Iterable[Iterable[GivenTurn]],
    *,
    add_generation_prompt: bool = False,
    template: GivenTemplate | None = None,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    trusted: bool = False,
    **variables: Any,
) -> list[ModelInput]:
    """Return what a model is given of many chats: see `Tokenizer.apply_chat_template_batch`."""
    rows = chats_of(chats, add_generation_prompt, tools, documents, variables)
    found = template_for(tokenizer, template).given(trusted)
    if rows:
        check_variables(found.for_tools(bool(rows[0].tools)), variables, _WORDS)
    rendered = render_chats(found, rows)
    encodings = tokenizer.encode_batch([each.text for each in rendered], specials=True)
    return [*map(ModelInput, encodings, rendered)]


def template_for(tokenizer: Tokenizer, template: GivenTemplate | None = None) -> ChatTemplate:
    """Return the template that was asked for, with the tokenizer's own tokens; for None the vocabulary's."""
    return with_own_tokens(_template(tokenizer, template), tokenizer)


def _template(tokenizer: Tokenizer, template: GivenTemplate | None) -> ChatTemplate:
    """Return the template that was asked for. If none was, return the one that fits a vocabulary of `PUBLISHED`."""
    found = chosen(template) if template is not None else _own(tokenizer)
    if found is None:
        keys = ", ".join(CHAT_TEMPLATES)
        raise ChatError(f"No chat template of this tokenizer is known: template= takes {keys}, a text or a Path.")
    return found


def _own(tokenizer: Tokenizer) -> ChatTemplate | None:
    """Return the template of a vocabulary that ships, known by its special tokens; None for a file of a library.

    A model's file says nothing of the template, which is in another file and may differ from ours.
    """
    has = tokenizer.special_tokens.items()
    fits = (name for name, row in PUBLISHED.items() if fitting(name) and row.special_tokens.items() <= has)
    return next(map(template_of_model, fits), None) if not tokenizer.needs_library else None
