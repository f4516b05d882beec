"""The lesson about spaces: what a space before or after a word does."""

from __future__ import annotations

from markupsafe import Markup

from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import (
    MOST_LISTED,
    STORIES,
    Lesson,
    on_tokens,
    published,
    words_of,
)
from pages.parts.learn.reveal_drawings import Merging
from pages.parts.learn.texts import PARTS_OF_MEANING, WORDS_AND_SPACES
from pages.parts.state.tokens_state import Tokens

OPENING = 4  # words of the text that ends in a space


class Spaces(Lesson):
    """The lesson "The space belongs to the word"."""

    sentences = lesson_text(__file__)
    own = WORDS_AND_SPACES
    others = STORIES

    @property
    def _words(self) -> list[str]:
        return [word for word in words_of(self.text) if word.isalpha()]

    def four_ways(self) -> Facts:
        """Count the ids of a word, if a space may be before it, and its first letter may be a capital."""
        for word in self._words:
            ways = (word.lower(), f" {word.lower()}", word.capitalize(), f" {word.capitalize()}")
            ids = [published().encode(way, specials=True).ids for way in ways]
            if len(set(ways)) == len(ways) and all(len(each) == 1 for each in ids):
                break
        else:
            raise NoPoint()
        tokens = [way.encode() for way in ways]
        named = (Markup("{} {}").format(wording.tok(token), each[0]) for token, each in zip(tokens, ids, strict=True))
        different = len(set(ids))
        return Facts(
            different,
            WrongAnswer(
                1, "same word", byte_strings=counted(different, "byte string"), tokens=counted(different, "token")
            ),
            WrongAnswer(2, "space"),
            WrongAnswer(different - 1, "one fewer"),
            bytes=Table([(wording.tok(token), token.hex(" ").upper()) for token in tokens]),
            space=encode_text(" ").hex(),
            named=Markup(", ").join(named),
            rows=counted(different, "different row"),
            different=different,
        )

    def _opens(self) -> str | None:
        """Return a word that is one token after a space but several at the start of a text; None if no word is."""
        encode = published().encode
        words = (word for word in self._words if len(encode(f" {word}").ids) == 1 < len(encode(word).ids))
        return next((word for word in words if len(word_merges.inside(published(), word)) <= MOST_LISTED), None)

    def at_start(self) -> Facts:
        """Count the tokens of a word at the start of a text."""
        word = self._opens()
        if word is None:
            raise NoPoint()
        tokens = published().encode(word, specials=True).tokens
        longest = published().encode(word, longest=True, specials=True).tokens
        parts = PARTS_OF_MEANING.get(word)
        merges = word_merges.inside(published(), word)
        return Facts(
            len(tokens),
            WrongAnswer(1, "after a space"),
            _by_meaning(parts) if parts else None,
            WrongAnswer(len(longest), "longest", longest=longest),
            WrongAnswer(len(word.encode()), "bytes"),
            steps=wording.way(word_merges.single_bytes(word), merges),
            spaced=f" {word}".encode(),
            word=wording.text(word),
            list=wording.merge_list(merges),
            tokens=tokens,
        )

    def trailing(self) -> Facts:
        """Count the tokens of a text that ends in a space."""
        words = [word for word in self._words if word != self._opens()] if self.is_own else self._words
        words = words[1:] if self.is_own else words[:OPENING]
        text = f"{' '.join(words)} "
        if not words:
            raise NoPoint()
        encoded, without = published().encode(text, specials=True), published().encode(text.rstrip(), specials=True)
        return Facts(
            len(encoded.ids),
            WrongAnswer(len(without.ids), "left over"),
            WrongAnswer(len(words), "left over"),
            WrongAnswer(2 * len(words), "spaces"),
            text=wording.text(text),
            without=wording.text(text.rstrip()),
            tokens_without=without.tokens,
            tokens=encoded.tokens,
            id=str(encoded.ids[-1]),
            fewer=counted(len(without.ids), "token"),
            count=counted(len(encoded.ids), "token"),
        )

    def reveal(self) -> tuple[Merging, ...]:
        """Return a word at the start of a text and after a space, with its ids."""
        return (Merging(self._twice()),)

    def _twice(self) -> str:
        word = self._opens() or next(iter(self._words), self.text)
        return f"{word} {word}"

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the word twice."""
        return on_tokens(self._twice())


def _by_meaning(parts: tuple[str, ...]) -> WrongAnswer:
    known = [part for part in parts if len(published().encode(part, specials=True).ids) > 1]
    has = [Phrase("known", spaced=f" {part}".encode(), part=wording.text(part)) for part in known]
    return WrongAnswer(len(parts), "meaning", parts=[part.encode() for part in parts], known=has)
