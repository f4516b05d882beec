"""`chat`: the ids that a model is given for a chat; what a server can keep of its requests; what its tools cost."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core.chat.conversation import Requests, requests_of
from bpe_core.chat.cost import ToolCosts, costs_of
from bpe_core.chat.given_json import read_documents, read_tools
from bpe_core.chat.given_template import chosen, template_of_model
from bpe_core.chat.model_input import ModelInput, model_input, with_own_tokens
from bpe_core.chat.rendering import chat_of, check_variables, render_chat
from bpe_core.chat.templates import CHAT_TEMPLATES, ChatTemplate, read_template, read_turns
from bpe_core.chat.written_chats import tools_in_request
from bpe_core.cli.command import Command, Form, InputError
from bpe_core.cli.forms import text_of, write_json, write_text
from bpe_core.cli.inputs import add_file, add_tokenizer, read_data, tokenizer_of
from bpe_core.pictures.paper.terminal import aligned_columns


def _add_chat(parser: ArgumentParser) -> None:
    add_tokenizer(parser)
    add_file(parser, 'turns as JSON: [{"role": "user", "content": "Hi"}, …]; standard input if none is given')
    parser.add_argument(
        "--template",
        metavar="FILE",
        help=f"the chat template: {', '.join(CHAT_TEMPLATES)}, or a file: in Jinja, a tokenizer_config.json, or a "
        "GGUF. Without it, the one of the model: in this program, on the Hub, or beside the tokenizer's file",
    )
    parser.add_argument(
        "--template-name",
        metavar="NAME",
        help="of a model with several templates the one of this name; without it, tool_use for a chat with tools, if "
        "there is one, else default",
    )
    parser.add_argument(
        "--tools",
        metavar="FILE",
        help="tools as JSON: in OpenAI's form, or an MCP server's answer to tools/list; without it, those of a request "
        "that has them beside its messages",
    )
    parser.add_argument("--documents", metavar="FILE", help="documents as JSON, for a template that asks for them")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="another variable of the template, such as enable_thinking=false; the value is JSON, or a text",
    )
    parser.add_argument(
        "--requests",
        action="store_true",
        help="instead of the ids, say what each request of the conversation sends and what a server can keep of it, "
        "and what each tool costs",
    )
    parser.add_argument("--add-generation-prompt", action="store_true", help="end with what begins an answer")


class Figures(NamedTuple):
    """The requests of a conversation, and what its tools cost; None without tools."""

    requests: Requests
    costs: ToolCosts | None


def _chat(given: Namespace) -> Iterator[ModelInput | Figures]:
    text = read_data(given.file)
    turns = read_turns(text)
    tools = read_tools(read_data(given.tools)) if given.tools else tools_in_request(text)
    documents = read_documents(read_data(given.documents)) if given.documents else ()
    variables = dict(map(_variable, given.set))
    tokenizer = tokenizer_of(given)
    template = with_own_tokens(_template(given.tokenizer, given.template), tokenizer)
    if given.template_name is not None:
        template = template.called(given.template_name)
    chat = chat_of(turns, given.add_generation_prompt, tools, documents, variables)
    used = template.for_tools(bool(chat.tools))
    check_variables(used, variables)
    if used.named:
        names = ", ".join(used.named)
        print(f"chat: of the model's templates ({names}) {used.name} is used", file=sys.stderr)
    found: ModelInput | Requests
    if given.requests:
        found = requests_of(tokenizer, template, chat)
        last = found.all[-1].input
    else:
        found = last = model_input(tokenizer, render_chat(template, chat))
    if last.rendered.lacks_tools:
        print("chat: the template writes no tools: the model is not given them", file=sys.stderr)
    if unread := last.rendered.parts_unread(turns):
        print(f"chat: {unread}", file=sys.stderr)
    if isinstance(found, ModelInput):
        yield found
        return
    yield Figures(found, costs_of(tokenizer, template, chat) if tools else None)


def _variable(text: str) -> tuple[str, Any]:
    """Return the name and the value in NAME=VALUE.

    >>> _variable("enable_thinking=false"), _variable("date=1 May")
    (('enable_thinking', False), ('date', '1 May'))
    """
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise InputError(f"--set {text[:40]}: write NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _write_text(found: ModelInput | Figures) -> None:
    if isinstance(found, ModelInput):
        print(*found.ids)
        return
    asked = found.requests
    rows = [
        [number + 1, each.turns, each.sent, each.kept, each.computed, each.lost, asked.why(number)]
        for number, each in enumerate(asked.all)
    ]
    head = ["request", "turns", "sent", "kept", "anew", "lost", "because"]
    dated = f"{asked.about_the_date}\n" if asked.about_the_date else ""
    write_text(f"{asked.summary}\n{dated}\n{aligned_columns(head, rows, {0, 1, 2, 3, 4, 5})}\n")
    if costs := found.costs:
        listed = [[tool.name, tool.tokens] for tool in costs.largest_first] + [["shared", costs.shared]]
        write_text(f"\nThe tools take {costs.together:,} of {costs.tokens:,} tokens.\n\n")
        write_text(aligned_columns(["tool", "tokens"], listed, {1}) + "\n")


def _write_json(found: ModelInput | Figures) -> None:
    if isinstance(found, Figures):
        write_json(_figures(found))
        return
    tokens = [*map(text_of, found.encoding.tokens)]
    sources = [source or None for source in found.sources]
    written = {"ids": found.ids, "tokens": tokens, "sources": sources, "text": found.text}
    write_json(written if found.learnt is None else {**written, "learnt": found.learnt})


def _figures(found: Figures) -> dict[str, object]:
    asked = found.requests
    rows = [
        {
            "turns": each.turns,
            "sent": each.sent,
            "kept": each.kept,
            "computed": each.computed,
            "lost": each.lost,
            "answer": each.answer and {"tokens": len(each.answer.ids), "from": each.answer.source},
            "broken": each.broken and {**each.broken._asdict(), "because": asked.why(number)},
        }
        for number, each in enumerate(asked.all)
    ]
    figures: dict[str, object] = {"sent": asked.sent, "kept": asked.kept, "summary": asked.summary, "requests": rows}
    if asked.another_day is not None:
        figures["kept on another day"] = asked.another_day
    if costs := found.costs:
        tools = [{"name": tool.name, "tokens": tool.tokens} for tool in costs.tools]
        figures["tools"] = {"tokens": costs.together, "shared": costs.shared, "each": tools}
    return figures


def _template(tokenizer: str, file: str | None) -> ChatTemplate:
    """Return the template that `file` names, by key or by path. If `file` is None, return the tokenizer's template."""
    if file is not None:
        if file in CHAT_TEMPLATES:
            return CHAT_TEMPLATES[file].template
        return chosen(Path(file)) if file.endswith(".gguf") else read_template(read_data(file))
    found = template_of_model(tokenizer)
    if found is None:
        raise InputError(f"no chat template of {tokenizer} is known here; --template gives one")
    return found


CHAT = Command(
    _chat,
    _add_chat,
    "turns of a chat to the ids that a model is given, by a chat template",
    (
        "{} chat qwen turns.json --add-generation-prompt",
        "{} chat qwen turns.json --tools tools.json --requests",
    ),
    {
        "text": Form(_write_text),
        "json": Form(
            _write_json,
            "print JSON instead: the ids, tokens, whose they are, and the text; or the figures of --requests",
        ),
    },
)
