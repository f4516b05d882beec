"""The lesson about letters: what a model that is given ids does not know of a word."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from bpe_core.pictures.shared.token_text import is_whole
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.letters import alike, count, letters
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, on_tokens, published, words_of
from pages.parts.learn.reveal_drawings import Merging
from pages.parts.learn.texts import LETTERS_APART
from pages.parts.state.tokens_state import Tokens

LONGEST = 16  # the most letters of a word
PLACES = ("{}", " {}", '"{}"')  # at the start of a text, after a space, in quotes


class Letters(Lesson):
    """The lesson "Why can't it count the r's?"."""

    sentences = lesson_text(__file__)
    own = LETTERS_APART

    @cached_property
    def _word(self) -> str:
        """The first word that has a letter twice, and is several tokens, each of whole characters."""
        for word in words_of(self.text):
            plain = word.isalpha() and len(letters(word)) == len(word) <= LONGEST
            if plain and max(Counter(map(alike, word)).values()) > 1:
                tokens = published().encode(word, specials=True).tokens
                if len(tokens) > 1 and all(map(is_whole, tokens)):
                    return word
        raise NoPoint("no word")

    @cached_property
    def _letter(self) -> str:
        """The word's most frequent letter, as the word first writes it."""
        counts = Counter(map(alike, self._word))
        return next(letter for letter in self._word if counts[alike(letter)] == max(counts.values()))

    @cached_property
    def _count(self) -> int:
        return count(self._letter, self._word)

    def behind_the_ids(self) -> Facts:
        """Count a letter in a text that is given as ids."""
        encoded = published().encode(self._word, specials=True)
        counts = [(token, count(self._letter, token.decode())) for token in encoded.tokens]
        most, times_in_it = max(counts, key=lambda pair: pair[1])
        ids = [str(token_id) for token_id in encoded.ids]
        rows = dict(zip(ids, map(wording.tok, encoded.tokens), strict=True))
        return Facts(
            self._count,
            WrongAnswer(0, "none"),
            WrongAnswer(sum(n > 0 for _, n in counts), "tokens", token=most, times=times(times_in_it)),
            WrongAnswer(len(self._word), "all"),
            steps=[
                *(
                    Phrase("token", token=token, times=times(n)) if n else Phrase("never", token=token)
                    for token, n in counts
                ),
                Phrase("together", times=times(self._count)),
            ],
            ids=wording.listed(ids),
            letter=wording.text(self._letter),
            tokens=Table(rows.items()),
            counts=[Phrase("count", count=n, token=token) for token, n in counts if n],
        )

    def elsewhere(self) -> Facts:
        """Count the different ids of a word in three places: alone, after a space, in quotes."""
        texts = [place.format(self._word) for place in PLACES]
        rows = [(wording.text(text), published().encode(text, specials=True).ids) for text in texts]
        listed = [token_id for _, ids in rows for token_id in ids]
        different = sorted(set(listed))
        return Facts(
            len(different),
            WrongAnswer(1, "one"),
            WrongAnswer(max(len(ids) for _, ids in rows), "longest row"),
            WrongAnswer(len(listed), "all"),
            steps=[
                *(Phrase("row", text=text, count=counted(len(ids), "id")) for text, ids in rows),
                Phrase("once", count=counted(len(different), "id")),
            ],
            word=wording.text(self._word),
            rows=Table([(text, " ".join(map(str, ids))) for text, ids in rows]),
            ids=wording.listed([str(token_id) for token_id in different]),
        )

    def apart(self) -> Facts:
        """Count the tokens that a word becomes when its letters are typed with spaces between them."""
        text = " ".join(self._word)
        tokens = published().encode(text, specials=True).tokens
        if len(tokens) != len(self._word):
            raise NoPoint("joined", word=self._word)
        pieces = word_merges.pieces(published(), text)
        whole = published().encode(self._word, specials=True).tokens
        return Facts(
            len(tokens),
            WrongAnswer(len(whole), "whole", whole=whole),
            WrongAnswer(len(text), "characters"),
            WrongAnswer(1, "one"),
            text=wording.text(text),
            pieces=wording.merges_inside(pieces),
            tokens=tokens,
            of_them=counted(self._count, "of them is", "of them are"),
            letter=wording.text(self._letter),
            piece_count=counted(len(pieces), "piece"),
            count=counted(len(tokens), "token"),
        )

    def reveal(self) -> tuple[Merging, ...]:
        """Return a drawing of the word at the start of a text, after a space and spelt. Each token has its letters."""
        try:
            word, letter = self._word, self._letter
        except NoPoint:
            word, letter = next(iter(words_of(self.text)), self.text), ""
        return (Merging(f"{word} {word}\n{' '.join(letters(word))}", letter),)

    def taken(self) -> Phrase:
        """Return the ids of the word, if the text has such a word."""
        try:
            ids = published().encode(self._word, specials=True).ids
        except NoPoint:
            return Phrase()
        return Phrase("word", ids=" ".join(map(str, ids)), word=wording.text(self._word))

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the word's letters under all tokenizers."""
        try:
            return on_tokens(self.text, view="letters", word=self._word, letter=self._letter)
        except NoPoint:
            return on_tokens(self.text, letters=True)
