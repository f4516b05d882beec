"""The views of a training's sources: what each of them got, what it is without one, and what remains of the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from bpe_core import Run
from bpe_core.corpus.sources import marked, marked_sources
from bpe_core.pictures.shared.token_text import has, shortened
from bpe_core.record.ledger import RESIDUE, Source
from bpe_core.text.arrays import Counts, Floats
from bpe_core.text.in_words import counted, percent
from pages.parts.page import training_status, your_text
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import runs
from pages.parts.ui import charts, controls, downloads, elements

MOST_SPANS = 4  # a run with more is told by how often the worst changes

POINTS = 200  # steps of a curve
SHOWN = 200  # tokens of a list
HOW = (
    "A line such as === source: Hindi === in the text box begins a source, up to 12; trainings leave these lines out. "
    "Or open several files together. The page then shows which source wanted each merge, and which is served worst."
)
WHAT = "A token is a residue when later merges have used up more than nine tenths of its occurrences."
NEED = "Bytes per token compare texts of one script: a letter of Hindi has three bytes, one of English has one."


def draw(text: Corpus, run: Run, step: int, glyph: str) -> None:
    """Draw what each source of a text got from the training, and the training without one of the sources."""
    if text.sources is None:
        st.html(elements.note(HOW))
    with st.container(horizontal=True):
        controls.button("Add a source", Train, with_new_source)
        if text.sources is None:
            controls.button("Show an example", Train, your_text.choose, "three-sources")
            return
    st.html(elements.sentence(served_worst(run, step)))
    st.html(elements.note(f"At step {step:,}:"))
    st.dataframe(table(run.sources(step)), hide_index=True, placeholder="–")
    st.html(elements.note(NEED))
    points = curve(run)
    title = "bytes per token"
    downloads.chart(charts.source_curves(points, step, title), "sources", f"{title} of each source over the steps")
    st.html(elements.note("Each source has its colour in the strip above the slider."))
    _without(text, run, glyph)


def with_new_source(now: Train) -> Train:
    """Return the state whose text has one more source, to be filled in; a text without sources becomes the first."""
    text = your_text.in_box(now).rstrip("\n")
    sources = marked_sources(text)
    if sources is None:
        return your_text.put_in(now, marked({"Source 1": text, "Source 2": ""}))
    return your_text.put_in(now, f"{text}\n{marked({f'Source {len(sources) + 1}': ''})}")


def table(sources: Sequence[Source]) -> pd.DataFrame:
    """Return a row for each source."""
    rows = [
        (each.name, each.made, each.tokens, _rounded(each.bytes_per_token), _rounded(each.characters_per_token))
        for each in sources
    ]
    return pd.DataFrame(
        rows, columns=["source", "tokens it made", "tokens it has", "bytes per token", "characters per token"]
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def curve(run: Run) -> pd.DataFrame:
    """Return the bytes per token of each source, for at most `POINTS` steps."""
    steps = np.unique(np.linspace(0, run.steps, min(run.steps + 1, POINTS)).astype(int))
    found = rates(run)[steps]
    names = [source.name for source in run.sources(0)]
    frames = [
        pd.DataFrame({"step": steps, "source": name, "number": number, "value": found[:, number]})
        for number, name in enumerate(names)
        if not np.isnan(found[:, number]).all()
    ]
    return pd.concat(frames or [pd.DataFrame(columns=["step", "source", "number", "value"])], ignore_index=True)


# --- without a source ---


def _without(text: Corpus, run: Run, glyph: str) -> None:
    """Draw the choice of a source to take out, and what the training is without it."""
    sources = text.sources or {}
    if len(sources) < 2:
        return
    st.html(elements.title("Take a source out"))
    names = dict(enumerate(["None", *sources]))
    number = controls.pick(Train, "without", names, label="Train again without", width=340)
    if not 0 < number < len(names):
        return
    name = names[number]
    rest = {each: part for each, part in sources.items() if each != name}
    with training_status.progress_shown():
        again = runs.run_of(Corpus(f"without {name}", marked(rest)), replace(run.settings, forced={}))
        _compared(run, again, name, sources[name], glyph)


def _compared(run: Run, again: Run, name: str, taken: str, glyph: str) -> None:
    """Draw the tokens that go and come without the source `name`, and what each source costs then."""
    with_it, without = _made(run), _made(again)
    gone, come = [*with_it.keys() - without.keys()], [*without.keys() - with_it.keys()]
    gone.sort(key=with_it.__getitem__)
    come.sort(key=without.__getitem__)
    changed = f"{counted(len(gone), 'token goes', 'tokens go')} and {counted(len(come), 'comes', 'come')}"
    st.html(elements.sentence(f"Without {name}, {changed} in their place."))
    left, right = st.columns(2, gap="large")
    left.html(elements.token_list("Tokens that go", gone, glyph, SHOWN))
    right.html(elements.token_list("Tokens that come", come, glyph, SHOWN))
    st.html(elements.note(f"After all merges: {run.steps:,} with all sources, {again.steps:,} without {name}."))
    st.dataframe(beside(run, again, name, taken), hide_index=True, placeholder="–")


def _made(run: Run) -> dict[bytes, int]:
    """Return the tokens that merges made, each with its step."""
    return {merge.token: step for step, merge in enumerate(run.merges, 1)}


def beside(run: Run, again: Run, name: str, taken: str) -> pd.DataFrame:
    """Return the bytes per token of each source, trained with all sources (`run`) and without `name` (`again`).

    `taken`: the text that was taken out, which the second training has not seen.
    """
    after = {source.name: source.tokens for source in again.sources(again.steps)}
    after[name] = len(again.tokenizer().encode(taken, specials=False).ids)
    rows = [
        (
            f"{each.name} (taken out)" if each.name == name else each.name,
            _rounded(each.bytes_per_token),
            _rounded(each.bytes / after[each.name]) if after[each.name] else None,
        )
        for each in run.sources(run.steps)
    ]
    return pd.DataFrame(rows, columns=["source", "bytes per token with all", f"bytes per token without {name}"])


# --- what remains of the tokens ---


def remains(run: Run, step: int, glyph: str) -> None:
    """Draw how often each token occurred at birth, in each source, and how often it does at the step."""
    if not run.steps:
        st.html(elements.note("Nothing: this training has no merge."))
        return
    find = controls.find(Train, "Find a token")
    left = run.remains(step)
    if not left:
        st.html(elements.note("Nothing yet: go on some steps."))
        return
    residues = sum(each.left < RESIDUE * each.born for each in left)
    of = f"{residues:,} of {counted(len(left), 'merged token')} ({percent(residues, len(left))})"
    st.html(elements.sentence(f"{of} {'is a residue' if 1 in (residues, len(left)) else 'are residues'} at this step."))
    st.html(elements.note(WHAT))
    shown = [each for each in left if not find or has(each.token, find, glyph)]
    if not shown:
        st.html(elements.note("No token has this in it."))
        return
    shown.sort(key=lambda each: (each.share, -each.born))
    births = _births(run)
    rows = [
        (
            shortened(each.token, glyph),
            each.step,
            each.born,
            each.left,
            percent(each.left, each.born),
            *births[each.step - 1],
        )
        for each in shown[:SHOWN]
    ]
    names = [f"at birth in {source.name}" for source in run.sources(0)] if births.shape[1] else []
    columns = ["token", "step", "at birth", "now", "left", *names]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True, height=320)
    st.html(elements.note(tables_note(len(rows), len(shown))))


def _births(run: Run) -> Counts:
    """Return for each merge how many tokens it made in each source; no columns for a training on a text."""
    if run.stages[0].by_source is None:
        return np.zeros((run.steps, 0), np.int64)
    return np.concatenate([stage.ledger.births for stage in run.stages])


def tables_note(shown: int, of: int) -> str:
    """Return how many rows are shown, and their order."""
    part = f"{shown:,} of {of:,} tokens" if shown < of else counted(of, "token")
    return f"{part}; the first have the least left."


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
