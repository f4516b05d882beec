"""The chat templates in a model's files, in every form in which a model may have one or several.

In the order in which they count, as in `transformers`:

    chat_template.jinja                     the default
    additional_chat_templates/NAME.jinja    a template of this name
    tokenizer_config.json                   "chat_template": a text, or several with their names; the special tokens
    a GGUF                                  tokenizer.chat_template, and tokenizer.chat_template.NAME
    chat_template.json                      as in a config, beside the processor of a model that also takes images
"""

from __future__ import annotations

from collections.abc import Mapping
from glob import escape
from pathlib import Path, PurePosixPath
from typing import Any

from bpe_core.chat.templates import DEFAULT, ChatError, ChatTemplate, config_of, named_in, template_from
from bpe_core.files.beside import CHAT_TEMPLATE, CONFIG, OTHER_TEMPLATE, usual_name
from bpe_core.files.format import FormatError
from bpe_core.files.gguf import chat_config
from bpe_core.files.gguf_header import is_gguf
from bpe_core.text.encodings import decoded, lacks_mark, without_mark

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
