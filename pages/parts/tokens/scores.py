"""The scorecard of several tokenizers: figures about one text and about sentences of one meaning, with causes.

Each figure is a row of `FIGURES`. `bpe_core.tokenizer.scorecard` defines the figures and names their sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import pandas as pd
from markupsafe import Markup

from bpe_core.pictures.paper import html, latex
from bpe_core.text.in_words import counted, lost_pieces, percent
from bpe_core.text.words import PER_WORD
from bpe_core.tokenizer.scorecard import ALPHA, Scorecard, TokenUse, WordUse, gini, scorecard
from pages.parts.tokens.languages import Price, Sentence
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

CAUSES = 12  # words or tokens in the list of a figure's causes
TWO_PLACES, THREE_PLACES = "{:.2f}".format, "{:.3f}".format
_TABLE = Markup(
    '<div class="across" tabindex="0" role="region" aria-label="scorecard">'
    '<table class="prices scores" style="--columns: {}"><thead><tr><th>figure</th>{}</tr></thead>'
    "<tbody>{}</tbody></table></div>"
)
_HEAD = Markup('<th scope="col">{}</th>')
_ROW = Markup('<tr><th scope="row">{}<p class="note">{}</p></th>{}</tr>')
_CELL = Markup(
    '<td data-name="{}"><b>{}</b> <span>{}</span>'
    '<i class="bar" aria-hidden="true"><i style="width: {:.2f}%"></i></i>{}</td>'
)
_MEANINGS = Markup('<details class="note"><summary>What the figures mean</summary><dl class="facts">{}</dl></details>')
_MEANING = Markup("<dt>{}</dt><dd>{}</dd>")
_NONE = Markup('<td data-name="{}"><span class="loses">{}</span></td>')
_CAUSES = Markup("<details><summary>{}</summary><ul>{}</ul></details>")
_CAUSE = Markup("<li>{} <small>{}</small></li>")
_LANGUAGE = Markup("<li>{} <small>{}, {:.2f} ×</small></li>")


@dataclass(frozen=True, eq=False)
class Subject:
    """A tokenizer, and all that its figures are computed from."""

    title: str
    glyph: str
    card: Scorecard
    lost: int
    price: Price
    said: Sequence[Sentence]

    @cached_property
    def known(self) -> frozenset[bytes]:
        """The tokens of the text, without the pieces that the vocabulary cannot write."""
        return frozenset(use.token for use in self.card.uses if not use.lost)

    @cached_property
    def mean_premium(self) -> float | None:
        """The mean of the premiums (see `scorecard.premiums`) of all sentences but the first.

        None if there is no other sentence, or if the tokenizer cannot write a sentence whole.
        """
        others = [times for times in self.price.times[1:] if times is not None]
        return sum(others) / len(others) if others and len(others) == len(self.said) - 1 else None

    @cached_property
    def gini(self) -> float | None:
        """The Gini coefficient of the numbers of tokens; None for one sentence, or if one cannot be written whole."""
        kept = [size for size in self.price.tokens if size is not None]
        return gini(kept) if len(kept) == len(self.said) > 1 else None


@dataclass(frozen=True)
class Figure:
    """A figure of the scorecard.

    `meaning`: a sentence below the table that explains the figure. `good`: a sentence on which bar is the better one.
    `tex`: the figure's name in LaTeX. `of`: returns the figure of a tokenizer, or None. `write`: returns the figure as
    a text. `opens`: the heading of the figure's causes. `causes`: returns the causes as HTML. `beside`: returns words
    that stand beside the figure. `missing`: why the figure is None.
    """

    title: str
    meaning: str
    good: str
    tex: str
    of: Callable[[Subject], float | None]
    write: Callable[[float], str]
    opens: str
    causes: Callable[[Subject], list[Markup]]
    beside: Callable[[Subject], str] = lambda _: ""
    missing: str = "the text has no words"


def subject(vocabulary: PageVocabulary, text: str, specials: bool, said: Sequence[Sentence], price: Price) -> Subject:
    """Return all that a vocabulary's figures are computed from. The vocabulary has all its merges.

    `said`: sentences of one meaning. `price`: how many tokens these sentences need with the vocabulary.
    """
    table = vocabulary.tokenizer.encode(text, specials=specials).walk.tokens(vocabulary.steps)
    return Subject(vocabulary.title, vocabulary.glyph, scorecard(table), table.walk.pieces_lost, price, said)


def _tokens(found: Subject, uses: Iterable[TokenUse], times: Callable[[TokenUse], str]) -> list[Markup]:
    return [_CAUSE.format(_chips(found, [use.token]), times(use)) for use in islice(uses, CAUSES)]


def _words(found: Subject, uses: Iterable[WordUse]) -> list[Markup]:
    return [_CAUSE.format(_chips(found, use.tokens), f"{use.times:,} ×") for use in islice(uses, CAUSES)]


def _chips(found: Subject, tokens: Sequence[bytes]) -> Markup:
    return html.row(tokens, found.glyph, known=found.known)


def _by_use(found: Subject) -> list[TokenUse]:
    return sorted(found.card.uses, key=lambda use: -use.times)


def _frequent(found: Subject) -> list[Markup]:
    return _tokens(found, _by_use(found), lambda use: f"{use.times:,} × {counted(len(use.token), 'byte')}")


def _cut_most(found: Subject) -> list[Markup]:
    return _words(found, sorted(found.card.words, key=lambda use: (-len(use.tokens), -use.times)))


def _cut(found: Subject) -> list[Markup]:
    cut = [use for use in found.card.words if not use.is_whole]
    return _words(found, sorted(cut, key=lambda use: -use.times))


def _parts(found: Subject) -> list[Markup]:
    uses = sorted((use for use in found.card.uses if use.parts), key=lambda use: -use.parts)
    return _tokens(found, uses, lambda use: f"{use.parts:,} ×")


def _shares(found: Subject) -> list[Markup]:
    return _tokens(found, _by_use(found), lambda use: f"{percent(use.times, found.card.tokens)} of the tokens")


def _dearest(found: Subject) -> list[Markup]:
    rows = zip(found.said, found.price.tokens, found.price.times, strict=True)
    known = sorted((row for row in rows if row[2] is not None), key=lambda row: -(row[2] or 0))
    return [_LANGUAGE.format(each.name, counted(size or 0, "token"), times) for each, size, times in known[:CAUSES]]


_LOSES, _ALONE = "loses a part of a sentence", "there is no other sentence"
FIGURES = (
    Figure(
        "Bytes per token",
        "How much text a token holds, in bytes of UTF-8: a letter of English is one, a character of Chinese three.",
        "A longer bar is good: fewer tokens for the same text.",
        "Bytes per token",
        lambda found: found.card.bytes_per_token,
        TWO_PLACES,
        "its most frequent tokens",
        _frequent,
        missing="the text is empty",
    ),
    Figure(
        "Fertility",
        PER_WORD,
        "A shorter bar is good: fewer tokens for the same text.",
        "Fertility (tokens of a word)",
        lambda found: found.card.fertility,
        TWO_PLACES,
        "the words of most tokens",
        _cut_most,
    ),
    Figure(
        "Whole words",
        "The share of the words that no token boundary cuts.",
        "A longer bar means fewer split words, which is neither good nor bad by itself.",
        "Words in one token",
        lambda found: found.card.whole_words,
        percent,
        "the words that are not",
        _cut,
    ),
    Figure(
        "Parts of characters",
        "The share of the tokens that begin or end inside a character, so that they are no text alone.",
        "A shorter bar is good.",
        "Tokens that are parts of characters",
        lambda found: found.card.parts,
        percent,
        "these tokens",
        _parts,
        missing="the text is empty",
    ),
    Figure(
        "Rényi efficiency",
        f"How evenly the tokens are used: 1 if all equally often. For α = {ALPHA:g}, over the different tokens of the "
        "text, not over the whole vocabulary.",
        "A longer bar was proposed as a good sign, which is disputed.",
        rf"R\'enyi efficiency ($\alpha = {ALPHA:g}$, over the different tokens of the text)",
        lambda found: found.card.renyi,
        THREE_PLACES,
        "the most frequent of them",
        _shares,
        lambda found: f"over {len(found.card.uses):,} tokens",
        "the text has fewer than two different tokens",
    ),
    Figure(
        "Premium over {first}",
        "How many times as many tokens the other sentences need as the first, on average: the price of a language.",
        "A shorter bar is good: fairer prices.",
        "Mean premium over {first}",
        lambda found: found.mean_premium,
        TWO_PLACES,
        "each sentence",
        _dearest,
        lambda found: "×",
        _LOSES,
    ),
    Figure(
        "Gini over the languages",
        "How unequal the sentences' tokens are: 0 if each has as many, nearly 1 if one has them all.",
        "A shorter bar is good: fairer prices.",
        "Gini coefficient over {count} sentences",
        lambda found: found.gini,
        TWO_PLACES,
        "each sentence",
        _dearest,
        lambda found: f"over {counted(len(found.said), 'sentence')}",
        _LOSES,
    ),
)


def _title(figure: Figure, found: Subject) -> str:
    return figure.title.replace("{first}", found.said[0].name)


def card(subjects: Sequence[Subject]) -> Markup:
    """Return the figures of tokenizers as a table, and what they mean. Each figure opens its causes."""
    rows = html.joined(_row(figure, subjects) for figure in FIGURES)
    meanings = (_MEANING.format(_title(figure, subjects[0]), figure.meaning) for figure in FIGURES)
    return _TABLE.format(len(subjects), _heads(subjects), rows) + _MEANINGS.format(html.joined(meanings))


def _heads(subjects: Sequence[Subject]) -> Markup:
    lost = ((each.title, lost_pieces(each.lost)) for each in subjects)
    return html.joined(_HEAD.format(f"{title}: {pieces}" if pieces else title) for title, pieces in lost)


def _row(figure: Figure, subjects: Sequence[Subject]) -> Markup:
    longest = max((figure.of(each) or 0 for each in subjects), default=0) or 1
    cells = (_cell(figure, each, longest) for each in subjects)
    return _ROW.format(_title(figure, subjects[0]), figure.good, html.joined(cells))


def _cell(figure: Figure, found: Subject, longest: float) -> Markup:
    value = figure.of(found)
    if value is None:
        why = _ALONE if figure.missing == _LOSES and len(found.said) == 1 else figure.missing
        return _NONE.format(found.title, why)
    causes = figure.causes(found)
    opened = _CAUSES.format(figure.opens, html.joined(causes)) if causes else Markup("")
    beside = figure.beside(found)
    return _CELL.format(found.title, figure.write(value), beside, 100 * value / longest, opened)


def scores_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return a row for each figure, with a column for each tokenizer; shares are numbers from 0 to 1."""
    columns: dict[str, list[object]] = {"figure": [_title(figure, subjects[0]) for figure in FIGURES]}
    for each in subjects:
        columns[each.title] = [figure.of(each) for figure in FIGURES]
    columns["meaning"] = [figure.meaning for figure in FIGURES]
    return pd.DataFrame(columns)


def tex(subjects: Sequence[Subject]) -> str:
    r"""Return the figures as a table in LaTeX, for a document with `\usepackage{booktabs}`."""
    heads = " & ".join(["", *(_escaped(each.title) for each in subjects)])
    rows = [
        " & ".join([_in_tex(figure, subjects[0]), *(_written(figure, each) for each in subjects)]) for figure in FIGURES
    ]
    lines = [f"{heads} \\\\", r"\midrule", *(f"{row} \\\\" for row in rows)]
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            rf"\begin{{tabular}}{{l{'r' * len(subjects)}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _in_tex(figure: Figure, found: Subject) -> str:
    name = figure.tex.replace("{first}", _escaped(found.said[0].name))
    return name.replace("{count}", str(len(found.said)))


def _written(figure: Figure, found: Subject) -> str:
    value = figure.of(found)
    return "--" if value is None else _escaped(figure.write(value))


def _escaped(text: str) -> str:
    return "".join(latex.escaped(char) if char.isascii() else char for char in text)
