"""The forms in which the files of a model have several chat templates, and what `transformers` makes of each."""

import json

WRITE = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
DEFAULT, TOOL_USE, RAG = "{{ bos_token }}" + WRITE, "TOOLS {{ tools | tojson }} " + WRITE, "RAG " + WRITE
NAMED = {"default": DEFAULT, "rag": RAG, "tool_use": TOOL_USE}
TOOLS = [{"name": "clock", "description": "Tells the time.", "inputSchema": {}}]
TURNS = [("user", "What time is it?")]
CONFIG, JINJA, MORE = "tokenizer_config.json", "chat_template.jinja", "additional_chat_templates"


def config_with(template=None):
    named = {} if template is None else {"chat_template": template}
    return {CONFIG: json.dumps({"bos_token": "<s>", **named})}


def listed(**named):
    return [{"name": name, "template": source} for name, source in named.items()]


# form → files, then what begins the text of a chat with tools and of one without; None: refused, as nothing is named so
FORMS = {
    "a list in a config": (config_with(listed(**NAMED)), "TOOLS", "<s>["),
    "an object in a config": (config_with(NAMED), "TOOLS", "<s>["),
    "a list without tool_use": (config_with(listed(rag=RAG, default=DEFAULT)), "<s>[", "<s>["),
    "a list without a default": (config_with(listed(rag=RAG, tool_use=TOOL_USE)), "TOOLS", None),
    "files": ({JINJA: DEFAULT, f"{MORE}/tool_use.jinja": TOOL_USE, **config_with()}, "TOOLS", "<s>["),
    "files before a config": ({JINJA: RAG, f"{MORE}/x.jinja": TOOL_USE, **config_with(DEFAULT)}, "RAG", "RAG"),
    "one file before a config's list": ({JINJA: RAG, **config_with(listed(**NAMED))}, "RAG", "RAG"),
}
