"""The lesson about new words: encoding by merge order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations

from bpe_core import Run
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import (
    MOST_LISTED,
    SMALL,
    Lesson,
    on_tokens,
    published,
    recombined,
    simple_run,
    words_of,
)
from pages.parts.learn.lessons.ties import MARKED, MERGES
from pages.parts.learn.questions import SPLIT
from pages.parts.learn.reveal_drawings import Trace
from pages.parts.learn.texts import COMPOUND
from pages.parts.learn.word_merges import MergeStep, WordState
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.corpora import example

TRIED = "lowest"
SHORTEST, MOST_WORDS = 3, 40  # the fewest letters of a compound's half; the most words to make compounds of


class NewWords(Lesson):
    """The lesson "A word never seen"."""

    sentences = lesson_text(__file__)
    own = example("newest-widest").text
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run of the first question."""
        return simple_run(self.text, MARKED, MERGES)

    def new_word(self) -> Facts:
        """Count the tokens of a new word."""
        tokenizer, before = self.run.tokenizer(), self.run.tokenizer(0)
        word = TRIED if self.is_own else self._most_joined()
        tokens, symbols = tokenizer.encode(word, specials=True).tokens, before.encode(word, specials=True).tokens
        merges = word_merges.merge_steps(self.run)
        return Facts(
            len(tokens),
            WrongAnswer(Phrase("unknown"), "unknown"),
            WrongAnswer(len(symbols), "symbols"),
            WrongAnswer(1, "whole"),
            steps=wording.way(symbols, merges),
            word=wording.text(word),
            words=wording.corpus(self.run, 0),
            merges=counted(len(merges), "merge"),
            list=wording.merge_list(merges),
            tokens=tokens,
        )

    def _most_joined(self) -> str:
        """Return the new word that has several tokens, with the most symbols per token."""
        tokenizer, before, found = self.run.tokenizer(), self.run.tokenizer(0), {}
        for word in recombined(words_of(self.text)):
            tokens, symbols = len(tokenizer.encode_word(word)), len(before.encode_word(word))
            if 1 < tokens < symbols:
                found[word] = symbols / tokens
        if not found:
            raise NoPoint()
        return max(found, key=found.__getitem__)

    @cached_property
    def _compound(self) -> tuple[str, str] | None:
        """Two words whose compound is several tokens, but not the two words; None if the text has no such words.

        Each of the two words alone is one token of the published vocabulary.
        """
        return next(self._compounds(), None)

    def _compounds(self) -> Iterator[tuple[str, str]]:
        encode = published().encode_word
        words = [word for word in words_of(self.text) if word.isalpha() and len(word) >= SHORTEST]
        whole = [word for word in words if len(encode(word)) == 1][:MOST_WORDS]
        for one, other in [COMPOUND] if self.is_own else permutations(whole, 2):
            moved = encode(one + other) != encode(one) + encode(other) and len(encode(one + other)) > 1
            if moved and len(word_merges.inside(published(), one + other)) <= MOST_LISTED:
                yield one, other

    def compound(self) -> Facts:
        """Split a compound of two words."""
        if self._compound is None:
            raise NoPoint()
        one, other = self._compound
        tokenizer, word = published(), one + other
        tokens = tokenizer.encode(word, specials=True).tokens
        longest = tokenizer.encode(word, longest=True, specials=True).tokens
        spaced = tokenizer.encode(f" {word}", specials=True).tokens
        after_space = WrongAnswer(word, "after a space", spaced=spaced[0])
        merges = word_merges.inside(tokenizer, word)
        return Facts(
            wording.split_label(tokens),
            WrongAnswer(f"{one}|{other}", "meaning"),
            WrongAnswer(wording.split_label(longest), "longest"),
            after_space if len(spaced) == 1 else WrongAnswer(word, "whole"),
            steps=wording.way(word_merges.single_bytes(word), merges),
            typed=SPLIT,
            one=wording.text(one),
            other=wording.text(other),
            word=wording.text(word),
            list=wording.merge_list(merges),
            tokens=tokens,
            taken=_taken(one, other),
        )

    def reveal(self) -> tuple[Trace, ...]:
        """Return the encoding of the compound, merge by merge."""
        word = "".join(self._compound or COMPOUND)
        return (Trace(word, word_merges.single_bytes(word), tuple(_states(word))),)

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the compound."""
        return on_tokens("".join(self._compound or COMPOUND))


def _taken(one: str, other: str) -> Phrase:
    """Return which merge of the compound joins the two words, and which merge it prevents."""
    across = _first_over(_states(one + other), len(encode_text(one)))
    left = _last_joined(_states(one))
    joined = across.left + across.right
    if left.step <= across.step:
        return Phrase("joined", across=joined, step=across.step)
    own = left.left + left.right
    return Phrase("took", across=joined, step=across.step, own=own, own_step=left.step, half=across.left)


def _ends(tokens: tuple[bytes, ...]) -> set[int]:
    """Return the offsets in bytes at which tokens end."""
    ends, at = set(), 0
    for token in tokens:
        at += len(token)
        ends.add(at)
    return ends


def _states(word: str) -> list[WordState]:
    """Encode a word with the published vocabulary; return the word's state after each merge."""
    return word_merges.states(word_merges.single_bytes(word), word_merges.inside(published(), word))


def _first_over(states: list[WordState], boundary: int) -> MergeStep:
    """Return the merge that removed the boundary at the byte offset `boundary`."""
    return next(state.merge for state in states if boundary not in _ends(state.tokens))


def _last_joined(states: list[WordState]) -> MergeStep:
    """Return the first merge that joined the last symbol of a word."""
    return next(state.merge for state in states if len(state.tokens[-1]) > 1)
