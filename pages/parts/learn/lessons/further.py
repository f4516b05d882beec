"""The lesson about going on: merges across words, and new merges after those of a published vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from bpe_core import Run, Settings, train
from bpe_core.pictures.shared.in_words import counted, times
from bpe_core.record.run import PairCount
from bpe_core.record.start_tokens import base_tokens
from bpe_core.reference import count_pairs
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import (
    EVERYTHING,
    MOST_LISTED,
    SIMPLE,
    Lesson,
    other_pairs,
    published,
    recombined,
    simple_run,
    with_settings,
    words_of,
)
from pages.parts.learn.questions import SAME, AnswerOption, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Training
from pages.parts.learn.texts import FERRET, FERRETS, GPT2, GPT2_KEY
from pages.parts.learn.word_merges import MergeStep
from pages.parts.train.train_state import Train

MOST_WRONG = 3
NEW = 100  # how many new tokens the training on the Train page has room for
NO_PAIR = "no pair is left"
Tokens = tuple[bytes, ...]


class Further(Lesson):
    """The lesson "Where a training goes on"."""

    name = "Going on"
    title = "Where a training goes on"
    can = "foresee what merges do across words, and after the merges of an older vocabulary"
    opening = (
        "A training can go on where another one ended: its symbols are the [tokens](token) of that [vocabulary], and "
        "its [merges](merge) are applied after all older ones."
    )
    own = FERRET
    about = ("across", "first_new", "old_first")
    takes_beginning = True

    @cached_property
    def crossing(self) -> Run:
        """A training's second stage: it begins with every word as one token, and merges words within a line."""
        chosen = replace(SIMPLE, pretokenizer=GPT2_KEY)
        within = simple_run(self.text, chosen)
        return train((self.text,), replace(chosen, then_across_words_from=len(within.vocabulary(within.steps))))

    @cached_property
    def grown(self) -> Run:
        """A training that starts from the tokens of the published vocabulary."""
        return train((self.text,), Settings(vocab_size=EVERYTHING, start=GPT2_KEY))

    def across(self) -> Question:
        """Ask for the first merge across words. Wrong answers: other pairs, and the answer that no pair is left."""
        run = self.crossing
        if not run.steps:
            raise Omission("each of its lines is one word")
        merge = run.merges[0]
        return question(
            "From here on, merges may cross words within a line. Which pair is joined first?",
            wording.pair_label(*merge[:2]),
            f"{wording.row(merge[:2])}, seen {times(merge.count)}. The end of a piece is no wall any more.",
            *_others(run),
            wrong_answer(NO_PAIR, "Within words that is so. Between words there still are pairs, and these now count."),
            look=wording.sentence(
                f"This text was split as {GPT2} splits it, and merged until every word was one token. The second "
                "stage goes on with these lines:"
            )
            + wording.corpus(run, 0),
            steps=_counting(run),
        )

    def first_new(self) -> Question:
        """Ask for the first merge from the published tokens.

        Wrong answers: other pairs, the first merge from characters.
        """
        run = self.grown
        if not run.steps:
            raise Omission(f"each of its words is one token of {GPT2}")
        merge = run.merges[0]
        return question(
            f"Training starts from the tokens of {GPT2}, and the text is split as there. Which pair is joined first?",
            wording.pair_label(*merge[:2]),
            f"{wording.row(merge[:2])}, seen {times(merge.count)}. Its token gets the id after all old ones.",
            *_others(run),
            self._of_characters(),
            look=wording.sentence(f"The words of this text in the tokens of {GPT2}:") + wording.corpus(run, 0),
            steps=_counting(run),
            paper=None if self._shows_answer_across(run) else SAME,
        )

    def _shows_answer_across(self, run: Run) -> bool:
        """Return whether the words of a run, before its first merge, show the right answer to the question `across`."""
        asked = {merge.token for merge in self.crossing.merges[:1]}
        return any(not asked.isdisjoint(tokens) for tokens, _ in run.words(0))

    def _of_characters(self) -> AnswerOption | None:
        """Return the first merge of a training from characters as a wrong answer; None if `grown` has that pair."""
        from_characters = simple_run(self.text, replace(SIMPLE, pretokenizer=GPT2_KEY), merges=1)
        words = dict(self.grown.words(0))
        for merge in from_characters.merges:
            if merge[:2] not in count_pairs(words):
                return wrong_answer(
                    wording.pair_label(*merge[:2]),
                    f"A training from characters begins so. {GPT2}'s merges are older, and are done before the first "
                    "new one.",
                )
        return None

    def old_first(self) -> Question:
        """Ask how a new word is split with the new merges. Wrong answers: the longest tokens, and the whole word."""
        found = next(self._moved(), None)
        if found is None:
            raise Omission("no new word made of its words shows which merges come first")
        word, tokens, longest = found
        merges = self._merges_inside(word)
        name = (
            f"The merges inside {wording.text(word)}, each with its step, the oldest first. Those after step "
            f"{len(published().merges):,} are new:"
        )
        return question(
            f"{GPT2} has been grown on this text. What does it make of {wording.text(word)}?",
            wording.split_label(tokens),
            f"{wording.row(tokens)}: {GPT2}'s own merges come first, and a new one joins only what they leave.",
            wrong_answer(
                wording.split_label(longest),
                "That takes the longest token each time. Merges are applied in the order learnt, the old ones first.",
            ),
            wrong_answer(wording.split_label([encode_text(word)]), "No merge of the list makes it whole."),
            look=wording.merge_list(merges, name=name),
            steps=wording.way(word_merges.single_bytes(word), merges),
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

    def take_away(self) -> str:
        """Return that a training goes on from tokens as it does from letters, and the figures of both runs."""
        across, grown = self.crossing, self.grown
        return (
            "A training goes on from tokens as it begins from letters: it joins the most frequent pair. Across words, "
            f"{counted(int(across.corpus_tokens[0]), 'token')} of this text became {int(across.corpus_tokens[-1]):,}; "
            f"from the tokens of {GPT2}, {int(grown.corpus_tokens[0]):,} became {int(grown.corpus_tokens[-1]):,}. Old "
            "ids stay, and old merges come first."
        )

    def go_on(self) -> Train:
        """Return a state of Train, where the published vocabulary grows on the text."""
        size = len(base_tokens(published())) + NEW
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


def _others(run: Run) -> list[AnswerOption]:
    """Return, as wrong answers, frequent pairs other than the first merge of a run."""
    merge = run.merges[0]

    def said(pair: PairCount) -> str:
        named = f"{wording.row(pair[:2])} is seen {times(pair.count)}"
        if pair.count == merge.count:
            return f"{named} too; between equals a rule decides: the pair seen first."
        return f"{named}, {merge.count - pair.count:,} fewer."

    return [
        wrong_answer(wording.pair_label(*pair[:2]), said(pair), near=pair.count == merge.count)
        for pair in other_pairs(run, 0, MOST_WRONG)
    ]


def _counting(run: Run) -> list[str]:
    """Return the steps of an answer that finds the first merge of a run: the counts of some pairs."""
    merge = run.merges[0]
    pairs = [*other_pairs(run, 0, MOST_WRONG)[::-1], PairCount(merge.left, merge.right, merge.count)]
    return [
        *(f"{wording.row(pair[:2])} is seen {times(pair.count)}." for pair in pairs),
        f"No pair is seen more often than {wording.row(merge[:2])}.",
    ]
