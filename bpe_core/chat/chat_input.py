"""From turns to what a model is given, in one call; and the template of a model, wherever the model is."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from bpe_core import arguments
from bpe_core.chat.given_json import Tool
from bpe_core.chat.model_input import ModelInput, model_input, with_own_tokens
from bpe_core.chat.rendering import chat_of, check_variables, chosen, render_chat
from bpe_core.chat.template_files import FILES, files_in, template_of, text_in
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, GivenTurn, fitting, read_template
from bpe_core.files import hub
from bpe_core.files.belonging import before_usual
from bpe_core.files.opening import READABLE, contents_at
from bpe_core.published import PUBLISHED, named
from bpe_core.tokenizer.tokenizer import Tokenizer


def chat_input(
    tokenizer: Tokenizer,
    turns: Iterable[GivenTurn],
    *,
    add_generation_prompt: bool = False,
    template: ChatTemplate | str | PathLike[str] | None = None,
    tools: Iterable[Tool] = (),
    documents: Iterable[Any] = (),
    **variables: Any,
) -> ModelInput:
    """Return what a model is given of turns: see `Tokenizer.apply_chat_template`."""
    chat = chat_of(turns, add_generation_prompt, tools, documents, variables)
    found = template_for(tokenizer, template).for_tools(bool(chat.tools))
    check_variables(found, variables, ("template", "tools", "documents", "add_generation_prompt"))
    return model_input(tokenizer, render_chat(found, chat))


def template_for(tokenizer: Tokenizer, template: ChatTemplate | str | PathLike[str] | None = None) -> ChatTemplate:
    """Return the template that was asked for, with the tokenizer's own tokens; for None the vocabulary's."""
    return with_own_tokens(_template(tokenizer, template), tokenizer)


def template_of_model(model: str | PathLike[str]) -> ChatTemplate | None:
    """Return the template of a model; None if there is none.

    `model`: what `load` opens: a name, `hub:owner/model`, a model's folder, a GGUF, which has its template, or a file
    beside which the template is.

    >>> template_of_model("gpt2"), template_of_model("qwen") == CHAT_TEMPLATES["qwen3"].template
    (None, True)
    """
    if isinstance(model, str) and (row := named(model)):
        return CHAT_TEMPLATES[key].template if (key := fitting(row.name)) else None
    if isinstance(model, str) and model.startswith(hub.PREFIX):
        return template_of(hub.fetch_files(model.removeprefix(hub.PREFIX), FILES))
    path = Path(model)
    if path.suffix == ".gguf":
        return template_of(contents_at(path))
    if path.is_dir():
        return template_of(files_in(path))
    (start, *_) = before_usual((path.name,), READABLE.values()) or [""]
    return template_of(files_in(path.parent, start))


def _template(tokenizer: Tokenizer, template: ChatTemplate | str | PathLike[str] | None) -> ChatTemplate:
    """Return the template that was asked for. If none was, return the one that fits a vocabulary of `PUBLISHED`."""
    if isinstance(template, ChatTemplate) or (isinstance(template, str) and not template.startswith(hub.PREFIX)):
        return chosen(template)
    if not isinstance(template, str | None) and not arguments.path(template).is_dir():
        path = arguments.file_at(template)
        return read_template(text_in({path.name: path.read_bytes()}, path.name))
    found = template_of_model(template) if template is not None else _own(tokenizer)
    if found is None:
        here = "of this tokenizer is known" if template is None else f"is in {template}"
        raise ChatError(f"No chat template {here}: template= takes {', '.join(CHAT_TEMPLATES)}, a text or a Path.")
    return found


def _own(tokenizer: Tokenizer) -> ChatTemplate | None:
    """Return the template of a vocabulary that ships, known by its special tokens; None for a file of a library.

    A model's file says nothing of the template, which is in another file and may differ from ours.
    """
    has = tokenizer.special_tokens.items()
    fits = (name for name, row in PUBLISHED.items() if fitting(name) and row.special_tokens.items() <= has)
    return next(map(template_of_model, fits), None) if not tokenizer.needs_library else None
