"""The lesson about new words: encoding by merge order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations

from bpe_core import Run
from bpe_core.pictures.shared.in_words import counted
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import (
    MOST_LISTED,
    SMALL,
    Lesson,
    playground,
    published,
    recombined,
    simple_run,
    words_of,
)
from pages.parts.learn.lessons.ties import MARKED, MERGES
from pages.parts.learn.questions import NUMBER, SPLIT, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Trace
from pages.parts.learn.texts import COMPOUND, GPT2
from pages.parts.learn.word_merges import MergeStep, WordState
from pages.parts.playground.playground_state import Playground
from pages.parts.texts.corpora import example

TRIED = "lowest"
SHORTEST, MOST_WORDS = 3, 40  # the fewest letters of a compound's half; the most words to make compounds of


class NewWords(Lesson):
    """The lesson "A word never seen"."""

    name = "New words"
    title = "A word never seen"
    can = "encode a new word by the order of the merges"
    opening = (
        "What was learnt is applied to any text: start with single symbols and apply the [merges](merge), always the "
        "oldest that fits, until none does."
    )
    own = example("newest-widest").text
    about = ("new_word", "compound")
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run of the first question."""
        return simple_run(self.text, MARKED, MERGES)

    def new_word(self) -> Question:
        """Ask how many tokens a new word is. Wrong answers: "unknown", its symbols, one."""
        tokenizer, before = self.run.tokenizer(), self.run.tokenizer(0)
        word = TRIED if self.is_own else self._most_joined()
        tokens, symbols = tokenizer.encode(word, specials=True).tokens, before.encode(word, specials=True).tokens
        merges = word_merges.merge_steps(self.run)
        name = f"The first {counted(len(merges), 'merge')} of a training on these words, the oldest first:"
        return question(
            f"No word of the text is {wording.text(word)}. How many tokens does it become?",
            len(tokens),
            f"{wording.row(tokens)}: the merges that were learnt apply to it as to any word.",
            wrong_answer("unknown", "The word is new, its parts are not: its characters are in the alphabet."),
            wrong_answer(len(symbols), "That is before any merge: one for each character and one for the word marker."),
            wrong_answer(1, "No merge of the list makes it whole."),
            look=wording.corpus(self.run, 0) + wording.merge_list(merges, name=name),
            typed=NUMBER,
            steps=wording.way(symbols, merges),
        )

    def _most_joined(self) -> str:
        """Return, of all new words with several tokens, the word with the most symbols per token."""
        tokenizer, before, found = self.run.tokenizer(), self.run.tokenizer(0), {}
        for word in recombined(words_of(self.text)):
            tokens, symbols = len(tokenizer.encode_word(word)), len(before.encode_word(word))
            if 1 < tokens < symbols:
                found[word] = symbols / tokens
        if not found:
            raise Omission("no new word made of its words shows its merges at work")
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

    def compound(self) -> Question:
        """Ask how a compound of two words is split. Wrong answers: by meaning, by the longest token, not at all."""
        if self._compound is None:
            raise Omission(f"no two of its words, written together, are split in another place by {GPT2}")
        one, other = self._compound
        tokenizer, word = published(), one + other
        tokens = tokenizer.encode(word, specials=True).tokens
        longest = tokenizer.encode(word, longest=True, specials=True).tokens
        spaced = len(tokenizer.encode(f" {word}", specials=True).ids) == 1
        only_after_space = f"Only with a space before it: {wording.tok(f' {word}'.encode())} is a token."
        taken = self._taken(one, other)
        merges = word_merges.inside(tokenizer, word)
        name = f"The merges of {GPT2} inside {wording.text(word)}, each with the step that learnt it, the oldest first:"
        return question(
            f"{GPT2} has the tokens {wording.text(one)} and {wording.text(other)}. "
            f"What does it make of {wording.text(word)}?",
            wording.split_label(tokens),
            f"{wording.row(tokens)}. {taken}",
            wrong_answer(f"{one}|{other}", f"The meaning has no say. {taken}"),
            wrong_answer(wording.split_label(longest), f"That takes the longest token each time. {taken}"),
            wrong_answer(word, only_after_space if spaced else "No merge of the list makes it whole."),
            look=wording.merge_list(merges, name=name),
            typed=SPLIT,
            steps=wording.way(word_merges.single_bytes(word), merges),
        )

    def _taken(self, one: str, other: str) -> str:
        """Return, in words, which merge of the compound joins the two words, and which merge it prevents."""
        across = _first_over(_states(one + other), len(encode_text(one)))
        left = _last_joined(_states(one))
        if across is None:
            return "The oldest merge that fits comes first."
        named = f"{wording.tok(across.left + across.right)} (step {across.step:,})"
        if left is not None and left.step > across.step:
            mine = f"{wording.tok(left.left + left.right)} (step {left.step:,})"
            return f"{named} was learnt before {mine}, so it came first, and took {wording.tok(across.left)} from it."
        return f"{named} was learnt early, so it came first, and joined across."

    def reveal(self) -> tuple[Trace, ...]:
        """Return the encoding of the compound, merge by merge."""
        word = "".join(self._compound or COMPOUND)
        return (Trace(word, word_merges.single_bytes(word), tuple(_states(word))),)

    def take_away(self) -> str:
        """Return that the oldest merge decides."""
        return "The oldest merge wins: not the longest token, not the meaning."

    def go_on(self) -> Playground:
        """Return a state of the Playground with the compound."""
        return playground("".join(self._compound or COMPOUND))


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


def _first_over(states: list[WordState], boundary: int) -> MergeStep | None:
    """Return the merge that removed the boundary at the byte offset `boundary`; None if no merge removed it."""
    return next((state.merge for state in states if boundary not in _ends(state.tokens)), None)


def _last_joined(states: list[WordState]) -> MergeStep | None:
    """Return the first merge that joined the last symbol of a word; None if no merge joined it."""
    return next((state.merge for state in states if len(state.tokens[-1]) > 1), None)
