"""The lesson about size: what more tokens are worth."""

from __future__ import annotations

from functools import cached_property

from bpe_core import Run, Settings
from bpe_core.display.in_words import counted
from bpe_core.tokenizer.cost_curve import CostCurve, cost_curve
from pages.parts.learn import wording
from pages.parts.learn.instruments import Curve
from pages.parts.learn.lessons.lesson import Lesson, trained, with_settings
from pages.parts.learn.questions import NUMBER, Omission, Question, lure, question
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Train

SMALL, TWICE, ASKED = 512, 1024, 5000
STORY, OTHER = "short-story", "another-story"


class Size(Lesson):
    """The lesson "How large a vocabulary?"."""

    name = "Size"
    title = "How large a vocabulary?"
    can = "argue for the size of a vocabulary"
    opening = "A vocabulary is as large as one asks for. What do more tokens buy?"
    own = example(STORY).text
    about = ("twice", "too_many")
    others = ("another-story", "python-code")

    @cached_property
    def run(self) -> Run:
        """A run with a vocabulary size that is usually more than the text has merges for."""
        return trained(self.text, Settings(GPT2_KEY, vocab_size=ASKED))

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
        """Ask how many tokens the held-out text needs with twice the vocabulary. Lures: half as many, and others."""
        if self._base + self.run.steps <= SMALL:
            raise Omission("every word of it is one token before the vocabulary is large")
        larger = min(TWICE, self._base + self.run.steps)
        few, many = (int(self.growth.tokens[size - self._base]) for size in (SMALL, larger))
        new = larger - SMALL
        name = example(self.tried).name
        return question(
            f"Learnt from this text, split as {GPT2} splits it, a vocabulary of {SMALL:,} needs {few:,} tokens for "
            f"“{name}”. How many does one of {larger:,} need?",
            many,
            f"{counted(few - many, 'token')} fewer than {few:,}, for {new:,} more in the vocabulary.",
            lure(few // 2, "Twice the vocabulary is not half the text: later merges are rarer."),
            lure(few - new, "Most of the new tokens never occur in this text.") if few > new else None,
            lure(few, "Some of the new tokens do occur in it."),
            look=wording.excerpt(self.text),
            typed=NUMBER,
        )

    def too_many(self) -> Question:
        """Ask how many tokens a vocabulary gets if the text has too few merges. Lures: the wanted size, other sums."""
        size = self._base + self.run.steps
        if size >= ASKED:
            raise Omission("it has merges enough for any vocabulary that is asked for here")
        if size == self._base:
            raise Omission("it has no pair to join")
        words = len(self.run.pretokens)
        return question(
            f"A vocabulary of {ASKED:,} is asked for. How many tokens does it get?",
            size,
            "With that many, every word of the text is one token, and no pair is left to join.",
            lure(ASKED, "Every word is one token long before: no pairs are left."),
            lure(self.run.steps, f"So many merges; the alphabet of {self._base:,} bytes counts too."),
            lure(self._base + words, "One word takes several merges, and words share them."),
            typed=NUMBER,
        )

    def reveal(self) -> tuple[Curve, ...]:
        """Return the curve of the held-out text's cost."""
        return (Curve(example(self.tried).name, self.growth, self._base),)

    def take_away(self) -> str:
        """Return which merges pay."""
        once = sum(merge.count == 1 for merge in self.run.merges)
        return (
            f"Early merges pay, late ones memorise: {once:,} of the {self.run.steps:,} merges join a pair that is seen "
            "once."
        )

    def go_on(self) -> Train:
        """Return the way to the curves of the same training on the Train page."""
        settings = Settings(GPT2_KEY, vocab_size=self._base + self.run.steps)
        return with_settings(Train, self.text, settings, view="curves")
