"""The view of a chat's tools: what each costs, as bars, and the tokens of one of them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st
from markupsafe import Markup

from bpe_core.chat.cost import ToolCost, ToolCosts, costs_of, tokens_at
from bpe_core.chat.model_input import ModelInput, model_input
from bpe_core.chat.rendering import FEW_TOOLS, Rendered
from bpe_core.chat.tracked import tool_source
from bpe_core.text.in_words import counted, percent
from pages.parts.chat import chat_inputs, chat_tokens, chat_turns, shown_turns
from pages.parts.chat.chat_template import Choice
from pages.parts.state import chat_values, state
from pages.parts.state.chat_state import Chat
from pages.parts.ui import downloads, elements, sentences
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

BARS, SHOWN = 12, 800  # tools with a bar of their own; tokens on the screen
NAME = 190  # pixels of a name
LONGEST = 26  # characters of a name on a button
LONG = 200_000  # characters of a text whose tokens are computed only around the tool
BEFORE = 20  # how many of them stand before the tool's tokens
NO_TOOLS = "This chat has no tools. Paste some under Tools, or a whole request under Paste a conversation."
IGNORED = "This template writes nothing of the tools: the model is not given them."
NOT_FOLLOWED = (
    "The template writes the tools in a way that cannot be followed to this tool, so its tokens cannot be shown. "
    "What it costs is counted all the same."
)
_BAR = Markup(
    '<div class="sent"><div class="bar" aria-hidden="true"><i class="new" style="width: {:.2f}%"></i></div></div>'
)


def tools_view(choice: Choice, chosen: PageVocabulary) -> None:
    """Draw what the tools cost, and the tokens of the chosen tool."""
    if not chat_inputs.chat().tools:
        st.html(elements.note(NO_TOOLS))
        return
    rendered, template = chat_turns.rendered(choice.template, chosen)
    now, here = shown_turns.read(), st.empty()
    chat = chat_inputs.chat()
    asked = (template.source, *chat_turns.given(now), chosen.name, id(chosen.tokenizer))

    def progress(done: int, total: int) -> None:
        here.progress(done / total, f"Counting the tools: {done:,} of {total:,}")

    report = progress if len(chat.tools) > FEW_TOOLS else None
    costs = state.latest("tool costs", asked, lambda: costs_of(chosen.tokenizer, template, chat, report))
    here.empty()
    st.html(elements.finding(sentence(costs)))
    if now.tools == chat_values.EXAMPLE_TOOLS:
        st.html(elements.note("An example: paste your own under Tools."))
    if not costs.together:
        st.html(elements.note(IGNORED))
        return
    lit = now.lit_tool if 0 <= now.lit_tool < len(costs.tools) else costs.largest_first[0].number
    _bars(costs, lit)
    if about := _own_text(costs, rendered, chosen):
        st.html(elements.note(about))
    _tokens(rendered, costs.tools[lit], chosen)


def sentence(costs: ToolCosts) -> str:
    """Return what the tools take of the chat, in a sentence."""
    share = percent(costs.together, costs.tokens)
    size = len(costs.tools)
    tools = "This tool takes" if size == 1 else f"The {size:,} tools take"
    return f"{tools} {costs.together:,} of {costs.tokens:,} tokens, {share}, in every request."


def _own_text(costs: ToolCosts, rendered: Rendered, chosen: PageVocabulary) -> str:
    """Return how many of the tools' tokens are the tools' own text, and how many are the rest.

    "" if the template cannot be followed, or the text is too long.
    """
    if rendered.runs is None or len(rendered.text) > LONG:
        return ""
    own = _input(rendered, chosen).count("tools")
    rest = costs.together - own
    longer = "longer" if rest >= 0 else "shorter"
    if not own:
        return ""
    return (
        f"{own:,} of them have only characters of the tools themselves: “from the tools” under All tokens. The rest of "
        f"the chat is {counted(abs(rest), 'token')} {longer} than without tools: what the template writes for them, "
        "and tokens that join both."
    )


def _input(rendered: Rendered, chosen: PageVocabulary) -> ModelInput:
    asked = (rendered, chosen.name, id(chosen.tokenizer), False)
    return state.latest("a chat's tokens", asked, lambda: model_input(chosen.tokenizer, rendered, False))


def _bars(costs: ToolCosts, lit: int) -> None:
    """Draw a bar for each of the largest tools, one for what they share, and a table of all."""
    most = max(1, costs.shared, costs.largest_first[0].tokens)
    for cost in costs.largest_first[:BARS]:
        _bar(f"**{_named(cost)}**" if cost.number == lit else _named(cost), cost.tokens, most, cost.number)
    rest = costs.largest_first[BARS:]
    if rest:
        st.html(elements.note(f"And {counted(len(rest), 'smaller tool')}: {sum(c.tokens for c in rest):,} tokens."))
    _bar("shared", costs.shared, most, None)
    st.html(elements.note("A tool costs the tokens with all tools, less those without it. Shared is the rest: the text "
                          "around the tools."))  # fmt: skip
    downloads.sheet("All tools (CSV)", "tools", _table(costs))


def _bar(label: str, tokens: int, most: int, number: int | None) -> None:
    """Draw a bar. The button of a tool lies over the whole bar, so that a click anywhere on it lights the tool."""
    key = "shared" if number is None else str(number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"tool bar {key}"):
        if number is None:
            st.html(elements.note(label), width=NAME)
        else:
            st.button(
                label, key=f"chat.tool {number}", type="tertiary", width=NAME, help="Show its tokens",
                on_click=lambda: state.put(Chat, lit_tool=number),
            )  # fmt: skip
        st.html(_BAR.format(100 * max(tokens, 0) / most), width="stretch")
        st.html(elements.note(f"{tokens:,}"), width=60)


def _named(cost: ToolCost) -> str:
    """Return a tool's name for a button, whose label is Markdown."""
    return sentences.plain(cost.name if len(cost.name) <= LONGEST else f"{cost.name[:LONGEST]}…")


def _table(costs: ToolCosts) -> Callable[[], pd.DataFrame]:
    rows = [(cost.name, cost.tokens) for cost in costs.largest_first]
    return lambda: pd.DataFrame([*rows, ("shared", costs.shared)], columns=["tool", "tokens"])


def _tokens(rendered: Rendered, cost: ToolCost, chosen: PageVocabulary) -> None:
    """Draw the tokens of a tool, and those around them."""
    source = tool_source(cost.number)
    first = rendered.first_of(source)
    found = None if first is None else _around(rendered, first, source, chosen)
    if found is None:
        st.html(elements.note(NOT_FOLLOWED))
        return
    number, start, given = found
    marks = [
        f"{style} lit" if turn == source else style
        for style, turn in zip(chat_tokens.styles(given), given.turns, strict=True)
    ]
    st.html(elements.title(f"The tokens of {cost.name[:60]}, from token {number + 1:,} on"))
    st.html(chat_tokens.drawing(given, chosen.glyph, start, start + SHOWN, marks))


def _around(rendered: Rendered, first: int, source: int, chosen: PageVocabulary) -> tuple[int, int, ModelInput] | None:
    """Return the number of the first token to draw, its index in an input, and that input. None if it has no token.

    `first`: the index of the tool's first character. Of a long text, the input is the part around that character.
    """
    if len(rendered.text) > LONG:
        asked = (rendered, chosen.name, id(chosen.tokenizer), first)
        part = state.latest(
            "a tool's tokens", asked, lambda: tokens_at(chosen.tokenizer, rendered, first, BEFORE, SHOWN)
        )
        return part and (part[0], 0, part[1])
    found = _input(rendered, chosen)
    own = next((at for at, turn in enumerate(found.turns) if turn == source), None)
    if own is None:
        return None
    return max(own - BEFORE, 0), max(own - BEFORE, 0), found
