"""From turns to what a model is given, in one call; and the template that fits a tokenizer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpe_core.chat.given_json import Tool
from bpe_core.chat.given_template import GivenTemplate, chosen, template_of_model
from bpe_core.chat.model_input import ModelInput, model_input, with_own_tokens
from bpe_core.chat.rendering import chat_of, render_chat
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, GivenTurn, fitting
from bpe_core.chat.variables import check_variables
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.tokenizer import Tokenizer


def chat_input(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    *,
    add_generation_prompt: bool = False,
    template: GivenTemplate | None = None,
    tools: Iterable[Tool] | None = (),
    documents: Iterable[Any] | None = (),
    **variables: Any,
) -> ModelInput:
    """Return what a model is given of turns: see `Tokenizer.apply_chat_template`."""
    chat = chat_of(turns, add_generation_prompt, tools, documents, variables)
    found = template_for(tokenizer, template).for_tools(bool(chat.tools))
    check_variables(found, variables, ("template", "tools", "documents", "add_generation_prompt"))
    return model_input(tokenizer, render_chat(found, chat))


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
