"""Whether a sentence about a template that has failed fits the error of `transformers`: its class and a name."""

import re

from bpe_core.chat.refusals import SENTENCES, SUPPOSITIONS

_MISSING = {"variable", "function", "turn", "content", "part", "null", "type", "value"}
SUPPOSED = {row.kind for row in SUPPOSITIONS}
# class of the error → the kinds of sentences that fit it
KINDS = {
    "TemplateError": {"raised"},
    "UndefinedError": {*_MISSING, *SUPPOSED, "token"},
    "TypeError": {"wrong type", "value", "content", "turn", "other template", *SUPPOSED},
    "AttributeError": {"wrong type", *SUPPOSED},
    "SecurityError": {"forbidden"},
    "TemplateRuntimeError": {"filter", "test", "statement"},
    "TemplateAssertionError": {"filter", "test", "syntax"},
    "TemplateSyntaxError": {"syntax"},
}
_TOKEN = r"This template needs (\w+), which is not known"


def kind_of(sentence):
    """The kind of a sentence."""
    if re.match(_TOKEN, sentence):
        return "token"
    patterns = {kind: re.sub(r"\\\{.*?\\\}", ".*", re.escape(each.replace("{{", "{").replace("}}", "}")))
                for kind, each in SENTENCES.items()}  # fmt: skip
    start = sentence[:1].lower() + sentence[1:]
    found = {kind for kind, pattern in patterns.items() if re.match(pattern, start, re.DOTALL)}
    return min(found, key=lambda kind: patterns[kind].count(".*"), default="")


def fits(sentence, error, message):
    """Whether a sentence is of a kind that fits the error, and names what the error names."""
    if (kind := kind_of(sentence)) not in KINDS[error]:
        return False
    if kind in SUPPOSED:
        return True
    name = re.search(r"named '(.*?)'|attribute '(.*?)'|^'(.*?)' is undefined", message)
    named = next(filter(None, name.groups())) if name else message if kind in ("raised", "wrong type") else ""
    return " ".join(named.split())[:150].rstrip(".") in sentence
