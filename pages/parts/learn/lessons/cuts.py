"""The lesson about splits: which tokens a split forbids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cached_property

from bpe_core import PRETOKENIZERS, Run
from bpe_core.text.alphabet import decode_bytes, encode_text
from bpe_core.text.in_words import times
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import (
    SIMPLE,
    SMALL,
    Lesson,
    comparison,
    counting,
    simple_run,
    wrong_pairs,
)
from pages.parts.learn.reveal_drawings import BlockedPairs
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.state.compare_state import Compare
from pages.parts.texts.corpora import example

SIZE = 300  # the vocabulary size on the page that the lesson leads to
MOST_WRONG, MOST_STEPS = 3, 50


class Cuts(Lesson):
    """The lesson "Where no merge may go"."""

    sentences = lesson_text(__file__)
    own = example("one-dinosaur").text
    takes_beginning = True
    others = SMALL

    @cached_property
    def unsplit(self) -> Run:
        """A run without any split."""
        return simple_run(self.text, replace(SIMPLE, pretokenizer="none"))

    @cached_property
    def by_space(self) -> Run:
        """A run with a split at white space."""
        return simple_run(self.text, SIMPLE)

    @cached_property
    def by_class(self) -> Run:
        """A run with the split of the published vocabulary."""
        return simple_run(self.text, replace(SIMPLE, pretokenizer=GPT2_KEY))

    @cached_property
    def _crossing(self) -> int | None:
        """The first step at which the run without a split makes a token across two words; None if no step does."""
        merges = self.unsplit.merges
        return next((k for k, merge in enumerate(merges, 1) if len(decode_bytes(merge.token).split()) > 1), None)

    def no_split(self) -> Facts:
        """Find the pair that is joined where nothing is split."""
        step, run = self._crossing, self.unsplit
        if step is None or step <= 1:
            raise NoPoint()
        merge = run.merges[step - 1]
        return Facts(
            wording.pair_label(*merge[:2]),
            *wrong_pairs(run, step - 1, MOST_WRONG),
            steps=counting(run, step - 1, MOST_WRONG),
            token=run.merges[step - 2].token,
            words=wording.corpus(run, step - 1),
            pair=merge[:2],
            times=times(merge.count),
        )

    def never(self) -> Facts:
        """Find a token that a split at white space forbids, and allowed tokens, if possible with signs."""
        learnt = [merge.token for merge in self.by_space.merges]
        if (crossing := self._two_words()) is None or not learnt:
            raise NoPoint()
        mixed = [token for token in learnt if _mixed(token)]
        tempting = list(dict.fromkeys([*mixed[:1], *learnt[::-1]]))[:MOST_WRONG]
        words = [encode_text(word) for word in self.by_space.pretokens]
        pieces = [(token, next(word for word in words if token in word)) for token in tempting]
        wrong = ((token, "sign" if _mixed(token) else "letters", learnt.index(token) + 1) for token in tempting)
        return Facts(
            wording.split_label([crossing]),
            *(WrongAnswer(wording.split_label([token]), name, step=step, token=token) for token, name, step in wrong),
            steps=[
                Phrase("rule"),
                *(Phrase("inside", token=token, piece=piece) for token, piece in pieces),
                Phrase("none", token=crossing),
            ],
            pieces=wording.chips(words),
            crossing=crossing,
        )

    def _two_words(self) -> bytes | None:
        """Return, as one token, the most frequent pair of words that one space separates; None without such words."""
        found = Counter(encode_text(words) for words in re.findall(r"(?=(?<!\S)(\S+ \S+))", self.text))
        return found.most_common(1)[0][0] if found else None

    @cached_property
    def _pieces(self) -> list[bytes]:
        """The different pieces of the published split, in the order of the text."""
        return [encode_text(piece) for piece in self.by_class.pretokens]

    def allowed(self) -> Facts:
        """Find a token that the published split allows, and tokens that only other splits allow."""
        learnt = [merge.token for merge in self.by_class.merges]
        spaced = [token for token in learnt if token.startswith(b" ")] or learnt
        signs = [merge.token for merge in self.by_space.merges if _mixed(merge.token)]
        ends = [merge.token for merge in self.unsplit.merges if merge.token.endswith(b" ")]
        crossing = self._two_words()
        tempting = [
            next((token for token in tokens if not any(token in piece for piece in self._pieces)), None)
            for tokens in (signs, ends, [crossing] if crossing else [])
        ]
        forbidden = list(dict.fromkeys(token for token in tempting if token))
        if not spaced or not forbidden:
            raise NoPoint()
        right = max(spaced, key=len)
        wrong = ((token, "spaced" if b" " in token else "kept") for token in forbidden)
        return Facts(
            wording.split_label([right]),
            *(WrongAnswer(wording.split_label([token]), name, token=token) for token, name in wrong),
            steps=[Phrase("rule"), *(Phrase("none", token=token) for token in forbidden), Phrase("inside")],
            pieces=wording.chips(encode_text(piece.text) for piece in PRETOKENIZERS[GPT2_KEY].split(self.text)),
            token=right,
            piece=next(piece for piece in self._pieces if right in piece),
        )

    @cached_property
    def _best_blocked(self) -> int:
        """The step at which the best forbidden pair exceeds the best allowed pair by the most occurrences."""
        run = self.by_class

        def ahead(step: int) -> int:
            forbidden, allowed = run.blocked_pairs(step, 1), run.pair_counts(step, 1)
            return forbidden[0].count - allowed[0].count if forbidden and allowed else 0

        return max(range(min(run.steps, MOST_STEPS) + 1), key=ahead)

    def reveal(self) -> tuple[BlockedPairs, ...]:
        """Return the pairs that the split forbids, and the pairs that it allows."""
        return (BlockedPairs(self.by_class, self._best_blocked),)

    def taken(self) -> Phrase:
        """Return that the split comes before the merges, and the most frequent pair that the split forbids."""
        run, step = self.by_class, self._best_blocked
        forbidden, allowed = run.blocked_pairs(step, 1), run.pair_counts(step, 1)
        if not forbidden or not allowed or forbidden[0].count <= allowed[0].count:
            return Phrase()
        best = forbidden[0]
        return Phrase("blocked", step=step, pair=best[:2], times=times(best.count), allowed=allowed[0].count)

    def go_on(self) -> Compare:
        """Return a state of Compare with its view of the blocked pairs."""
        left = replace(SIMPLE, pretokenizer="none", vocab_size=SIZE)
        size = max(SIZE, len(self.unsplit.vocabulary(0)), len(self.by_class.vocabulary(0)))
        left = replace(left, vocab_size=size)
        right = replace(left, pretokenizer=GPT2_KEY)
        return comparison(self.text, left, right, step=self._best_blocked, view="blocked")


def _mixed(token: bytes) -> bool:
    """Return whether a token has both letters and characters that are neither letters nor digits."""
    text = decode_bytes(token)
    return any(char.isalpha() for char in text) and not all(char.isalnum() for char in text)
