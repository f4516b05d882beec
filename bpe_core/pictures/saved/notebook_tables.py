"""What a notebook shows of each kind of value: see `VIEWS`.

The views of what questions about tokenizers, files and chats return are here: a sentence and a table, all text escaped.
The drawn ones are in `notebook`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from bpe_core.pictures.paper.html import chip, joined, text_tokens
from bpe_core.pictures.saved.notebook import (
    MOST_TOKENS,
    drawing_html,
    encoding_html,
    merge_html,
    run_html,
    tokenizer_html,
)
from bpe_core.pictures.shared.style import alone
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.text.in_words import counted, percent

if TYPE_CHECKING:  # a value that is shown has loaded its own chapter
    from bpe_core.chat.conversation import Requests
    from bpe_core.chat.cost import ToolCosts
    from bpe_core.chat.model_input import ModelInput
    from bpe_core.counting.counts import Counts
    from bpe_core.counting.other_notations import Notations
    from bpe_core.counting.own_tokens import Savings
    from bpe_core.sameness.two_tokenizers import Sameness
    from bpe_core.tokenizer.drift import Drift

MOST_ROWS = 100
_FIRST = "no request before"
_SENTENCE, _NOTE = Markup("<p>{}</p>"), Markup('<p class="note">{}</p>')
_TABLE = Markup('<table class="merges"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>')
_HEAD, _ROW = Markup("<th{}>{}</th>"), Markup("<tr>{}</tr>")
_CELL, _NUMBER = Markup("<td{}>{}</td>"), Markup(' class="number"')


def _table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    """Return a table; numbers stand to the right. Of many rows the first are shown."""
    if not rows:
        return Markup("")
    numbers = [isinstance(value, int) for value in rows[0]]
    head = joined(_HEAD.format(_NUMBER if right else "", name) for name, right in zip(names, numbers, strict=True))
    body = joined(_ROW.format(joined(map(_cell, row))) for row in rows[:MOST_ROWS])
    more = _NOTE.format(f"The first {MOST_ROWS:,} of {len(rows):,} rows.") if len(rows) > MOST_ROWS else ""
    return _TABLE.format(head, body) + more


def _cell(value: object) -> Markup:
    return _CELL.format(_NUMBER, f"{value:,}") if isinstance(value, int) else _CELL.format("", value)


def _notes(sentences: Iterable[str]) -> Markup:
    return joined(_NOTE.format(sentence) for sentence in sentences if sentence)


def sameness_html(found: Sameness) -> str:
    """Return the verdict on two tokenizers, and a row for each part."""
    from bpe_core.sameness.two_tokenizers import written

    rows = [
        (part.name, part.state, part.about, "" if part.text is None else written(part.text)) for part in found.parts
    ]
    table = _table(["part", "", "what differs", "shown by"], rows)
    return alone(_SENTENCE.format(found.summary) + table, "two tokenizers")


def requests_html(found: Requests) -> str:
    """Return what a server can keep of the requests of a conversation, and a row for each request.

    >>> from bpe_core import load
    >>> "<td>no request before</td>" in requests_html(load("qwen").requests([("user", "Hi")]))
    True
    """
    rows = [
        (
            at + 1,
            each.turns,
            each.sent,
            each.kept,
            each.computed,
            each.lost,
            found.why(at) if at else "no request before",
        )
        for at, each in enumerate(found.all)
    ]
    table = _table(["request", "turns", "sent", "kept", "anew", "lost", "because"], rows)
    return alone(_SENTENCE.format(found.summary) + table + _notes([found.about_the_date]), "requests")


def model_input_html(found: ModelInput) -> str:
    """Return the tokens that a model is given of a chat, in colour, and how many come from where."""
    encoding, count = found.encoding, len(found.ids)
    vocabulary, lost = encoding.walk.vocabulary, encoding.lost[:MOST_TOKENS]
    tokens, ids = encoding.drawn[:MOST_TOKENS], encoding.ids[:MOST_TOKENS]
    drawn = text_tokens(tokens, ids, glyph_in(vocabulary), False, lost, vocabulary.lost_name)
    more = f"The first {MOST_TOKENS:,} tokens are shown." if count > MOST_TOKENS else ""
    return alone(drawn + _notes([f"{found.summary}.", more]), "what a model is given")


def counts_html(found: Counts) -> str:
    """Return the tokens of files, the largest first, and what was not counted."""
    sides = range(len(found.tokens))
    names = ["tokens"] if len(sides) == 1 else [f"tokens {side}" for side in sides]
    order = sorted(found.files, key=lambda file: (tuple(-number for number in file.tokens), file.name))
    rows = [(*file.tokens, file.characters, file.rows, file.name) for file in order]
    table = _table([*names, "characters", "rows", "file"], rows)
    problems = [f"{name}: {why}" for name, why in [*found.problems.items()][:MOST_ROWS]]
    return alone(_SENTENCE.format(f"{found.summary}.") + table + _notes(problems), "tokens of files")


def drift_html(found: Drift) -> str:
    """Return whether ids are what the tokenizer writes, and a row for each region in which they are not.

    >>> from bpe_core import load
    >>> "<td>53122 316</td><td>393 30002</td><td>merge 29,747" in drift_html(load("qwen").drift([64, 53122, 316]))
    True
    """
    from bpe_core.tokenizer.drift import summary

    rows = [
        (_ids(found.given, region.given), _ids(found.own, region.own), why)
        for region, why in zip(found.regions, found.reasons, strict=True)
    ]
    table = _table(["these ids", "the tokenizer's", "because"], rows)
    return alone(_SENTENCE.format(summary(found)) + table, "ids")


def _ids(ids: Sequence[int], span: tuple[int, int]) -> str:
    return " ".join(map(str, ids[slice(*span)]))


def savings_html(found: Savings) -> str:
    """Return what new tokens save, and a row for each new token that saves any, the best first.

    >>> from bpe_core import load
    >>> "new tokens save" in savings_html(load("gpt2").savings(["the mergescope. " * 50] * 10, 20))
    True
    """
    size = len(found.new)
    of = f"{percent(found.share(size))} of {counted(int(found.tokens[0]), 'token')}"
    saves = f"{counted(size, 'new token saves', 'new tokens save')} {of}, in the texts from which none was learnt."
    sentence = found.why_none or saves
    rows = [(chip(found.new[i]), int(found.saved[i]), i + 1) for i in found.best if found.saved[i]]
    table = _table(["token", "saves", "learnt as"], rows)
    left_out = counted(found.left_out, "character is", "characters are")
    note = f"{left_out} left out: those of pieces with a character without a token, such as {found.unknown!r}."
    return alone(_SENTENCE.format(sentence) + table + _notes([note if found.left_out else ""]), "savings")


def notations_html(found: Notations) -> str:
    """Return the tokens of the same data in each notation, the fewest first, and the dearest keys."""
    order = sorted(found.tokens, key=lambda name: found.tokens[name])
    table = _table(["notation", "tokens"], [(name, found.tokens[name]) for name in order])
    missing = _notes(f"No {name}: {why}." for name, why in found.missing.items())
    keys = [(cost.key or "(outside all keys)", cost.tokens, cost.of_name, cost.times) for cost in found.keys]
    dearest = _table(["key, in JSON without spaces", "tokens", "of the name", "times"], keys)
    return alone(_SENTENCE.format(f"{found.summary}.") + table + missing + dearest, "notations")


def tool_costs_html(found: ToolCosts) -> str:
    """Return what the tools of a chat cost together, and a row for each tool, the dearest first."""
    rows = [*((tool.name, tool.tokens) for tool in found.largest_first), ("shared", found.shared)]
    return alone(_SENTENCE.format(f"{found.summary}.") + _table(["tool", "tokens"], rows), "tools")


VIEWS: Mapping[str, Callable[[Any], str]] = {
    "Steps": run_html,
    "Merge": merge_html,
    "Encoding": encoding_html,
    "Tokenizer": tokenizer_html,
    "Drawing": drawing_html,
    "Drift": drift_html,
    "Sameness": sameness_html,
    "Counts": counts_html,
    "Savings": savings_html,
    "Notations": notations_html,
    "Requests": requests_html,
    "ModelInput": model_input_html,
    "ToolCosts": tool_costs_html,
}
"""Name of a class → the view of its values. By name, so that an encoding is shown without the chapter of chats."""


def html_of(found: object) -> str:
    """Return what a notebook shows of a value of a class in `VIEWS`, or of a class that is made from one."""
    return next(VIEWS[kind.__name__] for kind in type(found).__mro__ if kind.__name__ in VIEWS)(found)
