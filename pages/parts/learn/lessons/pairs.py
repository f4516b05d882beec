"""The lesson about pairs: the training loop by hand."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from bpe_core import Run
from bpe_core.pictures.shared.in_words import counted, times
from bpe_core.record.run import PairCount
from pages.parts.learn import wording
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, other_pairs, simple_run, with_settings
from pages.parts.learn.questions import NUMBER, AnswerOption, Omission, Paper, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Training
from pages.parts.texts.corpora import example
from pages.parts.train.train_state import Train

MERGES, FURTHER = 3, 7  # the merges of the lesson's run; the merges of the run on the Train page
MOST_WRONG = 3  # wrong pairs of a question


class Pairs(Lesson):
    """The lesson "Count, merge, count again"."""

    name = "Pairs"
    title = "Count, merge, count again"
    can = "find the next merge by hand"
    opening = (
        "A training counts every pair of neighbours inside the words of a text. The most frequent pair becomes one new "
        "[token], everywhere: that is a [merge]. Then the training counts again."
    )
    own = example("hug-pug-pun").text
    about = ("first", "second", "size")
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run of the questions."""
        return simple_run(self.text, SIMPLE, MERGES)

    def _right(self, step: int) -> PairCount:
        """Return the pair that the step after `step` merges, with its count."""
        if self.run.steps <= step or len(self.run.pair_counts(step)) <= 1:
            raise Omission("the text has too few pairs")
        left, right, _, count, _ = self.run.merges[step]
        return PairCount(left, right, count)

    def first(self) -> Question:
        """Ask for the first merge. Wrong answers: a pair of the most frequent word, and other frequent pairs."""
        right = self._right(0)
        return question(
            "Which pair is merged first?",
            wording.pair_label(*right[:2]),
            self._why(0, right),
            *self._of_most_frequent_word(right),
            *self._others(0, right),
            look=wording.corpus(self.run, 0) + self._worked(right),
            steps=self._counting(0),
        )

    def _why(self, step: int, right: PairCount) -> str:
        """Return the count of the right pair, and the count of the next pair."""
        counted_so = (
            f"{wording.row(right[:2])} is seen {times(right.count)}: {wording.sum_of(self.run, step, *right[:2])}."
        )
        if not (others := other_pairs(self.run, step, 1)):
            return counted_so
        second = wording.row(others[0][:2])
        if others[0].count == right.count:
            return (
                f"{counted_so} As frequent is {second}: either is right here, and a rule decides, the pair seen first."
            )
        return f"{counted_so} Second is {second} with {others[0].count:,}."

    def _counting(self, step: int) -> list[str]:
        """Return the counts of the most frequent pairs, one after the other."""
        pairs = self.run.pair_counts(step)[: MOST_WRONG + 1][::-1]
        return [
            *(
                f"{wording.row(pair[:2])}: {wording.sum_of(self.run, step, *pair[:2])}, so {pair.count:,}."
                for pair in pairs
            ),
            f"No pair has more than {wording.row(pairs[-1][:2])} with {pairs[-1].count:,}.",
        ]

    def _worked(self, right: PairCount) -> str:
        """Return an example of counting: the least frequent other pair, if possible a pair that is in several words."""
        others = [pair for pair in self.run.pair_counts(0)[::-1] if pair[:2] != right[:2]]
        several = [pair for pair in others if len(self.run.contributions(0, *pair[:2])) > 1]
        pair = (several or others)[0]
        count = f"{wording.row(pair[:2])} is seen {times(pair.count)}: {wording.sum_of(self.run, 0, *pair[:2])}."
        return wording.sentence(f"One pair is counted for you: {count}")

    def _of_most_frequent_word(self, right: PairCount) -> list[AnswerOption]:
        """Return, in a list, a pair of the most frequent word as a wrong answer.

        It is the word's most frequent pair among the pairs that are seen less often than `right`. The list is empty if
        several words are equally the most frequent.
        """
        tokens, count = max(self.run.words(0), key=lambda word: word[1])
        inside = set(pairwise(tokens))
        pairs = [pair for pair in self.run.pair_counts(0) if pair[:2] in inside and pair.count < right.count]
        return [
            wrong_answer(
                wording.pair_label(*pair[:2]),
                f"{wording.row(pair[:2])} is seen {times(pair.count)}. {wording.row(tokens)} is the most frequent word "
                f"({times(count)}), but pairs are counted over all words.",
            )
            for pair in pairs[:1]
            if sum(one == count for _, one in self.run.words(0)) == 1
        ]

    def _others(self, step: int, right: PairCount) -> list[AnswerOption]:
        """Return the most frequent other pairs as wrong answers."""
        return [self._other(step, pair, right.count) for pair in other_pairs(self.run, step, MOST_WRONG)]

    def _other(self, step: int, pair: PairCount, most: int) -> AnswerOption:
        named, label = wording.row(pair[:2]), wording.pair_label(*pair[:2])
        if pair.count == most:
            why = f"{named} is as frequent, {times(most)}; between equals a rule decides: the pair seen first."
            return wrong_answer(label, why, near=True)
        made = wording.sum_of(self.run, step, *pair[:2])
        return wrong_answer(
            label,
            f"{named} is seen {times(pair.count)}: {made}. That is {most - pair.count:,} fewer than the best pair.",
        )

    def second(self) -> Question:
        """Ask for the second merge.

        Wrong answers: a pair whose count the first merge lowered, and other frequent pairs.
        """
        right = self._right(1)
        joined = self.run.merges[0]
        now = {pair[:2]: pair.count for pair in self.run.pair_counts(1)}
        before = [pair for pair in self.run.pair_counts(0) if now.get(pair[:2], 0) < min(pair.count, right.count)]
        stale = [
            wrong_answer(
                wording.pair_label(*pair[:2]),
                f"{wording.row(pair[:2])} had {pair.count:,}. The merge of {wording.tok(joined.token)} took some of "
                f"its symbols: {now.get(pair[:2], 0):,} are left.",
            )
            for pair in before
            if pair[:2] != joined[:2]
        ]
        paper = Paper(
            "Merge that pair in every word, and count again. Which pair is merged next?",
            wording.note("Write the words of the question before anew: the merged pair is one symbol now."),
            offers=False,  # the answers have the merged pair in them
        )
        return question(
            f"{wording.row(joined[:2])} is one token now, {wording.tok(joined.token)}. Which pair is merged next?",
            wording.pair_label(*right[:2]),
            self._why(1, right),
            *stale[:1],
            *self._others(1, right),
            look=wording.corpus(self.run, 1),
            steps=self._counting(1),
            paper=paper if joined.tied == 1 else None,  # at a tie, several first answers are right
        )

    def size(self) -> Question:
        """Ask how many merges make a vocabulary. Wrong answers: wrong ways to count the alphabet."""
        symbols = list(self.run.vocabulary(0).values())
        alphabet, steps = len(symbols), self.run.steps
        if not steps:
            raise Omission("the text has too few pairs")
        entries = alphabet + steps
        return question(
            f"How many merges make a vocabulary of {counted(entries, 'token')}?",
            steps,
            f"{entries:,} less {alphabet:,}: the alphabet is there before any merge, and each merge adds one token.",
            wrong_answer(entries, "The alphabet counts too: its characters are tokens before any merge."),
            wrong_answer(entries + alphabet, "The alphabet is part of the vocabulary already; it is not added to it."),
            look=wording.sentence(
                f"A training starts with the different characters of the text, its alphabet of {alphabet:,}: "
                f"{wording.row(symbols)}. All tokens together, the alphabet and the merged ones, are the vocabulary."
            ),
            typed=NUMBER,
            steps=(
                f"Before any merge the vocabulary is the alphabet: {counted(alphabet, 'token')}.",
                f"After one merge it has {alphabet + 1:,}.",
                f"From {alphabet:,} to {entries:,} it takes {counted(steps, 'merge')}.",
            ),
        )

    def reveal(self) -> tuple[Training, ...]:
        """Return the film of the run."""
        return (Training("pairs", self.run, min(1, self.run.steps)),)

    def take_away(self) -> str:
        """Return why the pairs are counted again after each merge."""
        return "Every merge changes the counts, so count again after each."

    def go_on(self) -> Train:
        """Return a state of Train with the same text and a few more merges."""
        settings = simple_run(self.text, SIMPLE, FURTHER).settings
        return with_settings(Train, self.text, settings, step=min(1, self.run.steps))
