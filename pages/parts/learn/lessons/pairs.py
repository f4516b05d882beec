"""Count, join, count again."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from bpe_core import Run
from bpe_core.record.run import PairCount
from pages.parts.learn import wording
from pages.parts.learn.instruments import Training
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, GoOn, Lesson, other_pairs, trained
from pages.parts.learn.questions import NUMBER, LeftOut, Option, Question, lure, question
from pages.parts.session.corpora import example
from pages.parts.views.sentences import counted, times

MERGES, FURTHER = 3, 7  # of the lesson; of the run that it leads to
LURES = 3  # pairs beside the right one


class Pairs(Lesson):
    """The training loop by hand."""

    name = "Pairs"
    title = "Count, join, count again"
    can = "find the next merge by hand"
    opening = (
        "A training counts every pair of neighbours in the text and joins the most frequent one into a new token. "
        "Then it starts again."
    )
    own = example("hug-pug-pun").text
    about = ("first", "second", "size")
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The training that the questions are about."""
        return trained(self.text, SIMPLE, MERGES)

    def _right(self, step: int) -> PairCount:
        """The pair that the step after `step` joins."""
        if self.run.steps <= step or len(self.run.pair_counts(step)) <= 1:
            raise LeftOut("the text has too few pairs")
        left, right, _, count, _ = self.run.merges[step]
        return PairCount(left, right, count)

    def first(self) -> Question:
        """The first merge; the pairs of the most frequent word tempt."""
        right = self._right(0)
        second = other_pairs(self.run, 0, 1)[0]
        why = (
            f"{wording.row(right[:2])} is seen {times(right.count)}: {wording.sum_of(self.run, 0, *right[:2])}. "
            f"Second is {wording.row(second[:2])} with {second.count:,}."
        )
        return question(
            "Which pair is joined first?",
            wording.pair_label(*right[:2]),
            why,
            *self._of_most_frequent_word(right),
            *self._others(0, right),
            look=wording.corpus(self.run, 0) + self._worked(right),
        )

    def _worked(self, right: PairCount) -> str:
        """Another pair, counted for the learner: where there is one, the least frequent that is in several words."""
        others = [pair for pair in self.run.pair_counts(0)[::-1] if pair[:2] != right[:2]]
        several = [pair for pair in others if len(self.run.contributions(0, *pair[:2])) > 1]
        pair = (several or others)[0]
        said = f"{wording.row(pair[:2])} is seen {times(pair.count)}: {wording.sum_of(self.run, 0, *pair[:2])}."
        return wording.sentence(f"One pair is counted for you: {said}")

    def _of_most_frequent_word(self, right: PairCount) -> list[Option]:
        """The first pair of the most frequent word that is less frequent than the right one."""
        tokens, count = max(self.run.words(0), key=lambda word: word[1])
        inside = set(pairwise(tokens))
        pairs = [pair for pair in self.run.pair_counts(0) if pair[:2] in inside and pair.count < right.count]
        return [
            lure(
                wording.pair_label(*pair[:2]),
                f"{wording.row(pair[:2])} is seen {times(pair.count)}. {wording.row(tokens)} is the most frequent word "
                f"({times(count)}), but pairs are counted over all words.",
            )
            for pair in pairs[:1]
        ]

    def _others(self, step: int, right: PairCount) -> list[Option]:
        """The most frequent of the other pairs."""
        return [self._other(step, pair, right.count) for pair in other_pairs(self.run, step, LURES)]

    def _other(self, step: int, pair: PairCount, most: int) -> Option:
        named, label = wording.row(pair[:2]), wording.pair_label(*pair[:2])
        if pair.count == most:
            why = f"{named} is as frequent, {times(most)}; between equals a rule decides: the pair seen first."
            return lure(label, why, near=True)
        made = wording.sum_of(self.run, step, *pair[:2])
        return lure(
            label,
            f"{named} is seen {times(pair.count)}: {made}. That is {most - pair.count:,} fewer than the best pair.",
        )

    def second(self) -> Question:
        """The merge after it; the counts from before tempt."""
        right = self._right(1)
        joined = self.run.merges[0]
        why = f"{wording.row(right[:2])} is seen {times(right.count)}: {wording.sum_of(self.run, 1, *right[:2])}."
        now = {pair[:2]: pair.count for pair in self.run.pair_counts(1)}
        before = [pair for pair in self.run.pair_counts(0) if now.get(pair[:2], 0) < min(pair.count, right.count)]
        stale = [
            lure(
                wording.pair_label(*pair[:2]),
                f"{wording.row(pair[:2])} had {pair.count:,}. Joining {wording.tok(joined.token)} took some of its "
                f"symbols: {now.get(pair[:2], 0):,} are left.",
            )
            for pair in before
            if pair[:2] != joined[:2]
        ]
        said = wording.sentence(f"{wording.tok(joined.token)} is joined now.")
        return question(
            "And which pair is next?",
            wording.pair_label(*right[:2]),
            why,
            *stale[:1],
            *self._others(1, right),
            look=said + wording.corpus(self.run, 1),
        )

    def size(self) -> Question:
        """How many merges a vocabulary takes; forgetting the alphabet tempts."""
        alphabet, steps = len(self.run.vocabulary(0)), self.run.steps
        if not steps:
            raise LeftOut("the text has too few pairs")
        entries = alphabet + steps
        return question(
            f"The alphabet has {counted(alphabet, 'character')}. How many merges make a vocabulary of {entries:,}?",
            steps,
            f"{entries:,} less {alphabet:,}: the alphabet is there before any merge, and each merge adds one token.",
            lure(entries, "The alphabet counts too: its characters are tokens before any merge."),
            lure(alphabet, "So many tokens are there before any merge; the question is how many are missing."),
            lure(entries + alphabet, "The alphabet is part of the vocabulary already; it is not added to it."),
            typed=NUMBER,
        )

    def reveal(self) -> tuple[Training, ...]:
        """The run, step by step."""
        return (Training("pairs", self.run, min(1, self.run.steps)),)

    def take_away(self) -> str:
        """Why counting never ends."""
        return "Every join changes the counts, so count again after each."

    def go_on(self) -> GoOn:
        """The same text on the Train page, with a few more merges."""
        settings = trained(self.text, SIMPLE, FURTHER).settings
        return GoOn("train", self.text, settings, {"step": min(1, self.run.steps)})
