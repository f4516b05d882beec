"""`chat`: the ids that a model is given for the turns of a chat."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from bpe_core.chat.chat_input import template_of_model
from bpe_core.chat.model_input import ModelInput, model_input, with_own_tokens
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatTemplate, read_template, read_turns
from bpe_core.cli.command import Command, Form, InputError
from bpe_core.cli.forms import text_of, write_json
from bpe_core.cli.inputs import add_file, add_tokenizer, read_text, tokenizer_of


def _add_chat(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    add_file(parser, 'turns as JSON: [{"role": "user", "content": "Hi"}, …]; standard input if none is given')
    parser.add_argument(
        "--template",
        metavar="FILE",
        help=f"the chat template: {', '.join(CHAT_TEMPLATES)}, or a file in Jinja, or a tokenizer_config.json. Without "
        "it, the one of the model: in this program, on the Hub, or beside the tokenizer's file",
    )
    parser.add_argument("--add-generation-prompt", action="store_true", help="end with what begins an answer")


def _chat(given: Namespace) -> Iterator[ModelInput]:
    turns = read_turns(read_text(given.file))
    tokenizer = tokenizer_of(given)
    template = with_own_tokens(_template(given.tokenizer, given.template), tokenizer)
    yield model_input(tokenizer, render(template, turns, given.add_generation_prompt))


def _write_json(found: ModelInput) -> None:
    tokens = [*map(text_of, found.encoding.tokens)]
    sources = [source or None for source in found.sources]
    write_json({"ids": found.ids, "tokens": tokens, "sources": sources, "text": found.text})


def _template(tokenizer: str, file: str | None) -> ChatTemplate:
    """Return the template that `file` names, by key or by path. If `file` is None, return the tokenizer's template."""
    if file is not None:
        return CHAT_TEMPLATES[file].template if file in CHAT_TEMPLATES else read_template(read_text(file))
    found = template_of_model(tokenizer)
    if found is None:
        raise InputError(f"no chat template of {tokenizer} is known here; --template gives one")
    return found


CHAT = Command(
    _chat,
    _add_chat,
    "turns of a chat to the ids that a model is given, by a chat template",
    ("{} chat qwen turns.json --add-generation-prompt",),
    {
        "text": Form(lambda found: print(*found.ids)),
        "json": Form(_write_json, "print JSON instead: the ids, tokens, whose they are, and the text"),
    },
)
