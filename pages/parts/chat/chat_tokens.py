"""The tokens of a chat as HTML: chips that show each token's source, a legend, counts, sentences on mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup

from bpe_core.chat.model_input import ModelInput, Source
from bpe_core.chat.rendering import Rendered
from bpe_core.chat.templates import CONFIG, ChatTemplate, Turn, unknown_tokens
from bpe_core.chat.tracked import DOCUMENTS
from bpe_core.pictures.paper import html
from bpe_core.text.in_words import listed
from pages.parts.ui import elements

AT_ONCE = 1500  # tokens on the screen
MOST_NAMED = 5  # the most tokens or turns that a sentence lists, and the most sentences of a kind


class _Look(NamedTuple):
    """How tokens from one source, such as the chat template, look, and what they are called.

    `style`: the tokens' CSS class. `name`: the words in the figures and in the legend. `meaning`: what the figure
    counts. `title`: the words in a token's title; "{}" is the place of the number of the token's turn.
    """

    style: str
    name: str
    meaning: str
    title: str


Words = Source | Literal["inputs and template"]  # a source as the page calls it
_LOOKS: dict[Words, _Look] = {
    "yours": _Look("", "from the turns", "tokens of what the turns say", "from turn {}"),
    "template": _Look(
        "template", "from the template", "tokens that the template puts around the turns", "from the template"
    ),
    "both": _Look(
        "both",
        "from both",
        "tokens that join a character of a turn to one of the template",
        "from turn {} and the template in one",
    ),
    "inputs and template": _Look(
        "both",
        "from tools and template",
        "tokens that join a character of a tool or a document to one of the template",
        "from a tool or a document, and the template, in one",
    ),
    "tools": _Look("tools", "from the tools", "tokens of the tools", "from a tool"),
    "documents": _Look("tools", "from the documents", "tokens of the documents", "from a document"),
    "tokenizer": _Look("added", "from the tokenizer", "tokens that the tokenizer adds by itself", "from the tokenizer"),
}
LACKING = "each control token of the template counts as one, which the published file lacks"
UNTOLD = "Which of it comes from the turns cannot be told, since the template rewrites what they say."
UNKNOWN = "The template asks for {}, which nothing here says, so the text is without {}. Paste the model's whole {}."
NEEDED = "This template needs {}, which {} does not have: paste the model's {} instead."
PLAIN = "which looks like a control token of the template, but is plain text for this tokenizer."
Marks = Literal["control", "perhaps", "text"]
_ALWAYS: tuple[Source, ...] = ("yours", "template")
_ALARM = "alarm"
_LEGEND = Markup('<p class="note looks">{}</p>')
_SAMPLE = Markup("<span>{} {}</span>")


def figures(found: ModelInput, has_control_tokens: bool = False) -> list[tuple[str, str, str]]:
    """Return rows for `elements.figures`: how many tokens a chat has in all, and how many from each source.

    `has_control_tokens`: whether the model has the template's control tokens, although its published vocabulary may
    lack them.
    """
    rows = [(f"{len(found.ids):,}", "tokens", "that the model is given")]
    if has_control_tokens and found.plain:
        given = f"about {found.if_control:,}", "tokens", f"that the model is given: {LACKING}"
        rows = [given, (f"{len(found.ids):,}", "in the published file", "where each control token is plain text")]
    if found.rendered.runs is None:
        return rows
    counts = Counter(_sources(found))
    return rows + [
        (f"{counts[source]:,}", look.name, look.meaning)
        for source, look in _LOOKS.items()
        if counts[source] or source in _ALWAYS
    ]


def _sources(found: ModelInput) -> list[Words]:
    """Return the source of each token, as the page calls it."""
    return [
        "inputs and template" if source == "both" and turn <= DOCUMENTS else source
        for source, turn in zip(found.sources, found.turns, strict=True)
    ]


def styles(found: ModelInput) -> list[str]:
    """Return a CSS class for each token: its source's class, or `_ALARM` for a token that is a mistake."""
    alarms = {*found.doubled, *(at - 1 for at in found.doubled), *found.typed}
    looks = {source: look.style for source, look in _LOOKS.items()}
    return [_ALARM if at in alarms else looks.get(source, "") for at, source in enumerate(found.sources)]


def drawing(
    found: ModelInput, glyph: str, start: int = 0, end: int = AT_ONCE, marks: Sequence[str] | None = None
) -> Markup:
    """Return the tokens from `start` to `end` as chips. The title of each chip names its source.

    `marks`: a CSS class for each token of the chat; None for those of `styles`.
    """
    part = slice(start, end)
    titles = [
        _LOOKS[source].title.format(turn + 1) if source else ""
        for source, turn in zip(_sources(found)[part], found.turns[part], strict=True)
    ]
    encoding, looks = found.encoding, styles(found) if marks is None else marks
    drawn = html.text_tokens(
        encoding.drawn[part], found.ids[part], glyph, lost=encoding.lost[part],
        lost_name=encoding.walk.vocabulary.lost_name, marks=[*zip(looks[part], titles, strict=True)],
    )  # fmt: skip
    return html.scroll_region(drawn, "what the model is given", "chat")


def legend(found: ModelInput) -> Markup:
    """Return a legend: a sample and a name of each look that tokens have. If all tokens look alike, return ""."""
    seen, sources = {*styles(found)}, {*_sources(found)}
    samples = [(look.name, look.style) for source, look in _LOOKS.items() if look.style in seen and source in sources]
    alarms = [name for name, tokens in (("twice", found.doubled), ("typed as text", found.typed)) if tokens]
    if alarms:
        samples.append((", or ".join(alarms), _ALARM))
    if len(samples) < 2:
        return Markup("")
    return _LEGEND.format(html.joined(_SAMPLE.format(html.chip(b"ab", mark=style), name) for name, style in samples))


def about_text(rendered: Rendered, template: ChatTemplate, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield sentences on what a rendered chat lacks: special tokens, turns, or the source of each character."""
    if rendered.runs is None:
        yield UNTOLD
    if missing := unknown_tokens(template):
        yield UNKNOWN.format(listed(missing), "it" if len(missing) == 1 else "them", CONFIG)
    if unread := rendered.parts_unread(turns):
        yield f"{unread[0].upper()}{unread[1:]}."
    left_out = rendered.left_out(turns)
    uncalled = [at for at in rendered.calls_left_out(turns) if at not in left_out]
    for what, found in (("", left_out), ("the calls of ", uncalled)):
        if found:
            numbers = ", ".join(f"{at + 1} ({turns[at].role})" for at in found[:MOST_NAMED])
            more = " and more" if len(found) > MOST_NAMED else ""
            of = f"{what}turn{'s' * (len(found) > 1)} {numbers}{more}"
            of_one = len(found) == 1 and not what
            yield f"The template leaves out {of}: the model is not given {'it' if of_one else 'them'}."


def remarks(found: ModelInput, turns: Sequence[Turn], title: str, marks: Marks) -> Iterator[Markup]:
    """Yield HTML sentences on the control tokens of a chat. If something is wrong for certain, the sentence is red.

    `title`: the vocabulary's title. `marks`: how the template's own model reads the parts of the template that look
    like control tokens. It reads them as "control" tokens, as "text", or, if that is not known, "perhaps" as control
    tokens.
    """
    yield from map(elements.problem, alarms(found, turns))
    if sentence := lacking(found, title, marks):
        yield (elements.problem if marks == "control" else elements.note)(sentence)
    for turn, name in found.imitated[:MOST_NAMED]:
        yield elements.note(f"{_where(turn, turns)} has {name}, {PLAIN}")


def _where(turn: int, turns: Sequence[Turn]) -> str:
    return f"Turn {turn + 1} ({turns[turn].role})" if turn >= 0 else "A turn"


def alarms(found: ModelInput, turns: Sequence[Turn]) -> Iterator[str]:
    """Yield a sentence if a BOS comes twice, and a sentence for each control token that was typed in a turn."""
    names = found.special_names
    if found.doubled:
        why = " itself writes it twice."
        if found.sources[0] == "tokenizer":
            why = (
                " writes one, and the tokenizer puts its own before it. Whoever tokenizes a rendered chat turns the "
                "tokenizer's own off (add_special_tokens=False)."
            )
        twice = f"{names[found.ids[0]]} comes twice in a row, while models are trained with one"
        yield f"{twice}: the template{why}" if found.sources[0] else f"{twice}."
    typed = dict.fromkeys((found.turns[at], found.ids[at]) for at in found.typed)
    for turn, i in [*typed][:MOST_NAMED]:
        yield (
            f"{_where(turn, turns)} has {names[i]} typed as text: where a program encodes it with special tokens "
            f"allowed, it becomes the control token {i}, as if the template had written it."
        )


def lacking(found: ModelInput, title: str, marks: Marks) -> str:
    """Return a sentence on the chat template's control tokens that a vocabulary lacks; "" if none is lacking.

    The sentence says how many tokens each of these takes as plain text. If `marks` is "text", return "" in any case.
    """
    sizes = [f"{name} takes {size} tokens" for name, size in found.plain.items()]
    if not sizes or marks == "text":
        return ""
    more = ["and more"] if len(sizes) > MOST_NAMED else []
    named = ", ".join([*sizes[:MOST_NAMED], *more])
    if marks == "control":
        return f"{title} lacks control tokens of this template, so they are plain text to it: {named}."
    return f"If the template's model has these as control tokens, {title} lacks them: {named}."
