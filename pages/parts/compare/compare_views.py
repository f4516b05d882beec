"""The views of the Compare page. Only one view is open at a time, and only the open view is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import pandas as pd
import streamlit as st
from markupsafe import Markup

from bpe_core import Pretokenizer
from bpe_core.pictures.paper import html
from bpe_core.pictures.saved.saved_page import film
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.in_words import counted
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.mixed_tokens import mixture
from pages.parts.compare import side_sentences, side_tables, sides
from pages.parts.compare.held_out import choice_of_text
from pages.parts.compare.sides import SAMPLE, ComparedRun, Sides, split_figures
from pages.parts.page import your_text
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.compare_state import SIDES, Compare
from pages.parts.texts.corpora import Corpus
from pages.parts.ui import charts, controls, downloads, elements, sentences
from pages.parts.ui.controls import PageView

_COLUMNS = Markup('<div class="sides">{}</div>')
_COLUMN = Markup('<section aria-label="{0}">{1}{2}<p class="note rules">{3}</p>{4}</section>')
_FIGURES = Markup('<details class="in-figures"><summary class="note">Figures</summary>{}</details>')
_RULE = Markup('<span tabindex="0" data-rule="{0}">{0}</span>')

BLOCKED = 12  # pairs in a chart
SAMPLES = 12  # tokens of a kind


@dataclass(frozen=True, eq=False)
class ComparedStep:
    """Both trainings at a step. `pair`: the trainings. `both`: their runs, aligned word by word. `text`: the corpus."""

    pair: Sides
    both: SideBySide
    step: int
    text: Corpus

    @property
    def when(self) -> str:
        """The step that a view is about, as a sentence."""
        last = self.both.steps
        if self.step < last:
            return f"After step {self.step:,} of {last:,}."
        return f"After all merges: step {last:,}." if last else "No pair can be merged."


def examples() -> None:
    """Draw a menu of comparisons to try. A choice sets the whole page to the comparison."""
    named = {name: name for name in sides.EXAMPLES | sides.OF_SETTINGS}
    controls.command_menu("Comparisons to try", "compare.example", named, _try)


def _try(name: str) -> None:
    """Set the page to a comparison. A comparison in `OF_SETTINGS` keeps your own text if there is one."""
    now, wanted = state.read(Compare), (sides.EXAMPLES | sides.OF_SETTINGS)[name]
    if name in sides.OF_SETTINGS and not your_text.example_shown(now):
        wanted = your_text.put_in(wanted, now.text, now.text_name)
    state.show(wanted)


def merges(comparison: ComparedStep) -> None:
    """Draw a table with a row for each step so far: the merge of each side."""
    st.html(elements.note(comparison.when))
    window = side_tables.merges(comparison.pair, comparison.step, controls.find(Compare, "Find a token"))
    if window.total:
        named = {name: name.rpartition(": ")[2] for name in window.rows if name.endswith((": count", ": tied with"))}
        st.dataframe(window.rows, hide_index=True, height=320, column_config=named, placeholder="")
        if len(window.rows) < comparison.step:
            st.html(elements.note(sentences.window(len(window.rows), window.total, "steps")))
    else:
        st.html(elements.note("No merge has this in its token." if comparison.step else "There is no merge."))


def vocabularies(comparison: ComparedStep) -> None:
    """Draw three lists of tokens: only on the left side, on both sides, only on the right side.

    Below the lists, draw the tokens that mix kinds of characters.
    """
    pair, step = comparison.pair, comparison.step
    st.html(elements.note(comparison.when))
    with st.container(horizontal=True, vertical_alignment="center"):
        find = controls.find(Compare, "Find a token")
        apart = controls.switch(
            Compare, "spaces", "Spaces", {False: "Treat `dog` and `·dog` as the same token", True: "as two"}
        )
    split = sides.vocabularies(pair, step, find, spaces=apart)
    for column, (title, tokens) in zip(st.columns(3, gap="large"), split.items(), strict=True):
        column.html(elements.token_list(f"{title}: {len(tokens):,}", tokens, sides.shared_glyph(pair), kind=mixture))
    apart_from = "the alphabets and the starts" if any(side.begun_with for side in pair) else "the alphabets"
    note = f"Tokens made by merges{' that match' if find else ''}; {apart_from} are left out."
    framed = "Framed: mixed, see below." if any(map(mixture, chain(*split.values()))) else ""
    made = [side_sentences.made(side, step, spaces=apart) for side in pair]
    st.html(elements.note(" ".join(filter(None, (note, *made, framed)))))
    found = sides.mixtures(pair, step)
    st.html(elements.heading("Tokens that glue letters to punctuation, or cross a word"))
    if not found:
        st.html(elements.note("Neither side has one at this step."))
    for kind, kinds in found.items():
        st.html(elements.sentence(f"{kind[0].upper()}{kind[1:]}"))
        for column, side, tokens in zip(st.columns(2, gap="large"), pair, kinds, strict=True):
            heading = f"{side.title}: {len(tokens):,} of {counted(len(side.made(step)), 'merge')}"
            column.html(elements.token_list(heading, tokens, side.glyph, SAMPLES))


def blocked(comparison: ComparedStep) -> None:
    """Draw, for each side, the pairs that cannot merge because a pretoken ends between the pair's halves."""
    pair, step = comparison.pair, comparison.step
    st.html(elements.note(comparison.when))
    for column, side, other in zip(st.columns(2, gap="large"), pair, pair[::-1], strict=True):
        with column:
            pairs = side.stage.blocked_pairs(side.at(step), BLOCKED + 1)
            st.html(elements.sentence(side_sentences.blocked_sentence(side, other, step, pairs)))
            if pairs:
                rows = side_tables.blocked(side, other, step, pairs[:BLOCKED])
                drawn = charts.pair_frequency(rows, len(rows))
                downloads.chart(drawn, f"blocked {side.title}", f"blocked pairs, {side.title}")
                which = f"The {BLOCKED} most frequent pairs" if len(pairs) > BLOCKED else "All pairs"
                st.html(elements.note(f"{which}. Each is counted as if no pretoken ended between its tokens."))


def held_out(comparison: ComparedStep) -> None:
    """Draw the choice of the held-out text, and what the text costs on each side: now, and at every vocabulary size."""
    choice_of_text()
    pair, step = comparison.pair, comparison.step
    st.html(elements.note(comparison.when))
    for column, side in zip(st.columns(2, gap="large"), pair, strict=True):
        column.html(elements.title(f"{side.title} after {counted(side.at(step), 'merge')}"))
        column.html(elements.figures(sides.cost_figures(side, step), side.title))
    unit = controls.switch(Compare, "unit", "Unit", {"tokens": "Tokens", "characters each": "Characters a token"})
    drawn = charts.growth(side_tables.growth(pair), side_tables.growth_now(pair, step), unit)
    downloads.chart(drawn, "growth", "cost of the held-out text as each vocabulary grows")


def pretokenizers(comparison: ComparedStep) -> None:
    """Draw a table of all pretokenizers on the corpus."""
    text, pair = comparison.text.text, comparison.pair
    with st.spinner("Splitting the text by every pretokenizer …"):
        of = comparison.text.digest, *(side.stage for side in pair)
        table = state.latest("overview", of, lambda: _overview(pair, text))
    columns = {"characters a pretoken": st.column_config.NumberColumn(format="%.2f")}
    columns |= {name: st.column_config.NumberColumn(format="localized") for name in ("pretokens", "different")}
    st.dataframe(table, hide_index=True, height=35 * (len(table) + 1) + 3, column_config=columns)
    most = LIMITS.shown_characters
    if len(text) > most:
        st.html(elements.note(f"Of this text, its first {most:,} characters."))


def _overview(pair: Sides, text: str) -> pd.DataFrame:
    chosen: dict[str, Pretokenizer] = {
        name: side.stage.settings.splitter for name, side in zip(SIDES, pair, strict=True)
    }
    return side_tables.overview(text[: LIMITS.shown_characters], chosen)


def export(comparison: ComparedStep) -> None:
    """Draw the comparison's files, and the link. A checkbox chooses the step of most files: last or current."""
    pair, both, step = comparison.pair, comparison.both, comparison.step
    last = downloads.as_of(Compare, step, both.steps)
    sheets: dict[str, tuple[int, Callable[[], pd.DataFrame]]] = {
        "merges": (last, lambda: side_tables.merges(pair, last, rows=None).rows),
        "vocabularies": (last, lambda: side_tables.vocabulary_table(pair, last)),
        "held-out curves": (both.steps, lambda: side_tables.growth(pair, points=None)),
        "all pretokenizers": (both.steps, lambda: _overview(pair, comparison.text.text)),
        "blocked pairs": (step, lambda: side_tables.blocked_table(pair, step)),
        "rows that differ": (step, lambda: side_tables.word_table(pair, both, step)),
    }
    for column, side in zip(st.columns(2, gap="large"), pair, strict=True):
        with column:
            count = counted(side.at(last), "merge")
            st.html(elements.title(f"The tokenizer of {side.title} after {count}"))
            downloads.tokenizer_files(side.stage.tokenizer(side.at(last)), downloads.file_name(side.title))
    st.html(elements.title("Tables"))
    downloads.downloads(sheets, f"Blocked pairs and rows that differ: step {step:,}.")
    st.html(elements.title("Both films"))
    now, (left, right) = state.read(Compare), (side.run for side in pair)
    name = "-".join(downloads.file_name(title) for title in (comparison.text.name, *(side.title for side in pair)))
    downloads.film_pages(name, lambda charts: film(left, now.step, beside=right, charts=charts))
    downloads.link(now)


VIEWS = {
    "merges": PageView("Merges", merges, tab="Merges", question="Which merges does each side learn?"),
    "vocabularies": PageView(
        "Vocabularies", vocabularies, tab="Merges", question="Which tokens does only one side have?"
    ),
    "blocked": PageView("Blocked pairs", blocked, question="Which pairs can a side never merge?"),
    "held-out": PageView("Held-out text", held_out, question="How many tokens does each side need for another text?"),
    "pretokenizers": PageView("All splits", pretokenizers, question="How does every split cut this text?"),
    "export": PageView("Export", export, question="Which files can you take with you?"),
}


def draw(comparison: ComparedStep) -> None:
    """Draw the tabs, and the open view."""
    with controls.headed_view(Compare, VIEWS) as view:
        view.draw(comparison)


def columns(sides: Sides, texts: Sequence[str]) -> Markup:
    """Return a column for each side.

    A column has the first pretokens of the side's text, the rules that made these pretokens, and what opens to show
    figures about the split. `texts`: the text of each side, after the side's normalizers.
    """
    return _COLUMNS.format(html.joined(_column(sides, number, text) for number, text in enumerate(texts)))


def _column(sides: Sides, number: int, text: str) -> Markup:
    side = sides[number]
    found = side.stage.settings.splitter.split(text[:SAMPLE])
    drawn = html.pretokens(text[:SAMPLE], found, f"pretokens, {side.title}")
    figures = _FIGURES.format(elements.figures(split_figures(side, len(text)), side.title))
    return _COLUMN.format(side.title, elements.title(side.title), drawn, _rules(found, sides, side), figures)


def _rules(found: Sequence[Pretoken], sides: Sides, side: ComparedRun) -> Markup:
    """Return the rules that made a side's pretokens. The pointer or the focus on a rule marks that rule's pretokens."""
    rules = dict.fromkeys(pretoken.rule for pretoken in found)
    if not rules:
        return Markup("No rule finds a pretoken.")
    name = "Rule" if len(rules) == 1 else "Rules"
    explained = elements.term(name, side_sentences.about_rules(sides), f"the rules of {side.title}")
    return Markup("{}: {}").format(explained, Markup(", ").join(map(_RULE.format, rules)))
