"""The lesson about spaces: what a space before or after a word does."""

from __future__ import annotations

from bpe_core.pictures.shared.in_words import counted
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import (
    MOST_LISTED,
    STORIES,
    Lesson,
    playground,
    published,
    words_of,
)
from pages.parts.learn.questions import NUMBER, AnswerOption, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Merging
from pages.parts.learn.texts import GPT2, PARTS_OF_MEANING, WORDS_AND_SPACES
from pages.parts.playground.playground_state import Playground

OPENING = 4  # words of the text that ends in a space


class Spaces(Lesson):
    """The lesson "The space belongs to the word"."""

    name = "Spaces"
    title = "The space belongs to the word"
    can = "foresee what a space before or after a word does"
    opening = (
        f"{GPT2} keeps the space before a word with that word. Each of its [tokens](token) is a string of "
        "[bytes](byte), and has a number of its own, its [id]. What follows from that?"
    )
    own = WORDS_AND_SPACES
    about = ("four_ways", "at_start", "trailing")
    others = STORIES

    @property
    def _words(self) -> list[str]:
        return [word for word in words_of(self.text) if word.isalpha()]

    def four_ways(self) -> Question:
        """Ask how many ids a word has, if a space may be before it, and its first letter may be a capital.

        Wrong answers: one, two, one fewer.
        """
        for word in self._words:
            ways = (word.lower(), f" {word.lower()}", word.capitalize(), f" {word.capitalize()}")
            ids = [published().encode(way, specials=True).ids for way in ways]
            if len(set(ways)) == len(ways) and all(len(each) == 1 for each in ids):
                break
        else:
            raise Omission(f"no word of it is a single token of {GPT2} in all four ways")
        named = ", ".join(f"{wording.tok(way.encode())} {each[0]}" for way, each in zip(ways, ids, strict=True))
        different = len(set(ids))
        rows = [(wording.tok(way.encode()), way.encode().hex(" ").upper()) for way in ways]
        return question(
            f"How many different ids do these four have in {GPT2}?",
            different,
            f"{named}.",
            wrong_answer(1, f"They are {counted(different, 'byte string')}, and so {counted(different, 'token')}."),
            wrong_answer(2, "The space counts like a letter: with and without it are two tokens each."),
            wrong_answer(different - 1, f"Each differs from every other: {named}."),
            look=wording.sentence("Each of these four is one token:")
            + wording.html_table(("token", "its bytes, in hexadecimal"), rows)
            + wording.note(f"Two signs are a byte: {encode_text(' ').hex()} is the space, and the others are letters."),
            typed=NUMBER,
            steps=(
                "Two tokens are the same only if all their bytes are.",
                f"Compare the bytes, row by row: {counted(different, 'different row')}, so {different:,} ids.",
            ),
        )

    def _opens(self) -> str | None:
        """Return a word that is one token after a space but several at the start of a text; None if no word is."""
        encode = published().encode
        words = (word for word in self._words if len(encode(f" {word}").ids) == 1 < len(encode(word).ids))
        return next((word for word in words if len(word_merges.inside(published(), word)) <= MOST_LISTED), None)

    def at_start(self) -> Question:
        """Ask how many tokens a word is at the start of a text.

        Wrong answers: one, its parts by meaning, longest tokens.
        """
        word = self._opens()
        if word is None:
            raise Omission(f"all its words are tokens of {GPT2} with and without a space")
        tokens = published().encode(word, specials=True).tokens
        longest = published().encode(word, longest=True, specials=True).tokens
        spaced = wording.tok(f" {word}".encode())
        parts = PARTS_OF_MEANING.get(word)
        merges = word_merges.inside(published(), word)
        name = f"The merges of {GPT2} inside {wording.text(word)}, each with the step that learnt it, the oldest first:"
        return question(
            f"{spaced} is one token of {GPT2}. A text begins with {wording.text(word)}, without a space: how many "
            "tokens is the word there?",
            len(tokens),
            f"{wording.row(tokens)}: {spaced} is a token, {wording.text(word)} is none.",
            wrong_answer(
                1, f"Only after a space: {spaced} is one token, and no merge of the list makes {wording.text(word)}."
            ),
            self._by_meaning(parts) if parts else None,
            wrong_answer(len(longest), f"That takes the longest token each time, {wording.row(longest)}."),
            wrong_answer(len(word.encode()), "Those are its bytes, before any merge."),
            look=wording.merge_list(merges, name=name),
            typed=NUMBER,
            steps=wording.way(word_merges.single_bytes(word), merges),
        )

    def _by_meaning(self, parts: tuple[str, ...]) -> AnswerOption:
        known = [part for part in parts if len(published().encode(part, specials=True).ids) > 1]
        has = " and ".join(f"{wording.tok(f' {part}'.encode())}, not {wording.text(part)}" for part in known)
        return wrong_answer(
            len(parts), f"That splits by meaning, {wording.row([p.encode() for p in parts])}; {GPT2} has {has}."
        )

    def trailing(self) -> Question:
        """Ask how many tokens a text that ends in a space has. Wrong answers: its words, its words and spaces."""
        words = [word for word in self._words if word != self._opens()] if self.is_own else self._words
        words = words[1:] if self.is_own else words[:OPENING]
        text = f"{' '.join(words)} "
        if not words:
            raise Omission("it has no words of letters")
        encoded, without = published().encode(text, specials=True), published().encode(text.rstrip(), specials=True)
        if encoded.tokens != (*without.tokens, b" "):
            raise Omission("its first words are other tokens before a space at the end")
        spaces = 2 * len(words)
        left_over = "A space belongs to the word after it; the last one has none, and is left over."
        return question(
            f"The same text with a space at its end, {wording.text(text)}: how many tokens is it?",
            len(encoded.ids),
            f"{wording.row(encoded.tokens)}: the last space is left over, a token of its own with the id "
            f"{encoded.ids[-1]}.",
            wrong_answer(len(without.ids), left_over),
            wrong_answer(len(words), left_over),
            wrong_answer(spaces, "Spaces between words are no tokens of their own: each belongs to the word after it."),
            look=wording.sentence(f"{wording.text(text.rstrip())} is {wording.row(without.tokens)} to {GPT2}."),
            typed=NUMBER,
            steps=(
                f"Without the space at the end: {counted(len(without.ids), 'token')}.",
                "The space at the end would belong to a next word. There is none, so it stays alone: one token more, "
                f"{counted(len(encoded.ids), 'token')}.",
            ),
        )

    def reveal(self) -> tuple[Merging, ...]:
        """Return a word at the start of a text and after a space, with its ids."""
        return (Merging(self._twice()),)

    def _twice(self) -> str:
        word = self._opens() or next(iter(self._words), self.text)
        return f"{word} {word}"

    def take_away(self) -> str:
        """Return that a word is not always the same token."""
        return "A space before it, or a capital, makes a word another token."

    def go_on(self) -> Playground:
        """Return a state of the Playground with the word twice."""
        return playground(self._twice())
