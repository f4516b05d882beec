"""The lesson about evidence: what merges tell of the text that they were learnt from."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import pairwise, takewhile
from typing import NamedTuple

from bpe_core import Run, train
from bpe_core.corpus.sources import marked
from bpe_core.text.in_words import counted
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import SIMPLE, Lesson, with_settings
from pages.parts.learn.reveal_drawings import Training
from pages.parts.state.train_state import Train

ENGLISH, GERMAN = "the cat and the dog and the hen", "der hund und der vogel und der kater"
OTHER_GERMAN = "eine maus und ein hase essen brot"
TIMES = (3, 2)  # how often each sample is in the text
STEPS = 7  # merges that are looked at
Pair = tuple[bytes, bytes]


class Bound(NamedTuple):
    """The shares of German in the letters with which a step's pair is the most frequent one in the mixture.

    `least` is larger than `most` if there is no such share. `rival`: the pair that would win with more than `most`.
    """

    step: int
    pair: Pair
    least: float
    most: float
    rival: Pair | None

    @property
    def fits(self) -> bool:
        """Whether there is such a share."""
        return self.least <= self.most


class Evidence(Lesson):
    """The lesson "What was it trained on?"."""

    sentences = lesson_text(__file__)
    own = marked({"English": f"{ENGLISH}\n" * TIMES[0], "German": f"{GERMAN}\n" * TIMES[1]})
    fixed = ("first", "room", "unlike")  # a text of one's own has no known mixture

    @cached_property
    def run(self) -> Run:
        """The run on the mixture."""
        return train({"English": f"{ENGLISH}\n" * TIMES[0], "German": f"{GERMAN}\n" * TIMES[1]}, SIMPLE)

    @cached_property
    def true(self) -> float:
        """The share of German in the letters of the text."""
        english, german = (source.characters for source in self.run.sources(0))
        return german / (english + german)

    def first(self) -> Facts:
        """Find the most German that the first merge allows."""
        bound = bounds(self.run, ENGLISH, GERMAN)[0]
        assert bound.rival, "the first merge of the lesson's text has a rival"
        counts = [pair_counts(self.run, 0, sample) for sample in (ENGLISH, GERMAN)]
        sizes = [*map(_letters, (ENGLISH, GERMAN))]
        (pair, rival), german = (
            (counts[0][each] / sizes[0] for each in (bound.pair, bound.rival)),
            counts[1][bound.rival],
        )
        rate, share = german / sizes[1], _percent(bound.most)
        labels = [wording.pair_label(*each) for each in (bound.pair, bound.rival)]
        return Facts(
            share,
            WrongAnswer(_percent(pair / (pair + rate)), "forgets"),
            WrongAnswer(_percent(1), "all"),
            steps=[
                Phrase("english", pair_rate=_rate(pair), rival_rate=_rate(rival), ahead=_rate(pair - rival)),
                Phrase("german", german_rate=_rate(rate)),
                Phrase("share", ahead=_rate(pair - rival), german_rate=_rate(rate)),
                Phrase("percent", share=share),
            ],
            step=bound.step,
            pair=labels[0],
            rival=labels[1],
            english=wording.text(ENGLISH),
            german=wording.text(GERMAN),
            english_letters=counted(sizes[0], "letter"),
            german_letters=counted(sizes[1], "letter"),
            counts=Table(
                [
                    (label, *(each[shown] for each in counts))
                    for label, shown in zip(labels, (bound.pair, bound.rival), strict=True)
                ]
            ),
        )

    def room(self) -> Facts:
        """Find the share that fits all merges."""
        found = bounds(self.run, ENGLISH, GERMAN)
        least, most = _room(found)
        single = {(_percent(bound.least), _percent(bound.most)): bound for bound in reversed(found)}
        return Facts(
            _from_to(least, most),
            *(
                WrongAnswer(_from_to(bound.least, bound.most), "one", step=bound.step)
                for percents, bound in single.items()
                if percents != (_percent(least), _percent(most))
            ),
            steps=[Phrase("least", least=_percent(least)), Phrase("most", most=_percent(most))],
            bounds=_table(found),
            true=f"{_percent(self.true)}%",
        )

    def unlike(self) -> Facts:
        """Find that no share fits, with a sample of another text."""
        found = bounds(self.run, ENGLISH, OTHER_GERMAN)
        broken = next(bound for bound in found if not bound.fits)
        before = _room([*takewhile(lambda bound: bound.fits, found)])
        return Facts(
            Phrase("nothing"),
            WrongAnswer(_from_to(*before), "first"),
            WrongAnswer(_from_to(*_room(bounds(self.run, ENGLISH, GERMAN))), "before"),
            steps=[Phrase("none"), Phrase("so")],
            other=wording.text(OTHER_GERMAN),
            bounds=_table(found),
            pair=wording.pair_label(*broken.pair),
            step=broken.step,
            true=f"{_percent(self.true)}%",
        )

    def reveal(self) -> tuple[Training, ...]:
        """Return the film of the training, with its sources."""
        return (Training("English and German", self.run),)

    def taken(self) -> Phrase:
        """Return the mixture that was found, and the true one."""
        return Phrase(room=_from_to(*_room(bounds(self.run, ENGLISH, GERMAN))), true=f"{_percent(self.true)}%")

    def go_on(self) -> Train:
        """Return a state of Train with the mixture and its sources."""
        return with_settings(Train, self.own, SIMPLE, view="sources")


def bounds(run: Run, one: str, other: str) -> list[Bound]:
    """Return for each of the first `STEPS` merges the shares of `other` with which its pair is the most frequent one.

    >>> [round(bound.most, 2) for bound in bounds(train({"a": "ab ab", "b": "cb"}, SIMPLE), "ab", "cb")]
    [0.5, 1.0]
    """
    found = []
    for step, merge in enumerate(run.merges[:STEPS], 1):
        merged = merge.left, merge.right
        rates = [
            {pair: count / _letters(sample) for pair, count in pair_counts(run, step - 1, sample).items()}
            for sample in (one, other)
        ]
        least, most, rival = 0.0, 1.0, None
        for pair in {**rates[0], **rates[1]}:
            ahead, in_other = (rate.get(merged, 0) - rate.get(pair, 0) for rate in rates)
            if ahead < in_other:
                least = max(least, ahead / (ahead - in_other))
            elif ahead > in_other and ahead / (ahead - in_other) < most:
                most, rival = ahead / (ahead - in_other), pair
            elif ahead == in_other < 0:
                least, most = 1.0, 0.0
        found.append(Bound(step, merged, least, most, rival))
    return found


def pair_counts(run: Run, step: int, sample: str) -> Counter[Pair]:
    """Return how often each pair occurs in a sample after `step` merges of a run.

    >>> pair_counts(train("low low", SIMPLE), 1, "slow")
    Counter({(b'lo', b'w'): 1})
    """
    tokenizer, found = run.tokenizer(step), Counter[Pair]()
    for word in sample.split():
        ids = tokenizer.encode_word(word)
        known = [pair for pair in pairwise(ids) if min(pair) >= 0]
        found.update((tokenizer.tokens[left], tokenizer.tokens[right]) for left, right in known)
    return found


def _letters(sample: str) -> int:
    return sum(map(len, sample.split()))


def _room(found: list[Bound]) -> tuple[float, float]:
    """Return the shares that fit all of some bounds: the least and the most."""
    return max(bound.least for bound in found), min(bound.most for bound in found)


def _percent(share: float) -> int:
    return round(share / 0.01)


def _rate(each: float) -> str:
    return f"{each:.3f}"


def _from_to(least: float, most: float) -> Phrase:
    return Phrase("from to", least=_percent(least), most=_percent(most))


def _table(found: list[Bound]) -> Table:
    """Return a row for each bound; a line in place of shares where there are none."""
    return Table(
        [
            (
                bound.step,
                wording.pair_label(*bound.pair),
                *((_percent(bound.least), _percent(bound.most)) if bound.fits else ("–", "–")),
            )
            for bound in found
        ]
    )
