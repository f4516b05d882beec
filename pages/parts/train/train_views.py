"""The views below the Train page's film. Only one view is open at a time, and only the open view is computed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st
from markupsafe import Markup

from bpe_core import Run, reference
from bpe_core.pictures.paper import html
from bpe_core.pictures.saved import saved_page
from bpe_core.pictures.shared.drawing import step_drawing
from bpe_core.record.check import check
from bpe_core.tokenizer.biography import trace
from pages.parts.page import your_text
from pages.parts.state import state
from pages.parts.state.chosen_settings import chosen_as
from pages.parts.state.train_state import Train
from pages.parts.state.values import changed
from pages.parts.texts.corpora import Corpus
from pages.parts.train import amounts_view, appended_view, choices, sources_view, typed_split_view
from pages.parts.train.carried import named, nearest, offer
from pages.parts.train.presets import with_suitable_size
from pages.parts.ui import charts, controls, downloads, elements, film, sentences, tables
from pages.parts.ui.controls import PageView

PAIRS = 560  # pixels: so wide, a pair and its count are seen together
MOST_TRACED = 40  # the most rows in the list of traced merges
COUNTED = dict.fromkeys(["count", "uses"], st.column_config.NumberColumn(format="localized"))  # with separators
CHECKED = (
    "The check joins the tokens of a step to the corpus again, counts all its pairs anew, and repeats the merges up to "
    "it by the textbook algorithm. It says for each of the three whether it comes to the same."
)
_TOKENS = Markup('<div class="tokens">{}</div>')


def pairs(run: Run, step: int, glyph: str) -> None:
    """Draw the pairs of the step."""
    window = tables.pair_window(run, step, glyph, controls.find(Train, "Find a pair"))
    _table(window.rows, len(run.at(step)[0].history.left), width=PAIRS)
    st.html(elements.note(sentences.window(len(window.rows), window.total, "pairs")))


def _table(rows: pd.DataFrame, most: int, width: int | Literal["stretch"] = "stretch") -> None:
    """Draw a table with room for `most` rows, so that its height is the same at every step; a longer table scrolls."""
    height = min(320, 35 * (most + 1) + 3)
    st.dataframe(rows, hide_index=True, placeholder="–", height=height, width=width, column_config=COUNTED)


def vocabulary(run: Run, step: int, glyph: str) -> None:
    """Draw the tokens of the step, and how often each token occurs in the corpus."""
    window = tables.vocabulary(run, step, glyph, controls.find(Train, "Find a token"))
    _table(window.rows, run.base + run.steps)
    count = sentences.window(len(window.rows), window.total, "tokens")
    more = f" Merged tokens that are no longer used: {window.unused:,} of {step:,}." if step else ""
    st.html(elements.note(count + more + sentences.specials(run.special_ids(step))))


def curves(run: Run, step: int, glyph: str, text: Corpus | None = None) -> None:
    """Draw two curves: the tokens in the corpus, and the bytes per token; and what parts of the text would give."""
    points = tables.curves(run)
    names = ["tokens in the corpus", "bytes per token"]
    for column, name in zip(st.columns(len(names), gap="large"), names, strict=True):
        with column:
            downloads.chart(charts.curve(points, name, step), f"curve {name}", f"{name} over the steps")
    if (points["bytes per token"] < 1).any():
        st.html(elements.note("It can be below 1, since a word marker is a token without bytes."))
    if text and len(run.stages) == 1:
        amounts_view.draw(text, run)


def try_a_word(run: Run, step: int, glyph: str) -> None:
    """Draw a box for a text, and how the tokenizer of the step encodes the text, merge by merge."""
    typed = controls.line(Train, "tried", "Text", placeholder="Type a word", width=320)
    text = typed or _word(run)
    tokenizer = run.tokenizer(step)
    encoding, known = tokenizer.encode(text, specials=True), set(tokenizer.tokens)
    lines = [(pretoken, applied) for pretoken in encoding.pretokens for applied in trace(tokenizer, pretoken.text)][
        :MOST_TRACED
    ]
    with st.container(gap="xxsmall"):
        for i, (pretoken, applied) in enumerate(lines):
            where, what = st.columns([1, 5], vertical_alignment="center")
            what.html(_TOKENS.format(html.row(applied.tokens, glyph, applied.left + applied.right, known=known)))
            with where:
                if applied.step > run.merges_before:
                    own = applied.step - run.merges_before
                    controls.button(f"Step {own:,}", Train, film.go, own, key=f"trace {i}", type="tertiary")
                elif applied.step:
                    st.html(elements.note(f"merge {applied.step:,} of the start"))
                else:
                    st.html(elements.note(f"{pretoken.rule}, split into symbols"))
    if text:
        ids = " ".join("unknown" if i < 0 else str(i) for i in encoding.ids)
        st.html(elements.note(f"Ids: {ids}"))
    if not typed:
        spaced = ", with the space before it" if text.startswith(" ") else ""
        example = f"An example: “{text.strip()}”, a word of the text{spaced}. " if text else ""
        st.html(elements.note(f"{example}Shows each merge that applies, with the step that taught it."))


def _word(run: Run) -> str:
    """Return a long word of the page's text, with the space before it if the split keeps it there; "" without words."""
    shown = your_text.shown(state.read(Train))
    word = next(iter(your_text.longest_words(shown, 1)), "")
    return f" {word}" if run.settings.splitter.lossless and word and f" {word}" in shown else word


def check_run(run: Run, step: int, glyph: str) -> None:
    """Draw the check of the step against the textbook algorithm."""
    st.html(elements.sentence(CHECKED))
    if st.button(f"Check step {step:,}"):
        st.html(elements.note(f"Checked: step {step:,}."))  # a film that plays is further on by now
        for finding in check(run, step):
            show = st.error if not finding.holds else st.success if finding.finished else st.warning
            verdict = "NO" if not finding.holds else "yes" if finding.finished else "as far as it was checked"
            show(f"{finding.claim}: {verdict}. `{finding.figures.replace('`', '')}`")


def export(run: Run, step: int, glyph: str, stage: int, text: Corpus) -> None:
    """Draw buttons for files of the training, and the link. A checkbox chooses the files' step: last or current.

    `stage`: the index in the timeline of the stage that is shown. `text`: the corpus.
    """
    last = downloads.as_of(Train, step, run.steps)
    here, own = run.at(step)
    sheets: dict[str, tuple[int, Callable[[], pd.DataFrame]]] = {
        "merges": (last, lambda: tables.merge_history(run, last, glyph)),
        "vocabulary": (last, lambda: tables.vocabulary(run, last, glyph, rows=None).rows),
        "pairs": (step, lambda: tables.pair_counts(run, step, glyph, here.history.occurring(own))),
        "words": (step, lambda: tables.word_table(run, step, glyph)),
    }
    st.html(elements.title("The tokenizer"))
    if change := nearest(here.settings):
        st.html(elements.note(offer(here.settings, change)))
        controls.button(f"Retrain with {named(change)}", Train, _changed, change)
    _way_back()
    if said := choices.in_files(run, last):
        st.html(elements.note(said))
    downloads.tokenizer_files(run.tokenizer(last))
    st.html(elements.title("Tables"))
    downloads.downloads(sheets, f"Pairs and words: step {step:,}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(elements.note("This step as a picture:"), width="content")
        downloads.pictures(f"step-{step}", lambda: step_drawing(run, step, glyph))
    st.html(elements.title("The film"))
    name = f"{downloads.file_name(text.name)}-{run.vocab_size}-tokens"
    downloads.film_pages(name, lambda charts: saved_page.film(run, step, glyph=glyph, charts=charts, stage=stage))
    downloads.link(state.read(Train))


@dataclass(frozen=True)
class _Retraining:
    """A retraining with changed settings, so that a file can carry the tokenizer.

    `change`: the change in words. `before`, `after`: the state before and after the change.
    """

    change: str
    before: Train
    after: Train


_RETRAINING: state.SessionSlot[_Retraining | None] = state.SessionSlot("retraining for a file", None)


def _changed(now: Train, change: dict[str, Any]) -> Train:
    """Return the state with changed settings, at the last step. Remember the former state for `_way_back`."""
    after = film.to_the_end(with_suitable_size(changed(now, change)))
    _RETRAINING.put(_Retraining(named(change), now, after))
    return after


def _way_back() -> None:
    """Draw the change of settings that was made for a file, and a button that undoes it; nothing for none."""
    retraining = _RETRAINING.get()
    if retraining and chosen_as(state.read(Train)) == chosen_as(retraining.after):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note(f"This is another vocabulary, trained with {retraining.change}."), width="content")
            controls.button("Back to the settings before", Train, _undone, retraining)


def _undone(now: Train, retraining: _Retraining) -> Train:
    """Return the state with the former settings, at the former step."""
    _RETRAINING.put(None)
    before = changed(now, {"shown": None, **chosen_as(retraining.before)})
    return film.go(before, retraining.before.step)  # `shown`: None keeps the step


def algorithm(run: Run, step: int, glyph: str) -> None:
    """Draw the code of the textbook algorithm, which the fast algorithm must agree with."""
    st.code(inspect.getsource(reference), language=None)  # highlighting would use our CSS class "token"


VIEWS = {
    "vocabulary": PageView("Vocabulary", vocabulary, tab="Vocabulary", question="Which tokens has it learnt?"),
    "remains": PageView(
        "What remains", sources_view.remains, tab="Vocabulary", question="Which tokens are hardly used any more?"
    ),
    "pairs": PageView("All pairs", pairs, tab="Pairs", question="Which pairs are left, and how often?"),
    "curves": PageView("Curves", curves, tab="Pairs", question="How much shorter does the text get?"),
    "sources": PageView("Sources", sources_view.draw, tab="Pairs", question="Which part of the text is served worst?"),
    "try": PageView("Try a word", try_a_word, question="Which merges apply to another word?"),
    "check": PageView("Check", check_run, tab="Check", question="Does it agree with the textbook algorithm?"),
    "algorithm": PageView("The algorithm", algorithm, tab="Check", question="What does the textbook algorithm do?"),
    "export": PageView("Export", export, question="Which files can you take with you?"),
}


# For a training that starts from a vocabulary.
GROWN = {
    "appended": PageView("Appended", appended_view.draw, question="What if new tokens were appended instead?"),
}
# For a typed pattern.
TYPED = {"split": PageView("Split", typed_split_view.draw, question="Where does your pattern cut the text?")}


def draw(text: Corpus, run: Run, stage: int, step: int, glyph: str) -> None:
    """Draw the tabs, and the open view. `stage`: as for `export`."""
    grown = run.start is not None and not run.settings.then_across_words_from
    own = {"export": VIEWS["export"]._replace(draw=partial(export, stage=stage, text=text))}
    own["curves"] = VIEWS["curves"]._replace(draw=partial(curves, text=text))
    own["sources"] = VIEWS["sources"]._replace(draw=partial(sources_view.draw, text))
    typed = run.settings.pretokenizer == "custom"
    views = VIEWS | own | (GROWN if grown else {}) | (TYPED if typed else {})
    with controls.headed_view(Train, views) as view:
        view.draw(run, step, glyph)
