"""The drawings that a lesson ends with (its reveal): a training, a text or a vocabulary, drawn as the app does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol

import pandas as pd
import streamlit as st
from markupsafe import Markup

from bpe_core import PRETOKENIZERS, Encoding, Run, Tokenizer
from bpe_core.files.tokenizer_json_write import CONTINUING
from bpe_core.models.wordpiece import WordPieceRun
from bpe_core.pictures.film.film_answer import FilmLayout, Position, ShownSide, ShownWords, position
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.film.wordpiece_side import fraction
from bpe_core.pictures.paper import html
from bpe_core.pictures.prompt.prompt_data import PromptState, prompt_data
from bpe_core.pictures.shared.request import read_request
from bpe_core.pictures.tokens.tokens_data import TokensState, text_data
from bpe_core.tokenizer.cost_curve import CostCurve
from bpe_core.tokenizer.prompt_end import prompt_end
from pages.parts.learn import word_merges, wording
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.state import state
from pages.parts.ui import charts, downloads, elements, film, sentences, tables
from pages.parts.ui.live_view import asks, prompt_end_view, token_view
from pages.parts.vocabularies import page_vocabulary

BARS, WORDS, FEW = 8, 100, 6  # pairs in a list; words of a film's side; the most tokens of a text drawn with ids
ONE_SIDE, TWO_SIDES = ("sentence", "corpus", "pairs", "merges"), ("sentence", "corpus")  # the sections of a film
_TRACE = Markup('<table class="trace tokens"><caption>{}, merge by merge</caption>{}</table>')
_MERGE = Markup("<tr><td>{}</td><td>{}</td></tr>")
_COSTS = Markup('<table class="costs"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>')
_NAME, _ROW, _COST = Markup("<th>{}</th>"), Markup("<tr>{}</tr>"), Markup("<td><b>{:,}</b>{}</td>")


class RevealDrawing(Protocol):
    """A drawing that a lesson shows after its last question."""

    def draw(self) -> None:
        """Draw the value, such as a training or a text, on the page."""


@dataclass(frozen=True)
class Training:
    """A film of a run: the words of the corpus and the most frequent pairs. `step`: the step that is shown first."""

    name: str
    run: Run
    step: int = 0
    glyph: str = "_"

    def draw(self) -> None:
        """Draw the film."""
        _film([self], self.step, ONE_SIDE)


@dataclass(frozen=True)
class TwoTrainings:
    """A film of two runs side by side. `step`: the step that is shown first."""

    left: Training
    right: Training
    step: int = 0

    def draw(self) -> None:
        """Draw the film."""
        _film([self.left, self.right], self.step, TWO_SIDES)


@st.fragment
def _film(shown: list[Training], step: int, sections: tuple[str, ...]) -> None:
    """Draw the film of all runs, with one step bar, as a fragment: nothing else on the page depends on the film."""
    recorded = [RunSide(each.run, each.glyph, begin=0) for each in shown]
    sides = [
        ShownSide(side, partial(_words, each.run), each.name if len(shown) > 1 else "")
        for side, each in zip(recorded, shown, strict=True)
    ]
    key = f"learn.film {shown[0].name}"
    request = read_request(state.sent(key))
    now = position(request, recorded, Position(step), 1)
    film.send(key, request, sides, now, 1, FilmLayout(sections))


def _words(run: Run, find: str, sort: str, step: int) -> ShownWords:
    return ShownWords(range(min(len(run.pretokens), WORDS)))


@dataclass(frozen=True)
class Trace:
    """The encoding of a word, merge by merge."""

    word: str
    symbols: tuple[bytes, ...]
    states: tuple[word_merges.WordState, ...]
    glyph: str = "_"

    def draw(self) -> None:
        """Draw a table of the merges."""
        rows = [_MERGE.format("before", html.row(self.symbols, self.glyph))]
        for merge, tokens in self.states:
            row = html.row(tokens, self.glyph, merge.left + merge.right)
            rows.append(_MERGE.format(f"step {merge.step:,}", row))
        st.html(_TRACE.format(self.word, html.joined(rows)))


@dataclass(frozen=True)
class TwoTraces:
    """The encoding of a word by two runs, merge by merge, side by side."""

    word: str
    left: Training
    right: Training

    def draw(self) -> None:
        """Draw a table of merges for each run."""
        for column, side in zip(st.columns(2, gap="large"), (self.left, self.right), strict=True):
            with column:
                symbols = side.run.tokenizer(0).encode(self.word, specials=True).tokens
                states = tuple(word_merges.states(symbols, word_merges.merge_steps(side.run)))
                Trace(f"{self.word}, {side.name[0].lower()}{side.name[1:]}", symbols, states, side.glyph).draw()


@dataclass(frozen=True)
class BlockedPairs:
    """The most frequent pairs that a split forbids at a step, and the most frequent pairs that it allows."""

    run: Run
    step: int

    def draw(self) -> None:
        """Draw a chart of the forbidden pairs and a chart of the allowed pairs, with one scale for both."""
        forbidden = self.run.blocked_pairs(self.step)
        blocked = tables.pair_rows(forbidden[:BARS], lambda pair: "other")
        allowed = tables.pair_counts(self.run, self.step, "_", BARS)
        totals = len(forbidden), len(self.run.pair_counts(self.step))
        for column, name, total, frame, other in zip(
            st.columns(2, gap="large"),
            (f"Blocked by the split of {self.run.settings.splitter.title}", "Allowed by it"),
            totals,
            (blocked, allowed),
            (allowed, blocked),
            strict=True,
        ):
            with column:
                st.html(elements.title(f"{name}, after step {self.step:,} of a training with it"))
                if len(frame):
                    drawn = charts.pair_frequency(frame, len(frame), other)
                    downloads.chart(drawn, f"learn {name}", f"{name} pairs")
                st.html(elements.note(sentences.window(len(frame), total, "different pairs")))


@dataclass(frozen=True)
class TextInTokens:
    """The tokens of texts with several tokenizers. `tokenizers`: (name, tokenizer) pairs."""

    texts: tuple[str, ...]
    tokenizers: tuple[tuple[str, Tokenizer], ...]

    def draw(self) -> None:
        """Draw a table with a row for each text and a column for each tokenizer."""
        names = (_NAME.format(name) for name, _ in self.tokenizers)
        table = [[tok.encode(text, specials=False) for _, tok in self.tokenizers] for text in self.texts]
        few = all(len(encoding.ids) <= FEW for row in table for encoding in row)
        rows = (_ROW.format(html.joined(_cell(encoding, show_ids=few) for encoding in row)) for row in table)
        st.html(_COSTS.format(html.joined(names), html.joined(rows)))


def _cell(encoding: Encoding, show_ids: bool) -> Markup:
    drawn = html.text_tokens(encoding.tokens, encoding.ids, show_ids=show_ids)
    return _COST.format(len(encoding.ids), drawn)


@dataclass(frozen=True)
class Merging:
    """The tokens of a text as the published vocabulary grows from bytes to all its tokens.

    `letter`: a letter to count, so that each token is drawn with its letters under it; "" for no letter.
    """

    text: str
    letter: str = ""

    def draw(self) -> None:
        """Draw the tokens, and a slider for the vocabulary's step. The slider begins at the last step."""
        _merging(self.text, self.letter)


@st.fragment
def _merging(text: str, letter: str) -> None:
    vocabulary = page_vocabulary.published(GPT2_KEY)
    walk = vocabulary.tokenizer.encode(text, specials=True).walk
    key = f"learn.view {text}"
    view: TokensState = {
        "version": text, "answered": read_request(state.sent(key)).number, "title": vocabulary.title,
        "step": vocabulary.steps, "at": -1, "facts": None, "shows": ("merging",),
        "options": {"letters": bool(letter), "letter": letter},
    }  # fmt: skip
    token_view(key, text_data(walk, "_", view))


@dataclass(frozen=True)
class Prompt:
    """The tokens of a prompt, whose end can be moved, beside the tokens of the whole text.

    `end`: the length of the prompt at first, in characters.
    """

    text: str
    end: int

    def draw(self) -> None:
        """Draw both rows of tokens, and a slider for the end."""
        _prompt(self.text, self.end)


@st.fragment
def _prompt(text: str, first: int) -> None:
    vocabulary = page_vocabulary.published(GPT2_KEY)
    key = f"learn.prompt {text}"
    request = read_request(state.sent(key))
    chosen = request.chosen(text).get("end")
    end = chosen if type(chosen) is int and 0 <= chosen <= len(text) else first
    found = prompt_end(vocabulary.tokenizer, text, end, specials=True)
    to = asks("learn.prompt", vocabulary, (), is_ours=True) | {"specials": True, "example": ""}
    shown: PromptState = {
        "version": text,
        "answered": request.number,
        "chosen": end,
        "cut": False,
        "given": text,
        "asks": to,
    }
    prompt_end_view(key, prompt_data(found, vocabulary.glyph, shown))


@dataclass(frozen=True)
class Pretokens:
    """The splits of a text. `splits`: (name, key of the pretokenizer) pairs."""

    text: str
    splits: tuple[tuple[str, str], ...]

    def draw(self) -> None:
        """Draw the pretokens of each split."""
        for name, key in self.splits:
            split = PRETOKENIZERS[key].split(self.text)
            st.html(elements.note(f"Split as {name}") + html.pretokens(self.text, split, f"pretokens, {name}"))


@dataclass(frozen=True)
class InColumns:
    """Numbers in columns under several splits. `table`: the HTML of `wording.columns`."""

    table: Markup

    def draw(self) -> None:
        """Draw the table."""
        st.html(elements.note("Two numbers and their sum, in columns") + self.table)


@dataclass(frozen=True)
class WholeText:
    """A text that the lesson names."""

    title: str
    text: str

    def draw(self) -> None:
        """Draw a line that opens the text."""
        st.html(wording.text_to_open(self.title, self.text))


@dataclass(frozen=True)
class Curve:
    """The cost of a held-out text as the vocabulary grows.

    `name`: the name of the text. `base`: the size of the vocabulary before any merge. `asked`: the sizes to mark.
    """

    name: str
    growth: CostCurve
    base: int
    asked: tuple[int, ...]

    def draw(self) -> None:
        """Draw the curve of tokens over the size of the vocabulary."""
        sizes = range(self.base, self.base + len(self.growth.tokens))
        points = pd.DataFrame({"vocabulary": sizes, "tokens": self.growth.tokens})
        st.html(elements.title(f"What “{self.name}” costs as the vocabulary grows"))
        downloads.chart(
            charts.cost(points, self.asked), "learn curve", "tokens of the other text as the vocabulary grows"
        )


@dataclass(frozen=True)
class LastTokens:
    """The tokens of a run, and how often the run's corpus uses each token."""

    run: Run
    glyph: str = "_"

    def draw(self) -> None:
        """Draw a table of the tokens that the run learnt, in their order."""
        uses = self.run.token_uses(self.run.steps)[self.run.base :].tolist()
        rows = (
            (step, wording.tok(merge.token, self.glyph), f"{used:,} ×" if used else "dead")
            for step, (merge, used) in enumerate(zip(self.run.merges, uses, strict=True), 1)
        )
        st.html(wording.html_table(("step", "token", "uses now"), rows))


@dataclass(frozen=True)
class Scores:
    """The pairs of WordPiece by score and by count."""

    run: WordPieceRun

    def draw(self) -> None:
        """Draw a table of the pairs with the best scores and a table of the most frequent pairs."""
        best, most = st.columns(2, gap="large")
        scores = self.run.scores(0)
        for column, name, pairs in (
            (best, "By score: what WordPiece goes by", scores[:BARS]),
            (most, "By count: what BPE goes by", sorted(scores, key=lambda pair: -pair.count)[:BARS]),
        ):
            rows = ((wording.row((pair.left, pair.right), CONTINUING), pair.count, fraction(pair)) for pair in pairs)
            column.html(elements.title(name) + wording.html_table(("pair", "count", "score"), rows))
            column.html(elements.note(sentences.window(len(pairs), len(scores), "different pairs")))
