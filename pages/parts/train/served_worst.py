"""Which source of a training is served worst at each step of the whole run, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bpe_core import Run
from bpe_core.text.arrays import Floats

MOST_SPANS = 4  # a run with more is told by how often the worst changes


class Span(NamedTuple):
    """The steps from `first` to `last`, at which the same sources, by number, are served worst: several at a tie."""

    first: int
    last: int
    worst: tuple[int, ...]


def served_worst(run: Run, step: int) -> str:
    """Return which source has the fewest bytes per token, and the fewest characters, at each step and at `step`.

    >>> from bpe_core import Settings, train
    >>> run = train({"en": "low low low lower", "hi": "चाय चाय"}, Settings("whitespace", vocab_size=260))
    >>> for sentence in served_worst(run, 4).split(". "):
    ...     print(sentence)
    By bytes per token, no source is served worst at step 0, en from step 1 to 2, hi from step 3 on
    At step 4, hi has 1.80
    By characters per token, hi is served worst at every step
    At step 4, hi has 0.60.
    """
    sources = run.sources(0)
    if sum(source.tokens > 0 for source in sources) < 2:
        return "There is only one source with text: nothing to compare it with."
    names = [source.name for source in sources]
    return " ".join(
        f"By {unit} per token, {told(rates(run, characters=unit == 'characters'), names, step)}"
        for unit in ("bytes", "characters")
    )


def rates(run: Run, characters: bool = False) -> Floats:
    """Return the bytes per token of each source (columns) after each step, from 0 on; NaN for a source without text.

    `characters`: return the characters per token instead.
    """
    every = [stage.ledger for stage in run.stages]
    sizes = [ledger.characters if characters else ledger.bytes for ledger in every]
    found = [size / np.where(ledger.tokens, ledger.tokens, np.nan) for size, ledger in zip(sizes, every, strict=True)]
    return np.concatenate([*(part[:-1] for part in found[:-1]), found[-1]])


def spans(found: Floats) -> list[Span]:
    """Return the spans of steps with the same worst sources. `found`: as `rates` returns it.

    >>> spans(np.array([[1, 1, np.nan], [2, 1.5, np.nan], [2.5, 2, np.nan]]))
    [Span(first=0, last=0, worst=(0, 1)), Span(first=1, last=2, worst=(1,))]
    """
    least = found == np.nanmin(found, axis=1, keepdims=True)
    firsts = [0, *(np.flatnonzero((least[1:] != least[:-1]).any(axis=1)) + 1).tolist()]
    lasts = [*(first - 1 for first in firsts[1:]), len(found) - 1]
    return [
        Span(first, last, tuple(np.flatnonzero(least[first]).tolist()))
        for first, last in zip(firsts, lasts, strict=True)
    ]


def told(found: Floats, names: Sequence[str], step: int) -> str:
    """Return which source is served worst when, and what it has at `step`. `found`: as `rates` returns it.

    >>> told(np.array([[1, 2], [3, 2], [3, 2], [3, 4]]), ["en", "fi"], 3)
    'fi is served worst from step 1 to 2, en otherwise. At step 3, en has 3.00.'
    """
    with_text = int(np.count_nonzero(~np.isnan(found[0])))
    every = spans(found)
    now = next(span for span in every if span.first <= step <= span.last)
    whole = {span.worst: _named(span.worst, names, with_text) for span in every}
    value = f"{np.nanmin(found[step]):.2f}"
    if len(now.worst) == with_text:
        has = f"all have {value}"
    else:
        has = f"{whole[now.worst]} {'has' if len(now.worst) == 1 else 'have'} {value}"
    if len(every) > MOST_SPANS:
        return (
            f"{_is(now.worst, whole[now.worst], with_text)} served worst at step {step:,}: {has}. Which one it is "
            f"changes {len(every) - 1:,} times from step 0 to {every[-1].last:,}."
        )
    return f"{_at_all_steps(every, whole, with_text)}. At step {step:,}, {has}."


def _at_all_steps(every: Sequence[Span], whole: dict[tuple[int, ...], str], with_text: int) -> str:
    """Return who is served worst when: who is so in the most spans comes last, with "otherwise"."""
    groups = {worst: [span for span in every if span.worst == worst] for worst in whole}
    usual = max(groups, key=lambda worst: (len(groups[worst]), groups[worst][-1].last))
    order = [*(worst for worst in groups if worst != usual), usual]
    last = every[-1].last
    whens = [" and ".join(_when(span, last) for span in groups[worst]) for worst in order]
    if len(groups[usual]) > 1:
        whens[-1] = "otherwise"
    first, *others = zip(order, whens, strict=True)
    begun = f"{_is(first[0], whole[first[0]], with_text)} served worst {first[1]}"
    return ", ".join([begun, *(f"{whole[worst]} {when}" for worst, when in others)])


def _is(worst: Sequence[int], name: str, with_text: int) -> str:
    return f"{name} {'is' if len(worst) in (1, with_text) else 'are'}"


def _named(worst: Sequence[int], names: Sequence[str], with_text: int) -> str:
    if len(worst) == with_text:
        return "no source"
    *others, last = (names[number] for number in worst)
    return f"{', '.join(others)} and {last}" if others else last


def _when(span: Span, last: int) -> str:
    if (span.first, span.last) == (0, last):
        return "at every step"
    if span.first == span.last:
        return f"at step {span.first:,}"
    if span.last == last:
        return f"from step {span.first:,} on"
    return f"from step {span.first:,} to {span.last:,}"
