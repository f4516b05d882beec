"""The views of a training's sources: what each of them got, what it is without one, and what remains of the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from bpe_core import Run
from bpe_core.corpus.marked_sources import marked, marked_sources
from bpe_core.pictures.shared.token_text import has, shortened
from bpe_core.record.ledger import RESIDUE, Source
from bpe_core.text.arrays import Counts
from bpe_core.text.in_words import counted, percent
from pages.parts.page import training_status, your_text
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import Corpus
from pages.parts.train.served_worst import rates, served_worst
from pages.parts.trainings import runs
from pages.parts.ui import charts, controls, downloads, elements

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
    st.html(
        elements.sentence(f"Without {name}, {counted(len(gone), 'token')} go and {len(come):,} come in their place.")
    )
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
