"""The lesson about letters: what a model that is given ids does not know of a word."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from bpe_core.pictures.shared.in_words import counted, times
from bpe_core.pictures.shared.token_text import is_whole
from bpe_core.tokenizer.letters import alike, count, letters
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import Lesson, playground, published, words_of
from pages.parts.learn.questions import NUMBER, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Merging
from pages.parts.learn.texts import GPT2, LETTERS_APART
from pages.parts.playground.playground_state import Playground

LONGEST = 16  # the most letters of a word
PLACES = ("{}", " {}", '"{}"')  # at the start of a text, after a space, in quotes


class Letters(Lesson):
    """The lesson "Why can't it count the r's?"."""

    name = "Letters"
    title = "Why can’t it count the r’s?"
    can = "say what a model is given of a word, and what it is not"
    opening = (
        f"{GPT2} splits a text into [tokens](token), and is given the [id] of each: numbers, and no letters. What "
        "would it have to know to count the letters of a word?"
    )
    own = LETTERS_APART
    about = ("behind_the_ids", "elsewhere", "apart")

    @cached_property
    def _word(self) -> str:
        """The first word that has a letter twice, and is several tokens, each of whole characters."""
        for word in words_of(self.text):
            plain = word.isalpha() and len(letters(word)) == len(word) <= LONGEST
            if plain and max(Counter(map(alike, word)).values()) > 1:
                tokens = published().encode(word, specials=True).tokens
                if len(tokens) > 1 and all(map(is_whole, tokens)):
                    return word
        raise Omission(f"no word of it has a letter twice and is several whole tokens of {GPT2}")

    @cached_property
    def _letter(self) -> str:
        """The word's most frequent letter, as the word first writes it."""
        counts = Counter(map(alike, self._word))
        return next(letter for letter in self._word if counts[alike(letter)] == max(counts.values()))

    @cached_property
    def _count(self) -> int:
        return count(self._letter, self._word)

    def behind_the_ids(self) -> Question:
        """Ask how often a letter is in a text that is given as ids.

        Wrong answers: zero, the number of tokens that have the letter, the number of all letters.
        """
        encoded = published().encode(self._word, specials=True)
        counts = [count(self._letter, token.decode()) for token in encoded.tokens]
        ids, letter = [str(token_id) for token_id in encoded.ids], wording.text(self._letter)
        rows = dict(zip(ids, map(wording.tok, encoded.tokens), strict=True))
        most = encoded.tokens[counts.index(max(counts))]
        named = [f"{n:,} in {wording.tok(token)}" for n, token in zip(counts, encoded.tokens, strict=True) if n]
        return question(
            f"{GPT2} is given the ids {wording.listed(ids)}. How many times is {letter}, small or capital, in the text "
            "that they stand for?",
            self._count,
            f"{wording.listed(named)}. The ids alone do not tell it: this table of letters is not given to the model.",
            wrong_answer(0, "The ids have no letters, but the tokens that they stand for do: look each of them up."),
            wrong_answer(
                sum(map(bool, counts)), f"So many tokens have it, and {wording.tok(most)} has it {times(max(counts))}."
            ),
            wrong_answer(len(self._word), "So many letters has the whole text."),
            look=wording.sentence("What the ids stand for:") + wording.html_table(("id", "token"), rows.items()),
            typed=NUMBER,
            steps=(
                *(
                    f"{wording.tok(token)} has it {times(n) if n else 'never'}."
                    for n, token in zip(counts, encoded.tokens, strict=True)
                ),
                f"Together {times(self._count)}.",
            ),
        )

    def elsewhere(self) -> Question:
        """Ask how many different ids a word has in three places: alone, after a space, in quotes.

        Wrong answers: one, the ids of the longest row, all listed ids.
        """
        texts = [place.format(self._word) for place in PLACES]
        rows = [(text, published().encode(text, specials=True).ids) for text in texts]
        listed = [token_id for _, ids in rows for token_id in ids]
        different = len(set(listed))
        return question(
            "How many different ids are in this table?",
            different,
            f"{wording.listed(sorted({str(each) for each in listed}, key=int))}. Of each the model would have to know "
            "the letters: nothing in one of them says what is in another.",
            wrong_answer(1, "It is the same word with the same letters, but each id is another number to the model."),
            wrong_answer(
                max(len(ids) for _, ids in rows), "So many has the longest row; the other rows have other ids too."
            ),
            wrong_answer(len(listed), "An id that is there again is the same id."),
            look=wording.sentence(f"{wording.text(self._word)} alone, after a space, and in quotes:")
            + wording.html_table(
                ("text", "ids"), [(wording.text(text), " ".join(map(str, ids))) for text, ids in rows]
            ),
            typed=NUMBER,
            steps=(
                *(f"{wording.text(text)}: {counted(len(ids), 'id')}." for text, ids in rows),
                f"Each counted once: {counted(different, 'id')}.",
            ),
        )

    def apart(self) -> Question:
        """Ask how many tokens a word becomes when its letters are typed with spaces between them.

        Wrong answers: its tokens without the spaces, its characters, one.
        """
        text = " ".join(self._word)
        encoded = published().encode(text, specials=True)
        if len(encoded.tokens) != len(self._word):
            raise Omission(f"with spaces between them, the letters of {self._word} are not each a token of {GPT2}")
        pieces = word_merges.pieces(published(), text)
        whole = published().encode(self._word, specials=True).tokens
        return question(
            f"Somebody spells the word, {wording.text(text)}. How many tokens is that to {GPT2}?",
            len(encoded.tokens),
            f"{wording.row(encoded.tokens)}: each letter is a token now, and "
            f"{counted(self._count, 'of them is', 'of them are')} {wording.text(self._letter)}. What is to be counted "
            "is what the model is given.",
            wrong_answer(len(whole), f"That is the word without spaces, {wording.row(whole)}."),
            wrong_answer(len(text), "Those are its characters, before any merge."),
            wrong_answer(1, "No merge crosses a split, and the text is split before each space."),
            look=wording.merges_inside(pieces),
            typed=NUMBER,
            steps=(
                "The text is split before each space, so a letter and the space before it are a piece.",
                f"Where a piece has a merge, it joins both: {counted(len(pieces), 'piece')}, "
                f"{counted(len(encoded.tokens), 'token')}.",
            ),
        )

    def reveal(self) -> tuple[Merging, ...]:
        """Return a drawing of the word at the start of a text, after a space and spelt. Each token has its letters."""
        try:
            word, letter = self._word, self._letter
        except Omission:
            word, letter = next(iter(words_of(self.text)), self.text), ""
        return (Merging(f"{word} {word}\n{' '.join(letters(word))}", letter),)

    def take_away(self) -> str:
        """Return that letters are not in the ids, and that tokens are not the whole reason."""
        try:
            encoded = published().encode(self._word, specials=True)
            given = f"{GPT2} is given {' '.join(map(str, encoded.ids))} for {wording.text(self._word)}. "
        except Omission:
            given = ""
        return (
            f"{given}The letters of a token are in no id: a model can only have learnt them from texts that spell. "
            "Tokens are not the whole reason, though: a model may spell a word rightly and still miscount, since "
            "counting is a skill of its own."
        )

    def go_on(self) -> Playground:
        """Return a state of the Playground with the word's letters under all tokenizers."""
        try:
            return playground(self.text, view="letters", word=self._word, letter=self._letter)
        except Omission:
            return playground(self.text, letters=True)
