"""The chat template that a caller means: one that ships, a text, a file, a folder, or that of a model."""

from __future__ import annotations

from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from bpe_core import arguments
from bpe_core.chat.template_files import FILES, files_in, template_of, text_in
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatError, ChatTemplate, config_of, fitting, named_in, read_template
from bpe_core.files import hub
from bpe_core.files.belonging import before_usual
from bpe_core.files.opening import READABLE, contents_at
from bpe_core.published import named

GivenTemplate: TypeAlias = ChatTemplate | str | PathLike[str]
_OTHERS = "a text, or a Path of a file or a folder"


def chosen(template: GivenTemplate) -> ChatTemplate:
    """Return the template that a caller means.

    `template`: a `ChatTemplate`; a key of `CHAT_TEMPLATES`; "hub:owner/model"; Jinja as a text; or a Path: of a file of
    Jinja, a GGUF, a JSON file that has the template or is beside it, or a model's folder. Raises `ChatError`.

    >>> chosen("qwen-3")
    Traceback (most recent call last):
        ...
    bpe_core.chat.given_json.ChatError: 'qwen-3' is no chat template: is it 'qwen3'?
    """
    if isinstance(template, ChatTemplate):
        return template
    if isinstance(template, PathLike):
        return _at(template)
    if not isinstance(template, str):
        raise TypeError(f"a chat template is a str, a Path or a ChatTemplate, and this is {type(template).__name__}")
    if template in CHAT_TEMPLATES:
        return CHAT_TEMPLATES[template].template
    if template.startswith(hub.PREFIX):
        return _in_model(template)
    if template.strip() and "{" not in template:  # it would write the same text for any chat
        near = get_close_matches(template, CHAT_TEMPLATES, 1)
        more = f"is it {near[0]!r}?" if near else f"give Jinja as {_OTHERS}."
        raise ChatError(f"{template[:40]!r} is no chat template: {more}")
    return read_template(template)


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


def _in_model(model: str | PathLike[str]) -> ChatTemplate:
    found = template_of_model(model)
    if found is None:
        raise ChatError(
            f"No chat template is in {model}: template= takes {', '.join(CHAT_TEMPLATES)}, a text or a Path."
        )
    return found


def _at(path: PathLike[str]) -> ChatTemplate:
    """Return the template in a file or a folder."""
    if arguments.path(path).is_dir() or (found := arguments.file_at(path)).suffix == ".gguf":
        return _in_model(path)
    text = text_in({found.name: found.read_bytes()}, found.name)
    config = config_of(text) if found.suffix == ".json" else None
    return read_template(text) if config is None or named_in(config) else _in_model(path)
