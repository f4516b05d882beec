"""The lesson about pairs: the training loop by hand."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from markupsafe import Markup

from bpe_core import Run
from bpe_core.record.record import PairCount
from bpe_core.text.in_words import counted, times
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, other_pairs, simple_run, with_settings
from pages.parts.learn.reveal_drawings import Training
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example

MERGES, FURTHER = 3, 7  # the merges of the lesson's run; the merges of the run on the Train page
MOST_WRONG = 3  # wrong pairs of a question


class Pairs(Lesson):
    """The lesson "Count, merge, count again"."""

    sentences = lesson_text(__file__)
    own = example("hug-pug-pun").text
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run of the questions."""
        return simple_run(self.text, SIMPLE, MERGES)

    def _right(self, step: int) -> PairCount:
        """Return the pair that the step after `step` merges, with its count."""
        if self.run.steps <= step or len(self.run.pair_counts(step)) <= 1:
            raise NoPoint()
        left, right, _, count, _ = self.run.merges[step]
        return PairCount(left, right, count)

    def _sum(self, step: int, pair: PairCount) -> Markup:
        return wording.sum_of(self.run, step, *pair[:2])

    def _why(self, step: int, right: PairCount) -> Phrase:
        """Return the count of the right pair, and the count of the next pair."""
        found = Phrase("count", pair=right[:2], times=times(right.count), sum=self._sum(step, right))
        if not (others := other_pairs(self.run, step, 1)):
            return Phrase("alone", counted_so=found)
        second = others[0]
        if second.count == right.count:
            return Phrase("tie", counted_so=found, second=second[:2])
        return Phrase("best", counted_so=found, second=second[:2], count=second.count)

    def _counting(self, step: int) -> list[Phrase]:
        """Return the counts of the most frequent pairs, one after the other."""
        pairs = self.run.pair_counts(step)[: MOST_WRONG + 1][::-1]
        return [
            *(Phrase("pair", pair=pair[:2], sum=self._sum(step, pair), count=pair.count) for pair in pairs),
            Phrase("best", pair=pairs[-1][:2], count=pairs[-1].count),
        ]

    def _others(self, step: int, right: PairCount) -> list[WrongAnswer]:
        """Return the most frequent other pairs as wrong answers."""
        return [self._other(step, pair, right.count) for pair in other_pairs(self.run, step, MOST_WRONG)]

    def _other(self, step: int, pair: PairCount, most: int) -> WrongAnswer:
        named, seen = wording.pair_label(*pair[:2]), times(pair.count)
        if pair.count == most:
            return WrongAnswer(named, "tie", near=True, pair=pair[:2], times=seen)
        fewer = most - pair.count
        return WrongAnswer(named, "fewer", pair=pair[:2], times=seen, sum=self._sum(step, pair), fewer=fewer)

    def first(self) -> Facts:
        """Find the first merge, a pair of the most frequent word, and other frequent pairs.

        The pair that is counted above is the least frequent other pair, if possible one that is in several words.
        """
        right = self._right(0)
        others = [pair for pair in self.run.pair_counts(0)[::-1] if pair[:2] != right[:2]]
        several = [pair for pair in others if len(self.run.contributions(0, *pair[:2])) > 1]
        shown = (several or others)[0]
        return Facts(
            wording.pair_label(*right[:2]),
            *self._of_most_frequent_word(right),
            *self._others(0, right),
            why=self._why(0, right),
            steps=self._counting(0),
            words=wording.corpus(self.run, 0),
            one=Phrase("count", pair=shown[:2], times=times(shown.count), sum=self._sum(0, shown)),
        )

    def _of_most_frequent_word(self, right: PairCount) -> list[WrongAnswer]:
        """Return, in a list, a pair of the most frequent word as a wrong answer.

        It is the word's most frequent pair among the pairs that are seen less often than `right`. The list is empty if
        several words are equally the most frequent.
        """
        word, count = max(self.run.words(0), key=lambda word: word[1])
        if sum(one == count for _, one in self.run.words(0)) > 1:
            return []
        inside = set(pairwise(word))
        pairs = [pair for pair in self.run.pair_counts(0) if pair[:2] in inside and pair.count < right.count]
        return [
            WrongAnswer(
                wording.pair_label(*pair[:2]), "of the most frequent word",
                pair=pair[:2], times=times(pair.count), word=word, word_times=times(count),
            )
            for pair in pairs[:1]
        ]  # fmt: skip

    def second(self) -> Facts:
        """Find the second merge, a pair whose count the first merge lowered, and other frequent pairs."""
        right = self._right(1)
        joined = self.run.merges[0]
        now = {pair[:2]: pair.count for pair in self.run.pair_counts(1)}
        before = [pair for pair in self.run.pair_counts(0) if now.get(pair[:2], 0) < min(pair.count, right.count)]
        stale = [
            WrongAnswer(
                wording.pair_label(*pair[:2]), "old", pair=pair[:2], before=pair.count, now=now.get(pair[:2], 0)
            )
            for pair in before
            if pair[:2] != joined[:2]
        ]
        return Facts(
            wording.pair_label(*right[:2]),
            *stale[:1],
            *self._others(1, right),
            why=self._why(1, right),
            steps=self._counting(1),
            on_sheet=joined.tied == 1,  # at a tie, several first answers are right
            offers=False,  # the answers have the merged pair in them
            words=wording.corpus(self.run, 1),
            merged=joined[:2],
            token=joined.token,
        )

    def size(self) -> Facts:
        """Count the merges that make a vocabulary."""
        symbols = list(self.run.vocabulary(0).values())
        alphabet, merges = len(symbols), self.run.steps
        if not merges:
            raise NoPoint()
        entries = alphabet + merges
        return Facts(
            merges,
            WrongAnswer(entries, "all"),
            WrongAnswer(entries + alphabet, "twice"),
            entries=entries,
            tokens=counted(entries, "token"),
            alphabet=alphabet,
            symbols=symbols,
            first_tokens=counted(alphabet, "token"),
            one_more=alphabet + 1,
            merges=counted(merges, "merge"),
        )

    def reveal(self) -> tuple[Training, ...]:
        """Return the film of the run."""
        return (Training("pairs", self.run, min(1, self.run.steps)),)

    def go_on(self) -> Train:
        """Return a state of Train with the same text and a few more merges."""
        settings = simple_run(self.text, SIMPLE, FURTHER).settings
        return with_settings(Train, self.text, settings, step=min(1, self.run.steps))
