"""The lesson about splits: which tokens a split forbids."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from bpe_core import PRETOKENIZERS, Run
from bpe_core.display.in_words import times
from bpe_core.record.run import PairCount
from bpe_core.text.alphabet import decode_bytes, encode_text
from pages.parts.learn import wording
from pages.parts.learn.instruments import BlockedPairs
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, comparison, other_pairs, trained
from pages.parts.learn.questions import Omission, Question, lure, question
from pages.parts.learn.texts import GPT2, GPT2_KEY
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Compare

SIZE = 300  # of the vocabulary that the lesson leads to
LURES, MOST_STEPS = 3, 50


class Cuts(Lesson):
    """The lesson "Where no merge may go"."""

    name = "Splits"
    title = "Where no merge may go"
    can = "predict which tokens a split forbids"
    opening = "Before anything is counted, the text is split into words. Merges stay inside them."
    own = example("one-dinosaur").text
    about = ("no_split", "never", "mixed")
    others = SMALL

    @cached_property
    def unsplit(self) -> Run:
        """A run without any split."""
        return trained(self.text, replace(SIMPLE, pretokenizer="none"))

    @cached_property
    def by_space(self) -> Run:
        """A run with a split at white space."""
        return trained(self.text, SIMPLE)

    @cached_property
    def by_class(self) -> Run:
        """A run with the split of the published vocabulary."""
        return trained(self.text, replace(SIMPLE, pretokenizer=GPT2_KEY))

    @cached_property
    def _crossing(self) -> int | None:
        """The first step of the run without a split whose token goes from one word into the next; None if none does."""
        merges = self.unsplit.merges
        return next((k for k, merge in enumerate(merges, 1) if len(decode_bytes(merge.token).split()) > 1), None)

    def no_split(self) -> Question:
        """Ask which pair is joined where nothing is split. Lures: pairs within words."""
        step, run = self._crossing, self.unsplit
        if step is None or step <= 1:
            raise Omission("without a split, no merge goes from one of its words into the next")
        before, merge = run.merges[step - 2], run.merges[step - 1]
        return question(
            f"The text is not split at all, and {wording.tok(before.token)} has just been learnt. Which pair is next?",
            wording.pair_label(*merge[:2]),
            f"{wording.row(merge[:2])}, seen {times(merge.count)}. Nothing stops a merge at the end of a word, "
            "and a space may end a token as well as begin one.",
            *(
                lure(wording.pair_label(*pair[:2]), self._fewer(pair, merge.count), near=pair.count == merge.count)
                for pair in other_pairs(run, step - 1, LURES)
            ),
            look=wording.corpus(run, step - 1),
        )

    def _fewer(self, pair: PairCount, most: int) -> str:
        named = f"{wording.row(pair[:2])} is seen {times(pair.count)}"
        if pair.count == most:
            return f"{named} too; between equals a rule decides: the pair seen first."
        return f"{named}, {most - pair.count:,} fewer. Spaces are symbols like any other here."

    def never(self) -> Question:
        """Ask which token a split at white space forbids. Lures: tokens that it allows, one with punctuation."""
        if self._crossing is None:
            raise Omission("without a split, no merge goes from one of its words into the next")
        token = self.unsplit.merges[self._crossing - 1].token.strip()
        learnt = [merge.token for merge in self.by_space.merges]
        mixed = [token for token in learnt if _mixed(token)]
        tempting = list(dict.fromkeys([*mixed[:1], *learnt[::-1]]))[:LURES]
        return question(
            "Now the text is split at white space. Which token can never be learnt, however often it occurs?",
            wording.split_label([token]),
            f"{wording.tok(token)} has a space in it, and there the text is split: no merge goes across.",
            *(lure(wording.split_label([made]), self._made(made, learnt.index(made) + 1)) for made in tempting),
        )

    def _made(self, token: bytes, step: int) -> str:
        made = f"Step {step:,} makes {wording.tok(token)}"
        return (
            f"{made}: its punctuation is part of the same word." if _mixed(token) else f"{made}: no split is inside it."
        )

    @cached_property
    def _glued(self) -> bytes | None:
        """A token of letters and punctuation that a split at white space allows and the published split forbids."""
        allowed = self.by_class.pretokens
        tokens = (merge.token for merge in self.by_space.merges if _mixed(merge.token))
        return next(
            (token for token in tokens if not any(token in encode_text(word) for word in allowed)),
            None,
        )

    def mixed(self) -> Question:
        """Ask whether the published split allows a token with punctuation. Lure: yes, as white space does."""
        if self._glued is None:
            raise Omission(f"none of its merges joins letters and punctuation that {GPT2} would split")
        cut = PRETOKENIZERS[GPT2_KEY].split(decode_bytes(self._glued))
        named = wording.row([encode_text(pretoken.text) for pretoken in cut])
        return question(
            f"And where the text is split as {GPT2} splits it: can {wording.tok(self._glued)} be learnt?",
            "no",
            f"It is split into {named}: letters and punctuation are never in one word.",
            lure("yes", f"White space keeps it whole, but {GPT2} splits letters from punctuation: {named}."),
        )

    @cached_property
    def _best_blocked(self) -> int:
        """The step at which the count of a forbidden pair exceeds those of all allowed pairs most."""
        run = self.by_class

        def ahead(step: int) -> int:
            forbidden, allowed = run.blocked_pairs(step, 1), run.pair_counts(step, 1)
            return forbidden[0].count - allowed[0].count if forbidden and allowed else 0

        return max(range(min(run.steps, MOST_STEPS) + 1), key=ahead)

    def reveal(self) -> tuple[BlockedPairs, ...]:
        """Return the pairs that the split forbids, and those that it allows."""
        return (BlockedPairs(self.by_class, self._best_blocked),)

    def take_away(self) -> str:
        """Return that the split comes first, with the most frequent pair that it forbids."""
        run, step = self.by_class, self._best_blocked
        forbidden, allowed = run.blocked_pairs(step, 1), run.pair_counts(step, 1)
        first = "The split decides before the counting."
        if not forbidden or not allowed or forbidden[0].count <= allowed[0].count:
            return first
        best = forbidden[0]
        return (
            f"{first} {GPT2}'s split keeps a space with the word after it: it can begin a token, and never end "
            f"one. At step {step:,} {wording.row(best[:2])} would be seen {times(best.count)}, more "
            f"than any pair that is allowed ({allowed[0].count:,}); no merge can join it."
        )

    def go_on(self) -> Compare:
        """Return the way to the blocked pairs on the Compare page."""
        left = replace(SIMPLE, pretokenizer="none", vocab_size=SIZE)
        size = max(SIZE, len(self.unsplit.vocabulary(0)), len(self.by_class.vocabulary(0)))
        left = replace(left, vocab_size=size)
        right = replace(left, pretokenizer=GPT2_KEY)
        return comparison(self.text, left, right, step=self._best_blocked, view="blocked")


def _mixed(token: bytes) -> bool:
    """Return whether a token has both letters and characters that are neither letters nor digits."""
    text = decode_bytes(token)
    return any(char.isalpha() for char in text) and not all(char.isalnum() for char in text)
