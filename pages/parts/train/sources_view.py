"""The views of a training's sources: what each of them got, what it is without one, and what remains of the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from bpe_core import Run
from bpe_core.corpus.marked_sources import marked, marked_sources
from bpe_core.pictures.shared.in_words import counted, share
from bpe_core.pictures.shared.token_text import has, shortened
from bpe_core.record.ledger import RESIDUE, Source
from bpe_core.text.arrays import Counts, Floats
from pages.parts.texts import your_text
from pages.parts.texts.corpora import Corpus
from pages.parts.train.train_state import Train
from pages.parts.trainings import runs, training_status
from pages.parts.ui import charts, controls, downloads, elements

POINTS = 200  # steps of a curve
SHOWN = 200  # tokens of a list
HOW = (
    "A line such as === source: Hindi === in the text box begins a source, up to 12. The page then shows which source "
    "wanted each merge, and which source is served worst. Trainings leave these lines out; pages that show "
    "the tokens of a text show them as text. Several files that are opened together become a source each."
)
NEED = (
    "Bytes per token compare texts of one script. A letter of Hindi has three bytes and one of English has one, so "
    "look at the characters per token as well."
)


def draw(text: Corpus, run: Run, step: int, glyph: str) -> None:
    """Draw what each source of a text got from the training, and the training without one of the sources."""
    if text.sources is None:
        st.html(elements.note(HOW))
    with st.container(horizontal=True):
        controls.button("Add a source", Train, with_new_source)
        if text.sources is None:
            controls.button("Show an example", Train, your_text.choose, "three-sources")
            return
    found = run.sources(step)
    st.html(elements.sentence(served_worst(found, since(run, step), since(run, step, characters=True))))
    st.dataframe(table(found), hide_index=True, placeholder="–")
    st.html(elements.note(NEED))
    points = curve(run)
    title = "bytes per token"
    downloads.chart(charts.source_curves(points, step, title), "sources", f"{title} of each source over the steps")
    st.html(elements.note("The colours are those of the strip above the slider."))
    _without(text, run, glyph)


def with_new_source(now: Train) -> Train:
    """Return the state whose text has one more source, to be filled in; a text without sources becomes the first."""
    text = your_text.in_box(now).rstrip("\n")
    sources = marked_sources(text)
    if sources is None:
        return your_text.put_in(now, marked({"Source 1": text, "Source 2": ""}))
    return your_text.put_in(now, f"{text}\n{marked({f'Source {len(sources) + 1}': ''})}")


def served_worst(sources: Sequence[Source], by_bytes: int, by_characters: int) -> str:
    """Return which source has the fewest bytes per token, which the fewest characters, and from which steps on.

    >>> served_worst([Source("en", 1, 30, 30, 10, 2), Source("hi", 1, 30, 10, 12, 0)], 5, 0)
    'By bytes per token, hi is served worst from step 5 on: 2.50. By characters per token too, from the start: 0.83.'
    >>> served_worst([Source("en", 1, 30, 30, 12, 2), Source("hi", 1, 36, 12, 12, 0)], 0, 7).split(". ")[1]
    'By characters per token it is hi, from step 7 on: 1.00.'
    """
    served = [source for source in sources if source.tokens]
    if len(served) < 2:
        return "There is only one source with text: nothing to compare it with."
    least = min(served, key=lambda source: source.bytes / source.tokens)
    other = min(served, key=lambda source: source.characters / source.tokens)
    first, second = (f"from step {step:,} on" if step else "from the start" for step in (by_bytes, by_characters))
    who = "too" if other is least else f"it is {other.name}"
    return (
        f"By bytes per token, {least.name} is served worst {first}: {least.bytes / least.tokens:.2f}. "
        f"By characters per token {who}, {second}: {other.characters / other.tokens:.2f}."
    )


def rates(run: Run, characters: bool = False) -> Floats:
    """Return the bytes per token of each source (columns) after each step, from 0 on; NaN for a source without text.

    `characters`: return the characters per token instead.
    """
    every = [stage.ledger for stage in run.stages]
    sizes = [ledger.characters if characters else ledger.bytes for ledger in every]
    found = [size / np.where(ledger.tokens, ledger.tokens, np.nan) for size, ledger in zip(sizes, every, strict=True)]
    return np.concatenate([*(part[:-1] for part in found[:-1]), found[-1]])


def since(run: Run, step: int, characters: bool = False) -> int:
    """Return the step from which on the source that is served worst at `step` is served worst.

    `characters`: as for `rates`.

    >>> from bpe_core import Settings, train
    >>> run = train({"en": "low low low lower", "de": "zoo zoo"}, Settings("whitespace", vocab_size=260))
    >>> since(run, 0), since(run, run.steps)
    (0, 4)
    """
    found = rates(run, characters)[: step + 1]
    if np.isnan(found).all(axis=1).any():
        return 0
    worst = np.nanargmin(found, axis=1)
    changes = np.flatnonzero(worst != worst[-1])
    return int(changes[-1]) + 1 if len(changes) else 0


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
    with training_status.progress_in_view():
        again = runs.run_of(Corpus(f"without {name}", marked(rest)), replace(run.settings, forced={}))
        _compared(run, again, name, sources[name], glyph)


def _compared(run: Run, again: Run, name: str, taken: str, glyph: str) -> None:
    """Draw the tokens that go and come without the source `name`, and what each source costs then."""
    with_it, without = _made(run), _made(again)
    gone, come = [*with_it.keys() - without.keys()], [*without.keys() - with_it.keys()]
    gone.sort(key=with_it.__getitem__)
    come.sort(key=without.__getitem__)
    st.html(
        elements.sentence(f"Without {name}, {counted(len(gone), 'token')} go and {len(come):,} come in their place.")
    )
    left, right = st.columns(2, gap="large")
    left.html(elements.token_list("Tokens that go", gone, glyph, SHOWN))
    right.html(elements.token_list("Tokens that come", come, glyph, SHOWN))
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
    find = controls.find(Train, "Find a token")
    left = run.remains(step)
    residues = sum(each.left < RESIDUE * each.born for each in left)
    if left:
        of = f"{residues:,} of {counted(len(left), 'merged token')} ({share(residues, len(left))})"
        are = "is a residue" if residues == 1 else "are residues"
        st.html(elements.sentence(f"{of} {are} at this step: less than a tenth of what they were at birth is left."))
    shown = [each for each in left if not find or has(each.token, find, glyph)]
    shown.sort(key=lambda each: (each.share, -each.born))
    births = _births(run)
    rows = [
        (
            shortened(each.token, glyph),
            each.step,
            each.born,
            each.left,
            share(each.left, each.born),
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
    return f"{part}, those first of which least is left."
