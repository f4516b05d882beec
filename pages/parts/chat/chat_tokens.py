"""The tokens of a chat as HTML: chips that show each token's source, a legend, counts, sentences on mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
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

    `style`: the tokens' CSS class. `name`, `meaning`: the words in the figures. `title`: the words in a token's title,
    where "{}" stands for the number of the token's turn. `legend`: the words in the legend.
    """

    style: str
    name: str
    meaning: str
    title: str
    legend: str


Words = Source | Literal["example", "example and template", "inputs and template"]  # a source as the page calls it
_LOOKS: dict[Words, _Look] = {
    "yours": _Look("", "yours", "tokens of what the turns say", "yours, turn {}", "yours"),
    "example": _Look(
        "", "the example's", "tokens of turns that came with this page", "the example's, turn {}", "the example's"
    ),
    "template": _Look(
        "template", "template", "tokens that the template puts around it", "the template's", "the template's"
    ),
    "both": _Look(
        "both",
        "of both",
        "tokens that join a character of yours to one of the template's",
        "yours, turn {}, and the template's",
        "yours and the template's in one",
    ),
    "example and template": _Look(
        "both",
        "example and template",
        "tokens that join a character of the example's to one of the template's",
        "the example's, turn {}, and the template's",
        "the example's and the template's in one",
    ),
    "inputs and template": _Look(
        "both",
        "tool and template",
        "tokens that join a character of a tool or a document to one of the template's",
        "a tool's or a document's, and the template's",
        "a tool's or a document's and the template's in one",
    ),
    "tools": _Look("tools", "tools", "tokens of the tools", "a tool's", "of tools"),
    "documents": _Look("tools", "documents", "tokens of the documents", "a document's", "of documents"),
    "tokenizer": _Look(
        "added", "tokenizer", "tokens that the tokenizer adds by itself", "the tokenizer's", "added by the tokenizer"
    ),
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


def figures(
    found: ModelInput, example: Collection[int] = (), has_control_tokens: bool = False
) -> list[tuple[str, str, str]]:
    """Return rows for `elements.figures`: how many tokens a chat has in all, and how many from each source.

    `example`: the turns that the page wrote. `has_control_tokens`: whether the model has the template's control tokens,
    although its published vocabulary may lack them.
    """
    rows = [(f"{len(found.ids):,}", "tokens", "that the model is given")]
    if has_control_tokens and found.plain:
        given = f"about {found.if_control:,}", "tokens", f"that the model is given: {LACKING}"
        rows = [given, (f"{len(found.ids):,}", "in the published file", "where each control token is plain text")]
    if found.rendered.runs is None:
        return rows
    counts = Counter(_sources(found, example))
    typed_nothing = bool(counts["example"] or counts["example and template"])  # or what was typed has tokens
    return rows + [
        (f"{counts[source]:,}", look.name, look.meaning)
        for source, look in _LOOKS.items()
        if counts[source] or (source in _ALWAYS and (source != "yours" or not typed_nothing))
    ]


def _sources(found: ModelInput, example: Collection[int]) -> list[Words]:
    """Return the source of each token. The page wrote the turns in `example`, so none of their tokens is "yours"."""
    return [_source(source, turn, example) for source, turn in zip(found.sources, found.turns, strict=True)]


def _source(source: Source, turn: int, example: Collection[int]) -> Words:
    if source == "both" and turn <= DOCUMENTS:
        return "inputs and template"
    if turn in example:
        return "example" if source == "yours" else "example and template" if source == "both" else source
    return source


def styles(found: ModelInput) -> list[str]:
    """Return a CSS class for each token: its source's class, or `_ALARM` for a token that is a mistake."""
    alarms = {*found.doubled, *(at - 1 for at in found.doubled), *found.typed}
    looks = {source: look.style for source, look in _LOOKS.items()}
    return [_ALARM if at in alarms else looks.get(source, "") for at, source in enumerate(found.sources)]


def drawing(
    found: ModelInput,
    glyph: str,
    start: int = 0,
    end: int = AT_ONCE,
    marks: Sequence[str] | None = None,
    example: Collection[int] = (),
) -> Markup:
    """Return the tokens from `start` to `end` as chips. The title of each chip names its source.

    `marks`: a CSS class for each token of the chat; None for those of `styles`. `example`: see `figures`.
    """
    part = slice(start, end)
    titles = [
        _LOOKS[source].title.format(turn + 1) if source else ""
        for source, turn in zip(_sources(found, example)[part], found.turns[part], strict=True)
    ]
    encoding, looks = found.encoding, styles(found) if marks is None else marks
    drawn = html.text_tokens(
        encoding.drawn[part], found.ids[part], glyph, lost=encoding.lost[part],
        lost_name=encoding.walk.vocabulary.lost_name, marks=[*zip(looks[part], titles, strict=True)],
    )  # fmt: skip
    return html.scroll_region(drawn, "what the model is given", "chat")


def legend(found: ModelInput, example: Collection[int] = ()) -> Markup:
    """Return a legend: a sample and a name of each look that tokens have. If all tokens look alike, return "".

    `example`: see `figures`.
    """
    seen, sources = {*styles(found)}, {*_sources(found, example)}
    samples = [(look.legend, look.style) for source, look in _LOOKS.items() if look.style in seen and source in sources]
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
    left_out = rendered.left_out(turns)
    uncalled = [at for at in rendered.calls_left_out(turns) if at not in left_out]
    for what, found in (("", left_out), ("the calls of ", uncalled)):
        if found:
            numbers = ", ".join(f"{at + 1} ({turns[at].role})" for at in found[:MOST_NAMED])
            more = " and more" if len(found) > MOST_NAMED else ""
            of = f"{what}turn{'s' * (len(found) > 1)} {numbers}{more}"
            yield f"The template leaves out {of}: the model is not given them."


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
