"""The lesson about ties: why two correct trainers differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import Final

from markupsafe import Markup

from bpe_core import Run, Settings
from bpe_core.text.in_words import counted, times
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, simple_run, with_settings, words_of
from pages.parts.learn.reveal_drawings import RevealDrawing, Training, TwoTraces, TwoTrainings, WholeText
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example

MERGES, SHOWN = 9, 4  # the merges of the lesson's runs; the most tied pairs drawn for a step
MARKED = replace(SIMPLE, word_marker="end")
FIRST: Final = "first-seen"
GREATEST: Final = "greatest"
STORY, STORY_SIZE = "short-story", 600
TRIED = "newer"
RULES = ("The pair seen first", "The greatest pair")  # the names of both rules


class Ties(Lesson):
    """The lesson "When pairs are equal"."""

    sentences = lesson_text(__file__)
    own = example("newest-widest").text
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run whose ties go to the pair seen first."""
        return simple_run(self.text, MARKED, MERGES)

    @cached_property
    def other(self) -> Run:
        """The run whose ties go to the greatest pair."""
        return simple_run(self.text, replace(MARKED, tie_rule=GREATEST), MERGES)

    @cached_property
    def _first_tie(self) -> int | None:
        """How many merges come before the first tie; None if there is no tie."""
        return next((k for k, merge in enumerate(self.run.merges) if merge.tied > 1), None)

    def equals(self) -> Facts:
        """Count the pairs that share first place."""
        run, step = self.run, self._first_tie
        if step is None:
            raise NoPoint(merges=counted(MERGES, "merge"))
        best = run.tied(step + 1)
        sums = [(pair[:2], wording.sum_of(run, step, *pair[:2]), pair.count) for pair in best]
        return Facts(
            len(best),
            WrongAnswer(1, "one", first=best[0][:2]),
            WrongAnswer(len(run.pair_counts(step)), "every"),
            WrongAnswer(len(best) - 1, "one fewer"),
            steps=[
                *(Phrase("pair", pair=pair, sum=summed, count=count) for pair, summed, count in sums),
                Phrase("others", best=counted(len(best), "pair")),
            ],
            words=wording.corpus(run, step),
            pairs=wording.listed([wording.row(pair[:2]) for pair in best]),
            times=times(best[0].count),
        )

    def _words(self) -> Iterator[str]:
        """Return the words to encode with both rules."""
        words = words_of(self.text)
        return iter([*([TRIED] if self.is_own else []), *words, *recombined(words)])

    @cached_property
    def tried(self) -> str | None:
        """A word that both rules split into different numbers of tokens; None if there is none."""
        one, other = self.run.tokenizer(), self.other.tokenizer()
        return next(
            (word for word in self._words() if len(one.encode_word(word)) != len(other.encode_word(word))), None
        )

    def other_rule(self) -> Facts:
        """Count the tokens of a word with the other rule."""
        if self.tried is None:
            raise NoPoint()
        seen, greatest = (run.tokenizer().encode(self.tried, specials=True).tokens for run in (self.run, self.other))
        symbols = self.run.tokenizer(0).encode(self.tried, specials=True).tokens
        return Facts(
            len(greatest),
            WrongAnswer(len(seen), "as many", difference=self._difference()),
            WrongAnswer(len(symbols), "symbols"),
            WrongAnswer(1, "whole"),
            steps=wording.way(symbols, word_merges.merge_steps(self.other)),
            word=wording.text(self.tried),
            tokens=counted(len(seen), "token"),
            seen=seen,
            greatest=greatest,
            rules=Phrase("rules", merges=counted(max(self.run.steps, self.other.steps), "merge")),
            choices=self._choices(0),
            choices_on_paper=self._choices((self._first_tie or 0) + 1),
        )

    def _choices(self, hidden: int) -> Table:
        """Return the merges of both rules. Tied pairs are listed only from the step after `hidden` on."""
        steps = range(1, max(self.run.steps, self.other.steps) + 1)
        runs = (self.run, self.other)
        return Table([(f"{step:,}", *(_choice(run, step, step <= hidden) for run in runs)) for step in steps])

    def _difference(self) -> Phrase:
        """Return which tokens only one of the rules learns."""
        mine, theirs = ([merge.token for merge in run.merges] for run in (self.run, self.other))
        only, lost = (
            wording.chips(token for token in dict.fromkeys(tokens) if token not in others)
            for tokens, others in ((theirs, mine), (mine, theirs))
        )
        if only and lost:
            return Phrase("both differ", only=only, lost=lost)
        if only:
            return Phrase("only greatest", only=only)
        return Phrase("only first", lost=lost) if lost else Phrase("same")

    @cached_property
    def _apart(self) -> int:
        """The first step after which the words differ under the two rules; zero if they never differ."""
        steps = range(1, min(self.run.steps, self.other.steps) + 1)
        return next((step for step in steps if self.run.words(step) != self.other.words(step)), 0)

    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the word under both rules, and the film of both runs at the first step that tells them apart."""
        sides = (Training(RULES[0], self.run), Training(RULES[1], self.other))
        film = TwoTrainings(*sides, self._apart)
        story = WholeText(f"“{example(STORY).name}”", example(STORY).text)  # `take_away` counts its ties
        return (TwoTraces(self.tried, *sides), film, story) if self.tried else (film, story)

    def taken(self) -> Phrase:
        """Return how common ties are."""
        merges = _of_story().merges
        tied = sum(merge.tied > 1 for merge in merges)
        return Phrase(story=example(STORY).name, tied=tied, merges=len(merges))

    def go_on(self) -> Train:
        """Return a state of Train with the other rule."""
        return with_settings(Train, self.text, self.other.settings, step=min(1, self.other.steps))


def _choice(run: Run, step: int, hidden: bool) -> str | Phrase:
    """Return the pair that a step merges and, unless `hidden`, the other pairs that are tied with it."""
    if step > run.steps:
        return ""
    merge = run.merges[step - 1]
    others = [wording.row(pair[:2]) for pair in run.tied(step) if pair[:2] != merge[:2]]
    if not others or hidden:
        return Phrase("choice", pair=merge[:2])
    listed, more = Markup(", ").join(others[:SHOWN]), len(others) - SHOWN
    if more > 0:
        return Phrase("choice at a tie of many", pair=merge[:2], others=listed, more=more)
    return Phrase("choice at a tie", pair=merge[:2], others=listed)


@cache
def _of_story() -> Run:
    return simple_run(example(STORY).text, Settings(GPT2_KEY, vocab_size=STORY_SIZE))
