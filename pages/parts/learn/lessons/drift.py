"""The lesson about drift: ids that change when a model's text is encoded again."""

from __future__ import annotations

from functools import cached_property

from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import MOST_LISTED, Lesson, on_tokens, published, words_of
from pages.parts.learn.questions import SPLIT
from pages.parts.learn.reveal_drawings import Trace
from pages.parts.learn.texts import DRIFTING
from pages.parts.state.tokens_state import Tokens

SHORTEST, LONGEST = 3, 6  # the letters of a word whose ways are counted
FEWEST_WAYS, MOST_WAYS = 3, 16


class OtherIds(Lesson):
    """The lesson "The same text, other ids"."""

    sentences = lesson_text(__file__)
    own = DRIFTING

    @cached_property
    def _given(self) -> tuple[str, tuple[int, int]]:
        """The first word that two other tokens than the tokenizer's can write, and these tokens' ids.

        The two tokens are about equally long.
        """
        tok = published()
        for word in filter(str.isalpha, words_of(self.text)):
            if len(word_merges.inside(tok, word)) > MOST_LISTED:
                continue
            for at in sorted(range(1, len(word)), key=lambda at: abs(2 * at - len(word))):
                one, other = map(tok.token_to_id, (word[:at], word[at:]))
                if one is not None and other is not None and tok.encode_word(word) != (one, other):
                    return word, (one, other)
        raise NoPoint()

    def again(self) -> Facts:
        """Encode the text of tokens that a model wrote."""
        word, ids = self._given
        tok = published()
        tokens, given = tok.encode(word, specials=True).tokens, [*map(tok.token_bytes, ids)]
        merges = word_merges.inside(tok, word)
        return Facts(
            wording.split_label(tokens),
            WrongAnswer(wording.split_label(given), "given"),
            WrongAnswer(wording.split_label(word_merges.single_bytes(word)), "letters"),
            steps=wording.way(word_merges.single_bytes(word), merges),
            typed=SPLIT,
            given=wording.chips(given),
            word=wording.text(word),
            list=wording.merge_list(merges),
            tokens=tokens,
        )

    @cached_property
    def _counted(self) -> str:
        """The first short word whose ways are fewer than its cuts, but some."""
        for word in words_of(self.text):
            plain = word.isascii() and word.isalpha() and SHORTEST <= len(word) <= LONGEST
            if plain and FEWEST_WAYS <= published().ways(word) < min(MOST_WAYS, _cuts(word)):
                return word
        raise NoPoint()

    def ways(self) -> Facts:
        """Count the ways to write a word."""
        tok, word = published(), self._counted
        cut = (word[a:b] for a in range(len(word)) for b in range(a + 1, len(word) + 1))
        parts = [part.encode() for part in dict.fromkeys(cut) if tok.token_to_id(part) is not None]
        found = {end: tok.ways(word[:end]) for end in range(1, len(word) + 1)}
        steps = [
            Phrase("beginning", beginning=wording.text(word[:end]), so_far=counted(found[end], "way"))
            for end in range(1, len(word))
        ]
        return Facts(
            found[len(word)],
            WrongAnswer(1, "one", tokens=tok.encode(word, specials=True).tokens),
            WrongAnswer(len(parts), "parts"),
            WrongAnswer(_cuts(word), "cuts"),
            steps=[*steps, Phrase("sum", so_far=counted(found[len(word)], "way"))],
            word=wording.text(word),
            parts=wording.chips(parts),
        )

    def reveal(self) -> tuple[Trace, ...]:
        """Return the encoding of the word, merge by merge."""
        try:
            word, _ = self._given
        except NoPoint:
            word = words_of(DRIFTING)[0]
        symbols = word_merges.single_bytes(word)
        return (Trace(word, symbols, tuple(word_merges.states(symbols, word_merges.inside(published(), word)))),)

    def taken(self) -> Phrase:
        """Return in how many ways a word can be written."""
        word = words_of(DRIFTING)[0]
        return Phrase(word=wording.text(word), ways=counted(published().ways(word), "list"))

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the model's ids."""
        try:
            return on_tokens(str([*self._given[1]]))
        except NoPoint:
            return on_tokens(self.text, view="ids")


def _cuts(word: str) -> int:
    """Return in how many ways a word could be cut if every part were a token."""
    return 1 << (len(word) - 1)
