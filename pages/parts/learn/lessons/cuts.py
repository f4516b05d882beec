"""The lesson about splits: which tokens a split forbids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cached_property

from bpe_core import PRETOKENIZERS, Run
from bpe_core.pictures.shared.in_words import times
from bpe_core.record.run import PairCount
from bpe_core.text.alphabet import decode_bytes, encode_text
from pages.parts.compare.compare_state import Compare
from pages.parts.learn import wording
from pages.parts.learn.lessons.lesson import (
    SIMPLE,
    SMALL,
    Lesson,
    comparison,
    other_pairs,
    simple_run,
)
from pages.parts.learn.questions import Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import BlockedPairs
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.texts.corpora import example

SIZE = 300  # the vocabulary size on the page that the lesson leads to
MOST_WRONG, MOST_STEPS = 3, 50


class Cuts(Lesson):
    """The lesson "Where no merge may go"."""

    name = "Splits"
    title = "Where no merge may go"
    can = "predict which tokens a split forbids"
    opening = (
        "Before anything is counted, the text is split into pieces, its [pretokenization]: words, for example. A merge "
        "never joins two pieces. What does that forbid?"
    )
    own = example("one-dinosaur").text
    about = ("no_split", "never", "allowed")
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

    def no_split(self) -> Question:
        """Ask which pair is joined where nothing is split. Wrong answers: pairs within words."""
        step, run = self._crossing, self.unsplit
        if step is None or step <= 1:
            raise Omission("without a split, no merge goes from one of its words into the next")
        before, merge = run.merges[step - 2], run.merges[step - 1]
        most = [PairCount(merge.left, merge.right, merge.count), *other_pairs(run, step - 1, MOST_WRONG)]
        return question(
            f"This text is not split at all, and {wording.tok(before.token)} has just been merged. Which pair is next?",
            wording.pair_label(*merge[:2]),
            f"{wording.row(merge[:2])}, seen {times(merge.count)}. Nothing stops a merge at the end of a word, "
            "and a space may end a token as well as begin one.",
            *(
                wrong_answer(
                    wording.pair_label(*pair[:2]), self._fewer(pair, merge.count), near=pair.count == merge.count
                )
                for pair in other_pairs(run, step - 1, MOST_WRONG)
            ),
            look=wording.corpus(run, step - 1),
            steps=[
                *(f"{wording.row(pair[:2])} is seen {times(pair.count)}." for pair in most[::-1]),
                f"No pair is seen more often than {wording.row(merge[:2])}.",
            ],
        )

    def _fewer(self, pair: PairCount, most: int) -> str:
        named = f"{wording.row(pair[:2])} is seen {times(pair.count)}"
        if pair.count == most:
            return f"{named} too; between equals a rule decides: the pair seen first."
        return f"{named}, {most - pair.count:,} fewer. Spaces are symbols like any other here."

    def never(self) -> Question:
        """Ask which token a split at white space forbids. Wrong answers: allowed tokens, if possible with signs."""
        learnt = [merge.token for merge in self.by_space.merges]
        if (crossing := self._two_words()) is None or not learnt:
            raise Omission("it has no two words with a space between them, or no pair inside a word")
        mixed = [token for token in learnt if _mixed(token)]
        tempting = list(dict.fromkeys([*mixed[:1], *learnt[::-1]]))[:MOST_WRONG]
        words = [encode_text(word) for word in self.by_space.pretokens]
        return question(
            "This text is split at white space, and the spaces are thrown away. Which token can never be learnt from "
            "it, however often it occurs?",
            wording.split_label([crossing]),
            f"{wording.tok(crossing)} has a space in it, and there the text is split: no merge goes across.",
            *(wrong_answer(wording.split_label([made]), self._made(made, learnt.index(made) + 1)) for made in tempting),
            look=wording.sentence(f"The different pieces: {' '.join(map(wording.tok, words))}"),
            steps=[
                "A token is learnt from neighbours inside one piece, so look for each inside a piece.",
                *(
                    f"{wording.tok(made)} is inside {wording.tok(next(word for word in words if made in word))}."
                    for made in tempting
                ),
                f"{wording.tok(crossing)} is inside none.",
            ],
        )

    def _two_words(self) -> bytes | None:
        """Return, as one token, the most frequent pair of words that one space separates; None without such words."""
        found = Counter(encode_text(words) for words in re.findall(r"(?=(?<!\S)(\S+ \S+))", self.text))
        return found.most_common(1)[0][0] if found else None

    def _made(self, token: bytes, step: int) -> str:
        made = f"Step {step:,} makes {wording.tok(token)}"
        return f"{made}: its sign is part of the same piece." if _mixed(token) else f"{made}: no split is inside it."

    @cached_property
    def _pieces(self) -> list[bytes]:
        """The different pieces of the published split, in the order of the text."""
        return [encode_text(piece) for piece in self.by_class.pretokens]

    def allowed(self) -> Question:
        """Ask which token the published split allows. Wrong answers: tokens that only other splits allow."""
        learnt = [merge.token for merge in self.by_class.merges]
        spaced = [token for token in learnt if token.startswith(b" ")] or learnt
        signs = [merge.token for merge in self.by_space.merges if _mixed(merge.token)]
        ends = [merge.token for merge in self.unsplit.merges if merge.token.endswith(b" ")]
        crossing = self._two_words()
        tempting = [
            next((token for token in tokens if not self._in_a_piece(token)), None)
            for tokens in (signs, ends, [crossing] if crossing else [])
        ]
        forbidden = list(dict.fromkeys(token for token in tempting if token))
        if not spaced or not forbidden:
            raise Omission(f"the split of {GPT2} forbids none of the tokens that other splits allow")
        right = max(spaced, key=len)
        pieces = PRETOKENIZERS[GPT2_KEY].split(self.text)
        drawn = " ".join(wording.tok(encode_text(piece.text)) for piece in pieces)
        return question(
            f"This is the same text as {GPT2} splits it. Which of these tokens can be learnt from it?",
            wording.split_label([right]),
            f"{wording.tok(right)} is inside {wording.tok(next(piece for piece in self._pieces if right in piece))}: "
            "no split goes through it.",
            *(wrong_answer(wording.split_label([token]), self._cut(token)) for token in forbidden),
            look=wording.sentence(f"The pieces: {drawn}"),
            steps=[
                "A token can be learnt if all of it is inside one piece.",
                *(f"{wording.tok(token)} is inside none." for token in forbidden),
                f"{wording.tok(right)} is inside "
                f"{wording.tok(next(piece for piece in self._pieces if right in piece))}.",
            ],
        )

    def _in_a_piece(self, token: bytes) -> bool:
        return any(token in piece for piece in self._pieces)

    def _cut(self, token: bytes) -> str:
        """Return why a token is in no piece of the published split."""
        kept = " White space would keep it whole." if b" " not in token else ""
        return f"{wording.tok(token)} is inside none of the pieces: wherever it is, the split goes through it.{kept}"

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

    def take_away(self) -> str:
        """Return that the split comes before the merges, and the most frequent pair that the split forbids."""
        run, step = self.by_class, self._best_blocked
        forbidden, allowed = run.blocked_pairs(step, 1), run.pair_counts(step, 1)
        first = "The split decides before the counting."
        if not forbidden or not allowed or forbidden[0].count <= allowed[0].count:
            return first
        best = forbidden[0]
        return (
            f"{first} {GPT2}'s split keeps the space before a word with that word. At step {step:,} "
            f"{wording.row(best[:2])} would be seen {times(best.count)}, more than any pair that is allowed "
            f"({allowed[0].count:,}); no merge can join it."
        )

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
