"""The price of a language: how many tokens several tokenizers need for the same sentence in several languages.

Each language has a bar for each tokenizer, all on one scale. A bar is quiet up to the length of the first language's
bar, and coloured beyond that length:

            GPT-4o              GPT-2
English     10  1.00 × ▬        10  1.00 × ▬
Hindi       14  1.40 × ▬━       72  7.20 × ▬━━━━━━
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from bpe_core.counting.prices import cost, money, price_of
from bpe_core.pictures.paper.html import joined
from bpe_core.text.in_words import listed
from bpe_core.text.words import is_spaced
from bpe_core.tokenizer.scorecard import premiums
from pages.parts.texts.examples import SENTENCES
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST, MOST_CHARACTERS = 40, 20_000  # the most sentences; the most characters of all sentences together
NAME = 32  # the most characters of a sentence that stands for its language's unknown name
_NAMED = re.compile(r"([^:：]{1,30})[:：] *([^\s/].*)")
_TABLE = Markup(
    '<div class="across" tabindex="0" role="region" aria-label="tokens of each sentence">'
    '<table class="prices" style="--columns: {}"><thead><tr><th>language</th>{}</tr></thead>'
    "<tbody>{}</tbody></table></div>"
    '<p class="note"><i class="key"></i> as many tokens as {first} needs; <i class="key more"></i> more than that</p>'
)
_HEAD, _ROW = Markup('<th scope="col">{}</th>'), Markup('<tr><th scope="row" title="{}">{}</th>{}</tr>')
_CELL = Markup(
    '<td data-name="{}"><b>{:,}</b> <span>{}</span>'
    '<i class="bar" aria-hidden="true"><i style="width: {:.2f}%"></i>'
    '<i class="more" style="width: {:.2f}%"></i></i></td>'
)
_LOST = Markup('<td data-name="{}"><span class="loses">loses a part of it</span></td>')


class Sentence(NamedTuple):
    """The sentences in a language. `name`: the language. `text`: its lines, joined. `lines`: how many lines."""

    name: str
    text: str
    lines: int = 1


@dataclass(frozen=True)
class Price:
    """How many tokens a tokenizer needs for each sentence; None for a sentence that it cannot write whole."""

    title: str
    tokens: tuple[int | None, ...]

    @property
    def times(self) -> tuple[float | None, ...]:
        """Each sentence's number of tokens, divided by the first sentence's number (see `scorecard.premiums`)."""
        return premiums(self.tokens)


def sentences(typed: str) -> list[Sentence]:
    """Return the sentences of a text, one on each line. A text without sentences stands for `SENTENCES`.

    If every line begins with a name and a colon, the name is the line's language, and all lines of a language become
    one text. Otherwise every line is a sentence of its own, and is its own name.

    >>> sentences("English: A tree.\\nGerman: Ein Baum.\\nEnglish: A leaf.\\nGerman: Ein Blatt.")[0]
    Sentence(name='English', text='A tree. A leaf.', lines=2)
    >>> [each.name for each in sentences("A tree.\\n\\nNote: ein Baum.")]
    ['“A tree.”', '“Note: ein Baum.”']
    """
    lines = _taken(_lines(typed)) or SENTENCES.splitlines()
    named = [_NAMED.fullmatch(line) for line in lines]
    if not all(found and _is_name(found[1]) for found in named):
        return [Sentence(f"“{_shortened(line)}”", line) for line in lines]
    languages: dict[str, list[str]] = {}
    for found in filter(None, named):
        languages.setdefault(found[1].strip(), []).append(found[2])
    return [Sentence(name, _joined(texts), len(texts)) for name, texts in languages.items()]


def _is_name(text: str) -> bool:
    """Return whether a text before a colon may name a language: up to three words, or five signs without spaces.

    >>> [_is_name(text) for text in ("English", "简体中文", "The train leaves at seven", "火车七点出发", "12")]
    [True, True, False, False, False]
    """
    return not text.strip().isdigit() and (len(text.split()) <= 3 if is_spaced(text) else len(text.strip()) <= 5)


def _joined(lines: Sequence[str]) -> str:
    """Return lines as one text, with a space between two lines unless their script has none.

    >>> _joined(["A tree.", "A leaf."]), _joined(["一棵树。", "一片叶子。"])
    ('A tree. A leaf.', '一棵树。一片叶子。')
    """
    return (" " if all(map(is_spaced, lines)) else "").join(lines)


def uneven(said: Sequence[Sentence]) -> str:
    """Return a sentence that says which language has more lines than another; "" if all languages have equally many.

    >>> uneven(sentences("English: A tree.\\nGerman: Ein Baum.\\nEnglish: A leaf."))
    'English has 2 lines and German 1: only the same sentences can be compared.'
    """
    most, least = max(said, key=lambda each: each.lines), min(said, key=lambda each: each.lines)
    if most.lines == least.lines:
        return ""
    return (
        f"{most.name} has {most.lines} lines and {least.name} {least.lines}: only the same sentences can be compared."
    )


def left_out(typed: str) -> int:
    """Return how many lines of a text are left out because the text has too many lines or characters.

    >>> left_out("low\\n" * 41), left_out("low\\n" + "low " * 5000)
    (1, 1)
    """
    lines = _lines(typed)
    return len(lines) - len(_taken(lines))


def _taken(lines: list[str]) -> list[str]:
    """Return the first lines: at most `MOST` lines with at most `MOST_CHARACTERS` characters in total."""
    lengths = accumulate(map(len, lines[:MOST]))
    return [line for line, length in zip(lines, lengths, strict=False) if length <= MOST_CHARACTERS]


def _lines(typed: str) -> list[str]:
    return [line.strip() for line in typed.splitlines() if line.strip()]


def _shortened(line: str) -> str:
    return line if len(line) <= NAME else line[: NAME - 1].rstrip() + " …"


def price(vocabulary: PageVocabulary, said: Sequence[Sentence]) -> Price:
    """Return how many tokens each sentence needs with all merges of a vocabulary."""
    tables = [vocabulary.tokenizer.encode(each.text, specials=False).walk.tokens(vocabulary.steps) for each in said]
    return Price(vocabulary.title, tuple(None if table.walk.pieces_lost else len(table) for table in tables))


def bars(said: Sequence[Sentence], prices: Sequence[Price]) -> Markup:
    """Return a table with a bar for each sentence and tokenizer."""
    longest = max((size or 0 for each in prices for size in each.tokens), default=0) or 1
    rows = (
        _ROW.format(each.text, each.name, joined(_cell(found, number, longest) for found in prices))
        for number, each in enumerate(said)
    )
    heads = joined(_HEAD.format(found.title) for found in prices)
    return _TABLE.format(len(prices), heads, joined(rows), first=said[0].name)


def _cell(found: Price, number: int, longest: int) -> Markup:
    size, times, first = found.tokens[number], found.times[number], found.tokens[0]
    if size is None:
        return _LOST.format(found.title)
    same = min(size, first) if first else size
    written = "" if times is None else f"{times:.2f} ×"
    return _CELL.format(found.title, size, written, 100 * same / longest, 100 * (size - same) / longest)


def _dearest(prices: Sequence[Price]) -> tuple[float, int]:
    """Return the largest multiple of the first sentence's tokens, and the number of its sentence; 0 for none."""
    return max(((times, number) for each in prices for number, times in enumerate(each.times) if times), default=(0, 0))


def sentence(said: Sequence[Sentence], prices: Sequence[Price]) -> str:
    """Return a sentence on the dearest language: its price with each tokenizer, as a multiple of the first's price."""
    most, dearest = _dearest(prices)
    if not most:
        return f"Each tokenizer loses a part of the sentence in {said[0].name}: nothing can be compared with it."
    if most <= 1:
        return f"No sentence needs more tokens here than {said[0].name}."
    costs = [(times, each.title) for each in prices if (times := each.times[dearest])]
    units = ["times as many tokens as " + said[0].name, *["times"] * len(costs)]
    named = [f"{_times(times)} {unit} with {title}" for (times, title), unit in zip(costs, units, strict=False)]
    several = listed(named)
    same = "For the same sentence" if max(each.lines for each in said) == 1 else "For the same sentences"
    return f"{same}, {said[dearest].name} needs {several}."


def _times(times: float) -> str:
    """Return how many times as many; with two decimals if they would be hardly more."""
    return f"{times:.{2 if times < 1.1 else 1}f}"


def _paid(amount: float) -> str:
    return cost(amount) if 0 < amount < 0.01 else f"{amount:,.2f}"


def in_money(said: Sequence[Sentence], prices: Sequence[Price], written: str) -> str:
    """Return a sentence on what the dearest language costs at a price of a million tokens, or where to type a price.

    `written`: the price, as it was typed.

    >>> in_money(sentences("A: low\\nB: low low"), [Price("one", (1, 2)), Price("two", (2, 3))], "2.5")
    'At $2.5 a million tokens, what costs $2.50 in A costs $5.00 in B with one and $3.75 with two.'
    """
    of_a_million = price_of(written)
    if of_a_million is None:
        return "Models are paid by the token. Type a price on the tab Tokens, and this is said in money too."
    most, dearest = _dearest(prices)
    if most <= 1:
        return ""
    costs = [(times * of_a_million, each.title) for each in prices if (times := each.times[dearest])]
    places = [f" in {said[dearest].name}", *[""] * len(costs)]
    named = [
        f"{money(written, _paid(paid))}{place} with {title}"
        for (paid, title), place in zip(costs, places, strict=False)
    ]
    first = money(written, _paid(of_a_million))
    same = f"what costs {first} in {said[0].name} costs {listed(named)}"
    return f"At {money(written, f'{of_a_million:g}')} a million tokens, {same}."


def prices_table(said: Sequence[Sentence], prices: Sequence[Price]) -> pd.DataFrame:
    """Return a row for each sentence: each tokenizer's number of tokens, and the multiple of the first row's number."""
    columns: dict[str, Sequence[object]] = {
        "language": [each.name for each in said],
        "sentence": [each.text for each in said],
    }
    for each in prices:
        columns[each.title] = each.tokens
        columns[f"{each.title}, {said[0].name} = 1"] = [times and round(times, 2) for times in each.times]
    return pd.DataFrame(columns).astype(dict.fromkeys([each.title for each in prices], "Int64"))


def bar_rows(said: Sequence[Sentence], prices: Sequence[Price]) -> pd.DataFrame:
    """Return a row for each bar of a picture: see `charts.prices`."""
    rows = []
    for number, each in enumerate(said):
        for found in prices:
            size, times, first = found.tokens[number], found.times[number], found.tokens[0]
            label = "loses a part of it" if size is None else f"{size:,}{f' · {times:.2f} ×' if times else ''}"
            same = None if size is None else min(size, first if first is not None else size)
            rows.append((each.name, found.title, size, same, label))
    return pd.DataFrame(rows, columns=["language", "tokenizer", "tokens", "same", "label"])
