"""The lesson about going on: merges across words, and new merges after those of a published vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from bpe_core import Run, Settings, train
from bpe_core.record.record import Steps
from bpe_core.reference import count_pairs
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, times
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import (
    EVERYTHING,
    MOST_LISTED,
    SIMPLE,
    Lesson,
    counting,
    published,
    recombined,
    simple_run,
    with_settings,
    words_of,
    wrong_pairs,
)
from pages.parts.learn.reveal_drawings import Training
from pages.parts.learn.texts import FERRET, FERRETS, GPT2, GPT2_KEY
from pages.parts.learn.word_merges import MergeStep
from pages.parts.state.train_state import Train

MOST_WRONG = 3
NEW = 100  # how many new tokens the training on the Train page has room for
Tokens = tuple[bytes, ...]


class Further(Lesson):
    """The lesson "Where a training goes on"."""

    sentences = lesson_text(__file__)
    own = FERRET
    takes_beginning = True

    @cached_property
    def crossing(self) -> Run:
        """A training whose second stage begins with every word as one token, and merges words within a line."""
        chosen = replace(SIMPLE, pretokenizer=GPT2_KEY)
        within = simple_run(self.text, chosen)
        return train((self.text,), replace(chosen, then_across_words_from=len(within.vocabulary(within.steps))))

    @cached_property
    def grown(self) -> Run:
        """A training that starts from the tokens of the published vocabulary."""
        return train((self.text,), Settings(vocab_size=EVERYTHING, start=GPT2_KEY))

    def across(self) -> Facts:
        """Find the first merge across words."""
        across = self.crossing.stages[-1]
        if not across.steps:
            raise NoPoint()
        return _first_merge(across, WrongAnswer(Phrase("no pair"), "no pair"))

    def first_new(self) -> Facts:
        """Find the first merge from the published tokens."""
        if not self.grown.steps:
            raise NoPoint()
        return _first_merge(self.grown, self._of_characters(), not self._shows_answer_across(self.grown))

    def _shows_answer_across(self, run: Run) -> bool:
        """Return whether the words of a run, before its first merge, show the right answer to the question `across`."""
        asked = {merge.token for merge in self.crossing.stages[-1].merges[:1]}
        return any(not asked.isdisjoint(tokens) for tokens, _ in run.words(0))

    def _of_characters(self) -> WrongAnswer | None:
        """Return the first merge of a training from characters as a wrong answer; None if `grown` has that pair."""
        from_characters = simple_run(self.text, replace(SIMPLE, pretokenizer=GPT2_KEY), merges=1)
        words = dict(self.grown.words(0))
        for merge in from_characters.merges:
            if merge[:2] not in count_pairs(words):
                return WrongAnswer(wording.pair_label(*merge[:2]), "from characters")
        return None

    def old_first(self) -> Facts:
        """Split a new word with the new merges."""
        found = next(self._moved(), None)
        if found is None:
            raise NoPoint()
        word, tokens, longest = found
        merges = self._merges_inside(word)
        return Facts(
            wording.split_label(tokens),
            WrongAnswer(wording.split_label(longest), "longest"),
            WrongAnswer(wording.split_label([encode_text(word)]), "whole"),
            steps=wording.way(word_merges.single_bytes(word), merges),
            word=wording.text(word),
            step=len(published().merges),
            list=wording.merge_list(merges),
            tokens=tokens,
        )

    def _moved(self) -> Iterator[tuple[str, Tokens, Tokens]]:
        """Yield new words whose split shows that old merges come first: (word, tokens, longest tokens).

        A new merge fits into each of the words, and the word's tokens are not the longest tokens that fit.
        """
        first, *later = [merge.token for merge in self.grown.merges] or [b""]
        words = [FERRETS] if self.is_own else [f" {word}" for word in recombined(words_of(self.text))]
        for word in words:
            raw = encode_text(word)
            if first in raw or not any(token in raw for token in later):  # `first` is the answer to the question before
                continue
            if len(published().pretokenizer.split(word)) != 1:
                continue
            merges, longest = self._merges_inside(word), _longest(raw, later)
            tokens = word_merges.states(word_merges.single_bytes(word), merges)[-1].tokens
            if len(tokens) > 1 and tokens != longest and len(merges) <= MOST_LISTED:
                yield word, tokens, longest

    def _merges_inside(self, word: str) -> list[MergeStep]:
        """Return the old and the new merges inside a word, the oldest first."""
        raw, before = encode_text(word), len(published().merges)
        new = [
            MergeStep(before + step, merge.left, merge.right)
            for step, merge in enumerate(self.grown.merges, 1)
            if merge.token in raw
        ]
        return [*word_merges.inside(published(), word), *new]

    def reveal(self) -> tuple[Training, ...]:
        """Return a film of each training."""
        return (
            Training("Across words", self.crossing),
            Training(f"From the tokens of {GPT2}", self.grown),
        )

    def taken(self) -> Phrase:
        """Return the figures of both runs."""
        across, grown = (
            [int(run.corpus_tokens[at]) for at in (0, -1)] for run in (self.crossing.stages[-1], self.grown)
        )
        return Phrase(words=counted(across[0], "token"), across=across[1], old=grown[0], new=grown[1])

    def go_on(self) -> Train:
        """Return a state of Train, where the published vocabulary grows on the text."""
        size = published().vocab_size + NEW
        return with_settings(Train, self.text, Settings(vocab_size=size, start=GPT2_KEY))


def _longest(raw: bytes, new: list[bytes]) -> Tokens:
    """Split a word from left to right, each time at the end of the longest token that fits; return the tokens.

    `new`: the tokens that may be used in addition to the published vocabulary.
    """
    found: Tokens = ()
    while raw:
        ends = range(len(raw), 0, -1)
        fitting = (raw[:end] for end in ends if raw[:end] in new or published().token_to_id(raw[:end]) is not None)
        found = (*found, next(fitting))
        raw = raw[len(found[-1]) :]
    return found


def _first_merge(run: Steps, other: WrongAnswer | None, on_sheet: bool = True) -> Facts:
    """Return the facts of a question about a run's first merge. `other`: a wrong answer besides frequent pairs."""
    merge = run.merges[0]
    return Facts(
        wording.pair_label(*merge[:2]),
        *wrong_pairs(run, 0, MOST_WRONG),
        other,
        steps=counting(run, 0, MOST_WRONG),
        on_sheet=on_sheet,
        words=wording.corpus(run, 0),
        pair=merge[:2],
        times=times(merge.count),
    )
