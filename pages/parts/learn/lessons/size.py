"""The lesson about size: what more tokens are worth."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from bpe_core import Run, Settings
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.cost_curve import CostCurve, cost_curve
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, simple_run, with_settings
from pages.parts.learn.reveal_drawings import Curve
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example

SMALL, TWICE, ASKED, STEP = 512, 1024, 5000, 64  # STEP: from size to size in a table
STORY, OTHER = "short-story", "another-story"


class Size(Lesson):
    """The lesson "How large a vocabulary?"."""

    sentences = lesson_text(__file__)
    own = example(STORY).text
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

    def twice(self) -> Facts:
        """Count the tokens that the held-out text needs with twice the vocabulary."""
        if self._base + self.run.steps <= SMALL:
            raise NoPoint("small")
        larger = min(TWICE, self._base + self.run.steps)
        few, many, new = self._cost(SMALL), self._cost(larger), larger - SMALL
        sizes = range(self._base, SMALL + 1, STEP)
        costs = [self._cost(size) for size in sizes]
        saved = [before - after for before, after in pairwise(costs)]
        at_pace = few - new * saved[-1] // STEP
        if saved != sorted(saved, reverse=True) or not at_pace < many < few:
            raise NoPoint("uneven")
        bars = [wording.bar(cost, costs[0]) for cost in costs]
        less: list[int | str] = ["", *saved]
        other = example(self.tried)
        return Facts(
            many,
            WrongAnswer(few // 2, "half") if not at_pace < few // 2 < few else None,
            WrongAnswer(at_pace, "pace"),
            WrongAnswer(few, "as many"),
            WrongAnswer(costs[0], "bytes"),
            other=other.name,
            larger=larger,
            title=self._title,
            base=self._base,
            sizes=Table(list(zip(sizes, bars, less, strict=True))),
            text=wording.text_to_open(self._title, self.text),
            other_text=wording.text_to_open(f"“{other.name}”", other.text),
            pace=STEP,
            fewer=counted(few - many, "token"),
            few=few,
            many=many,
            new=new,
            first_merges=SMALL - self._base,
            first_saved=costs[0] - few,
            last=saved[-1],
            last_tokens=counted(saved[-1], "token"),
            at_pace=new * saved[-1] // STEP,
            least=at_pace,
        )

    @property
    def _title(self) -> str:
        return f"“{example(STORY).name}”" if self.is_own else "this text"

    def _cost(self, size: int) -> int:
        """Return how many tokens the held-out text needs with a vocabulary of this size."""
        return int(self.growth.tokens[size - self._base])

    def too_many(self) -> Facts:
        """Find how large a vocabulary gets if the pairs run out before the wanted size."""
        steps, size = self.run.steps, self._base + self.run.steps
        if size >= ASKED:
            raise NoPoint("enough")
        if size == self._base:
            raise NoPoint("no pair")
        words = len(self.run.pretokens)
        return Facts(
            size,
            WrongAnswer(ASKED, "asked"),
            WrongAnswer(steps, "merges"),
            WrongAnswer(self._base + words, "words"),
            asked=ASKED,
            base=self._base,
            title=self._title,
            words=counted(words, "different word"),
            merges=counted(steps, "merge"),
            added=steps,
            size=size,
        )

    def reveal(self) -> tuple[Curve, ...]:
        """Return the curve of the held-out text's cost, with the sizes that were asked about."""
        last = self._base + self.run.steps
        asked = (SMALL, min(TWICE, last)) if last > SMALL else (last,)
        return (Curve(example(self.tried).name, self.growth, self._base, asked),)

    def taken(self) -> Phrase:
        """Return how many merges are late ones."""
        return Phrase(
            once=counted(sum(merge.count == 1 for merge in self.run.merges), "joins", "join"),
            merges=counted(self.run.steps, "merge"),
        )

    def go_on(self) -> Train:
        """Return a state of Train with the curves of the same training."""
        settings = Settings(GPT2_KEY, vocab_size=self._base + self.run.steps)
        return with_settings(Train, self.text, settings, view="curves")
