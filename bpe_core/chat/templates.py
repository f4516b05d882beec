"""Chat templates: the templates that come with the project, and the template in a model's files.

A chat template is a program in Jinja. It writes the turns of a chat as one text. Around the turns it writes the control
tokens that the model was trained with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from bpe_core import arguments
from bpe_core.chat.given_json import ChatError as ChatError
from bpe_core.chat.given_json import as_served, check
from bpe_core.chat.written_chats import read_chat
from bpe_core.text.encodings import without_mark

CONFIG = "tokenizer_config.json"  # as `files.beside` has it, which a template's small process does not load
DEFAULT, TOOL_USE = "default", "tool_use"  # names of templates, where a model has several
MOST = 200_000  # characters of a template
MOST_TURNS = 200
SPECIAL = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_THINKING = re.compile(r"<think>(.*?)</think>", re.DOTALL)
_REASONING = ("reasoning_content", "thinking", "reasoning")  # names of the thinking; the first one that is given counts
# What a chat template is given by name; all other names that it uses are its variables.
GIVEN = {"messages", "tools", "documents", "add_generation_prompt", "continue_final_message", *SPECIAL}
_NAMED = re.compile(rf"\b(?:{'|'.join(SPECIAL)})\b")


class UnknownTokenError(ChatError):
    """A template that cannot go on without a special token that is not known."""

    def __init__(self, name: str) -> None:
        """Write the sentence. `name`: the name of the token in the template, such as `bos_token`."""
        super().__init__(f"This template needs {name}, which is not known: use the model's whole {CONFIG} instead.")
        self.name = name


class Turn(NamedTuple):
    """A turn of a chat: the role of the speaker, and the text.

    `given`: the whole message, if it has more than a role and a text, such as a tool call; else {}.
    """

    role: str
    content: str
    given: Mapping[str, Any] = {}

    @property
    def message(self) -> dict[str, Any]:
        """The turn as a template is given it. Its thinking has all names under which templates look for it."""
        if not self.given:
            return {"role": self.role, "content": self.content}
        thinking = next((self.given[name] for name in _REASONING if self.given.get(name) is not None), None)
        names = {} if thinking is None else {"reasoning_content": thinking}
        return {**({"thinking": thinking} if names else {}), **self.given, **names}

    def with_content(self, role: str, content: str) -> Turn:
        """Return the turn with another role and another text. What else it has stays, such as a tool call."""
        if (role, content) == (self.role, self.content):
            return self
        return Turn(role, content, {**self.given, "role": role, "content": content} if self.given else {})

    @property
    def calls(self) -> tuple[Mapping[str, Any], ...]:
        """The functions that the turn calls, each with its name and its arguments; what is no call is left out.

        >>> Turn("assistant", "", {"tool_calls": [{"function": {"name": "weather", "arguments": {}}}, 5]}).calls
        ({'name': 'weather', 'arguments': {}},)
        """
        given = self.given.get("tool_calls")
        found = (
            [each.get("function", each) for each in given if isinstance(each, dict)] if isinstance(given, list) else []
        )
        return tuple(each for each in found if isinstance(each, dict) and isinstance(each.get("name"), str))

    @property
    def thinking(self) -> str:
        """The thinking of an answer: in a field of its own, or between `<think>` and `</think>` in the text.

        >>> Turn("assistant", "<think>hm</think>Yes").thinking
        'hm'
        """
        fields = (self.given.get(name) for name in _REASONING)
        own = next((value for value in fields if isinstance(value, str) and value), "")
        return own or (_THINKING.findall(self.content) or [""])[0]


# {"role": …, "content": …} with more as in OpenAI's API, or (role, content)
GivenTurn: TypeAlias = Mapping[str, Any] | tuple[str, str] | Turn


@dataclass(frozen=True)
class ChatTemplate:
    """A chat template. `special_tokens`: the special tokens that it knows, name (such as `bos_token`) → text.

    `named`: the sources of all templates of the model by their names, if the model has several. `name`: the name of the
    template that `source` is; "" if the model has one template only, or if none has been chosen: see `for_tools`.
    `runs_in`: the process that it runs in: one "apart", which no other template uses; one "shared" with others; or this
    one ("here"), for a template that the caller trusts.
    """

    source: str
    special_tokens: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict, repr=False)
    name: str = field(default="", repr=False)
    runs_in: Literal["apart", "shared", "here"] = field(default="apart", repr=False, compare=False)

    def for_tools(self, tools: bool) -> ChatTemplate:
        """Return the template for a chat with tools, or for one without, as `transformers` chooses among several.

        With tools it is the template named "tool_use", if there is one, else the one named "default". `ChatError` if
        there is neither: `called` then has to choose.

        >>> ChatTemplate("", named={"default": "d", "tool_use": "t"}).for_tools(True).source
        't'
        """
        if not self.named:
            return self
        name = TOOL_USE if tools and TOOL_USE in self.named else DEFAULT
        if name not in self.named:
            listed = ", ".join(f"{each:.40}" for each in self.named)
            raise ChatError(
                f"The model has several chat templates and none is named {DEFAULT}: choose one of {listed}."
            )
        return replace(self, source=self.named[name], name=name)

    def given(self, trusted: bool) -> ChatTemplate:
        """Return the template as a call of the library runs it: with others in a sealed process, or here if trusted."""
        if not isinstance(trusted, bool):
            raise TypeError(f"trusted is True or False, and this is {trusted!r:.60}")
        return replace(self, runs_in="here" if trusted else "shared")

    def called(self, name: str) -> ChatTemplate:
        """Return the template of a name, for chats with and without tools. Raises `ChatError`.

        >>> ChatTemplate("d", named={"default": "d", "rag": "r"}).called("rag").for_tools(True).source
        'r'
        """
        if name not in self.named:
            has = ", ".join(f"{each:.40}" for each in self.named) or "one chat template, without a name"
            raise ChatError(f"The model has no chat template named {name[:40]!r}: it has {has}.")
        return replace(self, source=self.named[name], name=name, named={})


class TemplateRow(NamedTuple):
    """A template that comes with the project.

    `origin`: where its format is published, and under which licence. `fits`: the vocabularies of `PUBLISHED` whose
    models use it. `remark`: a sentence on how the models' own templates differ; "" if there is no difference.
    """

    title: str
    template: ChatTemplate
    origin: str
    fits: tuple[str, ...]
    remark: str = ""


_CHATML = """{%- for message in messages %}
{{ '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"""
_QWEN3 = """{%- set calls_inside = '{"name": <function-name>, "arguments": <args-json-object>}' %}
{%- set first = messages[0].content if messages and messages[0].role == 'system' else none %}
{%- if tools %}
{{- '<|im_start|>system\\n' ~ (first ~ '\\n\\n' if first is not none else '') }}
{{- '# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\n' }}
{{- 'You are provided with function signatures within <tools></tools> XML tags:\\n<tools>' }}
{%- for tool in tools %}{{ '\\n' ~ tool | tojson }}{% endfor %}
{{- '\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments within ' }}
{{- '<tool_call></tool_call> XML tags:\\n<tool_call>\\n' ~ calls_inside ~ '\\n</tool_call><|im_end|>\\n' }}
{%- elif first is not none %}
{{- '<|im_start|>system\\n' ~ first ~ '<|im_end|>\\n' }}
{%- endif %}
{%- set last = namespace(question=messages|length - 1) %}
{%- for message in messages if message.role == 'user' %}{% set last.found = message %}{% endfor %}
{%- for message in messages %}
{%- if message.role == 'user' and message is sameas last.found %}{% set last.question = loop.index0 %}{% endif %}
{%- endfor %}
{%- for message in messages %}
{%- set content = message.content if message.content is string else '' %}
{%- if message.role == 'assistant' %}
{%- set thinking = message.reasoning_content if message.reasoning_content is string else '' %}
{%- if message.reasoning_content is not string and '</think>' in content %}
{%- set thinking = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
{%- set content = content.split('</think>')[-1].lstrip('\\n') %}
{%- endif %}
{{- '<|im_start|>assistant\\n' }}
{%- if loop.index0 > last.question and (loop.last or thinking) %}
{{- '<think>\\n' ~ thinking.strip('\\n') ~ '\\n</think>\\n\\n' ~ content.lstrip('\\n') }}
{%- else %}{{ content }}{% endif %}
{%- for call in message.tool_calls or [] %}
{%- set function = call.function or call %}
{{- ('\\n' if content or not loop.first else '') ~ '<tool_call>\\n{"name": "' ~ function.name ~ '", "arguments": ' }}
{{- (function.arguments if function.arguments is string else function.arguments | tojson) ~ '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{ '<|im_start|>user' }}{% endif %}
{{- '\\n<tool_response>\\n' ~ content ~ '\\n</tool_response>' }}
{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{ '<|im_end|>\\n' }}{% endif %}
{%- elif not (loop.first and message.role == 'system') %}
{{- '<|im_start|>' ~ message.role ~ '\\n' ~ content ~ '<|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' ~ ('<think>\\n\\n</think>\\n\\n' if enable_thinking is false else '') }}
{%- endif %}"""
_MISTRAL = """{%- set first = messages[0].content if messages and messages[0].role == 'system' else none %}
{%- set turns = messages if first is none else messages[1:] %}
{{- bos_token }}
{%- for turn in turns %}
{%- if turn.role != ('user' if loop.index0 is even else 'assistant') %}
{{- raise_exception('after a system turn, user and assistant have to take turns') }}
{%- elif turn.role == 'assistant' %}{{ turn.content ~ eos_token }}
{%- elif first is not none and not turns[loop.index:]|selectattr('role', 'eq', 'user')|list %}
{{- '[INST]' ~ first ~ '\\n\\n' ~ turn.content ~ '[/INST]' }}
{%- else %}{{ '[INST]' ~ turn.content ~ '[/INST]' }}
{%- endif %}
{%- endfor %}"""

CHAT_TEMPLATES: dict[str, TemplateRow] = {
    "qwen3": TemplateRow(
        "Qwen 3 (tools, thinking)",
        ChatTemplate(_QWEN3, {"eos_token": "<|im_end|>"}),
        "the format of Qwen 3's models, which are published under Apache-2.0",
        ("qwen",),
        "Qwen 2.5's own template begins with a system turn of its own where there is none, and has no thinking.",
    ),
    "chatml": TemplateRow(
        "ChatML",
        ChatTemplate(_CHATML, {"eos_token": "<|im_end|>"}),
        "the format that OpenAI described for GPT-3.5; it has no tools",
        (),
    ),
    "mistral": TemplateRow(
        "Mistral (Tekken)",
        ChatTemplate(_MISTRAL, {"bos_token": "<s>", "eos_token": "</s>"}),
        "the format of Mistral NeMo and Ministral, published in mistral-common under Apache-2.0",
        ("tekken",),
        "Where the system turn goes differs between Mistral's models: here it stands in the last user turn.",
    ),
}
"""The templates that come with the project, by key."""


def fitting(vocabulary: str) -> str:
    """Return the key of the template that fits a published vocabulary; "" if none does.

    >>> fitting("qwen"), fitting("gpt2")
    ('qwen3', '')
    """
    return next((key for key, row in CHAT_TEMPLATES.items() if vocabulary in row.fits), "")


def unknown_tokens(template: ChatTemplate) -> list[str]:
    """Return the names of the special tokens that a template uses, but does not know.

    >>> unknown_tokens(ChatTemplate("{{ bos_token }}{{ eos_token }}", {"bos_token": "<s>"}))
    ['eos_token']
    """
    return sorted({*_NAMED.findall(template.source)} - template.special_tokens.keys())


def read_template(text: str) -> ChatTemplate:
    """Return the template in a text, which is Jinja or a whole `tokenizer_config.json`.

    Of a config with several templates the default is the source, and `named` has all. Raises `ChatError` if the text
    has no template.

    >>> read_template('{"chat_template": "{{ bos_token }}", "bos_token": {"content": "<s>"}}')
    ChatTemplate(source='{{ bos_token }}', special_tokens={'bos_token': '<s>'})
    """
    text = without_mark(arguments.text(text, "a chat template"))
    config = config_of(text)
    named = {"": text} if config is None else named_in(config)
    return template_from(named, config or {})


def template_from(named: Mapping[str, str], config: Mapping[str, Any]) -> ChatTemplate:
    """Return the template of a model with templates of these names, and with the special tokens of a config.

    Raises `ChatError` if no template has a text, or if one is too long.
    """
    if not any(source.strip() for source in named.values()):
        raise ChatError(f"There is no chat template here: paste one in Jinja, or a whole {CONFIG}.")
    longest = max(map(len, named.values()))
    if longest > MOST:
        raise ChatError(f"The chat template has {longest:,} characters; {MOST:,} can be read.")
    special_tokens = _special_tokens(config)
    if len(named) == 1:
        return ChatTemplate(next(iter(named.values())), special_tokens)
    return ChatTemplate(named.get(DEFAULT, ""), special_tokens, named)


def config_of(text: str) -> dict[str, Any] | None:
    """Return the object in a JSON text; None if the text is not a JSON object."""
    if not text.lstrip().startswith("{") or text.lstrip().startswith(("{{", "{%", "{#")):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ChatError(f"This is neither a chat template nor a {CONFIG}: it begins as JSON, and is damaged.") from None
    return found if isinstance(found, dict) else None


def named_in(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the templates of a config, by name. One that has no name of its own has the name "".

    `chat_template` is a text, or an object of texts by name, or a list of objects with "name" and "template".

    >>> named_in({"chat_template": [{"name": "default", "template": "a"}, {"name": "rag", "template": "b"}]})
    {'default': 'a', 'rag': 'b'}
    """
    given = config.get("chat_template")
    if isinstance(given, list):
        given = {row.get("name"): row.get("template") for row in given if isinstance(row, dict)}
    if isinstance(given, dict):
        return {name: text for name, text in given.items() if isinstance(name, str) and isinstance(text, str)}
    return {"": given} if isinstance(given, str) else {}


def _special_tokens(config: Mapping[str, Any]) -> dict[str, str]:
    given = {name: config.get(name) for name in SPECIAL}
    texts = {name: value.get("content") if isinstance(value, dict) else value for name, value in given.items()}
    return {name: value for name, value in texts.items() if isinstance(value, str)}


def short(config: str) -> str:
    """Return a template as text for a box or a link. A config keeps only its template and its special tokens.

    >>> short('{"chat_template": "x", "model_max_length": 1, "bos_token": "<s>"}')
    '{"chat_template": "x", "bos_token": "<s>"}'
    """
    if config_of(config) is None:
        return config
    found = read_template(config)
    return json.dumps({"chat_template": found.named or found.source, **found.special_tokens}, ensure_ascii=False)


def read_turns(text: str) -> tuple[Turn, ...]:
    """Return the turns of a chat in JSON, as a server gives them to a template: see `as_served`.

    The JSON is a list of turns, or an object that has such a list as "messages"; `written_chats` has the other forms. A
    turn is an object with "role" and "content" and more, as in OpenAI's API, or a pair of both.

    >>> read_turns('[{"role": "user", "content": "Hi"}]')
    (Turn(role='user', content='Hi', given={}),)
    """
    return turns_of(as_served(read_chat(text).messages))


def turns_of(given: Iterable[object]) -> tuple[Turn, ...]:
    """Return turns that are objects with "role" and more, or pairs of role and content; `ChatError` for any other.

    >>> turns_of([("user", "Hi"), {"role": "assistant", "content": "Hello"}])[1].content
    'Hello'
    """
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise ChatError(f'Turns are a list, such as [("user", "Hi")], and this is {type(given).__name__}.')
    turns = tuple(_turn(each, number) for number, each in enumerate(given, 1))
    if len(turns) > MOST_TURNS:
        raise ChatError(f"The chat has {len(turns):,} turns; {MOST_TURNS} can be read.")
    return turns


def _turn(given: object, number: int) -> Turn:
    if isinstance(given, Turn):
        return given
    if isinstance(given, Mapping):
        role, content = given.get("role"), given.get("content")
        if isinstance(role, str) and isinstance(content, str) and given.keys() == {"role", "content"}:
            return Turn(role, content)
        has_content = isinstance(content, (str, list)) or (content is None and "content" in given)
        if isinstance(role, str) and (has_content or "tool_calls" in given):
            check(given, f"parts of turn {number} are")
            # As `transformers` since 5.24: a template meets a missing value, not the word None.
            return Turn(role, _text_of(content), {key: value for key, value in given.items() if value is not None})
    elif isinstance(given, (list, tuple)) and len(given) == 2 and all(isinstance(part, str) for part in given):
        return Turn(*given)
    raise ChatError(f"Turn {number} needs a role and a content, both texts, or a role and tool calls.")


def _text_of(content: object) -> str:
    """Return the text of a content, which may be a list of parts, such as `{"type": "text", "text": "Hi"}`."""
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def write_turns(turns: Sequence[Turn]) -> str:
    """Return turns as short JSON, for a link.

    >>> write_turns([Turn("user", "Hi")])
    '[["user","Hi"]]'
    """
    written = [{"content": None, **turn.given} if turn.given else [turn.role, turn.content] for turn in turns]
    return json.dumps(written, ensure_ascii=False, separators=(",", ":"))
