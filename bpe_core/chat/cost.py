"""What each tool of a chat costs: the tokens with all tools, less the tokens without it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from bpe_core import shortcuts
from bpe_core.by_name import GivenTokenizer
from bpe_core.chat.given_json import Tool, name_of
from bpe_core.chat.given_template import GivenTemplate, check_order
from bpe_core.chat.model_input import NO_TOOLS_WRITTEN, ModelInput, model_input, template_for
from bpe_core.chat.rendering import Chat, Rendered, chat_of, check_variables, render_chat, render_without_tools
from bpe_core.chat.templates import ChatError, ChatTemplate, GivenTurn
from bpe_core.files import opened
from bpe_core.text.alphabet import begins_character, encode_text
from bpe_core.text.in_words import counted, percent
from bpe_core.tokenizer.tokenizer import Tokenizer

MARGIN = 400  # tokens on both sides of a tool that are encoded again without it
ALIKE = 8  # tokens of the margin that have to be the same


class ToolCost(NamedTuple):
    """The tokens of a tool. `number`: its place among the tools, from 0 on."""

    number: int
    name: str
    tokens: int


@dataclass(frozen=True)
class ToolCosts:
    """The tokens of a chat's tools. `tokens`: how many the whole chat has. `without`: how many it has without any tool.

    `tools`: the cost of each tool, in the order of the tools.
    """

    tokens: int
    without: int
    tools: tuple[ToolCost, ...]

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return what the tools take; they are too many to print."""
        return f"<ToolCosts: {self.summary}>"

    @property
    def summary(self) -> str:
        """What the tools take of the tokens, or that the template writes none of them."""
        of = f"{self.together:,} of {counted(self.tokens, 'token')}, {percent(self.together, self.tokens)}"
        return f"{counted(len(self.tools), 'tool takes', 'tools take')} {of}{'' if self.together else NO_TOOLS_WRITTEN}"

    @property
    def together(self) -> int:
        """What all tools cost together."""
        return self.tokens - self.without

    @property
    def shared(self) -> int:
        """What no single tool costs, such as the template's sentences about tools; below 0 where tools share tokens."""
        return self.together - sum(tool.tokens for tool in self.tools)

    @property
    def largest_first(self) -> tuple[ToolCost, ...]:
        """The costs, the largest first."""
        return tuple(sorted(self.tools, key=lambda tool: (-tool.tokens, tool.number)))


def tool_costs(
    tokenizer: GivenTokenizer,
    template: GivenTemplate | None,
    turns: Iterable[GivenTurn],
    tools: Iterable[Tool] = (),
    *,
    add_generation_prompt: bool = False,
    documents: Iterable[Any] | None = (),
    variables: Mapping[str, Any] = MappingProxyType({}),
    trusted: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ToolCosts:
    """Return what each tool costs. `tokenizer`: a tokenizer, or what `load` takes.

    `template`: None for a vocabulary that ships, which has its own. The other arguments are those of
    `render`. `progress(done, total)`: called meanwhile if there are many tools.

    >>> from bpe_core import load
    >>> template = "{% for tool in tools or [] %}{{ tool | tojson }}; {% endfor %}{{ messages[0].content }}"
    >>> tools = [{"name": "clock"}, {"name": "map", "description": "Shows where a city is."}]
    >>> found = tool_costs(load("gpt2"), template, [("user", "Hi")], tools)
    >>> [(tool.name, tool.tokens) for tool in found.largest_first], found.shared
    ([('map', 18), ('clock', 7)], 0)
    """
    check_order(template, "tool_costs(tokenizer, template, turns, tools), with None for the vocabulary's own template")
    tokenizer = opened(tokenizer)
    chat = chat_of(turns, add_generation_prompt, tools, documents, variables)
    found = template_for(tokenizer, template).given(trusted)
    check_variables(found.for_tools(True), variables)
    return costs_of(tokenizer, found, chat, progress)


def costs_of(
    tokenizer: Tokenizer, template: ChatTemplate, chat: Chat, progress: Callable[[int, int], None] | None = None
) -> ToolCosts:
    """Return what each tool of a chat costs: see `tool_costs`."""
    if not chat.tools:
        raise ChatError('There are no tools: tools are a list, such as [{"name": "clock"}].')
    with_tools, bare = template.for_tools(True), template.for_tools(False)
    whole = render_chat(with_tools, chat).text
    rows = render_without_tools(with_tools, chat, whole, progress)
    if bare.source != with_tools.source:  # a model with several templates has another one where there are no tools
        without = (0, 0, render_chat(bare, replace(chat, tools=())).text)
        rows = [without] * 2 if len(chat.tools) == 1 else [*rows[:-1], without]
    counted = _CutText(tokenizer, whole)
    sizes = [counted.without(*row) for row in rows]
    tools = enumerate(zip(chat.tools, sizes[:-1], strict=True))
    costs = tuple(ToolCost(at, name_of(tool), len(counted.ids) - size) for at, (tool, size) in tools)
    return ToolCosts(len(counted.ids), sizes[-1], costs)


def tokens_at(
    tokenizer: Tokenizer, rendered: Rendered, character: int, before: int, most: int
) -> tuple[int, ModelInput] | None:
    """Return at most `most` tokens around a character of a long text, and the index of the first.

    Only a part of the text is encoded with all that is known of its tokens, which takes little of the memory that the
    whole text takes. `before`: how many tokens before the character. None if the part has other tokens by itself.
    """
    counted = _CutText(tokenizer, rendered.text)
    ends = counted.offsets
    first = max(bisect_right(ends, character) - 1 - before, 0)
    for start in range(first, max(first - ALIKE, -1), -1):
        stop = min(start + most + ALIKE, len(counted.ids))
        if stop > start and ends:
            found = model_input(tokenizer, rendered.part(ends[start], ends[stop]))
            same = len(found.ids) - (ALIKE if stop < len(counted.ids) else 0)
            if same > 0 and list(found.ids[:same]) == counted.ids[start : start + same]:
                return start, found
    return None


class _CutText:
    """A text and its tokens. If a part is left out, only the surroundings of the gap are encoded again.

        whole      … | a | b | c | gap | d | e | f | …
        window         |<-   encoded again   ->|            MARGIN tokens on both sides

    The window has to become the same tokens by itself as in the whole text, and with the gap it has to begin and end
    with the same tokens. So what the gap changes is inside it. Otherwise the whole text is encoded again.
    """

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        """Encode the whole text."""
        self._tokenizer, self._text = tokenizer, text
        self.ids = self._ids_of(text)

    def _ids_of(self, text: str) -> list[int]:
        return self._tokenizer.ids(text, specials=True)

    def without(self, before: int, after: int, between: str) -> int:
        """Return the number of tokens if only the first `before` and the last `after` characters stay."""
        found = self._in_window(before, after, between)
        if found is not None:
            return found
        return len(self._ids_of(self._text[:before] + between + self._text[len(self._text) - after :]))

    def _in_window(self, before: int, after: int, between: str) -> int | None:
        """Return the number of tokens, counted in a window; None if the window does not tell."""
        if len(self.ids) < 4 * MARGIN:
            return None
        text, end = self._text, len(self._text) - after
        start, stop = (self._cut(at, by) for at, by in ((before, -MARGIN), (end, MARGIN)))
        if start is None or stop is None or not start[1] <= before <= end <= stop[1]:
            return None
        window = self._ids_of(text[start[1] : stop[1]])
        if window != self.ids[start[0] : stop[0]]:
            return None
        changed = self._ids_of(text[start[1] : before] + between + text[end : stop[1]])
        begins_alike = not start[0] or changed[:ALIKE] == window[:ALIKE]
        ends_alike = stop[0] == len(self.ids) or changed[-ALIKE:] == window[-ALIKE:]
        if min(len(changed), len(window)) < 2 * ALIKE or not (begins_alike and ends_alike):
            return None
        return len(self.ids) - len(window) + len(changed)

    def _cut(self, at: int, by: int) -> tuple[int, int] | None:
        """Return a boundary about `by` tokens from a character: the index of the next token, the offset in the text."""
        ends = self.offsets
        if not ends:
            return None
        index = min(max(bisect_right(ends, at) + by, 0), len(ends) - 1)
        if index in (0, len(ends) - 1):
            return index, ends[index]
        for step in range(ALIKE):  # a boundary within a character is no offset of the text
            if ends[index + step] < ends[index + step + 1]:
                return index + step + 1, ends[index + step + 1]
        return None

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each boundary between tokens, from 0 to the end; [] if the tokens' bytes are not the text's."""
        sizes = [len(self._tokenizer.token_bytes(i)) if i >= 0 else 0 for i in self.ids]
        raw = encode_text(self._text)
        if sum(sizes) != len(raw):
            return []
        before = np.append(0, np.cumsum(begins_character(np.frombuffer(raw, np.uint8))))
        found: list[int] = before[np.append(0, np.cumsum(sizes))].tolist()
        return found
