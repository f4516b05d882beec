"""The chat template that a caller means: one that ships, a text, a file, a folder, or that of a model.

A model's files may have one template or several. In the order in which they count, as in `transformers`:

    chat_template.jinja                     the default
    additional_chat_templates/NAME.jinja    a template of this name
    tokenizer_config.json                   "chat_template": a text, or several with their names; the special tokens
    a GGUF                                  tokenizer.chat_template, and tokenizer.chat_template.NAME
    chat_template.json                      as in a config, beside the processor of a model that also takes images
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from glob import escape
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from bpe_core import arguments
from bpe_core.chat.templates import (
    CHAT_TEMPLATES,
    DEFAULT,
    ChatError,
    ChatTemplate,
    config_of,
    fitting,
    named_in,
    read_template,
    template_from,
)
from bpe_core.files import hub
from bpe_core.files.belonging import before_usual
from bpe_core.files.beside import CHAT_TEMPLATE, CONFIG, OTHER_TEMPLATE, usual_name
from bpe_core.files.format import FormatError
from bpe_core.files.gguf import chat_config
from bpe_core.files.gguf_header import is_gguf
from bpe_core.files.opening import READABLE, contents_at
from bpe_core.published import named
from bpe_core.text.encodings import decoded, lacks_mark, without_mark

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


def check_order(template: object, order: str) -> None:
    """Raise `TypeError` for a list in a template's place: turns or tools. `order`: of the call's arguments.

    >>> check_order([("user", "Hi")], "render(template, turns)")
    Traceback (most recent call last):
        ...
    TypeError: a list stands where the template belongs: the order is render(template, turns)
    """
    if isinstance(template, (list, tuple)):
        raise TypeError(f"a {type(template).__name__} stands where the template belongs: the order is {order}")


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


FILES = (CHAT_TEMPLATE, CONFIG, OTHER_TEMPLATE, "additional_chat_templates/*.jinja")
"""The files of a model that may have a template; "*" stands for any name."""


def template_of(files: Mapping[str, bytes]) -> ChatTemplate | None:
    """Return the template in a model's files, name → content; None if there is none. Raises `ChatError`.

    >>> files = {"chat_template.jinja": b"d", "tool_use.jinja": b"t", "tokenizer_config.json": b'{"bos_token": "<s>"}'}
    >>> template_of(files).for_tools(True)
    ChatTemplate(source='t', special_tokens={'bos_token': '<s>'})
    """
    config = {**_in_gguf(files), **_config(files, CONFIG)}
    named = _jinja(files) or named_in(config) or named_in(_config(files, OTHER_TEMPLATE))
    return template_from(named, config) if any(named.values()) else None


def files_in(folder: Path, start: str = "") -> dict[str, bytes]:
    """Return the files in a model's folder that may have a template, name → content.

    `start`: what the names of the model's files have before the usual names, such as "mine-"; where no file has it,
    the files of the usual names are returned.
    """
    found = [path for pattern in FILES for path in sorted(folder.glob(f"{escape(start)}{pattern}")) if path.is_file()]
    if start and not found:
        return files_in(folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _jinja(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the templates in files of Jinja, by name."""
    return {
        DEFAULT if usual_name(name) == CHAT_TEMPLATE else PurePosixPath(name).stem: text_in(files, name)
        for name in files
        if name.endswith(".jinja")
    }


def _config(files: Mapping[str, bytes], wanted: str) -> dict[str, Any]:
    name = next((name for name in files if usual_name(name) == wanted), None)
    return {} if name is None else config_of(text_in(files, name)) or {}


def _in_gguf(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the templates in a GGUF among the files, as a `tokenizer_config.json` has them; {} if there is none."""
    content = next((content for content in files.values() if is_gguf(content)), None)
    try:
        return {} if content is None else chat_config(content)
    except FormatError as error:
        raise ChatError(f"The chat template cannot be read: {error}.") from None


def text_in(files: Mapping[str, bytes], name: str) -> str:
    """Return the text of a file by its name, without a byte order mark."""
    try:
        return without_mark(decoded(files[name]))
    except UnicodeDecodeError as error:
        if unmarked := lacks_mark(files[name]):
            raise ChatError(f"{name} is text in {unmarked} without a byte order mark: save it as UTF-8.") from None
        raise ChatError(f"{name} is not a text in {error.encoding}.") from None
