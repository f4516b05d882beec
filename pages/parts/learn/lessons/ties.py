"""The lesson about ties: why two correct trainers differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final

from bpe_core import TIE_RULES, Run, Settings
from bpe_core.display.in_words import counted, times
from pages.parts.learn import wording
from pages.parts.learn.instruments import Training, TwoTrainings
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, trained, with_settings, words_of
from pages.parts.learn.questions import NUMBER, Omission, Question, lure, question
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Train

MERGES, SHOWN = 9, 8  # SHOWN: pairs in a sentence
MARKED = replace(SIMPLE, word_marker="end")
FIRST: Final = "first-seen"
GREATEST: Final = "greatest"
STORY, STORY_SIZE = "short-story", 600
TRIED = "newer"


class Ties(Lesson):
    """The lesson "When pairs are equal"."""

    name = "Ties"
    title = "When pairs are equal"
    can = "say why two correct trainers differ"
    opening = "Often several pairs are equally frequent, and only one of them can be joined next."
    own = example("newest-widest").text
    about = ("equals", "other_rule")
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run whose ties go to the pair seen first."""
        return trained(self.text, MARKED, MERGES)

    @cached_property
    def other(self) -> Run:
        """The run whose ties go to the greatest pair."""
        return trained(self.text, replace(MARKED, tie_rule=GREATEST), MERGES)

    def equals(self) -> Question:
        """Ask how many pairs share first place. Lures: one, all pairs, one too few."""
        run = self.run
        step = next((k for k, merge in enumerate(run.merges) if merge.tied > 1), None)
        if step is None:
            raise Omission(f"none of its first {counted(MERGES, 'merge')} is a tie")
        best = run.tied(step + 1)
        named = ", ".join(wording.row(pair[:2]) for pair in best[:SHOWN]) + (" …" if len(best) > SHOWN else "")
        every = len(run.pair_counts(step))
        return question(
            "How many pairs share first place?",
            len(best),
            f"{named}: each is seen {best[0].count:,} times.",
            lure(1, f"{wording.row(best[0][:2])} is seen {times(best[0].count)}. Is no other pair?"),
            lure(every, "That is every pair of the corpus; only the most frequent are in first place."),
            lure(len(best) - 1, f"One is missing: look for all pairs that are seen {times(best[0].count)}."),
            look=wording.corpus(run, step),
            typed=NUMBER,
        )

    def _words(self) -> Iterator[str]:
        """Return the words to encode with both rules."""
        words = words_of(self.text)
        return iter([*([TRIED] if self.is_own else []), *recombined(words), *words])

    def other_rule(self) -> Question:
        """Ask how many tokens a word is with the other rule. Lures: as many as with the first rule, and others."""
        one, other = self.run.tokenizer(), self.other.tokenizer()
        for word in self._words():
            seen, greatest = one.encode(word).tokens, other.encode(word).tokens
            if len(seen) != len(greatest):
                return self._ask_about(word, seen, greatest)
        raise Omission("both rules split its words into equally many tokens")

    def _ask_about(self, word: str, seen: tuple[bytes, ...], greatest: tuple[bytes, ...]) -> Question:
        symbols = len(self.run.tokenizer(0).encode(word).ids)
        mine, theirs = ({merge.token for merge in run.merges} for run in (self.run, self.other))
        only = " ".join(wording.tok(merge.token) for merge in self.other.merges if merge.token not in mine)
        lost = " ".join(wording.tok(merge.token) for merge in self.run.merges if merge.token not in theirs)
        return question(
            f"Where ties go to the pair seen first, {wording.text(word)} becomes "
            f"{counted(len(seen), 'token')}, {wording.row(seen)}. Another rule sorts the tied pairs, byte by byte, and "
            "takes the one that sorts last, the greatest: z is greater than a. How many tokens is it there?",
            len(greatest),
            f"{wording.row(greatest)}: ties go to {TIE_RULES[GREATEST].picks}.",
            lure(len(seen), f"The counts are equal, the merges are not: it learns {only}, and not {lost}."),
            lure(symbols, "That is before any merge: one for each character and one for the word marker."),
            lure(1, "It was never in the text, or not often enough to be joined whole."),
            typed=NUMBER,
        )

    def reveal(self) -> tuple[TwoTrainings, ...]:
        """Return the film of both runs."""
        return (TwoTrainings(Training("pair seen first", self.run), Training("greatest pair", self.other)),)

    def take_away(self) -> str:
        """Return how common ties are."""
        name = example(STORY).name
        merges = _of_story().merges
        tied = sum(merge.tied > 1 for merge in merges)
        return (
            f"Ties are normal: on “{name}”, split as {GPT2} splits it, {tied:,} of {len(merges):,} merges are ties. "
            "Every implementation breaks them by a rule of its own."
        )

    def go_on(self) -> Train:
        """Return the way to the Train page, with the other rule."""
        return with_settings(Train, self.text, self.other.settings, step=min(1, self.other.steps))


def _of_story() -> Run:
    return trained(example(STORY).text, Settings(GPT2_KEY, vocab_size=STORY_SIZE))
