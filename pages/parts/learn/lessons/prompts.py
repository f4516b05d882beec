"""The lesson about prompts: what a space at the end does."""

from __future__ import annotations

from functools import cached_property

from bpe_core.text.alphabet import encode_text
from bpe_core.text.beginnings import shared_beginning
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.prompt_end import PromptEnd, prompt_end
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import Lesson, on_tokens, published
from pages.parts.learn.reveal_drawings import Prompt
from pages.parts.learn.texts import ADDRESS, PROMPT
from pages.parts.state.tokens_state import Tokens

LISTED = 20  # tokens that were learnt first
FEWEST, MOST = 3, 4  # words of a prompt


class Prompts(Lesson):
    """The lesson "The space at the end"."""

    sentences = lesson_text(__file__)
    own = PROMPT
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
        raise NoPoint()

    def the_rest(self) -> Facts:
        """Find the id that the model must add to a prompt that ends in a space."""
        found = self._end
        prompt, word = found.prompt.text, found.whole.text[len(found.prompt.text) :]
        ways = [encode_text(way) for way in (" ", f" {word}", word)]
        ids = [str(published().token_to_id(way)) for way in ways]
        return Facts(
            ids[2],
            WrongAnswer(ids[1], "two spaces"),
            WrongAnswer(ids[0], "space"),
            prompt=wording.text(prompt),
            word=wording.text(word),
            tokens=found.prompt.tokens,
            ids=Table([(wording.tok(way), way_id) for way, way_id in zip(ways, ids, strict=True)]),
            space=ways[0],
            spaced=ways[1],
            spaced_id=ids[1],
            bare=ways[2],
            bare_id=ids[2],
        )

    def first_learnt(self) -> Facts:
        """Count the earliest tokens that begin with a space."""
        tok = published()
        listed = [tok.tokens[new] for _, _, new in tok.merges[:LISTED]]
        spaced = [token for token in listed if token.startswith(b" ")]
        spaced_of_all, known = _with_space()
        letters = [token for token in spaced if len(token) == len(b" t")]
        return Facts(
            len(spaced),
            WrongAnswer(len(listed), "all"),
            WrongAnswer(len(letters), "letters"),
            of=len(listed),
            listed=counted(LISTED, "token"),
            tokens=wording.chips(listed),
            spaced=spaced_of_all,
            known=known,
            letters=len(letters),
            longer=wording.listed([wording.tok(token) for token in spaced if token not in letters]),
            longer_count=len(spaced) - len(letters),
            count=len(spaced),
        )

    def address(self) -> Facts:
        """Count the tokens of a prompt that stay the same when its text goes on as an address."""
        prompt, rest = ADDRESS
        whole = prompt + rest
        tokens, whole_tokens = (published().encode(text, specials=True).tokens for text in (prompt, whole))
        same = shared_beginning(tokens, whole_tokens)
        found = prompt_end(published(), whole, len(prompt), specials=True)
        return Facts(
            same,
            WrongAnswer(len(tokens), "all"),
            WrongAnswer(0, "none", first=tokens[0]),
            prompt=wording.text(prompt),
            rest=wording.text(rest),
            whole=wording.text(whole),
            pieces=wording.merges_inside(word_merges.pieces(published(), prompt)),
            whole_pieces=wording.merges_inside(word_merges.pieces(published(), whole)),
            tokens=tokens,
            whole_tokens=whole_tokens,
            across=whole_tokens[same],
            others=len(found.others),
            cut_off=found.cut_off,
            same=counted(same, "token is", "tokens are"),
        )

    def reveal(self) -> tuple[Prompt, ...]:
        """Return the tokens of the prompt, whose end can be moved, beside the tokens of the whole text."""
        try:
            shown, end = self._end.whole.text, len(self._end.prompt.text)
        except NoPoint:
            shown, end = "".join(ADDRESS), len(ADDRESS[0])
        return (Prompt(shown, end),)

    def taken(self) -> Phrase:
        """Return how many tokens a space at the end rules out."""
        spaced, known = _with_space()
        return Phrase(spaced=spaced, known=known)

    def go_on(self) -> Tokens:
        """Return a state of Tokens with its view of the prompt's end."""
        try:
            return on_tokens(self._end.whole.text, view="prompt", end=len(self._end.prompt.text))
        except NoPoint:
            return on_tokens(self.text, view="prompt")


def _with_space() -> tuple[int, int]:
    """Return how many tokens begin with a space and go on, and the number of all tokens."""
    vocabulary = published().vocabulary
    return len(vocabulary.longer(b" ")), len(vocabulary.in_byte_order[1])
