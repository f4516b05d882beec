"""The lesson about ties: why two correct trainers differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import Final

from bpe_core import Run, Settings
from bpe_core.pictures.shared.in_words import counted, times
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, simple_run, with_settings, words_of
from pages.parts.learn.questions import NUMBER, Omission, Paper, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import RevealDrawing, Training, TwoTraces, TwoTrainings, WholeText
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.texts.corpora import example
from pages.parts.train.train_state import Train

MERGES, SHOWN = 9, 4  # the merges of the lesson's runs; the most tied pairs drawn for a step
MARKED = replace(SIMPLE, word_marker="end")
FIRST: Final = "first-seen"
GREATEST: Final = "greatest"
STORY, STORY_SIZE = "short-story", 600
TRIED = "newer"
RULES = ("The pair seen first", "The greatest pair")  # the names of both rules


class Ties(Lesson):
    """The lesson "When pairs are equal"."""

    name = "Ties"
    title = "When pairs are equal"
    can = "say why two correct trainers differ"
    opening = "Often several pairs are equally frequent, a tie, and only one of them can be the next [merge]."
    own = example("newest-widest").text
    about = ("equals", "other_rule")
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

    def equals(self) -> Question:
        """Ask how many pairs share first place. Wrong answers: one, all pairs, one too few."""
        run, step = self.run, self._first_tie
        if step is None:
            raise Omission(f"none of its first {counted(MERGES, 'merge')} is a tie")
        best = run.tied(step + 1)
        named = [wording.row(pair[:2]) for pair in best]
        every = len(run.pair_counts(step))
        return question(
            "How many pairs share first place, with the highest count of all?",
            len(best),
            f"{wording.listed(named)}: each is seen {times(best[0].count)}.",
            wrong_answer(1, f"{named[0]} is seen {times(best[0].count)}. Is no other pair?"),
            wrong_answer(every, "That is every pair of the corpus; only the most frequent are in first place."),
            wrong_answer(len(best) - 1, f"One is missing: look for all pairs that are seen {times(best[0].count)}."),
            look=wording.corpus(run, step),
            typed=NUMBER,
            steps=[
                *(
                    f"{wording.row(pair[:2])}: {wording.sum_of(run, step, *pair[:2])}, so {pair.count:,}."
                    for pair in best
                ),
                f"Every other pair is seen less often: {counted(len(best), 'pair')}.",
            ],
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

    def other_rule(self) -> Question:
        """Ask how many tokens a word is with the other rule.

        Wrong answers: as many as with the first rule, and others.
        """
        if self.tried is None:
            raise Omission("both rules split its words into equally many tokens")
        word = self.tried
        seen, greatest = (run.tokenizer().encode(word, specials=True).tokens for run in (self.run, self.other))
        symbols = self.run.tokenizer(0).encode(word, specials=True).tokens
        return question(
            f"With the pair seen first, {wording.text(word)} becomes {counted(len(seen), 'token')}, "
            f"{wording.row(seen)}. How many tokens is it with the greatest pair?",
            len(greatest),
            f"{wording.row(greatest)}: of the tied pairs, the last in sorted order was merged.",
            wrong_answer(len(seen), f"The counts are equal, the merges are not: {self._difference()}."),
            wrong_answer(len(symbols), "That is before any merge: one for each character and one for the word marker."),
            wrong_answer(1, "No merge of this rule makes it whole."),
            look=self._both_rules(0),
            typed=NUMBER,
            steps=wording.way(symbols, word_merges.merge_steps(self.other)),
            paper=Paper(look=self._both_rules((self._first_tie or 0) + 1)),
        )

    def _both_rules(self, hidden: int) -> str:
        """Return both rules and their merges. Tied pairs are listed only from the step after `hidden` on."""
        rules = wording.sentence(
            f"Two rules for ties, each with its first {counted(max(self.run.steps, self.other.steps), 'merge')} on the "
            "same words. One takes the pair seen first in the text. The other sorts the tied pairs by their "
            "characters, and takes the last, the greatest: z is greater than a, and the end of a word than z."
        )
        rows = (
            (f"{step:,}", *(self._choice(run, step, step <= hidden) for run in (self.run, self.other)))
            for step in range(1, max(self.run.steps, self.other.steps) + 1)
        )
        return rules + wording.html_table(("step", *RULES), rows)

    def _choice(self, run: Run, step: int, hidden: bool) -> str:
        """Return the pair that a step merges and, unless `hidden`, the other pairs that are tied with it."""
        if step > run.steps:
            return ""
        merge, tied = run.merges[step - 1], run.tied(step)
        others = [wording.row(pair[:2]) for pair in tied if pair[:2] != merge[:2]]
        more = f" and {len(others) - SHOWN:,} more" if len(others) > SHOWN else ""
        also = f" <small>tied with {', '.join(others[:SHOWN])}{more}</small>" if others and not hidden else ""
        return f"{wording.row(merge[:2])}{also}"

    def _difference(self) -> str:
        """Return which tokens only one of the rules learns."""
        mine, theirs = ([merge.token for merge in run.merges] for run in (self.run, self.other))
        only, lost = (
            " ".join(wording.tok(token) for token in dict.fromkeys(tokens) if token not in others)
            for tokens, others in ((theirs, mine), (mine, theirs))
        )
        if only and lost:
            return f"the greatest pair gives {only}, the pair seen first {lost}"
        if only or lost:
            return f"only {RULES[bool(only)].lower()} gives {only or lost}"
        return "both rules learn the same tokens, from other pairs or in another order"

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

    def take_away(self) -> str:
        """Return how common ties are."""
        name = example(STORY).name
        merges = _of_story().merges
        tied = sum(merge.tied > 1 for merge in merges)
        return (
            f"Ties are normal: on “{name}”, split as {GPT2} splits it, {tied:,} of the first {len(merges):,} merges "
            "are ties. Every implementation breaks them by a rule of its own."
        )

    def go_on(self) -> Train:
        """Return a state of Train with the other rule."""
        return with_settings(Train, self.text, self.other.settings, step=min(1, self.other.steps))


@cache
def _of_story() -> Run:
    return simple_run(example(STORY).text, Settings(GPT2_KEY, vocab_size=STORY_SIZE))
