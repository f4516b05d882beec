"""Both splits of the text side by side, in rows that are equally high on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.text.rules import Pretoken
from pages.parts.compare import side_sentences
from pages.parts.compare.sides import SAMPLE, ComparedRun, Sides, split_figures
from pages.parts.ui import elements

_COLUMNS = Markup('<div class="sides">{}</div>')
_COLUMN = Markup('<section aria-label="{0}">{1}{2}<p class="note rules">{3}</p>{4}</section>')
_RULE = Markup('<span tabindex="0" data-rule="{0}">{0}</span>')


def columns(sides: Sides, texts: Sequence[str]) -> Markup:
    """Return a column for each side.

    A column has the first pretokens of the side's text, the rules that made these pretokens, and figures about the
    split. `texts`: the text of each side, after the side's normalizers.
    """
    return _COLUMNS.format(html.joined(_column(sides, number, text) for number, text in enumerate(texts)))


def _column(sides: Sides, number: int, text: str) -> Markup:
    side = sides[number]
    found = side.run.settings.splitter.split(text[:SAMPLE])
    drawn = html.pretokens(text[:SAMPLE], found, f"pretokens, {side.title}")
    figures = elements.figures(split_figures(side, len(text)), side.title)
    return _COLUMN.format(side.title, elements.title(side.title), drawn, _rules(found, sides, side), figures)


def _rules(found: Sequence[Pretoken], sides: Sides, side: ComparedRun) -> Markup:
    """Return the rules that made a side's pretokens. The pointer or the focus on a rule marks that rule's pretokens."""
    rules = dict.fromkeys(pretoken.rule for pretoken in found)
    if not rules:
        return Markup("No rule finds a pretoken.")
    name = "Rule" if len(rules) == 1 else "Rules"
    explained = elements.term(name, side_sentences.about_rules(sides), f"the rules of {side.title}")
    return Markup("{}: {}").format(explained, Markup(", ").join(map(_RULE.format, rules)))
