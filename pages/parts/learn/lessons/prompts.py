"""The lesson about prompts: what a space at the end does."""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

from bpe_core.pictures.shared.in_words import counted
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.prompt_end import PromptEnd, prompt_end
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import Lesson, playground, published
from pages.parts.learn.questions import NUMBER, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Prompt
from pages.parts.learn.texts import ADDRESS, GPT2, PROMPT
from pages.parts.playground.playground_state import Playground

LISTED = 20  # tokens that were learnt first
FEWEST, MOST = 3, 4  # words of a prompt


class Prompts(Lesson):
    """The lesson "The space at the end"."""

    name = "Prompts"
    title = "The space at the end"
    can = "say where a prompt should end, and why"
    opening = (
        f"A prompt is the beginning of a text, which a model is to go on with. {GPT2} splits it into [tokens](token) "
        "as if nothing followed. Each token that the model adds, by its [id], comes after them. Does it matter where a "
        "prompt ends?"
    )
    own = PROMPT
    about = ("the_rest", "first_learnt", "address")
    fixed = ("first_learnt", "address")

    @cached_property
    def _end(self) -> PromptEnd:
        """The first words of the text and a space; the next word is one token both with a space and without."""
        words = self.text.split()
        encode, most = published().encode, len(words)
        for size in (*range(MOST, FEWEST - 1, -1), *range(MOST + 1, most)):
            if not (size < most and all(map(str.isalpha, words[: size + 1]))):
                continue
            if all(len(encode(way, specials=True).ids) == 1 for way in (words[size], f" {words[size]}")):
                beginning = f"{' '.join(words[:size])} "
                found = prompt_end(published(), beginning + words[size], len(beginning), specials=True)
                if found.cut_off == b" ":
                    return found
        raise Omission(
            f"its first words are not words of letters, before one that is a token of {GPT2} with a space and without"
        )

    def the_rest(self) -> Question:
        """Ask which id the model must add to a prompt that ends in a space.

        Wrong answers: the id of the word with its space, the id of the space.
        """
        found = self._end
        prompt, word = found.prompt.text, found.whole.text[len(found.prompt.text) :]
        ways = (" ", f" {word}", word)
        ids = {way: published().encode(way, specials=True).ids[0] for way in ways}
        space, spaced, bare = (str(ids[way]) for way in ways)
        chips = {way: wording.tok(encode_text(way)) for way in ways}
        return question(
            f"The prompt {wording.text(prompt)} ends in a space, and the text goes on with {wording.text(word)}. Which "
            "id must the model add to give exactly that text?",
            bare,
            f"{chips[word]}, without a space: the space is there already, as a token of its own. In the whole text the "
            f"word is {chips[f' {word}']} with the id {spaced}, which the prompt’s end has ruled out.",
            wrong_answer(
                spaced, f"{chips[f' {word}']} brings a space, and the prompt has one already: then there would be two."
            ),
            wrong_answer(
                space, f"{chips[' ']} is the prompt’s last token already; {wording.text(word)} is still to come."
            ),
            look=wording.sentence(f"The prompt’s tokens: {wording.row(found.prompt.tokens)}")
            + wording.html_table(("token", "id"), [(chips[way], str(ids[way])) for way in ways]),
            steps=(
                f"The prompt’s last token is {chips[' ']}, so no other space may follow.",
                f"What is left is {wording.text(word)}: {chips[word]} in the table, {bare}.",
            ),
        )

    def first_learnt(self) -> Question:
        """Ask how many of the earliest tokens begin with a space.

        Wrong answers: all, the tokens of a space and one letter.
        """
        tok = published()
        listed = [tok.tokens[new] for _, _, new in tok.merges[:LISTED]]
        spaced = [token for token in listed if token.startswith(b" ")]
        number, known = len(tok.vocabulary.longer(b" ")), len(tok.vocabulary.in_byte_order[1])
        letters = [token for token in spaced if len(token) == len(b" t")]
        longer = wording.listed([wording.tok(token) for token in spaced if token not in letters])
        return question(
            "How many of the tokens in this list begin with a space?",
            len(spaced),
            f"In the whole vocabulary {number:,} of {known:,} tokens begin with a space and go on. After a prompt that "
            "ends in a space, the model can add none of them without a second space.",
            wrong_answer(len(listed), "Some have no space, as those within words."),
            wrong_answer(len(letters), f"Longer ones count too: {longer}."),
            look=wording.sentence(
                f"The first {counted(LISTED, 'token')} that {GPT2}’s merges made: {' '.join(map(wording.tok, listed))}"
            ),
            typed=NUMBER,
            steps=(
                f"Those with a space and one letter: {len(letters):,}.",
                f"Longer ones, {longer}: {len(spaced) - len(letters):,}. Together {len(spaced):,}.",
            ),
            of=len(listed),
        )

    def address(self) -> Question:
        """Ask how many tokens of a prompt stay the same when its text goes on as an address.

        Wrong answers: all, none.
        """
        prompt, rest = ADDRESS
        whole = prompt + rest
        sides = [published().encode(text, specials=True).tokens for text in (prompt, whole)]
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(*sides, strict=False))))
        across = sides[1][same]
        found = prompt_end(published(), whole, len(prompt), specials=True)
        return question(
            f"A prompt ends with {wording.text(prompt)}, and the text goes on with {wording.text(rest)}. How many of "
            "the prompt’s tokens does the whole text begin with?",
            same,
            f"{wording.row(sides[0])} against {wording.row(sides[1])}: {wording.tok(across)} lies across the end. It "
            f"is one of {len(found.others):,} tokens that begin with {wording.tok(found.cut_off)} and go on.",
            wrong_answer(
                len(sides[0]),
                f"{wording.tok(found.cut_off)} is a token of the prompt; in the whole text a merge takes it.",
            ),
            wrong_answer(0, f"{wording.tok(sides[0][0])} is a piece of its own in both, so it is the same token."),
            look=wording.sentence(f"The pieces of {wording.text(prompt)}:")
            + wording.merges_inside(word_merges.pieces(published(), prompt))
            + wording.sentence(f"The pieces of {wording.text(whole)}:")
            + wording.merges_inside(word_merges.pieces(published(), whole)),
            typed=NUMBER,
            steps=(
                f"{wording.text(prompt)} becomes {wording.row(sides[0])}.",
                f"{wording.text(whole)} becomes {wording.row(sides[1])}.",
                f"From the beginning on, {counted(same, 'token is', 'tokens are')} the same.",
            ),
        )

    def reveal(self) -> tuple[Prompt, ...]:
        """Return the tokens of the prompt, whose end can be moved, beside the tokens of the whole text."""
        try:
            shown, end = self._end.whole.text, len(self._end.prompt.text)
        except Omission:
            shown, end = "".join(ADDRESS), len(ADDRESS[0])
        return (Prompt(shown, end),)

    def take_away(self) -> str:
        """Return where a prompt should end."""
        vocabulary = published().vocabulary
        number, known = len(vocabulary.longer(b" ")), len(vocabulary.in_byte_order[1])
        return (
            "End a prompt where a word ends, and leave the space to the model: it belongs to the next token. A space "
            f"at the end rules out {number:,} of {GPT2}’s {known:,} tokens. A model may go on well all the same: "
            "tokens are not all that decides what it writes."
        )

    def go_on(self) -> Playground:
        """Return a state of the Playground with its view of the prompt's end."""
        try:
            return playground(self._end.whole.text, view="prompt", end=len(self._end.prompt.text))
        except Omission:
            return playground(self.text, view="prompt")
