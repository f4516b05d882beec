"""The cost of the held-out text on each side, as bars and as a sentence. Bars and sentence show the same `Cost`.

Whitespace  15 tokens · 1.67 characters each · 6 spaces thrown away
███████████████████▨▨▨▨▨                                              one scale for the tokens of both sides;
GPT-2  20 tokens · 1.55 characters each                               hatched: the characters that a side loses,
█████████████████████████                                             as wide as those that it keeps
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import regex
from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.pictures.paper.html import chip
from bpe_core.settings import CUSTOM
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, percent
from bpe_core.tokenizer.cost_curve import Cost
from pages.parts.compare.sides import ComparedRun, Sides
from pages.parts.ui.terms import with_terms

NAMED = 6  # characters in a sentence
# The split is not at fault, as a reader of its name may think: GPT-2's own alphabet has all bytes.
ALPHABET = " The alphabet here is the characters of the training text."
NEITHER = " Neither gives the text back: {} {} not in the training text, whose characters are the alphabet here."
WHOLE = (
    "Every [pretoken] is one token on both sides: the bars show how each side splits the text, not how well it learns."
)
_OTHER_BLANK = regex.compile(r"[^\S ]")  # white space other than the space itself
_BARS = Markup('<p class="sentence">{}</p><p class="note"><i class="key"></i> tokens{}</p>{}')
_LOST_KEY = Markup(', <i class="key lost"></i> characters lost')
_BAR = Markup(
    '<div class="cost {}"><p><strong>{}</strong> {}</p>'
    '<div class="bar" aria-hidden="true"><i style="width: {:.2f}%"></i>{}</div></div>'
)
_LOST = Markup('<i class="lost" style="width: {:.2f}%"></i>')


def bars(sides: Sides, heading: Markup, text: str) -> Markup:
    """Return a bar for each side. `heading`: sentences above the bars. `text`: the held-out text."""
    costs = [side.cost.at(side.stage.steps) for side in sides]
    widths = [(cost.tokens, cost.lost / (cost.each or 1)) for cost in costs]
    unit = 100 / max(1, *map(sum, widths))
    drawn = [
        _BAR.format(
            name, side.title, figures(side, cost, text), unit * kept, _LOST.format(unit * lost) if lost else Markup("")
        )
        for name, side, cost, (kept, lost) in zip(("left", "right"), sides, costs, widths, strict=True)
    ]
    key = _LOST_KEY if any(cost.lost for cost in costs) else Markup("")
    return _BARS.format(heading, key, html.joined(drawn))


def figures(side: ComparedRun, cost: Cost, text: str) -> str:
    """Return a cost in figures: tokens, characters per token, and the characters of `text` that are lost."""
    parts = [counted(cost.tokens, "token"), f"{cost.each:.2f} characters each"]
    if cost.dropped:
        parts.append(f"{counted(cost.dropped, _kind(side, text).removesuffix('s'))} thrown away")
    if cost.unknown:
        parts.append(f"{counted(cost.unknown, 'character')} unknown")
    return " · ".join(parts)


def sentence(sides: Sides, text: str, trained_on_it: bool = False) -> Markup:
    """Return a sentence on which side needs more tokens for `text`, and what each side loses of the text.

    The sentence's subject is the side that loses less: a side must not look better because it throws characters away
    and so has fewer to write. `trained_on_it`: whether both sides were trained on `text`. If each pretoken of it has
    become one token, the numbers of tokens say nothing about what was learnt, and the sentence says so.
    """
    costs = {side: side.cost.at(side.stage.steps) for side in sides}
    left, right = sides
    unknown = left.cost.unknown
    if not any(cost.unknown for cost in costs.values()):
        return _fates(sides, costs, text, trained_on_it)
    if unknown != right.cost.unknown or not all(cost.kept for cost in costs.values()):
        return _fates(sides, costs, text, trained_on_it) + ALPHABET
    others = {side: replace(cost, unknown=0) for side, cost in costs.items()}
    said = NEITHER.format("{}", "is" if len(unknown) == 1 else "are")
    return _fates(sides, others, text, trained_on_it, "other ") + Markup(said).format(_named(unknown))


def _fates(
    sides: Sides, costs: Mapping[ComparedRun, Cost], text: str, trained_on_it: bool, other_than: str = ""
) -> Markup:
    """Return the sentence on tokens and losses. `other_than`: "other " if what no side knows is said elsewhere."""
    left, right = sides
    one, other = sorted((right, left), key=lambda side: (costs[side].is_normalized, costs[side].lost))
    tokens = [costs[side].tokens for side in (one, other)]
    said, others = (_fate(side, costs[side], text, "s", other_than) for side in (one, other))
    both = [_fate(side, costs[side], text, "", other_than) for side in (one, other)]
    names = [Markup("<strong>{}</strong>").format(side.title) for side in (one, other)]
    fates = Markup("{} {}; {} {}.").format(names[0], said, names[1], others)
    if both[0] == both[1]:
        fates = Markup("Both {}.").format(both[0])
    if trained_on_it and all(side.has_whole_pretokens for side in sides):
        return with_terms(WHOLE) + " " + fates
    if not all(tokens):
        return fates
    if both[0] == both[1]:
        if tokens[0] == tokens[1]:
            return Markup("Both need {} and {}.").format(counted(tokens[0], "token"), both[0])
        return Markup("{} needs {} than {}; both {}.").format(names[0], _more(*tokens), names[1], both[0])
    if tokens[0] == tokens[1]:
        needed = counted(tokens[0], "token")
        return Markup("Both need {}; {} {}, {} {}.").format(needed, names[0], said, names[1], others)
    link = ", " if " and " in said else " and "
    return Markup("{} needs {}{}{}; {} {}.").format(names[0], _more(*tokens), link, said, names[1], others)


def _more(tokens: int, others: int) -> str:
    share = tokens / others - 1
    return f"{percent(abs(share))} {'more' if share > 0 else 'fewer'} tokens"


def _fate(side: ComparedRun, cost: Cost, text: str, s: str, other_than: str) -> Markup:
    """Return verbs that say what a side does to the text. `s`: "s" if the subject is one side, "" if it is both.

    `other_than`: see `_fates`.
    """
    if not cost.kept and not cost.unknown:
        return Markup(f"throw{s} everything away")
    losses = []
    if cost.dropped:
        what = counted(cost.dropped, "character") if _is_custom(side) else f"the {_kind(side, text, 'white space')}"
        losses.append(Markup(f"throw{s} {what} away"))
    if cost.unknown:
        losses.append(Markup(f"do{s and 'es'} not know {{}}").format(_named(side.cost.unknown)))
    if cost.is_normalized:
        losses.append(Markup(f"change{s} the text before the split"))
    if not losses:
        return Markup(f"keep{s} every {other_than}character")
    marks_words = side.stage.settings.word_marker != "none" and not _is_custom(side)
    if len(losses) == 1 and cost.dropped and marks_words:
        return losses[0] + f" and put{s} one space between words instead"
    back = "" if other_than else " and cannot give the text back"
    return Markup(", ").join(losses) + back


def _named(characters: Sequence[str]) -> Markup:
    """Return the first characters of some, as tokens, and how many more there are.

    >>> _named("abcdefghij").striptags()
    'a b c d e f and 4 more'
    """
    chips = [chip(encode_text(char)) for char in characters[:NAMED]]
    more = len(characters) - NAMED
    return Markup(" ").join(chips) + (f" and {more:,} more" if more > 0 else "")


def _is_custom(side: ComparedRun) -> bool:
    return side.stage.settings.pretokenizer == CUSTOM


def _kind(side: ComparedRun, text: str, blanks: str = "white-space characters") -> str:
    """Return a noun for the characters that a side throws away. `blanks`: the noun for white space of several kinds."""
    if _is_custom(side):
        return "characters"
    return blanks if _OTHER_BLANK.search(text) else "spaces"
