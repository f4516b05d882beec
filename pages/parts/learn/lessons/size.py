"""The lesson about size: what more tokens are worth."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from bpe_core import Run, Settings
from bpe_core.pictures.shared.in_words import counted
from bpe_core.tokenizer.cost_curve import CostCurve, cost_curve
from pages.parts.learn import wording
from pages.parts.learn.lessons.lesson import Lesson, simple_run, with_settings
from pages.parts.learn.questions import NUMBER, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Curve
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.texts.corpora import example
from pages.parts.train.train_state import Train

SMALL, TWICE, ASKED, STEP = 512, 1024, 5000, 64  # STEP: from size to size in a table
STORY, OTHER = "short-story", "another-story"


class Size(Lesson):
    """The lesson "How large a vocabulary?"."""

    name = "Size"
    title = "How large a vocabulary?"
    can = "argue for the size of a vocabulary"
    opening = (
        "A [vocabulary] grows by one token with every [merge], as long as there is a pair to merge. What do more "
        "tokens buy?"
    )
    own = example(STORY).text
    about = ("twice", "too_many")
    others = ("another-story", "python-code")

    @cached_property
    def run(self) -> Run:
        """A run whose wanted vocabulary size is usually larger than the text has merges for."""
        return simple_run(self.text, Settings(GPT2_KEY, vocab_size=ASKED))

    @cached_property
    def tried(self) -> str:
        """The key of the held-out text."""
        return STORY if self.text == example(OTHER).text else OTHER

    @cached_property
    def growth(self) -> CostCurve:
        """The cost of the held-out text at every size."""
        return cost_curve(example(self.tried).text, self.run.tokenizer())

    @property
    def _base(self) -> int:
        return len(self.run.vocabulary(0))

    def twice(self) -> Question:
        """Ask how many tokens the held-out text needs with twice the vocabulary.

        Wrong answers: half as many, and others.
        """
        if self._base + self.run.steps <= SMALL:
            raise Omission("every word of it is one token before the vocabulary is large")
        larger = min(TWICE, self._base + self.run.steps)
        few, many = self._cost(SMALL), self._cost(larger)
        new, name = larger - SMALL, example(self.tried).name
        sizes = range(self._base, SMALL + 1, STEP)
        costs = [self._cost(size) for size in sizes]
        saved = [before - after for before, after in pairwise(costs)]
        rows = [
            (size, wording.bar(cost, costs[0]), less)
            for size, cost, less in zip(sizes, costs, ["", *saved], strict=True)
        ]
        last = saved[-1]
        if saved != sorted(saved, reverse=True) or not few - new * last // STEP < many < few:
            raise Omission("its vocabulary does not save less and less")
        return question(
            f"How many tokens does “{name}” need with a vocabulary of {larger:,}?",
            many,
            f"{counted(few - many, 'token')} fewer than {few:,}, for {new:,} more in the vocabulary. The first "
            f"{SMALL - self._base:,} merges saved {costs[0] - few:,}.",
            wrong_answer(few // 2, "Twice the vocabulary is not half the text: later merges are rarer.")
            if not few - new * last // STEP < few // 2 < few
            else None,
            wrong_answer(
                few - new * last // STEP,
                f"Only if every {STEP:,} merges went on to save {last:,}: they save ever fewer.",
            ),
            wrong_answer(few, "Some of the new tokens do occur in it."),
            wrong_answer(costs[0], f"So many are its bytes, with a vocabulary of {self._base:,}."),
            look=wording.sentence(
                f"A vocabulary is learnt from {self._title}, split as {GPT2} splits it. It starts with the alphabet, "
                f"the {self._base:,} bytes, and grows. This is how many tokens “{name}” needs with it:"
            )
            + wording.html_table(
                ("tokens in the vocabulary", f"tokens of “{name}”", f"saved by the last {STEP:,}"), rows
            )
            + wording.text_to_open(self._title, self.text)
            + wording.text_to_open(f"“{name}”", example(self.tried).text),
            typed=NUMBER,
            steps=(
                f"The last {STEP:,} merges of the table saved {counted(last, 'token')}, and from row to row they save "
                "less.",
                f"At that pace, {new:,} more merges would save {new * last // STEP:,}. They save less than that, so "
                f"more than {few - new * last // STEP:,} tokens are left, and fewer than {few:,}.",
                f"Of the answers, only {many:,} lies between.",
            ),
        )

    @property
    def _title(self) -> str:
        return f"“{example(STORY).name}”" if self.is_own else "this text"

    def _cost(self, size: int) -> int:
        """Return how many tokens the held-out text needs with a vocabulary of this size."""
        return int(self.growth.tokens[size - self._base])

    def too_many(self) -> Question:
        """Ask how large a vocabulary gets if the pairs run out before the wanted size.

        Wrong answers: the wanted size, other sums.
        """
        steps, size = self.run.steps, self._base + self.run.steps
        if size >= ASKED:
            raise Omission("it has merges enough for any vocabulary that is asked for here")
        if size == self._base:
            raise Omission("it has no pair to merge")
        words = len(self.run.pretokens)
        return question(
            f"A vocabulary of {ASKED:,} tokens is asked for. How many tokens does the training give it?",
            size,
            f"{self._base:,} + {steps:,}. Then every word of the text is one token, and no pair is left to merge.",
            wrong_answer(ASKED, "Every word is one token long before: no pairs are left."),
            wrong_answer(steps, f"So many merges; the alphabet of {self._base:,} bytes counts too."),
            wrong_answer(self._base + words, "One word takes several merges, and words share them."),
            look=wording.sentence(
                f"The alphabet has {self._base:,} bytes, and {self._title} has {counted(words, 'different word')}, "
                f"split as {GPT2} splits it. After {counted(steps, 'merge')} each of them is one token, so no pair is "
                "left."
            ),
            typed=NUMBER,
            steps=(
                f"The training begins with {self._base:,} tokens.",
                f"Each of the {counted(steps, 'merge')} adds one. Then there is nothing left to merge.",
                f"{self._base:,} + {steps:,} = {size:,}.",
            ),
        )

    def reveal(self) -> tuple[Curve, ...]:
        """Return the curve of the held-out text's cost, with the sizes that were asked about."""
        last = self._base + self.run.steps
        asked = (SMALL, min(TWICE, last)) if last > SMALL else (last,)
        return (Curve(example(self.tried).name, self.growth, self._base, asked),)

    def take_away(self) -> str:
        """Return which merges pay."""
        once = sum(merge.count == 1 for merge in self.run.merges)
        return (
            f"Early merges pay, late ones memorise: {once:,} of the {self.run.steps:,} merges join a pair that is seen "
            "once."
        )

    def go_on(self) -> Train:
        """Return a state of Train with the curves of the same training."""
        settings = Settings(GPT2_KEY, vocab_size=self._base + self.run.steps)
        return with_settings(Train, self.text, settings, view="curves")
